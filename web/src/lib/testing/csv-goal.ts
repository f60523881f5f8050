/** A goal in the middle of its work, for tests and pictures: one return, one item running, one question, two locked. Typed by the server's own shapes. */
import type { GoalSummary } from '../api/client.ts';
import type { Contract, EventView, Frame, GoalBar, GraphEdge, GraphNode, GraphView, ItemView, Json } from '../api/types.ts';

export const goalId = 'goal_0000000000000000000000000000csv1';
/** Three minutes to noon, some day. */
export const t0 = Date.UTC(2026, 10, 30, 11, 57, 0);
const minute = 60_000;

const digest = (letter: string): string => letter.repeat(64);

export const contract: Contract = {
  title: 'Batch CSV export for the record list',
  objective:
    'Let people export the records they selected as a CSV file that opens right in their spreadsheet program: the selected records and columns in their order, no garbled text, no lost digits, nothing that runs as a formula.\n\nA large export stays within bounds, a cancelled or failed one leaves no file and says so.',
  criteria: [
    { id: 'records', text: 'Selected records, fields and order are right, and reading the file back gives the original values.', verify: 'check', checks: ['delivered-records'] },
    { id: 'opens', text: 'The delivered file opens right in the spreadsheet program that a person named.', verify: 'check', checks: ['delivered-opens'] },
    { id: 'permissions', text: 'It is settled who may export which columns, and every export leaves an audit entry.', verify: 'review', checks: [] },
    { id: 'pleasant', text: 'Someone who exports every week finds it no slower than before.', verify: 'attest', checks: [] },
  ],
  nonGoals: [
    { id: 'source-records', text: 'The records themselves are not changed, and nothing is sent to another system.', forbids: [] },
    { id: 'other-formats', text: 'No other format than CSV is exported.', forbids: [] },
  ],
  checks: [],
  milestones: [],
  limits: {
    rounds: 80,
    wallTimeMs: 7 * 86_400_000,
    parallelRounds: 4,
    emptyRounds: 2,
    attempts: 5,
    stepsPerRound: 5000,
    drift: { window: 8, stride: 10 },
    tokens: 10_000_000,
    money: { amount: 2000, currency: 'USD' },
  },
  policies: [],
  planPolicy: 'auto',
};

const skill = 'skill:csv-export';

function node(key: string, title: string, state: GraphNode['state'], more: Partial<GraphNode> = {}): GraphNode {
  return {
    key,
    title,
    kind: 'produce',
    required: true,
    state,
    version: 1,
    inputs: { accepted: 0, of: 0, missing: [] },
    unlocks: [],
    attempts: 0,
    submissions: 0,
    returns: [],
    children: [],
    ...more,
  };
}

export const garbled = 'Opened as Excel would: 中文 opens garbled, cell B2 of row 1';

export const nodes: GraphNode[] = [
  node('requirements', 'Requirements and permissions', 'accepted', { attempts: 1, submissions: 1, owner: `${skill}/requirements`, unlocks: ['server', 'client'] }),
  node('server', 'Server export', 'running', {
    attempts: 2,
    submissions: 1,
    version: 9,
    inputs: { accepted: 1, of: 1, missing: [] },
    unlocks: ['compatibility', 'documentation'],
    owner: `${skill}/server`,
    returns: [{ submission: 1, by: 'host', summary: garbled }],
    round: { id: 'r9', lane: 'worker', phase: 'started', steps: 14, drift: 'none' },
  }),
  node('client', 'Client selection and feedback', 'accepted', {
    attempts: 1,
    submissions: 1,
    inputs: { accepted: 1, of: 1, missing: [] },
    owner: `${skill}/client`,
    unlocks: ['documentation'],
  }),
  node('compatibility', 'Compatibility check', 'locked', { kind: 'verify', inputs: { accepted: 0, of: 1, missing: ['server'] }, unlocks: ['integrated'] }),
  node('documentation', 'Documentation', 'locked', { inputs: { accepted: 1, of: 2, missing: ['server'] }, unlocks: ['integrated'] }),
  node('integrated', 'Integrated acceptance', 'locked', { kind: 'integrate', inputs: { accepted: 0, of: 2, missing: ['compatibility', 'documentation'] } }),
];

