/**
 * Reads of the book: lists, histories, look-ups, and what the sweep needs. Every answer says the `seq` it reflects: for one Goal `seq`, over several `seqs` by Goal.
 * The book follows the Goals, normally within half a second; whoever needs what was committed just now reads the Goal's object.
 *
 * Pages are cut by keyset over columns that never change (`created_at` or `at`, then the ids), newest first, so that nothing is shown twice or left out while Goals
 * move on. A cursor is opaque; one that this code did not write is answered with `bad_cursor`.
 */
import { getTableName } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Json } from '../domain/values.ts';
import type { GoalSummary } from '../domain/views/types.ts';
import { type ItemHistoryRow, itemHistorySql } from './queries/item-history.sql.ts';
import * as schema from './schema.ts';

export type BookAnswer<T> = { outcome: 'found'; value: T } | { outcome: 'bad_cursor' } | { outcome: 'not_found' };

/** Rows per page at most; more is cut to it. */
const PAGE_LIMIT = 200;

export type { GoalSummary };

export interface GoalFilter {
  status?: string;
  needsYou?: boolean;
  after?: string;
  limit: number;
}

/** What a goal is called. Undefined: it is not in the book, or was erased. */
export async function titleOf(db: D1Database, workspace: string, goal: string): Promise<string | undefined> {
  const row = await db.prepare('SELECT title FROM goals WHERE workspace_id = ? AND goal_id = ? AND erased = 0').bind(workspace, goal).first<{ title: string }>();
  return row?.title;
}

export async function listGoals(db: D1Database, workspace: string, filter: GoalFilter): Promise<BookAnswer<{ data: GoalSummary[]; next: string | null }>> {
  const cursor = readCursor(filter.after, 2);
  if (cursor === 'bad') return { outcome: 'bad_cursor' };
  const limit = page(filter.limit);
  const { results } = await db
    .prepare(
      `SELECT * FROM "goals" WHERE "workspace_id" = ?1 AND "erased" = 0 AND (?2 IS NULL OR "status" = ?2) AND (?3 = 0 OR "needs_you" > 0)
AND (?4 IS NULL OR ("created_at", "goal_id") < (?4, ?5)) ORDER BY "created_at" DESC, "goal_id" DESC LIMIT ?6`,
    )
    .bind(workspace, filter.status ?? null, filter.needsYou ? 1 : 0, cursor?.[0] ?? null, cursor?.[1] ?? null, limit + 1)
    .all<GoalColumns>();
  const data = results.slice(0, limit).map(summaryOf);
  const last = data.at(-1);
  return { outcome: 'found', value: { data, next: results.length > limit && last ? writeCursor([last.createdAt, last.goal]) : null } };
}

interface GoalColumns {
  goal_id: string;
  title: string;
  mode: string;
  status: string;
  why: string;
  goal_version: number;
  plan_revision: number;
  needs_you: number;
  wake_at: number | null;
  created_at: number;
  updated_at: number;
  projected_seq: number;
  data: string;
}

function summaryOf(row: GoalColumns): GoalSummary {
  const data = JSON.parse(row.data) as Pick<GoalSummary, 'milestones' | 'accepted' | 'requiredItems' | 'budget'>;
  return {
    goal: row.goal_id,
    title: row.title,
    mode: row.mode,
    status: row.status,
    why: row.why,
    goalVersion: row.goal_version,
    planRevision: row.plan_revision,
    needsYou: row.needs_you,
    wakeAt: row.wake_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    seq: row.projected_seq,
    milestones: data.milestones,
    accepted: data.accepted,
    requiredItems: data.requiredItems,
    budget: data.budget,
  };
}

/** What can be listed, of one Goal or a whole workspace. */
const histories = {
  executions: schema.executions,
  goal_versions: schema.goalVersions,
  plan_proposals: schema.planProposals,
  plan_revisions: schema.planRevisions,
  work_items: schema.workItems,
  assignments: schema.assignments,
  attempts: schema.attempts,
  submissions: schema.submissions,
  reviews: schema.reviews,
  acceptances: schema.acceptances,
  rounds: schema.rounds,
  blockers: schema.blockers,
  ledger: schema.ledger,
  waits: schema.waits,
  approvals: schema.approvals,
  effects: schema.effects,
} satisfies Record<string, SQLiteTable>;
export type History = keyof typeof histories;

