/** A person says that the goal should be another; an agent proposes the version, with the real protocol under it. */
import { expect, it } from 'vitest';
import type { RowData } from '../../domain/row-data.ts';
import { door } from '../../goal/testing/bench-top.ts';
import { AgentStage } from './testing/agent-stage.ts';
import { type Said, ScriptedModel } from './testing/scripted-model.ts';

const there = { id: 'there', text: 'It is there.', verify: 'attest' };
const dated = { id: 'dated', text: 'It is dated.', verify: 'attest' };

it('reads the message, proposes the change with its impact, and waits for the person', async () => {
  const openings: { system: string; text: string; tools: string[] }[] = [];
  const model = new ScriptedModel((asked): Said => {
    const [system = '', text = ''] = ['system', 'user'].map((role) => String(asked.messages.find((message) => message.role === role)?.content));
    const n = asked.messages.filter((message) => message.role === 'tool').length;
    if (!text.includes('purpose: amend')) return { calls: [n === 0 ? ['files_write', { path: 'a.txt', text: 'a' }] : ['finish', {}]] };
    if (n === 0) openings.push({ system, text: JSON.stringify(asked.messages), tools: asked.tools.map((tool) => tool.function.name) });
    return { calls: [n === 0 ? ['goal_amend', { message: 1, change: { criteria: [there, dated] }, why: 'It must be dated.' }] : ['hand_back', {}]] };
  });
  const stage = new AgentStage({ model: (profile) => model.pinned({ profile }) });
  await stage.give('goal.create', { mode: 'goal_only', confirmed: true, contract: { title: 'T', objective: 'Write it down.', criteria: [there] } });
  const awaits = (act: string) => async () => (await stage.bar()).next.who.some((who) => (who as { act: string }).act === act);
  await stage.play(awaits('attest'));
  await stage.give('message.post', { text: 'It must be dated too', asks: 'change' });
  await stage.play(awaits('decide'));

  expect(openings).toHaveLength(1);
  expect(openings[0]?.system).toContain('# A person wants something else');
  expect(openings[0]?.text).toContain('It must be dated too');
  expect(openings[0]?.tools).toContain('goal_amend');
  expect(openings[0]?.tools).not.toContain('finish');
  const bar = (await stage.bar()) as unknown as { goalVersion: number; amendment: { id: string; body: string } };
  expect(bar).toMatchObject({ goalVersion: 1, amendment: { message: 1, by: 'agent:coordinator' } });
  const person = { kind: 'person' as const, principal: 'person:ada', scopes: ['goals:read' as const, 'goals:write' as const] };
  const tried = await stage.bench.protocol.command({
    ...door,
    actor: person,
    envelope: { type: 'amendment.decide', commandId: 'try', expected: { goalVersion: 1 }, payload: { amendment: bar.amendment.id, decision: 'confirmed' }, dryRun: true },
  });
  expect(tried).toMatchObject({ outcome: 'applied', result: { criteria: { added: ['dated'] } } });
  expect((await stage.bar()).goalVersion).toBe(1);
  const done = await stage.bench.protocol.command({
    ...door,
    actor: person,
    envelope: { type: 'amendment.decide', commandId: 'do', expected: { goalVersion: 1 }, payload: { amendment: bar.amendment.id, decision: 'confirmed' }, dryRun: false },
  });
  expect(done).toMatchObject({ outcome: 'applied', result: { goalVersion: 2 } });
  expect(stage.rows<RowData['message']>('message')).toMatchObject([{ asks: 'change', became: 2 }]);
});
