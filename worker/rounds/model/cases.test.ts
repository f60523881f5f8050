/** Cases of what models write: cut and broken calls, calls of one message, digits. */
import { expect, it } from 'vitest';
import { refuse } from '../../domain/refusals.ts';
import type { Json } from '../../domain/values.ts';
import { workerContext } from '../../tools/testing/fake-env.ts';
import { FakeGoal, go } from '../testing/fake-goal.ts';
import { playRound } from './testing/play-round.ts';
import { type Asked, type Said, ScriptedModel } from './testing/scripted-model.ts';

const context = () => workerContext({ executor: { kind: 'agent', profile: 'worker' }, principal: 'agent:worker', leaseMs: 90_000 });

async function play(script: ConstructorParameters<typeof ScriptedModel>[0], goal = new FakeGoal(context()), window = 128_000) {
  const model = new ScriptedModel(script);
  await playRound(goal, model.pinned({ window, output: 2000 }));
  const calls = goal.steps.filter((step) => step.next !== undefined && step.next.tool !== 'model.call').map((step) => step.next);
  const end = goal.given.findLast(([type]) => type === 'round.end')?.[1] as { outcome: string; note?: string } | undefined;
  return { model, goal, calls, end };
}
const handBack: Said = { calls: [['hand_back', {}]] };

it('B05 an end that cannot be read, and one that does not exist, end nothing and do not go on for ever', async () => {
  const { model, calls, goal, end } = await play((_, n) => (n % 2 === 0 ? { calls: [['submit', '{"artifacts":["a.txt"],"summ']] } : { calls: [['finish_goal', {}]] }));
  expect(calls).toEqual([]);
  expect(goal.given.map(([type]) => type)).toEqual(['round.pin', 'round.end']);
  expect(end).toMatchObject({ outcome: 'empty', note: expect.stringContaining('none of its calls could be run') });
  expect(model.asked.length).toBeLessThanOrEqual(6);
  expect(model.results(1)[0]).toContain('malformed_arguments');
  expect(model.results(2)[1]).toContain('unknown_tool');
});

it('B19 calls of one message run one after another: a later one may name what an earlier one made, and is refused where that moved the ground', async () => {
  const both = await play([
    {
      calls: [
        ['files_write', { path: 'tmp1.txt', text: 'x' }],
        ['submit', { artifacts: ['tmp1.txt'], summary: 'there' }],
      ],
    },
  ]);
  expect(both.calls.map((call) => call?.tool)).toEqual(['files.write', 'submit']);
  expect(both.goal.given.at(-1)).toMatchObject(['submission.submit', { artifacts: [{ path: 'tmp1.txt' }] }]);

  const goal = new FakeGoal(context());
  goal.onStep = (request) =>
    request.next?.tool === 'facts.get' ? { outcome: 'refused', refusal: refuse('goal_version_stale', { current: { goalVersion: 3 } }), notices: [] } : go(request);
  const { model } = await play(
    [
      {
        calls: [
          ['files_write', { path: 'a.txt', text: 'x' }],
          ['facts_get', { key: 'k' }],
        ],
      },
      handBack,
    ],
    goal,
  );
  const [first, second] = model.results().map((result) => JSON.parse(result) as { value?: unknown; refusal?: { code: string } });
  expect(first?.value).toMatchObject({ path: 'a.txt' });
  expect(second?.refusal).toMatchObject({ code: 'goal_version_stale' });
});

it('B75 digits that a number would lose reach the tool and the history as they were written', async () => {
  const { calls, model } = await play([{ calls: [['json_write', '{"path":"n.json","value":{"invoice_id":2512292042121000001,"amount":128000.10}}']] }, handBack]);
  expect(calls[0]?.args).toMatchObject({ value: { invoice_id: '2512292042121000001' } });
  const replayed = JSON.stringify(model.asked.at(-1)?.messages.find((message) => message.role === 'assistant'));
  expect(replayed).toContain('2512292042121000001');
  expect(replayed).not.toContain('2512292042121000000');
});

it('B101 no arguments are an empty object where none are needed, a schema error where one is, and no call where the stream broke off', async () => {
  const none = await play([{ calls: [['files_list', '']] }, handBack]);
  expect(none.calls.map((call) => call?.tool)).toEqual(['files.list', 'hand_back']);
  const broken = await play([{ dropped: ['files_list', ''] }, handBack]);
  expect(broken.calls.map((call) => call?.tool)).toEqual(['hand_back']);
  const needed = await play([{ calls: [['facts_get', '']] }, handBack]);
  expect(needed.calls.map((call) => call?.tool)).toEqual(['hand_back']);
  expect(needed.model.results()[0]).toMatch(/schema_invalid.*\/key/);
});

it('B65 children that are at work are in the context after a compaction, from the record and not from what the model noted', async () => {
  const goal = new FakeGoal(context());
  const children = ['one', 'two'].map((name) => ({ id: `child_${name}`, name, state: 'open' }));
  goal.onRead = (query) => {
    if (query.what === 'resume_packet') return { ...goal.context.packet, children } as unknown as Json;
    if (query.what === 'fact') return { key: query.key, version: 1, value: 'a long value '.repeat(400), provenance: { from: 'person', principal: 'person:ada' } };
    return undefined;
  };
  const compacting = (asked: Asked) => asked.tools.some((tool) => tool.function.name === 'context_snapshot');
  const nothingOfThem = { goal: 'Do it.', done: ['read'], next: ['start two children'], decisions: [], constraints: [] };
  const { model } = await play(
    (asked, n): Said => (compacting(asked) ? { calls: [['context_snapshot', nothingOfThem]] } : n < 14 ? { calls: [['facts_get', { key: `k${n}` }]] } : handBack),
    goal,
    8000,
  );
  const opening = (asked: Asked) => String(asked.messages.find((message) => message.role === 'user')?.content);
  const after = model.asked.filter((asked) => !compacting(asked) && opening(asked).includes('Your own notes from earlier in this round'));
  expect(after.length).toBeGreaterThan(0);
  for (const asked of after) for (const child of children) expect(opening(asked)).toContain(JSON.stringify(child));
});
