/**
 * One command, from the question "was it here before?" to the commit. There is no `await` in this file: between reading the
 * state and the commit nothing else can run. A crash before the transaction leaves nothing, a crash after it leaves all of it,
 * and the same command id then gives the kept answer.
 */

import type { Envelope } from '../domain/commands.ts';
import type { Actor, Context, Row } from '../domain/context.ts';
import { canonical } from '../domain/digest.ts';
import type { Event } from '../domain/events.ts';
import { type Refusal, refuse } from '../domain/refusals.ts';
import type { State } from '../domain/state.ts';
import type { Json } from '../domain/values.ts';
import type { Handled } from './core.ts';
import { dropEnded, type LeaseWrites, renewal } from './leases.ts';
import { lookupOf } from './lookup.ts';
import type { Commit } from './ports.ts';
import type { ProtocolPorts } from './protocol-ports.ts';
import type { Wake } from './wake.ts';
import { type Live, type Meta, snapshotEvery, type WorkingSet } from './working-set.ts';

/** What is kept as the answer; the events are in the same commit row and are read from there. */
export type KeptAnswer = { after: number; seq: number; goalVersion: number; planRevision: number; itemVersion?: number; result: Json };

export type Outcome =
  | { kind: 'applied'; answer: KeptAnswer; events: Event[]; before: State; state: State; replayed: boolean; dryRun: boolean }
  /** `recorded`: events that say that it came. */
  | { kind: 'refused'; refusal: Refusal; seq: number; recorded?: Event[] }
  | { kind: 'unknown'; detail: string };

export interface Application {
  meta: Meta;
  actor: Actor;
  envelope: Envelope;
  /** A lease that is given with the commit. */
  lease?: { round: string; runner: string; ms: number };
}

/** The key under which an answer is kept. A round and an Attempt have their own, so that their ids need to be unique within them only, and neither is answered what was kept for the principal. */
function keyOf(actor: Actor): string {
  if (actor.kind === 'host') return 'host';
  if (actor.kind === 'attempt') return `attempt:${actor.attempt}@${actor.fence}`;
  return actor.kind === 'round' ? `round:${actor.round}` : actor.principal;
}

const creating = new Set(['goal.create', 'goal.propose']);

export class Applier {
  readonly #ports: ProtocolPorts;
  readonly #set: WorkingSet;
  readonly #wake: Wake;
  readonly #alongside: () => void;

  /** `alongside` writes, within each commit's transaction, what others have to write and what can wait for one. */
  constructor(ports: ProtocolPorts, set: WorkingSet, wake: Wake, alongside: () => void) {
    this.#ports = ports;
    this.#alongside = alongside;
    this.#set = set;
    this.#wake = wake;
  }

