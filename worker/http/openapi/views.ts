/** The views that answers and frames are made of, as schemas. They say what `domain/views/types.ts` says: where they differ they do not compile. */
import { z } from 'zod';
import { goalOrigin } from '../../domain/commands.ts';
import { contract } from '../../domain/contract/contract.ts';
import { shapeReasons, shapes } from '../../domain/contract/shape.ts';
import { dependency, itemKinds, output, reviewStage } from '../../domain/plan/document.ts';
import { artifactRef, checkSpec, scene, setRef } from '../../domain/planes/check-spec.ts';
import { blockerSubjects } from '../../domain/work/routing.ts';
import { artifact, executor, foreignJson, lanes } from '../../domain/values.ts';
import type * as views from '../../domain/views/types.ts';
import type { AssignmentView } from '../../domain/views/assignment.ts';
import { named, part } from './parts.ts';

export const anyJson = foreignJson;
/** Milliseconds since the epoch. */
export const time = z.int().min(0);
export const count = z.int().min(0);
const lane = z.enum(lanes);
const principal = z.string();

named('Json', foreignJson);
named('Contract', contract);
named('Check', checkSpec);
named('Executor', executor);
named('File', artifact);
named('FileOrDeliverable', artifactRef);
named('Set', setRef);
named('Scene', scene);

const roundRef = z.strictObject({ id: z.string(), lane, item: z.string().optional() });
const counted = z.strictObject({ count, head: z.array(z.string()) });
const spentByWorkspace = z.strictObject({ window: z.enum(['day', 'month', 'total']), used: z.number(), reserved: z.number(), of: z.number() });
const remains = z.strictObject({ items: counted, criteria: counted });
const waitKind = z.enum(['input', 'approval', 'review', 'timer', 'external', 'subagent', 'reconcile']);
const itemState = z.enum(['superseded', 'cancelled', 'accepted', 'blocked', 'submitted', 'rejected', 'running', 'changes_requested', 'assigned', 'ready', 'locked']);
const mode = z.enum(['goal_only', 'graph_only', 'bound']);
const status = z.enum(['draft', 'active', 'paused', 'completed', 'cancelled']);

const why = part<views.Why>()(
  'Why',
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('terminal'), status: z.enum(['completed', 'cancelled']) }),
    z.strictObject({ kind: z.literal('draft') }),
    z.strictObject({ kind: z.literal('paused') }),
    z.strictObject({
      kind: z.literal('budget'),
      limit: z.string(),
      used: z.number(),
      of: z.number(),
      scope: z.enum(['goal', 'item', 'subagent', 'workspace']).optional(),
      item: z.string().optional(),
      reserved: z.number().optional(),
      needed: z.number().optional(),
      remains,
    }),
    z.strictObject({ kind: z.literal('deadline'), at: time }),
    z.strictObject({ kind: z.literal('running'), rounds: z.array(roundRef) }),
    z.strictObject({ kind: z.literal('ready'), rounds: z.array(roundRef) }),
    z.strictObject({
      kind: z.literal('queued'),
      by: z.enum(['places', 'reserved', 'budget', 'connection']),
      limit: z.enum(['tokens', 'money']).optional(),
      spent: spentByWorkspace.optional(),
      connection: z.strictObject({ setting: z.string(), code: z.string(), detail: z.string(), person: z.boolean() }).optional(),
      needed: z.number().optional(),
      rounds: z.array(roundRef),
      remains: remains.optional(),
    }),
    z.strictObject({ kind: z.literal('checking'), checks: z.array(z.string()) }),
    z.strictObject({ kind: z.literal('waiting'), kinds: z.array(waitKind) }),
    z.strictObject({ kind: z.literal('blocked'), blockers: z.array(z.string()) }),
    z.strictObject({ kind: z.literal('no_progress'), items: z.array(z.string()) }),
    z.strictObject({ kind: z.literal('suspended'), detail: anyJson }),
  ]),
);

