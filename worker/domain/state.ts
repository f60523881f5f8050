/** The working set: what deciding needs in memory. Folded from the journal by `evolve`; under 2 MB at 1,000 items. */
import type { GoalOrigin } from './commands.ts';
import type { Criterion, LaneCarriers, Limits, Milestone, NonGoal, PolicyRule } from './contract/contract.ts';
import type { Shape, ShapeReason } from './contract/shape.ts';
import type { Dependency, itemKinds, Output, ReviewStage } from './plan/document.ts';
import type { CheckSpec, Scene } from './planes/check-spec.ts';
import type { BlockerSubject } from './work/routing.ts';
import type { Artifact, Executor, Json, Lane, PrincipalId } from './values.ts';

export type Mode = 'goal_only' | 'graph_only' | 'bound';
export type GoalStatus = 'draft' | 'active' | 'paused' | 'completed' | 'cancelled';

export interface State {
  /** Number of the last event folded. 0: nothing exists yet. */
  seq: number;
  /** Time of the last commit. */
  at: number;
  mode: Mode;
  status: GoalStatus;
  /** 1, 2, ...; 0 before creation. Graph-only goals keep 1. */
  goalVersion: number;
  owner: PrincipalId;
  title: string;
  createdAt: number;
  confirmedAt: number | null;
  /** The contract without its objective text, which is a row. Null in graph-only. */
  contract: LeanContract | null;
  limits: Limits;
  lanes: LaneCarriers;
  execution: Execution | null;
  plan: ActivePlan | null;
  /** Proposals that may still be adopted. */
  proposals: Record<string, Proposal>;
  items: Record<string, Item>;
  /** Rounds that are not ended. */
  rounds: Record<string, Round>;
  subagents: Record<string, Subagent>;
  blockers: Record<string, Blocker>;
  waits: Record<string, Wait>;
  /** Signals that came before their waiter, by correlation. */
  signals: Record<string, EarlySignal>;
  approvals: Record<string, Approval>;
  effects: Record<string, Effect>;
  /** Checks asked for and not answered. */
  checks: Record<string, OpenCheck>;
  /** Latest receipt of each contract check, by check key. */
  receipts: Record<string, Receipt>;
  attestations: Record<string, Attestation>;
  audit: Audit | null;
  milestones: Record<string, { target: number | null; count: number; moved: number; confirmedBy?: PrincipalId }>;
  reviewList: { open: number; resolved: number };
  ledger: { entries: number; flagged: number };
  /** Decisions whose evidence fell, put up for a new verdict and not made anew. */
  decisionsAsked: number;
  facts: { keys: number };
  /** `seq` of the last change of each thing that a check can read. */
  touched: { facts: number; ledger: number; reviewList: number; acceptances: number; sources: number };
  /** Source files of the goal. */
  sources: Record<string, Artifact>;
  /** Deliverables of goal-only coordinator rounds. */
  deliverables: Record<string, Artifact>;
  /** Next fence per lane target. */
  fences: Record<string, number>;
  /** Rounds in a row without an applied change, lost or failed ones, and those that waited and were woken by time alone, per lane and target. */
  streaks: Record<string, { empty: number; lost: number; failed: number; retryAt?: number; waits?: number }>;
  /** Of the whole Goal. Money here and wherever it is used or reserved: millionths of the currency's main unit. */
  budget: { rounds: number; tokens: number; money: number; reservedTokens: number; reservedMoney: number };
  /** What was used for one thing, children included, by `item:<key>` or `subagent:<id>`; absent: nothing. */
  spent: Record<string, Spent>;
  /** Lane targets whose round was refused a call for want of budget, until one is scheduled there again. */
  short: Record<string, Shortfall>;
  /** Grants of the workspace that are over and were not given back yet, by `<round>:<fence>`: what was used under them so far. */
  settling: Record<string, Settling>;
  /** Limits of items that a person set in place of those of the plan. Money in minor units. */
  itemLimits: Record<string, { tokens?: number; money?: number }>;
  /** A stop of the whole Goal that is stored. */
  stop: null | { kind: 'no_progress' | 'errors' | 'plan_invalid'; detail: Json; at: number };
  /** Somebody asked for a change of structure; judged by a coordinator. */
  planAsked: null | { by: PrincipalId; message: string };
  /** The intake of a goal that began with a sentence. */
  intake: Intake | null;
  /** What it was started from; null: by hand. */
  origin: Origin | null;
  /** The body of the plan that came with it, until that is adopted, rejected or found not to fit. */
  given: string | null;
  /** Goal-only: the coordinator asked to finish. */
  finishAsked: boolean;
  /** Criteria that an audit found uncovered, with how often. */
  uncovered: Record<string, number>;
  messages: { posted: number; handled: number };
  /** The message that asks for another contract, until a coordinator looked at it. */
  changeAsked?: number;
  /** The next version as a coordinator proposes it. Changes nothing until a person decides. */
  amendment?: Amendment;
  completions: { goalVersion: number; at: number; seq: number }[];
  /** Plan documents in a row that could not be sealed, and what was wrong with the last. */
  planRefusals: number;
  planErrors: { pointer: string; code: string }[];
  /** Last generation given out per wait correlation or blocker. */
  generations: Record<string, number>;
  /** Of those, the ones that are closed, by the number of the event that closed them. */
  closed: Record<string, number>;
  /** How often an approval of this call digest ran out. */
  expiries: Record<string, number>;
  notes: Record<string, { revision: number; entries: number }>;
}

