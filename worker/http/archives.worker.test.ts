/** A Goal out of one workspace and into another, erased for good, and its book made anew: over HTTP, with real objects, D1 and R2. */
import { applyD1Migrations, runInDurableObject } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { createTarDecoder, packTar, unpackTar } from 'modern-tar';
import { beforeAll, describe, expect, it } from 'vitest';
import { d1Book } from '../book/d1-book.ts';
import type { Env } from '../env.ts';
import { fileKey, goalFilesPrefix, indexKey } from '../goal/file-key.ts';
import { goalStub } from '../goal/goal-stub.ts';
import { SqlStore } from '../goal/sql-store.ts';
import { routes } from './routes.ts';
import { checkedApp } from './testing/conformity.ts';

const env = bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };
beforeAll(() => applyD1Migrations(env.DB, env.MIGRATIONS));

const app = checkedApp;
const origin = 'http://127.0.0.1:8787';
const member = { ...env, LONGHAUL_DEV_WORKSPACES: 'local,other,third' };
const send = (path: string, init: RequestInit = {}, as: Env = member) => app.fetch(new Request(`${origin}${path}`, init), as);
const post = async (path: string, body?: unknown) => {
  const response = await send(path, { method: 'POST', ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  return { status: response.status, body: (await response.json()) as Record<string, never> & { [key: string]: unknown } };
};
const get = async (path: string) => {
  const response = await send(path);
  return { status: response.status, body: (await response.json()) as { [key: string]: unknown; data: { [key: string]: unknown }[] } };
};

let count = 0;
const goals = (workspace: string) => `/v1/workspaces/${workspace}/goals`;
const contract = { title: 'Hello', objective: 'Say hello.', criteria: [{ id: 'said', text: 'It was said', verify: 'attest' }] };

/** A Goal under way, with a file, a message and a round that was handed out. */
async function underWay(): Promise<string> {
  const id = `archive-${++count}`;
  const made = await post(goals('local'), {
    type: 'goal.create',
    commandId: id,
    payload: { mode: 'bound', contract, lanes: { coordinator: { kind: 'person', principal: 'person:local' } }, confirmed: true },
  });
  expect(made.status).toBe(201);
  const goal = String(made.body.goal);
  const put = await send(`${goals('local')}/${goal}/files/notes/a.txt`, { method: 'PUT', body: `the notes of ${id}` });
  expect(put.status).toBe(201);
  await put.arrayBuffer();
  for (let n = 0; n < 5; n++) await post(`${goals('local')}/${goal}/commands`, { type: 'message.post', commandId: `m${n}`, payload: { text: `message ${n} 你好` } });
  await goalStub(env, 'local', goal).drain({ v: 1, workspace: 'local', goal });
  return goal;
}

async function archiveOf(workspace: string, goal: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await send(`${goals(workspace)}/${goal}/export`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-tar']);
  return new Uint8Array(await response.arrayBuffer());
}

async function bring(workspace: string, archive: Uint8Array<ArrayBuffer>) {
  const response = await send(`${goals(workspace)}/import`, { method: 'POST', body: archive });
  return { status: response.status, body: (await response.json()) as { [key: string]: unknown; errors: { pointer: string; code: string }[] } };
}

const journalOf = (workspace: string, goal: string) =>
  runInDurableObject(env.GOALS.get(env.GOALS.idFromName(`${workspace}/${goal}`)), (_, state) => new SqlStore(state.storage).commits(0, 1000));

/** The archive with one entry changed, added (undefined before) or left out (undefined after). */
async function altered(archive: Uint8Array<ArrayBuffer>, name: string | RegExp, change: (text: string) => string | undefined): Promise<Uint8Array<ArrayBuffer>> {
  const entries = await unpackTar(archive);
  return packTar(
    entries.flatMap((entry): typeof entries => {
      if (typeof name === 'string' ? entry.header.name !== name : !name.test(entry.header.name)) return [entry];
      const text = change(new TextDecoder().decode(entry.data));
      if (text === undefined) return [];
      const data = new Uint8Array(new TextEncoder().encode(text));
      return [{ header: { ...entry.header, size: data.length }, data }];
    }),
  );
}

describe('an archive', () => {
  it('brings a goal with its history, texts and files into another workspace, paused', async () => {
    const goal = await underWay();
    const archive = await archiveOf('local', goal);
    const names: string[] = [];
    for await (const { header, body } of new Response(archive).body?.pipeThrough(createTarDecoder()) ?? []) {
      names.push(header.name);
      await body.cancel();
    }
    expect(names).toEqual(['longhaul.json', 'journal/000000.ndjson', 'bodies/000000.ndjson', expect.stringMatching(/^files\/[0-9a-f]{64}$/), 'seal.json']);

    const before = await journalOf('local', goal);
    const brought = await bring('other', archive);
    expect(brought).toMatchObject({ status: 201, body: { outcome: 'imported', goal, added: before.at(-1)?.seq, paused: true, erasedBodies: 0, missingFiles: [] } });
    const after = await journalOf('other', goal);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after[before.length]).toMatchObject({ commandType: 'goal.pause', principal: 'person:local' });
    expect((await get(`${goals('other')}/${goal}`)).body).toMatchObject({ id: goal, bar: { status: 'paused', title: 'Hello' }, contract: { objective: 'Say hello.' } });
    // The same command gives the same answer there.
    expect((await post(`${goals('other')}/${goal}/commands`, { type: 'message.post', commandId: 'm3', payload: { text: 'message 3 你好' } })).body).toMatchObject({
      replayed: true,
    });
    const digest = names.find((name) => name.startsWith('files/'))?.slice('files/'.length);
    const file = await send(`${goals('other')}/${goal}/artifacts/${digest}`);
    expect(await file.text()).toMatch(/^the notes of archive-/);
    // The record's rows are what the journal gives, and the book follows.
    await goalStub(env, 'other', goal).drain({ v: 1, workspace: 'other', goal });
    expect((await get(`${goals('other')}/${goal}/compare`)).body).toMatchObject({ equal: true });
    expect((await post(`${goals('other')}/${goal}/rebuild`)).body).toMatchObject({ record: { rowsSame: true, stateSame: true } });
  });

  it('that comes twice is one; an older or another record never overwrites what is here', async () => {
    const goal = await underWay();
    const old = await archiveOf('local', goal);
    await post(`${goals('local')}/${goal}/commands`, { type: 'message.post', commandId: 'later', payload: { text: 'later' } });
    // Where it came from it is older than what is there.
    expect(await bring('local', old)).toMatchObject({ status: 409, body: { code: 'record_newer' } });
    expect((await bring('other', old)).body).toMatchObject({ paused: true });
    const there = await journalOf('other', goal);
    expect(await bring('other', old)).toMatchObject({ status: 200, body: { added: 0, paused: true } });
    // Both went on by themselves: neither is the beginning of the other.
    for (let n = 0; n < 10; n++) await post(`${goals('local')}/${goal}/commands`, { type: 'message.post', commandId: `after${n}`, payload: { text: 'after' } });
    expect(await bring('other', await archiveOf('local', goal))).toMatchObject({ status: 409, body: { code: 'record_newer' } });
    expect(await journalOf('other', goal)).toEqual(there);
  });

  it('of a draft that went on catches up with it', async () => {
    const made = await post(goals('local'), { type: 'goal.create', commandId: `archive-${++count}`, payload: { mode: 'bound', contract } });
    const goal = String(made.body.goal);
    expect(await bring('other', await archiveOf('local', goal))).toMatchObject({ status: 201, body: { paused: false } });
    await post(`${goals('local')}/${goal}/commands`, { type: 'message.post', commandId: 'm', payload: { text: 'more' } });
    expect(await bring('other', await archiveOf('local', goal))).toMatchObject({ status: 201, body: { added: 1 } });
    expect(await journalOf('other', goal)).toEqual(await journalOf('local', goal));
  });

  it('that was cut off or altered is refused with the place, and nothing of it counts', async () => {
    const goal = await underWay();
    const archive = await archiveOf('local', goal);
    const refused = async (bad: Uint8Array<ArrayBuffer>, pointer: string | RegExp) => {
      const brought = await bring('third', bad);
      expect(brought).toMatchObject({ status: 422, body: { code: 'archive_invalid' } });
      expect(brought.body.errors[0]?.pointer).toMatch(pointer);
      expect((await get(`${goals('third')}/${goal}`)).status).toBe(404);
      expect(await journalOf('third', goal)).toEqual([]);
    };
    await refused(archive.slice(0, archive.length / 2), /.*/);
    await refused(new TextEncoder().encode('no archive at all') as Uint8Array<ArrayBuffer>, /.*/);
    await refused(await altered(archive, 'seal.json', () => undefined), '/seal.json');
    await refused(await altered(archive, 'journal/000000.ndjson', (text) => text.replace('message.post', 'message.Post')), '/journal/000000.ndjson');
    await refused(await altered(archive, 'bodies/000000.ndjson', (text) => text.replace('message 1', 'message 7')), '/bodies/000000.ndjson');
    await refused(await altered(archive, /^files\//, (text) => text.replace('notes', 'Notes')), /^\/files\//);
    await refused(await altered(archive, 'longhaul.json', (text) => text.replace('"version": 1', '"version": 2')), '/longhaul.json');
    // One who also forges the list of digests meets the chain over the commits, and the digests of the texts.
    const forge = async (name: string, change: (text: string) => string) => {
      const forged = await altered(archive, name, change);
      const entry = (await unpackTar(forged)).find((each) => each.header.name === name);
      const digest = Buffer.from(await crypto.subtle.digest('SHA-256', entry?.data ?? new Uint8Array())).toString('hex');
      return altered(forged, 'seal.json', (text) => {
        const seal = JSON.parse(text) as { entries: { name: string; digest: string; size: number }[] };
        for (const each of seal.entries) if (each.name === name) Object.assign(each, { digest, size: entry?.data?.length ?? 0 });
        return JSON.stringify(seal);
      });
    };
    await refused(await forge('journal/000000.ndjson', (text) => text.replace('"person:local"', '"person:other"')), '/seal.json');
    await refused(await forge('bodies/000000.ndjson', (text) => text.replace('message 1', 'message 7')), /^\/bodies\/000000.ndjson\/\d+$/);
    await refused(await forge('journal/000000.ndjson', (text) => text.split('\n').slice(0, -2).join('\n')), '/seal.json');
    await refused(await forge('journal/000000.ndjson', (text) => text.replace('"type":"message.posted"', '"type":"message.unheard"')), /^\/journal\/000000.ndjson\/\d+$/);
    // And it is still good.
    expect((await bring('third', archive)).status).toBe(201);
  });

  it('of what was never there is not found', async () => {
    expect((await get(`${goals('local')}/goal_${'0'.repeat(32)}/export`)).status).toBe(404);
  });
});

describe('erasing', () => {
  it('leaves nothing in the object, the book and the bucket; nothing brings it back', async () => {
    const goal = await underWay();
    const archive = await archiveOf('local', goal);
    const late = await goalStub(env, 'local', goal).read({ v: 1, workspace: 'local', goal, query: { what: 'book_row' } });
    const rows = await runInDurableObject(env.GOALS.get(env.GOALS.idFromName(`local/${goal}`)), (_, state) => new SqlStore(state.storage).rowsSince(0, 100));
    expect((await env.FILES.list({ prefix: goalFilesPrefix('local', goal) })).objects).toHaveLength(1);
    expect(await env.FILES.head(indexKey('local', goal))).not.toBeNull();

    expect(await post(`${goals('local')}/${goal}/erase`)).toMatchObject({ status: 200, body: { outcome: 'erased', done: true } });
    expect(await post(`${goals('local')}/${goal}/erase`)).toMatchObject({ status: 200, body: { done: true } });
    expect((await get(`${goals('local')}/${goal}`)).status).toBe(404);
    expect((await get(`${goals('local')}/${goal}/export`)).status).toBe(404);
    expect((await env.FILES.list({ prefix: goalFilesPrefix('local', goal) })).objects).toEqual([]);
    expect(await env.FILES.head(indexKey('local', goal))).toBeNull();
    await runInDurableObject(env.GOALS.get(env.GOALS.idFromName(`local/${goal}`)), (_, state) => {
      const store = new SqlStore(state.storage);
      expect([store.meta(), store.lastSeq(), store.rowsSince(0, 10), store.bodies('', 10)]).toEqual([{ workspace: 'local', goal, erased: true }, 0, [], []]);
    });

    // A batch that was on its way, the command that made it, and its archive all come too late.
    if (late.outcome !== 'found') throw new Error('no row');
    await d1Book(env.DB).apply({ workspace: 'local', goal, seq: 99, rows, goalRow: late.value, bodies: {} });
    const held = await env.DB.prepare('SELECT title, erased FROM goals WHERE goal_id = ? AND workspace_id = ?').bind(goal, 'local').first();
    expect(held).toEqual({ title: '', erased: 1 });
    expect(await env.DB.prepare('SELECT count(*) AS n FROM goal_versions WHERE goal_id = ? AND workspace_id = ?').bind(goal, 'local').first()).toEqual({ n: 0 });
    expect(await post(goals('local'), { type: 'goal.create', commandId: `archive-${count}`, payload: { mode: 'bound', contract } })).toMatchObject({ status: 404 });
    expect(await bring('local', archive)).toMatchObject({ status: 410, body: { code: 'goal_erased' } });
  });

  it('wants the scope', async () => {
    const goal = await underWay();
    expect((await send(`${goals('local')}/${goal}/erase`, { method: 'POST' }, env)).status).toBe(200);
    expect(routes.find((route) => route.path.endsWith('/:goal/erase'))?.may).toBe('admin');
  });
});

describe('the book made anew', () => {
  it('of one goal: what was lost and what was changed is as it was', async () => {
    const goal = await underWay();
    const compare = async () => (await get(`${goals('local')}/${goal}/compare`)).body as unknown as { equal: boolean; tables: { table: string; differing: string[] }[] };
    expect(await compare()).toMatchObject({ equal: true });
    await env.DB.batch([
      env.DB.prepare('DELETE FROM goal_versions WHERE goal_id = ?').bind(goal),
      env.DB.prepare("UPDATE waits SET reason = 'forged' WHERE goal_id = ?").bind(goal),
      env.DB.prepare("UPDATE goals SET title = 'forged' WHERE goal_id = ?").bind(goal),
    ]);
    const wrong = await compare();
    expect(wrong.equal).toBe(false);
    expect(wrong.tables.filter((table) => table.differing.length > 0).map((table) => table.table)).toEqual(expect.arrayContaining(['goal_versions', 'goals']));
    expect((await post(`${goals('local')}/${goal}/rebuild`)).status).toBe(200);
    expect(await compare()).toMatchObject({ equal: true });
  });

  it('of a workspace whose book is gone altogether', async () => {
    const mine = [await underWay(), await underWay()];
    await env.DB.batch(['goals', 'goal_versions', 'executions', 'waits', 'bodies'].map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
    expect((await get(goals('local'))).body.data).toEqual([]);
    const rebuilt: string[] = [];
    for (let cursor = ''; ; ) {
      const page = (await post(`/v1/workspaces/local/rebuild${cursor}`)).body as unknown as { rebuilt: string[]; failed: string[]; nextCursor: string | null };
      expect(page.failed).toEqual([]);
      rebuilt.push(...page.rebuilt);
      if (page.nextCursor === null) break;
      cursor = `?cursor=${encodeURIComponent(page.nextCursor)}`;
    }
    expect(rebuilt).toEqual(expect.arrayContaining(mine));
    for (const goal of mine) expect((await get(`${goals('local')}/${goal}/compare`)).body).toMatchObject({ equal: true });
  });
});

it('a file that no record names any more is not needed to bring a goal in; one that was missing is named', async () => {
  const goal = await underWay();
  const [object] = (await env.FILES.list({ prefix: goalFilesPrefix('local', goal) })).objects;
  const digest = object?.key.split('/').at(-1) ?? '';
  await env.FILES.delete(fileKey('local', goal, digest));
  expect(await bring('third', await archiveOf('local', goal))).toMatchObject({ status: 201, body: { missingFiles: [digest] } });
});
