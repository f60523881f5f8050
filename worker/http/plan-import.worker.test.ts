/** A plan of another tool over HTTP: read and reported, then proposed; what is accepted stays what it is. */
import { applyD1Migrations } from 'cloudflare:test';
import { env as bindings, exports } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import type { Env } from '../env.ts';

const env = bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };
beforeAll(() => applyD1Migrations(env.DB, env.MIGRATIONS));

const goals = 'http://127.0.0.1:8787/v1/workspaces/local/goals';
const worker = (exports as unknown as { default: { fetch(request: Request): Promise<Response> } }).default;
interface Body {
  goal: string;
  planRevision: number;
  items: number;
  kept: number;
  proposal: string;
  document: { items: { key: string; title: string }[] };
  notes: { code: string; means: string }[];
  code: string;
  errors: { code: string; detail: string }[];
  result: { proposal: string };
}
async function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<{ status: number; body: Body }> {
  const response = await worker.fetch(new Request(`${goals}${path}`, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) }));
  return { status: response.status, body: (await response.json()) as Body };
}
let count = 0;
const command = (goal: string, type: string, payload: unknown, expected: object = {}) => post(`/${goal}/commands`, { type, commandId: `c${++count}`, payload, expected });

it('is read and reported without changing anything, then proposed beside the plan that is there', async () => {
  const person = { kind: 'person' };
  const made = await post('', { type: 'goal.create', commandId: 'imports', payload: { mode: 'graph_only', title: 'Imported', confirmed: true } });
  const { goal } = made.body;
  const first = await command(goal, 'plan.propose', { document: { mode: 'graph_only', items: [{ key: '1-first', title: 'First', executor: person }] } }, { planRevision: 0 });
  expect((await command(goal, 'plan.adopt', { proposal: first.body.result.proposal }, { planRevision: 0 })).status).toBe(200);

  const file = JSON.stringify({
    tasks: [
      { id: 1, title: 'First', status: 'done' },
      { id: 2, title: 'Second', dependencies: [1] },
    ],
  });
  const read = await post(`/${goal}/plan-imports`, file);
  expect(read).toMatchObject({ status: 200, body: { format: 'taskmaster', planRevision: 1, kept: 1, items: 1 } });
  expect(read.body.document.items).toMatchObject([
    { key: '1-first', executor: person },
    { key: '2-second', dependsOn: [{ key: '1-first' }] },
  ]);
  expect(read.body.notes.map((note) => note.code)).toEqual(['status_not_taken', 'already_in_plan']);
  expect(read.body.notes.every((note) => note.means.length > 10)).toBe(true);

  expect(await post(`/${goal}/plan-imports?propose=true`, file)).toMatchObject({ status: 422, body: { code: 'schema_invalid' } });
  const proposed = await post(`/${goal}/plan-imports?propose=true`, file, { 'idempotency-key': 'import-1' });
  expect(proposed.status).toBe(201);
  expect((await post(`/${goal}/plan-imports?propose=true`, file, { 'idempotency-key': 'import-1' })).body.proposal).toBe(proposed.body.proposal);
  expect((await command(goal, 'plan.adopt', { proposal: proposed.body.proposal }, { planRevision: 1 })).status).toBe(200);
  const graph = (await (await worker.fetch(new Request(`${goals}/${goal}/graph`))).json()) as { planRevision: number; nodes: { key: string }[] };
  expect(graph.nodes.map((node) => node.key).sort()).toEqual(['1-first', '2-second']);
});

it('a file that is none, a broken one and one that describes a cycle are refused with the place', async () => {
  const made = await post('', { type: 'goal.create', commandId: 'imports-bad', payload: { mode: 'graph_only', title: 'Refused', confirmed: true } });
  const at = `/${made.body.goal}/plan-imports`;
  expect(await post(at, 'a text')).toMatchObject({ status: 422, body: { code: 'schema_invalid', errors: [{ code: 'format_unknown' }] } });
  expect(await post(`${at}?format=beads`, '{"id":"bd-1"}\n=======\n')).toMatchObject({
    status: 422,
    body: { errors: [{ code: 'not_readable', detail: expect.stringContaining('line 2') }] },
  });
  const cycle = {
    tasks: [
      { id: 1, title: 'a', dependencies: [2] },
      { id: 2, title: 'b', dependencies: [1] },
    ],
  };
  expect(await post(`${at}?propose=true`, cycle, { 'idempotency-key': 'cycle' })).toMatchObject({
    status: 422,
    body: { code: 'plan_invalid', errors: [{ code: 'cycle' }, { code: 'no_terminal_item' }] },
  });
  expect(await post('/goal_00000000000000000000000000000000/plan-imports', cycle)).toMatchObject({ status: 404 });
});
