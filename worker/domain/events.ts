/**
 * The journal's entries, past tense. `evolve` folds the deciding ones into the working set; `rows.ts` derives the record's rows from all of them.
 * Texts and values that could identify a person are bodies, referred to by digest (`...Body` fields).
 * A changed shape gets a new `v` and an upcaster; see `upcast.ts`.
 */

import type { RoundOutcome } from './commands.ts';
import type { LaneCarriers, Limits, Milestone } from './contract/contract.ts';
import type { CriterionImpact } from './contract/lean.ts';
import type { Shape, ShapeReason } from './contract/shape.ts';
import type {
  Amendment,
  Approval,
  Attestation,
  Audit,
  Blocker,
  Effect,
  Held,
  ItemSpec,
  LeanContract,
  Mode,
  OpenCheck,
  Origin,
  Proposal,
  Receipt,
  Round,
  Settling,
  Shortfall,
  Spent,
  StopKind,
  Subagent,
  Submission,
  Verdict,
  Wait,
} from './state.ts';
import type { Artifact, Executor, Json, PrincipalId } from './values.ts';

/** What was delivered, of a Submission: in its row, not in the working set. */
interface Delivered {
  specDigest: string;
  artifacts: Artifact[];
  claims: { criterion: string; evidence: string[] }[];
}

interface Shapes {
  'goal.created': {
    mode: Mode;
    title: string;
    owner: PrincipalId;
    contract: LeanContract | null;
    contractBody: string | null;
    limits: Limits;
    lanes: LaneCarriers;
    confirmed: boolean;
    /** The contract is only the sentence so far: an intake round is to propose one. */
    intake?: boolean;
    /** The body of a plan document that came with the goal. */
    planBody?: string;
    origin?: Origin;
  };
  /** An intake round proposed the contract of a draft. `noteBody`: `{why, questions}`. */
  'goal.drafted': {
    goalVersion: number;
    mode: 'goal_only' | 'bound';
    title: string;
    contract: LeanContract;
    contractBody: string;
    limits: Limits;
    shape: Shape;
    because: ShapeReason[];
    noteBody: string;
  };
  'goal.confirmed': { goalVersion: number };
  /** The accepted items by class; `criteria` lists what changed. */
  'goal.revised': {
    goalVersion: number;
    title: string;
    contract: LeanContract;
    contractBody: string;
    limits: Limits;
    lanes: LaneCarriers;
    reason: string;
    impact: { unaffected: string[]; reaffirm: string[]; superseded: string[] };
    criteria: { added: string[]; changed: string[]; removed: string[] };
    /** The same, criterion by criterion; absent in records older than this field. */
    byCriterion?: CriterionImpact[];
    /** Of a draft: the mode was chosen anew. */
    mode?: 'goal_only' | 'bound';
    /** The message that became this version. */
    message?: number;
  };
  /** A coordinator proposes the next version from what a person said; it is no version yet. */
  'amendment.proposed': { amendment: Omit<Amendment, 'at'> };
  'amendment.closed': { amendment: string; how: 'confirmed' | 'rejected' | 'superseded' };
  'goal.paused': object;
  'goal.resumed': object;
  /** `items`: limits of single items, in place of those of the plan. */
  'goal.limitsSet': { limits: Limits; items?: Record<string, { tokens?: number; money?: number }> };
  'goal.stopped': { stop: { kind: 'no_progress' | 'errors' | 'plan_invalid'; detail: Json } };
  'goal.audited': { audit: Omit<Audit, 'at' | 'seq'>; uncovered: string[]; notesBody: string };
  'goal.completed': { goalVersion: number };
  'goal.cancelled': object;
  'criterion.attested': { attestation: Omit<Attestation, 'at'>; statementBody: string };
  'execution.opened': { execution: string };
  'execution.promoted': { contract: LeanContract; contractBody: string; limits: Limits; title: string };
  'execution.ended': { execution: string; status: 'completed' | 'abandoned' | 'superseded' };

  'plan.proposed': { proposal: Proposal; documentBody: string; warnings: { pointer: string; code: string }[] };
  /** A plan document that could not be sealed: counted, so that an agent that writes only such plans stops. */
  'plan.refused': { errors: { pointer: string; code: string }[] };
  'plan.pended': { proposal: string; by: PrincipalId; supersede: string[]; reason: string; waitsFor: string[]; touches?: string[] };
  'plan.adopted': {
    proposal: string;
    revision: number;
    digest: string;
    order: string[];
    added: { spec: ItemSpec; specDigest: string; specBody: string }[];
    changed: { spec: ItemSpec; specDigest: string; specBody: string }[];
    kept: string[];
    keptSpecs: { spec: ItemSpec; specDigest: string; specBody: string }[];
    removed: string[];
  };
  'plan.rejected': { proposal: string; status: 'rejected' | 'superseded' };

