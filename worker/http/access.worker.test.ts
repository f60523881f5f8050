/**
 * B89: the access matrix, made from the route table and the three catalogues of commands: every route and command with every credential that must not open it, and with what belongs to another
 * workspace in every place where a request can name something. Each cell answers 401, 403 or 404 as `api.md` says; no answer holds anything of the other workspace; nothing is changed.
 * A route that no rule here fits fails.
 */
import { applyD1Migrations } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attemptTokenText } from '../auth/attempt-tokens.ts';
import { type CommandType, catalogue, commandTypes, type Givers } from '../domain/commands.ts';
import { type Scope, scopes } from '../domain/context.ts';
import { type Role, roles, roleTable } from '../domain/roles.ts';
import type { Env } from '../env.ts';
import { goalIdOf } from '../goal/goal-id.ts';
import { goalStub } from '../goal/goal-stub.ts';
import { workspaceCatalogue, workspaceCommandTypes } from '../workspace/core/catalogue.ts';
import { peopleCatalogue, peopleCommandTypes } from '../workspace/people/catalogue.ts';
import { workspaceStub } from '../workspace/workspace-stub.ts';
import type { Route, WorkspaceRoute } from './route.ts';
import { routes } from './routes.ts';
import { app, type Browser, freshId, joins, newPerson, newToken, newWorkspace, origin, peopleCommand } from './testing/people.ts';

/** It asks more often than anyone may. */
const { LIMIT_CALLERS: _callers, LIMIT_SIGN_IN: _signIn, ...bound } = bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };
const env = { ...bound, LONGHAUL_CALLS_PER_MINUTE: '1000000' };

/** In every text that belongs to the other workspace. */
const canary = 'kanarienvogel';
const inWorkspace = '/v1/workspaces/:workspace';
type Headers = Record<string, string>;

/** Routes that nobody has to be known for. Each is named: a new one is thought about first. */
const open = (route: Route) =>
  ['/healthz', '/.well-known/agent-card.json', '/v1/openapi.json', '/v1/files/:link/:name', '/v1/progress/:workspace/:link'].includes(route.path) ||
  route.path.startsWith('/auth/') ||
  route.path.startsWith('/hooks/');

/** The workspace that strangers must learn nothing of, and what is in it. */
let victim: { workspace: string; goal: string; digest: string; token: string; invitation: string; cursor: string; owner: Browser };
/** The stranger's own, where they may do everything. */
let own: { workspace: string; goal: string; owner: Browser; token: Headers };
let both: Browser;
const byRole = {} as Record<Role, Headers>;
let dead: Record<string, Headers>;
let limited: Headers;
/** Tokens of Attempts: one of the victim's goal, and one of the stranger's. */
let attempt: { victims: Headers; own: Headers };
/** One token per scope, which has all scopes but that one. */
const without = {} as Record<Scope, Headers>;
let size = 0;

const cookie = (browser: Browser): Headers => ({ cookie: browser.cookie, origin });

async function goalIn(owner: Browser, workspace: string, title: string): Promise<string> {
  const contract = { title, objective: title, criteria: [{ id: 'said', text: title, verify: 'attest' }] };
  const made = await owner.ask<{ goal: string }>(`/v1/workspaces/${workspace}/goals`, { body: { type: 'goal.create', commandId: freshId(), payload: { contract } } });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  await goalStub(env, workspace, made.body.goal).drain({ v: 1, workspace, goal: made.body.goal });
  return made.body.goal;
}

