import { expect, it } from 'vitest';
import type { Json } from '../../domain/values.ts';
import { Redactor } from '../../observe/redactor.ts';
import { closedRules } from '../../outgoing/address.ts';
import { fixedWorld } from '../../outgoing/world.ts';
import { MemoryFiles, workerContext } from '../../tools/testing/fake-env.ts';
import { FakeGoal } from '../testing/fake-goal.ts';
import { runCheck } from './run-check.ts';

/** Asks once, as a Runner does; gives what was recorded and what was sent. */
async function probed(probe: Json, answer: (url: string) => Response | Promise<Response>, allow: string[] | null = ['bank.test']) {
  const sent: { url: string; headers: Record<string, string> }[] = [];
  const send = (async (url: string, init: RequestInit) => {
    sent.push({ url, headers: Object.fromEntries(new Headers(init.headers)) });
    return answer(url);
  }) as typeof fetch;
  const goal = new FakeGoal(workerContext());
  goal.onRead = () => ({ effect: 'eff_1', fence: 3, tool: 'http.request', key: 'k/1', probe });
  const redactor = new Redactor();
  redactor.add('canary-9f8e7d6c', 'bank');
  const world = fixedWorld({ ...closedRules, allow }, { send, secrets: { bank: 'canary-9f8e7d6c' } });
  const sandbox = { run: async () => ({ kind: 'stopped' as const }) };
  const run = await runCheck({ check: 'eff_1', fence: 3 }, { goal: goal.calls(), files: new MemoryFiles(), sandbox, world, redactor });
  return { run, sent, given: goal.given, ids: goal.commands.map((each) => each.envelope.commandId) };
}
const base = { url: 'https://bank.test/t/{key}' };
const found = (what: string) => [['effect.probe', expect.objectContaining({ effect: 'eff_1', fence: 3, found: what })]];

it.each<[string, object, () => Response | Promise<Response>, string]>([
  ['its status', {}, () => new Response('{}'), 'happened'],
  ['another status that was named', { happened: 204 }, () => new Response(null, { status: 204 }), 'happened'],
  ['the text in it', { contains: '"paid"' }, () => new Response('{"state":"paid"}'), 'happened'],
  ['the text that is not in it', { contains: '"paid"' }, () => new Response('{"state":"open"}'), 'absent'],
  ['404', {}, () => new Response('no', { status: 404 }), 'absent'],
  ['410', {}, () => new Response('no', { status: 410 }), 'absent'],
  ['500', {}, () => new Response('no', { status: 500 }), 'unclear'],
  ['401', {}, () => new Response('no', { status: 401 }), 'unclear'],
  ['no answer', {}, () => Promise.reject(new Error('away')), 'unclear'],
])('%s', async (_how, more, answer, what) => {
  const { run, given, sent, ids } = await probed({ ...base, ...more }, answer);
  expect(given).toEqual(found(what));
  expect(run).toEqual({ kind: 'done', why: what });
  expect(sent.map((each) => each.url)).toEqual(['https://bank.test/t/k%2F1']);
  expect(ids).toEqual(['probe:eff_1:3']);
});
it('sends a secret to a host on the list only, and says nothing of it', async () => {
  const probe = { ...base, headers: { authorization: { $secret: 'bank', prefix: 'Bearer ' } } };
  const echo = () => Promise.reject(new Error('refused canary-9f8e7d6c'));
  const listed = await probed(probe, echo);
  expect(listed.sent[0]?.headers).toEqual({ authorization: 'Bearer canary-9f8e7d6c' });
  expect(JSON.stringify(listed.given)).not.toContain('canary');
  const open = await probed(probe, echo, null);
  expect(open.sent).toEqual([]);
  expect(open.given).toEqual(found('unclear'));
});
it.each<[string, Json]>([
  ['an address inside', { url: 'https://10.0.0.1/' }],
  ['a probe that cannot be read', { what: 1 }],
])('%s is asked nothing', async (_what, probe) => {
  const { sent, given } = await probed(probe, () => new Response('{}'));
  expect(sent).toEqual([]);
  expect(given).toEqual(found('unclear'));
});
