/** Lists and histories, answered from the book. Each says the `seq` it reflects; what was committed just now can be laid over a list of goals by `after`. */

import { type BookAnswer, type GoalSummary, goalUsage, type History, itemHistory, ledgerByEvidence, listGoals, listHistory } from '../book/queries.ts';
import { type Refusal, refuse } from '../domain/refusals.ts';
import { slug } from '../domain/values.ts';
import { needsYouOf } from '../domain/views/needs-you.ts';
import type { ReadValues } from '../goal/rpc.ts';
import { errorOf, log } from '../observe/log.ts';
import { readGoal } from './goals.ts';
import { bad, good, type Outcome } from './outcome.ts';
import { goalList, historyList, ledgerList, nothing, parameters } from './parameters.ts';
import { answer, type Call } from './route.ts';

type List = (call: Call) => Promise<Response | Refusal>;

/** What the book throws is D1 being away. */
async function asked<T>(work: () => Promise<BookAnswer<T>>): Promise<Outcome<T>> {
  try {
    const found = await work();
    if (found.outcome === 'found') return good(found.value);
    return bad(found.outcome === 'not_found' ? refuse('not_found') : refuse('schema_invalid', { errors: [{ pointer: '/query/cursor', code: 'bad_cursor' }] }));
  } catch (error) {
    log('error', 'http', 'book.away', { error: errorOf(error) });
    return bad(refuse('unavailable', { detail: 'The book of the workspace does not answer. One goal can still be read.' }));
  }
}

/** A Goal's summary as its object has it, in the shape of the book's. Undefined: there is no such goal here, or it does not answer. */
async function summaryFromObject(call: Call, goal: string): Promise<GoalSummary | undefined> {
  const [found, first] = await Promise.all([
    readGoal(call.env, call.workspace, goal, { what: 'goal' }),
    readGoal(call.env, call.workspace, goal, { what: 'rows', kind: 'goal_version', limit: 1 }),
  ]);
  if (!found.ok) return undefined;
  const { bar } = found.value.value as unknown as ReadValues['goal'];
  const version = first.ok ? (first.value.value as unknown as ReadValues['rows']).data[0]?.data : undefined;
  const created = version !== null && typeof version === 'object' && !Array.isArray(version) && typeof version?.at === 'number' ? version.at : bar.at;
  const due = bar.next.who.flatMap((who) => (who.due === undefined ? [] : [who.due]));
  return {
    goal,
    title: bar.title,
    mode: bar.mode,
    status: bar.status,
    why: bar.next.why.kind,
    goalVersion: bar.goalVersion,
    planRevision: bar.planRevision,
    needsYou: needsYouOf(bar.next),
    wakeAt: due.length === 0 ? null : Math.min(...due),
    createdAt: created,
    updatedAt: bar.at,
    seq: found.value.seq,
    milestones: bar.milestones.map(({ key, count, target }) => ({ key, count, target })),
    accepted: bar.items.accepted,
    requiredItems: bar.items.required,
    budget: { rounds: bar.budget.rounds.used, tokens: bar.budget.tokens.used, money: bar.budget.money.used },
  };
}

const newestFirst = (a: GoalSummary, b: GoalSummary) => b.createdAt - a.createdAt || (a.goal < b.goal ? 1 : -1);

