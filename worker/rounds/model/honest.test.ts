/**
 * An honest agent with enough budget always completes: over random graphs, reviews and lines that fail, on the real core and protocol, through the real provider package and real HTTP.
 * The clock is the stage's, so no wait takes time.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, call, type JsonValue, say, use } from '../../../testing/model-server/script.ts';
import { honest } from '../../../testing/model-server/scripts/notes-agent.ts';
import { flaky } from '../../../testing/model-server/scripts/stepwise.ts';
import { type ModelServer, startModelServer } from '../../../testing/model-server/server.ts';
import type { PlanDocumentInput } from '../../domain/plan/document.ts';
import { isRefusal } from '../../domain/refusals.ts';
import type { Json } from '../../domain/values.ts';
import { pinOpened } from '../../models/models-of.ts';
import type { PinnedModel } from '../../models/pinned-model.ts';
import { AgentStage } from './testing/agent-stage.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const agent = (profile: string) => ({ kind: 'agent' as const, profile });
const soon = { 'retry-after-ms': '1' };
const faults: Answer[] = [
  { kind: 'error', status: 429, message: 'slow down', headers: soon },
  { kind: 'error', status: 503, message: 'busy', headers: soon },
  { kind: 'error', status: 429, message: 'much slower', retryAfter: 70 },
  use(call('files_write', { path: 'x.md', text: 'half of it' }), { drop: { at: 'call' } }),
  use(call('submit', { artifacts: [], summary: 'cut' }), { finish: null }),
  say('', { drop: { at: 'start' } }),
  { kind: 'reset' },
];

interface Drawn {
  items: { after: number[]; reviewed: boolean; picky: boolean }[];
  seed: number;
  share: number;
}

/** Each item depends on some of those before it. One that is picky is sent back once. */
const drawn: fc.Arbitrary<Drawn> = fc.record({
  items: fc
    .array(fc.record({ mask: fc.nat(31), reviewed: fc.boolean(), picky: fc.boolean() }), { minLength: 1, maxLength: 5 })
    .map((list) => list.map(({ mask, ...rest }, at) => ({ ...rest, after: Array.from({ length: at }, (_, n) => n).filter((n) => (mask >> n) & 1) }))),
  seed: fc.nat(),
  share: fc.constantFrom(0, 0.1, 0.2),
});

const keyOf = (item: Drawn['items'][number], at: number) => `${item.picky ? 'picky' : 'note'}-${at}`;

function planOf(items: Drawn['items']): PlanDocumentInput {
  return {
    mode: 'bound',
    items: items.map((item, at) => {
      const key = keyOf(item, at);
      return {
        key,
        title: key,
        executor: agent('worker'),
        input: { path: `${key}.md`, text: `This is ${key}.\n` },
        outputs: [{ scope: `file:${key}.md` }],
        covers: [`has-${key}`],
        dependsOn: item.after.map((n) => ({ key: keyOf(items[n]!, n) })),
        checks: [{ key: 'says-so', kind: 'matches' as const, file: { path: `${key}.md` }, pattern: `^This is ${key}\\.` }],
        review: item.reviewed ? [{ by: 'checks' as const }, { by: 'agent' as const }] : [{ by: 'checks' as const }],
      };
    }),
  };
}

const pinned = async (profile: string): Promise<PinnedModel> => {
  const model = await pinOpened(
    {},
    { provider: { name: 'scripted', kind: 'openai-compatible', baseUrl: server.url }, profile: { name: profile, model: 'm', window: 200_000, output: 2000 } },
    fetch,
  );
  if (isRefusal(model)) throw new Error(model.detail);
  return model;
};

it('an honest agent with enough budget always completes', async () => {
  const profiles = ['coordinator', 'worker', 'reviewer'] as const;
  const models = Object.fromEntries(await Promise.all(profiles.map(async (profile) => [profile, await pinned(profile)] as const)));
  await fc.assert(
    fc.asyncProperty(drawn, async ({ items, seed, share }) => {
      const document = planOf(items);
      server.reset();
      server.play(flaky(seed, share, faults, honest(document as unknown as JsonValue)));
      const stage = new AgentStage({ model: (profile) => models[profile]! });
      const keys = items.map(keyOf);
      const contract = {
        title: 'Notes',
        objective: `Write ${keys.join(', ')}.`,
        criteria: keys.map((key) => ({ id: `has-${key}`, text: `${key} is there`, verify: 'check', checks: [`${key}-stands`] })),
        checks: keys.map((key) => ({ key: `${key}-stands`, kind: 'matches', file: { item: key, path: `${key}.md` }, pattern: 'This is' })),
      };
      const lanes = { coordinator: agent('coordinator'), reviewers: [agent('reviewer')] };
      expect(await stage.give('goal.create', { mode: 'bound', contract: contract as unknown as Json, lanes })).toMatchObject({ outcome: 'applied' });
      await stage.give('goal.confirm', {});
      await stage.toTheEnd();
      expect(server.faults).toEqual([]);
      const submissions = stage.rows<{ item: string }>('submission');
      for (const [at, item] of items.entries()) expect(submissions.filter((row) => row.item === keys[at]).length).toBe(item.picky && item.reviewed ? 2 : 1);
    }),
    { numRuns: 6, seed: 20261130 },
  );
}, 180_000);
