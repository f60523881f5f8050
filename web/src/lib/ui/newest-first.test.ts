import { expect, it } from 'vitest';
import { readAgain } from './newest-first.ts';

it('what is read again takes the place of what it was, and what is older stays', () => {
  const before = [{ seq: 5 }, { seq: 4 }, { seq: 3 }, { seq: 2 }];
  expect(readAgain([{ seq: 6 }, { seq: 5, state: 'done' }], before)).toEqual([{ seq: 6 }, { seq: 5, state: 'done' }, { seq: 4 }, { seq: 3 }, { seq: 2 }]);
  expect(readAgain([], before)).toEqual([]);
});