const edge = (from: string, to: string, satisfied: boolean, kind: GraphEdge['kind'] = 'hard'): GraphEdge => ({ from, to, kind, satisfied });
export const edges: GraphEdge[] = [
  edge('requirements', 'server', true),
  edge('requirements', 'client', true),
  edge('server', 'compatibility', false),
  edge('server', 'documentation', false),
  edge('client', 'documentation', true),
  edge('compatibility', 'integrated', false),
  edge('documentation', 'integrated', false),
];

export const graph: GraphView = { seq: 64, revision: 1, nodes, edges, process: [], truncated: false };

export const bar: GoalBar = {
  title: contract.title,
  mode: 'bound',
  status: 'active',
  goalVersion: 2,
  planRevision: 1,
  seq: 64,
  at: t0 + 7 * minute,
  next: { goalVersion: 2, seq: 64, why: { kind: 'running', rounds: [{ id: 'r9', lane: 'worker', item: 'server' }] }, who: [{ mover: `${skill}/server`, act: 'run', ref: 'r9' }] },
  criteria: [
    { id: 'records', verify: 'check', class: 'proven' },
    { id: 'opens', verify: 'check', class: 'contradicted' },
    { id: 'permissions', verify: 'review', class: 'open' },
    { id: 'pleasant', verify: 'attest', class: 'open' },
  ],
  items: { required: 6, accepted: 2, total: 6, byState: { accepted: 2, running: 1, locked: 3 } },
  milestones: [],
  reviewList: { open: 0 },
  ledger: { entries: 0, asked: 0 },
  budget: {
    rounds: { used: 9, of: 80 },
    time: { startedAt: t0, until: t0 + 7 * 86_400_000 },
    tokens: { used: 0, reserved: 0, of: 10_000_000, remaining: 10_000_000 },
    money: { used: 0, reserved: 0, of: 20_000_000, remaining: 20_000_000, currency: 'USD' },
  },
  graphClosed: false,
  goalAudited: false,
  blockers: [],
  waits: [],
  completions: [],
  messages: { posted: 0, handled: 0 },
};

export const question: GoalBar['blockers'][number] = {
  id: 'blk_program',
  item: 'server',
  reason: 'Which spreadsheet program must open the exported file?',
  owner: 'person:local',
  raisedAt: t0 + minute,
  generation: 1,
  form: {
    type: 'object',
    properties: {
      program: {
        type: 'string',
        title: 'Program',
        oneOf: [
          { const: 'excel-zh', title: 'Microsoft Excel (Chinese Windows)' },
          { const: 'libreoffice', title: 'LibreOffice' },
          { const: 'wps', title: 'WPS Office' },
        ],
      },
    },
    required: ['program'],
    additionalProperties: false,
  },
  recommended: { program: 'excel-zh' },
};

let seq = 0;
function event(at: number, type: string, by: string, data: Json, more: Partial<EventView> = {}): EventView {
  seq += 1;
  return { seq, at, type, by, data, ...more };
}

