import { expect, it } from 'vitest';
import { parameters } from '../../../../worker/domain/template/parameters.ts';
import { readSlash, valuesOf } from './slash.ts';

it('names a template and its parameters; anything else is words', () => {
  expect(readSlash('/offers month=2027-02 who="Nord Wind"')).toEqual({ name: 'offers', given: { month: '2027-02', who: 'Nord Wind' } });
  expect(readSlash(' /offers ')).toEqual({ name: 'offers', given: {} });
  expect(readSlash('/offers for March')).toMatchObject({ name: 'offers', wrong: 'for' });
  expect(readSlash('and/or')).toBeUndefined();
  expect(readSlash('/ etc')).toBeUndefined();
});
it('values have the type that the template declares', () => {
  const declared = parameters.parse({ count: { type: 'integer' }, all: { type: 'boolean' }, names: { type: 'array', items: { type: 'string' } }, month: { type: 'string' } });
  expect(valuesOf(declared, { count: '7', all: 'true', names: 'a,b', month: '2027', other: 'x' })).toEqual({ count: 7, all: true, names: ['a', 'b'], month: '2027', other: 'x' });
  expect(valuesOf(declared, { count: 'many' })).toEqual({ count: 'many' });
});
