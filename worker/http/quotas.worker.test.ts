/** Quotas as everything runs: what is over one is refused and leaves nothing behind; what ends or is erased makes room; the sweep counts again. */
import { applyD1Migrations, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Env } from '../env.ts';
import { fileKey } from '../goal/file-key.ts';
import { goalStub } from '../goal/goal-stub.ts';
import { countedFiles } from '../rounds/counted-files.ts';
import { r2Files } from '../rounds/r2-files.ts';
import { runTool } from '../rounds/run-tool.ts';
import { filesWrite } from '../tools/files/write.ts';
import type { ToolEnv } from '../tools/tool.ts';
import type { UsageRead } from '../workspace/reads.ts';
import { app, type Browser, freshId, newPerson, newWorkspace, origin } from './testing/people.ts';

const base = bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };
const env = { ...base, LONGHAUL_OPERATORS: 'olga@people.example' };
let ann: Browser;
let operator: Browser;
beforeAll(async () => {
  await applyD1Migrations(base.DB, base.MIGRATIONS);
  ann = await newPerson(env, 'Ann');
  operator = await newPerson(env, 'Olga');
}, 60_000);

const object = (workspace: string) => base.WORKSPACES.get(base.WORKSPACES.idFromName(workspace));
const contract = { title: 'Hello', objective: 'Say hello.', criteria: [{ id: 'said', text: 'It was said', verify: 'attest' }] };
const create = (workspace: string, commandId = freshId(), payload: object = { contract }, more: object = {}) =>
  ann.ask<{ goal: string; code?: string; current?: object }>(`/v1/workspaces/${workspace}/goals`, { body: { type: 'goal.create', commandId, payload, ...more } });
const set = (workspace: string, override: object) => operator.ask(`/v1/operator/workspaces/${workspace}/quotas`, { body: override });
const quotas = async (workspace: string) => (await ann.ask<UsageRead>(`/v1/workspaces/${workspace}/usage`)).body.quotas;
const goals = async (workspace: string) => (await ann.ask<{ data: unknown[] }>(`/v1/workspaces/${workspace}/goals`)).body.data.length;
const give = (workspace: string, goal: string, type: string, payload: object = {}) =>
  ann.ask(`/v1/workspaces/${workspace}/goals/${goal}/commands`, { body: { type, commandId: freshId(), payload, reason: 'enough' } });
const drain = (workspace: string, goal: string) => goalStub(env, workspace, goal).drain({ v: 1, workspace, goal });
async function put(workspace: string, goal: string, path: string, size: number) {
  const request = new Request(`${origin}/v1/workspaces/${workspace}/goals/${goal}/files/${path}`, {
    method: 'PUT',
    headers: { cookie: ann.cookie, origin },
    body: path.padEnd(size, '.'),
  });
  const response = await app.fetch(request, env);
  return { status: response.status, body: await response.json<{ code?: string; current?: object }>() };
}

describe('open goals', () => {
  it('are no more than the quota, also of many at once; one that ended makes room', async () => {
    const workspace = await newWorkspace(ann, 'Few');
    expect(await set(workspace, { openGoals: 3 })).toMatchObject({ status: 200 });
    const made = await Promise.all(Array.from({ length: 6 }, () => create(workspace)));
    expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409]);
    expect(made.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'quota_exceeded',
      current: { scope: 'workspace', quota: 'openGoals', used: 3, asked: 1, allowed: 3, raisedBy: 'operator' },
    });
    for (const { body, status } of made) if (status === 201) await drain(workspace, body.goal);
    expect(await goals(workspace)).toBe(3);
    expect(await quotas(workspace)).toMatchObject({ openGoals: { used: 3, allowed: 3 }, override: { openGoals: 3 } });

    const goal = made.find(({ status }) => status === 201)?.body.goal ?? '';
    expect((await give(workspace, goal, 'goal.cancel')).status).toBe(200);
    await drain(workspace, goal);
    expect((await create(workspace)).status).toBe(201);
    expect((await create(workspace)).status).toBe(409);
    expect(await set(workspace, { openGoals: null })).toMatchObject({ status: 200 });
    expect((await create(workspace)).status).toBe(201);
  });

  it('that were refused for another reason, or only tried out, take no place; the same creation again is one', async () => {
    const workspace = await newWorkspace(ann, 'One');
    await set(workspace, { openGoals: 1 });
    expect((await create(workspace, freshId(), { contract: { title: 'no criteria' } })).status).toBe(422);
    expect((await create(workspace, freshId(), { contract }, { dryRun: true })).body).toMatchObject({ dryRun: true });
    const id = freshId();
    expect((await create(workspace, id)).status).toBe(201);
    expect((await create(workspace, id)).body).toMatchObject({ replayed: true });
    expect(await create(workspace, freshId(), { contract }, { dryRun: true })).toMatchObject({ status: 409, body: { code: 'quota_exceeded' } });
  });

  it('from before anybody counted are found in the book', async () => {
    const workspace = await newWorkspace(ann, 'Before');
    const { goal } = (await create(workspace)).body;
    await drain(workspace, goal);
    await runInDurableObject(object(workspace), (_, state) => void ['goals', 'counted'].forEach((table) => state.storage.sql.exec(`DELETE FROM ${table}`)));
    await set(workspace, { openGoals: 1 });
    expect((await create(workspace)).status).toBe(409);
  });

  it('that the book never heard of are woken by the count: nobody else knows of one whose process died with its alarm', async () => {
    const workspace = await newWorkspace(ann, 'Unheard');
    const { goal } = (await create(workspace, freshId(), { mode: 'bound', contract, confirmed: true })).body;
    await drain(workspace, goal);
    await base.DB.prepare('DELETE FROM goals WHERE goal_id = ?').bind(goal).run();
    await runInDurableObject(base.GOALS.get(base.GOALS.idFromName(`${workspace}/${goal}`)), (_, state) => state.storage.deleteAlarm());
    await runInDurableObject(object(workspace), (_, state) => void state.storage.sql.exec('UPDATE goals SET since = since - 3600000 WHERE goal = ?', goal));
    await quotas(workspace);
    expect(await runInDurableObject(base.GOALS.get(base.GOALS.idFromName(`${workspace}/${goal}`)), (_, state) => state.storage.getAlarm())).not.toBeNull();
  });
  it('of an import are counted too, and what does not fit is not brought in', async () => {
    const [from, into] = [await newWorkspace(ann, 'From'), await newWorkspace(ann, 'Into')];
    const { goal } = (await create(from)).body;
    const archive = await app.fetch(new Request(`${origin}/v1/workspaces/${from}/goals/${goal}/export`, { headers: { cookie: ann.cookie, origin } }), env);
    const bytes = await archive.arrayBuffer();
    const bring = () => app.fetch(new Request(`${origin}/v1/workspaces/${into}/goals/import`, { method: 'POST', headers: { cookie: ann.cookie, origin }, body: bytes }), env);
    await set(into, { openGoals: 0 });
    const refused = await bring();
    expect([refused.status, (await refused.json<{ code: string }>()).code]).toEqual([409, 'quota_exceeded']);
    expect((await ann.ask(`/v1/workspaces/${into}/goals/${goal}`)).status).toBe(404);
    await set(into, { openGoals: 1 });
    const taken = await bring();
    expect(taken.status).toBe(201);
    await taken.text();
  });
});

