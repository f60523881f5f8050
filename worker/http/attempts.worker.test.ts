/** The token of an Attempt over HTTP: an agent outside does its work with it, and nothing else opens to it. */
import { applyD1Migrations } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import type { Env } from '../env.ts';
import { routes } from './routes.ts';
import { app, ask, type Browser, freshId, joins, newPerson, newToken, newWorkspace, origin, peopleCommand, type Sent } from './testing/people.ts';

const env = bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };
let ada: Browser;
let workspace: string;
beforeAll(async () => {
  await applyD1Migrations(env.DB, env.MIGRATIONS);
  ada = await newPerson(env, 'Ada');
  workspace = await newWorkspace(ada, 'Acme');
}, 60_000);

type Headers = Record<string, string>;
interface Body {
  code: string;
  token: string;
  result: Record<string, never>;
  [key: string]: unknown;
}
const cookie = (browser: Browser): Headers => ({ cookie: browser.cookie, origin });
const at = (goal: string) => `/v1/workspaces/${workspace}/goals/${goal}`;
const send = (headers: Headers, path: string, sent: Sent = {}) => ask<Body>(env, path, { ...sent, headers });
const give = (headers: Headers, goal: string, type: string, payload: object, more: object = {}) =>
  send(headers, `${at(goal)}/commands`, { body: { type, commandId: freshId(type), payload, ...more } });
const bearer = (text: string): Headers => ({ authorization: `Bearer ${text}` });

async function done(answer: Promise<{ status: number; body: Body }>): Promise<Body> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

async function goalWith(...keys: string[]): Promise<string> {
  const { goal } = (await done(
    send(cookie(ada), `/v1/workspaces/${workspace}/goals`, {
      body: { type: 'goal.create', commandId: freshId('g'), payload: { mode: 'graph_only', title: 'G', confirmed: true } },
    }),
  )) as unknown as { goal: string };
  const items = keys.map((key) => ({ key, title: key, executor: { kind: 'external', name: 'robot' }, review: [{ by: 'person' }] }));
  const proposed = await done(give(cookie(ada), goal, 'plan.propose', { document: { mode: 'graph_only', items } }, { expected: { planRevision: 0 } }));
  await done(give(cookie(ada), goal, 'plan.adopt', { proposal: proposed.result.proposal }, { expected: { planRevision: 0 } }));
  return goal;
}

async function claimed(headers: Headers, goal: string, item: string): Promise<{ fence: number; attempt: string; text: string }> {
  const { result } = await done(give(headers, goal, 'work.claim', { item }));
  const { fence, attempt } = result as unknown as { fence: number; attempt: string };
  const issued = await send(headers, `${at(goal)}/items/${item}/token`, { body: { fence } });
  expect(issued).toMatchObject({ status: 201, body: { item, attempt, fence, goal, leaseUntil: expect.any(Number) } });
  return { fence, attempt, text: issued.body.token };
}

it('works from the assignment to the submission, and a person accepts', async () => {
  const robot = await newToken(ada, workspace, ['work:submit', 'goals:read']);
  const goal = await goalWith('a');
  const { fence, attempt, text } = await claimed(robot.headers, goal, 'a');
  const agent = bearer(text);
  // Asked for again it is the same, and the log says once that it was given out; not what it is.
  expect(await send(robot.headers, `${at(goal)}/items/a/token`, { body: { fence } })).toMatchObject({ status: 200, body: { token: text } });
  const log = await ada.ask<{ data: { type: string; after: object }[] }>(`/v1/workspaces/${workspace}/people/log`);
  expect(log.body.data.filter(({ type }) => type === 'attempt.token')).toMatchObject([{ after: { goal, item: 'a', attempt, fence } }]);
  expect(JSON.stringify(log.body)).not.toContain(text);

  expect(await send(agent, '/v1/me')).toMatchObject({ status: 200, body: { principal: `token:${robot.id}`, goals: [goal], attempt: { item: 'a', attempt, fence } } });
  expect(await send(agent, `${at(goal)}/items/a/assignment`)).toMatchObject({
    status: 200,
    body: { item: { key: 'a', attempt }, fence, holder: `token:${robot.id}`, state: 'pending' },
  });
  await done(give(agent, goal, 'attempt.start', { item: 'a', fence }));
  const stored = await app.fetch(new Request(`${origin}${at(goal)}/files/out/a.txt`, { method: 'PUT', headers: agent, body: 'made' }), env);
  expect([stored.status, await stored.json()]).toMatchObject([201, { events: [] }]);
  const digest = createHash('sha256').update('made').digest('hex');
  expect(await send(agent, `${at(goal)}/artifacts/${digest}`)).toMatchObject({ status: 200, body: { text: 'made' } });
  const delivery = { item: 'a', artifacts: [{ path: 'out/a.txt', digest, size: 4 }], summary: 'Made.' };
  const submission = { type: 'submission.submit', commandId: 'deliver', payload: delivery };
  const given = await done(send(agent, `${at(goal)}/commands`, { body: submission }));
  expect(given).toMatchObject({ outcome: 'applied', replayed: false, events: [] });
  // The answer was lost: the same command again has it, though the token is worth nothing any more.
  expect(await done(send(agent, `${at(goal)}/commands`, { body: submission }))).toMatchObject({ replayed: true, result: given.result });
  expect(await send(agent, `${at(goal)}/items/a/assignment`)).toMatchObject({ status: 409, body: { code: 'round_superseded' } });
  expect(await give(agent, goal, 'submission.submit', delivery)).toMatchObject({ status: 409, body: { code: 'round_superseded' } });
  const judged = { ...(given.result as object), verdict: 'accepted', criteria: [] } as { number?: number };
  delete judged.number;
  expect(await give(agent, goal, 'review.record', judged)).toMatchObject({ status: 403 });
  await done(give(cookie(ada), goal, 'review.record', judged));
});

