import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DriftLook, driftAfterCall } from './drift.ts';

type Call = { subject: string; moves: boolean };
type Look = { step: number; level: NonNullable<DriftLook['level']> };

/** Runs a round's calls as the host does: the look comes before the call, a move during it. */
function looksOf(calls: Call[], limits: { window: number; stride: number }): Look[] {
  let round: Parameters<typeof driftAfterCall>[0] = { steps: 0, recent: [], movedAtStep: 0, drift: 'none' };
  const looks: Look[] = [];
  for (const { subject, moves } of calls) {
    const { recent, level } = driftAfterCall(round, subject, limits);
    const steps = round.steps + 1;
    if (level !== null) looks.push({ step: steps, level });
    if (level === 'end') break;
    round = {
      steps,
      recent,
      movedAtStep: moves ? steps : round.movedAtStep,
      drift: level === null ? round.drift : level === 'park' ? 'parked' : level === 'watch' ? 'watch' : 'none',
    };
  }
  return looks;
}
const on = (subject: string, times: number): Call[] => Array.from({ length: times }, () => ({ subject, moves: false }));
const usual = { window: 8, stride: 10 };

describe('drift', () => {
  it('one subject: watch, park, end, at each look', () => {
    expect(looksOf(on('A', 40), usual)).toEqual([
      { step: 10, level: 'watch' },
      { step: 20, level: 'park' },
      { step: 30, level: 'end' },
    ]);
  });
  it('looks only every stride calls', () => {
    expect(looksOf(on('A', 9), usual)).toEqual([]);
    expect(looksOf(on('A', 19), usual)).toHaveLength(1);
  });
  it('whoever heeds the watch is left alone, and begins anew', () => {
    const calls = [...on('A', 10), ...on('B', 1), ...on('C', 9), ...on('A', 20)];
    expect(looksOf(calls, usual).map((look) => look.level)).toEqual(['watch', 'watch', 'watch', 'park']);
    const heeded = [...on('A', 10), ...on('B', 5), ...on('C', 5), ...on('A', 10)];
    expect(looksOf(heeded, usual).map((look) => look.level)).toEqual(['watch', 'none', 'watch']);
  });
  it('another subject in the window is watched first, never parked in the place of the one before', () => {
    expect(looksOf([...on('A', 12), ...on('B', 28)], usual).map((look) => look.level)).toEqual(['watch', 'watch', 'park', 'end']);
  });
  it('a milestone that moved in the window clears it; one before the window does not', () => {
    const moved = (at: number) => on('A', 20).map((call, index) => ({ ...call, moves: index + 1 === at }));
    expect(looksOf(moved(15), usual).map((look) => look.level)).toEqual(['watch', 'none']);
    expect(looksOf(moved(12), usual).map((look) => look.level)).toEqual(['watch', 'park']);
    expect(looksOf(moved(13), usual).map((look) => look.level)).toEqual(['watch', 'none']);
  });

  const limits = fc.record({ window: fc.integer({ min: 2, max: 100 }), stride: fc.integer({ min: 1, max: 100 }) });
  const calls = fc.array(fc.record({ subject: fc.constantFrom('A', 'B'), moves: fc.boolean() }), { maxLength: 300 });
  const runs = fc
    .array(fc.record({ subject: fc.constantFrom('A', 'B', 'C'), length: fc.integer({ min: 1, max: 120 }), moves: fc.boolean() }), { maxLength: 6 })
    .map((list) => list.flatMap(({ subject, length, moves }) => on(subject, length).map((call, index) => ({ ...call, moves: moves && index === 0 }))));

  it('every look agrees with the plain rule over the whole history', () => {
    fc.assert(
      fc.property(fc.oneof(calls, runs), limits, (history, given) => {
        let level = 'none';
        let subject: string | null = null;
        const expected: Look[] = [];
        for (let step = given.stride; step <= history.length; step += given.stride) {
          const seen = history.slice(Math.max(0, step - given.window), step);
          const moved = history.slice(Math.max(0, step - given.window), step - 1).some((call) => call.moves);
          const last = (history[step - 1] as Call).subject;
          const turning = seen.length === given.window && seen.every((call) => call.subject === last) && !moved;
          level = !turning ? 'none' : level === 'none' || subject !== last ? 'watch' : level === 'watch' ? 'park' : 'end';
          subject = turning ? last : null;
          expected.push({ step, level: level as Look['level'] });
          if (level === 'end') break;
        }
        expect(looksOf(history, given)).toEqual(expected);
      }),
    );
  });

  it('a round that moves a milestone within every window, or changes its subject, is never touched', () => {
    fc.assert(
      fc.property(limits, fc.integer({ min: 1, max: 300 }), fc.boolean(), (given, length, bySubject) => {
        const history = on('A', length).map((call, index) =>
          bySubject ? { ...call, subject: index % given.window === given.window - 1 ? 'B' : 'A' } : { ...call, moves: index % Math.max(1, given.window - 1) === 0 },
        );
        expect(looksOf(history, given).every((look) => look.level === 'none')).toBe(true);
      }),
    );
  });
});
