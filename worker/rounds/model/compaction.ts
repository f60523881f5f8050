/**
 * Makes a conversation smaller when it nears the window: first old answers become references, then a snapshot takes the place of what came before. Its
 * phases are on record (begun, written, done), so that a crash leaves it finished or undone; what counts is in the record in any case.
 */
import { jsonSchema, type ModelMessage, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import type { Refusal } from '../../domain/refusals.ts';
import type { Json } from '../../domain/values.ts';
import type { RoundContext } from '../../goal/rpc.ts';
import type { Session } from '../session.ts';
import type { Accounts, Size } from './accounts.ts';
import type { Asker } from './asking.ts';
import { readArguments } from './call-arguments.ts';
import type { Conversation } from './conversation.ts';
import { basisOf, bounded, mechanicalSnapshot, SNAPSHOT_SCHEMA, type Snapshot, writtenSnapshot } from './snapshot.ts';
import { outputReserveOf, referOld, triggerOf } from './window.ts';

/** Newest exchanges that a compaction keeps as they are: the last one's answers have not been read yet. */
const KEPT = 2;
/** How often the model is asked for its snapshot before the host makes its own. */
const ASKED = 2;

const snapshotTool: ToolSet = {
  context_snapshot: tool({
    description: 'Keeps what you need to go on with. Call it once.',
    inputSchema: jsonSchema(z.toJSONSchema(writtenSnapshot, { io: 'input' }) as Parameters<typeof jsonSchema>[0]),
  }),
};
const request =
  'The conversation is near the end of its window and will be replaced by a snapshot. Call `context_snapshot` now, and nothing else: goal and deliverable of this round, what is done and where it is on record, what comes next, constraints and decisions in force, open questions, files and ids you need again. The contract, your item and the record are given to you again; do not copy them.';

export interface CompactionPorts {
  session: Session;
  context: RoundContext;
  accounts: Accounts;
  asker: Asker;
  conversation: Conversation;
  window: number;
  output: number;
  /** System text, and the size of a call as it stands. */
  system: string;
  sizeNow(): Size;
  /** The part of it that no compaction can make smaller. */
  sizeFixed(): Size;
  /** A command of the round was refused: it is over. */
  closed(refusal: Refusal): void;
  /** The opening anew: with what the record says now, and the snapshot. */
  reopen(snapshot: Snapshot): Promise<string>;
}

export class Compactor {
  readonly #ports: CompactionPorts;
  #n = 0;

  constructor(ports: CompactionPorts) {
    this.#ports = ports;
  }

  /** Before every call. False: the round has been closed, with the reason. `force`: the provider found it too long already. */
  async fit(force = false): Promise<boolean> {
    const { accounts, conversation, window, output } = this.#ports;
    const trigger = triggerOf(window, outputReserveOf(window, output));
    const size = this.#ports.sizeNow();
    if (!force && size.tokens <= trigger) return true;
    // Nothing was said yet: there is nothing to make smaller. A little over the line is tried, since sizes are estimates.
    if (conversation.exchanges.length === 0) return (!force && size.tokens <= window * 0.95) || this.#doesNotFit(size.tokens, trigger);
    // Half of what the conversation may take: enough room for several turns, or it would be at the line again at once.
    const fixed = this.#ports.sizeFixed().tokens;
    const goal = Math.floor(fixed + Math.max(0, trigger - fixed) / 2);
    referOld(conversation.exchanges, accounts.uncorrected(size.tokens - goal), KEPT, (text) => accounts.of(text));
    if (!force && this.#ports.sizeNow().tokens <= goal) return true;
    return this.#compact(size, trigger);
  }

  async #compact(size: Size, trigger: number): Promise<boolean> {
    const { session, context, conversation, window } = this.#ports;
    const n = ++this.#n;
    const say = (phase: string, more: { [name: string]: Json }) => session.command('context.record', `context:${n}:${phase}`, { phase, n, ...more });
    const begun = await say('begun', { tokens: size.tokens });
    // The round is over for the Goal; the next call says so.
    if (!begun.ok) return this.#closed(begun.refusal);
    const replaced = conversation.exchanges.slice(0, Math.max(0, conversation.exchanges.length - KEPT));
    const written = await this.#written(n);
    if (written === 'over') return false;
    const snapshot = bounded(written ?? mechanicalSnapshot(context, replaced), Math.floor(window / 2));
    const kept = await say('written', { schema: SNAPSHOT_SCHEMA, basis: basisOf(context), snapshot: snapshot as unknown as Json });
    if (!kept.ok) return this.#closed(kept.refusal);
    conversation.opening = await this.#ports.reopen(snapshot);
    conversation.forget(replaced.length);
    let after = this.#ports.sizeNow();
    // What was kept whole may itself be too much.
    while (after.tokens > trigger && conversation.exchanges.length > 1) {
      conversation.forget(1);
      after = this.#ports.sizeNow();
    }
    if (after.tokens > trigger) {
      referOld(conversation.exchanges, Number.POSITIVE_INFINITY, 0, (text) => this.#ports.accounts.of(text));
      after = this.#ports.sizeNow();
    }
    const done = await say('done', { tokens: after.tokens });
    if (!done.ok) return this.#closed(done.refusal);
    return after.tokens <= trigger || this.#doesNotFit(after.tokens, trigger);
  }

  #doesNotFit(tokens: number, trigger: number): false {
    const { session, window } = this.#ports;
    session.close('failed', `the window of ${window} tokens does not hold what a round starts from: ${tokens} tokens of ${trigger}`);
    return false;
  }

  /** As the model writes it; null where it does not, `over` where the round is. */
  async #written(n: number): Promise<Snapshot | null | 'over'> {
    const { accounts, asker, conversation, system, window, output } = this.#ports;
    const ask: ModelMessage = { role: 'user', content: request };
    // Sizes are estimates: a little of the window is left free.
    const limit = window - outputReserveOf(window, output) - Math.min(window * 0.01, 500);
    let without = 0;
    for (let tries = 0; tries < ASKED; tries++) {
      let messages = [...conversation.messages(without), ask];
      let size = accounts.estimate(system, messages, []);
      // The request for the snapshot must fit too: what is oldest is given up first.
      while (size.tokens > limit && without + 1 < conversation.exchanges.length) {
        messages = [...conversation.messages(++without), ask];
        size = accounts.estimate(system, messages, []);
      }
      const answer = await asker.ask({ subject: `compaction ${n}`, system, messages: () => messages, tools: snapshotTool, size, live: false });
      if (answer.kind === 'over') return 'over';
      if (answer.kind === 'too_long') {
        without = Math.min(without + 1, Math.max(0, conversation.exchanges.length - 1));
        continue;
      }
      const call = answer.cut ? undefined : answer.calls.find((each) => each.name === 'context_snapshot');
      const read = call ? readArguments(call.raw) : undefined;
      const parsed = read?.ok ? writtenSnapshot.safeParse(read.args) : undefined;
      if (parsed?.success) return { schema: SNAPSHOT_SCHEMA, by: 'model', ...parsed.data };
    }
    return null;
  }

  #closed(refusal: Refusal): false {
    this.#ports.closed(refusal);
    return false;
  }

  /** For the next round of this target, when this one ends in the middle of its work: the host's own snapshot. */
  async handOver(): Promise<void> {
    const { session, context, conversation, window } = this.#ports;
    if (conversation.exchanges.length === 0) return;
    const n = ++this.#n;
    const say = (phase: string, more: { [name: string]: Json }) => session.command('context.record', `context:${n}:${phase}`, { phase, n, ...more });
    const tokens = this.#ports.sizeNow().tokens;
    const snapshot = bounded(mechanicalSnapshot(context, conversation.exchanges), Math.floor(window / 2));
    if (!(await say('begun', { tokens })).ok) return;
    if (!(await say('written', { schema: SNAPSHOT_SCHEMA, basis: basisOf(context), snapshot: snapshot as unknown as Json })).ok) return;
    await say('done', { tokens });
  }
}
