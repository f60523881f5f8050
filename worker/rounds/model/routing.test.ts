/** A worker asks, and a coordinator with the real protocol under it answers from the record, or leaves it to a person. */
import { expect, it } from 'vitest';
import type { RowData } from '../../domain/row-data.ts';
import { AgentStage } from './testing/agent-stage.ts';
import { type Asked, type Said, ScriptedModel } from './testing/scripted-model.ts';

const plan = { mode: 'bound', items: [{ key: 'export', title: 'Export', covers: ['there'], executor: { kind: 'agent', profile: 'worker' } }] };
const question = { question: 'Which program opens the file?', key: 'program', answer: { choices: [{ value: 'wps' }, { value: 'excel' }] }, fact: 'program' };

const textOf = (asked: Asked, role: string) => String(asked.messages.find((message) => message.role === role)?.content);
const answers = (asked: Asked) =>
  asked.messages
    .filter((message) => message.role === 'tool')
    .map((message) => JSON.parse(String(message.content)) as { value?: { proposal?: string }; refusal?: { code: string } });

/** `route`: what the coordinator says about a question, call by call. */
async function played(route: [string, unknown][], about?: string) {
  const openings: { text: string; system: string; tools: string[] }[] = [];
  const refusals: string[] = [];
  const model = new ScriptedModel((asked): Said => {
    const opening = textOf(asked, 'user');
    const before = answers(asked);
    const n = before.length;
    const last = before.at(-1);
    if (last?.refusal) refusals.push(last.refusal.code);
    if (opening.includes('purpose: blocker')) {
      if (n === 0) openings.push({ text: opening, system: textOf(asked, 'system'), tools: asked.tools.map((tool) => tool.function.name) });
      return { calls: [route[n] ?? ['hand_back', { note: 'I cannot tell' }]] };
    }
    if (opening.startsWith('# Coordinator round')) {
      const calls: [string, unknown][] = [
        ['plan_propose', { document: plan }],
        ['plan_adopt', { proposal: last?.value?.proposal ?? '' }],
        ['hand_back', {}],
      ];
      return { calls: [calls[n] ?? ['hand_back', {}]] };
    }
    if (n === 0) return { calls: [['facts_get', { key: 'program' }]] };
    return { calls: [last?.refusal ? ['ask', { ...question, ...(about ? { about } : {}) }] : ['submit', { artifacts: [], summary: 'exported' }]] };
  });
  const stage = new AgentStage({ model: (profile) => model.pinned({ profile }) });
  await stage.give('goal.create', {
    mode: 'bound',
    confirmed: true,
    contract: {
      title: 'Export',
      objective: 'Export the records as a file that opens right in WPS.',
      criteria: [{ id: 'there', text: 'It is there.', verify: 'attest' }],
    },
    lanes: { coordinator: { kind: 'agent', profile: 'coordinator' }, reviewers: [] },
  });
  const stands = async () => (await stage.bar()).next.who.some((who) => ['answer', 'attest'].includes((who as { act: string }).act));
  await stage.play(stands);
  return { stage, openings, refusals, who: (await stage.bar()).next.who };
}

it('answers from the contract, with reason and sources on record, and the worker goes on with it', async () => {
  const answer = { blocker: 'program', answer: { answer: 'wps' }, because: 'The objective names WPS.' };
  const { stage, openings, refusals, who } = await played([
    ['blocker_resolve', { ...answer, evidence: ['fact:program'] }],
    ['blocker_resolve', { ...answer, evidence: ['contract:objective'] }],
    ['hand_back', {}],
  ]);
  expect(openings).toHaveLength(1);
  expect(openings[0]?.text).toContain('<data name="question">');
  expect(openings[0]?.system).toContain('# A worker asks');
  expect(openings[0]?.tools).toEqual(expect.arrayContaining(['blocker_resolve', 'blocker_pass', 'plan_propose', 'hand_back']));
  for (const none of ['ask', 'block', 'finish']) expect(openings[0]?.tools).not.toContain(none);
  expect(refusals).toContain('evidence_missing');
  expect(stage.rows<RowData['blocker']>('blocker')).toMatchObject([
    { state: 'resolved', resolvedBy: 'agent:coordinator', because: 'The objective names WPS.', evidence: ['contract:objective'] },
  ]);
  expect(stage.rows<RowData['submission']>('submission')).toHaveLength(1);
  expect(who).toMatchObject([{ mover: 'person:ada', act: 'attest' }]);
});

it('passes it on with the question put better, and the owner is asked that', async () => {
  const { stage, who } = await played([
    ['blocker_pass', { blocker: 'program', why: 'two programs are named', question: 'WPS opens it wrong without a mark. WPS or Excel?', recommended: { answer: 'wps' } }],
    ['hand_back', {}],
  ]);
  expect(who).toMatchObject([{ mover: 'person:ada', act: 'answer', ref: 'blocker:program' }]);
  expect(stage.rows<RowData['blocker']>('blocker')).toMatchObject([
    { state: 'open', route: 'owner', reason: 'WPS opens it wrong without a mark. WPS or Excel?', recommended: { answer: 'wps' } },
  ]);
});

it('says nothing of use: the owner is asked as it was asked', async () => {
  const { stage, openings, who } = await played([]);
  expect(openings).toHaveLength(1);
  expect(who).toMatchObject([{ mover: 'person:ada', act: 'answer' }]);
  expect(stage.rows<RowData['blocker']>('blocker')).toMatchObject([{ route: 'owner', reason: question.question }]);
});

it('about money it is not even looked at', async () => {
  const { openings, who } = await played([], 'money');
  expect(openings).toEqual([]);
  expect(who).toMatchObject([{ mover: 'person:ada', act: 'answer' }]);
});
