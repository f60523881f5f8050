/** Projections that people and agents read. Pure functions of the working set and the rows; the browser derives no state of its own. */
import type { IntakeStanding } from '../continuation/intake.ts';
import type { Contract } from '../contract/contract.ts';
import type { Shape, ShapeReason } from '../contract/shape.ts';
import type { CheckSpec, Scene } from '../planes/check-spec.ts';
import type { Amendment, AuditClass, CoordinatorPurpose, GoalStatus, Held, ItemSpec, Mode, Origin, WaitKind } from '../state.ts';
import type { Artifact, Executor, Json, Lane, PrincipalId } from '../values.ts';
import type { BlockerSubject } from '../work/routing.ts';

export type ItemState = 'superseded' | 'cancelled' | 'accepted' | 'blocked' | 'submitted' | 'rejected' | 'running' | 'changes_requested' | 'assigned' | 'ready' | 'locked';

/** Why a Goal goes on or has stopped: exactly one. Codes and parameters, never prose. */
export type Why =
  | { kind: 'terminal'; status: 'completed' | 'cancelled' }
  | { kind: 'draft' }
  | { kind: 'paused' }
  /**
   * A limit is spent, or the next call does not fit into it (`needed`). Tokens as such, money in millionths of the main unit. `remains`: required items that are not accepted
   * and criteria that are not proven.
   */
  | {
      kind: 'budget';
      limit: string;
      used: number;
      of: number;
      scope?: 'goal' | 'item' | 'subagent' | 'workspace';
      item?: string;
      reserved?: number;
      needed?: number;
      remains: Remains;
    }
  | { kind: 'deadline'; at: number }
  | { kind: 'running'; rounds: { id: string; lane: Lane; item?: string }[] }
  | { kind: 'ready'; rounds: { id: string; lane: Lane; item?: string }[] }
  /**
   * Every open round waits for its workspace: for a place, for what others have set aside, because a budget of the workspace is spent, or because a connection that it needs
   * has not passed its test. Of a budget `spent` says how it stood when it was asked, `needed` what the next call needs of it, `remains` what is not done.
   */
  | ({ kind: 'queued'; needed?: number; rounds: { id: string; lane: Lane; item?: string }[]; remains?: Remains } & Held)
  | { kind: 'checking'; checks: string[] }
  | { kind: 'waiting'; kinds: WaitKind[] }
  | { kind: 'blocked'; blockers: string[] }
  | { kind: 'no_progress'; items: string[] }
  | { kind: 'suspended'; detail: Json };

/** Required items that are not accepted, and criteria that are not proven; of each the first by name. */
export interface Remains {
  items: { count: number; head: string[] };
  criteria: { count: number; head: string[] };
}

/** "What moves this next, and who?": one per non-terminal Goal. */
export interface Next {
  goalVersion: number;
  seq: number;
  why: Why;
  /** Named movers: `host`, a person, or the Runner of a round. Never empty but for terminal goals. */
  who: {
    mover: PrincipalId;
    act: 'confirm' | 'resume' | 'raise_limit' | 'set_connection' | 'run' | 'check' | 'answer' | 'decide' | 'review' | 'attest' | 'reconcile' | 'signal' | 'time' | 'carry';
    ref: string;
    due?: number;
    /** Of `carry`: who was to carry it, and is not in this installation. */
    missing?: PrincipalId;
  }[];
}

/** The projection behind the goal bar. */
export interface GoalBar {
  title: string;
  mode: Mode;
  status: GoalStatus;
  goalVersion: number;
  planRevision: number;
  seq: number;
  /** Time of the last event. */
  at: number;
  next: Next;
  criteria: { id: string; verify: 'check' | 'review' | 'attest'; class: AuditClass | 'open' }[];
  items: { required: number; accepted: number; total: number; byState: Partial<Record<ItemState, number>> };
  milestones: { key: string; title: string; count: number; target: number | null }[];
  reviewList: { open: number };
  /** `asked`: decisions whose evidence fell and that were not made anew. */
  ledger: { entries: number; asked: number };
  budget: {
    rounds: { used: number; of: number };
    time: { startedAt: number | null; until: number | null };
    /** `reserved`: set aside for calls in flight. `remaining` is what the next call may cost at most. Money in millionths of the main unit of `currency`. */
    tokens: { used: number; reserved: number; of: number; remaining: number };
    money: { used: number; reserved: number; of: number; remaining: number; currency: string | null };
  };
  graphClosed: boolean;
  goalAudited: boolean;
  blockers: BlockerView[];
  waits: { id: string; kind: WaitKind; owner: PrincipalId; reason: string; form?: Json; due?: number; item?: string; correlation: string; generation: number }[];
  completions: { goalVersion: number; at: number }[];
  messages: { posted: number; handled: number };
  /** The template that it was made from, and the firing of a trigger that made it. Absent: made by hand. */
  origin?: Origin;
  /** The next version as a coordinator proposes it; `body` is the digest of `{contract, why}`. */
  amendment?: Amendment;
  /** Of a draft that began with a sentence: where its intake stands. `note` is the digest of `{why, questions}`. */
  intake?: {
    standing: IntakeStanding['kind'];
    until?: number;
    rounds: { used: number; of: number };
    proposal?: { goalVersion: number; shape: Shape; because: ShapeReason[]; note: string };
  };
}