beforeAll(async () => {
  await applyD1Migrations(env.DB, env.MIGRATIONS);
  const ann = await newPerson(env, `Ann-${canary}`);
  const workspace = await newWorkspace(ann, `Acme ${canary}`);
  const goal = await goalIn(ann, workspace, `Goal ${canary}`);
  await goalIn(ann, workspace, `Second ${canary}`);
  const stored = await app.fetch(
    new Request(`${origin}/v1/workspaces/${workspace}/goals/${goal}/files/a.txt`, { method: 'PUT', headers: cookie(ann), body: `bytes ${canary}` }),
    env,
  );
  if (stored.status !== 201) throw new Error(await stored.text());
  await goalStub(env, workspace, goal).drain({ v: 1, workspace, goal });
  const digest = stored.headers.get('location')?.split('/').at(-1) ?? '';
  const token = await newToken(ann, workspace, scopes, { name: canary });
  const invited = await peopleCommand(ann, workspace, 'member.invite', { email: `${canary}@people.example`, role: 'viewer' });
  const listed = await ann.ask<{ nextCursor: string }>(`/v1/workspaces/${workspace}/goals?limit=1`);
  victim = { workspace, goal, digest, token: token.id, invitation: String(invited.body.result.invitation), cursor: listed.body.nextCursor, owner: ann };

  byRole.owner = cookie(ann);
  for (const role of roles.filter((each) => each !== 'owner')) {
    const member = await newPerson(env, `Role-${role}`);
    await joins(ann, workspace, member, role);
    byRole[role] = cookie(member);
  }
  for (const scope of scopes)
    without[scope] = (
      await newToken(
        ann,
        workspace,
        scopes.filter((each) => each !== scope),
      )
    ).headers;

  const [revoked, expired, elsewhere] = [
    await newToken(ann, workspace, scopes),
    await newToken(ann, workspace, scopes),
    await newToken(ann, workspace, scopes, { addresses: ['192.0.2.1'] }),
  ];
  await peopleCommand(ann, workspace, 'token.revoke', { token: revoked.id });
  await env.DB.prepare('UPDATE tokens SET expires_at = 1 WHERE id = ?').bind(expired.id).run();
  const gone = await newPerson(env, 'Gone');
  await joins(ann, workspace, gone, 'owner');
  await gone.ask('/auth/sign-out', { method: 'POST' });
  dead = {
    'no credential': {},
    'a revoked token': revoked.headers,
    'an expired token': expired.headers,
    'a token used from elsewhere': elsewhere.headers,
    'a token that never was': { authorization: `Bearer ${token.secret.slice(0, -1)}${token.secret.endsWith('0') ? '1' : '0'}` },
    'another kind of credential': { authorization: `Basic ${btoa(`x:${token.secret}`)}` },
    'a session that was signed out': cookie(gone),
    'a forged session': { cookie: `__Secure-longhaul.session_token=${'a'.repeat(32)}.${'b'.repeat(43)}%3D`, origin },
  };

  const bob = await newPerson(env, 'Bob');
  const other = await newWorkspace(bob, 'Bobs');
  own = { workspace: other, goal: await goalIn(bob, other, 'Of Bob'), owner: bob, token: (await newToken(bob, other, scopes)).headers };
  limited = (await newToken(ann, workspace, scopes, { goals: [goalIdOf(workspace, ['another'])] })).headers;
  const ofAttempt = (workspace: string, goal: string, holder: Browser): Headers => ({
    authorization: `Bearer ${attemptTokenText(env, { workspace, goal, item: 'said', attempt: 'att_1', fence: 1, holder: `person:${holder.id}` })}`,
  });
  attempt = { victims: ofAttempt(workspace, goal, ann), own: ofAttempt(other, own.goal, bob) };
  dead['the token of an attempt whose holder is no member'] = ofAttempt(workspace, goal, bob);
  both = await newPerson(env, 'Both');
  await joins(ann, workspace, both, 'viewer');
  await joins(bob, other, both, 'owner');
  before = await everything();
}, 300_000);

let before: string;

/** All that could be changed: D1 but for when something was last used, the files, and the objects. */
async function everything(): Promise<string> {
  const { results } = await env.DB.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\' AND name NOT LIKE 'd1_%' ORDER BY name").all<{
    name: string;
  }>();
  const tables: unknown[] = [];
  for (const { name } of results) {
    const rows = (await env.DB.prepare(`SELECT * FROM "${name}"`).all()).results.map((row) => ({ ...row, last_used_at: null }));
    tables.push([name, rows]);
  }
  const files = (await env.FILES.list({ limit: 1000 })).objects.map(({ key, etag }) => `${key} ${etag}`);
  const objects: unknown[] = [];
  for (const { workspace, goal } of [victim, own]) {
    objects.push(await goalStub(env, workspace, goal).read({ v: 1, workspace, goal, query: { what: 'events', after: 0, limit: 1000 } }));
    for (const what of ['settings', 'secrets'] as const) objects.push(await workspaceStub(env, workspace).read({ v: 1, workspace, query: { what } }));
    objects.push(await workspaceStub(env, workspace).read({ v: 1, workspace, query: { what: 'audit', limit: 100 } }));
  }
  return JSON.stringify([tables, files, objects]);
}

