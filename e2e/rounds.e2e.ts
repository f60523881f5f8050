/**
 * How a Goal is carried, on real local Workers: each mode to its end, a new version of a completed Goal, a dispatch that nobody received,
 * and an installation without Dynamic Workers. The skills are the examples, so that nothing but the host is on trial.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../scripts/client.ts';
import type { ContractInput } from '../worker/domain/contract/contract.ts';
import type { PlanDocumentInput } from '../worker/domain/plan/document.ts';
import type { Scene } from '../worker/domain/planes/check-spec.ts';
import type { RowData } from '../worker/domain/row-data.ts';
import type { Executor, Json } from '../worker/domain/values.ts';
import type { EventView, GoalBar } from '../worker/domain/views/types.ts';
import { type Longhaul, startLonghaul } from './harness.ts';

const script = (name: string, input: object = {}): Executor => ({ kind: 'skill', skill: 'examples', script: name, input: input as Json });
type PlanItemInput = PlanDocumentInput['items'][number];
/** An item whose delivery is one text file, checked by the host. */
const note = (key: string, more: Partial<PlanItemInput> = {}): PlanItemInput => ({
  key,
  title: `The note ${key}`,
  executor: script('note.js'),
  input: { path: `${key}.md`, text: `This is ${key}.\n` },
  outputs: [{ scope: `file:${key}.md` }],
  checks: [{ key: 'says-so', kind: 'matches', file: { path: `${key}.md` }, pattern: `^This is ${key}\\.` }],
  ...more,
});
const planned = (document: PlanDocumentInput): Executor => script('plan.js', { document });
/** A contract of one criterion per item, each checked by the text of its file. */
const contractOf = (title: string, ...items: string[]): ContractInput => ({
  title,
  objective: `Write ${items.join(' and ')}.`,
  criteria: items.map((item) => ({ id: `has-${item}`, text: `${item}.md is there`, verify: 'check', checks: [`${item}-stands`] })),
  checks: items.map((item) => ({ key: `${item}-stands`, kind: 'matches', file: { item, path: `${item}.md` }, pattern: 'This is' })),
});

async function until(client: Client, goal: string, holds: (bar: GoalBar) => boolean): Promise<GoalBar> {
  for (;;) {
    const bar = await client.bar(goal);
    if (holds(bar)) return bar;
    if (bar.status !== 'active' || bar.next.why.kind === 'suspended' || bar.next.why.kind === 'no_progress') throw new Error(`it stands still: ${JSON.stringify(bar.next)}`);
    await client.events(goal, bar.seq, 5);
  }
}
const completed = (bar: GoalBar) => bar.status === 'completed';
/** A number among the parameters of an event; NaN where there is none. */
const numberIn = (event: EventView | undefined, ...path: string[]): number =>
  Number(path.reduce((value: unknown, key) => (value as Record<string, unknown> | undefined)?.[key], event?.data));
const eventsOf = async (client: Client, goal: string) => (await client.events(goal, 0, 0)).data;
const of = (events: EventView[], type: string) => events.filter((event) => event.type === type);

let worker: Longhaul;
/** Without Dynamic Workers; at first nobody listens to its queue either. */
let poor: Longhaul;
/** A goal whose first dispatch nobody hears. Its deadline passes while the other tests run. */
let toNowhere: string;
beforeAll(async () => {
  [poor, worker] = await Promise.all([startLonghaul({ installation: { noLoader: true, noConsumer: true } }), startLonghaul()]);
  const document: PlanDocumentInput = { mode: 'bound', items: [note('a', { covers: ['has-a'] })] };
  toNowhere = (
    await new Client(poor.url, 'local').create('to-nowhere', { mode: 'bound', contract: contractOf('A note', 'a'), lanes: { coordinator: planned(document) }, confirmed: true })
  ).goal;
});
afterAll(() => Promise.all([worker?.stop(), poor?.stop()]));

