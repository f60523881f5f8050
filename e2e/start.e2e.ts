/** The real `npm start`: both samples live, rounds that overlap, a second start on the same state, a fresh one, and nothing left running after Ctrl-C. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from '../scripts/client.ts';
import { defaultData, loadSample, placeSample } from '../scripts/samples.ts';
import { inRoot, root } from '../scripts/repository.ts';
import { servedOn } from '../scripts/serving.ts';
import { freePort, isFree } from '../scripts/worker-process.ts';
import type { RowData } from '../worker/domain/row-data.ts';
import { runCommand } from './command.ts';

interface Started {
  lines: string[];
  /** As Ctrl-C does. Resolves with the exit code. */
  interrupt(): Promise<number | null>;
}

/** Those that a test which broke off has left running are ended with it. */
const running = new Set<() => void>();

async function start(port: number, dir: string, ...more: string[]): Promise<Started> {
  const child = spawn(process.execPath, [inRoot('scripts/entry.mjs'), 'start', '--port', String(port), '--state', dir, ...more], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const end = () => void child.kill('SIGINT');
  running.add(end);
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  void ended.then(() => running.delete(end));
  let text = '';
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (more: string) => {
        text += more;
        if (text.includes('Ctrl-C ends it')) resolve();
      });
    void ended.then((code) => reject(new Error(`npm start ended with ${code}\n${text}`)));
  });
  return {
    lines: text.split('\n'),
    interrupt: () => {
      child.kill('SIGINT');
      return ended;
    },
  };
}

interface Round {
  goal: string;
  data: RowData['round'];
}

let dir: string;
let port: number;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'longhaul-start-'));
  port = await freePort();
});
afterAll(() => {
  for (const end of running) end();
  rmSync(dir, { recursive: true, force: true });
});

test('both samples finish, their rounds overlap, a second start finds them as they were, and --fresh begins anew', async () => {
  const first = await start(port, dir);
  const client = new Client(`http://127.0.0.1:${port}`, 'local');
  const goals = first.lines.flatMap((line) => /goals\/(goal_[0-9a-z]+)/.exec(line)?.[1] ?? []);
  const [csv, invoices] = goals as [string, string];
  expect(goals).toHaveLength(2);

  /** Follows the goal's events until `holds`. */
  const until = async (goal: string, holds: (bar: Awaited<ReturnType<Client['bar']>>) => boolean) => {
    for (let bar = await client.bar(goal); !holds(bar); bar = await client.bar(goal)) await client.events(goal, bar.seq, 5);
  };
  await until(csv, (bar) => bar.blockers.length > 0);
  // The question is answered while the invoices are being decided.
  await until(invoices, (bar) => bar.milestones.some((milestone) => milestone.count > 0));
  await client.command(csv, { type: 'blocker.resolve', commandId: 'answer', payload: { blocker: 'spreadsheet_program', answer: { program: 'excel-zh' } } });
  await Promise.all([csv, invoices].map((goal) => until(goal, (bar) => bar.status === 'completed')));

  // Two more at once: their decisions take long enough to be under way together, however fast the machine is.
  const sample = await loadSample('invoices');
  const twins = await Promise.all(['twin-a', 'twin-b'].map((name) => placeSample(client, { ...sample, name }, defaultData('invoices'))));
  await Promise.all(twins.map((goal) => until(goal, (bar) => bar.milestones.some((milestone) => milestone.count > 0))));
  for (const goal of twins) await client.command(goal, { type: 'goal.cancel', commandId: 'enough' });

  /** The book follows: asked again until it reflects what the goal's object has. */
  const finished = (await client.bar(csv)).seq;
  for (const goal of [csv, ...twins]) {
    const last = (await client.bar(goal)).seq;
    for (;;) {
      const { data } = (await client.get('/goals')) as { data: { goal: string; seq: number }[] };
      if ((data.find((each) => each.goal === goal)?.seq ?? 0) >= last) break;
      await client.events(goal, last, 1);
    }
  }
  const { data: rounds } = (await client.get('/rounds?limit=200')) as { data: Round[] };
  // A round whose goal was cancelled may still be under way.
  const ran = rounds.flatMap(({ goal, data }) => (data.startedAt === undefined ? [] : [{ goal, from: data.startedAt, to: data.endedAt ?? Number.POSITIVE_INFINITY }]));
  const overlaps = ran.flatMap((a, at) =>
    ran
      .slice(at + 1)
      .filter((b) => a.from < b.to && b.from < a.to)
      .map((b) => (a.goal === b.goal ? 'one goal' : 'two goals')),
  );
  expect(overlaps).toContain('one goal');
  expect(overlaps).toContain('two goals');

  // What an operator asks first, by the command and not by its route.
  const doctor = (...args: string[]) => runCommand('doctor', [...args, '--url', `http://127.0.0.1:${port}`]);
  const [about, asData, which, unknown] = await Promise.all([doctor(csv), doctor(csv, '--json'), doctor(), doctor('goal_ffffffffffffffffffffffffff')]);
  expect(about).toMatchObject({ code: 0, out: expect.arrayContaining(['terminal: nothing more', 'dispatch: up to date', 'book: up to date']) });
  expect(JSON.parse(asData.out.join('\n'))).toMatchObject({
    readOnly: null,
    lanes: [{ lane: 'dispatch' }, { lane: 'book', behind: 0 }, { lane: 'workspace' }, { lane: 'lists' }, { lane: 'hooks' }],
  });
  expect(which).toMatchObject({ code: 2, out: expect.arrayContaining([expect.stringContaining(csv), expect.stringContaining(invoices)]) });
  expect(unknown).toMatchObject({ code: 1, errors: expect.stringContaining('not_found') });

  expect(await servedOn(dir)).toBe(port);
  expect(await first.interrupt()).toBe(0);
  expect(await isFree(port)).toBe(true);
  expect(await servedOn(dir)).toBeUndefined();
  expect(await doctor(csv)).toMatchObject({ code: 1, errors: expect.stringContaining('Nothing answers at') });

  const second = await start(port, dir);
  expect(second.lines.flatMap((line) => /goals\/(goal_[0-9a-z]+)/.exec(line)?.[1] ?? [])).toEqual([csv, invoices]);
  const { data: kept } = (await client.get('/goals')) as { data: { goal: string; status: string }[] };
  expect(kept.flatMap(({ goal, status }) => (twins.includes(goal) ? [] : [[goal, status]])).sort()).toEqual(
    [
      [csv, 'completed'],
      [invoices, 'completed'],
    ].sort(),
  );
  expect(await second.interrupt()).toBe(0);

  // The same command makes the same goal: what is new is that nothing has happened yet.
  const fresh = await start(port, dir, '--fresh');
  expect(fresh.lines.flatMap((line) => /goals\/(goal_[0-9a-z]+)/.exec(line)?.[1] ?? [])).toEqual([csv, invoices]);
  const anew = await client.bar(csv);
  expect(anew.status).toBe('active');
  expect(anew.seq).toBeLessThan(finished);
  expect(await fresh.interrupt()).toBe(0);
});