/** The column that `state` filters, where the table has one. */
const stateColumn: Partial<Record<History, string>> = {
  executions: 'status',
  plan_proposals: 'status',
  work_items: 'state',
  attempts: 'state',
  reviews: 'verdict',
  acceptances: 'verdict',
  rounds: 'phase',
  blockers: 'state',
  ledger: 'verdict',
  waits: 'state',
  approvals: 'state',
  effects: 'state',
};

export interface HistoryFilter {
  goal?: string;
  item?: string;
  /** Ignored where the table has no state. */
  state?: string;
  after?: string;
  limit: number;
}

export interface BookRow {
  goal: string;
  execution: string | null;
  id: string;
  item: string | null;
  attempt: string | null;
  /** Of the event that wrote it. */
  seq: number;
  at: number;
  /** As the Goal keeps it (`RowData` of its kind). */
  data: Json;
  /** Texts by the name of the `...Body` field of `data` that refers to them, without the suffix; a text that was erased is missing. */
  texts: Record<string, Json>;
}

export interface HistoryPage {
  data: BookRow[];
  next: string | null;
  /** `seq` up to which the book holds each Goal on this page; for a list of one Goal also when the page is empty. */
  seqs: Record<string, number>;
}

export async function listHistory(db: D1Database, workspace: string, kind: History, filter: HistoryFilter): Promise<BookAnswer<HistoryPage>> {
  const cursor = readCursor(filter.after, 3);
  if (cursor === 'bad') return { outcome: 'bad_cursor' };
  const limit = page(filter.limit);
  const table = getTableName(histories[kind]);
  const column = stateColumn[kind];
  const params: (string | number)[] = [];
  const bound = (value: string | number) => `?${params.push(value)}`;
  const where = [`t."workspace_id" = ${bound(workspace)}`];
  if (filter.goal !== undefined) where.push(`t."goal_id" = ${bound(filter.goal)}`);
  if (filter.item !== undefined) where.push(`t."item" = ${bound(filter.item)}`);
  if (filter.state !== undefined && column) where.push(`t."${column}" = ${bound(filter.state)}`);
  if (cursor) where.push(`(t."at", t."goal_id", t."id") < (${cursor.map(bound).join(', ')})`);
  const [rows, goal] = await db.batch<RowColumns>([
    db
      .prepare(
        `SELECT t."goal_id", t."execution_id", t."id", t."item", t."attempt", t."seq", t."at", t."data", g."projected_seq",
(SELECT json_group_object(f.key, json(b."value")) FROM json_each(t."data") f JOIN "bodies" b ON b."workspace_id" = t."workspace_id" AND b."goal_id" = t."goal_id" AND b."digest" = f.value WHERE f.key LIKE '%Body' AND f.type = 'text') AS texts
FROM "${table}" t JOIN "goals" g ON g."workspace_id" = t."workspace_id" AND g."goal_id" = t."goal_id"
WHERE ${where.join(' AND ')} ORDER BY t."at" DESC, t."goal_id" DESC, t."id" DESC LIMIT ${bound(limit + 1)}`,
      )
      .bind(...params),
    db.prepare('SELECT "goal_id", "projected_seq" FROM "goals" WHERE "workspace_id" = ?1 AND "goal_id" = ?2').bind(workspace, filter.goal ?? ''),
  ]);
  if (!rows || !goal) throw new Error('a batch of two statements gave fewer answers');
  const seqs: Record<string, number> = {};
  for (const row of goal.results) seqs[row.goal_id] = row.projected_seq;
  const shown = rows.results.slice(0, limit);
  for (const row of shown) seqs[row.goal_id] = row.projected_seq;
  const last = shown.at(-1);
  return { outcome: 'found', value: { data: shown.map(rowOf), next: rows.results.length > limit && last ? writeCursor([last.at, last.goal_id, last.id]) : null, seqs } };
}

interface RowColumns {
  goal_id: string;
  execution_id: string | null;
  id: string;
  item: string | null;
  attempt: string | null;
  seq: number;
  at: number;
  data: string;
  texts: string | null;
  projected_seq: number;
}