export const acts = z.enum(['confirm', 'resume', 'raise_limit', 'set_connection', 'run', 'check', 'answer', 'decide', 'review', 'attest', 'reconcile', 'signal', 'time', 'carry']);

export const next = part<views.Next>()(
  'Next',
  z.strictObject({
    goalVersion: count,
    seq: count,
    why,
    who: z.array(
      z.strictObject({
        mover: principal,
        act: acts,
        ref: z.string(),
        due: time.optional(),
        missing: principal.optional(),
      }),
    ),
  }),
);

const blocker = part<views.BlockerView>()(
  'Blocker',
  z.strictObject({
    id: z.string(),
    item: z.string().optional(),
    reason: z.string(),
    /** JSON Schema of the answer. */
    form: anyJson,
    recommended: anyJson.optional(),
    owner: principal,
    raisedAt: time,
    generation: count,
    about: z.enum(blockerSubjects).optional(),
    route: z.enum(['coordinator', 'owner']).optional(),
  }),
);

const budgetOf = { used: z.number(), reserved: z.number(), of: z.number(), remaining: z.number() };

const intakeStanding = z.enum(['none', 'running', 'ready', 'uncarried', 'drafted', 'written', 'later', 'given_up']);
export const bar = part<views.GoalBar>()(
  'GoalBar',
  z.strictObject({
    title: z.string(),
    mode,
    status,
    goalVersion: count,
    planRevision: count,
    seq: count,
    at: time,
    next,
    criteria: z.array(
      z.strictObject({ id: z.string(), verify: z.enum(['check', 'review', 'attest']), class: z.enum(['proven', 'contradicted', 'insufficient', 'missing', 'open']) }),
    ),
    items: z.strictObject({ required: count, accepted: count, total: count, byState: z.partialRecord(itemState, count) }),
    milestones: z.array(z.strictObject({ key: z.string(), title: z.string(), count, target: count.nullable() })),
    reviewList: z.strictObject({ open: count }),
    ledger: z.strictObject({ entries: count, asked: count }),
    budget: z.strictObject({
      rounds: z.strictObject({ used: count, of: count }),
      time: z.strictObject({ startedAt: time.nullable(), until: time.nullable() }),
      tokens: z.strictObject(budgetOf),
      money: z.strictObject({ ...budgetOf, currency: z.string().nullable() }),
    }),
    graphClosed: z.boolean(),
    goalAudited: z.boolean(),
    blockers: z.array(blocker),
    waits: z.array(
      z.strictObject({
        id: z.string(),
        kind: waitKind,
        owner: principal,
        reason: z.string(),
        form: anyJson.optional(),
        due: time.optional(),
        item: z.string().optional(),
        correlation: z.string(),
        generation: count,
      }),
    ),
    completions: z.array(z.strictObject({ goalVersion: count, at: time })),
    messages: z.strictObject({ posted: count, handled: count }),
    origin: z
      .strictObject({
        template: goalOrigin.shape.template,
        by: goalOrigin.shape.by,
        trigger: goalOrigin.shape.trigger,
        parametersBody: z.string(),
      })
      .optional(),
    amendment: z.strictObject({ id: z.string(), message: count, basedOn: count, by: principal, at: time, body: z.string() }).optional(),
    intake: z
      .strictObject({
        standing: intakeStanding,
        until: time.optional(),
        rounds: z.strictObject({ used: count, of: count }),
        proposal: z.strictObject({ goalVersion: count, shape: z.enum(shapes), because: z.array(z.enum(shapeReasons)), note: z.string() }).optional(),
      })
      .optional(),
  }),
);

const child = z.strictObject({ id: z.string(), name: z.string(), state: z.string() });