/** Goals of the workspace, newest first. `after=goal:seq` (up to ten) shows that goal at least as of that `seq`: on the first page, from its object while the book is behind. */
export const goalsRoute: List = async (call) => {
  const given = parameters(goalList, call.query, true);
  if (!given.ok) return given.refusal;
  const { status, needsYou, cursor, limit, after } = given.value;
  const found = await asked(() =>
    listGoals(call.env.DB, call.workspace, {
      limit,
      ...(status === undefined ? {} : { status }),
      ...(needsYou === undefined ? {} : { needsYou }),
      ...(cursor === undefined ? {} : { after: cursor }),
    }),
  );
  if (!found.ok) return found.refusal;
  let { data } = found.value;
  for (const wanted of after) {
    const [goal = '', seq = '0'] = wanted.split(':');
    const shown = data.find((summary) => summary.goal === goal);
    if (shown ? shown.seq >= Number(seq) : cursor !== undefined) continue;
    const current = await summaryFromObject(call, goal);
    if (!current) continue;
    const rest = data.filter((summary) => summary.goal !== goal);
    const fits = (status === undefined || current.status === status) && (needsYou !== true || current.needsYou > 0);
    const oldest = rest.at(-1);
    const onThisPage = found.value.next === null || oldest === undefined || newestFirst(current, oldest) < 0;
    data = fits && onThisPage ? [...rest, current].sort(newestFirst) : rest;
  }
  return answer({ data, nextCursor: found.value.next });
};

/** The history of one kind: of a goal where the path names one, else of the workspace. */
export function historyRoute(kind: History): List {
  return async (call) => {
    const given = parameters(historyList, call.query);
    if (!given.ok) return given.refusal;
    return historyPage(call, kind, given.value);
  };
}

async function historyPage(
  call: Call,
  kind: History,
  filter: { item?: string | undefined; state?: string | undefined; cursor?: string | undefined; limit: number },
): Promise<Response | Refusal> {
  const { goal } = call.params;
  const { item, state, cursor, limit } = filter;
  const found = await asked(() =>
    listHistory(call.env.DB, call.workspace, kind, {
      limit,
      ...(goal === undefined ? {} : { goal }),
      ...(item === undefined ? {} : { item }),
      ...(state === undefined ? {} : { state }),
      ...(cursor === undefined ? {} : { after: cursor }),
    }),
  );
  if (!found.ok) return found.refusal;
  const { data, next, seqs } = found.value;
  if (goal === undefined) return answer({ data, nextCursor: next, seqs });
  const seq = seqs[goal];
  if (seq === undefined) {
    // Not in the book: a goal that was made just now, or none.
    const exists = await readGoal(call.env, call.workspace, goal, { what: 'next' });
    if (!exists.ok) return exists.refusal;
  }
  return answer({ data, nextCursor: next, seq: seq ?? 0 });
}

/** The ledger; with `evidence` the decisions that rest on it, whatever its section. */
export const ledgerRoute: List = async (call) => {
  const given = parameters(ledgerList, call.query);
  if (!given.ok) return given.refusal;
  const { evidence, ...filter } = given.value;
  if (evidence === undefined) return historyPage(call, 'ledger', filter);
  const { goal } = call.params;
  const found = await asked(async () => ({
    outcome: 'found' as const,
    value: await ledgerByEvidence(call.env.DB, call.workspace, evidence, { limit: filter.limit, ...(goal === undefined ? {} : { goal }) }),
  }));
  if (!found.ok) return found.refusal;
  return answer({ data: found.value.data, nextCursor: null, seqs: found.value.seqs });
};

/** What models used for the goal: in sum, and by item, lane, profile and model. */
export const goalUsageRoute: List = async (call) => {
  const given = parameters(nothing, call.query);
  if (!given.ok) return given.refusal;
  const found = await asked(() => goalUsage(call.env.DB, call.workspace, call.params.goal ?? ''));
  return found.ok ? answer(found.value) : found.refusal;
};

/** How often an item ran, what each run delivered, and why each delivery came back. */
export const itemHistoryRoute: List = async (call) => {
  const given = parameters(nothing, call.query);
  if (!given.ok) return given.refusal;
  const key = slug.safeParse(call.params.key);
  if (!key.success) return refuse('not_found');
  const found = await asked(() => itemHistory(call.env.DB, call.workspace, call.params.goal ?? '', key.data));
  return found.ok ? answer({ data: found.value.data, nextCursor: null, seq: found.value.seq }) : found.refusal;
};