function rowOf(row: RowColumns): BookRow {
  const texts: Record<string, Json> = {};
  for (const [name, value] of Object.entries(JSON.parse(row.texts ?? '{}') as Record<string, Json>)) texts[name.slice(0, -'Body'.length)] = value;
  return { goal: row.goal_id, execution: row.execution_id, id: row.id, item: row.item, attempt: row.attempt, seq: row.seq, at: row.at, data: JSON.parse(row.data) as Json, texts };
}

/** How often an item ran, what it delivered, and why each delivery came back. In order of Attempts; at most 1,000 rows. */
export async function itemHistory(db: D1Database, workspace: string, goal: string, item: string): Promise<BookAnswer<{ data: ItemHistoryRow[]; seq: number }>> {
  const [history, goals] = await db.batch([
    db.prepare(`${itemHistorySql} LIMIT 1000`).bind(workspace, goal, item),
    db.prepare('SELECT "projected_seq" FROM "goals" WHERE "workspace_id" = ?1 AND "goal_id" = ?2 AND "erased" = 0').bind(workspace, goal),
  ]);
  const found = (goals as D1Result<{ projected_seq: number }>).results[0];
  if (!found) return { outcome: 'not_found' };
  return { outcome: 'found', value: { data: (history as D1Result<ItemHistoryRow>).results, seq: found.projected_seq } };
}

/** What one kind of round used for one item. Money in millionths of the main unit. `assumed`: how many of the calls are charged at what they had set aside. */
export interface UsageLine {
  item: string | null;
  lane: string | null;
  profile: string | null;
  model: string | null;
  calls: number;
  tokens: number;
  money: number;
  cacheRead: number;
  cacheWrite: number;
  assumed: number;
}

export interface GoalUsage {
  currency: string | null;
  total: Omit<UsageLine, 'item' | 'lane' | 'profile' | 'model'>;
  /** By item, lane, profile and model, the most tokens first; at most `usageLines`, and `more` says that there are others. */
  data: UsageLine[];
  more: boolean;
  seq: number;
}

const usageLines = 1000;
const usageSums =
  'count(*) AS calls, coalesce(sum("tokens"), 0) AS tokens, coalesce(sum("money"), 0) AS money, coalesce(sum("cache_read"), 0) AS cacheRead, coalesce(sum("cache_write"), 0) AS cacheWrite, coalesce(sum("assumed"), 0) AS assumed';

/** What models used for a Goal, in sum and apart. */
export async function goalUsage(db: D1Database, workspace: string, goal: string): Promise<BookAnswer<GoalUsage>> {
  const [lines, totals, goals] = await db.batch([
    db
      .prepare(
        `SELECT "item", "lane", "profile", "model", ${usageSums} FROM "usage" WHERE "workspace_id" = ?1 AND "goal_id" = ?2
GROUP BY "item", "lane", "profile", "model" ORDER BY tokens DESC, "item", "lane", "profile", "model" LIMIT ?3`,
      )
      .bind(workspace, goal, usageLines + 1),
    db.prepare(`SELECT ${usageSums} FROM "usage" WHERE "workspace_id" = ?1 AND "goal_id" = ?2`).bind(workspace, goal),
    db.prepare(`SELECT "projected_seq", "data" ->> '$.currency' AS currency FROM "goals" WHERE "workspace_id" = ?1 AND "goal_id" = ?2 AND "erased" = 0`).bind(workspace, goal),
  ]);
  const found = (goals as D1Result<{ projected_seq: number; currency: string | null }>).results[0];
  const total = (totals as D1Result<GoalUsage['total']>).results[0];
  if (!found || !total) return { outcome: 'not_found' };
  const data = (lines as D1Result<UsageLine>).results;
  return { outcome: 'found', value: { currency: found.currency, total, data: data.slice(0, usageLines), more: data.length > usageLines, seq: found.projected_seq } };
}

/**
 * Decisions that rest on a piece of evidence, in one Goal or over the workspace, newest first; at most `limit`. A reference without `#section` finds every section.
 */
