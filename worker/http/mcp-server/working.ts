/** Tools that change something: any command, and the work of an external executor. Each gives commands of the catalogue and nothing else. */
import { z } from 'zod';
import { expected } from '../../domain/commands.ts';
import { refuse } from '../../domain/refusals.ts';
import { artifact, evidenceRef, json, slug } from '../../domain/values.ts';
import { claimable } from '../../domain/views/claimable.ts';
import type { GraphView } from '../../domain/views/types.ts';
import { workspaceEnvelope } from '../../workspace/core/catalogue.ts';
import { typeOf } from '../files.ts';
import { type Desk, type Told, told } from './desk.ts';
import { commandId, cursor, fence, goal, item, type McpTool, tool } from './tool.ts';

/** Goals whose graphs one call of work_ready reads. */
const goalsRead = 20;

interface Ready {
  goal: string;
  item: string;
  title: string;
  executor: string;
  state: string;
}

async function readyIn(desk: Desk, goal: string, name: string | undefined): Promise<Told<Ready[]>> {
  const found = await desk.get<GraphView>(['goals', goal, 'graph']);
  if (!found.ok) return found;
  return told(
    found.value.nodes
      .filter((node) => claimable(node, name))
      .map(({ key, title, executor, state }) => ({ goal, item: key, title, executor: executor?.kind === 'external' ? executor.name : '', state })),
  );
}

/** Of one goal, or of the active ones page by page. A goal that could not be read is named, and not left out as if it had no work. */
async function ready(desk: Desk, args: { goal?: string | undefined; executor?: string | undefined; cursor?: string | undefined }): Promise<Told> {
  if (args.goal !== undefined) {
    const found = await readyIn(desk, args.goal, args.executor);
    return found.ok ? told({ data: found.value, nextCursor: null }) : found;
  }
  const page = await desk.get<{ data: { goal: string }[]; nextCursor: string | null }>(['goals'], { status: 'active', limit: goalsRead, cursor: args.cursor });
  if (!page.ok) return page;
  const each = await Promise.all(page.value.data.map(async (summary) => ({ goal: summary.goal, found: await readyIn(desk, summary.goal, args.executor) })));
  return told({
    data: each.flatMap(({ found }) => (found.ok ? found.value : [])),
    unread: each.flatMap(({ goal, found }) => (found.ok ? [] : [{ goal, code: found.problem.code }])),
    nextCursor: page.value.nextCursor,
  });
}

/** What whoever holds the item works with: its brief, and the token of the Attempt. An Attempt that waits for its holder, as after a review, begins with it. */
async function assignment(desk: Desk, held: { goal: string; item: string; fence: number }): Promise<Told> {
  const working = await desk.atWork(held);
  if (!working.ok) return working;
  const { desk: own, token } = working.value;
  const read = await own.get<{ leaseUntil: number | null; state: string; item: { attempt: string } }>(['goals', held.goal, 'items', held.item, 'assignment']);
  if (!read.ok) return read;
  if (read.value.state === 'pending') {
    const begun = await own.give(held.goal, 'attempt.start', { item: held.item, fence: held.fence }, `start:${read.value.item.attempt}`);
    return begun.ok ? assignment(desk, held) : begun;
  }
  return told({ ...held, attempt: read.value.item.attempt, leaseUntil: read.value.leaseUntil, ...(token === undefined ? {} : { token }), assignment: read.value });
}

/** Claimed is claimed: what fails after that says so, and `work_assignment` goes on from the fence. */
async function claim(desk: Desk, args: { goal: string; item: string; commandId?: string | undefined }): Promise<Told> {
  const claimed = await desk.give(args.goal, 'work.claim', { item: args.item }, args.commandId);
  if (!claimed.ok) return claimed;
  const { fence } = claimed.value.result as { fence: number };
  const held = { goal: args.goal, item: args.item, fence };
  const brief = await assignment(desk, held);
  if (brief.ok) return brief;
  return {
    ok: false,
    problem: {
      ...brief.problem,
      detail: `${brief.problem.detail} You may hold the item: ask work_assignment.`,
      effect: 'applied',
      current: { ...held, refused: brief.problem.current },
    },
  };
}

async function filePut(desk: Desk, args: { goal: string; item: string; fence: number; path: string; text?: string | undefined; base64?: string | undefined }): Promise<Told> {
  if ((args.text === undefined) === (args.base64 === undefined))
    return desk.refused(refuse('schema_invalid', { errors: [{ pointer: '/text', code: 'one_of', detail: 'Give either `text` or `base64`.' }] }));
  const bytes = new Uint8Array(Buffer.from(args.text ?? args.base64 ?? '', args.text === undefined ? 'base64' : 'utf8'));
  const working = await desk.atWork(args);
  if (!working.ok) return working;
  const stored = await working.value.desk.send('PUT', ['goals', args.goal, 'files', ...args.path.split('/')], { bytes });
  if (!stored.ok) return stored;
  await stored.value.body?.cancel();
  const digest = stored.value.headers.get('location')?.split('/').at(-1) ?? '';
  return told({ artifact: { path: args.path, digest, size: bytes.byteLength, type: typeOf(args.path) } });
}

