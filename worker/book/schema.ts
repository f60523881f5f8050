/**
 * D1's tables: the workspace's book. Written only by the projection (`project.ts`), read by lists, histories and sweeps (`queries.ts`).
 *
 * Every table holds whole images of the record's rows: `data` is the row as the Goal keeps it, the other columns are what SQL filters, joins and sorts by.
 * Texts and values that could identify a person are not here but in `bodies`, by digest, so that erasing them is deleting them in one place.
 *
 * `migrations/*.sql` is written from this file (`npx drizzle-kit generate`); `schema.test.ts` holds the two equal.
 */
import { type AnySQLiteColumn, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * On every row. `seq`: of the event that wrote this image; a lower one never replaces a higher. `at`: when the thing came to be, milliseconds, never changes:
 * lists are cut by it. `executionId`: the execution that was open then; null outside one.
 */
const common = {
  workspaceId: text('workspace_id').notNull(),
  goalId: text('goal_id').notNull(),
  executionId: text('execution_id'),
  id: text('id').notNull(),
  item: text('item'),
  attempt: text('attempt'),
  seq: integer('seq').notNull(),
  at: integer('at').notNull(),
  data: text('data').notNull(),
};

type Keyed = Record<'workspaceId' | 'goalId' | 'id' | 'at', AnySQLiteColumn>;

/** The composite key, and the order that lists of one goal and of a workspace are cut by. */
function keyed(name: string, table: Keyed) {
  return [
    primaryKey({ columns: [table.workspaceId, table.goalId, table.id] }),
    index(`${name}_of_goal`).on(table.workspaceId, table.goalId, table.at, table.id),
    index(`${name}_of_workspace`).on(table.workspaceId, table.at, table.goalId, table.id),
  ];
}

/** One per Goal. `data` is the summary that lists show (`goal-row.ts`). */
export const goals = sqliteTable(
  'goals',
  {
    workspaceId: text('workspace_id').notNull(),
    goalId: text('goal_id').notNull(),
    executionId: text('execution_id'),
    title: text('title').notNull(),
    mode: text('mode').notNull(),
    status: text('status').notNull(),
    /** The one reason why it goes on or has stopped. */
    why: text('why').notNull(),
    goalVersion: integer('goal_version').notNull(),
    planRevision: integer('plan_revision').notNull(),
    /** How many things wait for a person. */
    needsYou: integer('needs_you').notNull(),
    /** When the host must look at it again, at the latest; null: nothing is due. The sweep pokes what is overdue. */
    wakeAt: integer('wake_at'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    /** `seq` of this summary. It may be ahead of the rows. */
    seq: integer('seq').notNull(),
    /** Every row up to this `seq` is in the book. Written last in a batch. */
    projectedSeq: integer('projected_seq').notNull(),
    /** 1: its content was deleted for good; nothing is written for it any more. */
    erased: integer('erased').notNull().default(0),
    data: text('data').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.goalId] }),
    index('goals_by_creation').on(table.workspaceId, table.createdAt, table.goalId),
    index('goals_by_status').on(table.workspaceId, table.status, table.createdAt, table.goalId),
    index('goals_by_wake').on(table.wakeAt),
  ],
);

/** Texts that rows refer to by digest. Deleting a row here erases the text. */
export const bodies = sqliteTable(
  'bodies',
  { workspaceId: text('workspace_id').notNull(), goalId: text('goal_id').notNull(), digest: text('digest').notNull(), value: text('value').notNull() },
  (table) => [primaryKey({ columns: [table.workspaceId, table.goalId, table.digest] })],
);

export const executions = sqliteTable('executions', { ...common, status: text('status').notNull() }, (table) => keyed('executions', table));

export const goalVersions = sqliteTable(
  'goal_versions',
  {
    ...common,
    goalVersion: integer('goal_version').notNull(),
    title: text('title').notNull(),
    contractBody: text('contract_body'),
    reason: text('reason').notNull(),
    by: text('by').notNull(),
    completedAt: integer('completed_at'),
  },
  (table) => keyed('goal_versions', table),
);

export const planProposals = sqliteTable(
  'plan_proposals',
  {
    ...common,
    digest: text('digest').notNull(),
    documentBody: text('document_body').notNull(),
    status: text('status').notNull(),
    by: text('by').notNull(),
    basedOn: integer('based_on').notNull(),
  },
  (table) => keyed('plan_proposals', table),
);

