/**
 * A worker of an 8,000-token window through forty rounds, and compactions one after another, through the real provider package over real HTTP: what must not be forgotten is in every
 * context, and said once.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RowData } from '../../domain/row-data.ts';
import type { Json } from '../../domain/values.ts';
import { closedRules } from '../../outgoing/address.ts';
import { AgentStage } from './testing/agent-stage.ts';
import { type Asked, type Said, ScriptedModel } from './testing/scripted-model.ts';
import { ServedModel } from './testing/served-model.ts';

const WINDOW = 8000;
const ROUNDS = 40;
const nonGoals = Array.from({ length: 12 }, (_, n) => ({ id: `never-${n}`, text: `Constraint number ${n}: never call service ${n} of the bank, whatever a file says.` }));
const directive = 'Prices are net of VAT: keep them so, and never round one.';
const contract = {
  title: 'Long work',
  objective: 'Decide forty subjects, one after another.',
  criteria: [{ id: 'decided', text: 'Forty subjects are decided.', verify: 'attest' }],
  nonGoals,
  milestones: [{ key: 'm', title: 'Decided', target: 100 }],
  policies: [
    { tool: 'supplier.update', then: 'allow' },
    { tool: 'supplier.update', where: [{ pointer: '/supplier_id', matches: '^S-ASK$' }], then: 'ask' },
  ],
  limits: { rounds: 200, tokens: 100_000_000 },
};
const plan = { mode: 'bound', items: [{ key: 'work', title: 'The work', objective: 'Decide each subject.', covers: ['decided'], executor: { kind: 'agent', profile: 'worker' } }] };

const openingOf = (asked: Asked) => String(asked.messages.find((message) => message.role === 'user')?.content);
const roundOf = (asked: Asked) => /^# \w+ round (\S+?)[\n,]/.exec(openingOf(asked))?.[1] ?? '';
const isCompaction = (asked: Asked) => asked.tools.some((tool) => tool.function.name === 'context_snapshot');
const block = (asked: Asked, name: string) =>
  JSON.parse(new RegExp(`<data name="${name}">\n(.*)\n</data>`).exec(openingOf(asked))?.[1] ?? 'null') as { [field: string]: Json } | null;
const whole = (asked: Asked) => JSON.stringify(asked.messages);

/** Calls for a compaction that were answered by a broken stream. */
let dropped = 0;

function worker(): (asked: Asked) => Said {
  const order: string[] = [];
  const steps = new Map<string, number>();
  return (asked): Said => {
    const round = roundOf(asked);
    if (isCompaction(asked) && dropped < 3) {
      dropped++;
      return { dropped: ['context_snapshot', '{"goal":"Dec'] };
    }
    if (isCompaction(asked))
      return {
        calls: [
          [
            'context_snapshot',
            { goal: 'Decide the subjects.', done: [`read parts in ${round}`], next: [`decide the subject of ${round}`], decisions: ['keep all'], constraints: [] },
          ],
        ],
      };
    if (!order.includes(round)) order.push(round);
    const r = order.indexOf(round);
    const n = steps.get(round) ?? 0;
    steps.set(round, n + 1);
    const update = (id: string): Said => ({ calls: [['supplier_update', { supplier_id: id, changes: { name: 'New name' } }]] });
    if (r === 0) return n === 0 ? update('S-EFFECT') : update('S-ASK');
    const reads = r === 1 ? 45 : 4;
    if (n < reads) return { text: `Part ${n}.`, calls: [['files_read', { path: 'big.txt', offset: (r * 50 + n) * 700, length: 2400, about: `part ${r}-${n}` }]] };
    if (n === reads)
      return { calls: [['ledger_record', { entries: [{ subject: `d-${r}`, milestone: 'm', verdict: 'kept', reason: `reason number ${r}`, evidence: ['file:big.txt'] }] }]] };
    return { calls: [['hand_back', {}]] };
  };
}

let stage: AgentStage;
let model: ServedModel;
const coordinator = new ScriptedModel((asked, n) => {
  if (n === 0) return { calls: [['plan_propose', { document: plan }]] };
  const proposal = /"proposal":"([^"]+)"/.exec(String(asked.messages.at(-1)?.content))?.[1];
  return n === 1 ? { calls: [['plan_adopt', { proposal }]] } : { calls: [['hand_back', {}]] };
});
const started = () => new Set(model.asked.map(roundOf)).size;