function script(): EventView[] {
  seq = 0;
  const server = { item: 'server', attempt: 'att_2', round: 'r4' };
  const calls = (from: number, count: number, round: string, attempt: string): EventView[] =>
    Array.from({ length: count }, (_, index) => [
      event(
        from + index * 400,
        'call.authorized',
        `${skill}/server`,
        { call: `${round}/${index}`, round, tool: 'files.read', subject: `records/${index}.json` },
        { item: 'server', attempt, round },
      ),
      event(from + index * 400 + 120, 'call.recorded', `${skill}/server`, { call: `${round}/${index}`, round, ok: true, ms: 120 }, { item: 'server', attempt, round }),
    ]).flat();
  return [
    event(t0, 'goal.created', 'person:local', { mode: 'bound', title: contract.title }),
    event(t0 + 200, 'goal.confirmed', 'person:local', { goalVersion: 1 }),
    event(t0 + 900, 'plan.proposed', `${skill}/plan`, {}),
    event(t0 + 950, 'plan.adopted', 'host', { revision: 1, order: nodes.map((item) => item.key) }),
    event(t0 + 2000, 'attempt.opened', 'host', { item: 'requirements', number: 1, fence: 1 }, { item: 'requirements' }),
    event(t0 + 4000, 'submission.received', `${skill}/requirements`, { submission: { number: 1, artifacts: [{}, {}] } }, { item: 'requirements' }),
    event(t0 + 4300, 'acceptance.recorded', `${skill}/review`, { verdict: { verdict: 'accepted' } }, { item: 'requirements' }),
    event(t0 + 4400, 'attempt.opened', 'host', { item: 'server', number: 1, fence: 4 }, { item: 'server' }),
    ...calls(t0 + 5000, 4, 'r4', 'att_1'),
    event(t0 + 9000, 'artifact.stored', `${skill}/server`, { artifact: { path: 'export.csv', size: 48_213 } }, server),
    event(t0 + 9300, 'submission.received', `${skill}/server`, { submission: { number: 1, artifacts: [{}] } }, server),
    event(t0 + 9800, 'check.recorded', 'host', { key: 'server-opens', pass: false }, server),
    event(t0 + 9850, 'acceptance.recorded', 'host', { verdict: { verdict: 'changes_requested' } }, server),
    event(t0 + 10_000, 'attempt.opened', 'host', { item: 'server', number: 2, fence: 9 }, { item: 'server' }),
    event(t0 + 12_000, 'submission.received', `${skill}/client`, { submission: { number: 1, artifacts: [{}] } }, { item: 'client' }),
    event(t0 + 12_400, 'acceptance.recorded', 'host', { verdict: { verdict: 'accepted' } }, { item: 'client' }),
    ...calls(t0 + 13_000, 9, 'r9', 'att_2'),
    event(t0 + 7 * minute, 'call.refused', `${skill}/server`, { tool: 'supplier.update', code: 'non_goal_forbidden', ref: 'source-records' }, { item: 'server', round: 'r9' }),
  ];
}

export const events: EventView[] = script();
const last = events.length;

export const snapshot: Extract<Frame, { kind: 'snapshot' }> = { kind: 'snapshot', seq: last, bar: { ...bar, seq: last }, graph: { ...graph, seq: last }, events, contract };

export const serverItem: ItemView = {
  seq: last,
  node: nodes[1] as GraphNode,
  specDigest: digest('a'),
  spec: {
    key: 'server',
    kind: 'produce',
    title: 'Server export',
    covers: ['records', 'opens'],
    acceptance: ['order', 'opens', 'empty'],
    outputs: [],
    dependsOn: [{ key: 'requirements', kind: 'hard' }],
    required: true,
    review: [{ by: 'checks' }],
    checks: [],
    limits: {},
    objective: 'Write the export for a selection, within bounds, with an audit entry.',
    deliverable: 'export.csv and the evidence of a large and a cancelled run',
    inputs: [],
    acceptanceTexts: [
      { id: 'order', text: 'Selected records, fields and order are right' },
      { id: 'opens', text: 'Chinese opens correctly in the program that was named' },
      { id: 'empty', text: 'Empty selection and failure say so' },
    ],
  },
  attempts: [
    { id: 'att_1', number: 1, state: 'succeeded', by: `${skill}/server`, fence: 4, startedAt: t0 + 4500, endedAt: t0 + 9300 },
    { id: 'att_2', number: 2, state: 'running', by: `${skill}/server`, fence: 9, startedAt: t0 + 10_100 },
  ],
  submissions: [
    {
      id: 'sub_1',
      number: 1,
      digest: digest('b'),
      attempt: 'att_1',
      by: `${skill}/server`,
      at: t0 + 9300,
      summary: '58 records in 7 columns, in the order of the selection.',
      artifacts: [
        { path: 'export.csv', digest: digest('c'), size: 48_213, type: 'text/csv' },
        { path: 'feedback/empty_selection.json', digest: digest('d'), size: 212 },
      ],
      claims: [],
      fallen: [],
      verdicts: [
        {
          id: 'acc_1',
          verdict: 'changes_requested',
          by: 'host',
          at: t0 + 9850,
          live: true,
          scene: { summary: garbled, findings: [{ where: 'B2', expected: '逗号,在中间', actual: 'é€—å·,åœ¨ä¸é—´' }], missing: [] },
        },
      ],
      checks: [
        { key: 'server-order', title: 'Records, columns and order', pass: true, at: t0 + 9700 },
        { key: 'server-opens', title: 'The file opens right in the named program', pass: false, at: t0 + 9800, scene: { summary: garbled } },
      ],
    },
  ],
};