describe('an installation as it is shipped', () => {
  let client: Client;
  beforeAll(() => {
    client = new Client(worker.url, 'local');
  });

  test('a goal without a graph runs to its end: one round, its file recorded, its checks, its audit', async () => {
    const { goal } = await client.create('goal-only', {
      mode: 'goal_only',
      contract: {
        title: 'One answer',
        objective: 'Write the answer.',
        criteria: [{ id: 'answered', text: 'The answer is written', verify: 'check', checks: ['answer'] }],
        checks: [{ key: 'answer', kind: 'matches', file: { path: 'answer.md' }, pattern: '42' }],
      },
      lanes: { coordinator: script('answer.js', { path: 'answer.md', text: 'It is 42.\n' }) },
      confirmed: true,
    });
    const bar = await until(client, goal, completed);
    expect(bar).toMatchObject({ mode: 'goal_only', planRevision: 0, goalAudited: true, criteria: [{ id: 'answered', class: 'proven' }], budget: { rounds: { used: 1 } } });
    const deliverables = (await client.sample(goal).rows('artifact')).map((row) => row.data as unknown as RowData['artifact']).filter((row) => row.role === 'deliverable');
    expect(deliverables.map(({ artifact }) => artifact.path)).toEqual(['answer.md']);
    expect(Buffer.from(await client.bytes(goal, deliverables[0]?.artifact.digest ?? '')).toString()).toBe('It is 42.\n');
  });

  test('a graph without a goal runs to its end: the execution closes, nothing is audited', async () => {
    const document: PlanDocumentInput = { mode: 'graph_only', items: [note('first'), note('second', { dependsOn: [{ key: 'first' }] })] };
    const { goal } = await client.create('graph-only', { mode: 'graph_only', title: 'Two notes', lanes: { coordinator: planned(document) }, confirmed: true });
    const bar = await until(client, goal, completed);
    expect(bar).toMatchObject({ mode: 'graph_only', graphClosed: true, goalAudited: false, criteria: [], items: { required: 2, accepted: 2 } });
    const events = await eventsOf(client, goal);
    expect(of(events, 'execution.ended')).toMatchObject([{ by: 'host', data: { status: 'completed' } }]);
    expect(of(events, 'goal.audited')).toEqual([]);
    const at = (type: string, item: string) => events.find((event) => event.type === type && event.item === item)?.seq ?? 0;
    expect(at('attempt.opened', 'second')).toBeGreaterThan(at('acceptance.recorded', 'first'));
  });

  test('a completed goal whose contract gains a criterion goes on as the next version, and both completions stay', async () => {
    const first: PlanDocumentInput = { mode: 'bound', items: [note('a', { covers: ['has-a'] })] };
    const { goal } = await client.create('versions', { mode: 'bound', contract: contractOf('Notes', 'a'), lanes: { coordinator: planned(first) }, confirmed: true });
    const before = await until(client, goal, completed);
    const [accepted] = (await client.item(goal, 'a')).submissions;

    await client.command(goal, {
      type: 'goal.revise',
      commandId: 'more',
      reason: 'b is wanted too',
      expected: { goalVersion: 1 },
      payload: { contract: contractOf('Notes', 'a', 'b'), lanes: { coordinator: planned({ mode: 'bound', items: [...first.items, note('b', { covers: ['has-b'] })] }) } },
    });
    const revised = await client.bar(goal);
    expect(revised).toMatchObject({ status: 'active', goalVersion: 2, completions: [{ goalVersion: 1 }] });
    const after = await until(client, goal, completed);
    expect(after).toMatchObject({ goalVersion: 2, planRevision: 2, goalAudited: true, items: { accepted: 2 } });
    expect(after.completions).toEqual([before.completions[0], { goalVersion: 2, at: expect.any(Number) }]);

    // What was accepted under version 1 was not made again.
    const item = await client.item(goal, 'a');
    expect(item.attempts).toHaveLength(1);
    expect(item.submissions.map(({ id, digest }) => ({ id, digest }))).toEqual([{ id: accepted?.id, digest: accepted?.digest }]);
    const events = await eventsOf(client, goal);
    expect(of(events, 'goal.completed').map((event) => event.data)).toMatchObject([{ goalVersion: 1 }, { goalVersion: 2 }]);
    expect(of(events, 'goal.revised')).toMatchObject([{ data: { reason: 'b is wanted too', criteria: { added: ['has-b'] } } }]);
    // The audit of version 2 named what nothing covered, and a coordinator round planned it.
    expect(of(events, 'goal.audited').flatMap((event) => (event.data as { uncovered: string[] }).uncovered)).toContain('has-b');
    const rounds = (await client.sample(goal).rows('round')).map((row) => row.data as unknown as RowData['round']);
    expect(rounds.filter((round) => round.lane === 'coordinator').map((round) => [round.goalVersion, round.purpose])).toEqual([
      [1, 'plan'],
      [2, 'uncovered'],
    ]);
    const versions = (await client.sample(goal).rows('goal_version')).map((row) => row.id);
    expect(versions).toHaveLength(2);
  });
});

