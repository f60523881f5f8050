import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import type { Json } from '../../domain/values.ts';
import type { Env } from '../../env.ts';
import { BundledSandbox } from './bundled-sandbox.ts';
import { LoaderSandbox } from './loader-sandbox.ts';
import type { Sandbox, ScriptResult } from './sandbox.ts';

const scripts = vi.hoisted(
  (): Record<string, string> => ({
    'echo.js': 'import { twice } from "./lib-math.js"; export default async (host, input) => ({ twice: twice(input.n), reply: await host.call("a.tool", { x: 1 }) });',
    'lib-math.js': 'export const twice = (n) => n * 2;',
    'fetches.js': 'export default async () => { try { const r = await fetch("http://127.0.0.1:8787/"); return "reached " + r.status; } catch (e) { return "closed"; } };',
    'connects.js':
      'import { connect } from "cloudflare:sockets"; export default async () => { try { const s = connect("127.0.0.1:8787"); await s.opened; return "reached"; } catch { return "closed"; } };',
    'looks.js': 'import { env } from "cloudflare:workers"; export default async (host) => ({ env: Object.keys(env), host: Object.keys(host), frozen: Object.isFrozen(host) });',
    'throws.js': 'export default async () => { throw new RangeError("row 7"); };',
    'broken.js': 'export default async ( => {',
    'never.js': 'export default async (host) => { await host.call("submit", {}); return "went on"; };',
    'odd.js': 'export default async () => ({ date: new Date(0), nothing: undefined, fn: () => 1, big: "9007199254740993" });',
    'state.js': 'let runs = 0; export default async () => ++runs;',
  }),
);

vi.mock('../skills/bundle.generated.ts', () => ({
  sources: { test: { manifest: '', modules: scripts } },
  modules: {
    test: {
      'echo.js': {
        default: async (host: { call(tool: string, args: Json): Promise<Json> }, input: { n: number }) => ({ twice: input.n * 2, reply: await host.call('a.tool', { x: 1 }) }),
      },
    },
  },
}));

function run(sandbox: Sandbox, script: string, more: { call?: (tool: string, args: Json) => Promise<Json>; signal?: AbortSignal; skill?: string } = {}): Promise<ScriptResult> {
  return sandbox.run({
    skill: more.skill ?? 'test',
    script,
    input: { n: 21 },
    call: more.call ?? (async (tool, args) => ({ tool, args })),
    signal: more.signal ?? new AbortController().signal,
    cpuMs: 10_000,
    calls: 100,
  });
}

describe('a Dynamic Worker', () => {
  const { LOADER } = env as unknown as Env;
  if (!LOADER) throw new Error('no loader here');
  const sandbox = new LoaderSandbox(LOADER);

  it('runs a script with what lies beside it, and its calls reach the host', async () => {
    expect(await run(sandbox, 'echo.js')).toEqual({ kind: 'returned', value: { twice: 42, reply: { tool: 'a.tool', args: { x: 1 } } } });
  });
  it.each(['fetches.js', 'connects.js'])('has no network: %s', async (script) => expect(await run(sandbox, script)).toEqual({ kind: 'returned', value: 'closed' }));
  it('has nothing in reach but the host', async () => expect(await run(sandbox, 'looks.js')).toEqual({ kind: 'returned', value: { env: [], host: ['call'], frozen: true } }));
  it('tells what a script threw, and what is no script', async () => {
    expect(await run(sandbox, 'throws.js')).toEqual({ kind: 'threw', message: 'RangeError: row 7' });
    expect(await run(sandbox, 'broken.js')).toMatchObject({ kind: 'threw', message: expect.stringContaining('SyntaxError') });
  });
  it('stops in a call that never returns', async () => {
    const stop = new AbortController();
    const result = run(sandbox, 'never.js', {
      signal: stop.signal,
      call: () => {
        stop.abort();
        return new Promise<Json>(() => {});
      },
    });
    expect(await result).toEqual({ kind: 'stopped' });
  });
  it('gives back data only', async () => expect(await run(sandbox, 'odd.js')).toEqual({ kind: 'returned', value: { date: '1970-01-01T00:00:00.000Z', big: '9007199254740993' } }));
  it('remembers nothing from one run to the next', async () => {
    expect(await run(sandbox, 'state.js')).toEqual({ kind: 'returned', value: 1 });
    expect(await run(sandbox, 'state.js')).toEqual({ kind: 'returned', value: 1 });
  });
  const code = (text: string, signal = new AbortController().signal) =>
    sandbox.run({ skill: '', script: '', code: text, input: { n: 21 }, call: async () => 'reached', signal, cpuMs: 10_000, calls: 0 });
  it('runs code of an agent on its input alone', async () => {
    expect(await code('export default ({ n }, ...more) => ({ twice: n * 2, more: more.length })')).toEqual({ kind: 'returned', value: { twice: 42, more: 0 } });
    expect(await code('export default async () => { try { await fetch("https://example.com/"); return "reached"; } catch { return "closed"; } }')).toEqual({
      kind: 'returned',
      value: 'closed',
    });
    expect(await code('import { env } from "cloudflare:workers"; export default () => Object.keys(env)')).toEqual({ kind: 'returned', value: [] });
    expect(await code('import other from "./lib-math.js"; export default () => other')).toMatchObject({ kind: 'threw' });
    expect(await code('export default 7')).toMatchObject({ kind: 'threw', message: expect.stringContaining('no default function') });
    expect(await code('export default () => undefined')).toEqual({ kind: 'returned', value: null });
  });
  it('stops code that never ends', async () => {
    const stop = new AbortController();
    const result = code('export default () => new Promise(() => setInterval(() => {}, 1000))', stop.signal);
    setTimeout(() => stop.abort(), 20);
    expect(await result).toEqual({ kind: 'stopped' });
  });
  it('refuses a script that is not there', async () => expect(await run(sandbox, 'none.js')).toMatchObject({ kind: 'refused' }));
});

describe('bundled', () => {
  const sandbox = new BundledSandbox();
  it('runs what is built in', async () => expect(await run(sandbox, 'echo.js')).toEqual({ kind: 'returned', value: { twice: 42, reply: { tool: 'a.tool', args: { x: 1 } } } }));
  it('refuses anything else and says why', async () => {
    expect(
      await sandbox.run({ skill: '', script: '', code: 'export default () => 1', input: {}, call: async () => null, signal: new AbortController().signal, cpuMs: 1, calls: 0 }),
    ).toMatchObject({ kind: 'refused' });
    expect(await run(sandbox, 'fetches.js')).toMatchObject({ kind: 'refused', reason: expect.stringContaining('worker loader') });
    expect(await run(sandbox, 'echo.js', { skill: 'other' })).toMatchObject({ kind: 'refused' });
  });
});
