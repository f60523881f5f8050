/** What the Goal object answers. Every call carries `v`, the workspace, and may be repeated. Results are unions; nothing is thrown across. */
import type { Actor } from '../domain/context.ts';
import type { CallIntent, CallResult, Envelope } from '../domain/commands.ts';
import type { Contract } from '../domain/contract/contract.ts';
import type { Refusal } from '../domain/refusals.ts';
import type { CheckSpec } from '../domain/planes/check-spec.ts';
import type { CoordinatorPurpose } from '../domain/state.ts';
import type { Artifact, Executor, Json, Lane, PrincipalId } from '../domain/values.ts';
import type { EventView, GoalBar, GraphView, ItemView, Next, ResumePacket } from '../domain/views/types.ts';

export interface Door {
  v: 1;
  workspace: string;
  goal: string;
}

export interface CommandRequest extends Door {
  actor: Actor;
  envelope: Envelope;
}

export type CommandAnswer =
  | { outcome: 'applied'; seq: number; events: EventView[]; goalVersion: number; planRevision: number; itemVersion?: number; result: Json; replayed: boolean; dryRun: boolean }
  | { outcome: 'rejected'; refusal: Refusal; seq: number }
  /** The result cannot be known (for example the object was reset while it answered). */
  | { outcome: 'unknown'; detail: string };

export interface ClaimRequest extends Door {
  round: string;
  fence: number;
  runner: string;
  /** Its own Runner came back after a kill: asks for a higher fence at once. */
  again: boolean;
}

/** Everything a round starts from. Identity and scope come from here, never from what the agent writes. */
export interface RoundContext {
  round: string;
  fence: number;
  lane: Lane;
  target: string;
  principal: PrincipalId;
  executor: Executor;
  purpose?: CoordinatorPurpose;
  goalVersion: number;
  planRevision: number;
  leaseMs: number;
  stepsPerRound: number;
  contract: Contract | null;
  packet: ResumePacket;
  sources: Artifact[];
  item?: { key: string; title: string; objective: string; deliverable: string; acceptance: { id: string; text: string }[]; covers: string[]; inputs: string[]; input: Json; attempt: string; attemptNumber: number; specDigest: string };
  /** Accepted submissions of hard and soft upstream items. */
  upstream: { item: string; submission: string; artifacts: Artifact[]; summary: string }[];
  /** Files this item's earlier Attempts stored and did not submit, newest of each path. */
  working: Artifact[];
  /** For a reviewer: the one Submission. */
  submission?: { id: string; digest: string; number: number; item: string; by: PrincipalId; summary: string; artifacts: Artifact[]; claims: { criterion: string; evidence: string[] }[]; criteria: { id: string; text: string }[] };
  /** For a child: its brief. */
  brief?: { subagent: string; name: string; item: string; value: Json };
  /** Results of this Attempt's children, by name. */
  children: Record<string, { state: string; ok?: boolean; result?: Json }>;
}

export type ClaimAnswer = { outcome: 'granted'; context: RoundContext } | { outcome: 'refused'; refusal: Refusal; retryAfterMs?: number };

export interface StepRequest extends Door {
  round: string;
  fence: number;
  runner: string;
  last?: CallResult;
  next?: CallIntent;
  /** 1, 2, ... within this claim: the same number again is the same step, and gets the same answer. A request with neither `last` nor `next` is a heartbeat. */
  n?: number;
}

/** What the host says with the answer to a call: heeding it is the agent's choice, the consequence is the host's. */
export type Notice =
  | { kind: 'watch'; subject: string; recital: { milestone: string; count: number; target: number | null; objective: string } }
  | { kind: 'parked'; subject: string }
  | { kind: 'messages'; upTo: number; texts: string[] };

export type StepAnswer =
  /** `args` are resolved: fact references replaced. `permit` only for calls outside. */
  | { outcome: 'go'; call: string; args: Json; permit?: { effect: string; nonce: string; key: string; sendWithin: number; timeout: number }; notices: Notice[]; repeat?: Json }
  /** The call may not be made; the agent is told and goes on. */
  | { outcome: 'refused'; refusal: Refusal; notices: Notice[] }
  /** The round must end now and come back when decided. */
  | { outcome: 'waiting'; wait: string; notices: Notice[] }
  /** The round is over. */
  | { outcome: 'ended'; refusal: Refusal };

export interface CheckJob {
  check: string;
  fence: number;
  spec: CheckSpec;
  asOf: number;
  /** Files the check reads, by the JSON of its ArtifactRef; null when no such file stands. */
  files: Record<string, Artifact | null>;
  /** Facts and sets of the record it reads, by the JSON of the SetRef or `fact:<key>`. */
  facts: Record<string, Json>;
  sets: Record<string, string[]>;
}

export type ReadQuery =
  | { what: 'goal' }
  | { what: 'graph'; revision?: number }
  | { what: 'item'; item: string }
  | { what: 'events'; after: number; limit: number }
  /** Record rows of a kind; opaque keyset cursor. */
  | { what: 'rows'; kind: string; prefix?: string; item?: string; after?: string; limit: number; newestFirst?: boolean }
  | { what: 'fact'; key: string }
  | { what: 'body'; digest: string }
  | { what: 'artifact'; digest: string }
  | { what: 'next' }
  | { what: 'resume_packet'; item?: string }
  | { what: 'check'; check: string; fence: number }
  | { what: 'doctor' };

export type ReadAnswer =
  | { outcome: 'found'; seq: number; value: Json }
  | { outcome: 'refused'; refusal: Refusal };

/** Shapes of `value` by query. */
export interface ReadValues {
  goal: { id: string; bar: GoalBar; contract: Contract | null };
  graph: GraphView;
  item: ItemView;
  events: { data: EventView[]; next: number | null };
  rows: { data: { id: string; seq: number; item?: string; attempt?: string; data: Json }[]; next: string | null };
  next: Next;
  resume_packet: ResumePacket;
  check: CheckJob;
}

export interface GoalRpc {
  command(request: CommandRequest): Promise<CommandAnswer>;
  claim(request: ClaimRequest): Promise<ClaimAnswer>;
  step(request: StepRequest): Promise<StepAnswer>;
  read(request: Door & { query: ReadQuery }): Promise<ReadAnswer>;
  /** Runs what is due; used by the cron sweep and by doubt. */
  poke(request: Door): Promise<void>;
  /** Runs the lanes until they are empty or stuck; says where each stands. */
  drain(request: Door): Promise<Json>;
  /** Sends the whole record to the book again. */
  rebuild(request: Door): Promise<Json>;
}
