/**
 * The Goal's protocol over its ports: who is let in, one commit per command, leases, timers, lanes, frames and reads. It knows no business rule.
 * The Durable Object and the simulator run this same class. Nothing is thrown to a caller: answers are unions.
 */

import type { Actor } from '../domain/context.ts';
import { canonical } from '../domain/digest.ts';
import { type Refusal, refuse } from '../domain/refusals.ts';
import type { State } from '../domain/state.ts';
import type { Json } from '../domain/values.ts';
import { Applier, messageOf, type Outcome } from './apply.ts';
import { type ArchiveAnswer, type ArchivePage, archiveSeal, type Imported } from './archive/format.ts';
import { rederive } from './archive/rederive.ts';
import { NotTaken, takeIn } from './archive/take-in.ts';
import { archivePage, historyOf } from './archive/write.ts';
import { type ClaimPorts, claim, hostEnvelope, step } from './claims.ts';
import { closeCodes, Frames, STREAM_CHARACTERS } from './frames.ts';
import { BookLane } from './lanes/book-lane.ts';
import { DispatchLane } from './lanes/dispatch-lane.ts';
import { EraseLane } from './lanes/erase-lane.ts';
import { HooksLane } from './lanes/hooks-lane.ts';
import { type Lane, within } from './lanes/lane.ts';
import { ListLane } from './lanes/list-lane.ts';
import { WorkspaceLane } from './lanes/workspace-lane.ts';
import { leasesOver } from './leases.ts';
import type { Progress, ProtocolPorts } from './protocol-ports.ts';
import { readEvents, readLive } from './reads.ts';
import type { ClaimAnswer, ClaimRequest, CommandAnswer, CommandRequest, Door, GoalRpc, ReadAnswer, ReadRequest, StepAnswer, StepRequest, StreamRequest } from './rpc.ts';
import { Wake } from './wake.ts';
import { WorkingSet } from './working-set.ts';

/** Milliseconds after which the alarm rings again if its handler dies. */
const alarmSafetyMs = 30_000;
/** Milliseconds a ring waits for the lanes. */
const ringPatienceMs = 2000;
/** Ticks in one ring; what is due after that many is handled by the next one. */
const ticksPerRing = 20;
/** Turns of the lanes in one draining: each may bring something back that the others deliver. */
const drainTurns = 5;
/** Milliseconds that parts of an archive wait for their seal. */
const stagedForMs = 24 * 3_600_000;

export class GoalProtocol implements Omit<GoalRpc, 'credentialsChanged'> {
  readonly #ports: ProtocolPorts;
  readonly #set: WorkingSet;
  readonly #wake = new Wake();
  readonly #applier: Applier;
  readonly #frames: Frames;
  readonly #book: BookLane;
  readonly #dispatch: DispatchLane;
  readonly #hooks: HooksLane;
  readonly #erase: EraseLane;
  readonly #workspace: WorkspaceLane;
  readonly #lists: ListLane;
  readonly #allLanes: readonly Lane[];
  readonly #lastLanes: readonly Lane[];
  readonly #claims: ClaimPorts;
  /** Whether this process has looked after the alarm. */
  #looked = false;

  constructor(ports: ProtocolPorts) {
    this.#ports = ports;
    this.#set = new WorkingSet(ports);
    this.#applier = new Applier(ports, this.#set, this.#wake, () => this.#persist());
    this.#frames = new Frames(ports, this.#set);
    this.#book = new BookLane(ports, this.#set);
    this.#dispatch = new DispatchLane(ports, this.#set);
    this.#hooks = new HooksLane(ports, this.#set);
    this.#erase = new EraseLane(ports, this.#set);
    this.#lists = new ListLane(ports, this.#set);
    this.#workspace = new WorkspaceLane(ports, this.#set, this.#applier, (outcome) => this.#committed(outcome));
    this.#allLanes = [this.#dispatch, this.#book, ...(ports.grants ? [this.#workspace] : []), ...(ports.lists ? [this.#lists] : []), ...(ports.hooks ? [this.#hooks] : [])];
    this.#lastLanes = [this.#erase];
    this.#claims = { ports, set: this.#set, applier: this.#applier, committed: (outcome) => this.#committed(outcome) };
  }