export const planRevisions = sqliteTable(
  'plan_revisions',
  {
    ...common,
    revision: integer('revision').notNull(),
    proposal: text('proposal').notNull(),
    digest: text('digest').notNull(),
    documentBody: text('document_body').notNull(),
    by: text('by').notNull(),
    goalVersion: integer('goal_version').notNull(),
  },
  (table) => keyed('plan_revisions', table),
);

/** Items of the active revision and those that were in it, with the state that was derived at `seq`. `id` is the item's key. */
export const workItems = sqliteTable(
  'work_items',
  {
    ...common,
    state: text('state').notNull(),
    title: text('title').notNull(),
    kind: text('kind').notNull(),
    required: integer('required').notNull(),
    specDigest: text('spec_digest').notNull(),
    version: integer('version').notNull(),
    attempts: integer('attempts').notNull(),
    submissions: integer('submissions').notNull(),
  },
  (table) => [...keyed('work_items', table), index('work_items_by_state').on(table.workspaceId, table.state)],
);

export const assignments = sqliteTable(
  'assignments',
  { ...common, owner: text('owner').notNull(), fence: integer('fence').notNull(), releasedAt: integer('released_at'), why: text('why') },
  (table) => keyed('assignments', table),
);

export const attempts = sqliteTable(
  'attempts',
  {
    ...common,
    number: integer('number').notNull(),
    assignment: text('assignment').notNull(),
    fence: integer('fence').notNull(),
    state: text('state').notNull(),
    by: text('by').notNull(),
    specDigest: text('spec_digest').notNull(),
    goalVersion: integer('goal_version').notNull(),
    startedAt: integer('started_at'),
    endedAt: integer('ended_at'),
    why: text('why'),
  },
  (table) => [...keyed('attempts', table), index('attempts_by_item').on(table.workspaceId, table.goalId, table.item)],
);

export const submissions = sqliteTable(
  'submissions',
  {
    ...common,
    number: integer('number').notNull(),
    digest: text('digest').notNull(),
    by: text('by').notNull(),
    specDigest: text('spec_digest').notNull(),
    goalVersion: integer('goal_version').notNull(),
    planRevision: integer('plan_revision').notNull(),
    inputsDigest: text('inputs_digest').notNull(),
    summaryBody: text('summary_body').notNull(),
    supersededBy: text('superseded_by'),
  },
  (table) => [...keyed('submissions', table), index('submissions_by_item').on(table.workspaceId, table.goalId, table.item)],
);

export const reviews = sqliteTable(
  'reviews',
  {
    ...common,
    submission: text('submission').notNull(),
    by: text('by').notNull(),
    verdict: text('verdict').notNull(),
    stage: integer('stage').notNull(),
    sceneBody: text('scene_body'),
  },
  (table) => [...keyed('reviews', table), index('reviews_by_submission').on(table.workspaceId, table.goalId, table.submission)],
);

export const acceptances = sqliteTable(
  'acceptances',
  {
    ...common,
    submission: text('submission').notNull(),
    submissionDigest: text('submission_digest').notNull(),
    verdict: text('verdict').notNull(),
    by: text('by').notNull(),
    goalVersion: integer('goal_version').notNull(),
    planRevision: integer('plan_revision').notNull(),
    sceneBody: text('scene_body'),
    /** 0: a later event invalidated it, or it was judged anew. */
    live: integer('live').notNull(),
    invalidatedAt: integer('invalidated_at'),
    invalidatedBy: text('invalidated_by'),
    invalidatedSceneBody: text('invalidated_scene_body'),
  },
  (table) => [...keyed('acceptances', table), index('acceptances_by_submission').on(table.workspaceId, table.goalId, table.submission)],
);

export const rounds = sqliteTable(
  'rounds',
  {
    ...common,
    lane: text('lane').notNull(),
    target: text('target').notNull(),
    phase: text('phase').notNull(),
    outcome: text('outcome'),
    why: text('why'),
    principal: text('principal').notNull(),
    fence: integer('fence').notNull(),
    goalVersion: integer('goal_version').notNull(),
    planRevision: integer('plan_revision').notNull(),
    claimedAt: integer('claimed_at'),
    startedAt: integer('started_at'),
    endedAt: integer('ended_at'),
    steps: integer('steps').notNull(),
  },
  (table) => keyed('rounds', table),
);

