/** What a Runner does after a run, and above all what it still knows of the run before. */
import { expect, it } from 'vitest';
import { afterRun, type HandOver } from './hand-over.ts';

const work = (more: Partial<HandOver> = {}): HandOver => ({ message: { v: 1, kind: 'round', workspace: 'w', goal: 'g', round: 'r', fence: 1 }, begun: false, tries: 0, ...more });

it('a run that is over leaves nothing', () => {
  expect(afterRun(work(), { kind: 'done', why: 'submitted' })).toEqual({ kind: 'over' });
});
it('one that threw may have begun: the next asks as after a death, later each time', () => {
  expect(afterRun(work({ tries: 3 }), 'threw')).toEqual({ kind: 'again', work: work({ begun: true, tries: 4 }), afterMs: 4000 });
});
it.each([true, false])('one that got no claim changes nothing of what is known (a run died before: %s)', (begun) => {
  // The Goal could not say that the dead run is lost: asked as a first claim it would hand out the same fence again, and all its calls with it.
  expect(afterRun(work({ begun }), { kind: 'later', afterMs: 2000 })).toEqual({ kind: 'again', work: work({ begun, tries: 1 }), afterMs: 2000 });
});
it('after many tries it is dropped: the Goal dispatches again by its own clock', () => {
  expect(afterRun(work({ tries: 12 }), { kind: 'later', afterMs: 2000 })).toEqual({ kind: 'over' });
});
