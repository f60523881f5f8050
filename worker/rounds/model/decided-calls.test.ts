/** What a new round of a model is told of what a person decided and of what its own earlier Attempts did: the real core, protocol and round, a model with a script. */
import { expect, it } from 'vitest';
import type { RowData } from '../../domain/row-data.ts';
import type { Json } from '../../domain/values.ts';
import { closedRules } from '../../outgoing/address.ts';
import type { ReadQuery } from '../../goal/rpc.ts';
import { resultRead } from '../../tools/result/read.ts';
import { fakeEnv, use, workerContext } from '../../tools/testing/fake-env.ts';
import type { Tool } from '../../tools/tool.ts';
import { stillDecided } from './decided.ts';
import { openingOf as openingText } from './opening.ts';
import { AgentStage, owner } from './testing/agent-stage.ts';
import { type Asked, type Said, ScriptedModel } from './testing/scripted-model.ts';

const contract = {
  title: 'T',
  objective: 'Order it',
  criteria: [{ id: 'c', text: 'done', verify: 'attest' }],
} as unknown as Json;
const document = { mode: 'bound', items: [{ key: 'a', title: 'A', covers: ['c'], executor: { kind: 'agent', profile: 'worker' } }] };
const order = {
  url: 'https://api.test/orders',
  method: 'POST',
  headers: { authorization: { $secret: 'erp', prefix: 'Bearer ' } },
  json: { n: { $fact: 'order/n' }, note: '<b>first</b>' },
};

interface Decided {
  tool: string;
  state: string;
  until?: string;
  args: Json;
}

const openingOf = (asked: Asked) => String(asked.messages.find((message) => message.role === 'user')?.content);
const block = (asked: Asked, name: string) => new RegExp(`<data name="${name}">\\n(.*)\\n</data>`).exec(openingOf(asked))?.[1];
const decidedIn = (asked: Asked) => JSON.parse(block(asked, 'decided_calls') ?? '[]') as Decided[];

/** A worker without any memory: it records and orders in its first round, and in each later one does what its opening says. */
class Scene {
  readonly sent: string[] = [];
  readonly decided: Decided[][] = [];
  readonly listed: string[] = [];
  readonly worker = new ScriptedModel((asked): Said => {
    const results = asked.messages.filter((message) => message.role === 'tool').map((message) => String(message.content));
    const [first] = decidedIn(asked);
    if (results.length === 0) this.decided.push(decidedIn(asked));
    if (first === undefined) {
      const entry = {
        subject: 's',
        verdict: 'v',
        reason: 'r',
        evidence: ['fact:order/n'],
      };
      return results.length === 0 ? { calls: [['ledger_record', { entries: [entry] }]] } : { calls: [['http_request', order]] };
    }
    if (results.length === 0) return { calls: [['ledger_list', {}]] };
    if (results.length === 1) {
      this.listed.push(results[0] ?? '');
      return first.state === 'approved' ? { calls: [[first.tool, first.args]] } : { calls: [['submit', { artifacts: [], summary: `left out, as it was ${first.state}` }]] };
    }
    return { calls: [['submit', { artifacts: [], summary: 'sent' }]] };
  });
  readonly stage = new AgentStage({
    model: (profile) => this.worker.pinned({ profile }),
    rules: { ...closedRules, allow: ['api.test'] },
    secrets: { erp: 'canary-7d6c5b4a3f2e' },
    send: (async (_url: string, init: RequestInit) => {
      this.sent.push(String(init.body));
      return Response.json({ id: 41 });
    }) as typeof fetch,
  });

  static async asked(): Promise<Scene> {
    const scene = new Scene();
    const { stage } = scene;
    await stage.give('goal.create', { mode: 'bound', confirmed: true, contract, lanes: { reviewers: [] } });
    const proposed = await stage.give('plan.propose', { document } as unknown as Json, owner, { planRevision: 0 });
    if (proposed.outcome !== 'applied') throw new Error(JSON.stringify(proposed));
    await stage.give('plan.adopt', { proposal: (proposed.result as { proposal: string }).proposal }, owner, { planRevision: 0 });
    const fact = { key: 'order/n', value: 7, provenance: { from: 'person', principal: 'person:ada' } };
    expect(await stage.give('fact.record', { facts: [fact] })).toMatchObject({ outcome: 'applied' });
    await stage.play(async () => scene.approvals.length > 0);
    return scene;
  }
  get approvals(): RowData['approval'][] {
    return this.stage.rows<RowData['approval']>('approval');
  }
  async decide(decision: 'approved' | 'refused'): Promise<void> {
    const [open] = this.approvals;
    expect(await this.stage.give('approval.decide', { approval: open?.id ?? '', decision, callDigest: open?.callDigest ?? '' })).toMatchObject({ outcome: 'applied' });
    await this.stage.play(async () => this.stage.rows('submission').length > 0);
  }
}

