/** The projection on a real D1: what a batch may do twice, late or after a newer one, and what lists and histories then say. Not the lane that sends batches. */
import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Row } from '../domain/context.ts';
import type { RowData } from '../domain/row-data.ts';
import type { Json } from '../domain/values.ts';
import type { BookBatch } from '../goal/ports.ts';
import { d1Book, eraseBodies, eraseGoal } from './d1-book.ts';
import type { GoalRow, ItemImage } from './goal-row.ts';
import { bodiesOf } from './images.ts';
import { statementsOf } from './project.ts';
import { goalUsage, itemHistory, ledgerByEvidence, listGoals, listHistory, overdueGoals } from './queries.ts';

const { DB, MIGRATIONS } = env as unknown as { DB: D1Database; MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };
beforeAll(() => applyD1Migrations(DB, MIGRATIONS));

function goalRow(seq: number, more: Partial<GoalRow> = {}): GoalRow {
  return {
    title: 'Audit invoices',
    mode: 'bound',
    status: 'active',
    why: 'running',
    goalVersion: 1,
    planRevision: 1,
    seq,
    execution: { id: 'exec_1', status: 'open', openedAt: 100 },
    needsYou: 0,
    milestones: [{ key: 'review', count: 3, target: 200 }],
    budget: { rounds: 1, tokens: 0, money: 0, reservedTokens: 0, reservedMoney: 0 },
    currency: null,
    reviewListOpen: 0,
    accepted: 0,
    requiredItems: 1,
    wakeAt: null,
    createdAt: 50,
    updatedAt: 1000 + seq,
    items: [item('review', 'running')],
    ...more,
  };
}

function item(key: string, state: ItemImage['state']): ItemImage {
  return { key, state, title: key, kind: 'produce', required: true, specDigest: 'd1', version: 1, attempts: 1, submissions: 0 };
}

function row<K extends keyof RowData & Row['kind']>(kind: K, id: string, seq: number, data: RowData[K], more: { item?: string; attempt?: string } = {}): Row {
  return { kind, id, seq, data: data as unknown as Json, ...more };
}

function batch(goal: string, seq: number, rows: Row[], bodies: Record<string, Json> = {}, more: Partial<GoalRow> = {}, workspace = 'w1'): BookBatch {
  return { workspace, goal, seq, rows, goalRow: goalRow(seq, more) as unknown as Json, bodies };
}

function attempt(number: number, seq: number, state: string, more: Partial<RowData['attempt']> = {}): Row {
  const id = `att_${number}`;
  return row(
    'attempt',
    id,
    seq,
    { id, item: 'review', number, assignment: 'asg_1', fence: number, state, by: 'skill:invoices/review', specDigest: 'd1', goalVersion: 1, openedAt: 100 + number, ...more },
    { item: 'review', attempt: id },
  );
}

function submission(number: number, seq: number): Row {
  const id = `sub_${number}`;
  const data = {
    id,
    item: 'review',
    number,
    digest: `digest-${number}`,
    attempt: `att_${number}`,
    by: 'skill:invoices/review',
    at: 200 + number,
    specDigest: 'd1',
    goalVersion: 1,
    planRevision: 1,
    artifacts: [],
    inputsDigest: '',
    claims: [],
    summaryBody: `summary-${number}`,
  };
  return row('submission', id, seq, data, { item: 'review', attempt: `att_${number}` });
}

function acceptance(number: number, seq: number, verdict: 'accepted' | 'changes_requested'): Row {
  const id = `acc_${number}`;
  const data = {
    id,
    item: 'review',
    submission: `sub_${number}`,
    submissionDigest: `digest-${number}`,
    verdict,
    by: 'host',
    specDigest: 'd1',
    goalVersion: 1,
    planRevision: 1,
    criteria: [],
    sceneBody: verdict === 'accepted' ? null : `scene-${number}`,
    at: 300 + number,
    live: true,
  };
  return row('acceptance', id, seq, data, { item: 'review' });
}

