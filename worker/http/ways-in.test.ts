/** Every command of the catalogues by each way in: over HTTP, by the tools of the MCP server, from the command line. What a round or the host alone gives is refused on each, with a code. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type FetchLike, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { exit } from '../../cli/exit.ts';
import { run } from '../../cli/program.ts';
import { type CommandType, catalogue, commandTypes, type Envelope, type Givers } from '../domain/commands.ts';
import type { Env } from '../env.ts';
import { domainCore } from '../goal/domain-core.ts';
import { checkForm } from '../goal/form.ts';
import type { CommandAnswer, CommandRequest } from '../goal/rpc.ts';
import { Bench } from '../goal/testing/bench-top.ts';
import { type WorkspaceCommandType, type WorkspaceEnvelope, workspaceCatalogue, workspaceCommandTypes } from '../workspace/core/catalogue.ts';
import type { WorkspaceCommandRequest } from '../workspace/rpc.ts';
import { appOf } from './app.ts';
import { routes } from './routes.ts';

vi.hoisted(() => Object.assign(globalThis, { __LONGHAUL_DEV__: true }));

const url = 'http://127.0.0.1:8787';
const app = appOf(routes);

/** Goals over ports in memory; what reached them, in order. */
const goals = new Map<string, Bench>();
const reached: Envelope[] = [];
const settings: WorkspaceEnvelope[] = [];
const namespace = (stubOf: (name: string) => object) => ({ idFromName: (name: string) => name, get: (name: unknown) => stubOf(String(name)) });
const env = {
  LONGHAUL_DEV: '1',
  LONGHAUL_CALLS_PER_MINUTE: '1000000',
  FILES: { head: async () => null },
  GOALS: namespace((name) => {
    const bench = goals.get(name) ?? new Bench(domainCore, { form: checkForm });
    goals.set(name, bench);
    return {
      command(request: CommandRequest): Promise<CommandAnswer> {
        reached.push(request.envelope);
        return bench.protocol.command(request);
      },
    };
  }),
  WORKSPACES: namespace(() => ({
    command: async (request: WorkspaceCommandRequest) => {
      settings.push(request.envelope);
      return { outcome: 'applied', result: {}, version: 1, seq: 1, replayed: false, dryRun: true };
    },
  })),
} as unknown as Env;
const asked = async (input: string | URL | Request, init?: RequestInit) => app.fetch(new Request(input, init), env);

/** What a way in made of a command: `ok`, or the code of the refusal. */
type Way = (type: string, payload: object, commandId: string) => Promise<string>;
let goal = '';
let mcp: Client;
let told = '';

const codeOf = async (response: Response) => (response.ok ? 'ok' : ((await response.json()) as { code: string }).code);
const post = (path: string, body: object) => asked(`${url}/v1/workspaces/local/${path}`, { method: 'POST', body: JSON.stringify(body) });
const isCreation = (type: string) => type === 'goal.create' || type === 'goal.propose';

const overHttp: Way = async (type, payload, commandId) => codeOf(await post(isCreation(type) ? 'goals' : `goals/${goal}/commands`, { type, payload, commandId, dryRun: true }));

async function overTool(name: string, args: object): Promise<string> {
  const { isError, structuredContent } = await mcp.callTool({ name, arguments: { ...args } });
  return isError === true ? (structuredContent as { code: string }).code : 'ok';
}
const overMcp: Way = (type, payload, commandId) => overTool('command', { ...(isCreation(type) ? {} : { goal }), type, payload, commandId, dryRun: true });

async function onTheCommandLine(args: readonly string[]): Promise<string> {
  told = '';
  const code = await run(['node', 'longhaul', ...args]);
  const refusal = /refused: (\w+):/.exec(told)?.[1];
  expect(code === exit.done, told).toBe(refusal === undefined);
  return refusal ?? 'ok';
}
const fromTerminal: Way = (type, payload, commandId) =>
  onTheCommandLine([...(isCreation(type) ? ['goals', 'create', '--type', type] : ['command', goal, type]), JSON.stringify(payload), '--id', commandId, '--dry-run']);

const ways = { http: overHttp, mcp: overMcp, terminal: fromTerminal };

beforeAll(async () => {
  vi.stubGlobal('fetch', asked);
  for (const [name, value] of Object.entries({ LONGHAUL_URL: url, LONGHAUL_TOKEN: '', LONGHAUL_WORKSPACE: 'local', XDG_CONFIG_HOME: join(tmpdir(), 'longhaul-nobody') }))
    vi.stubEnv(name, value);
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    told += String(text);
    return true;
  });
  const contract = { title: 'Names', objective: 'Names in capitals.', criteria: [{ id: 'capitals', text: 'In capitals', verify: 'review' }] };
  const made = await post('goals', { type: 'goal.create', commandId: 'names', payload: { mode: 'bound', confirmed: true, contract } });
  goal = ((await made.json()) as { goal: string }).goal;
  mcp = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await mcp.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { fetch: asked as unknown as FetchLike }));
});
beforeEach(() => {
  reached.length = 0;
  settings.length = 0;
});
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