  /** An erased Goal has one thing left to deliver. */
  get #lanes(): readonly Lane[] {
    return this.#set.live()?.meta.erased ? this.#lastLanes : this.#allLanes;
  }

  /** Cursors that cost no write of their own. Within a transaction. */
  #persist(): void {
    this.#book.persist();
    this.#lists.persist();
    this.#hooks.persist();
  }

  async command(request: CommandRequest): Promise<CommandAnswer> {
    const shut = this.#door(request, true);
    if (shut) return { outcome: 'rejected', refusal: shut, seq: 0 };
    const outcome = this.#applier.apply({ meta: { workspace: request.workspace, goal: request.goal, erased: false }, actor: request.actor, envelope: request.envelope });
    this.#committed(outcome);
    if (outcome.kind !== 'unknown') this.#lookAfterAlarm();
    await this.#held(outcome, request.actor.kind === 'round' ? request.actor.round : undefined);
    if (outcome.kind === 'unknown') return { outcome: 'unknown', detail: outcome.detail };
    if (outcome.kind === 'refused') return { outcome: 'rejected', refusal: outcome.refusal, seq: outcome.seq };
    const { seq, after: _, ...kept } = outcome.answer;
    return {
      outcome: 'applied',
      ...kept,
      seq: outcome.dryRun ? outcome.before.seq : seq,
      events: outcome.events.map((event) => this.#ports.core.eventView(event)),
      replayed: outcome.replayed,
      dryRun: outcome.dryRun,
      ...(request.tellNext && (request.actor.kind === 'person' || request.actor.kind === 'token')
        ? { allowedNext: this.#ports.core.allowedNext(outcome.dryRun ? outcome.before : (this.#set.live()?.state ?? outcome.state), request.actor) }
        : {}),
    };
  }

  async claim(request: ClaimRequest): Promise<ClaimAnswer> {
    const shut = this.#door(request, false);
    if (shut) return { outcome: 'refused', refusal: shut };
    return claim(this.#claims, { workspace: request.workspace, goal: request.goal, erased: false }, request);
  }

  async step(request: StepRequest): Promise<StepAnswer> {
    const shut = this.#door(request, false);
    if (shut) return { outcome: 'ended', refusal: shut };
    const short = request.next?.reserve ? await this.#workspace.growFor(request.round, request.fence, request.next.reserve) : undefined;
    if (short) return { outcome: 'refused', refusal: short, notices: [] };
    const { answer, outcome } = step(this.#claims, { workspace: request.workspace, goal: request.goal, erased: false }, request);
    if (outcome) await this.#held(outcome, request.round);
    return answer;
  }

  async read(request: ReadRequest): Promise<ReadAnswer> {
    const shut = this.#door(request, false);
    if (shut) return { outcome: 'refused', refusal: shut };
    const { query, as } = request;
    try {
      this.#lookAfterAlarm();
      const opened = this.#set.open();
      if (as && (query.what === 'doctor' || opened.kind === 'broken')) return { outcome: 'refused', refusal: refuse('forbidden') };
      if (query.what === 'doctor') return { outcome: 'found', seq: opened.kind === 'live' ? opened.state.seq : this.#ports.store.lastSeq(), value: this.#doctor() };
      if (opened.kind === 'live') return readLive(this.#ports, opened, query, as);
      if (opened.kind === 'broken') {
        if (query.what === 'events') return readEvents(this.#ports, query, this.#ports.store.lastSeq());
        return { outcome: 'refused', refusal: refuse('unavailable', { detail: `the journal cannot be folded: ${opened.detail}` }) };
      }
      return { outcome: 'refused', refusal: refuse('not_found') };
    } catch (error) {
      this.#ports.counters.defect();
      this.#ports.log.warn('read.failed', { what: query.what, detail: messageOf(error) });
      return { outcome: 'refused', refusal: refuse('unavailable', { detail: messageOf(error) }) };
    }
  }

  async stream(request: StreamRequest): Promise<{ watched: boolean }> {
    const round = this.#door(request, false) ? undefined : this.#set.live()?.state.rounds[request.round];
    if (round?.phase !== 'started' || round.fence !== request.fence || round.runner !== request.runner) return { watched: false };
    const { id, lane, item } = round;
    return {
      watched: this.#frames.stream({ kind: 'stream', round: id, lane, ...(item === undefined ? {} : { item }), text: request.text.slice(-STREAM_CHARACTERS), done: request.done }),
    };
  }

  async poke(request: Door): Promise<void> {
    if (this.#door(request, false)) return;
    this.#workspace.ring();
    await this.onAlarm();
  }

  async drain(request: Door): Promise<Json> {
    const shut = this.#door(request, false);
    if (shut) return [];
    const seq = () => this.#set.live()?.state.seq;
    // What a lane brought back is a commit of its own, which the others deliver too.
    for (let turns = 0, before: number | undefined; turns === 0 || (turns < drainTurns && seq() !== before); turns++) {
      before = seq();
      await Promise.all(this.#lanes.map((lane) => lane.run(true)));
    }
    // What is stuck is tried again by the alarm.
    if (this.#lanes.some((lane) => lane.pending())) this.#armNext(true);
    return this.#lanes.map((lane) => lane.status());
  }

  async rebuild(request: Door): Promise<Json> {
    const shut = this.#door(request, false);
    if (shut) return null;
    let record: Json;
    try {
      const { rows, same, state } = rederive(this.#ports);
      // Folded anew from the journal: whatever memory held is held against it.
      const live = this.#set.live();
      record = { rows, rowsSame: same, stateSame: live === undefined || canonical(live.state as unknown as Json) === canonical(state as unknown as Json) };
    } catch (error) {
      this.#ports.log.warn('rebuild.failed', { detail: messageOf(error) });
      record = { unreadable: messageOf(error) };
    }
    this.#ports.store.transaction(() => this.#persist());
    this.#forget();
    await this.#book.run(true);
    this.#book.restart();
    return { record, lanes: await this.drain(request) };
  }

  async archive(request: Door & { upTo: number; cursor: string | null }): Promise<ArchiveAnswer<ArchivePage>> {
    return this.#answer(request, 'archive', () => archivePage(this.#ports.store, request.upTo, request.cursor));
  }

  async history(request: Door & { upTo: number }): Promise<ArchiveAnswer<{ digest: string; commits: number }>> {
    return this.#answer(request, 'history', () => historyOf(this.#ports.store, request.upTo, this.#ports.sha256));
  }

  async stage(request: Door & { batch: string; part: number; name: string; text: string }): Promise<ArchiveAnswer<null>> {
    const shut = this.#entrance(request);
    if (shut) return { outcome: 'refused', refusal: shut };
    try {
      this.#ports.store.transaction(() => {
        this.#ports.store.stage(request.batch, request.part, request.name, request.text);
        // What nobody seals is dropped by the alarm.
        if (!this.#ports.store.meta()) this.#ports.store.setAlarm(this.#ports.clock.now() + stagedForMs);
      });
      return { outcome: 'found', value: null };
    } catch (error) {
      return this.#failed('stage', error);
    }
  }

  async takeIn(request: Door & { batch: string; seal: Json; actor: Actor }): Promise<ArchiveAnswer<Imported>> {
    const shut = this.#entrance(request);
    if (shut) return { outcome: 'refused', refusal: shut };
    const seal = archiveSeal.safeParse(request.seal);
    if (!seal.success || seal.data.goal !== request.goal)
      return { outcome: 'refused', refusal: refuse('archive_invalid', { errors: [{ pointer: '/seal.json', code: 'not_a_seal' }] }) };
    const { store, core } = this.#ports;
    const { workspace, goal, actor } = request;
    const meta = { workspace, goal, erased: false };
    // Named by what was brought in: a repeat after a lost answer finds it done.
    const pause = hostEnvelope('goal.pause', `import:${seal.data.history}`, {});
    const done = actor.kind === 'person' || actor.kind === 'token' ? store.commitOf(actor.principal, pause.commandId) : undefined;
    const { missingFiles } = seal.data;
    if (done) {
      store.transaction(() => store.dropStaged());
      return { outcome: 'found', value: { goal, seq: store.lastSeq(), added: 0, erasedBodies: 0, missingFiles, paused: true } };
    }
    try {
      let paused: Outcome | undefined;
      const taken = store.transaction(() => {
        const result = takeIn(this.#ports, request.batch, seal.data);
        store.dropStaged();
        if (result.added === 0) return result;
        const now = this.#ports.clock.now();
        if (!store.meta()) store.putMeta(meta);
        store.putSnapshot(core.foldVersion, result.state.seq, result.state as unknown as Json);
        // Whoever carried these rounds is elsewhere: they are over here, and what they had under way is unknown.
        for (const round of Object.values(result.state.rounds))
          if (round.phase !== 'scheduled') store.putLease(round.id, { runner: round.runner ?? 'elsewhere', fence: round.fence, until: now });
        this.#set.discard();
        if (result.state.status === 'active') paused = this.#applier.apply({ meta, actor, envelope: pause });
        store.setAlarm(now + 1);
        return result;
      });
      if (taken.added > 0) this.#forget();
      if (paused) this.#committed(paused);
      for (const lane of this.#lanes) lane.kick();
      this.#ports.log.warn('goal.imported', { added: taken.added, seq: taken.state.seq });
      return {
        outcome: 'found',
        value: { goal, seq: store.lastSeq(), added: taken.added, erasedBodies: taken.erasedBodies, missingFiles, paused: paused?.kind === 'applied' },
      };
    } catch (error) {
      this.#forget();
      if (error instanceof NotTaken) {
        store.transaction(() => store.dropStaged());
        return { outcome: 'refused', refusal: error.refusal };
      }
      return this.#failed('takeIn', error);
    }
  }

  async erase(request: Door & { unborn?: boolean }): Promise<ArchiveAnswer<{ done: boolean }>> {
    if (this.#ports.name !== undefined && this.#ports.name !== `${request.workspace}/${request.goal}`) return { outcome: 'refused', refusal: refuse('not_found') };
    const { store } = this.#ports;
    const { workspace, goal } = request;
    const meta = store.meta() ?? (request.unborn ? { workspace, goal, erased: false } : undefined);
    if (request.v !== 1 || !meta || meta.workspace !== request.workspace || meta.goal !== request.goal) return { outcome: 'refused', refusal: refuse('not_found') };
    try {
      if (!meta.erased) {
        store.transaction(() => {
          store.putMeta({ ...meta, erased: true });
          store.wipe();
          store.setAlarm(this.#ports.clock.now() + alarmSafetyMs);
        });
        this.#forget();
        for (const socket of this.#ports.sockets.list()) this.#ports.sockets.close(socket.id, closeCodes.notFound, 'not_found');
        this.#ports.log.warn('goal.erased', {});
      }
      await this.#erase.run(true);
      const done = !this.#erase.pending();
      this.#armNext(true);
      return { outcome: 'found', value: { done } };
    } catch (error) {
      this.#forget();
      return this.#failed('erase', error);
    }
  }

  /** A socket was accepted. `after` is the last `seq` it has. */
  connect(socket: string, door: Door, after?: number): void {
    const shut = this.#door(door, false);
    if (shut) this.#ports.sockets.close(socket, 4004, shut.code);
    else this.#frames.connect(socket, after);
  }

  /** Rings for everything that is due. Arms first, never throws, arms last. */
  async onAlarm(): Promise<void> {
    try {
      const now = this.#ports.clock.now();
      if (!this.#ports.store.meta()) {
        // Only an archive that was never taken in can have armed it; nothing is written where there is nothing.
        this.#ports.store.dropStaged();
        return;
      }
      this.#arm(now + alarmSafetyMs);
      const settled = this.#tick();
      const delivered = Promise.all(this.#lanes.map((lane) => lane.run())).then(() => {});
      this.#ports.background?.(delivered);
      // A destination that hangs must not keep the next ring waiting: leases and timers have no other clock.
      await within(this.#ports.timers, ringPatienceMs, delivered);
      this.#frames.flush();
      this.#armNext(settled);
    } catch (error) {
      this.#forget();
      this.#ports.counters.defect();
      this.#ports.log.warn('alarm.failed', { detail: messageOf(error) });
    }
  }

  /**
   * Leases that are over and timers that are due, as ordinary commands. The id names the state it was given in: a repeat finds it done.
   * False when something due could not be handled.
   */
  #tick(): boolean {
    for (let ring = 0; ring < ticksPerRing; ring++) {
      const live = this.#set.live();
      if (!live || live.meta.erased) return true;
      const now = Math.max(this.#ports.clock.now(), live.state.at);
      const over = leasesOver(live, now);
      if (over.length === 0 && !this.#ports.core.dueTimes(live.state).some((time) => time <= now)) return true;
      const before = live.state.seq;
      const outcome = this.#applier.apply({ meta: live.meta, actor: { kind: 'host' }, envelope: hostEnvelope('clock.tick', `tick:${before}`, { leasesOver: over }) });
      this.#committed(outcome);
      if (outcome.kind !== 'applied') {
        this.#ports.log.warn('tick.failed', outcome.kind === 'refused' ? { code: outcome.refusal.code, detail: outcome.refusal.detail ?? null } : { detail: outcome.detail });
        return false;
      }
      if (outcome.state.seq === before) return over.length === 0;
    }
    return false;
  }

  #armNext(settled: boolean): void {
    const live = this.#set.live();
    if (!live) return;
    const laneTimes = this.#lanes.map((lane) => lane.wakeAt());
    this.#arm(this.#wake.afterHandling(this.#ports.core, live, Math.max(this.#ports.clock.now(), live.state.at), laneTimes, settled));
  }

  /**
   * The first request of a process sets the alarm again where something is due or undelivered: an alarm that got lost is made good by whoever looks
   * at the Goal, without waiting for the sweep. What is overdue rings at once. Never throws.
   */
  #lookAfterAlarm(): void {
    if (this.#looked || Number.isFinite(this.#wake.armed)) return;
    this.#looked = true;
    const live = this.#set.live();
    if (!live) return;
    try {
      const now = Math.max(this.#ports.clock.now(), live.state.at);
      const times = [...this.#ports.core.dueTimes(live.state), ...[...live.leases.values()].map((lease) => lease.until)];
      const pending = this.#lanes.filter((lane) => lane.pending());
      if (pending.length > 0 || times.some((time) => time <= now)) this.#arm(now);
      else if (times.length > 0) this.#armNext(true);
      // That alarm may get lost as well, and a book that is behind shows the sweep nothing: what is undelivered goes on by itself too.
      for (const lane of pending) lane.kick();
    } catch (error) {
      this.#ports.log.warn('alarm.unset', { detail: messageOf(error) });
    }
  }

  #arm(at: number | null): void {
    this.#ports.store.transaction(() => {
      this.#persist();
      this.#ports.store.setAlarm(at);
    });
    this.#wake.armed = at ?? Number.POSITIVE_INFINITY;
  }

  #committed(outcome: Outcome): void {
    if (outcome.kind === 'unknown') this.#forget();
    const events = outcome.kind === 'applied' && !outcome.replayed && !outcome.dryRun ? outcome.events : outcome.kind === 'refused' ? (outcome.recorded ?? []) : [];
    if (events.length === 0) return;
    try {
      this.#frames.changed(events);
    } catch (error) {
      // A projection that fails must not turn a commit into an error.
      this.#ports.counters.defect();
      this.#ports.log.warn('frames.failed', { detail: messageOf(error) });
    }
    for (const lane of this.#lanes) lane.kick();
  }

  #forget(): void {
    this.#looked = false;
    this.#set.discard();
    this.#frames.forget();
    this.#book.forget();
    this.#lists.forget();
    this.#hooks.forget();
    this.#dispatch.forget();
    this.#wake.armed = Number.POSITIVE_INFINITY;
  }

  async #held(outcome: Outcome, round: string | undefined): Promise<void> {
    if (!this.#ports.hold || outcome.kind !== 'applied' || outcome.replayed || outcome.dryRun) return;
    await this.#ports.hold(progressOf(outcome.state, round));
  }

  /** Another workspace learns nothing, not even that the Goal exists; and it writes nothing. */
  #door(door: Door, mayCreate: boolean): Refusal | undefined {
    if (door.v !== 1) return refuse('unavailable', { detail: 'this version of the protocol is not spoken here' });
    if (this.#ports.name !== undefined && this.#ports.name !== `${door.workspace}/${door.goal}`) return refuse('not_found');
    const opened = this.#set.open();
    if (opened.kind === 'absent') return mayCreate ? undefined : refuse('not_found');
    const { meta } = opened;
    return meta.workspace === door.workspace && meta.goal === door.goal && !meta.erased ? undefined : refuse('not_found');
  }

  /** For what brings a Goal in: there may be none yet, and an erased one stays erased. */
  #entrance(door: Door): Refusal | undefined {
    if (this.#ports.store.meta()?.erased) return refuse('goal_erased');
    return this.#door(door, true);
  }

  #answer<T>(door: Door, what: string, work: () => T): ArchiveAnswer<T> {
    const shut = this.#door(door, false);
    if (shut) return { outcome: 'refused', refusal: shut };
    try {
      return { outcome: 'found', value: work() };
    } catch (error) {
      return this.#failed(what, error);
    }
  }

  #failed(what: string, error: unknown): { outcome: 'refused'; refusal: Refusal } {
    this.#ports.counters.defect();
    this.#ports.log.warn(`${what}.failed`, { detail: messageOf(error) });
    return { outcome: 'refused', refusal: refuse('unavailable', { detail: messageOf(error) }) };
  }

  #doctor(): Json {
    const opened = this.#set.open();
    const now = this.#ports.clock.now();
    const lanes = this.#lanes.map((lane) => lane.status());
    const armed = Number.isFinite(this.#wake.armed) ? this.#wake.armed : null;
    const counters = this.#ports.counters.view();
    if (opened.kind !== 'live') return { readOnly: opened.kind === 'broken' ? opened.detail : null, lastSeq: this.#ports.store.lastSeq(), lanes, counters };
    const { state } = opened;
    const { core, carriers } = this.#ports;
    const due = core.dueTimes(state).sort((a, b) => a - b);
    return {
      readOnly: null,
      now,
      state: {
        seq: state.seq,
        at: state.at,
        mode: state.mode,
        status: state.status,
        goalVersion: state.goalVersion,
        planRevision: state.plan?.revision ?? 0,
        rounds: Object.values(state.rounds),
        checks: Object.values(state.checks),
        stop: state.stop,
      },
      next: core.nextOf(state, Math.max(now, state.at), carriers),
      timers: { armed, due: due.slice(0, 20), count: due.length },
      leases: [...opened.leases].map(([round, lease]) => ({ round, ...lease })),
      snapshotSeq: opened.snapshotSeq,
      lanes,
      counters,
    } as unknown as Json;
  }
}

function progressOf(state: State, round: string | undefined): Progress {
  return {
    milestones: Object.fromEntries(Object.entries(state.milestones).map(([key, milestone]) => [key, milestone.count])),
    accepted: Object.values(state.items).filter((item) => item.stored === 'open' && item.verdict?.verdict === 'accepted').length,
    inRound: round !== undefined && state.rounds[round]?.phase === 'started',
  };
}
