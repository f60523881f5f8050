/**
 * The CSV export on a real Worker: with each program, and once with a fault that only the compatibility check finds. All of them run at the same time
 * on one Worker. What each script does is tested beside the sample; here it is what the host makes of it: order, returns, and what the book can tell.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { csvGoal, sample } from '../samples/csv-export/sample.ts';
import type { Sample } from '../samples/sample.ts';
import { Client } from '../scripts/client.ts';
import { runSample, type SampleResult } from '../scripts/run-sample.ts';
import { defaultData } from '../scripts/samples.ts';
import type { ItemHistoryRow } from '../worker/book/queries/item-history.sql.ts';
import type { Scene } from '../worker/domain/planes/check-spec.ts';
import type { RowData } from '../worker/domain/row-data.ts';
import type { EventView, GraphView } from '../worker/domain/views/types.ts';
import { type Longhaul, startLonghaul } from './harness.ts';

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const records = Array.from({ length: 12 }, (_, n) => ({ id: `r${n}`, 标题: n === 3 ? 'before\rafter' : `记录 ${n}`, amount: '-1,234.50' }));
const large = { rows: 1000, chunkRows: 100, inFlight: 4 };

/** The sample under another name, so that several of it live on one Worker, with a smaller large run. */
const named = (name: string, more: Partial<Sample> = {}): Sample => ({
  ...sample,
  name,
  create: async (dir) => ({ ...(await sample.create(dir)), payload: csvGoal({ large }) }),
  ...more,
});
/** The server quotes everything but a lone carriage return, which its own checks do not see. */
const planted = named('csv-planted', {
  create: async () => ({
    payload: csvGoal({ large, quote: [',', '"', '\n'] }),
    files: [
      { path: 'records.json', bytes: bytesOf(records), type: 'application/json' },
      { path: 'selection.json', bytes: bytesOf({ selected: records.map((record) => record.id), columns: ['amount', '标题', 'id'] }), type: 'application/json' },
    ],
  }),
});

const programs = ['excel-zh', 'libreoffice', 'wps'] as const;
type Run = { result: SampleResult; events: EventView[]; graph: GraphView };

let worker: Longhaul;
let client: Client;
let dir: string;
const runs = {} as Record<(typeof programs)[number] | 'planted' | 'unanswered', Run>;