export function plainItem(key: string): ItemView {
  const found = nodes.find((candidate) => candidate.key === key) as GraphNode;
  return { ...serverItem, node: found, spec: { ...serverItem.spec, key, title: found.title }, attempts: [], submissions: [] };
}

/** The frames after the snapshot: the second submission comes, is checked and accepted, and what waited for it unlocks. */
export function acceptedFrames(): Extract<Frame, { kind: 'update' }>[] {
  const server = nodes[1] as GraphNode;
  const submitted: GraphNode = { ...server, state: 'submitted', submissions: 2 };
  delete submitted.round;
  const accepted: GraphNode = { ...submitted, state: 'accepted' };
  const unlocked = nodes.slice(3, 5).map((item): GraphNode => ({ ...item, state: 'ready', inputs: { ...item.inputs, accepted: item.inputs.of, missing: [] } }));
  const at = t0 + 8 * minute;
  return [
    {
      kind: 'update',
      seq: last + 1,
      events: [{ seq: last + 1, at, type: 'submission.received', by: `${skill}/server`, item: 'server', data: { submission: { number: 2, artifacts: [{}] } } }],
      bar: { ...bar, seq: last + 1, at, next: { ...bar.next, why: { kind: 'checking', checks: ['server-opens'] }, who: [{ mover: 'host', act: 'check', ref: 'chk_2' }] } },
      nodes: [submitted],
    },
    {
      kind: 'update',
      seq: last + 2,
      events: [{ seq: last + 2, at: at + 400, type: 'acceptance.recorded', by: 'host', item: 'server', data: { verdict: { verdict: 'accepted' } } }],
      bar: {
        ...bar,
        seq: last + 2,
        at: at + 400,
        items: { ...bar.items, accepted: 3 },
        next: { ...bar.next, why: { kind: 'ready', rounds: [{ id: 'r10', lane: 'worker', item: 'compatibility' }] }, who: [{ mover: 'host', act: 'run', ref: 'r10' }] },
      },
      nodes: [accepted, ...unlocked],
      edges: edges.map((line) => (line.from === 'server' ? { ...line, satisfied: true } : line)),
    },
  ];
}

export function summary(title: string, more: Partial<GoalSummary> = {}): GoalSummary {
  return {
    goal: goalId,
    title,
    mode: 'bound',
    status: 'active',
    why: 'running',
    goalVersion: 1,
    planRevision: 1,
    needsYou: 0,
    createdAt: t0,
    updatedAt: t0 + 7 * minute,
    seq: 1,
    milestones: [],
    accepted: 2,
    requiredItems: 6,
    ...more,
  };
}

export const goals: GoalSummary[] = [
  summary(contract.title, { goalVersion: 2, why: 'blocked', needsYou: 1 }),
  summary('Audit of 200 supplier invoices', {
    goal: 'goal_0000000000000000000000000000inv1',
    accepted: 1,
    requiredItems: 4,
    milestones: [{ key: 'reviewed', count: 130, target: 200 }],
  }),
  summary('Quarterly access review', { goal: 'goal_0000000000000000000000000000acc1', why: 'paused', status: 'paused', accepted: 3, requiredItems: 5 }),
  summary('Release notes for 3.2', { goal: 'goal_0000000000000000000000000000rel1', status: 'completed', why: 'terminal', accepted: 4, requiredItems: 4 }),
];
