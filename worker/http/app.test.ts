import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Refusal, refuse } from '../domain/refusals.ts';
import type { Env } from '../env.ts';
import { goalIdOf } from '../goal/goal-id.ts';
import { appOf } from './app.ts';
import { readJsonObject } from './body.ts';
import { policies } from './rate-limit.ts';
import { answer, type Call, type Route } from './route.ts';

beforeAll(() => vi.stubGlobal('__LONGHAUL_DEV__', true));
afterAll(() => vi.unstubAllGlobals());

const env = { LONGHAUL_DEV: '1' } as Env;
const goal = goalIdOf('local', ['person:local', 'c']);

function asked(route: { method?: Route['method']; may?: Route['may']; handle?: (call: Call) => Promise<Response | Refusal> }, path: string, init: RequestInit = {}) {
  const whole = { method: 'GET', path: '/v1/workspaces/:workspace/goals/:goal', may: 'goals:read', summary: '', handle: async () => answer({ ok: true }), ...route } as Route;
  return appOf([whole]).fetch(new Request(`http://127.0.0.1${path}`, init), env);
}

describe('the door', () => {
  it('lets a member with the scope in and hands over what the path says', async () => {
    const response = await asked(
      { handle: async (call) => answer({ workspace: call.workspace, goal: call.params.goal, who: call.member.principal }) },
      `/v1/workspaces/local/goals/${goal}`,
    );
    expect(await response.json()).toEqual({ workspace: 'local', goal, who: 'person:local' });
  });

  it.each([
    ["a workspace that is not the caller's", `/v1/workspaces/unlisted/goals/${goal}`],
    ['a goal id that cannot be one', '/v1/workspaces/local/goals/goal_x%2F..'],
    ['a route that does not exist', '/v1/elsewhere'],
  ])('does not know %s', async (_name, path) => {
    const handle = vi.fn(async () => answer({}));
    const response = await asked({ handle }, path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'not_found', effect: 'none' });
    expect(handle).not.toHaveBeenCalled();
  });

  it('names the scope that is missing', async () => {
    const response = await asked({ may: 'nobody:holds' as never }, `/v1/workspaces/local/goals/${goal}`);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: 'scope_missing', current: { scope: 'nobody:holds' } });
  });

  it('turns what a handler throws into a problem: a read changed nothing, of a change nobody knows', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const handle = async () => {
      throw new Error('secret detail');
    };
    const path = `/v1/workspaces/local/goals/${goal}`;
    const read = await asked({ handle }, path);
    expect(read.status).toBe(503);
    const problem = await read.json();
    expect(problem).toMatchObject({ code: 'unavailable', effect: 'none' });
    expect(JSON.stringify(problem)).not.toContain('secret');
    expect(await (await asked({ method: 'POST', handle }, path, { method: 'POST' })).json()).toMatchObject({ effect: 'unknown' });
    expect(log).toHaveBeenCalledTimes(2);
    log.mockRestore();
  });

  it('reads or cancels every body, also of what it refuses', async () => {
    let cancelled = 0;
    const body = () => new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1000)), cancel: () => void cancelled++ }, { highWaterMark: 0 });
    const post = (route: Parameters<typeof asked>[0], path: string, headers = {}) =>
      asked({ method: 'POST', ...route }, path, { method: 'POST', body: body(), headers, duplex: 'half' } as RequestInit);
    const path = `/v1/workspaces/local/goals/${goal}`;
    await post({}, '/v1/elsewhere');
    await post({}, path.replace('local', 'unlisted'));
    await post({}, path, { origin: 'https://evil.example' });
    await post({ handle: async () => refuse('goal_paused') }, path);
    const tooLong = await post({ handle: async (call) => ((await readJsonObject(call.request)).ok ? answer({}) : refuse('limit_exceeded')) }, path);
    expect(tooLong.status).toBe(422);
    expect(cancelled).toBe(5);
  });

  it.each([
    ['an answer', {}, `/v1/workspaces/local/goals/${goal}`],
    ['a refusal', { may: 'nobody:holds' as never }, `/v1/workspaces/local/goals/${goal}`],
    ['no route', {}, '/v1/elsewhere'],
    ['an answer whose headers are sealed', { handle: async () => Response.redirect('https://longhaul.example/') }, `/v1/workspaces/local/goals/${goal}`],
  ])('tells browsers to frame, guess and run nothing: %s', async (_name, route, path) => {
    const { headers } = await asked(route, path);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.has('strict-transport-security')).toBe(false);
  });

  it('keeps browsers on https where they came by it, and what a route says of itself', async () => {
    const route: Route = { method: 'GET', path: '/healthz', may: 'anyone', summary: '', handle: async () => answer({}, { headers: { 'content-security-policy': 'sandbox' } }) };
    const { headers } = await appOf([route]).fetch(new Request('https://longhaul.example/healthz'), env);
    expect(headers.get('strict-transport-security')).toBe('max-age=63072000');
    expect(headers.get('content-security-policy')).toBe('sandbox');
  });

  it('tells an address that tries one token after the other to wait, and holds up nobody else there', async () => {
    const path = `/v1/workspaces/local/goals/${goal}`;
    const attempt = (address: string) => asked({}, path, { headers: { authorization: 'Bearer lht_guess', 'cf-connecting-ip': address } });
    for (let n = 0; n < policies.failed; n++) expect((await attempt('203.0.113.5')).status).toBe(401);
    const refused = await attempt('203.0.113.5');
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: 'rate_limited', retryable: true, current: { policy: 'failed', allowed: policies.failed } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit-policy')).toBe(`"failed";q=${policies.failed};w=60`);
    expect((await attempt('203.0.113.6')).status).toBe(401);
    // One whose token is good, and a page whose session has ended, are not among them.
    expect((await asked({}, path, { headers: { cookie: 'other=1', 'cf-connecting-ip': '203.0.113.5' } })).status).toBe(401);
  });
});