async function run(what: Sample, answers: Record<string, unknown>): Promise<Run> {
  const events: EventView[] = [];
  const result = await runSample(client, what, { dataDir: defaultData('csv-export'), answers, crash: async () => {}, onEvent: (event) => events.push(event) });
  return { result, events, graph: (await client.get(`/goals/${result.goal}/graph`)) as GraphView };
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'longhaul-csv-'));
  mkdirSync(dir, { recursive: true });
  worker = await startLonghaul({ dir });
  client = new Client(worker.url, 'local');
  await Promise.all([
    ...programs.map(async (program) => {
      runs[program] = await run(named(`csv-${program}`), { spreadsheet_program: { program } });
    }),
    (async () => {
      runs.planted = await run(planted, { spreadsheet_program: { program: 'excel-zh' } });
    })(),
    (async () => {
      runs.unanswered = await run(named('csv-unanswered'), {});
    })(),
  ]);
}, 400_000);
afterAll(async () => {
  await worker?.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** What started while a hard dependency had no live acceptance; derived from the events alone. */
function startedTooEarly({ events, graph }: Run): string[] {
  const accepted = new Map<string, string>();
  const early: string[] = [];
  for (const event of events) {
    const data = event.data as { verdict?: { id: string; verdict: string }; acceptance?: string };
    const item = event.item ?? '';
    if (event.type === 'acceptance.recorded' && data.verdict) {
      if (data.verdict.verdict === 'accepted') accepted.set(item, data.verdict.id);
      else accepted.delete(item);
    }
    if (event.type === 'acceptance.invalidated' && accepted.get(item) === data.acceptance) accepted.delete(item);
    if (event.type !== 'attempt.opened' && event.type !== 'attempt.started') continue;
    for (const edge of graph.edges)
      if (edge.to === item && edge.kind === 'hard' && !accepted.has(edge.from)) early.push(`${event.type} ${item} before ${edge.from} (${event.seq})`);
  }
  return early;
}

/** The book follows: asked again until it reflects the goal's last event. */
async function history(goal: string, item: string): Promise<ItemHistoryRow[]> {
  const { seq } = await client.bar(goal);
  for (;;) {
    const answer = (await client.get(`/goals/${goal}/items/${item}/history`)) as { data: ItemHistoryRow[]; seq: number };
    if (answer.seq >= seq) return answer.data;
    await client.events(goal, seq, 1);
  }
}

describe.each(programs)('for %s', (program) => {
  it('it completes with the file, the page and the documents', () => {
    const { result } = runs[program];
    expect({ exit: result.exit, why: result.why }).toEqual({ exit: 0, why: { kind: 'terminal', status: 'completed' } });
    expect(Object.keys(result.files ?? {}).sort()).toEqual(sample.outputs.map((output) => output.as).sort());
    const csv = Buffer.from(result.files?.['export.csv'] ?? '').toString('utf8');
    expect(csv.startsWith('\ufeff')).toBe(program !== 'libreoffice');
    const rows = parse(csv, { bom: true, columns: true, recordDelimiter: program === 'excel-zh' ? '\r\n' : ['\r\n', '\n'] }) as Record<string, string>[];
    expect(rows).toHaveLength(58);
    expect(Object.keys(rows[0] ?? {}).slice(0, 2)).toEqual(['id', 'title']);
    expect(JSON.parse(Buffer.from(result.files?.['large-run.json'] ?? '').toString())).toMatchObject({ rows: large.rows });
  });

  it('nothing started before the acceptance it waits for', () => {
    const { events, graph } = runs[program];
    expect(graph.nodes.map((node) => node.key).sort()).toEqual(['client', 'compatibility', 'documentation', 'integrated', 'requirements', 'server']);
    expect(graph.edges.filter((edge) => edge.kind === 'hard').length).toBeGreaterThanOrEqual(6);
    expect(new Set(events.filter((event) => event.type === 'attempt.started').map((event) => event.item))).toEqual(new Set(graph.nodes.map((node) => node.key)));
    expect(startedTooEarly(runs[program])).toEqual([]);
  });

  it('one query of the book tells that the server item ran twice, delivered twice, and why the first came back', async () => {
    const { result, events } = runs[program];
    const rows = await history(result.goal, 'server');
    expect(rows.map((row) => [row.attempt_number, row.attempt_state, row.submission_number, row.verdict, row.judged_by])).toEqual([
      [1, 'succeeded', 1, 'changes_requested', 'host'],
      [2, 'succeeded', 2, 'accepted', 'host'],
    ]);
    const [first, second] = rows;
    expect(second?.fence).toBeGreaterThan(first?.fence ?? 0);
    expect(second?.submission_digest).not.toBe(first?.submission_digest);
    // The scene is that of the item's own check: it quotes the cell, and the second delivery mended what it named.
    expect(first?.came_back).toBeTruthy();
    const scene = JSON.parse(first?.scene ?? '{}') as Scene;
    const finding = scene.findings?.[0];
    expect(finding?.where).toMatch(/^[A-Z]+\d+$/);
    expect(finding?.actual).not.toBe(finding?.expected);
    const manifest = JSON.parse(Buffer.from(result.files?.['manifest.json'] ?? '').toString()) as { rules: string[] };
    expect(scene.missing?.map((rule) => rule.replace('rule:', ''))).toEqual(expect.arrayContaining(manifest.rules));
    expect(events.filter((event) => event.type === 'submission.received' && event.item === 'server')).toHaveLength(2);
  });
});

test('another program gives another file', () => {
  const files = programs.map((program) => Buffer.from(runs[program].result.files?.['export.csv'] ?? '').toString('hex'));
  expect(new Set(files).size).toBe(3);
});

test('without an answer it waits with its form, and only what needs no answer has started', () => {
  const { result, events } = runs.unanswered;
  expect(result).toMatchObject({
    exit: 3,
    status: 'active',
    files: null,
    waitingFor: [{ key: 'spreadsheet_program', form: { properties: { program: { enum: [...programs] } } } }],
  });
  expect(events.filter((event) => event.type === 'attempt.started').map((event) => event.item)).toEqual(['requirements']);
});

describe('with a fault that only the compatibility check finds', () => {
  it('the acceptance falls with its scene, the rework mends it, and all that was made from it is made again', async () => {
    const { result } = runs.planted;
    expect({ exit: result.exit, why: result.why }).toEqual({ exit: 0, why: { kind: 'terminal', status: 'completed' } });
    expect(startedTooEarly(runs.planted)).toEqual([]);
    const record = client.sample(result.goal);
    const rows = async <K extends keyof RowData>(kind: K, item: string) => (await record.rows(kind, { item })).map((row) => row.data as unknown as RowData[K]);
    const verdicts = (await rows('acceptance', 'server')).sort((a, b) => a.at - b.at);
    expect(verdicts.map((each) => each.verdict)).toEqual(['changes_requested', 'accepted', 'accepted']);
    const fallen = verdicts[1];
    expect(fallen).toMatchObject({ live: false, by: 'host', invalidated: { by: 'skill:csv-export/compatibility', from: 'compatibility' } });
    const scene = (await record.body(fallen?.invalidated?.sceneBody ?? '')) as { missing: string[]; findings: { where: string }[] };
    expect(scene.missing).toEqual(['rule:quote:cr']);
    expect(scene.findings[0]?.where).toBe('B5');
    expect((await rows('submission', 'server')).map((each) => each.by)).toEqual(Array(3).fill('skill:csv-export/server'));
    // Three looks at each of the two files that were accepted.
    expect((await rows('subagent', 'compatibility')).map((each) => [each.name, each.state]).sort()).toEqual(
      ['encoding', 'encoding', 'quoting', 'quoting', 'size', 'size'].map((name) => [name, 'returned']),
    );

    const delivered = Buffer.from(result.files?.['export.csv'] ?? '').toString('utf8');
    expect(delivered).toContain('"before\rafter"');
    expect(delivered.startsWith('\ufeffamount,标题,id\r\n"-1,234.50",')).toBe(true);
    const digest = (await record.accepted('server')).find((artifact) => artifact.path === 'export.csv')?.digest ?? '';
    for (const document of ['release-note.md', 'acceptance-report.md']) expect(Buffer.from(result.files?.[document] ?? '').toString('utf8')).toContain(digest);
  });

  it('the book tells the third delivery, and why the second fell after it had been accepted', async () => {
    const rows = await history(runs.planted.result.goal, 'server');
    expect(rows.map((row) => [row.attempt_number, row.submission_number, row.verdict, row.verdict_live])).toEqual([
      [1, 1, 'changes_requested', 0],
      [2, 2, 'accepted', 0],
      [3, 3, 'accepted', 1],
    ]);
    expect(rows.map((row) => row.invalidated_because !== null)).toEqual([false, true, false]);
  });
});