afterAll(async () => {
  console.log(`access matrix: ${size} cells over ${routes.length} routes and ${commandTypes.length + workspaceCommandTypes.length + peopleCommandTypes.length} commands`);
  expect(size).toBeGreaterThan(2000);
});

interface Target {
  workspace: string;
  goal: string;
}

/** The path with every part filled, mostly with what exists in the victim's workspace. */
function filled(route: Route, { workspace, goal }: Target): string {
  return route.path
    .replace(':workspace', workspace)
    .replace(':goal', goal)
    .replace(':digest', victim.digest)
    .replace(/:path\{[^}]*\}/, 'a.txt')
    .replace(/:[a-z]+(\{[^}]*\})?/g, 'said')
    .replace(/\/record$/, '/record?kind=goal_version');
}

const withQuery = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`;

interface Cell {
  what: string;
  route: Route;
  path: string;
  headers: Headers;
  status: readonly number[];
  codes?: readonly string[];
  body?: string;
  /** Said in the request itself, and so no leak. */
  named?: string;
}

/** A socket of a goal that is not there opens and is closed with 4004 at once. */
function heard(socket: WebSocket): Promise<{ text: string; notFound: boolean }> {
  return new Promise((resolve) => {
    socket.addEventListener('message', (event) => {
      resolve({ text: String(event.data), notFound: false });
      socket.close();
    });
    socket.addEventListener('close', (event) => resolve({ text: event.reason, notFound: event.code === 4004 }));
    socket.accept();
  });
}

/** Null: as it must be. Else what is wrong. */
async function tried(cell: Cell): Promise<string | null> {
  size++;
  const { route, path, headers, status, codes, body = '{}' } = cell;
  const socket: Headers = route.path.endsWith('/socket') ? { upgrade: 'websocket' } : {};
  const response = await app.fetch(
    new Request(`${origin}${path}`, { method: route.method, headers: { 'content-type': 'application/json', ...socket, ...headers }, ...(route.method === 'GET' ? {} : { body }) }),
    env,
  );
  const socketSaid = response.webSocket ? await heard(response.webSocket) : null;
  const text = socketSaid?.text ?? (await response.text());
  const answered = socketSaid ? (socketSaid.notFound ? 404 : 200) : response.status;
  const at = `${route.method} ${route.path}, ${cell.what}`;
  if (!status.includes(answered)) return `${at}: ${answered} ${text.slice(0, 200)}`;
  if (codes && !codes.some((code) => text.includes(`"code":"${code}"`))) return `${at}: ${text.slice(0, 200)}`;
  const headersText = JSON.stringify([...response.headers]);
  for (const secret of [canary, victim.owner.id, victim.digest, victim.token, victim.goal, victim.workspace])
    if (secret !== cell.named && (text + headersText).includes(secret)) return `${at}: leaks ${secret}: ${text.slice(0, 300)}`;
  return null;
}

async function all(cells: readonly Cell[]): Promise<void> {
  expect(cells.length).toBeGreaterThan(0);
  const wrong: string[] = [];
  for (const cell of cells) {
    const found = await tried(cell);
    if (found) wrong.push(found);
  }
  expect(wrong).toEqual([]);
  expect(await everything()).toBe(before);
}

const workspaceRoutes = () => routes.filter((route): route is WorkspaceRoute => route.path.startsWith(`${inWorkspace}/`));

describe('every route', () => {
  it('has a rule that this matrix knows', () => {
    for (const route of routes) {
      const at = `${route.method} ${route.path}`;
      if (route.path.startsWith(inWorkspace)) expect([...scopes, 'catalogue'], at).toContain(route.may);
      else if (route.may === 'anyone') expect(open(route), `${at} is open to anyone: say so in this test`).toBe(true);
      else expect(['signed_in', 'operator'], at).toContain(route.may);
      if (route.method !== 'GET' && route.path.startsWith(inWorkspace)) expect(route.may, `${at} changes something`).not.toBe('goals:read');
    }
  });

  it('is closed to whoever shows nothing that is valid', () =>
    all(
      routes
        .filter((route) => !open(route))
        .flatMap((route) => Object.entries(dead).map(([what, headers]) => ({ what, route, path: filled(route, victim), headers, status: [401], codes: ['unauthenticated'] }))),
    ));

  it('is closed to a member, and to a token, that lacks its scope', () =>
    all(
      workspaceRoutes().flatMap((route): Cell[] => {
        const { may } = route;
        if (may === 'catalogue') return [];
        const refused = { route, path: filled(route, victim), status: [403], codes: ['scope_missing'] };
        return [
          { ...refused, what: `a token without ${may}`, headers: without[may] },
          ...roles.filter((role) => !roleTable[role].scopes.includes(may)).map((role) => ({ ...refused, what: `a member who is ${role}`, headers: byRole[role] })),
        ];
      }),
    ));

  it('does not exist for members of another workspace, and answers them as where there is nothing', async () => {
    const strangers: [string, Headers][] = [
      ['the owner of another workspace', cookie(own.owner)],
      ['a token of another workspace with every scope', own.token],
    ];
    await all(
      workspaceRoutes().flatMap((route) => strangers.map(([what, headers]) => ({ what, route, path: filled(route, victim), headers, status: [404], codes: ['not_found'] }))),
    );
    // Byte for byte, but for the request's id.
    for (const route of workspaceRoutes()) {
      const answers: string[] = [];
      for (const target of [victim, { workspace: 'no-such-workspace', goal: victim.goal }]) {
        size++;
        const response = await app.fetch(
          new Request(`${origin}${filled(route, target)}`, { method: route.method, headers: own.token, ...(route.method === 'GET' ? {} : { body: '{}' }) }),
          env,
        );
        answers.push(`${response.status} ${(await response.text()).replace(/"requestId":"[^"]*"/, '')}`);
      }
      expect(answers[0], route.path).toBe(answers[1]);
    }
  });

  /** What a route asks for beside its path: without it the shape would be refused before anybody looks. */
  const asked = (path: string): { query?: string; body?: string } =>
    path.endsWith('/template-draft')
      ? { query: 'name=weekly' }
      : path.endsWith('/evidence')
        ? { query: 'evidence=fact:total@1' }
        : path.endsWith('/posts')
          ? { body: JSON.stringify({ to: own.goal, text: 'x', commandId: freshId('matrix') }) }
          : {};

  it('of a goal does not find that of another workspace under the own one, also for somebody who is in both', () =>
    all(
      workspaceRoutes()
        .filter((route) => route.path.includes('/:goal') && route.may !== 'catalogue')
        .flatMap((route) =>
          (
            [
              ['the owner', cookie(own.owner)],
              ['a token', own.token],
              ['somebody in both', cookie(both)],
            ] as const
          ).map(([what, headers]) => {
            const { query, body } = asked(route.path);
            const path = filled(route, { workspace: own.workspace, goal: victim.goal });
            return {
              what,
              route,
              path: query ? withQuery(path, query) : path,
              headers,
              ...(body ? { body } : {}),
              status: route.path.endsWith('/erase') ? [200, 404] : route.path.endsWith('/token') ? [422] : [404],
            };
          }),
        ),
    ));

  it('of a goal is closed to a token that is for another goal, and of the workspace to a token that is for single goals', () =>
    all(
      workspaceRoutes().map((route) => ({
        what: 'a token for another goal',
        route,
        path: filled(route, victim),
        headers: limited,
        status: route.path.includes('/:goal') ? [404] : [403],
      })),
    ));

  it('is closed to the token of an attempt unless it says otherwise, and of another workspace there is nothing for it', () =>
    all(
      workspaceRoutes().flatMap((route): Cell[] => [
        route.attempt && route.may !== 'catalogue'
          ? {
              what: 'the token of an attempt that is not at work',
              route,
              path: filled(route, victim),
              headers: attempt.victims,
              status: [404, 409],
              codes: ['fence_stale', 'not_found'],
            }
          : { what: 'the token of an attempt', route, path: filled(route, victim), headers: attempt.victims, status: route.may === 'catalogue' && route.attempt ? [422] : [403] },
        { what: 'the token of an attempt of another workspace', route, path: filled(route, victim), headers: attempt.own, status: [404], codes: ['not_found'] },
      ]),
    ));

  it('takes the workspace from the path and the credential alone: not from a query, a header, a body or a cursor', () => {
    const names = ['workspace', 'workspaceId', 'workspace_id', 'ws', 'tenant'];
    const path = (route: Route) => filled(route, { workspace: own.workspace, goal: own.goal });
    // What they are asked for in their own workspace is theirs to answer; what counts is that nothing of the victim's is in it, and that nothing of the victim's is changed.
    const answered = [200, 400, 403, 404, 409, 410, 412, 422, 426, 428, 503];
    const reads = workspaceRoutes().filter(
      (route) => route.method === 'GET' && !/\/(socket|stream)$/.test(route.path) && !route.path.includes('/models') && !route.path.includes('/export'),
    );
    return all([
      ...reads.flatMap((route): Cell[] => [
        ...names.map((name) => ({
          what: `query ${name}`,
          route,
          path: withQuery(path(route), `${name}=${victim.workspace}`),
          headers: own.token,
          status: answered,
          named: victim.workspace,
        })),
        { what: 'header', route, path: path(route), headers: { ...own.token, 'x-longhaul-workspace': victim.workspace, 'x-workspace': victim.workspace }, status: answered },
        {
          what: 'header of a principal',
          route,
          path: path(route),
          headers: { ...own.token, 'x-longhaul-principal': `person:${victim.owner.id}`, 'x-longhaul-goal': victim.goal },
          status: answered,
        },
        { what: 'cursor', route, path: withQuery(path(route), `cursor=${encodeURIComponent(victim.cursor)}`), headers: own.token, status: answered },
        { what: 'goal in the query', route, path: withQuery(path(route), `goal=${victim.goal}&after=${victim.goal}:1`), headers: own.token, status: answered, named: victim.goal },
      ]),
      ...workspaceRoutes()
        .filter((route) => route.method === 'POST' && route.may === 'catalogue')
        .flatMap((route) =>
          names.map((name) => ({
            what: `body ${name}`,
            route,
            path: path(route),
            headers: own.token,
            body: JSON.stringify({ type: 'message.post', commandId: 'x', payload: { text: 'x' }, [name]: victim.workspace }),
            status: [422],
            named: victim.workspace,
          })),
        ),
    ]);
  });

  it('that changes something, and every socket, is closed to pages of other sites, whoever is signed in there', () =>
    all(
      routes
        .filter((route) => route.method !== 'GET' || route.path.endsWith('/socket'))
        .flatMap((route) => {
          const { cookie: mine = '' } = byRole.owner;
          const cases: [string, Headers][] = [
            ['another origin', { cookie: mine, origin: 'https://evil.example' }],
            ['a sandboxed page', { cookie: mine, origin: 'null' }],
            ['a cross-site mark', { cookie: mine, origin, 'sec-fetch-site': 'cross-site' }],
            ...(open(route) ? [] : ([['no origin', { cookie: mine }]] as [string, Headers][])),
          ];
          return cases.map(([what, headers]) => ({ what, route, path: filled(route, victim), headers, status: [403], codes: ['forbidden'] }));
        }),
    ));

  it('of the installation does not exist for people who do not run it', () =>
    all(
      routes
        .filter((route) => route.may === 'operator')
        .flatMap((route) =>
          [byRole.owner, own.token, cookie(both)].map((headers, at) => ({ what: `caller ${at}`, route, path: route.path, headers, status: [404], codes: ['not_found'] })),
        ),
    ));
});