/** The template and parameters that a goal was made from, by whom, and the firing of the trigger that made it. */
export type Origin = Omit<GoalOrigin, 'parameters'> & { parametersBody: string };

/** Tokens, and money in millionths of the main unit. */
export interface Spent {
  tokens: number;
  money: number;
}

/** What the workspace is told that a round used, in all, under its fence. `asOf`: the Goal's `seq` that knew it so; the later word holds, whether it says more or less. */
export interface Settling extends Spent {
  round: string;
  fence: number;
  asOf: number;
}

/**
 * What a round may use of its workspace, and its place among the rounds that run there. `wanted`: not answered yet. `held`: not now, `by` what, asked again at `retryAt` or when
 * the workspace rings. `granted`: it may be handed over, and use so much under its fence. `least`: what its first call is known to need.
 */
export type GrantState = { state: 'wanted'; least?: Spent } | ({ state: 'held'; retryAt: number; least?: Spent } & Held) | ({ state: 'granted'; least?: Spent } & Spent);
/** `limit`, `spent`: of a budget. `connection`: of a connection. */
export interface Held {
  by: 'places' | 'reserved' | 'budget' | 'connection';
  limit?: 'tokens' | 'money';
  spent?: WorkspaceSpent;
  connection?: HeldConnection;
}

/** A connection that did not pass its test yet, and that the round cannot begin without. */
export interface HeldConnection {
  /** What there is to be set right: `provider:<name>`, `profile:<name>`, `mcp:<name>`, or `environment`. */
  setting: string;
  /** What its test came to; `testing`: it is under way, for the first time since a setting was changed. */
  code: string;
  /** What the other side said, without secrets. Data, like everything a stranger says. */
  detail: string;
  /** A person has to set something right; else the host goes on trying by itself. */
  person: boolean;
}

/** A budget of the workspace as it stood when it had no room: in which window, and what of it is used and promised to rounds, of how much. */
export interface WorkspaceSpent {
  window: 'day' | 'month' | 'total';
  used: number;
  reserved: number;
  of: number;
}

/** A budget that a call did not fit into. All amounts of the one limit that is named; `needed` is the whole reservation that was asked for. */
export interface Shortfall {
  scope: 'goal' | 'item' | 'subagent' | 'workspace';
  limit: 'tokens' | 'money';
  item?: string;
  used: number;
  reserved: number;
  of: number;
  needed: Spent & { currency?: string };
}

export interface LeanContract {
  digest: string;
  criteria: (Pick<Criterion, 'id' | 'verify' | 'checks'> & { digest: string })[];
  nonGoals: NonGoal[];
  checks: CheckSpec[];
  milestones: Milestone[];
  policies: PolicyRule[];
  planPolicy: 'auto' | 'confirm';
}

