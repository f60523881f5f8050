/** What the Goal object answers. Every call carries `v`, the workspace, and may be repeated. Results are unions; nothing is thrown across. */

import type { CallIntent, CallResult, Envelope } from '../domain/commands.ts';
import type { Actor } from '../domain/context.ts';
import type { Contract } from '../domain/contract/contract.ts';
import type { Refusal } from '../domain/refusals.ts';
import type { Json, PrincipalId } from '../domain/values.ts';
import type { Notice as ToldOutside } from '../domain/notices/notices.ts';
import type { AssignmentView } from '../domain/views/assignment.ts';
import type { Structure } from '../domain/template/extract.ts';
import type { DecisionView, EvidenceView } from '../domain/views/evidence-view.ts';
import type { CheckJob, EventView, GoalBar, GraphView, ItemView, Next, ProbeJob, ResumePacket, RoundContext } from '../domain/views/types.ts';
import type { AttemptGrant } from '../domain/work/attempt-grant.ts';

import type { ArchiveAnswer, ArchivePage, Imported } from './archive/format.ts';

export type { CheckJob, ProbeJob, RoundContext };

export interface Door {
  v: 1;
  workspace: string;
  goal: string;
}

export interface CommandRequest extends Door {
  actor: Actor;
  envelope: Envelope;
  /** The answer says what the actor may give next. Left out where nobody reads it: finding out costs more than a small command. */
  tellNext?: true;
}

export type CommandAnswer =
  | {
      outcome: 'applied';
      seq: number;
      events: EventView[];
      goalVersion: number;
      planRevision: number;
      itemVersion?: number;
      result: Json;
      replayed: boolean;
      dryRun: boolean;
      allowedNext?: string[];
    }
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
  /** `texts` are worded for an agent; `said` tells the same messages apart, in the same order. */
  | { kind: 'messages'; upTo: number; texts: string[]; said: { message: number; by: string; at: number; goalVersion: number; older: boolean }[] };

export type StepAnswer =
  /** `args` are resolved: fact references replaced. `permit` only for calls outside. */
  | { outcome: 'go'; call: string; args: Json; permit?: { effect: string; nonce: string; key: string; sendWithin: number; timeout: number }; notices: Notice[]; repeat?: Json }
  /** The call may not be made; the agent is told and goes on. */
  | { outcome: 'refused'; refusal: Refusal; notices: Notice[] }
  /** The round must end now and come back when decided. */
  | { outcome: 'waiting'; wait: string; notices: Notice[] }
  /** The round is over. */
  | { outcome: 'ended'; refusal: Refusal };

export type ReadQuery =
  | { what: 'goal' }
  | { what: 'graph'; revision?: number }
  | { what: 'item'; item: string }
  | { what: 'events'; after: number; limit: number }
  /** Record rows of a kind; opaque keyset cursor. */
  | { what: 'rows'; kind: string; prefix?: string; item?: string; after?: string; limit: number; newestFirst?: boolean }
  | { what: 'fact'; key: string }
  /** What a template is made of; null where the goal is not finished. */
  | { what: 'structure' }
  /** What rests on a piece of evidence. */
  | { what: 'evidence'; evidence: string }
  /** Decisions put up for a new verdict. */
  | { what: 'asked_decisions'; limit: number }
  | { what: 'body'; digest: string }
  | { what: 'artifact'; digest: string }
  | { what: 'next' }
  /** What waits for a person, as the outbox is told of it. */
  | { what: 'needs' }
  | { what: 'resume_packet'; item?: string; round?: string }
  /** What whoever holds the item starts from. */
  | { what: 'assignment'; item: string }
  /** Whether the principal holds the item's live Attempt under that fence, and until when. */
  | { what: 'attempt_grant'; item: string; principal: PrincipalId; fence: number }
  | { what: 'check'; check: string; fence: number }
  /** The Goal's own image, as the book should have it. */
  | { what: 'book_row' }
  /** Which of these digests of files nothing on record refers to. `busy`: rounds are out, and may be about to. */
  | { what: 'unreferenced'; digests: string[] }
  | { what: 'doctor' };

