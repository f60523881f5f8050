/** A snapshot is taken up where it still holds, and by nobody else; a compaction that was broken off is finished or undone. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { RowData } from '../../domain/row-data.ts';
import type { Json } from '../../domain/values.ts';
import type { ReadQuery, RoundContext } from '../../goal/rpc.ts';
import { workerContext } from '../../tools/testing/fake-env.ts';
import { basisOf, digestOfSnapshot } from './snapshot.ts';
import { snapshotBefore } from './taking-up.ts';
import { AgentStage } from './testing/agent-stage.ts';
import { type Said, ScriptedModel } from './testing/scripted-model.ts';

describe('taking up', () => {
  const body: Json = { schema: 1, by: 'model', goal: 'G', deliverable: '', done: ['a'], next: ['b'], constraints: [], decisions: [], questions: [], files: [], events: [] };
  let context: RoundContext;
  let row: { [field: string]: Json };
  let round: { [field: string]: Json };
  let stored: Json | undefined;

  beforeEach(() => {
    context = workerContext();
    context = { ...context, fence: 3, packet: { ...context.packet, before: { round: 'r0', outcome: 'handed_back', at: 1 } } };
    row = { round: 'r0', n: 1, phase: 'done', fence: 2, target: 'item:a', lane: 'worker', schema: 1, basis: basisOf(context), snapshotBody: digestOfSnapshot(body) };
    round = { id: 'r0', fence: 2, target: 'item:a' };
    stored = body;
  });
  const read = async (query: ReadQuery): Promise<Json | undefined> => {
    if (query.what === 'body') return query.digest === row.snapshotBody ? stored : undefined;
    if (query.what !== 'rows') return undefined;
    return { data: query.kind === 'context' ? [{ id: 'r0/000001', data: row }] : [{ id: 'r0', data: round }], next: null };
  };

  it('by the round after, on the same target', async () => {
    expect(await snapshotBefore(context, read)).toMatchObject({ by: 'model', next: ['b'] });
  });

  it.each([
    [
      'it was never done',
      () => {
        row.phase = 'undone';
      },
    ],
    [
      'another schema wrote it',
      () => {
        row.schema = 2;
      },
    ],
    [
      'the goal has another version',
      () => {
        context = { ...context, goalVersion: 2 };
      },
    ],
    [
      'the item has another spec',
      () => {
        context = { ...context, ...(context.item ? { item: { ...context.item, specDigest: '1'.repeat(64) } } : {}) };
      },
    ],
    [
      'the round ran on under a higher fence',
      () => {
        round.fence = 4;
      },
    ],
    [
      'it is of another target',
      () => {
        round.target = 'item:b';
      },
    ],
    [
      'its bytes are not those of its digest',
      () => {
        stored = { ...(body as object), next: ['something else'] } as Json;
      },
    ],
    [
      'its body was erased',
      () => {
        stored = undefined;
      },
    ],
    [
      'no round came before',
      () => {
        context = { ...context, packet: { ...context.packet, before: null } };
      },
    ],
  ])('not where %s', async (_why, change) => {
    change();
    expect(await snapshotBefore(context, read)).toBeNull();
  });
});

const contract = { title: 'T', objective: 'Do it', criteria: [{ id: 'c', text: 'done', verify: 'attest' }], milestones: [{ key: 'm', title: 'M', target: 100 }] };
const plan = { mode: 'bound', items: [{ key: 'a', title: 'A', covers: ['c'], executor: { kind: 'agent', profile: 'worker' }, limits: { stepsPerRound: 10 } }] };

/** A goal whose item `a` a worker carries by this script; its coordinator plans. */
async function stageOf(worker: ScriptedModel, profiles: Record<string, ScriptedModel> = {}): Promise<AgentStage> {
  const coordinator = new ScriptedModel((asked, n): Said => {
    if (n === 0) return { calls: [['plan_propose', { document: plan }]] };
    if (n > 1) return { calls: [['hand_back', {}]] };
    return { calls: [['plan_adopt', { proposal: /"proposal":"([^"]+)"/.exec(String(asked.messages.at(-1)?.content))?.[1] }]] };
  });
  const stage = new AgentStage({ model: (profile) => (profiles[profile] ?? (profile === 'coordinator' ? coordinator : worker)).pinned({ profile }) });
  await stage.give('goal.create', { mode: 'bound', contract: contract as unknown as Json, lanes: { coordinator: { kind: 'agent', profile: 'coordinator' } } });
  await stage.source('a.txt', 'some text');
  await stage.give('goal.confirm', {});
  return stage;
}
const openingOf = (model: ScriptedModel, at: number) => String(model.asked.at(at)?.messages.find((message) => message.role === 'user')?.content);

it('a round that its steps end leaves a snapshot, and the next one goes on from it', async () => {
  let n = 0;
  const worker = new ScriptedModel((): Said => {
    n++;
    return {
      text: `Looking, time ${n}.`,
      calls: [
        [
          n === 1 ? 'ledger_record' : 'files_read',
          n === 1 ? { entries: [{ subject: 's', milestone: 'm', verdict: 'v', reason: 'r', evidence: ['file:a.txt'] }] } : { path: 'a.txt', about: `look ${n}` },
        ],
      ],
    };
  });
  const stage = await stageOf(worker);
  await stage.play(async () => worker.asked.length > 12);
  expect(stage.rows<RowData['context']>('context')[0]).toMatchObject({ phase: 'done', target: 'item:a' });
  const next = worker.asked.findIndex((asked) => JSON.stringify(asked.messages).includes('Notes of the round before'));
  expect(next).toBeGreaterThan(8);
  expect(openingOf(worker, next)).toContain('You said last: Looking, time');
});

it('killed after `written` the snapshot is kept, killed after `begun` the compaction never was', async () => {
  const worker = new ScriptedModel(() => ({ calls: [['hand_back', {}]] }));
  const stage = await stageOf(worker);
  await stage.play(async () => stage.bench.sent.some((message) => message.kind === 'round' && stage.bench.store.row('round', message.round)?.item === 'a'));
  for (const [phase, ends] of [
    ['begun', 'undone'],
    ['written', 'done'],
  ] as const) {
    const open = stage.rows<RowData['round']>('round').find((round) => round.item === 'a' && round.phase === 'scheduled');
    if (!open) throw new Error('no round is scheduled');
    const at = { v: 1 as const, workspace: 'acme', goal: 'goal_1', round: open.id, fence: open.fence, runner: 'x' };
    expect(await stage.bench.protocol.claim({ ...at, again: false })).toMatchObject({ outcome: 'granted' });
    const actor = { kind: 'round' as const, round: open.id, fence: open.fence, runner: 'x' };
    expect(await stage.give('context.record', { phase: 'written', n: 1, schema: 1, basis: '0'.repeat(64), snapshot: {} }, actor)).toMatchObject({
      refusal: { code: 'invalid_transition' },
    });
    expect(await stage.give('context.record', { phase: 'begun', n: 1, tokens: 9 }, actor)).toMatchObject({ outcome: 'applied' });
    if (phase === 'written') await stage.give('context.record', { phase: 'written', n: 1, schema: 1, basis: '0'.repeat(64), snapshot: { goal: 'g' } }, actor);
    await stage.bench.protocol.claim({ ...at, again: true });
    const row = stage.rows<RowData['context']>('context').find((each) => each.round === open.id);
    expect(row).toMatchObject({ phase: ends });
    await stage.bench.pass(1000);
  }
});

it('children of a model are fanned out, work on their brief alone, and their parent gets each result once', async () => {
  const briefs: string[] = [];
  const worker = new ScriptedModel((asked): Said => {
    const opening = String(asked.messages.find((message) => message.role === 'user')?.content);
    if (opening.startsWith('# Subagent round')) {
      const brief = JSON.parse(/<data name="brief">\n(.*)\n<\/data>/.exec(opening)?.[1] ?? 'null') as { name: string; value: { part: number } };
      briefs.push(brief.name);
      expect(opening).not.toContain('data name="item"');
      expect(asked.tools.map((tool) => tool.function.name)).not.toContain('subagents');
      return { calls: [['return', { ok: true, result: { doubled: brief.value.part * 2 } }]] };
    }
    const children = [1, 2, 3].map((part) => ({ name: `part-${part}`, brief: { part } }));
    const answer = asked.messages.filter((message) => message.role === 'tool').map((message) => String(message.content));
    if (answer.length === 0) return { calls: [['subagents', { children }]] };
    return { calls: [['block', { key: 'told', reason: answer[0]?.slice(0, 1500) ?? '', form: { type: 'object' } }]] };
  });
  const stage = await stageOf(worker);
  await stage.play(async () => stage.rows<RowData['blocker']>('blocker').length > 0);
  expect(briefs.sort()).toEqual(['part-1', 'part-2', 'part-3']);
  const reason = stage.rows<RowData['blocker']>('blocker')[0]?.reason ?? '';
  for (const part of [1, 2, 3]) expect(reason).toContain(`"part-${part}":{"state":"returned","ok":true,"result":{"doubled":${part * 2}}}`);
  const rounds = stage.rows<RowData['round']>('round').filter((round) => round.subagent !== undefined);
  expect(rounds).toHaveLength(3);
});

it('a child whose brief is too long for its window reads it in parts', async () => {
  const text = Array.from({ length: 9000 }, (_, n) => `line ${n}`).join('\n');
  const parts: string[] = [];
  const worker = new ScriptedModel((asked): Said => {
    const opening = String(asked.messages.find((message) => message.role === 'user')?.content);
    if (!opening.startsWith('# Subagent round')) return { calls: [['subagents', { children: [{ name: 'one', brief: { text } }] }]] };
    const last = asked.messages.at(-1);
    if (last?.role !== 'tool') return { calls: [['result_read', { ref: 'brief' }]] };
    const { value } = JSON.parse(String(last.content)) as { value: { text: string; next: number | null } };
    parts.push(value.text);
    if (value.next !== null)
      return {
        calls: [
          ['result_read', { ref: 'brief', offset: value.next }],
          ['files_list', {}],
        ].slice(0, 1) as [string, unknown][],
      };
    return { calls: [['return', { result: { read: parts.join('').length } }]] };
  });
  const stage = await stageOf(worker);
  await stage.play(async () => stage.rows<RowData['subagent']>('subagent').some((child) => child.state !== 'open'));
  expect(JSON.parse(parts.join(''))).toEqual({ text });
});