/** One that says which command it was, where it need not be empty: it is refused by its schema, in the Goal. */
const payloadOf = (type: CommandType) => (catalogue[type].payload.safeParse({}).success ? {} : { carried: type });
const isGiven = (type: CommandType) => (catalogue[type] as { by: Givers }).by.scope !== undefined;

describe.each(Object.entries(ways))('over %s', (name, way) => {
  it.each(commandTypes.filter(isGiven))('%s reaches its goal as it was sent', async (type) => {
    const payload = payloadOf(type);
    const answer = await way(type, payload, `${type}:${name}`);
    expect(reached).toMatchObject([{ type, payload, commandId: `${type}:${name}`, dryRun: true }]);
    expect(['forbidden', 'scope_missing', 'unavailable']).not.toContain(answer);
    if ('carried' in payload) expect(answer).toBe('schema_invalid');
    // The goal decides, whichever way it came.
    expect(await overHttp(type, payload, `${type}:again:${name}`)).toBe(answer);
  });

  it.each(commandTypes.filter((type) => !isGiven(type)))('%s is refused with a code', async (type) => {
    expect(await way(type, payloadOf(type), `${type}:${name}`)).toBe('forbidden');
    expect(reached).toEqual([]);
  });
});

const payload = { name: 'any' };
it.each(workspaceCommandTypes)('%s reaches the workspace each way', async (type: WorkspaceCommandType) => {
  expect(workspaceCatalogue[type].scope).toBeDefined();
  expect(await codeOf(await post('commands', { type, payload, commandId: 'c', expected: { version: 3 }, dryRun: true }))).toBe('ok');
  expect(await overTool('workspace_command', { type, payload, commandId: 'c', expected: { version: 3 }, dryRun: true })).toBe('ok');
  expect(await onTheCommandLine(['workspace-command', type, JSON.stringify(payload), '--id', 'c', '--expect', '3', '--dry-run'])).toBe('ok');
  const one = { type, payload, commandId: 'c', expected: { version: 3 }, dryRun: true };
  expect(settings).toMatchObject([one, one, one]);
});

it('an agent can ask which commands there are, and what each takes', async () => {
  const ask = async (args: object) =>
    (await mcp.callTool({ name: 'commands_list', arguments: { ...args } })).structuredContent as { data: { type: string }[]; code?: string; payload: object };
  expect((await ask({})).data.map(({ type }) => type)).toEqual(commandTypes.filter(isGiven));
  expect((await ask({ of: 'workspace' })).data.map(({ type }) => type)).toEqual(workspaceCommandTypes);
  expect(await ask({ type: 'trigger.fire', of: 'workspace' })).toMatchObject({
    yours: true,
    by: { scope: 'triggers:manage' },
    payload: { required: ['name'], properties: { data: {} } },
  });
  expect(await ask({ type: 'round.end' })).toMatchObject({ yours: false });
  expect((await ask({ type: 'trigger.fire' })).code).toBe('schema_invalid');
});

describe('a command line of its own', () => {
  const round = 'nightly.1/2027-01-05T12:10Z';
  it.each([
    [['triggers', 'put', '{"name":"n"}', '--expect', '0'], 'trigger.put', { name: 'n' }, { version: 0 }],
    [['triggers', 'pause', 'n'], 'trigger.pause', { name: 'n' }],
    [['triggers', 'resume', 'n'], 'trigger.resume', { name: 'n' }],
    [['triggers', 'remove', 'n'], 'trigger.remove', { name: 'n' }],
    [['triggers', 'fire', 'n', '--data', '{"a":1}'], 'trigger.fire', { name: 'n', data: { a: 1 } }],
    [['triggers', 'replay', 'n', 'msg_1'], 'delivery.replay', { name: 'n', delivery: 'msg_1' }],
    [
      ['business-rounds', 'wait', round, '--for', 'answer', '--correlation', 'c', '--why', 'the bank'],
      'business_round.wait',
      { round, kind: 'answer', correlation: 'c', reason: 'the bank' },
    ],
    [
      ['business-rounds', 'answer', round, '{"paid":true}', '--correlation', 'c', '--generation', '2'],
      'business_round.answer',
      { round, correlation: 'c', generation: 2, payload: { paid: true } },
    ],
    [['business-rounds', 'complete', round, '--note', 'paid'], 'business_round.complete', { round, note: 'paid' }],
  ])('%s', async (args, type, payload, expected: object = {}) => {
    expect(await onTheCommandLine([...args, '--id', 'c', '--reason', 'so'])).toBe('ok');
    expect(settings).toEqual([{ type, payload, expected, commandId: 'c', reason: 'so', dryRun: false }]);
  });
});
