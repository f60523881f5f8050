/** People as a browser meets them: signing up and in, workspaces, invitations, roles, tokens. The access matrix is a test of its own. */
import { applyD1Migrations } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { roleTable } from '../domain/roles.ts';
import type { Env } from '../env.ts';
import { goalIdOf } from '../goal/goal-id.ts';
import { app, ask, type Browser, freshId, joins, linkIn, mailTo, newPerson, newToken, newWorkspace, origin, password, peopleCommand, signIn } from './testing/people.ts';

const env = bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };
let ann: Browser;
let acme: string;

beforeAll(async () => {
  await applyD1Migrations(env.DB, env.MIGRATIONS);
  ann = await newPerson(env, 'Ann');
  acme = await newWorkspace(ann, 'Acme Ltd');
}, 120_000);

const goals = (workspace: string) => `/v1/workspaces/${workspace}/goals`;
const creation = () => ({
  type: 'goal.create',
  commandId: freshId('goal'),
  payload: { mode: 'bound', contract: { title: 'T', objective: 'O', criteria: [{ id: 'a', text: 'A', verify: 'attest' }] } },
});

describe('signing up and in', () => {
  it('needs the mail to be opened first', async () => {
    const email = 'early@people.example';
    expect((await ask(env, '/auth/sign-up/email', { body: { email, password, name: 'Early' }, headers: { origin } })).status).toBe(200);
    const refused = await ask(env, '/auth/sign-in/email', { body: { email, password }, headers: { origin } });
    expect(refused.status).toBe(403);
    expect(refused.headers.getSetCookie()).toEqual([]);
    await ask(env, linkIn(await mailTo(env, email, 'verify-email')));
    expect((await signIn(env, email)).cookie).toContain('session_token');
  });

  it('sets a cookie that no script reads, that https alone carries and that other sites do not bring along', async () => {
    const { headers } = await ask(env, '/auth/sign-in/email', { body: { email: ann.email, password }, headers: { origin } });
    const cookie = headers.getSetCookie().find((each) => each.includes('session_token')) ?? '';
    expect(cookie).toMatch(/^__Secure-longhaul\.session_token=/);
    for (const flag of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/']) expect(cookie).toContain(flag);
    expect(cookie).not.toContain('Domain');
  });

  it('says the same of an unknown address as of a wrong password, and of a taken one as of a free one', async () => {
    const sent = (email: string) => ask(env, '/auth/sign-in/email', { body: { email, password: 'another password' }, headers: { origin } });
    const [known, unknown] = [await sent(ann.email), await sent('nobody@people.example')];
    expect(known.status).toBe(401);
    expect(unknown).toMatchObject({ status: known.status, body: known.body });
    const up = (email: string) => ask<{ user: object }>(env, '/auth/sign-up/email', { body: { email, password, name: 'X' }, headers: { origin } });
    const [taken, free] = [await up(ann.email), await up('free@people.example')];
    expect(taken.status).toBe(free.status);
    expect(Object.keys(taken.body.user).sort()).toEqual(Object.keys(free.body.user).sort());
    for (const address of [ann.email, 'nobody@people.example'])
      expect(await ask(env, '/auth/request-password-reset', { body: { email: address, redirectTo: '/sign-in' }, headers: { origin } })).toMatchObject({ status: 200 });
  });

  it('ends every session when one signs out everywhere, and when the password is reset', async () => {
    const first = await newPerson(env, 'Rita');
    const second = await signIn(env, first.email);
    expect((await second.ask('/v1/me')).status).toBe(200);
    expect((await first.ask('/auth/revoke-sessions', { method: 'POST' })).status).toBe(200);
    for (const each of [first, second]) expect((await each.ask('/v1/me')).status).toBe(401);

    const third = await signIn(env, first.email);
    await ask(env, '/auth/request-password-reset', { body: { email: first.email, redirectTo: '/sign-in' }, headers: { origin } });
    const token = /reset-password\/([^?]+)/.exec(await mailTo(env, first.email, 'reset-password'))?.[1];
    const reset = { newPassword: 'quite another password', token };
    expect((await ask(env, '/auth/reset-password', { body: reset, headers: { origin } })).status).toBe(200);
    expect((await third.ask('/v1/me')).status).toBe(401);
    expect((await ask(env, '/auth/reset-password', { body: reset, headers: { origin } })).status).toBe(400);
    await expect(signIn(env, first.email)).rejects.toThrow('401');
    expect((await signIn(env, first.email, 'quite another password')).id).toBe(first.id);
  });

  it('stops who guesses at the password of one person', async () => {
    const sent = (email: string) => ask(env, '/auth/sign-in/email', { body: { email, password: 'guess' }, headers: { origin } });
    const statuses: number[] = [];
    for (let n = 0; n < 11; n++) statuses.push((await sent('Guessed@people.example')).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    expect((await sent('somebody-else@people.example')).status).toBe(401);
  });

  it('does not take a forged or altered cookie', async () => {
    for (const cookie of [ann.cookie.replace(/.{5}$/, 'AAAAA'), ann.cookie.replace(/=.{4}/, '=AAAA'), '__Secure-longhaul.session_token=x.y'])
      expect((await ask(env, '/v1/me', { headers: { cookie } })).status).toBe(401);
  });

  it('lets a session change nothing for another page, nor for one that hides where it is', async () => {
    const body = { name: 'Forged', commandId: freshId() };
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, { origin, 'sec-fetch-site': 'cross-site' }] as Record<string, string>[])
      expect((await ask(env, '/v1/workspaces', { body, headers: { cookie: ann.cookie, ...headers } })).status).toBe(403);
    expect((await ask(env, '/v1/workspaces', { body, headers: { cookie: ann.cookie } })).status).toBe(403);
    const evil = await ask(env, '/auth/sign-out', { body: {}, headers: { cookie: ann.cookie, origin: 'https://evil.example' } });
    expect(evil.status).toBe(403);
    expect((await ann.ask('/v1/me')).status).toBe(200);
  });

  it('sends nobody to another site', async () => {
    const link = linkIn(await mailTo(env, ann.email, 'verify-email')).replace(/callbackURL=[^&]*/, `callbackURL=${encodeURIComponent('https://evil.example/')}`);
    const back = await ask(env, link);
    expect(back.headers.get('location') ?? '').not.toContain('evil.example');
  });

  it('offers nothing of better-auth that is not in the list of routes', async () => {
    for (const path of ['delete-user', 'change-email', 'unlink-account', 'link-social', 'update-session', 'ok', 'organization/create', 'get-access-token'])
      expect(await ask(env, `/auth/${path}`, { body: {}, headers: { cookie: ann.cookie, origin } }), path).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('signs up only the invited where the installation says so', async () => {
    const closed = { ...env, LONGHAUL_SIGN_UP: 'invited' };
    const up = (email: string) => ask(closed, '/auth/sign-up/email', { body: { email, password, name: 'X' }, headers: { origin } });
    const count = () => env.DB.prepare('SELECT count(*) AS n FROM person').first<number>('n');
    const before = await count();
    await up('uninvited@people.example');
    expect(await count()).toBe(before);
    await peopleCommand(ann, acme, 'member.invite', { email: 'Invited@people.example', role: 'viewer' });
    expect((await up('invited@people.example')).status).toBe(200);
    expect(await count()).toBe((before ?? 0) + 1);
  });
});

describe('workspaces and their members', () => {
  it('are listed by /v1/me, with the scopes of the role in each', async () => {
    const bob = await newPerson(env, 'Bob');
    expect((await bob.ask<{ workspaces: unknown[] }>('/v1/me')).body.workspaces).toEqual([]);
    const own = await newWorkspace(bob, '北京');
    await joins(ann, acme, bob, 'reviewer');
    expect((await bob.ask('/v1/me')).body).toMatchObject({
      principal: `person:${bob.id}`,
      kind: 'person',
      operator: false,
      workspaces: [
        { id: own, name: '北京', role: 'owner', scopes: roleTable.owner.scopes },
        { id: acme, name: 'Acme Ltd', role: 'reviewer', scopes: roleTable.reviewer.scopes },
      ],
    });
    expect((await bob.ask(goals(acme))).status).toBe(200);
    expect(await bob.ask(goals(acme), { body: creation() })).toMatchObject({ status: 403, body: { code: 'scope_missing' } });
    expect((await bob.ask(goals(own), { body: creation() })).status).toBe(201);
    expect((await ann.ask(goals(own))).status).toBe(404);
    const seen = await bob.ask<{ data: { id: string; email?: string }[] }>(`/v1/workspaces/${acme}/members`);
    expect(seen.body.data.map(({ id }) => id)).toContain(ann.id);
    expect(JSON.stringify(seen.body)).not.toContain('@');
  });

  it('are made once by one command, and their ids tell nothing of others', async () => {
    const body = { name: 'Twice', commandId: freshId() };
    const [first, second] = [await ann.ask<{ result: { workspace: string } }>('/v1/workspaces', { body }), await ann.ask<{ result: object }>('/v1/workspaces', { body })];
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toMatchObject({ result: first.body.result, replayed: true });
    expect((await ann.ask('/v1/workspaces', { body: { ...body, name: 'Other' } })).body).toMatchObject({ code: 'command_reused' });
    const eve = await newPerson(env, 'Evelyn');
    expect(await newWorkspace(eve, 'Twice')).not.toBe(first.body.result.workspace);
  });

  it('are joined by who the invitation is for, and by nobody who found the link', async () => {
    const carl = await newPerson(env, 'Carl');
    const thief = await newPerson(env, 'Thief');
    const invited = await peopleCommand(ann, acme, 'member.invite', { email: 'CARL@people.example', role: 'viewer' });
    expect(invited).toMatchObject({ status: 201, body: { mailed: true } });
    expect(JSON.stringify(invited.body.result)).not.toContain('@');
    const secret = linkIn(await mailTo(env, carl.email, 'invitation#')).split('#')[1];
    expect(await thief.ask('/v1/invitations/accept', { body: { secret } })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await thief.ask('/v1/me')).body).toMatchObject({ workspaces: [] });
    expect((await carl.ask('/v1/invitations/accept', { body: { secret } })).body).toMatchObject({ result: { workspace: acme, role: 'viewer' }, replayed: false });
    expect((await carl.ask('/v1/invitations/accept', { body: { secret } })).body).toMatchObject({ replayed: true });
    // Who was removed does not come back by the old link.
    expect((await peopleCommand(ann, acme, 'member.remove', { member: carl.id })).status).toBe(200);
    await carl.ask('/v1/invitations/accept', { body: { secret } });
    expect((await carl.ask(goals(acme))).status).toBe(404);
  });

  it('are not joined by an invitation that fell, ran out or was taken back', async () => {
    const dora = await newPerson(env, 'Dora');
    const accept = (link: string | undefined) => dora.ask('/v1/invitations/accept', { body: { secret: link?.split('#')[1] } });
    const first = await peopleCommand(ann, acme, 'member.invite', { email: dora.email, role: 'admin' });
    const second = await peopleCommand(ann, acme, 'member.invite', { email: dora.email, role: 'viewer' });
    expect((await accept(first.body.link)).status).toBe(404);
    await env.DB.prepare('UPDATE invitations SET expires_at = 1 WHERE id = ?').bind(second.body.result.invitation).run();
    expect((await accept(second.body.link)).status).toBe(404);
    const third = await peopleCommand(ann, acme, 'member.invite', { email: dora.email, role: 'viewer' });
    expect((await peopleCommand(ann, acme, 'invitation.revoke', { invitation: third.body.result.invitation })).status).toBe(200);
    expect((await accept(third.body.link)).status).toBe(404);
    expect((await dora.ask(goals(acme))).status).toBe(404);
  });

  it('let nobody give, change or take a role above their own, and keep an owner', async () => {
    const [admin, operator] = [await newPerson(env, 'Adam'), await newPerson(env, 'Olga')];
    await joins(ann, acme, admin, 'admin');
    await joins(ann, acme, operator, 'operator');
    const refused: [Browser, string, object, string][] = [
      [admin, 'member.setRole', { member: admin.id, role: 'owner' }, 'forbidden'],
      [admin, 'member.setRole', { member: ann.id, role: 'viewer' }, 'forbidden'],
      [admin, 'member.remove', { member: ann.id }, 'forbidden'],
      [admin, 'member.invite', { email: 'x@people.example', role: 'owner' }, 'forbidden'],
      [operator, 'member.setRole', { member: operator.id, role: 'admin' }, 'scope_missing'],
      [operator, 'member.invite', { email: 'x@people.example', role: 'viewer' }, 'scope_missing'],
      [operator, 'token.issue', { name: 'n', scopes: ['goals:read'] }, 'scope_missing'],
      [ann, 'member.setRole', { member: ann.id, role: 'admin' }, 'invalid_transition'],
      [ann, 'member.leave', {}, 'invalid_transition'],
      [ann, 'member.setRole', { member: 'nobody', role: 'viewer' }, 'not_found'],
      [ann, 'member.setRole', { member: admin.id, role: 'god' }, 'schema_invalid'],
    ];
    const rows = () => env.DB.prepare('SELECT person_id, role FROM members WHERE workspace_id = ? ORDER BY person_id').bind(acme).all();
    const before = (await rows()).results;
    for (const [who, type, payload, code] of refused) expect((await peopleCommand(who, acme, type, payload)).body, `${type} ${code}`).toMatchObject({ code });
    expect((await rows()).results).toEqual(before);
    expect((await peopleCommand(admin, acme, 'member.setRole', { member: operator.id, role: 'viewer' })).status).toBe(200);
    expect(await operator.ask(goals(acme), { body: creation() })).toMatchObject({ status: 403 });
    expect((await peopleCommand(operator, acme, 'member.leave', {})).status).toBe(200);
    expect((await operator.ask(goals(acme))).status).toBe(404);
    await peopleCommand(ann, acme, 'member.remove', { member: admin.id });
  });

  it('never lose their last owner to two that leave at once', async () => {
    const other = await newPerson(env, 'Otto');
    const shared = await newWorkspace(ann, 'Shared');
    await joins(ann, shared, other, 'owner');
    const left = await Promise.all([peopleCommand(ann, shared, 'member.leave', {}), peopleCommand(other, shared, 'member.leave', {})]);
    expect(left.map(({ status }) => status).sort()).toEqual([200, 409]);
    const owners = await env.DB.prepare("SELECT count(*) AS n FROM members WHERE workspace_id = ? AND role = 'owner'").bind(shared).first<number>('n');
    expect(owners).toBe(1);
  });

  it('log who changed what, in the batch that changes it', async () => {
    const log = await ann.ask<{ data: { type: string; principal: string; before: object; after: object }[]; nextCursor: string | null }>(
      `/v1/workspaces/${acme}/people/log?limit=200`,
    );
    expect(log.body.data.find(({ type }) => type === 'member.setRole')).toMatchObject({ before: { role: 'operator' }, after: { role: 'viewer' } });
    expect(log.body.data.at(-1)).toMatchObject({ type: 'workspace.create', principal: `person:${ann.id}` });
    expect(JSON.stringify(log.body)).not.toMatch(/@people|lht_|lhi_/);
    const page = await ann.ask<{ data: object[]; nextCursor: string }>(`/v1/workspaces/${acme}/people/log?limit=2`);
    const next = await ann.ask<{ data: object[] }>(`/v1/workspaces/${acme}/people/log?limit=2&cursor=${page.body.nextCursor}`);
    expect([...page.body.data, ...next.body.data]).toEqual(log.body.data.slice(0, 4));
  });
});

describe('tokens', () => {
  it('are shown once, kept as a hash, and do what their scopes say', async () => {
    const command = { type: 'token.issue', commandId: freshId(), payload: { name: 'ci', scopes: ['goals:read', 'work:submit'] } };
    const path = `/v1/workspaces/${acme}/people/commands`;
    const issued = await ann.ask<{ secret: string; result: { token: string } }>(path, { body: command });
    expect(issued.status).toBe(201);
    const { secret } = issued.body;
    const again = await ann.ask<{ secret?: string }>(path, { body: command });
    expect(again.body).toMatchObject({ replayed: true, result: issued.body.result });
    expect(JSON.stringify(again.body)).not.toContain(secret);
    const stored = JSON.stringify((await env.DB.prepare('SELECT * FROM tokens').all()).results) + JSON.stringify((await env.DB.prepare('SELECT * FROM people_log').all()).results);
    expect(stored).not.toContain(secret);
    const listed = await ann.ask<{ data: { id: string; prefix: string; lastUsedAt: number | null; state: string }[] }>(`/v1/workspaces/${acme}/tokens`);
    const row = listed.body.data.find(({ id }) => id === issued.body.result.token);
    expect(row).toMatchObject({ prefix: secret.slice(0, 16), lastUsedAt: null, state: 'live' });
    expect(JSON.stringify(listed.body)).not.toContain(secret);

    const headers = { authorization: `Bearer ${secret}` };
    expect((await ask(env, '/v1/me', { headers })).body).toMatchObject({ kind: 'token', workspaces: [{ id: acme, role: null, scopes: ['goals:read', 'work:submit'] }] });
    expect((await ask(env, goals(acme), { headers })).status).toBe(200);
    expect(await ask(env, goals(acme), { headers, body: creation() })).toMatchObject({ status: 403, body: { code: 'scope_missing' } });
    const used = await ann.ask<{ data: { id: string; lastUsedAt: number | null }[] }>(`/v1/workspaces/${acme}/tokens`);
    expect(used.body.data.find(({ id }) => id === issued.body.result.token)?.lastUsedAt).toBeGreaterThan(0);
  });

  it('open nothing once revoked or run out, from elsewhere, or with another ending', async () => {
    const token = await newToken(ann, acme, ['goals:read']);
    const me = (headers: Record<string, string>) => ask(env, '/v1/me', { headers });
    expect((await me(token.headers)).status).toBe(200);
    expect((await me({ authorization: `Bearer ${token.secret.slice(0, -1)}` })).status).toBe(401);
    expect((await peopleCommand(ann, acme, 'token.revoke', { token: token.id })).status).toBe(200);
    const refused = await me(token.headers);
    expect(refused.status).toBe(401);
    expect((await peopleCommand(ann, acme, 'token.revoke', { token: token.id })).body).toMatchObject({ code: 'invalid_transition' });

    const short = await newToken(ann, acme, ['goals:read']);
    await env.DB.prepare('UPDATE tokens SET expires_at = ? WHERE id = ?')
      .bind(Date.now() - 1, short.id)
      .run();
    const limited = await newToken(ann, acme, ['goals:read'], { addresses: ['192.0.2.0/24'] });
    expect((await me({ ...limited.headers, 'cf-connecting-ip': '192.0.2.9' })).status).toBe(200);
    for (const answer of [await me(short.headers), await me({ ...limited.headers, 'cf-connecting-ip': '198.51.100.1' }), await me(limited.headers)]) {
      expect(answer.status).toBe(401);
      expect({ ...answer.body, requestId: '' }).toEqual({ ...refused.body, requestId: '' });
    }
  });

  describe('and their sockets', () => {
    interface Watching {
      socket: WebSocket;
      closed: Promise<string>;
      /** Once this has come back, the socket is one that the workspace knows of, or was closed. */
      read(): Promise<void>;
    }
    async function watching(goal: string, headers: Record<string, string>): Promise<Watching> {
      const { webSocket: socket } = await app.fetch(new Request(`${origin}${goals(acme)}/${goal}/socket`, { headers: { upgrade: 'websocket', ...headers } }), env);
      if (!socket) throw new Error('no socket');
      socket.accept();
      const closed = new Promise<string>((resolve) => socket.addEventListener('close', ({ code, reason }) => resolve(`${code} ${reason}`)));
      let reads = 0;
      const read = () =>
        new Promise<void>((resolve) => {
          const id = ++reads;
          socket.addEventListener('message', (event) => {
            const frame = JSON.parse(String(event.data)) as { kind: string; id?: number };
            if (frame.kind === 'read' && frame.id === id) resolve();
          });
          socket.send(JSON.stringify({ kind: 'read', id, query: { what: 'next' } }));
        });
      await read();
      return { socket, closed, read };
    }
    const cookie = (browser: Browser) => ({ cookie: browser.cookie, origin });
    const newGoal = async () => (await ann.ask<{ goal: string }>(goals(acme), { body: creation() })).body.goal;

    it.each([
      ['a token is revoked', '4001 credential_ended'],
      ['the person signs out there', '4001 credential_ended'],
      ['the person signs out everywhere', '4001 credential_ended'],
      ['the person sets a new password', '4001 credential_ended'],
      ['the member is removed', '4003 no_access'],
      ['the member leaves', '4003 no_access'],
    ])('close at once when %s, and no other closes', async (what, with_) => {
      const goal = await newGoal();
      const watcher = await newPerson(env, `Watcher-${what.replaceAll(' ', '-')}`);
      await joins(ann, acme, watcher, 'viewer');
      const token = await newToken(ann, acme, ['goals:read']);
      const ends = what.startsWith('a token') ? token.headers : cookie(watcher);
      const [his, other, another] = [await watching(goal, ends), await watching(goal, cookie(ann)), await watching(goal, (await newToken(ann, acme, ['goals:read'])).headers)];
      if (what === 'a token is revoked') await peopleCommand(ann, acme, 'token.revoke', { token: token.id });
      if (what === 'the person signs out there') await watcher.ask('/auth/sign-out', { method: 'POST' });
      if (what === 'the person signs out everywhere') await watcher.ask('/auth/revoke-sessions', { method: 'POST' });
      if (what === 'the person sets a new password')
        await watcher.ask('/auth/change-password', { body: { currentPassword: password, newPassword: 'another long password', revokeOtherSessions: true } });
      if (what === 'the member is removed') await peopleCommand(ann, acme, 'member.remove', { member: watcher.id });
      if (what === 'the member leaves') await peopleCommand(watcher, acme, 'member.leave', {});
      expect(await his.closed).toBe(with_);
      for (const stays of [other, another]) {
        await stays.read();
        expect(stays.socket.readyState).toBe(WebSocket.OPEN);
      }
    });

    it('of the other session of the same person stay when one of them signs out', async () => {
      const goal = await newGoal();
      const first = await newPerson(env, 'Twice');
      await joins(ann, acme, first, 'viewer');
      const second = await signIn(env, first.email);
      const [one, two] = [await watching(goal, cookie(first)), await watching(goal, cookie(second))];
      await first.ask('/auth/sign-out', { method: 'POST' });
      expect(await one.closed).toBe('4001 credential_ended');
      await two.read();
      expect(two.socket.readyState).toBe(WebSocket.OPEN);
    });

    it('end at their renewal where nobody could be told', async () => {
      const goal = await newGoal();
      const [token, watcher] = [await newToken(ann, acme, ['goals:read']), await newPerson(env, 'Untold')];
      await joins(ann, acme, watcher, 'viewer');
      const [program, person] = [await watching(goal, token.headers), await watching(goal, cookie(watcher))];
      await env.DB.prepare('UPDATE tokens SET revoked_at = 1 WHERE id = ?').bind(token.id).run();
      // A role below reading: this version knows none.
      await env.DB.prepare("UPDATE members SET role = 'guest' WHERE person_id = ?").bind(watcher.id).run();
      for (const { socket } of [program, person]) socket.send(JSON.stringify({ kind: 'renew' }));
      expect(await program.closed).toBe('4001 credential_ended');
      expect(await person.closed).toBe('4003 no_access');
    });
  });

  it('are let through so many times a minute, and told what is left', async () => {
    const token = await newToken(ann, acme, ['goals:read']);
    const few = { ...env, LIMIT_CALLERS: undefined, LONGHAUL_CALLS_PER_MINUTE: '2' } as unknown as Env;
    const me = () => ask(few, '/v1/me', { headers: token.headers });
    const [first, second, third] = [await me(), await me(), await me()];
    expect([first.status, second.status, third.status]).toEqual([200, 200, 429]);
    expect(first.headers.get('ratelimit')).toMatch(/^"caller";r=1;t=\d+$/);
    expect(third.body).toMatchObject({ code: 'rate_limited' });
    expect(third.headers.get('retry-after')).toMatch(/^\d+$/);
    // However many bad tokens came from there, a good one opens what it opens.
    const from = { 'cf-connecting-ip': '198.51.100.77' };
    const statuses = new Set<number>();
    for (let n = 0; n < 62; n++) statuses.add((await ask(env, '/v1/me', { headers: { authorization: 'Bearer lht_bad', ...from } })).status);
    expect([...statuses]).toEqual([401, 429]);
    const good = await newToken(ann, acme, ['goals:read']);
    expect((await ask(env, '/v1/me', { headers: { ...good.headers, ...from } })).status).toBe(200);
  });

  it('that are for single goals know no other, and nothing of the workspace', async () => {
    const [mine, other] = [await ann.ask<{ goal: string }>(goals(acme), { body: creation() }), await ann.ask<{ goal: string }>(goals(acme), { body: creation() })];
    const token = await newToken(ann, acme, ['goals:read', 'goals:write'], { goals: [mine.body.goal] });
    const get = (path: string) => ask(env, path, { headers: token.headers });
    expect((await get(`${goals(acme)}/${mine.body.goal}`)).status).toBe(200);
    const [known, none] = [await get(`${goals(acme)}/${other.body.goal}`), await get(`${goals(acme)}/${goalIdOf(acme, ['nobody'])}`)];
    expect(known.status).toBe(404);
    expect({ ...known.body, requestId: '' }).toEqual({ ...none.body, requestId: '' });
    for (const path of [goals(acme), `/v1/workspaces/${acme}/members`, `/v1/workspaces/${acme}/attempts`]) expect((await get(path)).status, path).toBe(403);
    expect((await ask(env, goals(acme), { body: creation(), headers: token.headers })).status).toBe(403);
  });

  it('make no tokens and no members, whatever their scopes', async () => {
    const token = await newToken(ann, acme, roleTable.owner.scopes);
    for (const [type, payload] of [
      ['token.issue', { name: 'n', scopes: ['goals:read'] }],
      ['member.invite', { email: 'x@people.example', role: 'viewer' }],
      ['member.remove', { member: ann.id }],
    ] as const)
      expect(await ask(env, `/v1/workspaces/${acme}/people/commands`, { headers: token.headers, body: { type, commandId: freshId(), payload } })).toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      });
    for (const path of ['/v1/workspaces', '/v1/invitations/accept'])
      expect((await ask(env, path, { headers: token.headers, body: { name: 'x', secret: 'x', commandId: freshId() } })).status).toBe(403);
  });
});