describe('an installation without Dynamic Workers', () => {
  test('a dispatch that went nowhere is made again under a higher fence, and the bundled skill carries it', async () => {
    const client = new Client(poor.url, 'local');
    /** Its events once `type` is among them. */
    const once = async (type: string): Promise<EventView[]> => {
      for (;;) {
        const events = await eventsOf(client, toNowhere);
        if (of(events, type).length > 0) return events;
        await client.events(toNowhere, events.at(-1)?.seq ?? 0, 20);
      }
    };
    const before = await once('round.redispatched');
    const [round] = of(before, 'round.scheduled');
    const [again] = of(before, 'round.redispatched');
    expect(again).toMatchObject({ round: round?.round, data: { why: 'not_claimed' } });
    const fence = numberIn(again, 'fence');
    expect(fence).toBeGreaterThan(numberIn(round, 'round', 'fence'));
    expect(of(before, 'round.claimed')).toEqual([]);

    // Now somebody listens. What the old queue held is lost with its process.
    await poor.restart({}, { noLoader: true });
    await until(client, toNowhere, completed);
    const [claimed] = of(await eventsOf(client, toNowhere), 'round.claimed');
    expect(claimed?.round).toBe(round?.round);
    expect(numberIn(claimed, 'fence')).toBeGreaterThanOrEqual(fence);
  });

  test('a skill that is not built in is not run: the owner is asked to carry it, and a check by it says why it could not judge', async () => {
    const client = new Client(poor.url, 'local');
    const stranger: Executor = { kind: 'skill', skill: 'stranger', script: 'work.js' };
    const document: PlanDocumentInput = {
      mode: 'graph_only',
      items: [
        note('own', { checks: [{ key: 'foreign', kind: 'script', skill: 'stranger', script: 'look.js', files: [{ path: 'own.md' }], facts: [] }] }),
        note('foreign', { executor: stranger }),
      ],
    };
    const { goal } = await client.create('stranger', { mode: 'graph_only', title: 'A stranger', lanes: { coordinator: planned(document) }, confirmed: true });
    for (;;) {
      const events = await eventsOf(client, goal);
      const [answered] = of(events, 'check.recorded');
      if (answered) {
        const { pass, sceneBody } = answered.data as { pass: boolean | null; sceneBody: string };
        expect(pass).toBeNull();
        const scene = (await client.sample(goal).body(sceneBody)) as unknown as Scene;
        expect(scene.summary).toContain('no worker loader, so only built-in skills run; stranger/look.js is not one');
        break;
      }
      await client.events(goal, events.at(-1)?.seq ?? 0, 5);
    }
    const bar = await client.bar(goal);
    expect(bar.next.who).toContainEqual({ mover: 'person:local', act: 'carry', ref: 'worker:item:foreign', missing: 'skill:stranger/work' });
    expect((await client.item(goal, 'foreign')).attempts).toEqual([]);
  });
});
