/** What a sample run does where the Worker goes away in the middle of it. Whole runs: `e2e/`. */
import { expect, test } from 'vitest';
import type { Sample } from '../samples/sample.ts';
import { type Client, Unreachable } from './client.ts';
import { runSample } from './run-sample.ts';

const sample = { name: 's', title: 'S', outputs: [{ as: 'out.txt', item: 'i', path: 'p' }], create: async () => ({ payload: {}, files: [] }) } as unknown as Sample;
const bar = {
  status: 'completed',
  seq: 1,
  next: { why: { kind: 'terminal', status: 'completed' }, who: [] },
  blockers: [],
  waits: [],
  milestones: [],
  items: { accepted: 1 },
  budget: { rounds: { used: 1 } },
};

test('results are asked for again where the connection breaks off in the middle of them', async () => {
  let tries = 0;
  const client = {
    create: async () => ({ goal: 'g' }),
    bar: async () => bar,
    events: async (_goal: string, after: number) => ({ data: after === 0 ? [{ seq: 1, at: 1, type: 'goal.completed', by: 'host', data: null }] : [] }),
    sample: () => ({
      goal: 'g',
      accepted: async () => [{ path: 'p', digest: 'd' }],
      bytes: async () => {
        if (++tries < 3) throw new Unreachable('other side closed');
        return new Uint8Array([1]);
      },
    }),
  } as unknown as Client;
  const result = await runSample(client, sample, { dataDir: '', answers: {}, crash: async () => {}, onEvent: () => {} });
  expect(result).toMatchObject({ exit: 0, files: { 'out.txt': new Uint8Array([1]) } });
  expect(tries).toBe(3);
});

test('a model that somebody has to set right ends the run and says so; one that is being tested does not', async () => {
  const held = (person: boolean) => ({
    ...bar,
    seq: 0,
    status: 'active',
    next: {
      why: { kind: 'queued', by: 'connection', connection: { setting: 'environment', code: person ? 'key' : 'testing', detail: 'Incorrect API key', person }, rounds: [] },
      who: [],
    },
  });
  let looked = 0;
  const client = {
    create: async () => ({ goal: 'g' }),
    bar: async () => held(++looked > 2),
    events: async () => ({ data: [] }),
  } as unknown as Client;
  const result = await runSample(client, sample, { dataDir: '', answers: {}, crash: async () => {}, onEvent: () => {} });
  expect(result).toMatchObject({ exit: 1, sentence: 'The goal waits for a connection: environment does not work (key): Incorrect API key' });
  expect(looked).toBeGreaterThan(2);
});