describe('every command', () => {
  interface Command {
    type: string;
    path: (target: Target) => string;
    route: Route;
    /** Null: only rounds or the host. Undefined: any member. */
    scope: Scope | null | undefined;
    persons: boolean;
  }
  const routeOf = (path: string): Route => {
    const found = routes.find((route) => route.method === 'POST' && route.path === `${inWorkspace}${path}`);
    if (!found) throw new Error(path);
    return found;
  };
  const commands = (): Command[] => [
    ...commandTypes.map((type): Command => {
      const created = type === 'goal.create' || type === 'goal.propose';
      const route = routeOf(created ? '/goals' : '/goals/:goal/commands');
      return { type, route, path: (target) => filled(route, target), scope: (catalogue[type].by as Givers).scope ?? null, persons: false };
    }),
    ...workspaceCommandTypes.map(
      (type): Command => ({ type, route: routeOf('/commands'), path: (target) => filled(routeOf('/commands'), target), scope: workspaceCatalogue[type].scope, persons: false }),
    ),
    ...peopleCommandTypes.map(
      (type): Command => ({
        type,
        route: routeOf('/people/commands'),
        path: (target) => filled(routeOf('/people/commands'), target),
        scope: peopleCatalogue[type].scope ?? undefined,
        persons: true,
      }),
    ),
  ];
  const body = (type: string, payload: unknown = {}) => JSON.stringify({ type, commandId: freshId('matrix'), payload });
  const cell = (command: Command, what: string, headers: Headers, status: number, target: Target, codes?: string[]): Cell => ({
    what: `${command.type}, ${what}`,
    route: command.route,
    path: command.path(target),
    headers,
    body: body(command.type),
    status: [status],
    ...(codes ? { codes } : {}),
  });

  it('is closed to whoever shows nothing that is valid, and to members of another workspace', () =>
    all(
      commands().flatMap((command) => [
        ...Object.entries(dead).map(([what, headers]) => cell(command, what, headers, 401, victim, ['unauthenticated'])),
        cell(command, 'the owner of another workspace', cookie(own.owner), 404, victim, ['not_found']),
        cell(command, 'a token of another workspace', own.token, 404, victim, ['not_found']),
        cell(command, 'the token of an attempt of another workspace', attempt.own, 404, victim, ['not_found']),
        cell(command, 'a token for another goal', limited, command.route.path.includes('/:goal') ? 404 : 403, victim),
      ]),
    ));

  it('is closed to tokens without its scope, to every role below it, and to all where only rounds or the host give it', () =>
    all(
      commands().flatMap((command): Cell[] => {
        const { scope } = command;
        if (scope === null) return roles.map((role) => cell(command, role, byRole[role], 403, victim, ['forbidden', 'scope_missing']));
        if (scope === undefined) return [cell(command, 'a token', without['usage:read'], 403, victim, ['forbidden'])];
        const route = command.route.may;
        return [
          cell(command, `a token without ${scope}`, without[scope], 403, victim, ['scope_missing', 'forbidden']),
          ...roles
            .filter((role) => !roleTable[role].scopes.includes(scope) || (route !== 'catalogue' && !roleTable[role].scopes.includes(route as Scope)))
            .map((role) => cell(command, role, byRole[role], 403, victim, ['scope_missing'])),
          ...(command.persons ? [cell(command, 'a token with every other scope', without['usage:read'], 403, victim, ['forbidden'])] : []),
        ];
      }),
    ));

  it('is closed to the token of an attempt unless it says otherwise', () =>
    all(
      commands()
        .filter(({ type }) => !(type in catalogue && (catalogue[type as CommandType].by as Givers).attempt))
        .map((command) => cell(command, 'the token of an attempt', attempt.victims, 403, victim, ['forbidden'])),
    ));

  it('on a goal does not find that of another workspace under the own one', () =>
    all(
      commands()
        .filter(({ route, scope }) => route.path.includes('/:goal') && scope !== null)
        .map((command) => ({ ...cell(command, 'their goal', own.token, 404, { workspace: own.workspace, goal: victim.goal }), status: [404, 422] })),
    ));

  it('about people finds nobody and nothing of another workspace', () => {
    const route = routeOf('/people/commands');
    return all(
      (
        [
          ['member.setRole', { member: victim.owner.id, role: 'viewer' }],
          ['member.remove', { member: victim.owner.id }],
          ['token.revoke', { token: victim.token }],
          ['invitation.revoke', { invitation: victim.invitation }],
        ] as const
      ).flatMap(([type, payload]) =>
        [cookie(own.owner), cookie(both)].map((headers) => ({
          what: type,
          route,
          path: filled(route, own),
          headers,
          body: body(type, payload),
          status: [404],
          codes: ['not_found'],
        })),
      ),
    );
  });
});