/** Rounds that turned, or are to turn, a sentence into a proposed contract. */
export interface Intake {
  /** A round is wanted: from the start, or because a person asked for another draft. */
  wanted: boolean;
  rounds: number;
  /** What the last round proposed; it is the contract while `goalVersion` is the current one. The body: `{why, questions}`. */
  proposal: null | { goalVersion: number; shape: Shape; because: ShapeReason[]; noteBody: string };
}

export interface Amendment {
  id: string;
  /** What was said, under `basedOn`. */
  message: number;
  /** The version that it changes; with another in force it is over. */
  basedOn: number;
  by: PrincipalId;
  at: number;
  /** The body: `{contract, why}`. */
  body: string;
}

export interface Execution {
  id: string;
  status: 'open' | 'completed' | 'abandoned' | 'superseded';
  openedAt: number;
  /** Plan revisions of the executions before it: numbers of revisions are never given twice. */
  revisionsBefore?: number;
}

export interface ActivePlan {
  /** 1, 2, ... */
  revision: number;
  proposal: string;
  digest: string;
  /** Keys in plan order. */
  order: string[];
}

export interface Proposal {
  id: string;
  digest: string;
  by: PrincipalId;
  status: 'sealed' | 'pending';
  /** The revision it was made against. */
  basedOn: number;
  /** Adopted by this principal once `waitsFor` is over. */
  pending?: { by: PrincipalId; supersede: string[]; reason: string };
  /** Keys of items whose live Attempt or Review it waits for. */
  waitsFor: string[];
  /** Keys of all items that it changes or removes: none of them gets a new Attempt while it is pending. */
  touches?: string[];
  /** Plan policy `confirm`: a person must adopt it. */
  needsPerson: boolean;
}

export interface ItemSpec {
  key: string;
  kind: (typeof itemKinds)[number];
  title: string;
  covers: string[];
  acceptance: string[];
  outputs: Output[];
  dependsOn: Dependency[];
  parent?: string;
  required: boolean;
  executor?: Executor;
  review: ReviewStage[];
  checks: CheckSpec[];
  /** `money`: minor units of the currency of the Goal's limit. */
  limits: { attempts?: number; stepsPerRound?: number; tokens?: number; money?: number };
}

/** `errors` is lifted by a person alone; the others also by a coordinator. */
export type StopKind = 'no_progress' | 'attempts' | 'same_scene' | 'errors';

export interface Item {
  /** Its key is its identity over revisions. */
  key: string;
  /** Grows with every event on the item; `expected.itemVersion`. */
  version: number;
  /** Digest of the whole spec, texts included; the row `item_spec` holds them. */
  specDigest: string;
  spec: ItemSpec;
  stored: 'open' | 'blocked' | 'cancelled' | 'superseded';
  stop: null | { kind: StopKind; detail: string };
  /** `executor` is who was given the work, also where a later revision names another. */
  assignment: null | { id: string; owner: PrincipalId; executor: Executor; fence: number };
  /** The newest Attempt. */
  attempt: null | Attempt;
  attempts: number;
  /** Failed Attempts and negative verdicts since the last grant. */
  failures: number;
  /** Attempts granted past the limit, by a coordinator. */
  grants: number;
  lastSceneDigest?: string;
  /** The newest Submission. */
  submission: null | Submission;
  submissions: number;
  /** The newest verdict on the newest Submission, while it is live. */
  verdict: null | Verdict;
  /** Put up for a new verdict on the same Submission, and why. */
  reaffirm: null | { why: 'goal_revised' | 'evidence_invalidated' | 'upstream_invalidated'; detail: string };
}

export interface Attempt {
  id: string;
  number: number;
  fence: number;
  state: 'pending' | 'running' | 'succeeded' | 'failed' | 'interrupted' | 'lost' | 'cancelled';
  by: PrincipalId;
  goalVersion: number;
  submitted: boolean;
}