export async function ledgerByEvidence(
  db: D1Database,
  workspace: string,
  evidence: string,
  filter: { goal?: string; limit: number },
): Promise<{ data: (BookRow & { evidence: string })[]; seqs: Record<string, number> }> {
  const { results } = await db
    .prepare(
      `SELECT u."evidence", t."goal_id", t."execution_id", t."id", t."item", t."attempt", t."seq", t."at", t."data", g."projected_seq", json_object('reasonBody', json(b."value")) AS texts
FROM "evidence_uses" u
JOIN "ledger" t ON t."workspace_id" = u."workspace_id" AND t."goal_id" = u."goal_id" AND t."id" = u."used"
JOIN "goals" g ON g."workspace_id" = u."workspace_id" AND g."goal_id" = u."goal_id"
LEFT JOIN "bodies" b ON b."workspace_id" = t."workspace_id" AND b."goal_id" = t."goal_id" AND b."digest" = t."reason_body"
WHERE u."workspace_id" = ?1 AND u."kind" = 'ledger' AND (u."evidence" = ?2 OR (u."evidence" >= ?2 || '#' AND u."evidence" < ?2 || '$')) AND (?3 IS NULL OR u."goal_id" = ?3)
ORDER BY t."at" DESC, t."goal_id" DESC, t."id" DESC LIMIT ?4`,
    )
    .bind(workspace, evidence, filter.goal ?? null, page(filter.limit))
    .all<RowColumns & { evidence: string }>();
  const seqs: Record<string, number> = {};
  for (const row of results) seqs[row.goal_id] = row.projected_seq;
  return { data: results.map((row) => ({ ...rowOf(row), evidence: row.evidence })), seqs };
}

/** A Goal that should have moved and did not: how long after its time the sweep pokes it, and after how long without a word while work is out. */
const OVERDUE_MS = 30_000;
const SILENT_MS = 5 * 60_000;
/** For how long a Goal is looked after that, by the book, has nothing due, and how often again. */
const QUIET_MS = 3 * 60_000;
const AGAIN_MS = 6 * 3_600_000;
/** A completed Goal may be revised into a new version for as long as it lives; past this nobody looks whether one was whose word never came. */
const COMPLETED_MS = 30 * 86_400_000;

/**
 * Goals whose projected wake is overdue at `now`, over all workspaces, the longest first; at most `limit`. Also living Goals with work out from which the book
 * heard nothing for five minutes: a lost alarm leaves no wake behind. And each Goal that went quiet, a few times, and every six hours anew: where the process died together
 * with its alarm before the book heard of the last commit (a resumed or revised Goal among them), what the book shows is what was before it. Poking one too many does no harm.
 */
export async function overdueGoals(db: D1Database, now: number, limit: number): Promise<{ workspace: string; goal: string }[]> {
  const { results } = await db
    .prepare(
      `SELECT "workspace_id" AS workspace, "goal_id" AS goal FROM "goals" WHERE "erased" = 0
AND ("wake_at" <= ?1 OR ("status" = 'active' AND "why" IN ('running', 'ready', 'queued', 'checking') AND "updated_at" <= ?2)
  OR ("status" <> 'cancelled' AND ("status" <> 'completed' OR "updated_at" > ?5) AND "updated_at" <= ?2 AND (?2 - "updated_at") % ?6 < ?4))
ORDER BY coalesce("wake_at", "updated_at"), "goal_id" LIMIT ?3`,
    )
    .bind(now - OVERDUE_MS, now - SILENT_MS, limit, QUIET_MS, now - COMPLETED_MS, AGAIN_MS)
    .all<{ workspace: string; goal: string }>();
  return results;
}

function page(limit: number): number {
  return Math.max(1, Math.min(PAGE_LIMIT, Math.floor(limit)));
}

type Cursor = [number, ...string[]];

function writeCursor(cursor: Cursor): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(cursor))));
}

function readCursor(text: string | undefined, length: number): Cursor | undefined | 'bad' {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(text), (char) => char.charCodeAt(0))));
    if (!Array.isArray(value) || value.length !== length || typeof value[0] !== 'number' || !value.slice(1).every((part) => typeof part === 'string')) return 'bad';
    return value as Cursor;
  } catch {
    return 'bad';
  }
}