describe('usage', () => {
  const used = (call: string, seq: number, more: Partial<RowData['usage']>) =>
    row(
      'usage',
      call,
      seq,
      { round: 'rnd_1', tokens: 0, money: 0, late: false, at: 500, call, lane: 'worker', profile: 'agent:worker', model: 'local/m', ...more },
      more.item ? { item: more.item } : {},
    );

  test('of a goal is summed by item, lane, profile and model; a correction takes the place of what was assumed', async () => {
    await d1Book(DB).apply(
      batch(
        'spent',
        5,
        [
          used('c1', 1, { item: 'review', tokens: 100, money: 7, cacheRead: 40, cacheWrite: 5 }),
          used('c2', 2, { item: 'review', tokens: 900, money: 0, assumed: true }),
          used('c3', 3, { tokens: 30, lane: 'coordinator', profile: 'agent:coordinator' }),
        ],
        {},
        { currency: 'EUR' },
      ),
    );
    const before = await goalUsage(DB, 'w1', 'spent');
    expect(before).toMatchObject({ value: { currency: 'EUR', total: { calls: 3, tokens: 1030, assumed: 1 }, more: false, seq: 5 } });
    await d1Book(DB).apply(batch('spent', 6, [used('c2', 6, { item: 'review', tokens: 50, late: true })], {}, { currency: 'EUR' }));
    expect(await goalUsage(DB, 'w1', 'spent')).toEqual({
      outcome: 'found',
      value: {
        currency: 'EUR',
        total: { calls: 3, tokens: 180, money: 7, cacheRead: 40, cacheWrite: 5, assumed: 0 },
        data: [
          { item: 'review', lane: 'worker', profile: 'agent:worker', model: 'local/m', calls: 2, tokens: 150, money: 7, cacheRead: 40, cacheWrite: 5, assumed: 0 },
          { item: null, lane: 'coordinator', profile: 'agent:coordinator', model: 'local/m', calls: 1, tokens: 30, money: 0, cacheRead: 0, cacheWrite: 0, assumed: 0 },
        ],
        more: false,
        seq: 6,
      },
    });
    expect(await goalUsage(DB, 'w2', 'spent')).toEqual({ outcome: 'not_found' });
  });
});

async function stateOfAttempt(goal: string): Promise<{ state: string; seq: number } | null> {
  return DB.prepare('SELECT state, seq FROM attempts WHERE workspace_id = ?1 AND goal_id = ?2').bind('w1', goal).first();
}
async function projected(goal: string): Promise<number | null> {
  return DB.prepare('SELECT projected_seq FROM goals WHERE workspace_id = ?1 AND goal_id = ?2').bind('w1', goal).first('projected_seq');
}