/** The newest Submission of an item. Its files, claims and spec digest are in its row: deciding needs them seldom. */
export interface Submission {
  id: string;
  number: number;
  /** Of artifacts, summary and claims. */
  digest: string;
  attempt: string;
  by: PrincipalId;
  goalVersion: number;
  planRevision: number;
  /** Digest over the accepted submissions it was made from. */
  inputsDigest: string;
  /** Where it stands in its review policy. */
  stage: number;
  /** Accepting verdicts in the current stage, by principal. */
  votes: PrincipalId[];
  /** Principals that said they cannot judge it. */
  cannot: PrincipalId[];
  /** Answers of this item's checks under `checkedVersion`. */
  receipts: Record<string, { id: string; pass: boolean | null; tries: number; goalVersion: number; retryAt?: number }>;
}

export interface Verdict {
  id: string;
  verdict: 'accepted' | 'changes_requested' | 'rejected';
  by: PrincipalId;
  submission: string;
  submissionDigest: string;
  specDigest: string;
  goalVersion: number;
  planRevision: number;
  /** Criteria judged as met. */
  criteria: string[];
  scene?: Scene;
  at: number;
  /** Set when a coordinator or person decided what follows a rejection. */
  decided?: boolean;
}

export interface Round {
  id: string;
  lane: Lane;
  /** `item:<key>`, `subagent:<id>`, `submission:<id>`, `blocker:<id>`, `message:<number>` or `goal`. The fence counts per lane target. */
  target: string;
  item?: string;
  attempt?: string;
  submission?: string;
  subagent?: string;
  /** Why a coordinator round was scheduled. */
  purpose?: CoordinatorPurpose;
  /** The message that it is to make an amendment of. */
  message?: number;
  /** The question that it is to route. */
  blocker?: { id: string; generation: number };
  fence: number;
  phase: 'scheduled' | 'claimed' | 'started';
  principal: PrincipalId;
  executor: Executor;
  goalVersion: number;
  planRevision: number;
  runner?: string;
  scheduledAt: number;
  /** Not heard of by then: dispatched again under the next fence. */
  dueBy: number;
  /** The first round after an empty one says so. */
  recovery: boolean;
  steps: number;
  /** Subjects of the last calls, newest last. */
  recent: string[];
  /** `steps` at the last milestone move that this round caused. */
  movedAtStep: number;
  drift: 'none' | 'watch' | 'parked';
  /** Applied changes this round caused. */
  progress: number;
  /** The last authorized call that has no record yet. */
  call?: { id: string; tool: string; argsDigest: string; subject: string; effect?: string; reserve?: Spent };
  /** Absent: nobody has to be asked for it. */
  grant?: GrantState;
  /** What it used so far; kept where there is a grant. */
  used?: Spent;
  /** Model calls, which are no steps. */
  modelCalls?: number;
}

export type CoordinatorPurpose = 'plan' | 'rejected' | 'stopped' | 'blocker' | 'upstream' | 'replan' | 'uncovered' | 'audit' | 'work' | 'intake' | 'amend';

export interface Subagent {
  id: string;
  /** Name within its parent Attempt: spawning the same name again is the same child. */
  name: string;
  parent: string;
  item: string;
  state: 'open' | 'returned' | 'failed' | 'cancelled' | 'lost';
  executor: Executor;
  attempts: number;
  /** What its rounds may use, out of its parent's. Absent: nothing that a model costs. */
  slice?: Spent;
  /** Digest of what its parent worked from: only an Attempt that works from the same takes it up. */
  basis?: string;
}

export interface Blocker {
  /** Stable: the same id again is the same blocker. */
  id: string;
  item?: string;
  reason: string;
  /** JSON Schema of the answer. */
  form: Json;
  recommended?: Json;
  owner: PrincipalId;
  raisedBy: PrincipalId;
  raisedAt: number;
  count: number;
  generation: number;
  /** Facts that the answer becomes: fact key under which the answer is recorded. */
  fact?: string;
  /** Absent: the work. */
  about?: BlockerSubject;
  /** A coordinator round looks at it first, one per generation; `owner`: one has, and left it. Absent: its owner's from the start. */
  route?: 'coordinator' | 'owner';
}

export type WaitKind = 'input' | 'approval' | 'review' | 'timer' | 'external' | 'subagent' | 'reconcile';