it('an approved call is in the opening of the next round as it was written, and its repeat is sent once without asking again', async () => {
  const scene = await Scene.asked();
  expect(scene.sent).toEqual([]);
  await scene.decide('approved');
  expect(scene.decided).toEqual([[], [{ tool: 'http_request', state: 'approved', until: expect.stringMatching(/^\d{4}-.*Z$/), args: expect.objectContaining(order) }]]);
  expect(scene.sent).toEqual(['{"n":7,"note":"<b>first</b>"}']);
  expect(scene.approvals.map(({ state }) => state)).toEqual(['used']);
  const opening = scene.worker.asked.map(openingOf).find((text) => text.includes('decided_calls'));
  expect(opening).toContain('make exactly this call');
  expect(JSON.stringify(scene.worker.asked)).not.toContain('canary-7d6c5b4a3f2e');
});

it('a refused call is told as refused; nobody is asked again and nothing is sent', async () => {
  const scene = await Scene.asked();
  await scene.decide('refused');
  expect(scene.decided.at(-1)).toMatchObject([{ tool: 'http_request', state: 'refused', args: order }]);
  expect(scene.decided.at(-1)?.[0]).not.toHaveProperty('until');
  expect(scene.approvals.map(({ state }) => state)).toEqual(['refused']);
  expect(scene.sent).toEqual([]);
});

it('B69 the round after reads who decided, in which Attempt and when; what it did itself is called its own', async () => {
  const scene = await Scene.asked();
  await scene.decide('approved');
  const [entry] = scene.stage.rows<RowData['ledger']>('ledger');
  expect(JSON.parse(scene.listed[0] ?? '')).toMatchObject({ value: { entries: [{ subject: 's', by: entry?.by, attempt: entry?.attempt, at: entry?.at }] } });
  expect(entry?.attempt).toBeTruthy();
  const later = scene.worker.asked.find((asked) => decidedIn(asked).length > 0);
  expect(later && JSON.parse(block(later, 'resume_packet') ?? '')).toMatchObject({ decisions: [{ subject: 's', done: 'done by you in a1' }] });
});

it('an opening that is made anew in the middle of a round leaves out approvals used since, and those alone, however many stand on record', async () => {
  const decided = Array.from({ length: 20 }, (_, n) => ({ approval: `apr_${n}`, tool: 'http.request', args: { n }, state: 'approved' as const, expiresAt: 0 }));
  const refused = { approval: 'apr_x', tool: 'http.request', args: {}, state: 'refused' as const };
  const read = async (query: ReadQuery): Promise<Json | undefined> => {
    if (query.what !== 'rows' || query.prefix === undefined) return undefined;
    return { data: [{ id: query.prefix, data: { state: query.prefix === 'apr_3' ? 'used' : 'approved' } }] };
  };
  const still = await stillDecided([...decided, refused], read);
  expect(still.map(({ approval }) => approval)).toEqual([...decided.map(({ approval }) => approval).filter((id) => id !== 'apr_3'), 'apr_x']);
});

it('an approved call that is longer than an opening has room for is never cut off: its reference gives every character of it', async () => {
  const large = { url: 'https://api.test/orders', method: 'POST', json: { rows: Array.from({ length: 900 }, (_, n) => ({ id: `25122920421210${n}00001`, note: '<é 订单>' })) } };
  const context = workerContext({
    decided: [
      { approval: 'apr_1', tool: 'http.request', args: { n: 1 }, state: 'approved', expiresAt: 0 },
      { approval: 'apr_2', tool: 'http.request', args: large, state: 'approved', expiresAt: 0 },
      { approval: 'apr_3', tool: 'http.request', args: { n: 3 }, state: 'refused' },
    ],
  });
  const opening = openingText({ context, packet: context.packet, limit: 3000 });
  const shown = JSON.parse(/<data name="decided_calls">\n(.*)\n/.exec(opening)?.[1] ?? '[]') as { args: { n?: number; cut?: string; head?: string } }[];
  expect(shown[0]?.args).toEqual({ n: 1 });
  const ref = /result_read with ref (\S+) gives all of it/.exec(shown[1]?.args.cut ?? '')?.[1] ?? '';
  let text = '';
  for (let offset: number | null = 0; offset !== null; ) {
    const answer = await use(resultRead as unknown as Tool, { ref, offset }, { ...fakeEnv({ context }), room: 3000 });
    if (!answer.ok) throw new Error(JSON.stringify(answer));
    const page = answer.value as unknown as { text: string; next: number | null };
    text += page.text;
    offset = page.next;
  }
  expect(JSON.parse(text)).toEqual(large);
  expect(openingText({ context: workerContext(), packet: context.packet, limit: 100 })).not.toContain('decided_calls');
});
