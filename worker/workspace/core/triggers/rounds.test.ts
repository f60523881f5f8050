/** Business rounds over random histories of firings, words and time: one unfinished at most, nothing lost silently, nothing that is closed opens again. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../domain/refusals.ts';
import type { Overlap } from './definition.ts';
import {
  acted,
  answered,
  type BusinessRound,
  completed,
  type Firing,
  fired,
  goalEnded,
  isUnfinished,
  leftOpen,
  missedAt,
  notStarted,
  type Standing,
  turn,
  waits,
} from './rounds.ts';

const firing = (n: number, at: number, endsWithGoal = false): Firing => ({ id: `f${n}`, trigger: 't.1', name: 't', source: 'cron', due: at, at, standsFor: 1, endsWithGoal });

class Desk {
  readonly rounds = new Map<string, BusinessRound>();
  now = 0;
  fired = 0;
  readonly overlap: Overlap;
  constructor(overlap: Overlap) {
    this.overlap = overlap;
  }
  standing(): Standing {
    const all = [...this.rounds.values()];
    return { unfinished: all.find(isUnfinished), owed: all.filter((each) => each.state === 'owed') };
  }
  put(rounds: readonly BusinessRound[]) {
    for (const each of rounds) this.rounds.set(each.id, each);
    for (const each of rounds) if (!isUnfinished(each) && each.state !== 'owed') this.rounds.set(each.id, each);
  }
  fire(endsWithGoal = false) {
    this.put(fired(this.standing(), this.overlap, firing(this.fired++, this.now, endsWithGoal)));
  }
  turn() {
    this.put(turn(this.standing(), this.overlap, this.now));
  }
}

const overlaps = fc.constantFrom<Overlap>(
  { rule: 'skip' },
  { rule: 'queue', withinMinutes: 60 },
  { rule: 'replay', most: 3, withinMinutes: 60 },
  { rule: 'replay', most: 100, withinMinutes: 10_000 },
);
const moves = fc.array(
  fc.record({ do: fc.constantFrom('fire', 'wait', 'answer', 'stale', 'complete', 'ended', 'act', 'refuse', 'time'), pick: fc.nat(50), minutes: fc.constantFrom(1, 30, 61) }),
  { minLength: 5, maxLength: 80 },
);

describe('business rounds', () => {
  it('of one trigger: one is unfinished at most; each firing comes to one end; what is over stays as it is', () => {
    fc.assert(
      fc.property(overlaps, moves, (overlap, list) => {
        const desk = new Desk(overlap);
        for (const move of list) {
          const before = new Map(desk.rounds);
          const all = [...desk.rounds.values()];
          const any = all[move.pick % Math.max(1, all.length)];
          const put = (next: BusinessRound | ReturnType<typeof completed>) => {
            if (!isRefusal(next)) desk.put([next]);
          };
          if (move.do === 'fire') desk.fire(move.pick % 2 === 0);
          else if (move.do === 'time') desk.now += move.minutes * 60_000;
          else if (any) {
            const came = (correlation: string, generation: number) => answered(any, { correlation, generation }, desk.now);
            switch (move.do) {
              case 'wait':
                put(waits(any, { kind: 'answer', correlation: 'c', reason: 'r' }, 'person:a', desk.now));
                break;
              case 'answer': {
                const given = came('c', any.generation);
                if ('round' in given) {
                  expect(any.awaits?.generation).toBe(any.generation);
                  put(given.round);
                } else expect(any.state === 'waiting').toBe(false);
                break;
              }
              case 'stale':
                expect(came('c', any.generation - 1)).toHaveProperty('late');
                expect(came('other', any.generation)).toHaveProperty('late');
                break;
              case 'complete':
                put(completed(any, 'person:a', desk.now, null));
                break;
              case 'ended': {
                const given = goalEnded(any, 'completed', desk.now);
                if ('round' in given) {
                  // Of a round that waits the end of its goal says nothing.
                  if (any.state === 'waiting' || !any.endsWithGoal) expect(given.round.state).toBe(any.state);
                  put(given.round);
                }
                break;
              }
              case 'act':
                if (any.act === 'pending') put(acted(any, 'goal_1', move.pick % 3 === 0, desk.now));
                break;
              case 'refuse':
                if (any.act === 'pending') put(notStarted(any, { refused: true, code: 'not_found' }, desk.now));
                break;
            }
          }
          desk.turn();
          const rounds = [...desk.rounds.values()];
          expect(rounds.filter(isUnfinished).length).toBeLessThanOrEqual(1);
          // Nothing is owed where something could run.
          if (!rounds.some(isUnfinished)) expect(rounds.filter((each) => each.state === 'owed')).toEqual([]);
          expect(rounds.length).toBe(desk.fired);
          for (const [id, was] of before)
            if (was.state === 'completed' || was.state === 'skipped' || was.state === 'missed')
              // What it did outside may become known later; that opens nothing.
              expect(desk.rounds.get(id)).toEqual({ ...was, act: expect.anything(), goal: desk.rounds.get(id)?.goal, refusal: desk.rounds.get(id)?.refusal });
          for (const each of rounds) {
            expect(each.state === 'waiting').toBe(each.awaits !== null);
            expect(each.state === 'completed').toBe(each.closed !== null);
            if (each.state === 'skipped' || each.state === 'owed') expect(each.act).toBe('none');
            if (overlap.rule === 'replay' && each.state === 'skipped') expect(overlap.most).toBe(3);
          }
          const owed = desk.standing().owed;
          expect(owed.length).toBeLessThanOrEqual(overlap.rule === 'skip' ? 0 : overlap.rule === 'queue' ? 1 : overlap.most);
          if (owed[0]) expect(missedAt(desk.standing(), overlap)).toBeGreaterThan(desk.now);
        }
        // Every firing is told of: begun, or by what stands for it, or skipped or missed.
        expect([...desk.rounds.values()].every((each) => each.standsFor >= 1)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it('owed ones begin in the order in which they fired', () => {
    const desk = new Desk({ rule: 'replay', most: 10, withinMinutes: 60 });
    for (let n = 0; n < 4; n++) desk.fire();
    const began: string[] = [];
    for (let n = 0; n < 4; n++) {
      const round = desk.standing().unfinished;
      if (!round) throw new Error('none');
      began.push(round.id);
      desk.put([completed(round, 'person:a', desk.now, null) as BusinessRound]);
      desk.turn();
    }
    expect(began).toEqual(['f0', 'f1', 'f2', 'f3']);
  });

  it('a goal that ended while its round waits completes it with the answer, where its end was to', () => {
    const [round] = fired({ unfinished: undefined, owed: [] }, { rule: 'skip' }, firing(1, 0, true));
    const waiting = waits(round as BusinessRound, { kind: 'result', correlation: 'c', reason: 'r' }, 'host', 0) as BusinessRound;
    const ended = goalEnded(waiting, 'cancelled', 1);
    expect(ended).toMatchObject({ round: { state: 'waiting', goalEnded: 'cancelled' } });
    if (!('round' in ended)) throw new Error('late');
    expect(answered(ended.round, { correlation: 'c', generation: 1 }, 2)).toMatchObject({ round: { state: 'completed', closed: { how: 'goal', reason: 'cancelled' } } });
  });

  it('what it waited for when it was closed is left open, and what came late is reconciled with exactly that', () => {
    const [round] = fired({ unfinished: undefined, owed: [] }, { rule: 'skip' }, firing(1, 0));
    const first = waits(round as BusinessRound, { kind: 'receipt', correlation: 'order-7', reason: 'r' }, 'host', 0) as BusinessRound;
    const on = answered(first, { correlation: 'order-7', generation: 1 }, 1);
    if (!('round' in on)) throw new Error('late');
    expect(leftOpen(completed(on.round, 'host', 2, null) as BusinessRound, [])).toBeNull();
    const again = waits(on.round, { kind: 'receipt', correlation: 'order-7', reason: 'once more' }, 'host', 2) as BusinessRound;
    const shut = completed(again, 'person:a', 10, 'nothing came') as BusinessRound;
    const late = (at: number, correlation: string, generation: number, what = 'answer') => ({ at, what, body: { correlation, generation, payload: at } });
    expect(leftOpen(shut, [])).toMatchObject({ awaited: { correlation: 'order-7', generation: 2 }, came: null });
    const others = [late(11, 'order-8', 2), late(12, 'order-7', 1), late(9, 'order-7', 2), late(13, 'order-7', 2, 'goal_ended')];
    expect(leftOpen(shut, others)?.came).toBeNull();
    expect(leftOpen(shut, [late(20, 'order-7', 2), late(15, 'order-7', 2), ...others])?.came).toEqual(late(15, 'order-7', 2));
  });
});
