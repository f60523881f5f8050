/** What a Goal tells its workspace's outbox, under lost answers and crashes. */
import { beforeEach, expect, test } from 'vitest';
import type { Notice } from '../../domain/notices/notices.ts';
import { scopes } from '../../domain/context.ts';
import { domainCore } from '../domain-core.ts';
import { Bench } from '../testing/bench-top.ts';

const ada = { kind: 'person' as const, principal: 'person:ada', scopes };
let told: Notice[];
let fault: 'before' | 'after' | null;
let bench: Bench;

const give = (type: Parameters<Bench['command']>[0], payload: Parameters<Bench['command']>[1], id: string) => bench.command(type, payload, id, { actor: ada });
const keys = () => told.map(({ key }) => key);

beforeEach(async () => {
  told = [];
  fault = null;
  bench = new Bench(domainCore, {
    hooks: {
      tell: async ({ notices }) => {
        if (fault === 'before') throw new Error('lost');
        told.push(...notices);
        if (fault === 'after') throw new Error('lost');
      },
    },
  });
  const made = await give(
    'goal.create',
    {
      mode: 'goal_only',
      confirmed: true,
      contract: { title: 'T', objective: 'Do it', criteria: [{ id: 'c1', text: 'done', verify: 'attest' }] },
      lanes: { coordinator: { kind: 'person', principal: 'person:ada' } },
    },
    'create',
  );
  expect(made.outcome).toBe('applied');
  await bench.pass(1000);
  told = [];
});

test('tells what waits for a person once, however often the goal commits meanwhile', async () => {
  await give('goal.block', { key: 'account', reason: 'Which account?', form: { type: 'string' } }, 'raise');
  await bench.pass(2000);
  await give('message.post', { text: 'a word' }, 'word');
  await bench.pass(2000);
  expect(told.filter(({ type }) => type === 'blocker.raised')).toHaveLength(1);
});

test.each(['before', 'after'] as const)('an answer lost %s it had its effect: the same is told again until it is taken', async (lost) => {
  fault = lost;
  await give('goal.cancel', {}, 'cancel');
  await bench.pass(1500);
  fault = null;
  await bench.pass(60_000);
  expect(told.at(-1)).toMatchObject({ type: 'goal.cancelled' });
  expect(new Set(keys()).size).toBe(1);
  const before = told.length;
  await bench.pass(120_000);
  expect(told).toHaveLength(before);
});

test('a process that ends before it told anybody: the next one tells', async () => {
  fault = 'before';
  await give('goal.cancel', {}, 'cancel');
  await bench.pass(1);
  bench.restart();
  fault = null;
  await bench.pass(60_000);
  expect(told.map(({ type }) => type)).toContain('goal.cancelled');
});