  'assignment.made': { item: string; assignment: string; owner: PrincipalId; executor: Executor; fence: number; granted: boolean };
  'assignment.released': { item: string; assignment: string; why: string };
  'attempt.opened': { item: string; attempt: string; number: number; assignment: string; fence: number; executor: PrincipalId; specDigest: string; goalVersion: number };
  'attempt.started': { item: string; attempt: string; fence: number };
  'attempt.ended': { item: string; attempt: string; state: 'succeeded' | 'failed' | 'interrupted' | 'lost' | 'cancelled'; why: string };
  'item.stopped': { item: string; stop: { kind: StopKind; detail: string } };
  'item.resumed': { item: string; grant: boolean };
  'item.cancelled': { item: string; reason: string };
  'item.reaffirmed': { item: string; why: 'goal_revised' | 'evidence_invalidated' | 'upstream_invalidated'; detail: string };
  'artifact.stored': { artifact: Artifact; role: 'source' | 'working' | 'deliverable'; item?: string; attempt?: string };
  'submission.received': { item: string; submission: Omit<Submission, 'receipts' | 'stage' | 'votes' | 'cannot'> & Delivered; summaryBody: string; supersedes: string | null };
  /** One reviewer's vote within a stage; `accepted` closes nothing until the policy is satisfied. */
  'review.recorded': {
    item: string;
    submission: string;
    by: PrincipalId;
    verdict: 'accepted' | 'changes_requested' | 'rejected' | 'cannot_judge';
    criteria: { id: string; met: boolean }[];
    stage: number;
    sceneBody: string | null;
  };
  'review.staged': { item: string; submission: string; stage: number };
  /** The verdict that stands. */
  'acceptance.recorded': { item: string; verdict: Omit<Verdict, 'at'>; sceneDigest: string | null };
  'acceptance.invalidated': { item: string; acceptance: string; by: PrincipalId; from: string | null; sceneBody: string; sceneDigest: string; evidence: string[] };
  'verdict.decided': { item: string; acceptance: string };

  'blocker.raised': { blocker: Omit<Blocker, 'raisedAt' | 'count' | 'generation'> };
  /** The coordinator round left it to its owner, perhaps with the question put better; or none could be had. */
  'blocker.passed': { blocker: string; why: string; question?: string; recommended?: Json; owner?: PrincipalId };
  /** `because`: why the record says so, where an agent answered. */
  'blocker.resolved': { blocker: string; answerBody: string; by: PrincipalId; evidence: string[]; because?: string };
  'blocker.withdrawn': { blocker: string; by: PrincipalId };
  'fact.recorded': { key: string; version: number; valueBody: string; provenance: Json; by: PrincipalId; round?: string; required?: boolean };
  'milestone.defined': { milestone: Milestone };
  'milestone.moved': { milestone: string; subject: string; count: number; how: 'decided' | 'parked'; round?: string };
  'milestone.targeted': { milestone: string; target: number };
  'milestone.confirmed': { milestone: string; by: PrincipalId };
  'ledger.recorded': {
    entry: string;
    subject: string;
    milestone?: string;
    verdict: string;
    reasonBody: string;
    evidence: string[];
    facts: string[];
    by: PrincipalId;
    round?: string;
    item?: string;
    attempt?: string;
    replaces?: string;
    /** The one that it replaces was put up for a new verdict. */
    answers?: true;
  };
  'review_list.added': { subject: string; milestone?: string; noteBody: string; how: 'agent' | 'drift'; by: PrincipalId; round?: string; again: boolean };
  'review_list.resolved': { subject: string; milestone?: string; resolutionBody: string; by: PrincipalId };
  /** `facts`: versions taken from it. `asks`: the decisions are put up for a new verdict; those of records older than this field were only flagged. */
  'evidence.invalidated': { evidence: string; by: PrincipalId; reasonBody: string | null; facts: string[]; decisions: string[]; acceptances: string[]; asks: boolean };
  'tasks.set': { round: string; tasksBody: string; done: number; total: number };

  'effect.planned': { effect: Omit<Effect, 'state'> };
  'effect.settled': { effect: string; outcome: 'succeeded' | 'failed' | 'unknown'; resultBody: string | null; late: boolean };
  /** Somebody outside is asked whether the effect happened; `tries` is the fence of the answer. */
  'effect.probe_asked': { effect: string; tries: number; dueBy: number };
  /** `nextAt` null: not asked again. */
  'effect.probed': { effect: string; found: 'happened' | 'absent' | 'unclear'; evidenceBody: string; nextAt: number | null };
  'effect.reconciled': { effect: string; outcome: 'succeeded' | 'not_applied'; by: PrincipalId; evidenceBody: string };
  'approval.asked': { approval: Omit<Approval, 'state'>; callBody: string };
  'approval.decided': { approval: string; decision: 'approved' | 'refused'; by: PrincipalId };
  'approval.used': { approval: string };
  /** `closed`: what asked for it ended; not a person's silence. */
  'approval.expired': { approval: string; closed?: boolean };
  'wait.armed': { wait: Omit<Wait, 'armedAt'> };
  'wait.released': { wait: string; how: 'released' | 'expired' | 'cancelled'; payloadBody?: string };
  'signal.kept': { correlation: string; generation: number; payloadBody: string };
  'signal.dropped': { correlation: string; generation: number; why: 'expired' | 'matched' | 'closed' };

