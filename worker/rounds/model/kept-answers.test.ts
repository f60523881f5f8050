/** What a conversation gave up to stay in its window can be read again, whole: the real core, protocol and round, a model with a script. */
import { expect, it } from 'vitest';
import type { RowData } from '../../domain/row-data.ts';
import type { Json } from '../../domain/values.ts';
import { AgentStage, owner } from './testing/agent-stage.ts';
import { type Asked, type Said, ScriptedModel } from './testing/scripted-model.ts';

const document = {
  mode: 'bound',
  items: ['a', 'b'].map((key) => ({
    key,
    title: key,
    covers: ['c'],
    executor: { kind: 'agent', profile: 'worker' },
    ...(key === 'b' ? { dependsOn: [{ key: 'a', kind: 'hard' }] } : {}),
  })),
};
const ids = Array.from({ length: 120 }, (_, n) => `25122920421210${String(n).padStart(3, '0')}001`);
const table = `[${ids.map((id) => `{"invoice_id":${id},"amount":128000.10}`).join(',')}]`;

const openingOf = (asked: Asked) => String(asked.messages.find((message) => message.role === 'user')?.content);
const answers = (asked: Asked) => asked.messages.filter((message) => message.role === 'tool').map((message) => String(message.content));

/** Reads a table that is cut, then so much else that the answer is dropped, then the answer by its reference, page by page. */
class Scene {
  cut = '';
  reference = '';
  readonly pages: { size: number; text: string; next: number | null }[] = [];
  /** What the next round of the same item, and the round of another, get for the same reference. */
  readonly later: string[] = [];
  reads = 0;
  readonly worker = new ScriptedModel((asked): Said => {
    if (asked.tools.some((tool) => tool.function.name === 'context_snapshot')) return { calls: [['context_snapshot', { goal: 'read' }]] };
    const results = answers(asked);
    if (openingOf(asked).includes('work item `b`') || this.pages.at(-1)?.next === null) return this.#again(results);
    if (results.length === 0) return { calls: [['json_read', { path: 'table.json' }]] };
    if (results.length === 1) this.cut = results[0] ?? '';
    const last = JSON.parse(results.at(-1) ?? '') as { value?: { ref?: string; size: number; text: string; next: number | null } };
    if (last.value?.ref !== undefined) {
      this.pages.push(last.value);
      return last.value.next === null ? { calls: [['hand_back', { note: 'read' }]] } : this.#read(last.value.next);
    }
    const dropped = results.find((text) => text.includes('"dropped"'));
    if (dropped === undefined) return { calls: [['files_read', { path: 'big.txt', offset: 3000 * this.reads++, length: 2000, about: `part ${this.reads}` }]] };
    this.reference = dropped;
    return this.#read(0);
  });
  readonly stage = new AgentStage({ model: (profile) => this.worker.pinned({ profile, window: 10_000, output: 2000 }) });

  #read(offset: number): Said {
    return { calls: [['result_read', { ref: `call:${(JSON.parse(this.reference) as { call: string }).call}`, offset }]] };
  }
  #again(results: string[]): Said {
    if (results.length === 0) return this.#read(0);
    this.later.push(results[0] ?? '');
    return { calls: [['submit', { artifacts: [], summary: 'read' }]] };
  }

  async play(): Promise<void> {
    const { stage } = this;
    const contract = { title: 'T', objective: 'Read it', criteria: [{ id: 'c', text: 'done', verify: 'attest' }] } as unknown as Json;
    await stage.give('goal.create', { mode: 'bound', confirmed: true, contract, lanes: { reviewers: [] } });
    await stage.source('table.json', table);
    await stage.source('big.txt', 'word '.repeat(40_000));
    const proposed = await stage.give('plan.propose', { document } as unknown as Json, owner, { planRevision: 0 });
    if (proposed.outcome !== 'applied') throw new Error(JSON.stringify(proposed));
    await stage.give('plan.adopt', { proposal: (proposed.result as { proposal: string }).proposal }, owner, { planRevision: 0 });
    await stage.play(async () => this.later.length > 1);
  }
}

it('B75 an answer that was cut, and then dropped, is read whole by its reference, digit for digit; the next round of the item can too, another item cannot', async () => {
  const scene = new Scene();
  await scene.play();
  expect(scene.cut).toContain('"cut"');
  expect(scene.cut).toContain('result_read with ref call:');
  expect(scene.reference).toMatch(/"dropped":"\d+ characters of an earlier answer; result_read with ref call:rnd_\w+\/\d+ gives all of it"/);
  expect(scene.pages.length).toBeGreaterThan(1);
  const whole = JSON.parse(scene.pages.map((page) => page.text).join('')) as { value: { invoice_id: string; amount: number }[]; asText: number };
  expect(whole.value.map((row) => row.invoice_id)).toEqual(ids);
  expect(whole.asText).toBe(ids.length);
  expect(scene.later).toEqual([expect.stringContaining('"text":"{'), expect.stringContaining('"code":"not_found"')]);
  // What the reference stands for is on record: a file by digest, named by the row of its call.
  const calls = scene.stage.rows<RowData['call']>('call');
  const kept = calls.find((call) => call.tool === 'json.read')?.kept;
  expect(scene.stage.files.stored.get(kept?.digest ?? '')?.length).toBe(kept?.size);
  expect(calls.filter((call) => call.tool === 'result.read' && call.kept)).toEqual([]);
});