it('opens no route and no command that does not say so, and of those nothing of another item or goal', async () => {
  const robot = await newToken(ada, workspace, ['work:submit', 'goals:read', 'goals:write', 'admin']);
  const [goal, beside] = [await goalWith('a', 'b'), await goalWith('a')];
  const { fence, text } = await claimed(robot.headers, goal, 'a');
  const agent = bearer(text);
  let closed = 0;
  for (const route of routes) {
    if (!route.path.startsWith('/v1/workspaces/:workspace/') || ('attempt' in route && route.attempt)) continue;
    const path = route.path
      .replace(':workspace', workspace)
      .replace(':goal', goal)
      .replace(/:[a-z]+(\{[^}]*\})?/g, 'a');
    const answered = await send(agent, path, { method: route.method, ...(route.method === 'GET' ? {} : { body: {} }) });
    expect([answered.status, answered.body.code], `${route.method} ${route.path}`).toEqual([403, 'forbidden']);
    closed++;
  }
  expect(closed).toBeGreaterThan(60);
  for (const path of ['/items/b/assignment', '/resume-packet', '/resume-packet?item=b', `/artifacts/${'0'.repeat(64)}`])
    expect((await send(agent, `${at(goal)}${path}`)).status, path).toBe(404);
  expect((await send(agent, `${at(beside)}/items/a/assignment`)).status).toBe(404);
  expect(await give(agent, beside, 'attempt.heartbeat', { item: 'a', fence })).toMatchObject({ status: 404 });
  expect(await give(agent, goal, 'goal.cancel', {})).toMatchObject({ status: 403 });
  expect((await send(agent, `${at(goal)}/items/a/token`, { body: { fence } })).status).toBe(403);
  expect((await send(agent, '/v1/workspaces', { body: { name: 'Mine', commandId: 'x' } })).status).toBe(403);
});

it('ends with its attempt, with its holder, and with every altered character', async () => {
  const robot = await newToken(ada, workspace, ['work:submit'], { addresses: ['192.0.2.0/24'] });
  const near = { 'cf-connecting-ip': '192.0.2.7' };
  const goal = await goalWith('a', 'b', 'c');
  const { fence, text } = await claimed({ ...robot.headers, ...near }, goal, 'a');
  const beat = (headers: Headers, item = 'a', under = fence) => give(headers, goal, 'attempt.heartbeat', { item, fence: under });
  expect((await beat({ ...bearer(text), ...near })).status).toBe(200);
  // Where its holder may not come from, it may not either.
  expect((await beat({ ...bearer(text), 'cf-connecting-ip': '198.51.100.1' })).status).toBe(401);
  for (const wrong of [`${text}A`, text.slice(0, -1), text.replace('lha_', 'lha_A'), 'lha_', 'lha_a.b']) expect((await beat({ ...bearer(wrong), ...near })).status).toBe(401);
  await peopleCommand(ada, workspace, 'token.revoke', { token: robot.id });
  expect((await beat({ ...bearer(text), ...near })).status).toBe(401);

  const bert = await newPerson(env, 'Bert');
  await joins(ada, workspace, bert, 'operator');
  const his = await claimed(cookie(bert), goal, 'b');
  expect((await beat(bearer(his.text), 'b', his.fence)).status).toBe(200);
  await peopleCommand(ada, workspace, 'member.setRole', { member: bert.id, role: 'viewer' });
  expect((await beat(bearer(his.text), 'b', his.fence)).status).toBe(401);

  const hers = await claimed(cookie(ada), goal, 'c');
  await done(give(cookie(ada), goal, 'work.release', { item: 'c' }));
  expect(await beat(bearer(hers.text), 'c', hers.fence)).toMatchObject({ status: 409, body: { code: 'round_superseded' } });
  await done(give(cookie(ada), goal, 'work.claim', { item: 'c' }));
  expect(await beat(bearer(hers.text), 'c', hers.fence)).toMatchObject({ status: 409, body: { code: 'fence_stale' } });
  expect(await send(cookie(ada), `${at(goal)}/items/c/token`, { body: { fence: hers.fence } })).toMatchObject({ status: 409, body: { code: 'fence_stale' } });
  expect(await send(cookie(bert), `${at(goal)}/items/c/token`, { body: { fence: hers.fence } })).toMatchObject({ status: 403, body: { code: 'scope_missing' } });
});
