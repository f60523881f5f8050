/** A workspace exported and read back: every entry against the seal, the audit against its chain, a goal brought in elsewhere from its folder. */
import { applyD1Migrations } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { packTar, unpackTar } from 'modern-tar';
import { beforeAll, expect, it } from 'vitest';
import { scopes } from '../domain/context.ts';
import type { Env } from '../env.ts';
import { goalStub } from '../goal/goal-stub.ts';
import { sha256 } from '../goal/sha256.ts';
import { checkExport } from '../workspace/audit/export.ts';
import { app, type Browser, freshId, joins, newPerson, newToken, newWorkspace, origin } from './testing/people.ts';

const env = bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };
beforeAll(() => applyD1Migrations(env.DB, env.MIGRATIONS));

const contract = { title: 'Hello', objective: 'Say hello.', criteria: [{ id: 'said', text: 'It was said', verify: 'attest' }] };
const send = (who: Browser, path: string, init: RequestInit = {}) => app.fetch(new Request(`${origin}${path}`, { ...init, headers: { cookie: who.cookie, origin } }), env);
const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function unpacked(response: Response): Promise<Map<string, Uint8Array>> {
  expect(response.status).toBe(200);
  const entries = await unpackTar(new Uint8Array(await response.arrayBuffer()));
  return new Map(entries.map(({ header, data }) => [header.name, data ?? new Uint8Array()]));
}

it('is everything the workspace has, sealed by digests, with no secret in it; its goals can be brought in elsewhere', async () => {
  const [ann, ben] = [await newPerson(env, 'Ann'), await newPerson(env, 'Ben')];
  const [workspace, elsewhere] = [await newWorkspace(ann, 'Whole'), await newWorkspace(ann, 'Elsewhere')];
  await joins(ann, workspace, ben, 'viewer');
  const token = await newToken(ann, workspace, scopes);
  const setting = (type: string, payload: object) => ann.ask(`/v1/workspaces/${workspace}/commands`, { body: { type, commandId: freshId(), payload } });
  expect((await setting('secret.put', { name: 'key', value: 'canary-of-the-export' })).status).toBe(200);
  await setting('outgoing.set', { allow: null, deny: ['a.example.com'] });
  const goals: string[] = [];
  for (const path of ['a.txt', 'b.txt']) {
    const { goal } = (await ann.ask<{ goal: string }>(`/v1/workspaces/${workspace}/goals`, { body: { type: 'goal.create', commandId: freshId(), payload: { contract } } })).body;
    await (await send(ann, `/v1/workspaces/${workspace}/goals/${goal}/files/${path}`, { method: 'PUT', body: `bytes of ${path}` })).text();
    await goalStub(env, workspace, goal).drain({ v: 1, workspace, goal });
    goals.push(goal);
  }

  const files = await unpacked(await send(ann, `/v1/workspaces/${workspace}/export`));
  const text = (name: string) => new TextDecoder().decode(files.get(name));
  const names = [...files.keys()];
  expect(names.slice(0, 6)).toEqual(['longhaul-workspace.json', 'settings.json', 'members.json', 'invitations.json', 'tokens.json', 'usage.json']);
  expect(names.at(-1)).toBe('seal.json');
  const seal = JSON.parse(text('seal.json')) as { entries: { name: string; size: number; digest: string }[]; unreadGoals: string[] };
  expect(seal.unreadGoals).toEqual([]);
  expect(seal.entries.map(({ name }) => name)).toEqual(names.slice(0, -1));
  for (const { name, size, digest } of seal.entries) {
    const bytes = files.get(name) ?? new Uint8Array();
    expect([bytes.length, digestOf(bytes)], name).toEqual([size, digest]);
  }

  expect(JSON.parse(text('longhaul-workspace.json'))).toMatchObject({ format: 'longhaul-workspace', workspace, name: 'Whole' });
  expect(JSON.parse(text('settings.json'))).toMatchObject({ settings: { outgoing: { value: { deny: ['a.example.com'] } } }, secrets: { data: [{ name: 'key' }] } });
  expect(JSON.parse(text('members.json'))).toMatchObject([
    { id: ann.id, role: 'owner' },
    { id: ben.id, role: 'viewer' },
  ]);
  expect(JSON.parse(text('tokens.json'))).toMatchObject([{ id: token.id, state: 'live' }]);
  expect(await checkExport(sha256, text('audit.ndjson').split('\n'))).toMatchObject({ ok: true, checked: { ok: true, whole: true, workspace } });
  const all = names.map(text).join('\n');
  expect(all).toContain('bytes of a.txt');
  for (const secret of ['canary-of-the-export', token.secret, 'password']) expect(all).not.toContain(secret);

  // Each goal's folder is its archive.
  for (const goal of goals) {
    const folder = `goals/${goal}/`;
    const archive = await packTar(
      names
        .filter((name) => name.startsWith(folder))
        .map((name) => ({ header: { name: name.slice(folder.length), size: files.get(name)?.length ?? 0, type: 'file' as const }, body: files.get(name) ?? new Uint8Array() })),
    );
    const taken = await send(ann, `/v1/workspaces/${elsewhere}/goals/import`, { method: 'POST', body: archive as unknown as BodyInit });
    expect(await taken.json()).toMatchObject({ outcome: 'imported', goal, missingFiles: [] });
  }
});

it('is for admins', async () => {
  const [cleo, dan] = [await newPerson(env, 'Cleo'), await newPerson(env, 'Dan')];
  const workspace = await newWorkspace(cleo, 'Closed');
  await joins(cleo, workspace, dan, 'operator');
  expect((await send(dan, `/v1/workspaces/${workspace}/export`)).status).toBe(403);
});
