import { expect, it } from 'vitest';
import { chosenDraft, nameOfTitle } from './draft.ts';

const draft = {
  template: {
    name: 'invoices',
    parameters: {},
    contract: { title: 'Of {{month}}', objective: '{{count}} of {{month}}, \\{{month}}', checks: [{ equals: '{{count}}' }] },
  },
  found: [
    { name: 'month', type: 'string' as const, value: '2027-01', why: 'of_the_case' as const, places: [] },
    { name: 'count', type: 'integer' as const, value: 200, why: 'of_the_case' as const, places: [] },
  ],
  left: [],
  problems: [],
};

it('a parameter that is none gives its place back to the case, with its type; a renamed one is renamed wherever it stands', () => {
  expect(chosenDraft(draft, { month: { name: 'period', otherwise: '2027-02' }, count: { name: null, otherwise: '' } })).toEqual({
    name: 'invoices',
    parameters: { period: { type: 'string', default: '2027-02' } },
    contract: { title: 'Of {{period}}', objective: '200 of {{period}}, \\{{month}}', checks: [{ equals: 200 }] },
  });
  expect(chosenDraft(draft, { count: { name: 'count', otherwise: '7' } })).toMatchObject({ parameters: { month: { type: 'string' }, count: { type: 'integer', default: 7 } } });
});
it('a name is made of a title', () => {
  expect([nameOfTitle('Invoices of 2027-01!'), nameOfTitle('发票')]).toEqual(['invoices-of-2027-01', 'template']);
});
