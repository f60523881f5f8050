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
  notes: { code: string; means: string; key?: string }[];
  code: string;
  errors: { code: string; detail: string }[];
  result: { proposal: string; fence: number };
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

it('B21: a task file that knows less than the record takes no acceptance back: it is a proposal, reports the conflict, and is stale once the plan has moved', async () => {
  const person = { kind: 'person' };
  const { goal } = (await post('', { type: 'goal.create', commandId: 'imports-stale', payload: { mode: 'graph_only', title: 'Imported again', confirmed: true } })).body;
  const items = ['1-first', '3-third'].map((key) => ({ key, title: key, executor: person }));
  const first = await command(goal, 'plan.propose', { document: { mode: 'graph_only', items } }, { planRevision: 0 });
  await command(goal, 'plan.adopt', { proposal: first.body.result.proposal }, { planRevision: 0 });
  const { fence } = (await command(goal, 'work.claim', { item: '3-third' })).body.result;
  await command(goal, 'attempt.start', { item: '3-third', fence });
  const stored = await worker.fetch(new Request(`${goals}/${goal}/files/third.txt`, { method: 'PUT', body: 'made' }));
  const digest = stored.headers.get('location')?.split('/').at(-1);
  const submitted = await command(goal, 'submission.submit', { item: '3-third', fence, artifacts: [{ path: 'third.txt', digest, size: 4 }], summary: 'Made.' });
  expect(submitted.status).toBe(200);
  const graph = async () => (await (await worker.fetch(new Request(`${goals}/${goal}/graph`))).json()) as { nodes: { key: string; title: string; state: string }[] };
  const third = async () => (await graph()).nodes.find((node) => node.key === '3-third');
  expect(await third()).toMatchObject({ state: 'accepted' });

  // The file was written before the work was done.
  const file = JSON.stringify({
    tasks: [
      { id: 3, title: 'Third', status: 'pending', description: 'Do it again.' },
      { id: 4, title: 'Fourth', status: 'pending' },
    ],
  });
  const read = await post(`/${goal}/plan-imports`, file);
  expect(read.body.notes).toMatchObject([{ code: 'already_in_plan', key: '3-third' }]);
  const proposed = await post(`/${goal}/plan-imports?propose=true`, file, { 'idempotency-key': 'stale-1' });
  expect(proposed.status).toBe(201);
  expect(await graph()).toMatchObject({ nodes: [{ key: '1-first' }, { key: '3-third', title: '3-third', state: 'accepted' }] });
  expect((await post(`/${goal}/plan-imports`, file)).body).toMatchObject({ planRevision: 1, kept: 2 });

  // Meanwhile the plan moved: what was imported against the former one is adopted by nobody.
  const moved = await command(goal, 'plan.propose', { document: { mode: 'graph_only', items: [...items, { key: 'more', title: 'More', executor: person }] } }, { planRevision: 1 });
  await command(goal, 'plan.adopt', { proposal: moved.body.result.proposal }, { planRevision: 1 });
  const late = await command(goal, 'plan.adopt', { proposal: proposed.body.proposal }, { planRevision: 1 });
  expect(late.status).toBeGreaterThanOrEqual(409);
  const again = await post(`/${goal}/plan-imports?propose=true`, file, { 'idempotency-key': 'stale-2' });
  expect((await command(goal, 'plan.adopt', { proposal: again.body.proposal }, { planRevision: 2 })).status).toBe(200);
  expect((await graph()).nodes.map((node) => node.key).sort()).toEqual(['1-first', '3-third', '4-fourth', 'more']);
  expect(await third()).toMatchObject({ title: '3-third', state: 'accepted' });
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
