/** One Goal in memory, driven by commands: what a test needs to see the core at work without a runtime. */
import { createHash } from 'node:crypto';
import type { CommandType, Envelope } from '../commands.ts';
import { type Actor, type Context, scopes } from '../context.ts';
import { defaultLimits } from '../contract/contract.ts';
import type { Event } from '../events.ts';
import { handle, parseCommand } from '../handle.ts';
import { rewritten } from '../immutable.ts';
import { isRefusal, type Refusal } from '../refusals.ts';
import { emptyState, type Round, type State } from '../state.ts';
import type { Json } from '../values.ts';
import { MemoryLookup } from './memory-lookup.ts';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
export const person = (name: string): Actor => ({ kind: 'person', principal: `person:${name}`, scopes });

export class World {
  state: State = emptyState(defaultLimits);
  now = 1_800_000_000_000;
  readonly lookup = new MemoryLookup();
  readonly events: Event[] = [];
  carriers: Context['carriers'] = { agent: false, skill: () => true };
  policy: Context['policy'] = { version: 0, rules: [] };
  form: Context['form'] = () => [];
  /** Rounds need a place of their workspace first. */
  grants = false;
  /** Called after every applied command. */
  after: (before: State, state: State, events: readonly Event[]) => void = () => {};

  give(actor: Actor, type: CommandType, payload: unknown = {}, more: Partial<Pick<Envelope, 'expected' | 'reason'>> = {}): Refusal | Json {
    const command = parseCommand({ type, expected: more.expected ?? {}, payload: payload as Json, ...(more.reason ? { reason: more.reason } : {}) });
    if (isRefusal(command)) return command;
    const before = this.state;
    const handled = handle(before, command, {
      now: this.now,
      actor,
      sha256,
      lookup: this.lookup,
      policy: this.policy,
      carriers: this.carriers,
      form: this.form,
      grants: this.grants,
    });
    if (isRefusal(handled)) return handled;
    const wrong = handled.rows.flatMap((row) => rewritten(this.lookup.row(row.kind, row.id), row));
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
    this.state = handled.state;
    this.events.push(...handled.events);
    this.lookup.put(handled.rows);
    this.lookup.putBodies(handled.bodies);
    for (const event of handled.events) if (event.type === 'round.ended') this.lookup.putLease(event.round, null);
    this.after(before, handled.state, handled.events);
    return handled.refusal ?? handled.result;
  }

  host(type: CommandType, payload: unknown = {}): Refusal | Json {
    return this.give({ kind: 'host' }, type, payload);
  }

  tick(ms = 0, leasesOver: { round: string; fence: number }[] = []): void {
    this.now += ms;
    this.host('clock.tick', { leasesOver });
  }

  rounds(phase?: Round['phase']): Round[] {
    return Object.values(this.state.rounds).filter((round) => phase === undefined || round.phase === phase);
  }

  /** Claims and starts a scheduled round; gives the actor of its commands. */
  start(round: Round, runner = `runner-${round.id}`): Actor {
    this.host('round.claim', { round: round.id, fence: round.fence, runner });
    this.host('round.start', { round: round.id, fence: round.fence, runner });
    return { kind: 'round', round: round.id, fence: round.fence, runner };
  }
}

/** Fails the test with the refusal where there is one. */
export function ok(answer: Refusal | Json): Json {
  if (isRefusal(answer)) throw new Error(`refused: ${answer.code} ${answer.detail ?? ''} ${JSON.stringify(answer.errors ?? answer.current ?? {})}`);
  return answer;
}