export interface BlockerView {
  id: string;
  item?: string;
  reason: string;
  form: Json;
  recommended?: Json;
  owner: PrincipalId;
  raisedAt: number;
  generation: number;
  /** Absent: the work. */
  about?: BlockerSubject;
  /** `coordinator`: one is to look at it first, and nobody is asked meanwhile. `owner`: one left it. */
  route?: 'coordinator' | 'owner';
}

/** A node of the graph view: a Work Item as a person sees it. */
export interface GraphNode {
  key: string;
  title: string;
  kind: ItemSpec['kind'];
  parent?: string;
  required: boolean;
  state: ItemState;
  version: number;
  /** Accepted hard inputs of all of them; and the keys it still waits for. */
  inputs: { accepted: number; of: number; missing: string[] };
  /** Keys that an acceptance of this item unlocks. */
  unlocks: string[];
  attempts: number;
  submissions: number;
  /** Verdicts that sent it back. */
  returns: { submission: number; by: PrincipalId; summary: string; from?: string }[];
  executor?: Executor;
  owner?: PrincipalId;
  round?: { id: string; lane: Lane; phase: string; steps: number; drift: 'none' | 'watch' | 'parked' };
  blocker?: string;
  stop?: string;
  milestone?: { key: string; count: number; target: number | null };
  children: { id: string; name: string; state: string }[];
  reaffirm?: string;
}

export interface GraphEdge {
  from: string;
  to: string;
  kind: 'hard' | 'soft';
  /** The upstream delivery is accepted. */
  satisfied: boolean;
}

/** Read-only projection of the responsibility graph with what the run graph says about each node. */
export interface GraphView {
  seq: number;
  revision: number;
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** Edges of what happened: a return, a retry, an invalidation. Joined by ids only. */
  process: { kind: 'loop_back' | 'retry' | 'guard'; from: string; to: string; label: string; at: number }[];
  /** True when nodes were left out. */
  truncated: boolean;
}

/** Everything about one Work Item, from rows; nothing is dropped. */
export interface ItemView {
  seq: number;
  node: GraphNode;
  specDigest: string;
  spec: ItemSpec & { objective: string; deliverable: string; acceptanceTexts: { id: string; text: string }[]; inputs: string[] };
  attempts: { id: string; number: number; state: string; by: PrincipalId; fence: number; startedAt?: number; endedAt?: number; reason?: string }[];
  submissions: {
    id: string;
    number: number;
    digest: string;
    attempt: string;
    by: PrincipalId;
    at: number;
    summary: string;
    artifacts: Artifact[];
    claims: { criterion: string; evidence: string[] }[];
    /** Evidence of the claims that was found to be wrong since. */
    fallen: string[];
    verdicts: { id: string; verdict: string; by: PrincipalId; at: number; scene?: Scene; live: boolean; invalidated?: string }[];
    checks: { key: string; title?: string; pass: boolean | null; scene?: Scene; at: number }[];
  }[];
}

/** The bounded start of a round; the contract travels whole beside it. Its size does not grow with history. */
export interface ResumePacket {
  goalVersion: number;
  planRevision: number;
  seq: number;
  milestones: { key: string; title: string; count: number; target: number | null }[];
  next: { ready: string[]; blocked: string[]; submitted: string[]; counts: Record<string, number> };
  /** `done`: who decided and in which Attempt, in words: `done by you in a3`; of another item, `done by agent:worker in a1 of item b`. */
  decisions: { subject: string; verdict: string; reason: string; done: string }[];
  /** Decisions whose evidence fell, to be made anew on other evidence; absent when there are none. */
  fallen?: { count: number; head: { id: string; subject: string; verdict: string; evidence: string }[] };
  reviewList: { count: number; head: string[] };
  effects: { id: string; tool: string; state: string }[];
  approvals: { id: string; tool: string; state: string }[];
  children: { id: string; name: string; state: string }[];
  facts: { count: number; keys: string[] };
  /** What was said and nobody handled, oldest first. `older`: said under an older version of the goal, which a newer one overrules. */
  messages: { count: number; head: { message: number; by: PrincipalId; text: string; goalVersion: number; older: boolean }[] };
  /** For a worker: why the last Submission came back. */
  feedback: { submission: string; by: PrincipalId; verdict: string; scene: Scene | null }[];
  /** How the round before on this target ended. */
  before: { round: string; outcome: string; at: number } | null;
  recovery: boolean;
  /** Reads that give the rest of each list. */
  rest: Record<string, string>;
}

/** One event as people and programs read it: names, ids and parameters; bodies by digest. */
export interface EventView {
  seq: number;
  at: number;
  type: string;
  by: PrincipalId;
  item?: string;
  attempt?: string;
  round?: string;
  submission?: string;
  data: Json;
}

