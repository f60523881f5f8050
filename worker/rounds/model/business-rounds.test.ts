/** An agent of a goal that a trigger started: it is told the business round and what the one before left open, and says what is waited for, with the real protocol under it. */
import { expect, it } from 'vitest';
import type { Json } from '../../domain/values.ts';
import { AgentStage } from './testing/agent-stage.ts';
import { type Said, ScriptedModel } from './testing/scripted-model.ts';

const criteria = [{ id: 'there', text: 'It is there.', verify: 'attest' }];
const round = 'nightly.2/cron/2027-01-05T12:10Z';
const before = { round: { id: 'nightly.2/cron/2027-01-04T12:10Z' }, open: { awaited: { correlation: 'order-6', generation: 1 }, came: null }, late: [] };

async function played(origin: Json | undefined) {
  const openings: { text: string; tools: string[] }[] = [];
  const given: Json[] = [];
  const answers: string[] = [];
  const model = new ScriptedModel((asked): Said => {
    const said = asked.messages.filter((message) => message.role === 'tool');
    if (said.length === 0)
      openings.push({ text: String(asked.messages.find((message) => message.role === 'user')?.content), tools: asked.tools.map((tool) => tool.function.name) });
    answers.push(...said.slice(-1).map((message) => String(message.content)));
    const calls: [string, object][] = [
      ['business_wait', { kind: 'receipt', correlation: 'order-7', reason: 'the supplier confirms' }],
      ['business_complete', { note: 'confirmed' }],
      ['finish', {}],
    ];
    return { calls: [calls[said.length] ?? ['finish', {}]] };
  });
  const stage = new AgentStage({
    model: (profile) => model.pinned({ profile }),
    business: (name, principal) => ({
      read: async () => ({ value: { round: { id: name, state: 'running' }, late: [], before } }),
      give: async (command, call) => {
        given.push({ name, principal, call, ...command });
        return { value: { state: command.type === 'business_round.wait' ? 'waiting' : 'completed' } };
      },
    }),
  });
  const payload = { mode: 'goal_only', confirmed: true, contract: { title: 'T', objective: 'Order it.', criteria }, ...(origin === undefined ? {} : { origin }) };
  expect(await stage.give('goal.create', payload, origin === undefined ? undefined : { kind: 'host' })).toMatchObject({ outcome: 'applied' });
  await stage.play(async () => (await stage.bar()).next.who.some((who) => (who as { act: string }).act === 'attest'));
  return { openings, given, answers };
}

it('is told the round and what was left open, and waits and completes under its call', async () => {
  const { openings, given } = await played({
    template: { name: 'orders', version: 1, digest: 'a'.repeat(64) },
    parameters: {},
    by: 'person:ada',
    trigger: { name: 'nightly', id: 'nightly.2', firing: round },
  });
  expect(openings[0]?.text).toContain('<data name="business_round">');
  expect(openings[0]?.text).toContain(round);
  expect(openings[0]?.text).toContain('"correlation":"order-6"');
  expect(openings[0]?.tools).toEqual(expect.arrayContaining(['business_read', 'business_wait', 'business_complete']));
  expect(given).toMatchObject([
    { name: round, principal: 'agent:coordinator', type: 'business_round.wait', payload: { kind: 'receipt', correlation: 'order-7' } },
    { name: round, type: 'business_round.complete', payload: { note: 'confirmed' } },
  ]);
  expect(new Set(given.map((each) => (each as { call: string }).call)).size).toBe(2);
});

it('of a goal that somebody made by hand has no such tools, and a call is refused', async () => {
  const { openings, given, answers } = await played(undefined);
  expect(openings[0]?.text).not.toContain('business_round');
  expect(openings[0]?.tools.filter((name) => name.startsWith('business'))).toEqual([]);
  expect(given).toEqual([]);
  expect(answers[0]).toMatch(/not_found|no trigger|unknown/);
});
