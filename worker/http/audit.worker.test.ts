/** The audit as it runs: one chain over settings and people, with filters, export and verification; rows of its object and of D1 are tampered with. */
import { applyD1Migrations, evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { scopes } from '../domain/context.ts';
import type { Env } from '../env.ts';
import { sha256 } from '../goal/sha256.ts';
import type { AuditVerified } from '../workspace/audit/audit-log.ts';
import { checkExport } from '../workspace/audit/export.ts';
import { schema } from '../workspace/sql-schema.ts';
import type { AuditEntry } from '../workspace/reads.ts';
import { app, type Browser, freshId, joins, newPerson, newToken, newWorkspace, origin } from './testing/people.ts';

const env = bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };
let ann: Browser;
let ben: Browser;
beforeAll(async () => {
  await applyD1Migrations(env.DB, env.MIGRATIONS);
  ann = await newPerson(env, 'Ann');
  ben = await newPerson(env, 'Ben');
}, 60_000);

const setting = (who: Browser, workspace: string, type: string, payload: unknown, more: object = {}) =>
  who.ask(`/v1/workspaces/${workspace}/commands`, { body: { type, commandId: freshId(), payload, ...more }, headers: { 'cf-connecting-ip': '192.0.2.44' } });
const audit = (workspace: string, query = '') => ann.ask<{ data: AuditEntry[]; nextCursor: string | null }>(`/v1/workspaces/${workspace}/audit${query}`);
const verify = async (workspace: string) => (await ann.ask<AuditVerified>(`/v1/workspaces/${workspace}/audit/verify`)).body;
const exported = async (workspace: string, query = '') =>
  (await app.fetch(new Request(`${origin}/v1/workspaces/${workspace}/audit/export${query}`, { headers: { cookie: ann.cookie, origin } }), env)).text();
const object = (workspace: string) => env.WORKSPACES.get(env.WORKSPACES.idFromName(workspace));
const inObject = (workspace: string, ...statements: string[]) => runInDurableObject(object(workspace), (_, state) => void statements.forEach((sql) => state.storage.sql.exec(sql)));

/** A workspace with rows of both kinds: make, invite, accept, token, two settings. */
async function filled(name: string): Promise<string> {
  const workspace = await newWorkspace(ann, name);
  await joins(ann, workspace, ben, 'admin');
  await newToken(ann, workspace, ['goals:read']);
  await setting(ann, workspace, 'outgoing.set', { allow: null, deny: ['a.example.com'] }, { reason: 'nobody needs it' });
  await setting(ben, workspace, 'outgoing.set', { allow: null, deny: ['b.example.com'] });
  return workspace;
}

