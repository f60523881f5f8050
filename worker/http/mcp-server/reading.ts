/** Tools that read. What they answer is what the API's reads answer. */
import { z } from 'zod';
import { type CommandType, catalogue, commandTypes, type Givers } from '../../domain/commands.ts';
import { refuse } from '../../domain/refusals.ts';
import { workspaceCatalogue, workspaceCommandTypes } from '../../workspace/core/catalogue.ts';
import { type Desk, type Told, told } from './desk.ts';
import { cursor, fence, goal, item, type McpTool, tool } from './tool.ts';

const reads = { reads: true };
/** Bytes of a file that a tool's answer may hold. A larger one is read over HTTP. */
export const maxReadBytes = 1_000_000;

/** Commands whose scope the caller holds, or that the token of an Attempt may give. */
export function commandsOf(desk: Desk): CommandType[] {
  const { attempt } = desk.call.caller;
  return commandTypes.filter((type) => {
    const by: Givers = catalogue[type].by;
    return attempt ? by.attempt === true : by.scope !== undefined && desk.scopes.includes(by.scope);
  });
}

const noSuchCommand = (desk: Desk) => desk.refused(refuse('schema_invalid', { errors: [{ pointer: '/type', code: 'invalid_value', detail: 'no such command' }] }));
const schemaOf = (payload: z.ZodType) => z.toJSONSchema(payload, { io: 'input', unrepresentable: 'any' });

function commandsList(desk: Desk, type: string | undefined): Told {
  const allowed = commandsOf(desk);
  if (type === undefined) return told({ data: allowed.map((each) => ({ type: each, summary: catalogue[each].summary })) });
  const known = commandTypes.find((each) => each === type);
  if (!known) return noSuchCommand(desk);
  const spec = catalogue[known];
  const expects = ('expects' in spec && spec.expects) || [];
  return told({ type: known, summary: spec.summary, yours: allowed.includes(known), by: spec.by, expects, payload: schemaOf(spec.payload) });
}

/** Commands on the settings. What only a person says, and what needs a second scope, is refused by the workspace, with a code. */
function workspaceCommandsList(desk: Desk, type: string | undefined): Told {
  const allowed = workspaceCommandTypes.filter((each) => desk.scopes.includes(workspaceCatalogue[each].scope));
  if (type === undefined) return told({ data: allowed.map((each) => ({ type: each, summary: workspaceCatalogue[each].summary })) });
  const known = workspaceCommandTypes.find((each) => each === type);
  if (!known) return noSuchCommand(desk);
  const { summary, scope, payload } = workspaceCatalogue[known];
  return told({ type: known, summary, yours: allowed.includes(known), by: { scope }, expects: ['version'], payload: schemaOf(payload) });
}

async function fileGet(desk: Desk, args: { goal: string; digest: string; item?: string | undefined; fence?: number | undefined }): Promise<Told> {
  let from = desk;
  if (args.item !== undefined && args.fence !== undefined) {
    const working = await desk.atWork({ goal: args.goal, item: args.item, fence: args.fence });
    if (!working.ok) return working;
    from = working.value.desk;
  }
  const path = ['goals', args.goal, 'artifacts', args.digest];
  const found = await from.send('GET', path);
  if (!found.ok) return found;
  const response = found.value;
  const size = Number(response.headers.get('content-length') ?? '0');
  if (size > maxReadBytes) {
    await response.body?.cancel();
    return desk.refused(
      refuse('limit_exceeded', {
        detail: 'Too large for an answer. Read it over HTTP: GET .../goals/{goal}/artifacts/{digest}.',
        current: { limit: 'read', bytes: maxReadBytes, size },
      }),
    );
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  const about = { digest: args.digest, size: bytes.byteLength, type: response.headers.get('content-type') };
  try {
    return told({ ...about, encoding: 'text', content: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) });
  } catch {
    // No text: so the bytes.
    return told({ ...about, encoding: 'base64', content: Buffer.from(bytes).toString('base64') });
  }
}

export const readingTools: readonly McpTool[] = [
  tool(
    'goals_list',
    'List goals',
    'Goals of the workspace, newest first.',
    z.strictObject({
      status: z.enum(['draft', 'active', 'paused', 'completed', 'cancelled']).optional(),
      needsYou: z.boolean().optional().describe('Only goals that wait for a person'),
      cursor,
      limit: z.int().min(1).max(200).optional(),
    }),
    (desk, args) => desk.get(['goals'], args),
    reads,
  ),
  tool(
    'goal_get',
    'Show a goal',
    'The bar of a goal: status, criteria, counts, budget, questions, and `bar.next`: what moves it next, and who.',
    z.strictObject({ goal }),
    async (desk, args) => {
      const found = await desk.get<{ id: string; bar: unknown }>(['goals', args.goal]);
      return found.ok ? told({ id: found.value.id, bar: found.value.bar }) : found;
    },
    reads,
  ),
  tool(
    'contract_get',
    'Read the contract',
    'The contract in force, whole: objective, criteria, non-goals, checks, limits. Null where the goal has none.',
    z.strictObject({ goal }),
    async (desk, args) => {
      const found = await desk.get<{ id: string; contract: unknown; bar: { goalVersion: number } }>(['goals', args.goal]);
      return found.ok ? told({ id: found.value.id, goalVersion: found.value.bar.goalVersion, contract: found.value.contract }) : found;
    },
    reads,
  ),
  tool(
    'graph_get',
    'Read the work graph',
    'Work items with their states, what each waits for, and what it unlocks.',
    z.strictObject({ goal }),
    (desk, args) => desk.get(['goals', args.goal, 'graph']),
    reads,
  ),
  tool(
    'item_get',
    'Read a work item',
    'One item: its spec, attempts, every submission with its verdicts and checks. Here a review is seen.',
    z.strictObject({ goal, item }),
    (desk, args) => desk.get(['goals', args.goal, 'items', args.item]),
    reads,
  ),
  tool(
    'resume_packet',
    'Read the resume packet',
    'What a new round starts from: where the goal stands, in a bounded size. With `item`, for the work on that item.',
    z.strictObject({ goal, item: item.optional() }),
    (desk, args) => desk.get(['goals', args.goal, 'resume-packet'], { item: args.item }),
    reads,
  ),
  tool(
    'events_list',
    'Read events',
    'Events after `after`, in order. `wait` holds the answer (seconds) until there is one. nextCursor is the next `after`.',
    z.strictObject({ goal, after: z.int().min(0).optional(), limit: z.int().min(1).max(1000).optional(), wait: z.int().min(0).max(20).optional() }),
    (desk, args) => desk.get(['goals', args.goal, 'events'], { after: args.after, limit: args.limit, wait: args.wait }),
    reads,
  ),
  tool(
    'file_get',
    'Read a file',
    'A file that the record of the goal names, by its digest, up to 1 MB: as text where it is UTF-8, else in base64. With `item` and `fence` as the Attempt that you hold, which reads sources, accepted inputs and its own.',
    z.strictObject({ goal, digest: z.string().regex(/^[0-9a-f]{64}$/), item: item.optional(), fence: fence.optional() }),
    fileGet,
    reads,
  ),
  tool(
    'commands_list',
    'Describe commands',
    'Commands that you may give, on a goal or on the settings of the workspace; with `type`, the JSON Schema of its payload, who may give it and which versions it expects.',
    z.strictObject({ type: z.string().max(100).optional(), of: z.enum(['goal', 'workspace']).default('goal') }),
    async (desk, { of, type }) => (of === 'goal' ? commandsList : workspaceCommandsList)(desk, type),
    reads,
  ),
];
