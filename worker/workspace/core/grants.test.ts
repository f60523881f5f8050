import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GrantRequest, SLOT_MS, type SettleRequest } from '../rpc.ts';
import type { WorkspaceBudget } from '../settings.ts';
import { type Amounts, dayMs, dayOf, decideGrant, decideSettle, type Grant, periodOf, type Standing } from './grants.ts';

/** The book of grants as the object keeps it, in memory. */
class Book {
  readonly grants: Grant[] = [];
  readonly budget: WorkspaceBudget;
  constructor(budget: WorkspaceBudget) {
    this.budget = budget;
  }

  #own(key: { goal: string; round: string; fence: number }) {
    return this.grants.find((each) => each.goal === key.goal && each.round === key.round && each.fence === key.fence);
  }
  #sum(own: Grant | undefined, from: number, to: number): { used: Amounts; reserved: Amounts } {
    const sums = { used: { tokens: 0, money: 0 }, reserved: { tokens: 0, money: 0 } };
    for (const each of this.grants) {
      if (each === own || each.day < from || each.day >= to) continue;
      const into = each.used ? sums.used : sums.reserved;
      into.tokens += (each.used ?? each).tokens;
      into.money += (each.used ?? each).money;
    }
    return sums;
  }
  running(now: number, except?: GrantRequest) {
    return this.grants.filter((each) => !each.used && each.heldUntil > now && !(each.goal === except?.goal && each.round === except.round));
  }
  ask(more: Partial<GrantRequest> & { round: string }, now = 0) {
    const request: GrantRequest = { v: 1, workspace: 'w', goal: 'g', fence: 1, tokens: 0, money: 0, ...more };
    const own = this.#own(request);
    const same = this.grants.filter((each) => each.goal === request.goal && each.round === request.round);
    const { from, to } = periodOf(this.budget, own?.day ?? dayOf(now));
    const running = this.running(now, request);
    const standing: Standing = {
      own,
      highestFence: Math.max(0, ...same.map((each) => each.fence)),
      running: running.length,
      freeAt: running.length === 0 ? undefined : Math.min(...running.map((each) => each.heldUntil)),
      period: this.#sum(own, from, to),
      total: this.#sum(own, 0, Number.MAX_SAFE_INTEGER),
    };
    const decided = decideGrant(this.budget, standing, request, now);
    if (decided.grant) {
      for (const each of same) if (each.fence < request.fence) each.heldUntil = 0;
      this.#put(decided.grant);
    }
    return decided;
  }
  settle(more: Partial<SettleRequest> & { round: string; used: Amounts }, now = 0) {
    const request: SettleRequest = { v: 1, workspace: 'w', goal: 'g', fence: 1, asOf: 1, ...more };
    const decided = decideSettle(this.budget, this.#own(request), request, now);
    this.#put(decided.grant);
    return decided;
  }
  #put(grant: Grant) {
    const at = this.grants.findIndex((each) => each.goal === grant.goal && each.round === grant.round && each.fence === grant.fence);
    if (at < 0) this.grants.push(grant);
    else this.grants[at] = grant;
  }
  spent(): Amounts {
    const { used, reserved } = this.#sum(undefined, 0, Number.MAX_SAFE_INTEGER);
    return { tokens: used.tokens + reserved.tokens, money: used.money + reserved.money };
  }
}

const total = (tokens: number, micros = 1_000_000, parallelRounds = 10): WorkspaceBudget => ({ currency: 'USD', total: { tokens, micros }, parallelRounds });