export interface Wait {
  id: string;
  kind: WaitKind;
  /** What a signal must name. */
  correlation: string;
  generation: number;
  /** The lane target whose next round waits for it. */
  target?: string;
  item?: string;
  submission?: string;
  /** Who is awaited. */
  owner: PrincipalId;
  /** JSON Schema of what is awaited, where a person answers. */
  form?: Json;
  due?: number;
  reason: string;
  armedAt: number;
}

export interface EarlySignal {
  correlation: string;
  generation: number;
  at: number;
  payloadDigest: string;
}

export interface Approval {
  id: string;
  state: 'asked' | 'approved';
  round: string;
  item?: string;
  tool: string;
  callDigest: string;
  askedAt: number;
  expiresAt: number;
  decidedBy?: PrincipalId;
}

export interface Effect {
  id: string;
  tool: string;
  key: string;
  callDigest: string;
  item?: string;
  attempt?: string;
  round: string;
  state: 'planned' | 'sent' | 'unknown';
  nonce: string;
  sendWithin: number;
  timeout: number;
  /** Past it an open effect is `unknown`. */
  horizon: number;
  approval?: string;
  /** Absent: only a person can find out what became of it. */
  probe?: EffectProbe;
}

export interface EffectProbe {
  /** Digest of the body that says how to ask. */
  body: string;
  /** How often it was asked; the fence of an answer. */
  tries: number;
  /** Ask then; null while nothing is to be asked. */
  nextAt: number | null;
  /** Asked, and the answer counts as lost past it. */
  dueBy: number | null;
}

export interface OpenCheck {
  id: string;
  key: string;
  /** The submission it judges, or null for a contract check. */
  submission: string | null;
  item: string | null;
  goalVersion: number;
  specDigest: string;
  /** The record it reads is that at this `seq`. */
  asOf: number;
  fence: number;
  askedAt: number;
  dueBy: number;
  tries: number;
}

export interface Receipt {
  id: string;
  key: string;
  checkDigest: string;
  pass: boolean;
  goalVersion: number;
  asOf: number;
  at: number;
  /** Number of the event that recorded it. */
  seq: number;
  /** Milliseconds since the epoch; absent: while its inputs are unchanged. */
  holdsUntil?: number;
  tries: number;
  /** It could not be run: neither pass nor fail; `pass` is false and proves nothing. */
  unknown?: boolean;
  retryAt?: number;
}

export interface Attestation {
  criterion: string;
  criterionDigest: string;
  holds: boolean;
  by: PrincipalId;
  at: number;
  goalVersion: number;
}

export type AuditClass = 'proven' | 'contradicted' | 'insufficient' | 'missing';
export interface Audit {
  goalVersion: number;
  at: number;
  seq: number;
  by: PrincipalId;
  classes: Record<string, { class: AuditClass; evidence: string[] }>;
}

export function emptyState(limits: Limits): State {
  return {
    seq: 0,
    at: 0,
    mode: 'bound',
    status: 'draft',
    goalVersion: 0,
    owner: 'host',
    title: '',
    createdAt: 0,
    confirmedAt: null,
    contract: null,
    limits,
    lanes: { reviewers: [] },
    execution: null,
    plan: null,
    proposals: {},
    items: {},
    rounds: {},
    subagents: {},
    blockers: {},
    waits: {},
    signals: {},
    approvals: {},
    effects: {},
    checks: {},
    receipts: {},
    attestations: {},
    audit: null,
    milestones: {},
    reviewList: { open: 0, resolved: 0 },
    ledger: { entries: 0, flagged: 0 },
    decisionsAsked: 0,
    facts: { keys: 0 },
    touched: { facts: 0, ledger: 0, reviewList: 0, acceptances: 0, sources: 0 },
    sources: {},
    deliverables: {},
    fences: {},
    streaks: {},
    budget: { rounds: 0, tokens: 0, money: 0, reservedTokens: 0, reservedMoney: 0 },
    spent: {},
    short: {},
    settling: {},
    itemLimits: {},
    stop: null,
    planAsked: null,
    intake: null,
    origin: null,
    given: null,
    finishAsked: false,
    uncovered: {},
    messages: { posted: 0, handled: 0 },
    completions: [],
    planRefusals: 0,
    planErrors: [],
    generations: {},
    closed: {},
    expiries: {},
    notes: {},
  };
}
