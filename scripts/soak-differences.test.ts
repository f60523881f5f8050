import { expect, it } from 'vitest';
import { differences, type Outcome } from './soak-differences.ts';

const calm: Outcome = { broken: null, digests: { 'a.json': '1', 'b.json': '2' }, facts: ['review: accepted by host', 'decided: 30 of 30'], faults: [] };

it('finds nothing where all is the same', () => {
  expect(differences('s', { ...calm, facts: [...calm.facts].reverse() }, calm)).toEqual([]);
});

it('finds a file that is another, one that is missing and one too many', () => {
  expect(differences('s', { ...calm, digests: { 'a.json': '9', 'c.json': '3' } }, calm)).toEqual(['a', 'c', 'b'].map((name) => `s: ${name}.json is not what it is without kills`));
});

it('finds a decision that was made twice, and a count that is another', () => {
  expect(differences('s', { ...calm, facts: ['review: accepted by host', 'review: accepted by host', 'decided: 29 of 30'] }, calm)).toEqual([
    's: only with kills: review: accepted by host',
    's: only with kills: decided: 29 of 30',
    's: only without kills: decided: 30 of 30',
  ]);
});

it('says what went wrong on the way, also where the run did not complete', () => {
  expect(differences('s', { ...calm, broken: 'It stopped.', digests: {}, faults: ['the script threw'] }, calm)).toEqual(['s: It stopped.', 's: the script threw']);
});