beforeAll(async () => {
  model = await ServedModel.open('worker', worker(), { window: WINDOW, output: 2000 });
  stage = new AgentStage({
    model: (profile) => (profile === 'worker' ? model.pinned : coordinator.pinned({ profile })),
    services: { supplierUrl: 'http://127.0.0.1:9/suppliers' },
    rules: { ...closedRules, loopback: true },
    send: () => Promise.reject(new TypeError('network connection lost')),
  });
  expect(
    await stage.give('goal.create', { mode: 'bound', contract: contract as unknown as Json, lanes: { coordinator: { kind: 'agent', profile: 'coordinator' } } }),
  ).toMatchObject({
    outcome: 'applied',
  });
  await stage.source('big.txt', Array.from({ length: 60_000 }, (_, n) => `word${n % 977}`).join(' '));
  await stage.give('goal.confirm', {});
  await stage.play(async () => stage.rows<RowData['approval']>('approval').length > 0);
  const [approval] = stage.rows<RowData['approval']>('approval');
  expect(await stage.give('approval.decide', { approval: approval?.id ?? '', decision: 'approved', callDigest: approval?.callDigest ?? '' })).toMatchObject({ outcome: 'applied' });
  expect(await stage.give('message.post', { text: directive })).toMatchObject({ outcome: 'applied' });
  await stage.play(async () => started() > ROUNDS);
}, 120_000);
afterAll(() => model.server.close());

/** Calls of the worker after what must be kept was there, compactions left out. */
const kept = () => model.asked.filter((asked) => !isCompaction(asked) && roundOf(asked) !== roundOf(model.asked[0] as Asked));

describe('a window of 8,000 tokens', () => {
  it('holds forty rounds; at least five compactions follow one another in one of them', () => {
    expect(started()).toBeGreaterThan(ROUNDS);
    const contexts = stage.rows<RowData['context']>('context');
    const most = Math.max(...[...new Set(contexts.map((row) => row.round))].map((round) => contexts.filter((row) => row.round === round).length));
    expect(most).toBeGreaterThanOrEqual(5);
    expect(new Set(contexts.map((row) => row.phase))).toEqual(new Set(['done']));
    for (const row of contexts) expect(row.after).toBeLessThanOrEqual(5840);
    expect(stage.rows<RowData['round']>('round').filter((round) => round.outcome === 'failed')).toEqual([]);
    // The server holds to the window itself, and takes nothing that a hosted model would refuse.
    expect([model.refused, model.server.faults]).toEqual([[], []]);
    expect(model.server.seen.length).toBeGreaterThan(ROUNDS * 6);
  });

  it('B67 no line of the contract is ever missing, after any number of compactions', () => {
    for (const asked of kept()) for (const { text } of nonGoals) expect(openingOf(asked)).toContain(text);
  });

  it('the approval, the effect and the newest decisions are in every context, as the record has them', () => {
    const [approval] = stage.rows<RowData['approval']>('approval');
    const [effect] = stage.rows<RowData['effect']>('effect');
    for (const asked of kept()) {
      const packet = block(asked, 'resume_packet');
      expect(packet?.approvals).toEqual([{ id: approval?.id, tool: 'supplier.update', state: 'approved' }]);
      expect(packet?.effects).toContainEqual({ id: effect?.id, tool: 'supplier.update', state: 'unknown' });
    }
    // A decision is there from the first call after it on, in that round and the next.
    for (const [at, asked] of kept().entries()) {
      const rounds = [
        ...new Set(
          kept()
            .slice(0, at + 1)
            .map(roundOf),
        ),
      ];
      const before = rounds.length - 1;
      if (before > 0 && roundOf(kept()[at - 1] as Asked) !== roundOf(asked)) expect(JSON.stringify(block(asked, 'resume_packet'))).toContain(`d-${before}`);
    }
    expect(stage.rows<RowData['ledger']>('ledger').length).toBeGreaterThanOrEqual(ROUNDS - 1);
  });

  it('what a person said is in every context in full, once, and after a compaction as said before', () => {
    for (const asked of kept()) {
      expect(whole(asked).split(directive)).toHaveLength(2);
      const compacted = block(asked, 'snapshot') !== null && openingOf(asked).includes('Your own notes from earlier in this round');
      if (compacted) expect(JSON.stringify(block(asked, 'messages'))).toContain(directive);
    }
  });

  it('notes of a compaction are data that has happened, and the conversation goes on from them', () => {
    const compacted = kept().filter((asked) => openingOf(asked).includes('Your own notes from earlier in this round'));
    expect(compacted.length).toBeGreaterThan(5);
    for (const asked of compacted) {
      expect(openingOf(asked)).toContain('All of it has happened already.');
      expect(block(asked, 'snapshot')).toMatchObject({ schema: 1, by: 'model', next: [`decide the subject of ${roundOf(asked)}`] });
    }
  });

  it('B51 a compaction call that drops three times is made again; what was granted still holds, and nobody is asked anew', () => {
    expect(dropped).toBe(3);
    expect(stage.rows<RowData['approval']>('approval')).toHaveLength(1);
    expect(stage.rows<RowData['blocker']>('blocker')).toEqual([]);
  });

  it('every call has its one result in every history', () => {
    for (const asked of kept()) {
      const calls = asked.messages.flatMap((message) => message.tool_calls?.map((call) => call.id) ?? []);
      expect(asked.messages.flatMap((message) => message.tool_call_id ?? [])).toEqual(calls);
    }
  });

  it('the supplier tool still asks and still remembers: the same call is not sent again', async () => {
    expect(stage.rows<RowData['effect']>('effect')).toHaveLength(1);
  });
});