/** `as`: the Attempt that whoever reads works at; it reads what that may. */
export interface ReadRequest extends Door {
  query: ReadQuery;
  as?: AttemptGrant;
}

export type ReadAnswer = { outcome: 'found'; seq: number; value: Json } | { outcome: 'refused'; refusal: Refusal };

/** Shapes of `value` by query. */
export interface ReadValues {
  goal: { id: string; bar: GoalBar; contract: Contract | null };
  graph: GraphView;
  item: ItemView;
  events: { data: EventView[]; next: number | null };
  rows: { data: { id: string; seq: number; item?: string; attempt?: string; data: Json }[]; next: string | null };
  structure: Structure | null;
  evidence: EvidenceView;
  asked_decisions: { count: number; data: DecisionView[] };
  next: Next;
  needs: ToldOutside[];
  resume_packet: ResumePacket;
  assignment: AssignmentView;
  attempt_grant: AttemptGrant & { until: number };
  check: CheckJob | ProbeJob;
  book_row: Json;
  unreferenced: { digests: string[]; busy: boolean };
}

/** What a watcher says over its socket. A `read` is answered with a `read` of the same id, so that a page that watches needs no request. */
export type SocketMessage = { kind: 'renew' } | { kind: 'read'; id: number; query: ReadQuery };
export type SocketReply = { kind: 'read'; id: number; answer: ReadAnswer };

/** A piece of what the model of a round writes: text since the piece before it. `done`: nothing more comes of this message. */
export interface StreamRequest extends Door {
  round: string;
  fence: number;
  runner: string;
  text: string;
  done: boolean;
}

export interface GoalRpc {
  command(request: CommandRequest): Promise<CommandAnswer>;
  claim(request: ClaimRequest): Promise<ClaimAnswer>;
  step(request: StepRequest): Promise<StepAnswer>;
  read(request: ReadRequest): Promise<ReadAnswer>;
  /** Shows a piece to those who watch; nothing of it is kept. A round that is not open under that fence and runner shows nothing. */
  stream(request: StreamRequest): Promise<{ watched: boolean }>;
  /** Runs what is due; used by the cron sweep and by doubt. */
  poke(request: Door): Promise<void>;
  /** Runs the lanes until they are empty or stuck; says where each stands. */
  drain(request: Door): Promise<Json>;
  /** A session, role or token of that principal ended or changed: its sockets here are looked at again. `open`: how many stay. */
  credentialsChanged(request: Door & { principal: PrincipalId }): Promise<{ open: number }>;
  /** Derives the record's rows anew from the journal, and sends all of them to the book again. Repeatable; says what was different. */
  rebuild(request: Door): Promise<Json>;
  /** One page of the archive of what was committed up to `upTo`. */
  archive(request: Door & { upTo: number; cursor: string | null }): Promise<ArchiveAnswer<ArchivePage>>;
  /** The digest of all commits up to `upTo`. */
  history(request: Door & { upTo: number }): Promise<ArchiveAnswer<{ digest: string; commits: number }>>;
  /** Part `part` (0, 1, ...) of an archive that is being brought in. It counts for nothing until it is sealed; another `batch` takes its place. */
  stage(request: Door & { batch: string; part: number; name: string; text: string }): Promise<ArchiveAnswer<null>>;
  /** Takes the staged archive into the record, all of it or nothing. A Goal that was under way is paused by the actor. */
  takeIn(request: Door & { batch: string; seal: Json; actor: Actor }): Promise<ArchiveAnswer<Imported>>;
  /** Deletes the Goal's content here, in the book and among the files, for good. `done`: everywhere; else the rest goes on by itself. Repeatable. */
  /** `unborn`: also where there is no such Goal yet, so that none comes to be under that id. */
  erase(request: Door & { unborn?: boolean }): Promise<ArchiveAnswer<{ done: boolean }>>;
}

/** What a Runner uses of it. */
export type GoalForRounds = Pick<GoalRpc, 'command' | 'claim' | 'step' | 'read'> & Partial<Pick<GoalRpc, 'stream'>>;
