/**
 * Erasing a workspace and a person, over real D1, R2 and objects: with a crash between any two steps, with what comes late, with another workspace that is not touched. Which tables and objects hold something of a
 * workspace is found out from the schema, so that a new table that is forgotten fails here.
 */
import { applyD1Migrations, evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { scopes } from '../domain/context.ts';
import { digestOf } from '../domain/digest.ts';
import type { Json } from '../domain/values.ts';
import type { Env } from '../env.ts';
import { goalIdOf } from '../goal/goal-id.ts';
import { goalStub } from '../goal/goal-stub.ts';
import { sha256 } from '../goal/sha256.ts';
import { sweepAll } from '../triggers/sweep.ts';
import type { Receipt } from '../workspace/erasing/receipt.ts';
import { workspaceStub } from '../workspace/workspace-stub.ts';
import { app, ask, type Browser, freshId, joins, newPerson, newToken, newWorkspace, origin, peopleCommand } from './testing/people.ts';

const env = bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };
beforeAll(() => applyD1Migrations(env.DB, env.MIGRATIONS));

const object = (workspace: string) => env.WORKSPACES.get(env.WORKSPACES.idFromName(workspace));
const contract = { title: 'Canary goal', objective: 'Say hello.', criteria: [{ id: 'said', text: 'It was said', verify: 'attest' }] };

interface Filled {
  workspace: string;
  goals: string[];
  token: Record<string, string>;
}

/** Settings, a secret, an invitation, a token, two goals with a file each. */
async function filled(owner: Browser, name: string): Promise<Filled> {
  const workspace = await newWorkspace(owner, name);
  const setting = (type: string, payload: object) => owner.ask(`/v1/workspaces/${workspace}/commands`, { body: { type, commandId: freshId(), payload } });
  await setting('secret.put', { name: 'key', value: 'canary-secret' });
  await setting('outgoing.set', { allow: null, deny: ['a.example.com'] });
  await peopleCommand(owner, workspace, 'member.invite', { email: `guest-${name.toLowerCase()}@people.example`, role: 'viewer' });
  const token = await newToken(owner, workspace, scopes);
  const goals: string[] = [];
  for (const path of ['a.txt', 'b.txt']) {
    const made = await owner.ask<{ goal: string }>(`/v1/workspaces/${workspace}/goals`, { body: { type: 'goal.create', commandId: freshId(), payload: { contract } } });
    const { goal } = made.body;
    goals.push(goal);
    const put = await app.fetch(
      new Request(`${origin}/v1/workspaces/${workspace}/goals/${goal}/files/${path}`, { method: 'PUT', headers: { cookie: owner.cookie, origin }, body: `canary ${name} ${path}` }),
      env,
    );
    expect(put.status).toBe(201);
    await put.text();
    await goalStub(env, workspace, goal).drain({ v: 1, workspace, goal });
  }
  return { workspace, goals, token: token.headers };
}

/** Rows of every table of D1 that name the workspace, but for empty marks and receipts. */
async function rowsOf(workspace: string): Promise<Record<string, number>> {
  const { results } = await env.DB.prepare("SELECT name AS tab, 'workspace_id' AS col FROM sqlite_master WHERE type = 'table' AND instr(sql, '`workspace_id`') > 0").all<{
    tab: string;
    col: string;
  }>();
  expect(results.length).toBeGreaterThan(20);
  const counts: Record<string, number> = {};
  for (const { tab, col } of [...results, { tab: 'workspaces', col: 'id' }]) {
    const where = tab === 'goals' ? ' AND erased = 0' : '';
    const n = await env.DB.prepare(`SELECT count(*) AS n FROM "${tab}" WHERE "${col}" = ?${where}`).bind(workspace).first<number>('n');
    if (n) counts[tab] = n;
  }
  return counts;
}
const keysOf = async (workspace: string) => (await env.FILES.list({ limit: 1000 })).objects.map(({ key }) => key).filter((key) => key.includes(workspace));
const inObject = (workspace: string): Promise<Record<string, number>> =>
  runInDurableObject(object(workspace), (_, state) => {
    const tables = state.storage.sql
      .exec<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('migrations', 'erased') AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'",
      )
      .toArray();
    return Object.fromEntries(
      tables.flatMap(({ name }) => {
        const n = state.storage.sql.exec<{ n: number }>(`SELECT count(*) AS n FROM "${name}"`).one().n;
        return n > 0 ? [[name, n]] : [];
      }),
    );
  });