describe('a grant', () => {
  it('asked twice is one', () => {
    const book = new Book(total(100));
    expect(book.ask({ round: 'r1', tokens: 60 }).answer).toMatchObject({ outcome: 'granted', tokens: 60 });
    expect(book.ask({ round: 'r1', tokens: 60 }).answer).toMatchObject({ outcome: 'granted', tokens: 60 });
    expect(book.ask({ round: 'r1', tokens: 10 }).answer).toMatchObject({ outcome: 'granted', tokens: 60 });
    expect(book.spent().tokens).toBe(60);
  });

  it('grows when the round asks for more, as far as there is some', () => {
    const book = new Book(total(100));
    book.ask({ round: 'r1', tokens: 60 });
    expect(book.ask({ round: 'r1', tokens: 90 }).answer).toMatchObject({ tokens: 90 });
    expect(book.ask({ round: 'r1', tokens: 200, least: { tokens: 95, money: 0 } }).answer).toMatchObject({ tokens: 100 });
    expect(book.ask({ round: 'r1', tokens: 200 }).answer).toMatchObject({ outcome: 'refused', refusal: { code: 'budget_exceeded' } });
    // What was granted before stays.
    expect(book.spent().tokens).toBe(100);
  });

  it('under the least that is of use is none', () => {
    const book = new Book(total(100));
    book.settle({ round: 'r0', used: { tokens: 70, money: 0 } });
    expect(book.ask({ round: 'r1', tokens: 50, least: { tokens: 40, money: 0 } }).answer).toMatchObject({ outcome: 'refused' });
    expect(book.ask({ round: 'r1', tokens: 50, least: { tokens: 20, money: 0 } }).answer).toMatchObject({ outcome: 'granted', tokens: 30 });
  });

  it('that others may not need is later, not never', () => {
    const book = new Book(total(100));
    book.ask({ round: 'r1', tokens: 80 });
    expect(book.ask({ round: 'r2', tokens: 50 })).toMatchObject({ answer: { outcome: 'full', by: 'reserved', retryAfterMs: 60_000 }, waits: 'settled' });
    book.settle({ round: 'r1', used: { tokens: 10, money: 0 } });
    expect(book.ask({ round: 'r2', tokens: 50 }).answer).toMatchObject({ outcome: 'granted' });
  });

  it('that is spent says by whom it is raised and what is left', () => {
    const book = new Book({ currency: 'USD', period: { of: 'day', micros: 100 }, parallelRounds: 1 });
    book.settle({ round: 'r0', used: { tokens: 5, money: 100 } }, 10 * dayMs + 1000);
    expect(book.ask({ round: 'r1', tokens: 1, money: 1 }, 10 * dayMs + 2000)).toMatchObject({
      answer: {
        outcome: 'refused',
        refusal: { current: { scope: 'workspace', limit: 'money', of: 'day', used: 100, reserved: 0, allowed: 100, currency: 'USD', endsInMs: dayMs - 2000 } },
      },
      waits: 'raised',
    });
    // A round that costs nothing is not stopped by money.
    expect(book.ask({ round: 'r2', tokens: 1 }, 10 * dayMs + 2000).answer).toMatchObject({ outcome: 'granted' });
    // A day later the budget of the day is whole again.
    expect(book.ask({ round: 'r1', tokens: 1, money: 1 }, 11 * dayMs).answer).toMatchObject({ outcome: 'granted' });
  });

  it('in another currency than the limit is refused; without a limit on money it is not', () => {
    expect(new Book(total(100)).ask({ round: 'r', money: 1, currency: 'EUR' }).answer).toMatchObject({
      outcome: 'refused',
      refusal: { current: { limit: 'currency', currency: 'USD' } },
    });
    expect(new Book({ currency: 'USD', parallelRounds: 1 }).ask({ round: 'r', money: 1, currency: 'EUR' }).answer).toMatchObject({ outcome: 'granted', currency: 'EUR' });
  });

  it('of a settled fence is none any more, and a lower fence is stale', () => {
    const book = new Book(total(100));
    book.ask({ round: 'r1', tokens: 10, fence: 2 });
    expect(book.ask({ round: 'r1', tokens: 10, fence: 1 }).answer).toMatchObject({ outcome: 'refused', refusal: { code: 'fence_stale', current: { fence: 2 } } });
    book.settle({ round: 'r1', fence: 2, used: { tokens: 3, money: 0 } });
    expect(book.ask({ round: 'r1', tokens: 10, fence: 2 }).answer).toEqual({ outcome: 'settled' });
  });
});

describe('a place', () => {
  it('is free again after its time without a word, and held as long again when asked again', () => {
    const book = new Book(total(100, 100, 1));
    book.ask({ round: 'r1' });
    const full = book.ask({ round: 'r2' }, SLOT_MS - 5000);
    expect(full).toMatchObject({ answer: { outcome: 'full', by: 'places', running: 1, limit: 1, retryAfterMs: 5000 }, waits: 'settled' });
    expect(book.ask({ round: 'r1' }, SLOT_MS - 1).answer).toMatchObject({ outcome: 'granted', holdMs: SLOT_MS });
    expect(book.ask({ round: 'r2' }, SLOT_MS).answer).toMatchObject({ outcome: 'full' });
    expect(book.ask({ round: 'r2' }, 2 * SLOT_MS).answer).toMatchObject({ outcome: 'granted' });
  });

  it('goes over to a higher fence of its round', () => {
    const book = new Book(total(100, 100, 1));
    book.ask({ round: 'r1', fence: 1, tokens: 10 });
    expect(book.ask({ round: 'r1', fence: 2, tokens: 10 }).answer).toMatchObject({ outcome: 'granted' });
    expect(book.running(0)).toHaveLength(1);
    // What the first one used is not known yet.
    expect(book.spent().tokens).toBe(20);
  });
});