/** Frames of the socket and of SSE. First `snapshot`, then `update`s by `seq`. */
export type Frame =
  | { kind: 'snapshot'; seq: number; bar: GoalBar; graph: GraphView; events: EventView[]; contract: Contract | null }
  /** `nodes` replaces the nodes of those keys; `graph` comes instead when the plan revision changed. */
  | {
      kind: 'update';
      seq: number;
      events: EventView[];
      bar: GoalBar;
      nodes?: GraphNode[];
      edges?: GraphEdge[];
      process?: GraphView['process'];
      graph?: GraphView;
      contract?: Contract | null;
    }
  /** What the model of a running round writes: text since the frame before it, at most four frames a second. Not on record. `done`: nothing more comes of this message. */
  | { kind: 'stream'; round: string; lane: Lane; item?: string; text: string; done: boolean }
  | { kind: 'error'; code: string };

/** A Goal as lists show it. */
export interface GoalSummary {
  goal: string;
  title: string;
  mode: string;
  status: string;
  why: string;
  goalVersion: number;
  planRevision: number;
  needsYou: number;
  /** Milliseconds. */
  wakeAt: number | null;
  createdAt: number;
  updatedAt: number;
  /** What it reflects. In the book every row up to it is there. */
  seq: number;
  milestones: { key: string; count: number; target: number | null }[];
  accepted: number;
  requiredItems: number;
  budget: Json;
}

/**
 * Frames of a workspace's socket and of its SSE. First `goals` as the book lists them, newest first, with those that need somebody; `truncated`: there are others. Then what changed, the
 * newest of each Goal, coalesced. `seq` grows and is the workspace's own: resume with it. A Goal is told with its own `seq`, and an older one never replaces a newer.
 */
export type GoalsFrame =
  | { kind: 'snapshot'; seq: number; goals: GoalSummary[]; truncated: boolean }
  | { kind: 'update'; seq: number; goals: GoalSummary[]; gone: string[] }
  | { kind: 'error'; code: string };

/** A call that a person decided on: `args` as they were written, secrets as references. `expiresAt`: epoch milliseconds, of an approval that can still be used. */
export interface DecidedCall {
  approval: string;
  tool: string;
  args: Json;
  state: 'approved' | 'refused';
  expiresAt?: number;
}

/** Everything a round starts from. Identity and scope come from here, never from what the agent writes. */
export interface RoundContext {
  round: string;
  /** The business round that the goal carries out: its name, which is that of the firing, and its trigger. Absent: no trigger started the goal. */
  firing?: { round: string; trigger: string };
  fence: number;
  lane: Lane;
  target: string;
  principal: PrincipalId;
  executor: Executor;
  purpose?: CoordinatorPurpose;
  /** Of the purpose `blocker`: the question to route, with how often it was asked. */
  question?: BlockerView & { raisedBy: PrincipalId; asked: number };
  goalVersion: number;
  planRevision: number;
  leaseMs: number;
  stepsPerRound: number;
  contract: Contract | null;
  packet: ResumePacket;
  sources: Artifact[];
  item?: {
    key: string;
    title: string;
    objective: string;
    deliverable: string;
    acceptance: { id: string; text: string }[];
    covers: string[];
    inputs: string[];
    input: Json;
    attempt: string;
    attemptNumber: number;
    specDigest: string;
  };
  /** Accepted submissions of hard and soft upstream items; for a coordinator, of all items. */
  upstream: { item: string; submission: string; artifacts: Artifact[]; summary: string }[];
  /** Files this item's earlier Attempts stored and did not submit, newest of each path. */
  working: Artifact[];
  /** For a reviewer: the one Submission. */
  submission?: {
    id: string;
    digest: string;
    number: number;
    item: string;
    by: PrincipalId;
    summary: string;
    artifacts: Artifact[];
    claims: { criterion: string; evidence: string[] }[];
    /** Evidence of the claims that was found to be wrong since. */
    fallen?: string[];
    criteria: { id: string; text: string }[];
  };
  /** For an intake round: the sentence that the goal began with, and what the last intake proposed. */
  intake?: { sentence: string; proposal: { shape: Shape; because: ShapeReason[]; why: string; questions: string[] } | null };
  /** For a child: its brief. `file`: holds it whole, as JSON text, where it is large; `value` is then what the record shows of it. */
  brief?: { subagent: string; name: string; item: string; value: Json; file?: { digest: string; size: number } };
  /** Calls of this target that a person approved and that were not made yet, and those refused; absent when there are none. */
  decided?: DecidedCall[];
  /** Results of this Attempt's children, by name. */
  children: Record<string, { state: string; ok?: boolean; result?: Json }>;
}

/** What a checker outside is given. */
/** An unknown effect about which somebody outside is asked. `probe` is what its tool wrote down. */
export interface ProbeJob {
  effect: string;
  fence: number;
  tool: string;
  /** Idempotency key that it was sent with. */
  key: string;
  probe: Json;
}

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
