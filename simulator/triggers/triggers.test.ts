/** Histories of triggers: that they hold, that what is named happened in them, and that they can fail. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { playTriggers } from './history.ts';
import { triggerMistakes } from './mistakes.ts';

/** What must have happened in them, or they show little. */
const named = [
  ...['crash before', 'crash after', 'crash sent', 'alarm lost', 'deploy', 'outage', 'clock back', 'clock ahead', 'D1 away', 'swept'],
  ...['command to a goal lost', 'command to a goal answer lost', 'command to a goal late', 'word to D1 lost', 'word to D1 late', 'delivery again', 'delivery delivery_reused'],
  ...[
    'new running',
    'new owed',
    'new skipped',
    'new missed',
    'owed to running',
    'owed to missed',
    'owed to skipped',
    'running to waiting',
    'waiting to running',
    'waiting to completed',
  ],
  ...['late closed', 'late not_waiting', 'late other_generation', 'late by rule coalesce', 'late by rule replay'],
];

test('hold whatever dies, gets lost, comes twice or late', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const happened: Record<string, number> = {};
  for (let seed = 1; seed <= 40; seed++) {
    const told = await playTriggers(seed);
    expect(told.wrong, `node simulator/triggers/main.ts --runs 1 --seed ${seed}`).toBeUndefined();
    for (const [name, count] of Object.entries(told.happened)) happened[name] = (happened[name] ?? 0) + count;
  }
  expect(named.filter((name) => !happened[name])).toEqual([]);
  vi.restoreAllMocks();
}, 600_000);

test.each(triggerMistakes)(
  'find it: $name',
  async ({ name }) => {
    const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
      execFile(
        process.execPath,
        [join(import.meta.dirname, 'main.ts'), '--runs', '25', '--mistake', name],
        { env: { ...process.env, NODE_OPTIONS: '', NODE_NO_WARNINGS: '1' } },
        (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? 1) : 0, output: `${stdout}${stderr}` }),
      );
    });
    expect(output).toMatch(/^seed \d+: (?!simulator)/m);
    expect(code).toBe(1);
  },
  600_000,
);
