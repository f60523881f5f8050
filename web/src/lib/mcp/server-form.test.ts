import { expect, it } from 'vitest';
import { namesIn, serverOf, typedOf, wrongIn } from './server-form.ts';

const crm = { name: 'crm', url: 'https://crm.example.com/mcp', header: { name: 'x-key', prefix: '', secret: 'crm-key' }, tools: ['look', 'send'], readOnly: ['look'] };

it('a server that is opened and saved unchanged is the same', () => {
  expect(serverOf(typedOf(crm))).toEqual(crm);
  expect(wrongIn(typedOf(crm), [])).toEqual({});
});
it('without a secret nothing is said of a header', () => {
  expect(serverOf({ ...typedOf(undefined), name: ' erp ', url: ' https://erp.example.com ', tools: 'a\n\n b,a' })).toEqual({
    name: 'erp',
    url: 'https://erp.example.com',
    tools: ['a', 'b'],
  });
  expect(namesIn(' \n')).toEqual([]);
});
it('says what is wrong with each field', () => {
  const typed = { ...typedOf(crm), name: 'Crm!', url: 'ftp://crm', header: 'x key', readOnly: 'look\nwrite' };
  expect(wrongIn(typed, [])).toEqual({ name: true, url: true, header: true, readOnly: ['write'] });
  expect(wrongIn({ ...typedOf(crm), url: 'https://me:pw@crm.example.com' }, ['crm'])).toEqual({ name: true, url: true });
});
