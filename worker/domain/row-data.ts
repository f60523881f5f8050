/** The data of the record's rows, by kind. `rows.ts` derives them from events; views and the book read them. `...Body` are digests of erasable bodies. */
import type { CriterionImpact } from './contract/lean.ts';
import type { Shape, ShapeReason } from './contract/shape.ts';
import type { ItemSpec } from './state.ts';
import type { Artifact, Executor, Json, Lane, PrincipalId } from './values.ts';
import type { BlockerSubject } from './work/routing.ts';

export interface RowData {
  /** id: `<goalVersion, 6 digits>` */
  goal_version: {
    goalVersion: number;
    title: string;
    contractBody: string | null;
    at: number;
    by: PrincipalId;
    reason: string;
    impact: { unaffected: string[]; reaffirm: string[]; superseded: string[] } | null;
    byCriterion?: CriterionImpact[];
    completedAt?: number;
    /** Proposed by an intake round. The body: `{why, questions}`. */
    draft?: { shape: Shape; because: ShapeReason[]; noteBody: string };
    /** The message that became this version. */
    message?: number;
  };
  proposal: {
    id: string;
    digest: string;
    documentBody: string;
    status: 'sealed' | 'pending' | 'adopted' | 'rejected' | 'superseded';
    by: PrincipalId;
    at: number;
    basedOn: number;
  };
  /** id: `<revision, 6 digits>` */
  revision: {
    revision: number;
    proposal: string;
    digest: string;
    documentBody: string;
    order: string[];
    added: string[];
    changed: string[];
    kept: string[];
    removed: string[];
    at: number;
    by: PrincipalId;
    goalVersion: number;
  };
  /** id: spec digest. The body: `{objective, deliverable, acceptance: [{id, text}], inputs, input}`. */
  item_spec: { key: string; spec: ItemSpec; specBody: string };
  assignment: { id: string; item: string; owner: PrincipalId; fence: number; at: number; releasedAt?: number; why?: string };
  attempt: {
    id: string;
    item: string;
    number: number;
    assignment: string;
    fence: number;
    state: string;
    by: PrincipalId;
    specDigest: string;
    goalVersion: number;
    openedAt: number;
    startedAt?: number;
    endedAt?: number;
    why?: string;
  };
  submission: {
    id: string;
    item: string;
    number: number;
    digest: string;
    attempt: string;
    by: PrincipalId;
    at: number;
    specDigest: string;
    goalVersion: number;
    planRevision: number;
    artifacts: Artifact[];
    inputsDigest: string;
    claims: { criterion: string; evidence: string[] }[];
    summaryBody: string;
    supersededBy?: string;
  };
  /** id: `<submission>/<seq>` */
  review: { submission: string; item: string; by: PrincipalId; verdict: string; criteria: { id: string; met: boolean }[]; stage: number; sceneBody: string | null; at: number };
  acceptance: {
    id: string;
    item: string;
    submission: string;
    submissionDigest: string;
    verdict: 'accepted' | 'changes_requested' | 'rejected';
    by: PrincipalId;
    specDigest: string;
    goalVersion: number;
    planRevision: number;
    criteria: string[];
    sceneBody: string | null;
    at: number;
    live: boolean;
    invalidated?: { at: number; by: PrincipalId; from: string | null; sceneBody: string; evidence: string[] };
  };
  round: {
    id: string;
    lane: Lane;
    target: string;
    item?: string;
    attempt?: string;
    submission?: string;
    subagent?: string;
    purpose?: string;
    fence: number;
    phase: 'scheduled' | 'claimed' | 'started' | 'ended';
    outcome?: string;
    why?: string;
    principal: PrincipalId;
    executor: Executor;
    goalVersion: number;
    planRevision: number;
    runner?: string;
    scheduledAt: number;
    claimedAt?: number;
    startedAt?: number;
    endedAt?: number;
    steps: number;
    recovery: boolean;
    progress?: boolean;
    /** Its workspace gave it a place, and a share of its budget. */
    granted?: true;
    /** Of a round that a model carries: `<provider>/<model>`, its agent profile, its window in tokens, and the built-in skills it was given. */
    model?: string;
    profile?: string;
    window?: number;
    skills?: { name: string; version: string }[];
    /** Model calls, which are not among its steps; and what it used so far. Money in millionths of the main unit. `assumed`: calls charged at their reservation. */
    modelCalls?: number;
    tokens?: number;
    money?: number;
    cacheRead?: number;
    cacheWrite?: number;
    assumed?: number;
  };
  /** id: `<round>/<n, 6 digits>`: a compaction of the round's conversation. `before` and `after` are estimates in tokens. */
  context: {
    round: string;
    n: number;
    phase: 'begun' | 'written' | 'done' | 'undone';
    fence: number;
    target: string;
    lane: Lane;
    before: number;
    after?: number;
    schema?: number;
    basis?: string;
    snapshotBody?: string;
    why?: string;
    begunAt: number;
    writtenAt?: number;
    endedAt?: number;
  };
  /** id: `<round>/<n, 6 digits>` */
  call: {
    id: string;
    round: string;
    tool: string;
    argsBody: string;
    argsDigest: string;
    subject: string;
    effect?: string;
    at: number;
    ok?: boolean;
    refused?: { code: string; ref: string };
    summaryBody?: string;
    /** The file that holds the whole answer, as JSON text. */
    kept?: { digest: string; size: number };
    ms?: number;
    endedAt?: number;
  };
  blocker: {
    id: string;
    item?: string;
    reason: string;
    form: Json;
    recommended?: Json;
    owner: PrincipalId;
    raisedBy: PrincipalId;
    raisedAt: number;
    count: number;
    generation: number;
    about?: BlockerSubject;
    route?: 'coordinator' | 'owner';
    state: 'open' | 'resolved' | 'withdrawn';
    answerBody?: string;
    resolvedBy?: PrincipalId;
    resolvedAt?: number;
    /** Of an agent's answer: what it rests on, and why. */
    evidence?: string[];
    because?: string;
    fact?: string;
  };
  wait: {
    id: string;
    kind: string;
    correlation: string;
    generation: number;
    item?: string;
    owner: PrincipalId;
    reason: string;
    armedAt: number;
    due?: number;
    state: 'armed' | 'released' | 'expired' | 'cancelled';
    endedAt?: number;
    payloadBody?: string;
  };
  effect: {
    id: string;
    tool: string;
    key: string;
    callDigest: string;
    item?: string;
    attempt?: string;
    round: string;
    state: 'planned' | 'sent' | 'succeeded' | 'failed' | 'unknown' | 'reconciled';
    outcome?: string;
    resultBody?: string | null;
    late?: boolean;
    reconciledBy?: PrincipalId;
    evidenceBody?: string;
    /** How often somebody outside was asked, and what was found the last time. */
    probes?: number;
    probed?: 'happened' | 'absent' | 'unclear';
    probeBody?: string;
    probedAt?: number;
    plannedAt: number;
    settledAt?: number;
  };
  /** id: the effect's key; the newest effect of that key. */
  effect_key: { effect: string };
  approval: {
    id: string;
    state: 'asked' | 'approved' | 'refused' | 'expired' | 'used';
    round: string;
    item?: string;
    tool: string;
    callDigest: string;
    callBody: string;
    askedAt: number;
    expiresAt: number;
    decidedBy?: PrincipalId;
    decidedAt?: number;
  };
  /** id: fact key; the current version. */
  fact: { key: string; version: number; valueBody: string; provenance: Json; by: PrincipalId; round?: string; at: number };
  /** id: `<key>@<version, 6 digits>` */
  fact_version: RowData['fact'];
  ledger: {
    id: string;
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
    at: number;
    /** The evidence that fell. `asked`: it was put up for a new verdict, which is the entry that replaces it. */
    flagged?: string;
    asked?: true;
    replacedBy?: string;
  };
  /** id: `<milestone or ->/<subject>`: the entry that stands. */
  ledger_subject: { entry: string; verdict: string };
  /** id: `<evidence ref>|<what rests on it>` */
  evidence_use: { evidence: string; used: string; kind: 'ledger' | 'submission' | 'acceptance' | 'invalidated'; at?: number; by?: PrincipalId; reasonBody?: string };
  /** id: `<milestone>/<subject>` */
  counted: { milestone: string; subject: string; how: 'decided' | 'parked' };
  /** id: `<milestone or ->/<subject>` */
  review_list: { subject: string; milestone?: string; noteBody: string; how: 'agent' | 'drift'; by: PrincipalId; at: number; state: 'open' | 'resolved'; resolutionBody?: string };
  /** id: number, 9 digits */
  message: {
    message: number;
    by: PrincipalId;
    textBody: string;
    at: number;
    handledBy?: string;
    round?: string;
    /** The version in force when it was said; absent in records older than this field. */
    goalVersion?: number;
    asks?: 'plan' | 'draft' | 'change';
    /** The goal version that it became. */
    became?: number;
  };
  /** id: `<topic>/<revision or entry, 6 digits>` */
  note: { topic: string; n: number; kind: 'revision' | 'entry'; textBody: string; by: PrincipalId; at: number };
  check: {
    id: string;
    key: string;
    submission: string | null;
    item: string | null;
    goalVersion: number;
    outside: boolean;
    askedAt: number;
    answeredAt?: number;
    pass?: boolean | null;
    tries: number;
  };
  receipt: {
    id: string;
    key: string;
    submission: string | null;
    item: string | null;
    pass: boolean | null;
    checkDigest: string;
    goalVersion: number;
    asOf: number;
    at: number;
    sceneBody: string | null;
    inputs: Record<string, string>;
    checker: string;
    holdsUntil?: number;
  };
  attestation: { criterion: string; holds: boolean; by: PrincipalId; at: number; goalVersion: number; statementBody: string };
  /** id: seq, 9 digits */
  audit: { goalVersion: number; by: PrincipalId; at: number; classes: Record<string, { class: string; evidence: string[] }>; notesBody: string };
  /** id: `<path>@<seq, 9 digits>` */
  artifact: { artifact: Artifact; role: 'source' | 'working' | 'deliverable'; at: number; by: PrincipalId };
  subagent: {
    id: string;
    name: string;
    parent: string;
    item: string;
    state: string;
    executor: Executor;
    /** The brief, or what is shown of one that `briefFile` holds whole, as JSON text. */
    briefBody: string;
    briefFile?: { digest: string; size: number };
    ok?: boolean;
    resultBody?: string;
    at: number;
    endedAt?: number;
  };
  /**
   * id: the call; without one the seq, 9 digits. Money in millionths of the main unit. `assumed`: nobody said, and it is what the call had set aside; late word takes its
   * place. `profile` is the principal of the round.
   */
  usage: {
    round: string | null;
    tokens: number;
    money: number;
    late: boolean;
    at: number;
    call?: string;
    item?: string;
    subagent?: string;
    lane?: Lane;
    profile?: PrincipalId;
    model?: string;
    cacheRead?: number;
    cacheWrite?: number;
    assumed?: true;
  };
  tasks: { round: string; tasksBody: string; at: number };
  late: { command: string; round: string | null; attempt: string | null; by: PrincipalId; at: number };
}
