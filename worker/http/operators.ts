/** For whoever runs the installation: the book made anew and compared, what could not be handed over, counters. */
import { compareBook } from '../book/compare.ts';
import { listDeadLetters } from '../book/dead-letters.ts';
import type { GoalRow } from '../book/goal-row.ts';
import { type BookCounts, bookCounts } from '../book/operator.ts';
import { type Refusal, refuse } from '../domain/refusals.ts';
import type { Json } from '../domain/values.ts';
import { indexPrefix } from '../goal/file-key.ts';
import { goalStub } from '../goal/goal-stub.ts';
import type { ReadValues } from '../goal/rpc.ts';
import { errorOf, log } from '../observe/log.ts';
import { totals } from '../observe/metrics.ts';
import { setQuotas } from '../workspace/client.ts';
import { quotaOverride } from '../workspace/core/quotas.ts';
import { readJsonObject } from './body.ts';
import { readGoal } from './goals.ts';
import { addressOf } from './identity.ts';
import { schemaRefusal } from './problem.ts';
import { deadLetterList, nothing, parameters, rebuildList } from './parameters.ts';
import { answer, type Call, type CallerCall } from './route.ts';

/** Rows of the record read at once. */
const rowsAtOnce = 1000;
/** Goals rebuilt in one request, and at once. */
const goalsPerRequest = 30;
const goalsAtOnce = 5;

const away = () => refuse('unavailable', { detail: 'The book of the workspace does not answer.' });

/** `POST .../goals/{goal}/rebuild`: rows from the journal, and all of them to the book again. Repeatable. */
export async function rebuildRoute(call: Call): Promise<Response | Refusal> {
  const given = parameters(nothing, call.query);
  if (!given.ok) return given.refusal;
  const goal = call.params.goal ?? '';
  const rebuilt = await rebuild(call, goal);
  if (rebuilt === null) return refuse('not_found');
  return rebuilt === undefined ? refuse('unavailable') : answer({ goal, ...(rebuilt as object) });
}

/** Null: there is no such goal. Undefined: it did not answer. */
async function rebuild(call: Call, goal: string): Promise<Json | undefined> {
  try {
    return await goalStub(call.env, call.workspace, goal).rebuild({ v: 1, workspace: call.workspace, goal });
  } catch (error) {
    log('error', 'http', 'rebuild.failed', { workspace: call.workspace, goal, error: errorOf(error) });
    return undefined;
  }
}

/**
 * `POST /v1/workspaces/{workspace}/rebuild?cursor=`: all Goals of the workspace, some at a time, until `nextCursor` is null. Which Goals there are is read from
 * the bucket, where each leaves its name: the book may be the thing that was lost.
 */
export async function rebuildWorkspaceRoute(call: Call): Promise<Response | Refusal> {
  const given = parameters(rebuildList, call.query);
  if (!given.ok) return given.refusal;
  const prefix = indexPrefix(call.workspace);
  let page: R2Objects;
  try {
    page = await call.env.FILES.list({ prefix, limit: goalsPerRequest, ...(given.value.cursor === undefined ? {} : { cursor: given.value.cursor }) });
  } catch {
    return refuse('unavailable', { detail: 'The store of files does not answer.' });
  }
  const waiting = page.objects.map((object) => object.key.slice(prefix.length));
  const rebuilt: string[] = [];
  const failed: string[] = [];
  const lane = async () => {
    for (let goal = waiting.shift(); goal !== undefined; goal = waiting.shift()) {
      const done = await rebuild(call, goal);
      if (done === undefined || (done !== null && isStuck(done))) failed.push(goal);
      // One that is not there was erased.
      else if (done !== null) rebuilt.push(goal);
    }
  };
  await Promise.all(Array.from({ length: goalsAtOnce }, lane));
  return answer({ rebuilt, failed, nextCursor: page.truncated ? page.cursor : null });
}