async function everything({ workspace, goals }: Filled): Promise<string> {
  const events = await Promise.all(goals.map((goal) => goalStub(env, workspace, goal).read({ v: 1, workspace, goal, query: { what: 'events', after: 0, limit: 100 } })));
  return JSON.stringify([await rowsOf(workspace), await keysOf(workspace), await inObject(workspace), events]);
}
interface Shown {
  id: string;
  state: string;
  receipt: Receipt | null;
}
const shown = async (who: Browser) => (await who.ask<{ data: Shown[] }>('/v1/erasures')).body.data;

/** Rings until there is nothing left to do; the object is killed before each ring. */
async function toTheEnd(workspace: string): Promise<number> {
  for (let rings = 0; rings < 50; rings++) {
    await evictDurableObject(object(workspace));
    if (!(await runDurableObjectAlarm(object(workspace)))) {
      const [row] = await runInDurableObject(object(workspace), (_, state) => state.storage.sql.exec<{ data: string }>('SELECT data FROM erased').toArray());
      if (row && (JSON.parse(row.data) as { step: string }).step === 'done') return rings;
    }
  }
  throw new Error('it never ends');
}

describe('a workspace', () => {
  it('is erased by its owner alone, who repeats its name', async () => {
    const [ann, ben] = [await newPerson(env, 'Ann'), await newPerson(env, 'Ben')];
    const { workspace, token } = await filled(ann, 'Guarded');
    await joins(ann, workspace, ben, 'admin');
    expect((await peopleCommand(ben, workspace, 'workspace.erase', { name: 'Guarded' })).body).toMatchObject({ code: 'forbidden' });
    expect(
      (await ask(env, `/v1/workspaces/${workspace}/people/commands`, { headers: token, body: { type: 'workspace.erase', commandId: 'x', payload: { name: 'Guarded' } } })).status,
    ).toBe(403);
    expect((await peopleCommand(ann, workspace, 'workspace.erase', { name: 'guarded' })).body).toMatchObject({
      code: 'schema_invalid',
      errors: [{ pointer: '/payload/name', code: 'not_the_name' }],
    });
    expect((await peopleCommand(ann, workspace, 'workspace.erase', { name: 'Guarded' }, { dryRun: true })).body).toMatchObject({ outcome: 'applied', dryRun: true });
    expect(await rowsOf(workspace)).toMatchObject({ members: 2, tokens: 1 });
  });

  it('leaves nothing in D1, the bucket and the objects, killed before every step; another one is not touched', async () => {
    const ann = await newPerson(env, 'Anna');
    const [mine, other] = [await filled(ann, 'Mine'), await filled(ann, 'Other')];
    const before = await everything(other);
    const { workspace } = mine;
    const erased = await peopleCommand(ann, workspace, 'workspace.erase', { name: 'Mine' });
    expect(erased.body).toMatchObject({ outcome: 'applied', result: { workspace } });
    // Nobody gets in from now on.
    expect((await ann.ask(`/v1/workspaces/${workspace}/goals`)).status).toBe(404);
    expect((await ask(env, '/v1/me', { headers: mine.token })).status).toBe(401);
    await toTheEnd(workspace);

    expect(await rowsOf(workspace)).toEqual({});
    expect(await keysOf(workspace)).toEqual([]);
    expect(await inObject(workspace)).toEqual({});
    for (const goal of mine.goals)
      expect(await goalStub(env, workspace, goal).read({ v: 1, workspace, goal, query: { what: 'next' } })).toMatchObject({ outcome: 'refused', refusal: { code: 'not_found' } });
    expect(await everything(other)).toBe(before);

    const [found] = await shown(ann);
    const receipt = found?.receipt;
    if (!receipt) throw new Error('no receipt');
    expect(found).toMatchObject({ state: 'done' });
    expect(receipt).toMatchObject({
      kind: 'workspace',
      subject: workspace,
      askedBy: `person:${ann.id}`,
      erased: { goals: 2, files: 2, members: 1, tokens: 1, invitations: 1, secrets: 1, settings: 1 },
      kept: [{ what: 'goal_marks' }, { what: 'receipt' }],
    });
    expect(receipt.auditHead?.seq).toBeGreaterThan(4);
    const { digest, ...rest } = receipt;
    expect(digest).toBe(digestOf(sha256, rest as unknown as Json));
    expect(JSON.stringify(receipt)).not.toMatch(/Mine|people\.example|canary/);
    expect((await ann.ask(`/v1/erasures/${found?.id}`)).status).toBe(200);
    const stranger = await newPerson(env, 'Stranger');
    expect((await stranger.ask(`/v1/erasures/${found?.id}`)).status).toBe(404);
  });

  it('takes nothing that comes late: settings, grants, goals, files, the same workspace made again', async () => {
    const ann = await newPerson(env, 'Annette');
    const commandId = freshId('ws');
    const made = await ann.ask<{ result: { workspace: string } }>('/v1/workspaces', { body: { name: 'Late', commandId } });
    const { workspace } = made.body.result;
    await peopleCommand(ann, workspace, 'workspace.erase', { name: 'Late' });
    const late = async () => {
      const person = { kind: 'person', principal: `person:${ann.id}`, scopes } as const;
      const stub = workspaceStub(env, workspace);
      const goal = goalIdOf(workspace, ['late']);
      const create = { type: 'goal.create', commandId: 'late', expected: {}, payload: { contract } as unknown as Json, dryRun: false } as const;
      const setting = { type: 'outgoing.set', commandId: 'late', expected: {}, payload: { allow: null, deny: [] } as Json, dryRun: false } as const;
      const given = [
        await stub.command({ v: 1, workspace, actor: person, envelope: setting }),
        await stub.grant({ v: 1, workspace, goal, round: 'r', fence: 1, tokens: 0, money: 0 }),
        await stub.admitFile({ v: 1, workspace, goal, digest: 'a'.repeat(64), size: 1 }),
        await stub.openFor({ v: 1, workspace, what: 'secret', name: 'key' }),
        await goalStub(env, workspace, goal).command({ v: 1, workspace, goal, actor: person, envelope: create }),
      ];
      for (const answer of given) expect(answer).toMatchObject({ refusal: { code: 'workspace_erased' } });
      expect(await ann.ask('/v1/workspaces', { body: { name: 'Late', commandId } })).toMatchObject({ status: 410, body: { code: 'workspace_erased' } });
    };
    await late();
    await toTheEnd(workspace);
    await evictDurableObject(object(workspace));
    await late();
    expect(await rowsOf(workspace)).toEqual({});
  });

  it('whose goal had its place and was not made yet never gets it', async () => {
    const ann = await newPerson(env, 'Annika');
    const workspace = await newWorkspace(ann, 'Unborn');
    const goal = goalIdOf(workspace, ['unborn']);
    expect(await workspaceStub(env, workspace).admitGoal({ v: 1, workspace, goal, dryRun: false })).toEqual({ outcome: 'admitted' });
    await peopleCommand(ann, workspace, 'workspace.erase', { name: 'Unborn' });
    await toTheEnd(workspace);
    const command = { type: 'goal.create', commandId: 'c', expected: {}, payload: { contract } as unknown as Json, dryRun: false } as const;
    const made = await goalStub(env, workspace, goal).command({ v: 1, workspace, goal, actor: { kind: 'person', principal: 'person:x', scopes }, envelope: command });
    expect(made).toMatchObject({ outcome: 'rejected' });
    expect(await runInDurableObject(env.GOALS.get(env.GOALS.idFromName(`${workspace}/${goal}`)), (_, state) => state.storage.sql.exec('SELECT * FROM commits').toArray())).toEqual(
      [],
    );
  });

  it('whose object was never told is found by the sweep', async () => {
    const ann = await newPerson(env, 'Anouk');
    const { workspace } = await filled(ann, 'Untold');
    const deaf = { ...env, WORKSPACES: { idFromName: () => 'x', get: () => ({ erase: () => Promise.reject(new Error('it died')) }) } } as unknown as Env;
    const command = { type: 'workspace.erase', commandId: 'c', payload: { name: 'Untold' } };
    expect((await ask(deaf, `/v1/workspaces/${workspace}/people/commands`, { body: command, headers: { cookie: ann.cookie, origin } })).status).toBe(200);
    expect(await shown(ann)).toMatchObject([{ state: 'going_on', receipt: null }]);
    expect((await sweepAll(env, Date.now())).erasures).toBeGreaterThan(0);
    await toTheEnd(workspace);
    expect(await shown(ann)).toMatchObject([{ state: 'done' }]);
  });
});

