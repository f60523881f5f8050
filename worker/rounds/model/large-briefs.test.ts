/** A brief reaches its child whole, whatever its size: the real core, protocol, session and tools; a parent and children of scripts, and one child of a model. */
import { expect, it } from 'vitest';
import { BRIEF_BYTES } from '../../domain/limits.ts';
import type { RowData } from '../../domain/row-data.ts';
import type { Json } from '../../domain/values.ts';
import type { RoundContext } from '../../goal/rpc.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { AgentStage, owner } from './testing/agent-stage.ts';
import { type Said, ScriptedModel } from './testing/scripted-model.ts';

const script = { kind: 'skill', skill: 'test', script: 'fan.js' };
const document = { mode: 'bound', items: [{ key: 'a', title: 'A', covers: ['c'], executor: script }] };
/** JSON text of exactly so many bytes, with digits and wide characters in it. */
const briefOf = (bytes: number): { id: string; text: string } => {
  const frame = { id: '2512292042121000001', text: '' };
  const rest = bytes - new TextEncoder().encode(JSON.stringify(frame)).length;
  return { ...frame, text: '株'.repeat(1000) + 'x'.repeat(rest - 3000) };
};

interface Stage {
  stage: AgentStage;
  got: Map<string, unknown>;
  answers: Json[];
}

async function play(children: { name: string; brief: Json; executor?: object }[], until: (stage: AgentStage, answers: Json[]) => boolean): Promise<Stage> {
  const got = new Map<string, unknown>();
  const answers: Json[] = [];
  const sandbox: Sandbox = {
    async run({ input, call, signal }) {
      const { brief, lane } = input as unknown as RoundContext;
      if (lane !== 'worker') return { kind: 'returned', value: 'nothing to do' };
      if (brief) {
        got.set(brief.name, brief);
        return { kind: 'returned', value: { read: JSON.stringify(brief.value).length } };
      }
      // A call that ends its round never returns; the script is stopped.
      const stopped = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null)));
      const answer = await Promise.race([call('subagents', { children } as unknown as Json), stopped]);
      if (answer === null) return { kind: 'stopped' };
      answers.push(answer);
      return { kind: 'returned', value: 'seen' };
    },
  };
  const pages: string[] = [];
  const model = new ScriptedModel((asked): Said => {
    if (asked.tools.some((tool) => tool.function.name === 'context_snapshot')) return { calls: [['context_snapshot', { goal: 'read it' }]] };
    const last = asked.messages.at(-1);
    const page = last?.role === 'tool' ? (JSON.parse(String(last.content)) as { value: { text: string; next: number | null } }).value : undefined;
    if (page) pages.push(page.text);
    if (page && page.next === null) {
      got.set('model', JSON.parse(pages.join('')));
      return { calls: [['return', { result: { read: pages.length } }]] };
    }
    return { calls: [['result_read', { ref: 'brief', offset: page?.next ?? 0 }]] };
  });
  const stage = new AgentStage({ model: (profile) => model.pinned({ profile }), sandbox });
  const contract = { title: 'T', objective: 'Fan out', criteria: [{ id: 'c', text: 'done', verify: 'attest' }] } as unknown as Json;
  await stage.give('goal.create', { mode: 'bound', confirmed: true, contract, lanes: { reviewers: [] } });
  const proposed = await stage.give('plan.propose', { document } as unknown as Json, owner, { planRevision: 0 });
  if (proposed.outcome !== 'applied') throw new Error(JSON.stringify(proposed));
  await stage.give('plan.adopt', { proposal: (proposed.result as { proposal: string }).proposal }, owner, { planRevision: 0 });
  await stage.play(async () => until(stage, answers));
  return { stage, got, answers };
}
const children = (stage: AgentStage) => stage.rows<RowData['subagent']>('subagent');

it('B79 127 kB travel in the record, 129 kB and 5 MB as a file by digest; each child gets every character, a model in pages', async () => {
  const sizes = { inline: 127_000, stored: 129_000, large: 5_000_000 };
  const asked = [
    ...Object.entries(sizes).map(([name, size]) => ({ name, brief: briefOf(size) })),
    { name: 'model', brief: briefOf(sizes.stored), executor: { kind: 'agent', profile: 'worker' } },
  ];
  const { stage, got } = await play(asked, (now) => children(now).length === 4 && children(now).every((child) => child.state === 'returned'));
  for (const [name, size] of Object.entries(sizes)) {
    expect((got.get(name) as RoundContext['brief'])?.value, name).toEqual(briefOf(size));
    const row = children(stage).find((child) => child.name === name);
    expect(row?.briefFile?.size, name).toBe(name === 'inline' ? undefined : size);
    if (row?.briefFile) {
      expect(JSON.parse(new TextDecoder().decode(stage.files.stored.get(row.briefFile.digest)))).toEqual(briefOf(size));
      expect(stage.bench.store.body(row.briefBody)).toMatchObject({ bytes: size, head: expect.stringContaining('2512292042121000001') });
    }
  }
  expect(got.get('model')).toEqual(briefOf(sizes.stored));
  // Nothing that travels, and nothing that is kept beside the journal, grows with it.
  expect(Math.max(...stage.bench.sent.map((message) => JSON.stringify(message).length))).toBeLessThan(1000);
  expect(Math.max(...stage.bench.store.events(0, 10_000).map((event) => JSON.stringify(event).length))).toBeLessThan(10_000);
});

it('B79 one past the limit is refused for good, with the item, the child and both sizes; nothing was begun', async () => {
  const { stage, answers } = await play([{ name: 'huge', brief: briefOf(BRIEF_BYTES + 1) }], (_now, answers) => answers.length > 0);
  expect(answers[0]).toMatchObject({
    refusal: { code: 'limit_exceeded', current: { limit: 'brief', item: 'a', child: 'huge', bytes: BRIEF_BYTES + 1, of: BRIEF_BYTES } },
  });
  expect(children(stage)).toEqual([]);
  expect(stage.files.stored.size).toBe(0);
});

it('a child whose brief is gone from the store says so to its parent', async () => {
  const { stage, got } = await play([{ name: 'lost', brief: briefOf(200_000) }], (now) => {
    now.files.stored.clear();
    return children(now).some((child) => child.state === 'failed');
  });
  expect(got.has('lost')).toBe(false);
  const body = stage.bench.store.body(children(stage)[0]?.resultBody ?? '');
  expect(body).toEqual({ error: 'the brief of lost, 200000 bytes, is not in the store' });
});