describe('a batch', () => {
  test('B17 may be applied twice, and an older one after a newer changes nothing', async () => {
    const older = batch('twice', 5, [attempt(1, 5, 'pending')], {}, { title: 'older' });
    const newer = batch('twice', 9, [attempt(1, 9, 'running')], {}, { title: 'newer', items: [item('review', 'submitted')] });
    await d1Book(DB).apply(older);
    await d1Book(DB).apply(newer);
    await d1Book(DB).apply(newer);
    await d1Book(DB).apply(older);
    expect(await stateOfAttempt('twice')).toEqual({ state: 'running', seq: 9 });
    expect(await projected('twice')).toBe(9);
    const goals = await listGoals(DB, 'w1', { limit: 50 });
    expect(goals).toMatchObject({ value: { data: expect.arrayContaining([expect.objectContaining({ goal: 'twice', title: 'newer', seq: 9 })]) } });
    expect(await DB.prepare("SELECT state FROM work_items WHERE goal_id = 'twice'").first('state')).toBe('submitted');
  });

  test('is in whole or not at all', async () => {
    const broken = attempt(2, 6, 'running');
    (broken.data as { fence: number | null }).fence = null;
    await expect(d1Book(DB).apply(batch('whole', 6, [attempt(1, 6, 'running'), broken]))).rejects.toThrow();
    expect(await stateOfAttempt('whole')).toBeNull();
    expect(await projected('whole')).toBeNull();
  });

  test('of 2,000 rows with long texts binds three values a statement', async () => {
    const rows = Array.from({ length: 2000 }, (_, n) =>
      row(
        'ledger',
        `led_${n}`,
        1 + n,
        {
          id: `led_${n}`,
          subject: `INV-${n}`,
          milestone: 'review',
          verdict: 'approved',
          reasonBody: `reason-${n}`,
          evidence: [],
          facts: [],
          by: 'skill:invoices/review',
          at: 1000 + n,
        },
        { item: 'review' },
      ),
    );
    const bodies = Object.fromEntries(rows.map((each) => [bodiesOf(each)[0] ?? '', 'because '.repeat(100)]));
    const big = batch('bulk', 2000, rows, bodies);
    const statements = statementsOf(big);
    expect(new Set(statements.map((statement) => statement.params.length))).toEqual(new Set([3]));
    expect(Math.max(...statements.map((statement) => statement.params[2].length))).toBeLessThan(1_000_000);
    await d1Book(DB).apply(big);
    expect(await DB.prepare("SELECT count(*) AS n FROM ledger WHERE goal_id = 'bulk'").first('n')).toBe(2000);
    expect(await DB.prepare("SELECT count(*) AS n FROM bodies WHERE goal_id = 'bulk'").first('n')).toBe(2000);
  });

  test('sends item images again only where they changed, and all of them after a failure', async () => {
    const sent: string[][] = [];
    let failing = false;
    const spying = {
      prepare: (sql: string) => ({ bind: (...params: string[]) => ({ sql, params }) }),
      batch: async (statements: { sql: string; params: string[] }[]) => {
        sent.push(
          statements
            .filter((statement) => statement.sql.startsWith('INSERT INTO "work_items"'))
            .flatMap((statement) => (JSON.parse(statement.params[2] ?? '[]') as string[][]).map((cells) => cells[1] ?? '')),
        );
        if (failing) throw new Error('D1 is away');
        return [];
      },
    } as unknown as D1Database;
    const book = d1Book(spying);
    await book.apply(batch('lean', 1, [], {}, { items: [item('a', 'running'), item('b', 'locked')] }));
    await book.apply(batch('lean', 2, [], {}, { items: [item('a', 'accepted'), item('b', 'locked')] }));
    failing = true;
    await expect(book.apply(batch('lean', 3, [], {}, { items: [item('a', 'accepted'), item('b', 'ready')] }))).rejects.toThrow('D1 is away');
    failing = false;
    await book.apply(batch('lean', 4, [], {}, { items: [item('a', 'accepted'), item('b', 'ready')] }));
    expect(sent).toEqual([['a', 'b'], ['a'], ['b'], ['a', 'b']]);
  });

  test('of an erased goal writes nothing any more', async () => {
    await d1Book(DB).apply(batch('gone', 5, [submission(1, 5)], { 'summary-1': 'a name' }));
    await eraseGoal(DB, 'w1', 'gone');
    await eraseGoal(DB, 'w1', 'gone');
    await d1Book(DB).apply(batch('gone', 9, [submission(2, 9)], { 'summary-2': 'a name' }, { title: 'a name' }));
    for (const table of ['submissions', 'bodies', 'work_items', 'executions'])
      expect(await DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE goal_id = 'gone'`).first('n')).toBe(0);
    expect(await DB.prepare("SELECT title, erased FROM goals WHERE goal_id = 'gone'").first()).toEqual({ title: '', erased: 1 });
  });

  test('gives each row the execution that was open when it came to be', async () => {
    const second = { id: 'exec_2', status: 'open', openedAt: 102 };
    await d1Book(DB).apply(batch('runs', 5, [attempt(1, 5, 'running')]));
    await d1Book(DB).apply(batch('runs', 9, [attempt(1, 8, 'cancelled'), attempt(2, 9, 'running')], {}, { execution: second }));
    const { results } = await DB.prepare("SELECT id, execution_id FROM attempts WHERE goal_id = 'runs' ORDER BY id").all();
    expect(results).toEqual([
      { id: 'att_1', execution_id: 'exec_1' },
      { id: 'att_2', execution_id: 'exec_2' },
    ]);
  });
});

describe('one query', () => {
  test('tells that an item ran twice, delivered twice, and why the first came back', async () => {
    await d1Book(DB).apply(
      batch(
        'story',
        20,
        [
          attempt(1, 10, 'succeeded', { startedAt: 110, endedAt: 190 }),
          submission(1, 10),
          acceptance(1, 12, 'changes_requested'),
          attempt(2, 15, 'lost', { why: 'its lease was over' }),
          attempt(3, 18, 'succeeded'),
          submission(3, 18),
          acceptance(3, 20, 'accepted'),
        ],
        { 'summary-1': 'first delivery', 'summary-3': 'second delivery', 'scene-1': { summary: 'three ids are not on the manual list', missing: ['INV-7'] } },
      ),
    );
    const answer = await itemHistory(DB, 'w1', 'story', 'review');
    expect(answer).toMatchObject({
      outcome: 'found',
      value: {
        seq: 20,
        data: [
          {
            attempt_number: 1,
            attempt_state: 'succeeded',
            submission_number: 1,
            summary: 'first delivery',
            verdict: 'changes_requested',
            judged_by: 'host',
            came_back: 'three ids are not on the manual list',
            seq: 20,
          },
          { attempt_number: 2, attempt_state: 'lost', ended_why: 'its lease was over', submission_number: null, verdict: null, came_back: null },
          { attempt_number: 3, attempt_state: 'succeeded', submission_number: 3, summary: 'second delivery', verdict: 'accepted', came_back: null },
        ],
      },
    });
    await eraseBodies(DB, 'w1', 'story', ['scene-1']);
    expect(await itemHistory(DB, 'w1', 'story', 'review')).toMatchObject({ value: { data: [{ verdict: 'changes_requested', came_back: null }, {}, {}] } });
    expect(await itemHistory(DB, 'w2', 'story', 'review')).toEqual({ outcome: 'not_found' });
  });
});

describe('lists', () => {
  test('goals come newest first, in pages, by status and by what needs a person, of one workspace only', async () => {
    for (let n = 1; n <= 5; n++)
      await d1Book(DB).apply(batch(`g${n}`, n, [], {}, { createdAt: Math.min(n, 4), needsYou: n === 2 ? 1 : 0, status: n === 3 ? 'completed' : 'active' }, 'lists'));
    await d1Book(DB).apply(batch('foreign', 1, [], {}, {}, 'other'));
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const answer = await listGoals(DB, 'lists', { limit: 2, after });
      if (answer.outcome !== 'found') throw new Error(answer.outcome);
      seen.push(...answer.value.data.map((each) => each.goal));
      after = answer.value.next ?? undefined;
    } while (after);
    expect(seen).toEqual(['g5', 'g4', 'g3', 'g2', 'g1']);
    expect(await listGoals(DB, 'lists', { limit: 10, needsYou: true })).toMatchObject({ value: { data: [{ goal: 'g2', seq: 2, needsYou: 1 }], next: null } });
    expect(await listGoals(DB, 'lists', { limit: 10, status: 'completed' })).toMatchObject({ value: { data: [{ goal: 'g3' }] } });
    expect(await listGoals(DB, 'lists', { limit: 10, after: 'nonsense' })).toEqual({ outcome: 'bad_cursor' });
  });

  test('a history shows whole rows with their texts and the seq they reflect, of a goal and of a workspace', async () => {
    const rows = [attempt(1, 5, 'succeeded'), submission(1, 5), attempt(2, 7, 'running')];
    await d1Book(DB).apply(batch('h1', 7, rows, { 'summary-1': 'delivered' }, {}, 'history'));
    await d1Book(DB).apply(batch('h2', 3, [attempt(1, 3, 'running')], {}, {}, 'history'));
    const first = await listHistory(DB, 'history', 'attempts', { limit: 2 });
    if (first.outcome !== 'found') throw new Error(first.outcome);
    expect(first.value).toMatchObject({
      data: [
        { goal: 'h1', id: 'att_2' },
        { goal: 'h2', id: 'att_1' },
      ],
      seqs: { h1: 7, h2: 3 },
    });
    expect(await listHistory(DB, 'history', 'attempts', { limit: 2, after: first.value.next ?? undefined })).toMatchObject({
      value: { data: [{ goal: 'h1', id: 'att_1' }], next: null },
    });
    const delivered = await listHistory(DB, 'history', 'submissions', { goal: 'h1', item: 'review', limit: 10 });
    expect(delivered).toMatchObject({
      value: {
        data: [{ id: 'sub_1', item: 'review', attempt: 'att_1', execution: 'exec_1', data: { summaryBody: 'summary-1', artifacts: [] }, texts: { summary: 'delivered' } }],
        seqs: { h1: 7 },
      },
    });
    expect(await listHistory(DB, 'history', 'attempts', { goal: 'h1', state: 'running', limit: 10 })).toMatchObject({ value: { data: [{ id: 'att_2' }] } });
    expect(await listHistory(DB, 'history', 'blockers', { goal: 'h1', limit: 10 })).toEqual({ outcome: 'found', value: { data: [], next: null, seqs: { h1: 7 } } });
  });

  test('decisions are found by the evidence they rest on, with and without a section', async () => {
    const decision = (n: number, evidence: string): Row[] => [
      row('ledger', `led_${n}`, n, { id: `led_${n}`, subject: `INV-${n}`, verdict: 'approved', reasonBody: `why-${n}`, evidence: [evidence], facts: [], by: 'host', at: n }),
      row('evidence_use', `${evidence}|led_${n}`, n, { evidence, used: `led_${n}`, kind: 'ledger' }),
    ];
    await d1Book(DB).apply(
      batch('proof', 9, [...decision(1, 'file:c/a.md#4.2'), ...decision(2, 'file:c/a.md'), ...decision(3, 'file:c/a.md.bak')], { 'why-1': 'within tolerance' }, {}, 'proofs'),
    );
    expect((await ledgerByEvidence(DB, 'proofs', 'file:c/a.md', { limit: 10 })).data.map((each) => each.id)).toEqual(['led_2', 'led_1']);
    expect(await ledgerByEvidence(DB, 'proofs', 'file:c/a.md#4.2', { limit: 10 })).toMatchObject({
      data: [{ id: 'led_1', texts: { reason: 'within tolerance' } }],
      seqs: { proof: 9 },
    });
    expect((await ledgerByEvidence(DB, 'w1', 'file:c/a.md', { limit: 10 })).data).toEqual([]);
  });

  test('the sweep finds goals whose wake is overdue, silent ones with work out and those that went quiet, now and then, and no others', async () => {
    const now = 10_000_000_000_000;
    const put = (goal: string, more: Partial<GoalRow>) => d1Book(DB).apply(batch(goal, 1, [], {}, { updatedAt: now, ...more }, 'sweep'));
    await put('overdue', { wakeAt: now - 60_000 });
    await put('soon', { wakeAt: now + 1000 });
    await put('silent', { updatedAt: now - 600_000, why: 'running' });
    await put('waiting', { updatedAt: now - 600_000, why: 'waiting' });
    await put('quiet', { updatedAt: now - 400_000, why: 'waiting' });
    // A goal that came to life again just before its process died: what the book has is from before.
    await put('over', { updatedAt: now - 400_000, why: 'terminal', status: 'completed' });
    await put('resumed', { updatedAt: now - 4 * 6 * 3_600_000 - 400_000, why: 'paused', status: 'paused' });
    await put('between', { updatedAt: now - 3_600_000, why: 'terminal', status: 'completed' });
    await put('old', { updatedAt: now - 31 * 86_400_000 - 400_000, why: 'terminal', status: 'completed' });
    await put('cancelled', { updatedAt: now - 400_000, why: 'terminal', status: 'cancelled' });
    await put('erased', { wakeAt: now - 60_000 });
    await eraseGoal(DB, 'sweep', 'erased');
    const found = (await overdueGoals(DB, now, 1000)).filter((each) => each.workspace === 'sweep');
    expect(found.map((each) => each.goal).sort()).toEqual(['over', 'overdue', 'quiet', 'resumed', 'silent']);
  });
});
