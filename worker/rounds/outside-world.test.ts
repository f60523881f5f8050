import { expect, it, vi } from 'vitest';
import type { Env } from '../env.ts';
import type { RoundContext } from '../goal/rpc.ts';
import { Redactor } from '../observe/redactor.ts';
import { Deadline } from '../tools/mcp/deadline.ts';
import { addressRefusal } from '../outgoing/guard.ts';
import { outsideWorld, remoteTools } from './outside-world.ts';

const toolsIn = async (env: Env, context: object) => {
  const redactor = new Redactor();
  return (await remoteTools(env, 'w', context as RoundContext, outsideWorld(env, 'w', redactor, { goal: 'goal_a', round: 'round_1' }), redactor)).tools;
};
const agent = { executor: { kind: 'agent', profile: 'worker' }, lane: 'worker' };
/** A Workspace object that opens what is asked for. */
const answering = (open: (what: string) => object) => ({ WORKSPACES: { idFromName: (name: string) => name, get: () => stub(open) } }) as unknown as Env;
const stub = (open: (what: string) => object) => ({ openFor: async ({ what }: { what: string }) => open(what) });

it('an agent knows that the workspace refused to say which servers it has, and why; without any there is nothing to say', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const refused = await toolsIn({} as Env, agent);
  expect(refused.map((each) => each.name)).toEqual(['mcp.servers']);
  expect(refused[0]?.description).toContain('None is usable now: unavailable');
  expect(await toolsIn({} as Env, { executor: { kind: 'skill', skill: 'a', script: 'a.js' } })).toEqual([]);
  expect(await toolsIn({} as Env, { ...agent, purpose: 'intake' })).toEqual([]);
  expect(
    await toolsIn(
      answering(() => ({ outcome: 'opened', servers: [] })),
      agent,
    ),
  ).toEqual([]);
  const halfway = answering((what) =>
    what === 'mcp'
      ? { outcome: 'opened', servers: [{ server: { name: 'erp', url: 'https://erp.test/mcp', tools: ['look'] }, headers: {}, secrets: [] }] }
      : { outcome: 'refused', refusal: { refused: true, code: 'setting_missing', detail: 'no lists' } },
  );
  expect((await toolsIn(halfway, agent)).map((each) => each.description)).toEqual([expect.stringContaining('setting_missing: no lists')]);
});

it('a workspace that does not answer counts against the one time that there is for connecting', async () => {
  const silent = answering(() => new Promise(() => {}));
  const halfway = answering((what) =>
    what === 'mcp' ? { outcome: 'opened', servers: [{ server: { name: 'erp', url: 'https://erp.test/mcp', tools: ['look'] }, headers: {}, secrets: [] }] } : new Promise(() => {}),
  );
  for (const env of [silent, halfway]) {
    const redactor = new Redactor();
    const { tools } = await remoteTools(env, 'w', agent as RoundContext, outsideWorld(env, 'w', redactor, { goal: 'goal_a', round: 'round_1' }), redactor, new Deadline(30));
    expect(tools.map((each) => each.description)).toEqual([expect.stringContaining('The workspace did not answer within 30 ms')]);
  }
});

it('an address that the guard refuses is told to the audit: the host without what follows it, and no secret in its name', async () => {
  vi.stubGlobal('__LONGHAUL_DEV__', false);
  const told: object[] = [];
  const object = { openFor: async () => ({ outcome: 'opened', policy: { allow: ['ok.example.com'], deny: [] } }), addressRefused: async (request: object) => told.push(request) };
  const env = { WORKSPACES: { idFromName: (name: string) => name, get: () => object } } as unknown as Env;
  const redactor = new Redactor();
  redactor.add('canaryvalue', 'erp');
  const rules = await outsideWorld(env, 'w', redactor, { goal: 'goal_a', round: 'round_1' }).rules();
  if ('refused' in rules) throw new Error('no rules');
  for (const url of ['https://ok.example.com/', 'https://me:word@evil.example.com/?data=1', 'https://canaryvalue.evil.example.com/', 'https://169.254.169.254/latest/meta-data'])
    addressRefusal(rules, url);
  await vi.waitFor(() => expect(told).toHaveLength(3));
  const asked = { v: 1, workspace: 'w', goal: 'goal_a', round: 'round_1' };
  expect(told).toEqual([
    { ...asked, host: 'evil.example.com', code: 'credentials' },
    { ...asked, host: '[redacted:erp].evil.example.com', code: 'not_allowed_host' },
    { ...asked, host: '169.254.169.254', code: 'private_address' },
  ]);
  vi.unstubAllGlobals();
});