describe('settling', () => {
  it('counts what was used, once; what the goal knew later takes its place, more or less', () => {
    const book = new Book(total(100));
    book.ask({ round: 'r1', tokens: 50 });
    const said = (asOf: number, tokens: number, money: number) => book.settle({ round: 'r1', used: { tokens, money }, asOf });
    expect(said(4, 20, 3)).toMatchObject({ added: { tokens: 20, money: 3 }, replayed: false });
    expect(said(4, 20, 3)).toMatchObject({ added: { tokens: 0, money: 0 }, replayed: true });
    expect(said(9, 25, 1)).toMatchObject({ added: { tokens: 5, money: -2 }, replayed: false, grant: { used: { tokens: 25, money: 1 }, asOf: 9 } });
    expect(said(7, 90, 9)).toMatchObject({ added: { tokens: 0, money: 0 }, replayed: true, grant: { used: { tokens: 25, money: 1 }, asOf: 9 } });
    expect(said(12, 0, 0)).toMatchObject({ added: { tokens: -25, money: -1 }, replayed: false });
    expect(book.spent()).toEqual({ tokens: 0, money: 0 });
  });

  it('what was never granted counts all the same', () => {
    const book = new Book(total(100));
    expect(book.settle({ round: 'r9', used: { tokens: 20, money: 3 } }, 5 * dayMs)).toMatchObject({ added: { tokens: 20, money: 3 }, grant: { day: 5, currency: 'USD' } });
  });

  it('counts in the day of its grant', () => {
    const book = new Book(total(100));
    book.ask({ round: 'r1', tokens: 50 }, 3 * dayMs);
    expect(book.ask({ round: 'r1', tokens: 60 }, 4 * dayMs).grant).toMatchObject({ day: 3, at: 3 * dayMs, tokens: 60 });
    expect(book.settle({ round: 'r1', used: { tokens: 20, money: 3 } }, 4 * dayMs).grant.day).toBe(3);
  });
});

it('months are those of the calendar', () => {
  const month: WorkspaceBudget = { currency: 'USD', period: { of: 'month' }, parallelRounds: 1 };
  const at = (text: string) => dayOf(Date.parse(`${text}T00:00:00Z`));
  expect(periodOf(month, at('2028-02-29'))).toEqual({ from: at('2028-02-01'), to: at('2028-03-01') });
  expect(periodOf(month, at('2026-12-31'))).toEqual({ from: at('2026-12-01'), to: at('2027-01-01') });
});

it('whatever is asked, settled and repeated: nothing is granted over the limit, no more rounds run than may, use is counted once, and of two words the later holds', () => {
  const move = fc.record({
    settle: fc.boolean(),
    round: fc.constantFrom('a', 'b', 'c', 'd'),
    fence: fc.integer({ min: 1, max: 3 }),
    tokens: fc.integer({ min: 0, max: 60 }),
    money: fc.integer({ min: 0, max: 60 }),
    asOf: fc.integer({ min: 1, max: 20 }),
    later: fc.integer({ min: 0, max: SLOT_MS }),
    twice: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(move, { maxLength: 40 }), (moves) => {
      const book = new Book(total(100, 100, 2));
      let now = 0;
      let settled: Amounts = { tokens: 0, money: 0 };
      /** Used beyond what was granted: testimony is taken, it cannot be refused. */
      const over = { tokens: 0, money: 0 };
      const newest = new Map<string, { asOf: number } & Amounts>();
      for (const each of moves) {
        now += each.later;
        for (let n = 0; n < (each.twice ? 2 : 1); n++) {
          if (!each.settle) {
            const before = book.spent();
            const { answer } = book.ask(each, now);
            const spent = book.spent();
            for (const what of ['tokens', 'money'] as const) expect(spent[what]).toBeLessThanOrEqual(Math.max(before[what], 100));
            if (answer.outcome === 'granted') expect(book.running(now).length).toBeLessThanOrEqual(2);
          } else {
            const granted = book.grants.find((grant) => grant.round === each.round && grant.fence === each.fence);
            const { added, grant } = book.settle({ ...each, used: { tokens: each.tokens, money: each.money } }, now);
            const word = newest.get(`${each.round}:${each.fence}`);
            if (each.asOf > (word?.asOf ?? 0)) newest.set(`${each.round}:${each.fence}`, each);
            settled = { tokens: settled.tokens + added.tokens, money: settled.money + added.money };
            for (const what of ['tokens', 'money'] as const) over[what] += Math.max(0, (grant.used?.[what] ?? 0) - (granted?.used ?? granted ?? { tokens: 0, money: 0 })[what]);
          }
        }
        for (const what of ['tokens', 'money'] as const) expect(book.spent()[what]).toBeLessThanOrEqual(100 + over[what]);
        const used = book.grants.reduce((sum, grant) => ({ tokens: sum.tokens + (grant.used?.tokens ?? 0), money: sum.money + (grant.used?.money ?? 0) }), { tokens: 0, money: 0 });
        expect(used).toEqual(settled);
        for (const grant of book.grants.filter((one) => one.used))
          expect(grant.used).toMatchObject({ tokens: newest.get(`${grant.round}:${grant.fence}`)?.tokens, money: newest.get(`${grant.round}:${grant.fence}`)?.money });
      }
    }),
    { numRuns: 300 },
  );
});