describe('stored bytes', () => {
  it('are no more than the quota: the same bytes count once, nothing of a refused file is there', async () => {
    const workspace = await newWorkspace(ann, 'Narrow');
    const { goal } = (await create(workspace)).body;
    await set(workspace, { storageBytes: 100 });
    expect((await put(workspace, goal, 'a.txt', 60)).status).toBe(201);
    expect((await put(workspace, goal, 'a.txt', 60)).status).toBe(201);
    expect(await put(workspace, goal, 'b.txt', 41)).toMatchObject({
      status: 409,
      body: { code: 'quota_exceeded', current: { quota: 'storageBytes', used: 60, asked: 41, allowed: 100 } },
    });
    expect((await put(workspace, goal, 'c.txt', 40)).status).toBe(201);
    expect((await env.FILES.list({ prefix: `ws/${workspace}/` })).objects.reduce((sum, { size }) => sum + size, 0)).toBe(100);
    expect(await quotas(workspace)).toMatchObject({ storageBytes: { used: 100, allowed: 100 } });

    expect((await ann.ask(`/v1/workspaces/${workspace}/goals/${goal}/erase`, { method: 'POST' })).status).toBe(200);
    expect(await quotas(workspace)).toMatchObject({ storageBytes: { used: 0 }, openGoals: { used: 0 } });
  });

  it('hold for what rounds write: the tool is answered with the quota', async () => {
    const workspace = await newWorkspace(ann, 'Round');
    await set(workspace, { storageBytes: 10 });
    const files = countedFiles(env, workspace, 'g', r2Files(env.FILES, workspace, 'g'));
    const tool = { files, context: { lane: 'worker' }, paths: new Map() } as unknown as ToolEnv;
    const answer = await runTool(filesWrite, { args: { path: 'a.txt', text: 'more than ten bytes' }, secrets: [] }, tool, 5000);
    expect(answer).toMatchObject({ ok: false, refusal: { code: 'quota_exceeded', current: { quota: 'storageBytes', allowed: 10 } } });
    await files.stage('u', 0, new Uint8Array(20));
    await expect(files.assemble('u', 1, { digest: 'a'.repeat(64), size: 20 })).rejects.toMatchObject({ refusal: { code: 'quota_exceeded' } });
    expect((await env.FILES.list({ prefix: `ws/${workspace}/` })).objects).toEqual([]);
  });

  it('are counted again by the alarm: what is there and was not counted, and what was counted and is not there', async () => {
    const workspace = await newWorkspace(ann, 'Again');
    const { goal } = (await create(workspace)).body;
    await put(workspace, goal, 'a.txt', 50);
    const digest = 'f'.repeat(64);
    await env.FILES.put(fileKey(workspace, goal, digest), 'x'.repeat(7));
    await runInDurableObject(object(workspace), (_, state) => {
      state.storage.sql.exec("INSERT INTO files (goal, digest, size, at) VALUES ('gone', 'never', 1000, 1)");
      state.storage.sql.exec('UPDATE stored SET bytes = bytes + 1000');
    });
    expect(await quotas(workspace)).toMatchObject({ storageBytes: { used: 1050 } });
    expect(await runDurableObjectAlarm(object(workspace))).toBe(true);
    expect(await quotas(workspace)).toMatchObject({ storageBytes: { used: 57 } });
  });
});

it('are set by whoever runs the installation alone, and that is in the audit', async () => {
  const workspace = await newWorkspace(ann, 'Set');
  expect((await ann.ask(`/v1/operator/workspaces/${workspace}/quotas`, { body: { openGoals: 9 } })).status).toBe(404);
  expect((await set('no-such-workspace', { openGoals: 9 })).status).toBe(404);
  expect((await set(workspace, { openGoals: -1 })).status).toBe(422);
  await set(workspace, { openGoals: 9 });
  const { data } = (await ann.ask<{ data: object[] }>(`/v1/workspaces/${workspace}/audit?type=quotas.set`)).body;
  expect(data).toMatchObject([{ by: `person:${operator.id}`, before: {}, after: { openGoals: 9 } }]);
});