  apply(application: Application): Outcome {
    const { actor, envelope } = application;
    const opened = this.#set.open();
    if (opened.kind === 'broken') return this.#refused(refuse('unavailable', { detail: `the journal cannot be folded: ${opened.detail}` }), 0);
    if (opened.kind === 'absent' && (!creating.has(envelope.type) || actor.kind === 'round')) return this.#refused(refuse('not_found'), 0);
    const live: Live = opened.kind === 'live' ? opened : { kind: 'live', meta: application.meta, state: this.#ports.core.empty(), leases: new Map(), snapshotSeq: 0 };

    const key = keyOf(actor);
    const bodyDigest = this.#ports.sha256(canonical({ type: envelope.type, expected: envelope.expected, payload: envelope.payload, reason: envelope.reason ?? null }));
    // Was it here before? What would commit is told so by the unique index of commits; everything else asks before it answers.
    const before = (): Outcome | undefined => (opened.kind === 'live' ? this.#before(live, key, envelope.commandId, bodyDigest) : undefined);

    const now = Math.max(this.#ports.clock.now(), live.state.at);
    const command = this.#ports.core.parse(envelope);
    if ('refused' in command) return before() ?? this.#refused(command, live.state.seq);
    const context: Context = {
      now,
      actor,
      sha256: this.#ports.sha256,
      lookup: lookupOf(this.#ports.store, live.leases),
      policy: this.#ports.policy(),
      carriers: this.#ports.carriers,
      form: this.#ports.form,
      ...(this.#ports.grants ? { grants: true } : {}),
    };
    let handled: Refusal | Handled;
    try {
      handled = this.#ports.core.handle(live.state, command, context);
    } catch (error) {
      return before() ?? this.#defect('core.threw', error, { command: envelope.type }, live.state.seq);
    }
    if ('refused' in handled) {
      const answered = before();
      if (answered) return answered;
      this.#keepLease(live, actor, now);
      return this.#refused(handled, live.state.seq);
    }
    const gap = handled.events.findIndex((event, index) => event.seq !== live.state.seq + index + 1);
    if (gap >= 0 || handled.state.seq !== live.state.seq + handled.events.length)
      return before() ?? this.#defect('core.numbering', 'events are not numbered in order', { command: envelope.type }, live.state.seq);

    const item = itemOf(envelope.payload);
    const answer: KeptAnswer = {
      after: live.state.seq,
      seq: handled.state.seq,
      goalVersion: handled.state.goalVersion,
      planRevision: handled.state.plan?.revision ?? 0,
      result: handled.result,
    };
    const itemVersion = item === undefined ? undefined : handled.state.items[item]?.version;
    if (itemVersion !== undefined) answer.itemVersion = itemVersion;
    const { refusal } = handled;
    if (refusal || envelope.dryRun || handled.events.length === 0) {
      const answered = before();
      if (answered) return answered;
    }
    if (refusal && envelope.dryRun) return this.#refused(refusal, live.state.seq);
    const outcome = { kind: 'applied' as const, answer, events: handled.events, before: live.state, state: handled.state, replayed: false, dryRun: envelope.dryRun };
    if (envelope.dryRun) return outcome;

    const leaseWrites = renewal(live, actor, now);
    dropEnded(live, handled.state, leaseWrites);
    const given = application.lease;
    if (given) {
      const fence = handled.state.rounds[given.round]?.fence;
      if (fence !== undefined) leaseWrites.set(given.round, { runner: given.runner, fence, until: now + given.ms });
    }
    // Nothing happened and nobody outside can ask for the answer again: nothing to keep.
    if (handled.events.length === 0 && actor.kind === 'host') {
      if (leaseWrites.size > 0) this.#writeLeases(live, leaseWrites);
      return outcome;
    }
    // A recorded refusal is not an answer that is kept: its commit has an id of its own, and the caller's stays free.
    const commandId = refusal ? `${envelope.commandId}#refused@${handled.state.seq}` : envelope.commandId;
    const commit: Commit = {
      seq: handled.state.seq,
      at: now,
      principal: key,
      commandId,
      commandType: envelope.type,
      bodyDigest,
      events: handled.events,
      answer: answer as unknown as Json,
    };
    const failure = this.#commit(live, opened.kind === 'absent', commit, handled, leaseWrites, now);
    if (failure === 'known') return before() ?? this.#defect('store.index', 'a commit is refused as known and is not there', { command: envelope.type }, live.state.seq);
    if (failure) return failure;
    return refusal ? { ...this.#refused(refusal, handled.state.seq), recorded: handled.events } : outcome;
  }

  /** A round's lease is kept alive without a command. Returns false when the round no longer holds it. */
  heartbeat(actor: Actor & { kind: 'round' }): boolean {
    const live = this.#set.live();
    const lease = live?.leases.get(actor.round);
    if (!live || !lease || lease.runner !== actor.runner || lease.fence !== actor.fence) return false;
    const now = Math.max(this.#ports.clock.now(), live.state.at);
    if (lease.until <= now) return false;
    this.#keepLease(live, actor, now);
    return true;
  }

  #commit(
    live: Live,
    created: boolean,
    commit: Commit,
    handled: { state: State; rows: Row[]; bodies: Record<string, Json> },
    leaseWrites: LeaseWrites,
    now: number,
  ): Outcome | 'known' | undefined {
    const { store, core, counters } = this.#ports;
    const snapshot = commit.seq - live.snapshotSeq >= snapshotEvery(handled.state);
    // A lost alarm rings at once: what it was for is due.
    const wakeAt = this.#wake.isOverdue(now) ? now : this.#wake.afterCommit(core, handled.state, live, leaseWrites, now);
    const arm = wakeAt < this.#wake.armed || this.#wake.isOverdue(now);
    let known = false;
    try {
      store.transaction(() => {
        if (!store.appendCommit(commit)) {
          known = true;
          return;
        }
        if (created) store.putMeta(live.meta);
        if (handled.rows.length > 0) store.putRows(lastImages(handled.rows));
        if (Object.keys(handled.bodies).length > 0) store.putBodies(handled.bodies);
        if (snapshot) store.putSnapshot(core.foldVersion, commit.seq, handled.state as unknown as Json);
        for (const [round, lease] of leaseWrites) store.putLease(round, lease);
        if (arm) store.setAlarm(wakeAt);
        this.#alongside();
      });
    } catch (error) {
      // Whether the storage took it is not known here: fold anew, and let the caller ask again under the same id.
      this.#set.discard();
      this.#wake.armed = Number.POSITIVE_INFINITY;
      const detail = messageOf(error);
      counters.defect();
      this.#ports.log.warn('commit.failed', { command: commit.commandType, detail });
      return { kind: 'unknown', detail };
    }
    if (known) return 'known';
    counters.committed(commit.commandType);
    for (const event of commit.events) if (event.type === 'round.ended') counters.roundEnded(event.outcome);
    if (arm) this.#wake.armed = wakeAt;
    if (created) this.#set.adopt(live);
    live.state = handled.state;
    applyLeases(live, leaseWrites);
    if (snapshot) {
      live.snapshotSeq = commit.seq;
      counters.snapshotted();
    }
    return undefined;
  }

  #keepLease(live: Live, actor: Actor, now: number): void {
    const writes = renewal(live, actor, now);
    if (writes.size > 0) this.#writeLeases(live, writes);
  }

  #writeLeases(live: Live, writes: LeaseWrites): void {
    try {
      this.#ports.store.transaction(() => {
        for (const [round, lease] of writes) this.#ports.store.putLease(round, lease);
      });
      applyLeases(live, writes);
    } catch (error) {
      this.#set.discard();
      this.#ports.log.warn('lease.failed', { detail: messageOf(error) });
    }
  }

  /** The kept answer, or the refusal of another body under the same id; undefined where the id is new. */
  #before(live: Live, key: string, commandId: string, bodyDigest: string): Outcome | undefined {
    const kept = this.#ports.store.commitOf(key, commandId);
    if (!kept) return undefined;
    return kept.bodyDigest === bodyDigest ? this.#replay(live, kept.answer as unknown as KeptAnswer) : this.#refused(refuse('command_reused'), live.state.seq);
  }

  #replay(live: Live, answer: KeptAnswer): Outcome {
    this.#ports.counters.replayed();
    const count = answer.seq - answer.after;
    const events = count > 0 ? this.#ports.store.events(answer.after, count) : [];
    return { kind: 'applied', answer, events, before: live.state, state: live.state, replayed: true, dryRun: false };
  }