const node = part<views.GraphNode>()(
  'GraphNode',
  z.strictObject({
    key: z.string(),
    title: z.string(),
    kind: z.enum(itemKinds),
    parent: z.string().optional(),
    required: z.boolean(),
    state: itemState,
    version: count,
    inputs: z.strictObject({ accepted: count, of: count, missing: z.array(z.string()) }),
    unlocks: z.array(z.string()),
    attempts: count,
    submissions: count,
    returns: z.array(z.strictObject({ submission: count, by: principal, summary: z.string(), from: z.string().optional() })),
    executor: executor.optional(),
    owner: principal.optional(),
    round: z.strictObject({ id: z.string(), lane, phase: z.string(), steps: count, drift: z.enum(['none', 'watch', 'parked']) }).optional(),
    blocker: z.string().optional(),
    stop: z.string().optional(),
    milestone: z.strictObject({ key: z.string(), count, target: count.nullable() }).optional(),
    children: z.array(child),
    reaffirm: z.string().optional(),
  }),
);
const edge = part<views.GraphEdge>()('GraphEdge', z.strictObject({ from: z.string(), to: z.string(), kind: z.enum(['hard', 'soft']), satisfied: z.boolean() }));
const process = z.array(z.strictObject({ kind: z.enum(['loop_back', 'retry', 'guard']), from: z.string(), to: z.string(), label: z.string(), at: time }));
export const graph = part<views.GraphView>()(
  'GraphView',
  z.strictObject({ seq: count, revision: count, nodes: z.array(node), edges: z.array(edge), process, truncated: z.boolean() }),
);

const itemSpec = z.strictObject({
  key: z.string(),
  kind: z.enum(itemKinds),
  title: z.string(),
  covers: z.array(z.string()),
  acceptance: z.array(z.string()),
  outputs: z.array(output),
  dependsOn: z.array(dependency),
  parent: z.string().optional(),
  required: z.boolean(),
  executor: executor.optional(),
  review: z.array(reviewStage),
  checks: z.array(checkSpec),
  limits: z.strictObject({ attempts: count.optional(), stepsPerRound: count.optional(), tokens: count.optional(), money: count.optional() }),
});
const claims = z.array(z.strictObject({ criterion: z.string(), evidence: z.array(z.string()) }));
export const item = part<views.ItemView>()(
  'ItemView',
  z.strictObject({
    seq: count,
    node,
    specDigest: z.string(),
    spec: itemSpec.extend({
      objective: z.string(),
      deliverable: z.string(),
      acceptanceTexts: z.array(z.strictObject({ id: z.string(), text: z.string() })),
      inputs: z.array(z.string()),
    }),
    attempts: z.array(
      z.strictObject({
        id: z.string(),
        number: count,
        state: z.string(),
        by: principal,
        fence: count,
        startedAt: time.optional(),
        endedAt: time.optional(),
        reason: z.string().optional(),
      }),
    ),
    submissions: z.array(
      z.strictObject({
        id: z.string(),
        number: count,
        digest: z.string(),
        attempt: z.string(),
        by: principal,
        at: time,
        summary: z.string(),
        artifacts: z.array(artifact),
        claims,
        fallen: z.array(z.string()),
        verdicts: z.array(
          z.strictObject({
            id: z.string(),
            verdict: z.string(),
            by: principal,
            at: time,
            scene: scene.optional(),
            live: z.boolean(),
            invalidated: z.string().optional(),
          }),
        ),
        checks: z.array(z.strictObject({ key: z.string(), title: z.string().optional(), pass: z.boolean().nullable(), scene: scene.optional(), at: time })),
      }),
    ),
  }),
);