function isStuck(rebuilt: Json): boolean {
  const lanes = rebuilt !== null && typeof rebuilt === 'object' && !Array.isArray(rebuilt) ? rebuilt.lanes : null;
  return !Array.isArray(lanes) || lanes.some((lane) => lane !== null && typeof lane === 'object' && !Array.isArray(lane) && lane.lane === 'book' && lane.pending === true);
}

/** `GET .../goals/{goal}/compare`: whether the book has of this Goal what its record says. */
export async function compareRoute(call: Call): Promise<Response | Refusal> {
  const given = parameters(nothing, call.query);
  if (!given.ok) return given.refusal;
  const goal = call.params.goal ?? '';
  const row = await readGoal(call.env, call.workspace, goal, { what: 'book_row' });
  if (!row.ok) return row.refusal;
  try {
    const compared = await compareBook(call.env.DB, call.workspace, goal, row.value.seq, row.value.value as unknown as GoalRow, async (kind, after) => {
      const found = await readGoal(call.env, call.workspace, goal, { what: 'rows', kind, limit: rowsAtOnce, ...(after === undefined ? {} : { after }) });
      if (!found.ok) throw new Error(found.refusal.code);
      return found.value.value as unknown as ReadValues['rows'];
    });
    return answer(compared ?? { equal: false, seq: row.value.seq, projectedSeq: 0, tables: [] });
  } catch (error) {
    log('error', 'http', 'compare.failed', { workspace: call.workspace, goal, error: errorOf(error) });
    return away();
  }
}

/** `GET /v1/workspaces/{workspace}/dead-letters`: hand-overs that were given up, newest first, and how many there are. */
export async function deadLettersRoute(call: Call): Promise<Response | Refusal> {
  const given = parameters(deadLetterList, call.query);
  if (!given.ok) return given.refusal;
  const { cursor, limit } = given.value;
  try {
    const found = await listDeadLetters(call.env.DB, call.workspace, { limit, ...(cursor === undefined ? {} : { before: cursor }) });
    return answer({ data: found.data, nextCursor: found.next === null ? null : `${found.next.at}:${found.next.id}`, total: found.total });
  } catch (error) {
    log('error', 'http', 'book.away', { workspace: call.workspace, error: errorOf(error) });
    return away();
  }
}

/**
 * `GET /v1/operator/counters`: what was counted in this isolate since it started, and what the book counts over the caller's workspaces. With `METRICS` bound, Analytics
 * Engine holds the first part over all isolates and time. `book` is null while D1 does not answer.
 */
export async function countersRoute({ env, caller }: CallerCall): Promise<Response | Refusal> {
  let book: BookCounts | null = null;
  try {
    book = await bookCounts(env.DB, [...caller.memberships.keys()], Date.now());
  } catch (error) {
    log('error', 'http', 'book.away', { error: errorOf(error) });
  }
  return answer({ isolate: { since: totals.since, counts: totals.view() }, book, metrics: env.METRICS !== undefined });
}

/** `POST /v1/operator/workspaces/{workspace}/quotas`: `{openGoals?, storageBytes?}`; null goes back to what holds for all. It is in the audit of the workspace. */
export async function quotasRoute({ env, request, params, caller }: CallerCall): Promise<Response | Refusal> {
  const { workspace = '' } = params;
  const body = await readJsonObject(request);
  if (!body.ok) return body.refusal;
  const override = quotaOverride.safeParse(body.value);
  if (!override.success) return schemaRefusal(override.error);
  const known = caller.memberships.has(workspace) || (await env.DB.prepare('SELECT 1 FROM workspaces WHERE id = ?').bind(workspace).first()) !== null;
  if (!known) return refuse('not_found');
  const set = await setQuotas(env, { v: 1, workspace, actor: { kind: caller.kind, principal: caller.principal, scopes: [] }, from: addressOf(request), override: override.data });
  return set.outcome === 'set' ? answer({ outcome: 'applied', workspace }) : set.refusal;
}
