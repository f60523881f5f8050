/** The pure core as the protocol sees it. The protocol knows no business rule; `domain-core.ts` binds the real one, tests may bind a small one. */

import type { Command, Envelope } from '../domain/commands.ts';
import type { Bodies, Context, Lookup, Row, Scope } from '../domain/context.ts';
import type { Event } from '../domain/events.ts';
import type { Refusal } from '../domain/refusals.ts';
import type { State } from '../domain/state.ts';
import type { Json, PrincipalId } from '../domain/values.ts';
import type { AssignmentView } from '../domain/views/assignment.ts';
import type { Structure } from '../domain/template/extract.ts';
import type { DecisionView, EvidenceView } from '../domain/views/evidence-view.ts';
import type { EventView, GoalBar, GraphView, ItemView, Next, ResumePacket } from '../domain/views/types.ts';
import type { AttemptGrant, AttemptRead } from '../domain/work/attempt-grant.ts';
import type { CheckJob, ProbeJob, RoundContext } from './rpc.ts';

export interface Handled {
  state: State;
  events: Event[];
  rows: Row[];
  bodies: Bodies;
  result: Json;
  /** The command was refused, and that it came is itself on record: it is committed and answered with this. The id may be tried again. */
  refusal?: Refusal;
}

export type Carriers = Context['carriers'];

export interface Core {
  /** A snapshot of another fold version is ignored. */
  foldVersion: number;
  /** The state before creation, `seq` 0. */
  empty(): State;
  /** Throws for an event it does not know: then the Goal opens read-only. */
  fold(state: State, events: readonly Event[]): State;
  /** The record's rows of one event. `state` is the state after it, `lookup` sees the rows before it. */
  rowsOf(event: Event, state: State, lookup: Lookup): Row[];
  parse(envelope: Envelope): Command | Refusal;
  handle(state: State, command: Command, context: Context): Refusal | Handled;
  /** Times, milliseconds, at which `clock.tick` must run. */
  dueTimes(state: State): number[];
  nextOf(state: State, now: number, carriers: Carriers): Next;
  goalBar(state: State, now: number, carriers: Carriers): GoalBar;
  graphView(state: State, lookup: Lookup): GraphView;
  itemView(state: State, key: string, lookup: Lookup): ItemView;
  /** Null: it is not finished. */
  structureOf(state: State, lookup: Lookup): Structure | null;
  evidenceView(state: State, lookup: Lookup, evidence: string): EvidenceView;
  askedDecisions(state: State, lookup: Lookup, limit: number): { count: number; data: DecisionView[] };
  eventView(event: Event): EventView;
  /** Commands that this person or program may give next. */
  allowedNext(state: State, actor: { principal: string; scopes: readonly Scope[] }): string[];
  assignmentView(state: State, key: string, lookup: Lookup): AssignmentView | undefined;
  /** The live Attempt that this principal holds under this fence. */
  grantOf(state: State, holder: PrincipalId, item: string, fence: number, now: number): Refusal | (AttemptGrant & { until: number });
  /** Null: whoever works at that Attempt may read this. */
  attemptReadRefusal(state: State, grant: AttemptGrant, read: AttemptRead, lookup: Lookup, now: number): Refusal | null;
  resumePacket(state: State, lookup: Lookup, options: { item?: string; round?: string }): ResumePacket;
  roundContext(state: State, round: string, lookup: Lookup, leaseMs: number): RoundContext;
  /** Of a check, or of an unknown effect that somebody outside is asked about. */
  checkJob(state: State, check: string, fence: number, lookup: Lookup): CheckJob | ProbeJob | Refusal | undefined;
}
