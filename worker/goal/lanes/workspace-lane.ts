/**
 * Asks the workspace for a place and a share of its budget before a round is handed over, and gives both back when the round is over. What is to be asked and to be given back is
 * read off the working set; the answers come back as commands of the host. Every call there may be repeated: after a crash, or where an answer got lost, it is asked again,
 * and the workspace answers the same grant as before.
 */
import { askForCall, firstAsk, type GrantAsk, waitsForGrant } from '../../domain/continuation/grants.ts';
import type { Reservation } from '../../domain/commands.ts';
import { type Refusal, refuse } from '../../domain/refusals.ts';
import type { Round, Settling } from '../../domain/state.ts';
import type { Json } from '../../domain/values.ts';
import type { GrantAnswer } from '../../workspace/rpc.ts';
import type { Applier, Outcome } from '../apply.ts';
import { hostEnvelope } from '../claims.ts';
import type { Grants } from '../ports.ts';
import type { ProtocolPorts } from '../protocol-ports.ts';
import type { Live, WorkingSet } from '../working-set.ts';
import { Lane, sendTimeoutMs, type Turn, withTimeout } from './lane.ts';

/** Grants asked for, or given back, in one turn. */
const batchSize = 50;
/** A budget of the workspace that is spent: its raise rings this Goal; asking again by time is only for a ring that got lost. */
const spentRetryMs = 10 * 60_000;
/** Milliseconds that a round's call may wait for the workspace. */
const callPatienceMs = 5000;

export class WorkspaceLane extends Lane {
  readonly name = 'workspace';
  readonly #set: WorkingSet;
  readonly #applier: Applier;
  readonly #committed: (outcome: Outcome) => void;
  /** Rung by the workspace: what is held is asked for again at once. */
  #rung = false;

  constructor(ports: ProtocolPorts, set: WorkingSet, applier: Applier, committed: (outcome: Outcome) => void) {
    super(ports);
    this.#set = set;
    this.#applier = applier;
    this.#committed = committed;
  }

  /** A place is free, or a budget was raised. */
  ring(): void {
    this.#rung = true;
  }

  pending(): boolean {
    const live = this.#live();
    return live !== undefined && (Object.keys(live.state.settling).length > 0 || this.#wanting(live).length > 0);
  }

  override wakeAt(): number | null {
    const at = super.wakeAt();
    const held = Object.values(this.#live()?.state.rounds ?? {}).flatMap((round) => (round.grant?.state === 'held' ? [round.grant.retryAt] : []));
    return held.length === 0 ? at : Math.min(at ?? Number.POSITIVE_INFINITY, ...held);
  }

  protected pace(): number {
    return 0;
  }

  protected details(): { [key: string]: Json } {
    const live = this.#live();
    const rounds = Object.values(live?.state.rounds ?? {});
    return {
      settling: Object.keys(live?.state.settling ?? {}).length,
      wanted: rounds.filter((round) => round.grant?.state === 'wanted').length,
      held: rounds.filter((round) => round.grant?.state === 'held').length,
    };
  }

  protected async turn(): Promise<Turn> {
    const live = this.#live();
    const { grants } = this.ports;
    if (!live || !grants) return 'done';
    const owed = Object.values(live.state.settling).slice(0, batchSize);
    if (owed.length > 0) await this.#giveBack(grants, live, owed);
    const wanting = this.#wanting(live).slice(0, batchSize);
    for (const round of wanting) await this.#ask(grants, live, round);
    this.#rung = false;
    return this.pending() ? 'more' : 'done';
  }

  /**
   * Before a call is judged: where the round's share is too small for it, more is asked for. A refusal means that the answer is not known and the same question may be put again;
   * where the workspace has no more, the call is judged by what there is, and says so.
   */
  async growFor(id: string, fence: number, reserve: Reservation): Promise<Refusal | undefined> {
    const live = this.#live();
    const round = live?.state.rounds[id];
    const { grants } = this.ports;
    if (!live || !grants || round?.fence !== fence) return undefined;
    const ask = askForCall(live.state, round, reserve);
    if (!ask) return undefined;
    try {
      const answer = await withTimeout(this.ports.timers, callPatienceMs, grants.grant(requestOf(live, round, ask)));
      if (answer.outcome === 'granted')
        this.#say('round.grant', `${id}:${fence}:${live.state.seq}`, { round: id, fence, answer: { is: 'granted', tokens: answer.tokens, money: answer.money } });
      else if (answer.outcome === 'refused' && answer.refusal.code === 'unavailable') return answer.refusal;
      return undefined;
    } catch (error) {
      return refuse('unavailable', { detail: `the workspace does not answer: ${error instanceof Error ? error.message : String(error)}` });
    }
  }

  #live(): Live | undefined {
    const live = this.ports.grants ? this.#set.live() : undefined;
    return live?.meta.erased ? undefined : live;
  }

  /** Rounds that have no answer yet, and those that were told to ask again by now. */
  #wanting(live: Live): Round[] {
    const now = Math.max(this.ports.clock.now(), live.state.at);
    return Object.values(live.state.rounds).filter((round) => waitsForGrant(round) && (round.grant?.state !== 'held' || this.#rung || round.grant.retryAt <= now));
  }

  async #giveBack(grants: Grants, live: Live, owed: Settling[]): Promise<void> {
    const { workspace, goal } = live.meta;
    const currency = live.state.limits.money?.currency;
    const told: Pick<Settling, 'round' | 'fence' | 'asOf'>[] = [];
    try {
      for (const { round, fence, tokens, money, asOf } of owed) {
        const answer = await withTimeout(
          this.ports.timers,
          sendTimeoutMs,
          grants.settle({ v: 1, workspace, goal, round, fence, used: { tokens, money }, asOf, ...(currency && money > 0 ? { currency } : {}) }),
        );
        if (answer.outcome === 'refused') {
          if (answer.refusal.code === 'unavailable') throw new Error(answer.refusal.detail ?? 'unavailable');
          // The same question would be refused for ever. The place runs out by itself.
          this.ports.log.warn('grant.unsettled', { round, fence, code: answer.refusal.code });
        }
        told.push({ round, fence, asOf });
      }
    } finally {
      if (told.length > 0) this.#say('round.settle', `${live.state.seq}:${told.map(({ round, fence }) => `${round}:${fence}`).join(',')}`, { settled: told as unknown as Json });
    }
  }

  async #ask(grants: Grants, live: Live, round: Round): Promise<void> {
    const answer = await withTimeout(this.ports.timers, sendTimeoutMs, grants.grant(requestOf(live, round, firstAsk(live.state, round))));
    if (answer.outcome === 'refused' && answer.refusal.code === 'unavailable') throw new Error(answer.refusal.detail ?? 'unavailable');
    this.#say('round.grant', `${round.id}:${round.fence}:${live.state.seq}`, { round: round.id, fence: round.fence, answer: this.#said(answer) });
  }

