/** The workspace's budget and places over a Map: the same decisions as in its object, without storage or rings. For tests and the simulator. */
import { type Amounts, dayOf, decideGrant, decideSettle, type Grant, periodOf, type Standing } from '../core/grants.ts';
import type { GrantAnswer, GrantRequest, SettleAnswer, SettleRequest, Untested } from '../rpc.ts';
import { defaultBudget, type WorkspaceBudget } from '../settings.ts';

export class MemoryWorkspace {
  budget: WorkspaceBudget = defaultBudget;
  readonly grants = new Map<string, Grant>();
  /** What was used, of all time. */
  readonly used: Amounts = { tokens: 0, money: 0 };
  /** Goals that were told to wait. */
  readonly waiting = new Set<string>();
  /** What a round of an agent is answered while a connection has not passed its test; null: all work. */
  untested: Untested | null = null;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  grant(request: GrantRequest): GrantAnswer {
    const now = this.#now();
    const own = this.grants.get(keyOf(request));
    if (request.agent && !own && this.untested) {
      this.waiting.add(request.goal);
      return this.untested;
    }
    const decided = decideGrant(this.budget, this.#standing(own, request, now), request, now);
    if (decided.grant) {
      this.grants.set(keyOf(request), decided.grant);
      for (const [key, grant] of this.grants)
        if (grant.goal === request.goal && grant.round === request.round && grant.fence < request.fence) this.grants.set(key, { ...grant, heldUntil: 0 });
      this.waiting.delete(request.goal);
    }
    if (decided.waits) this.waiting.add(request.goal);
    return decided.answer;
  }

  settle(request: SettleRequest): SettleAnswer {
    const decided = decideSettle(this.budget, this.grants.get(keyOf(request)), request, this.#now());
    this.grants.set(keyOf(request), decided.grant);
    this.used.tokens += decided.added.tokens;
    this.used.money += decided.added.money;
    return { outcome: 'settled', used: decided.grant.used ?? request.used, replayed: decided.replayed };
  }

  /** What is asked for was granted before. */
  holds(request: GrantRequest): boolean {
    return this.grants.has(keyOf(request));
  }

  /** Grants that nobody gave back. */
  open(): Grant[] {
    return [...this.grants.values()].filter((grant) => grant.used === null);
  }

  running(): number {
    return this.open().filter((grant) => grant.heldUntil > this.#now()).length;
  }

  #standing(own: Grant | undefined, request: GrantRequest, now: number): Standing {
    const others = this.open().filter((grant) => grant !== own);
    const places = others.filter((grant) => grant.heldUntil > now && !(grant.goal === request.goal && grant.round === request.round));
    const { from, to } = periodOf(this.budget, own?.day ?? dayOf(now));
    const reserved = (which: (grant: Grant) => boolean) =>
      others.filter(which).reduce((sum, grant) => ({ tokens: sum.tokens + grant.tokens, money: sum.money + grant.money }), { tokens: 0, money: 0 });
    const free = places.map((grant) => grant.heldUntil);
    return {
      own,
      highestFence: Math.max(0, ...[...this.grants.values()].filter((grant) => grant.goal === request.goal && grant.round === request.round).map((grant) => grant.fence)),
      running: places.length,
      freeAt: free.length === 0 ? undefined : Math.min(...free),
      period: { used: this.used, reserved: reserved((grant) => grant.day >= from && grant.day < to) },
      total: { used: this.used, reserved: reserved(() => true) },
    };
  }
}

const keyOf = ({ goal, round, fence }: { goal: string; round: string; fence: number }): string => `${goal}/${round}/${fence}`;
