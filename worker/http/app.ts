/** The door: who is it, which workspace, what may they, and then the route's own handler. A refusal of any of them leaves by the one mapper. */
import { Hono } from 'hono';
import { type Refusal, refuse } from '../domain/refusals.ts';
import type { Env } from '../env.ts';
import { goalIdPattern } from '../goal/goal-id.ts';
import { errorOf, log } from '../observe/log.ts';
import { discardBody } from './body.ts';
import { foreignOrigin, identify } from './identity.ts';
import { problemResponse } from './problem.ts';
import type { Route, WorkspaceRoute } from './route.ts';

class Asked {
  readonly request: Request;
  readonly env: Env;
  readonly params: Record<string, string>;
  #requestId: string | undefined;

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
}

async function handle(route: Route, asked: Asked): Promise<Response | Refusal> {
  if (route.method !== 'GET' && foreignOrigin(asked.request)) return refuse('forbidden', { detail: 'Another site may not ask for a change.' });
  if (route.may === 'anyone') return route.handle(asked);
  return enter(route, asked);
}

/** A workspace that the caller is no member of does not exist for them, and neither does a goal whose id cannot be one. */
async function enter(route: WorkspaceRoute, asked: Asked): Promise<Response | Refusal> {
  const { request, env, params } = asked;
  const member = identify(request, env);
  if ('refused' in member) return member;
  const { workspace = '', goal } = params;
  if (!member.workspaces.has(workspace)) return refuse('not_found');
  if (route.may !== 'catalogue' && !member.scopes.includes(route.may)) return refuse('scope_missing', { current: { scope: route.may } });
  if (goal !== undefined && !goalIdPattern.test(goal)) return refuse('not_found');
  const query = queryOf(request.url);
  return route.handle({
    request,
    env,
    get requestId() {
      return asked.requestId;
    },
    params,
    query,
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
        const given = await handle(route, asked);
        return given instanceof Response ? given : problemResponse(given, { requestId: asked.requestId });
      } catch (error) {
        const frames = error instanceof Error ? (error.stack ?? '').split('\n').slice(1, 6).join(' | ') : '';
        log('error', 'http', 'threw', { route: route.path, requestId: asked.requestId, error: errorOf(error), frames });
        return problemResponse(refuse('unavailable', { detail: 'Something failed here. The request id finds it in the log.' }), {
          requestId: asked.requestId,
          effect: route.method === 'GET' ? 'none' : 'unknown',
        });
      } finally {
        await discardBody(request);
      }
    });
  }
  app.notFound(async (context) => {
    const request = context.req.raw;
    const { pathname } = new URL(request.url);
    const ours = ['/v1', '/hooks', '/mcp', '/auth', '/healthz'].some((prefix) => pathname === prefix || pathname.startsWith(`${prefix}/`));
    if (!ours && context.env.ASSETS) return context.env.ASSETS.fetch(request);
    await discardBody(request);
    return problemResponse(refuse('not_found', { detail: `There is nothing at ${request.method} ${pathname}.` }), { requestId: crypto.randomUUID() });
  });
  return app;
}