describe('a person', () => {
  const eraseMe = (who: Browser, email = who.email) => who.ask<{ code?: string; current?: object; erasure?: Shown }>('/v1/me/erase', { body: { email } });

  it('who is the last owner of a workspace is told which, and nothing is erased', async () => {
    const [cleo, dan] = [await newPerson(env, 'Cleo'), await newPerson(env, 'Dan')];
    const [one, two] = [await newWorkspace(cleo, 'Owned alone'), await newWorkspace(cleo, 'Owned by two')];
    await joins(cleo, two, dan, 'owner');
    expect((await eraseMe(cleo, 'other@people.example')).body).toMatchObject({ code: 'schema_invalid', errors: [{ pointer: '/email' }] });
    expect(await eraseMe(cleo)).toMatchObject({ status: 409, body: { code: 'invalid_transition', current: { onlyOwnerOf: [{ id: one, name: 'Owned alone' }] } } });
    expect((await cleo.ask('/v1/me')).status).toBe(200);
    await peopleCommand(cleo, one, 'workspace.erase', { name: 'Owned alone' });
    expect(await eraseMe(cleo)).toMatchObject({ status: 200, body: { erasure: { state: 'done' } } });
    expect((await dan.ask(`/v1/workspaces/${two}/goals`)).status).toBe(200);
  });

  it('is gone from every table, and stays in audits by id alone, which fit their chain', async () => {
    const [eve, fay] = [await newPerson(env, 'Eve-canary'), await newPerson(env, 'Fay')];
    const { workspace } = await filled(fay, 'Shared');
    await joins(fay, workspace, eve, 'admin');
    await peopleCommand(fay, workspace, 'member.invite', { email: 'someone@people.example', role: 'viewer' });
    const from = { 'cf-connecting-ip': '192.0.2.200' };
    await eve.ask(`/v1/workspaces/${workspace}/commands`, {
      body: { type: 'outgoing.set', commandId: freshId(), payload: { allow: null, deny: [] }, reason: 'as Eve wishes' },
      headers: from,
    });
    await eve.ask(`/v1/workspaces/${workspace}/people/commands`, {
      body: { type: 'token.issue', commandId: freshId(), payload: { name: 't', scopes: ['goals:read'] }, reason: 'as Eve says' },
      headers: from,
    });

    const erased = await eraseMe(eve);
    expect(erased.body).toMatchObject({
      erasure: {
        state: 'done',
        receipt: {
          kind: 'person',
          subject: eve.id,
          erased: { accounts: 1, memberships: 1, sessions: 1, waysToSignIn: 1 },
          kept: [{ what: 'audit_ids' }, { what: 'record_ids' }, { what: 'receipt' }],
        },
      },
    });
    expect(erased.body.erasure?.receipt?.erased.auditAddresses).toBeGreaterThanOrEqual(2);
    expect((await eve.ask('/v1/me')).status).toBe(401);

    const { results } = await env.DB.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\' AND name NOT LIKE 'd1_%'").all<{
      name: string;
    }>();
    const all = (await Promise.all(results.map(({ name }) => env.DB.prepare(`SELECT * FROM "${name}"`).all()))).map((table) => JSON.stringify(table.results)).join('\n');
    expect(all.toLowerCase()).not.toMatch(/eve-canary|as eve|192\.0\.2\.200/);
    const log = (await fay.ask<{ data: { by: string; type: string; subject: string; erased: boolean; from: string | null }[] }>(`/v1/workspaces/${workspace}/audit`)).body.data;
    expect(log[0]).toMatchObject({ type: 'person.erase', subject: `person:${eve.id}` });
    expect(log.filter(({ by, type }) => by === `person:${eve.id}` && type !== 'person.erase')).toMatchObject([
      { erased: true, from: null },
      { erased: true, from: null },
      { erased: true, from: null },
    ]);
    expect(JSON.stringify(log)).not.toMatch(/as Eve/);
    expect((await fay.ask(`/v1/workspaces/${workspace}/audit/verify`)).body).toMatchObject({ ok: true, erased: 3 });
    expect((await fay.ask<{ data: { id: string }[] }>(`/v1/workspaces/${workspace}/members`)).body.data.map(({ id }) => id)).toEqual([fay.id]);
  });

  it('whose workspaces could not be told goes on with the sweep', async () => {
    const [gus, hal] = [await newPerson(env, 'Gus'), await newPerson(env, 'Hal')];
    const workspace = await newWorkspace(hal, 'Deaf');
    await joins(hal, workspace, gus, 'viewer');
    const deaf = { ...env, WORKSPACES: { idFromName: () => 'x', get: () => ({ erasePerson: () => Promise.reject(new Error('it died')) }) } } as unknown as Env;
    const given = await ask(deaf, '/v1/me/erase', { body: { email: gus.email }, headers: { cookie: gus.cookie, origin } });
    expect(given).toMatchObject({ status: 503, body: { effect: 'unknown' } });
    expect((await gus.ask('/v1/me')).status).toBe(401);
    await sweepAll(env, Date.now());
    const row = await env.DB.prepare('SELECT receipt FROM erasures WHERE subject = ? AND done_at IS NOT NULL').bind(gus.id).first<{ receipt: string }>();
    expect(JSON.parse(row?.receipt ?? '{}')).toMatchObject({ kind: 'person', erased: { memberships: 1 } });
    expect((await hal.ask<{ data: object[] }>(`/v1/workspaces/${workspace}/audit?type=person.erase`)).body.data).toHaveLength(1);
  });

  it('is erased on their behalf by whoever runs the installation alone', async () => {
    const [ina, ops] = [await newPerson(env, 'Ina'), await newPerson(env, 'Ops')];
    const operated = { ...env, LONGHAUL_OPERATORS: ops.email };
    const path = `/v1/operator/people/${ina.id}/erase`;
    expect((await ask(env, path, { body: { email: ina.email }, headers: { cookie: ops.cookie, origin } })).status).toBe(404);
    expect((await ask(operated, path, { body: { email: ina.email }, headers: { cookie: ops.cookie, origin } })).body).toMatchObject({
      erasure: { state: 'done', receipt: { askedBy: `person:${ops.id}` } },
    });
    expect((await ina.ask('/v1/me')).status).toBe(401);
  });
});
