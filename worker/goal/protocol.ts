/**
 * The Goal's protocol over its ports: who is let in, one commit per command, leases, timers, lanes, frames and reads. It knows no business rule.
 * The Durable Object and the simulator run this same class. Nothing is thrown to a caller: answers are unions.
 */

import { type Refusal, refuse } from '../domain/refusals.ts';
import type { State } from '../domain/state.ts';
import type { Json } from '../domain/values.ts';
import { Applier, messageOf, type Outcome } from './apply.ts';
import { type ClaimPorts, claim, hostEnvelope, step } from './claims.ts';
import { Frames } from './frames.ts';
import { BookLane } from './lanes/book-lane.ts';
import { DispatchLane } from './lanes/dispatch-lane.ts';
import { type Lane, within } from './lanes/lane.ts';
import { leasesOver } from './leases.ts';
import type { MilestoneCounts, ProtocolPorts } from './protocol-ports.ts';
import { readEvents, readLive } from './reads.ts';
import type { ClaimAnswer, ClaimRequest, CommandAnswer, CommandRequest, Door, GoalRpc, ReadAnswer, ReadQuery, StepAnswer, StepRequest } from './rpc.ts';
import { Wake } from './wake.ts';
import { WorkingSet } from './working-set.ts';

/** Milliseconds after which the alarm rings again if its handler dies. */
const alarmSafetyMs = 30_000;
/** Milliseconds a ring waits for the lanes. */
const ringPatienceMs = 2000;
/** Ticks in one ring; what is due after that many is handled by the next one. */
const ticksPerRing = 20;

export class GoalProtocol implements GoalRpc {
  readonly #ports: ProtocolPorts;
  readonly #set: WorkingSet;
  readonly #wake = new Wake();
  readonly #applier: Applier;
  readonly #frames: Frames;
  readonly #book: BookLane;
  readonly #dispatch: DispatchLane;
  readonly #lanes: readonly Lane[];
  readonly #claims: ClaimPorts;

  constructor(ports: ProtocolPorts) {
    this.#ports = ports;
    this.#set = new WorkingSet(ports);
    this.#applier = new Applier(ports, this.#set, this.#wake);
    this.#frames = new Frames(ports, this.#set);
    this.#book = new BookLane(ports, this.#set);
    this.#dispatch = new DispatchLane(ports, this.#set);
    this.#lanes = [this.#dispatch, this.#book];
    this.#claims = { ports, set: this.#set, applier: this.#applier, committed: (outcome) => this.#committed(outcome) };
  }

  async command(request: CommandRequest): Promise<CommandAnswer> {
    const shut = this.#door(request, true);
    if (shut) return { outcome: 'rejected', refusal: shut, seq: 0 };
    const outcome = this.#applier.apply({ meta: { workspace: request.workspace, goal: request.goal, erased: false }, actor: request.actor, envelope: request.envelope });
    this.#committed(outcome);
    await this.#held(outcome);
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
    const { answer, outcome } = step(this.#claims, { workspace: request.workspace, goal: request.goal, erased: false }, request);
    if (outcome) await this.#held(outcome);
    return answer;
  }

  async read(request: Door & { query: ReadQuery }): Promise<ReadAnswer> {
    const shut = this.#door(request, false);
    if (shut) return { outcome: 'refused', refusal: shut };
    const { query } = request;
    try {
      const opened = this.#set.open();
      if (query.what === 'doctor') return { outcome: 'found', seq: opened.kind === 'live' ? opened.state.seq : this.#ports.store.lastSeq(), value: this.#doctor() };
      if (opened.kind === 'live') return readLive(this.#ports, opened, query);
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

  async poke(request: Door): Promise<void> {
    if (!this.#door(request, false)) await this.onAlarm();
  }

  async drain(request: Door): Promise<Json> {
    const shut = this.#door(request, false);
    if (shut) return [];
    await Promise.all(this.#lanes.map((lane) => lane.run(true)));
    // What is stuck is tried again by the alarm.
    if (this.#lanes.some((lane) => lane.pending())) this.#armNext(true);
    return this.#lanes.map((lane) => lane.status());
  }

  async rebuild(request: Door): Promise<Json> {
    const shut = this.#door(request, false);
    if (shut) return [];
    await this.#book.run(true);
    this.#book.restart();
    return this.drain(request);
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
      if (!this.#ports.store.meta()) return;
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
      if (!live) return true;
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

  #arm(at: number | null): void {
    this.#ports.store.transaction(() => this.#ports.store.setAlarm(at));
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
    this.#set.discard();
    this.#frames.forget();
    this.#book.forget();
    this.#dispatch.forget();
    this.#wake.armed = Number.POSITIVE_INFINITY;
  }

  async #held(outcome: Outcome): Promise<void> {
    if (!this.#ports.hold || outcome.kind !== 'applied' || outcome.replayed || outcome.dryRun) return;
    await this.#ports.hold(countsOf(outcome.before), countsOf(outcome.state));
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

function countsOf(state: State): MilestoneCounts {
  return Object.fromEntries(Object.entries(state.milestones).map(([key, milestone]) => [key, milestone.count]));
}