export const packet = part<views.ResumePacket>()(
  'ResumePacket',
  z.strictObject({
    goalVersion: count,
    planRevision: count,
    seq: count,
    milestones: z.array(z.strictObject({ key: z.string(), title: z.string(), count, target: count.nullable() })),
    next: z.strictObject({ ready: z.array(z.string()), blocked: z.array(z.string()), submitted: z.array(z.string()), counts: z.record(z.string(), count) }),
    decisions: z.array(z.strictObject({ subject: z.string(), verdict: z.string(), reason: z.string(), done: z.string() })),
    fallen: z.strictObject({ count, head: z.array(z.strictObject({ id: z.string(), subject: z.string(), verdict: z.string(), evidence: z.string() })) }).optional(),
    reviewList: counted,
    effects: z.array(z.strictObject({ id: z.string(), tool: z.string(), state: z.string() })),
    approvals: z.array(z.strictObject({ id: z.string(), tool: z.string(), state: z.string() })),
    children: z.array(child),
    facts: z.strictObject({ count, keys: z.array(z.string()) }),
    messages: z.strictObject({ count, head: z.array(z.strictObject({ message: count, by: principal, text: z.string(), goalVersion: count, older: z.boolean() })) }),
    feedback: z.array(z.strictObject({ submission: z.string(), by: principal, verdict: z.string(), scene: scene.nullable() })),
    before: z.strictObject({ round: z.string(), outcome: z.string(), at: time }).nullable(),
    recovery: z.boolean(),
    rest: z.record(z.string(), z.string()),
  }),
);

const roundItem = z.strictObject({
  key: z.string(),
  title: z.string(),
  objective: z.string(),
  deliverable: z.string(),
  acceptance: z.array(z.strictObject({ id: z.string(), text: z.string() })),
  covers: z.array(z.string()),
  inputs: z.array(z.string()),
  input: anyJson,
  attempt: z.string(),
  attemptNumber: count,
  specDigest: z.string(),
});
export const assignment = part<AssignmentView>()(
  'Assignment',
  z.strictObject({
    item: roundItem,
    holder: principal,
    fence: count,
    state: z.enum(['pending', 'running', 'succeeded', 'failed', 'interrupted', 'lost', 'cancelled']),
    leaseUntil: time.nullable(),
    claimedVersion: count,
    goalVersion: count,
    planRevision: count,
    contract: contract.nullable(),
    packet,
    sources: z.array(artifact),
    upstream: z.array(z.strictObject({ item: z.string(), submission: z.string(), artifacts: z.array(artifact), summary: z.string() })),
    working: z.array(artifact),
  }),
);

export const event = part<views.EventView>()(
  'Event',
  z.strictObject({
    seq: count,
    at: time,
    type: z.string(),
    by: principal,
    item: z.string().optional(),
    attempt: z.string().optional(),
    round: z.string().optional(),
    submission: z.string().optional(),
    data: anyJson,
  }),
);

export const frame = part<views.Frame>()(
  'Frame',
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('snapshot'), seq: count, bar, graph, events: z.array(event), contract: contract.nullable() }),
    z.strictObject({
      kind: z.literal('update'),
      seq: count,
      events: z.array(event),
      bar,
      nodes: z.array(node).optional(),
      edges: z.array(edge).optional(),
      process: process.optional(),
      graph: graph.optional(),
      contract: contract.nullable().optional(),
    }),
    z.strictObject({ kind: z.literal('stream'), round: z.string(), lane, item: z.string().optional(), text: z.string(), done: z.boolean() }),
    z.strictObject({ kind: z.literal('error'), code: z.string() }),
  ]),
);

export const summary = part<views.GoalSummary>()(
  'GoalSummary',
  z.strictObject({
    goal: z.string(),
    title: z.string(),
    mode: z.string(),
    status: z.string(),
    why: z.string(),
    goalVersion: count,
    planRevision: count,
    needsYou: count,
    wakeAt: time.nullable(),
    createdAt: time,
    updatedAt: time,
    seq: count,
    milestones: z.array(z.strictObject({ key: z.string(), count, target: count.nullable() })),
    accepted: count,
    requiredItems: count,
    budget: anyJson,
  }),
);

export const goalsFrame = part<views.GoalsFrame>()(
  'GoalsFrame',
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('snapshot'), seq: count, goals: z.array(summary), truncated: z.boolean() }),
    z.strictObject({ kind: z.literal('update'), seq: count, goals: z.array(summary), gone: z.array(z.string()) }),
    z.strictObject({ kind: z.literal('error'), code: z.string() }),
  ]),
);
