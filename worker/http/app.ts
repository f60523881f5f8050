/** The door: who is it, which workspace, what may they, and then the route's own handler. A refusal of any of them leaves by the one mapper. */
import { Hono } from 'hono';
import type { Caller } from '../auth/caller.ts';
import { missingSettings } from '../auth/settings.ts';
import { type Refusal, refuse } from '../domain/refusals.ts';
import type { Env } from '../env.ts';
import { goalIdPattern } from '../goal/goal-id.ts';
import { errorOf, log } from '../observe/log.ts';
import { discardBody } from './body.ts';
import { withHeaders } from './headers.ts';
import { addressOf, foreignOrigin, identify, memberOf } from './identity.ts';
import { problemResponse } from './problem.ts';
import { take } from './rate-limit.ts';
import type { CallerRoute, Route, WorkspaceRoute } from './route.ts';

class Asked {
  readonly request: Request;
  readonly env: Env;
  readonly params: Record<string, string>;
  /** Said with the answer, whatever it is. */
  headers: Record<string, string> = {};
  #requestId: string | undefined;
  #query: URLSearchParams | undefined;

  constructor(request: Request, env: Env, params: Record<string, string>) {
    this.request = request;
    this.env = env;
    this.params = params;
  }

  /** Made when something asks for it: most answers name none, and randomness is a call into the system. */
  get requestId(): string {
    this.#requestId ??= crypto.randomUUID();
    return this.#requestId;
  }

  /** Of the address; most commands have none. */
  get query(): URLSearchParams {
    this.#query ??= queryOf(this.request.url);
    return this.#query;
  }
}

/** Requests that a route makes to others of the table in the name of its own caller, who was recognized and counted when they came in. */
const known = new WeakMap<Request, Caller>();

/** A production build answers nobody before it has what signs people in: names of what is missing, no values. */
function unready(env: Env): Refusal | null {
  if (__LONGHAUL_DEV__) return null;
  const missing = missingSettings(env);
  return missing.length === 0 ? null : refuse('not_configured', { current: { missing } });
}

async function handle(route: Route, asked: Asked, fetch: (request: Request) => Promise<Response>): Promise<Response | Refusal> {
  const notReady = unready(asked.env);
  if (notReady) return notReady;
  if (route.method !== 'GET' && foreignOrigin(asked.request)) return refuse('forbidden', { detail: 'Another site may not ask for a change.' });
  switch (route.may) {
    case 'anyone':
      return route.handle(asked);
    case 'signed_in':
    case 'operator':
      return enterAlone(route, asked, fetch);
    default:
      return enter(route, asked);
  }
}

/**
 * Who it is, and whether they ask too often. A credential that is good is never held up by bad ones from the same address, which many may share; an old session is not counted among those: a
 * page that was left open shows one again and again.
 */
async function recognized(asked: Asked): Promise<Caller | Refusal> {
  const { request, env } = asked;
  const already = known.get(request);
  if (already) return already;
  const now = Date.now();
  const caller = await identify(request, env);
  if ('refused' in caller) {
    if (caller.code !== 'unauthenticated' || request.headers.get('authorization') === null) return caller;
    const tried = await take(env, 'failed', addressOf(request), now);
    if (tried) asked.headers = tried.headers;
    return tried && !tried.ok ? tried.refusal : caller;
  }
  const taken = await take(env, 'caller', caller.credential === 'development' ? null : caller.principal, now);
  if (taken) asked.headers = taken.headers;
  return taken && !taken.ok ? taken.refusal : caller;
}

/** Routes that belong to no workspace. Of the installation's own a stranger to it learns nothing, not even that they exist. */
async function enterAlone(route: CallerRoute, asked: Asked, fetch: (request: Request) => Promise<Response>): Promise<Response | Refusal> {
  const { request, env } = asked;
  const caller = await recognized(asked);
  if ('refused' in caller) return caller;
  if (route.may === 'operator' && !caller.operator) return refuse('not_found');
  return route.handle({
    request,
    env,
    get requestId() {
      return asked.requestId;
    },
    params: asked.params,
    get query() {
      return asked.query;
    },
    caller,
    within(inner) {
      if (!inner.headers.has('authorization')) known.set(inner, caller);
      return fetch(inner);
    },
  });
}

/**
 * A workspace that the caller is no member of does not exist for them, and neither does a goal whose id cannot be one. For a token that is limited to goals, others do not exist, and what
 * is not about one goal is not its business.
 */
async function enter(route: WorkspaceRoute, asked: Asked): Promise<Response | Refusal> {
  const { request, env, params } = asked;
  const caller = await recognized(asked);
  if ('refused' in caller) return caller;
  const { workspace = '', goal } = params;
  const member = memberOf(caller, workspace);
  if (!member) return refuse('not_found');
  if (caller.goals !== null && goal !== undefined && !caller.goals.has(goal)) return refuse('not_found');
  if (caller.attempt !== null && !route.attempt) return refuse('forbidden', { detail: 'This token is for one attempt.' });
  if (caller.attempt === null && route.may !== 'catalogue' && !member.scopes.includes(route.may)) return refuse('scope_missing', { current: { scope: route.may } });
  if (caller.goals !== null && goal === undefined) return refuse('forbidden', { detail: 'This token is for single goals.' });
  if (goal !== undefined && !goalIdPattern.test(goal)) return refuse('not_found');
  return route.handle({
    request,
    env,
    get requestId() {
      return asked.requestId;
    },
    params,
    get query() {
      return asked.query;
    },
    member,
    workspace,
  });
}

function queryOf(url: string): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
}

export function appOf(routes: readonly Route[]): Hono<{ Bindings: Env }> {
  const app = new Hono<{ Bindings: Env }>();
  for (const route of routes) {
    app.on(route.method, route.path, async (context) => {
      const request = context.req.raw;
      const asked = new Asked(request, context.env, context.req.param());
      try {
        const given = await handle(route, asked, async (inner) => app.fetch(inner, context.env));
        return withHeaders(given instanceof Response ? given : problemResponse(given, { requestId: asked.requestId }), request.url, asked.headers);
      } catch (error) {
        const frames = error instanceof Error ? (error.stack ?? '').split('\n').slice(1, 6).join(' | ') : '';
        log('error', 'http', 'threw', { route: route.path, requestId: asked.requestId, error: errorOf(error), frames });
        const refusal = refuse('unavailable', { detail: 'Something failed here. The request id finds it in the log.' });
        return withHeaders(problemResponse(refusal, { requestId: asked.requestId, effect: route.method === 'GET' ? 'none' : 'unknown' }), request.url);
      } finally {
        await discardBody(request);
      }
    });
  }
  app.notFound(async (context) => {
    const request = context.req.raw;
    const { pathname } = new URL(request.url);
    const ours = ['/v1', '/hooks', '/mcp', '/a2a', '/auth', '/healthz'].some((prefix) => pathname === prefix || pathname.startsWith(`${prefix}/`));
    if (!ours && context.env.ASSETS) return context.env.ASSETS.fetch(request);
    await discardBody(request);
    return withHeaders(problemResponse(refuse('not_found', { detail: `There is nothing at ${request.method} ${pathname}.` }), { requestId: crypto.randomUUID() }), request.url);
  });
  return app;
}