async function ask(desk: Desk, args: { goal: string; item: string; fence: number; commandId?: string | undefined } & Record<string, unknown>): Promise<Told> {
  const { goal, item, fence, commandId, ...form } = args;
  const working = await desk.atWork({ goal, item, fence });
  return working.ok ? working.value.desk.give(goal, 'work.block', { item, ...form }, commandId) : working;
}

export const workingTools: readonly McpTool[] = [
  tool(
    'command',
    'Give a command',
    'Any command on a goal that your scopes allow. commands_list says which there are, and what payload each takes. goal.create and goal.propose take no `goal`.',
    z.strictObject({
      goal: goal.optional(),
      type: z.string().min(1).max(100),
      payload: json.optional(),
      expected: expected.optional(),
      reason: z.string().max(2000).optional(),
      dryRun: z.boolean().optional(),
      commandId,
    }),
    (desk, { goal, type, payload, commandId, ...more }) => desk.give(goal ?? 'none', type, (payload ?? {}) as object, commandId, more),
  ),
  tool(
    'workspace_command',
    'Change a setting',
    'Any command on the settings of the workspace that your scopes allow: triggers, templates, business rounds, providers, budgets. commands_list with `of: "workspace"` says which there are.',
    z.strictObject({
      type: z.string().min(1).max(100),
      payload: json.optional(),
      expected: workspaceEnvelope.shape.expected.unwrap().optional().describe('The version of the setting that you decided on'),
      reason: z.string().max(2000).optional(),
      dryRun: z.boolean().optional(),
      commandId,
    }),
    (desk, { type, payload, commandId, ...more }) => desk.set(type, (payload ?? {}) as object, commandId, more),
  ),
  tool(
    'work_ready',
    'Find work',
    'Work items that an external executor may claim now: of one goal, or of the active goals of the workspace, some goals at a time.',
    z.strictObject({ goal: goal.optional(), executor: slug.optional().describe('Only items that name this external executor'), cursor }),
    ready,
    { reads: true },
  ),
  tool(
    'work_claim',
    'Claim a work item',
    'Take an item. One gets it; the others hear `already_claimed`. The answer has the fence, until when the lease runs, the brief, and a token for this Attempt alone. Renew the lease with work_heartbeat.',
    z.strictObject({ goal, item, commandId }),
    claim,
  ),
  tool(
    'work_assignment',
    'Take up your assignment again',
    'The brief, the lease and the token of an item that you hold under this fence: after a lost answer, or when a review sent it back to you and `already_claimed` names you as the holder.',
    z.strictObject({ goal, item, fence }),
    assignment,
  ),
  tool(
    'work_heartbeat',
    'Renew the lease',
    'Still at work: the lease runs anew, for 15 minutes. `fence_stale`, `round_superseded` and `lease_lost` mean that it is over: stop.',
    z.strictObject({ goal, item, fence }),
    async (desk, args) => {
      const given = await desk.give(args.goal, 'attempt.heartbeat', { item: args.item, fence: args.fence });
      if (!given.ok) return given;
      const working = await desk.atWork(args);
      return working.ok ? told({ ...args, ...(working.value.leaseUntil === undefined ? {} : { leaseUntil: working.value.leaseUntil }) }) : working;
    },
  ),
  tool(
    'file_put',
    'Store a file',
    'Store a file of your Attempt, as `text` or `base64`. The answer has the artifact that submit takes. For more than 5 MB use HTTP with the token of the Attempt.',
    z.strictObject({ goal, item, fence, path: z.string().min(1).max(200).describe('Relative path'), text: z.string().optional(), base64: z.base64().optional() }),
    filePut,
  ),
  tool(
    'submit',
    'Submit the work',
    'Deliver the item: the files by their artifacts, a summary, and for each criterion the evidence. It ends your Attempt; others review it. See the verdict with item_get.',
    z.strictObject({
      goal,
      item,
      fence,
      artifacts: z.array(artifact).max(200),
      summary: z.string().min(1).max(8000),
      claims: z
        .array(z.strictObject({ criterion: slug, evidence: z.array(evidenceRef).min(1).max(50) }))
        .max(200)
        .optional(),
      expected: expected.optional(),
      commandId,
    }),
    (desk, { goal, commandId, expected, ...payload }) => desk.give(goal, 'submission.submit', payload, commandId, expected === undefined ? {} : { expected }),
  ),
  tool(
    'ask',
    'Ask a question',
    'Stop on a question that only somebody else can answer, with a form (JSON Schema) for the answer. It ends your Attempt; when it is answered the item can be claimed again.',
    z.strictObject({
      goal,
      item,
      fence,
      key: slug.describe('A name for the question'),
      reason: z.string().min(1).max(2000).describe('The question'),
      form: json.describe('JSON Schema of the answer'),
      recommended: json.optional().describe('The answer you would give'),
      commandId,
    }),
    ask,
  ),
  tool(
    'work_release',
    'Give an item back',
    'Break off: the Attempt ends, and the item is open again.',
    z.strictObject({ goal, item, fence, reason: z.string().min(1).max(2000).optional(), commandId }),
    (desk, { goal, item, fence, reason, commandId }) => desk.give(goal, 'attempt.end', { item, fence, outcome: 'interrupted' }, commandId, reason === undefined ? {} : { reason }),
  ),
];