  #refused(refusal: Refusal, seq: number): Extract<Outcome, { kind: 'refused' }> {
    this.#ports.counters.refused(refusal.code);
    return { kind: 'refused', refusal, seq };
  }

  #defect(code: string, error: unknown, fields: Record<string, Json>, seq: number): Outcome {
    this.#ports.counters.defect();
    const detail = messageOf(error);
    const stack = error instanceof Error ? (error.stack ?? '').split('\n').slice(0, 4).join(' | ') : '';
    this.#ports.log.warn(code, { ...fields, detail, stack });
    return this.#refused(refuse('unavailable', { detail: `${code}: ${detail}` }), seq);
  }
}

function applyLeases(live: Live, writes: LeaseWrites): void {
  for (const [round, lease] of writes) {
    if (lease) live.leases.set(round, lease);
    else live.leases.delete(round);
  }
}

/** Several events of one command may write the same row; the last image is the one. */
function lastImages(rows: Row[]): Row[] {
  if (rows.length < 2) return rows;
  const last = new Map<string, Row>();
  for (const row of rows) last.set(`${row.kind} ${row.id}`, row);
  return last.size === rows.length ? rows : [...last.values()];
}

function itemOf(payload: Json): string | undefined {
  if (payload === null || typeof payload !== 'object' || Array.isArray(payload)) return undefined;
  return typeof payload.item === 'string' ? payload.item : undefined;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