  'finish.asked': { by: PrincipalId };

  /** `briefFile`: the file that holds the whole brief, where it is large. */
  'subagent.spawned': { subagent: Omit<Subagent, 'state' | 'attempts'>; briefBody: string; briefFile?: { digest: string; size: number } };
  /** The Attempt before was lost or interrupted: its children are now those of this one. */
  'subagent.adopted': { subagent: string; item: string; attempt: string };
  'subagent.returned': { subagent: string; ok: boolean; resultBody: string; late: boolean };
  'subagent.ended': { subagent: string; state: 'cancelled' | 'lost'; why: string };

  'round.scheduled': { round: Omit<Round, 'phase' | 'steps' | 'recent' | 'movedAtStep' | 'drift' | 'progress' | 'runner' | 'call' | 'used'> };
  'round.redispatched': { round: string; fence: number; dueBy: number; why: 'not_claimed' | 'not_started' | 'grant_over' };
  /** The workspace gave the round a place; and so much to use. Again with more where a call needed it. */
  'round.granted': { round: string; fence: number; dueBy: number } & Spent;
  'round.held': { round: string; fence: number; retryAt: number } & Held;
  /** The workspace knows what was used under these grants (`<round>:<fence>`), and that they are over. */
  'round.settled': { settled: string[] };
  'round.claimed': { round: string; fence: number; runner: string; dueBy: number };
  'round.started': { round: string; fence: number; model?: string };
  'round.pinned': { round: string; model: string; profile: string; window: number; skills: { name: string; version: string }[] };
  /** A compaction: begun, its snapshot written, done; or undone, and then the conversation goes on as it was. */
  'context.recorded': {
    round: string;
    n: number;
    phase: 'begun' | 'written' | 'done' | 'undone';
    fence: number;
    tokens?: number;
    schema?: number;
    basis?: string;
    snapshotBody?: string;
    why?: string;
  };
  'round.ended': { round: string; outcome: RoundOutcome | 'lost' | 'cancelled'; progress: boolean; why: string; retryAt?: number };
  'call.authorized': { round: string; call: string; tool: string; argsBody: string; argsDigest: string; subject: string; effect?: string };
  'call.refused': { round: string; call: string; tool: string; argsBody: string; code: string; ref: string; subject: string };
  /** `kept`: the file that holds the whole answer. */
  'call.recorded': { round: string; call: string; ok: boolean; summaryBody: string; ms?: number; kept?: { digest: string; size: number } };
  'drift.noticed': { round: string; level: 'watch' | 'parked' | 'ended' | 'none'; subject: string };
  /** `goalVersion`: the version in force when it was said. */
  'message.posted': { message: number; by: PrincipalId; textBody: string; asks: 'nothing' | 'plan' | 'draft' | 'change'; round?: string; goalVersion?: number };
  'message.handled': { from: number; upTo: number; round: string };
  'note.revised': { topic: string; revision: number; textBody: string; by: PrincipalId };
  'note.appended': { topic: string; entry: number; textBody: string; by: PrincipalId };
  'check.requested': { check: Omit<OpenCheck, 'askedAt' | 'tries'>; outside: boolean; tries: number };
  'check.recorded': {
    check: string;
    key: string;
    submission: string | null;
    item: string | null;
    pass: boolean | null;
    receipt: Omit<Receipt, 'at' | 'seq' | 'unknown' | 'retryAt'>;
    sceneBody: string | null;
    inputs: Record<string, string>;
    checker: string;
    retryAt?: number;
  };
  /**
   * What was used. `assumed`: nobody said, and it is the reservation of the call. `released`: the reservation that it settles. `instead`: what had been assumed of the same
   * call, and counts no more. `item` and `subagent`: whose budget it counts in too.
   */
  'usage.recorded': {
    round: string | null;
    tokens: number;
    money: number;
    late: boolean;
    call?: string;
    item?: string;
    subagent?: string;
    cacheRead?: number;
    cacheWrite?: number;
    assumed?: true;
    released?: Spent;
    instead?: Spent;
    /** Of a round that is over: what its workspace has to be told now. */
    owed?: Omit<Settling, 'asOf'>;
  };
  'budget.reserved': { round: string; tokens: number; money: number; call?: string };
  /** A call was not made because its worst case does not fit; its round ends with it. */
  'budget.short': { round: string; target: string; short: Shortfall };
  'late.recorded': { command: string; round: string | null; attempt: string | null; by: PrincipalId };
}

export type EventType = keyof Shapes;
/** `seq` and `at` are given by the commit; `v` is the version of the shape. */
export type EventBody = { [T in EventType]: { type: T; v: number } & Shapes[T] }[EventType];
/** `via` is the round that gave the command, where one did. */
export type Event = EventBody & { seq: number; at: number; by: PrincipalId; via?: string };
export type EventOf<T extends EventType> = Extract<Event, { type: T }>;