describe('the audit', () => {
  it('holds settings and people in one order: who, from where, what, before and after', async () => {
    const workspace = await filled('One');
    const { data } = (await audit(workspace)).body;
    expect(data.map(({ seq, type }) => `${seq} ${type}`)).toEqual([
      '6 outgoing.set',
      '5 outgoing.set',
      '4 token.issue',
      '3 invitation.accept',
      '2 member.invite',
      '1 workspace.create',
    ]);
    expect(data[0]).toMatchObject({
      by: `person:${ben.id}`,
      from: '192.0.2.44',
      subject: null,
      before: { deny: ['a.example.com'] },
      after: { deny: ['b.example.com'] },
      erased: false,
    });
    expect(data[1]).toMatchObject({ reason: 'nobody needs it', before: null });
    expect(data[3]).toMatchObject({ by: `person:${ben.id}`, subject: ben.id, after: { role: 'admin' } });
    expect(JSON.stringify(data)).not.toMatch(/@people|lht_|lhi_/);
    expect(await verify(workspace)).toMatchObject({ ok: true, rows: 6, head: { seq: 6 }, kept: { seq: 6 }, problems: [] });
  });

  it('has no gap and no row twice when many write at once', async () => {
    const workspace = await newWorkspace(ann, 'Busy');
    await Promise.all([
      ...Array.from({ length: 8 }, () => newToken(ann, workspace, ['goals:read'])),
      ...Array.from({ length: 8 }, (_, n) => setting(ann, workspace, 'mcp.put', { name: `m${n}`, url: 'https://mcp.example.com/mcp', tools: [] })),
    ]);
    expect(await verify(workspace)).toMatchObject({ ok: true, rows: 17, head: { seq: 17 } });
    const numbers = await env.DB.prepare('SELECT number FROM people_log WHERE workspace_id = ? ORDER BY number').bind(workspace).all<{ number: number }>();
    expect(numbers.results.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('takes in what the log of people has when it could not be told', async () => {
    const workspace = await newWorkspace(ann, 'Untold');
    const columns = 'principal, command_id, type, body_digest, at, address, before, after, reason, held';
    await env.DB.prepare(
      `INSERT INTO people_log (workspace_id, ${columns}, number) SELECT workspace_id, ${columns.replace('command_id', "'lost'").replace('type,', "'member.leave',")}, 2 FROM people_log WHERE workspace_id = ?`,
    )
      .bind(workspace)
      .run();
    expect((await audit(workspace)).body.data.map(({ type }) => type)).toEqual(['member.leave', 'workspace.create']);
    expect(await verify(workspace)).toMatchObject({ ok: true, rows: 2 });
  });

  it('is filtered and read in pages', async () => {
    const workspace = await filled('Filtered');
    const types = async (query: string) => (await audit(workspace, query)).body.data.map(({ type }) => type);
    expect(await types(`?by=person:${ben.id}`)).toEqual(['outgoing.set', 'invitation.accept']);
    expect(await types('?type=member.*')).toEqual(['member.invite']);
    expect(await types('?type=token.issue')).toEqual(['token.issue']);
    const all = (await audit(workspace)).body.data;
    const third = all[3]?.at ?? 0;
    expect((await audit(workspace, `?from=${third}`)).body.data.every(({ at }) => at >= third)).toBe(true);
    expect((await audit(workspace, `?to=${all.at(-1)?.at}`)).body.data).toEqual([]);
    const first = (await audit(workspace, '?limit=4')).body;
    const rest = (await audit(workspace, `?limit=4&cursor=${first.nextCursor}`)).body;
    expect([...first.data, ...rest.data]).toEqual(all);
    expect(rest.nextCursor).toBeNull();
    expect((await audit(workspace, '?who=x')).status).toBe(422);
  });

  it('is exported as NDJSON that is verified elsewhere, and as CSV', async () => {
    const workspace = await filled('Exported');
    const text = await exported(workspace);
    const { head } = await verify(workspace);
    expect(await checkExport(sha256, text.split('\n'), [head])).toMatchObject({ ok: true, checked: { ok: true, whole: true, rows: 6, head } });
    const cut = text.split('\n').filter((_, line) => line !== 3);
    expect(await checkExport(sha256, cut)).toMatchObject({ ok: true, checked: { ok: false, problems: [{ seq: 4, code: 'removed' }, { code: 'cut' }] } });
    expect(await checkExport(sha256, (await exported(workspace, '?type=outgoing.*')).split('\n'))).toMatchObject({ ok: true, checked: { ok: true, whole: false, rows: 2 } });
    const csv = await exported(workspace, '?format=csv');
    expect(csv.split('\r\n')).toHaveLength(8);
    expect(csv).toContain('outgoing.set');
  });

  it('says which row was altered, removed, moved or cut off in the object', async () => {
    const found = async (name: string, ...statements: string[]) => {
      const workspace = await filled(name);
      expect((await verify(workspace)).ok).toBe(true);
      await inObject(workspace, ...statements);
      return (await verify(workspace)).problems.map(({ seq, code }) => `${code} ${seq}`);
    };
    expect(await found('T1', "UPDATE audit_chain SET principal = 'person:nobody' WHERE seq = 3")).toEqual(['altered 3', 'source_altered 3']);
    expect(await found('T2', "UPDATE audit_chain SET held = replace(held, '192.0.2.44', '192.0.2.45') WHERE seq = 5")).toEqual(['held_altered 5']);
    expect(await found('T3', 'DELETE FROM audit_chain WHERE seq = 3')).toEqual(['removed 4']);
    expect(
      await found('T4', 'UPDATE audit_chain SET seq = -1 WHERE seq = 5', 'UPDATE audit_chain SET seq = 5 WHERE seq = 6', 'UPDATE audit_chain SET seq = 6 WHERE seq = -1'),
    ).toContain('altered 5');
    expect(await found('T5', 'DELETE FROM audit_chain WHERE seq > 4')).toEqual(['cut 5']);
    // Whoever also moves the head forgets the one that D1 keeps.
    expect(await found('T6', 'DELETE FROM audit_chain WHERE seq > 5', 'UPDATE audit_head SET seq = 5, digest = (SELECT digest FROM audit_chain WHERE seq = 5)')).toEqual(['cut 6']);
  });

  it('says which entry of the log of people is another one than was taken in', async () => {
    const workspace = await filled('Log');
    await env.DB.prepare("UPDATE people_log SET after = replace(after, 'admin', 'viewer') WHERE workspace_id = ? AND number = 3").bind(workspace).run();
    await env.DB.prepare('DELETE FROM people_log WHERE workspace_id = ? AND number = 2').bind(workspace).run();
    expect((await verify(workspace)).problems.map(({ seq, code }) => `${code} ${seq}`)).toEqual(['source_removed 2', 'source_altered 3']);
  });

  it('from before it was a chain is taken into it, in its order', async () => {
    const workspace = await newWorkspace(ann, 'Older');
    await runInDurableObject(object(workspace), (_, state) => {
      for (const { name } of state.storage.sql
        .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'")
        .toArray())
        state.storage.sql.exec(`DROP TABLE "${name}"`);
      state.storage.sql.exec('CREATE TABLE migrations (version INTEGER PRIMARY KEY)');
      for (const [at, statements] of schema.slice(0, 2).entries()) {
        for (const statement of statements) state.storage.sql.exec(statement);
        state.storage.sql.exec('INSERT INTO migrations (version) VALUES (?)', at + 1);
      }
      for (const name of ['one', 'two'])
        state.storage.sql.exec(
          "INSERT INTO audit (at, principal, type, name, reason, detail) VALUES (5, 'person:old', 'mcp.put', ?, 'because', ?)",
          name,
          JSON.stringify({ name }),
        );
    });
    await evictDurableObject(object(workspace));
    const { data } = (await audit(workspace)).body;
    expect(data.map(({ type, subject, reason }) => [type, subject, reason]).slice(1)).toEqual([
      ['mcp.put', 'two', 'because'],
      ['mcp.put', 'one', 'because'],
    ]);
    expect(data[0]).toMatchObject({ type: 'workspace.create', seq: 3 });
    // The head that D1 keeps may still be of the chain that this test took away.
    expect((await verify(workspace)).problems.filter(({ code }) => code !== 'head')).toEqual([]);
  });

  it('is for admins, and knows nothing of another workspace', async () => {
    const [workspace, other] = [await filled('Mine'), await newWorkspace(ben, 'Theirs')];
    const token = await newToken(
      ann,
      workspace,
      scopes.filter((scope) => scope !== 'admin'),
    );
    for (const path of ['audit', 'audit/verify', 'audit/export']) {
      expect((await app.fetch(new Request(`${origin}/v1/workspaces/${workspace}/${path}`, { headers: token.headers }), env)).status, path).toBe(403);
      expect((await ann.ask(`/v1/workspaces/${other}/${path}`)).status, path).toBe(404);
    }
  });
});