  #said(answer: GrantAnswer): Json {
    switch (answer.outcome) {
      case 'granted':
        return { is: 'granted', tokens: answer.tokens, money: answer.money };
      case 'settled':
        return { is: 'over' };
      case 'full':
        return { is: 'held', by: answer.by, retryAfterMs: this.#later(answer.retryAfterMs) };
      case 'untested': {
        const { setting, code, detail, person } = answer;
        return { is: 'held', by: 'connection', connection: { setting, code, detail, person }, retryAfterMs: this.#later(answer.retryAfterMs) };
      }
      case 'refused': {
        if (answer.refusal.code === 'fence_stale') return { is: 'over' };
        return { is: 'held', by: 'budget', retryAfterMs: this.#later(spentRetryMs), ...spentOf(answer.refusal.current) };
      }
    }
  }

  /** Those that wait for the same do not all ask at the same moment. */
  #later(ms: number): number {
    return Math.round(ms * (1 + this.ports.random() / 4));
  }

  /** The commit that this makes wakes the other lanes, and the frames. */
  #say(type: 'round.grant' | 'round.settle', id: string, payload: Json): void {
    const live = this.#live();
    if (!live) return;
    const outcome = this.#applier.apply({ meta: live.meta, actor: { kind: 'host' }, envelope: hostEnvelope(type, `${type}:${this.ports.sha256(id)}`, payload) });
    this.#committed(outcome);
    if (outcome.kind === 'unknown') throw new Error(outcome.detail);
    // Refused: the round is over meanwhile, and its grant goes back with it.
    if (outcome.kind === 'refused' && outcome.refusal.code === 'unavailable') throw new Error(outcome.refusal.detail ?? 'unavailable');
  }
}

/** Which limit of the workspace has no room, and how it stands, as the workspace's refusal says it. Prices in another currency than its own are held against none of its figures. */
function spentOf(current: Json | undefined): { [key: string]: Json } {
  const { limit, of, used, reserved, allowed } = current !== null && typeof current === 'object' && !Array.isArray(current) ? current : {};
  if (limit !== 'tokens' && limit !== 'money') return {};
  return { limit, ...(of !== undefined && used !== undefined && reserved !== undefined && allowed !== undefined ? { spent: { window: of, used, reserved, of: allowed } } : {}) };
}

function requestOf(live: Live, round: Round, ask: GrantAsk) {
  const { workspace, goal } = live.meta;
  const { tokens, money, least, currency, agent } = ask;
  return {
    v: 1 as const,
    workspace,
    goal,
    round: round.id,
    fence: round.fence,
    tokens,
    money,
    least,
    ...(currency && money > 0 ? { currency } : {}),
    ...(agent ? { agent } : {}),
  };
}