export const blockers = sqliteTable(
  'blockers',
  {
    ...common,
    reason: text('reason').notNull(),
    owner: text('owner').notNull(),
    state: text('state').notNull(),
    count: integer('count').notNull(),
    answerBody: text('answer_body'),
    resolvedBy: text('resolved_by'),
    resolvedAt: integer('resolved_at'),
  },
  (table) => [...keyed('blockers', table), index('blockers_by_state').on(table.workspaceId, table.state)],
);

export const ledger = sqliteTable(
  'ledger',
  {
    ...common,
    subject: text('subject').notNull(),
    milestone: text('milestone'),
    verdict: text('verdict').notNull(),
    reasonBody: text('reason_body').notNull(),
    by: text('by').notNull(),
    round: text('round'),
    flagged: text('flagged'),
    replacedBy: text('replaced_by'),
  },
  (table) => [...keyed('ledger', table), index('ledger_by_subject').on(table.workspaceId, table.goalId, table.subject)],
);

/** What rests on a piece of evidence. `evidence` is the reference with its section. */
export const evidenceUses = sqliteTable(
  'evidence_uses',
  { ...common, evidence: text('evidence').notNull(), used: text('used').notNull(), kind: text('kind').notNull() },
  (table) => [...keyed('evidence_uses', table), index('evidence_uses_by_evidence').on(table.workspaceId, table.evidence)],
);

export const waits = sqliteTable(
  'waits',
  {
    ...common,
    kind: text('kind').notNull(),
    owner: text('owner').notNull(),
    reason: text('reason').notNull(),
    generation: integer('generation').notNull(),
    due: integer('due'),
    state: text('state').notNull(),
    endedAt: integer('ended_at'),
  },
  (table) => [...keyed('waits', table), index('waits_by_state').on(table.workspaceId, table.state)],
);

export const approvals = sqliteTable(
  'approvals',
  {
    ...common,
    state: text('state').notNull(),
    round: text('round').notNull(),
    tool: text('tool').notNull(),
    callDigest: text('call_digest').notNull(),
    callBody: text('call_body').notNull(),
    expiresAt: integer('expires_at').notNull(),
    decidedBy: text('decided_by'),
    decidedAt: integer('decided_at'),
  },
  (table) => [...keyed('approvals', table), index('approvals_by_state').on(table.workspaceId, table.state)],
);

/** What models used: one row per call, corrected in place. Money in millionths of the main unit of the Goal's currency. */
export const usage = sqliteTable(
  'usage',
  {
    ...common,
    round: text('round'),
    lane: text('lane'),
    subagent: text('subagent'),
    /** The principal of the round, e.g. `agent:worker`, and what it ran on. */
    profile: text('profile'),
    model: text('model'),
    tokens: integer('tokens').notNull(),
    money: integer('money').notNull(),
    cacheRead: integer('cache_read').notNull(),
    cacheWrite: integer('cache_write').notNull(),
    /** 1: nobody said, and it is what the call had set aside. */
    assumed: integer('assumed').notNull(),
  },
  (table) => keyed('usage', table),
);

export const effects = sqliteTable(
  'effects',
  {
    ...common,
    tool: text('tool').notNull(),
    key: text('key').notNull(),
    callDigest: text('call_digest').notNull(),
    round: text('round').notNull(),
    state: text('state').notNull(),
    outcome: text('outcome'),
    settledAt: integer('settled_at'),
  },
  (table) => [...keyed('effects', table), index('effects_by_state').on(table.workspaceId, table.state)],
);

/** Messages of the queue that could not be handed over however often they were tried. Written by the consumer of the dead-letter queue; a message without a readable workspace is under `-`. */
export const deadLetters = sqliteTable(
  'dead_letters',
  {
    workspaceId: text('workspace_id').notNull(),
    goalId: text('goal_id').notNull(),
    /** Of the message. */
    id: text('id').notNull(),
    kind: text('kind').notNull(),
    /** The round or check that it was to hand over. */
    ref: text('ref').notNull(),
    fence: integer('fence').notNull(),
    /** When it was sent, and when it was given up; milliseconds. */
    sentAt: integer('sent_at').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.id] }), index('dead_letters_of_workspace').on(table.workspaceId, table.at, table.id)],
);
