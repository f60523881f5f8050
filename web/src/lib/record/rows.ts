/**
 * The record as a list. Events are canonical; rows are only how they are grouped for reading: a call and its answer are one row, and runs
 * of ordinary steps of one round fold into one row that counts what it holds. Nothing is left out: `plain` undoes all of it.
 */
import type { EventView, Json } from '../api/types.ts';

export type Level = 'story' | 'all' | 'errors';

export type RecordRow =
  /** A call with what came of it: `ok` is undefined while it runs. */
  | { kind: 'call'; id: string; at: number; call: EventView; answer?: EventView; ok?: boolean }
  | { kind: 'event'; id: string; at: number; event: EventView; error: boolean }
  | { kind: 'fold'; id: string; at: number; last: number; by: string; item?: string; steps: RecordRow[]; counts: FoldCounts };

export interface FoldCounts {
  calls: number;
  decisions: number;
  facts: number;
  files: number;
  /** The last count of a milestone that moved within. */
  milestone?: { key: string; count: number };
}

/** Steps that only announce the next: in the short view the row after them says the same. */
const plumbing: ReadonlySet<string> = new Set([
  'assignment.made',
  'assignment.released',
  'attempt.started',
  'round.scheduled',
  'round.claimed',
  'round.started',
  'budget.reserved',
  'round.granted',
  'round.held',
  'round.settled',
  'usage.recorded',
  'check.requested',
  'wait.armed',
  'wait.released',
  'signal.kept',
  'signal.dropped',
  'message.handled',
  'execution.opened',
  'review.staged',
  'approval.used',
  'tasks.set',
  'milestone.targeted',
  'milestone.defined',
]);
/** A vote of the host is its checks again; the verdict says it. Of a compaction its end says all. */
const announces = (event: EventView): boolean =>
  plumbing.has(event.type) ||
  (event.type === 'review.recorded' && event.by === 'host') ||
  (event.type === 'context.recorded' && ['begun', 'written'].includes(String(field(event.data, 'phase'))));
/** Steps that come by the dozen within a round. */
const ordinary: ReadonlySet<string> = new Set([
  'ledger.recorded',
  'fact.recorded',
  'milestone.moved',
  'artifact.stored',
  'effect.planned',
  'effect.settled',
  'note.appended',
  'note.revised',
]);
const alwaysErrors: ReadonlySet<string> = new Set([
  'plan.refused',
  'goal.stopped',
  'item.stopped',
  'call.refused',
  'budget.short',
  'acceptance.invalidated',
  'late.recorded',
  'evidence.invalidated',
]);
/** A run of ordinary steps up to this long is shown as it is. */
const unfolded = 2;

export function field(data: Json, ...path: string[]): Json | undefined {
  let value: Json | undefined = data;
  for (const part of path) {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
    value = value[part];
  }
  return value;
}

export function isError(event: EventView): boolean {
  if (alwaysErrors.has(event.type)) return true;
  switch (event.type) {
    case 'check.recorded':
      return field(event.data, 'pass') !== true;
    case 'acceptance.recorded':
      return field(event.data, 'verdict', 'verdict') !== 'accepted';
    case 'attempt.ended':
      return ['failed', 'lost'].includes(String(field(event.data, 'state')));
    case 'round.ended':
      return ['failed', 'lost', 'empty'].includes(String(field(event.data, 'outcome')));
    case 'round.redispatched':
      return true;
    case 'effect.settled':
      return field(event.data, 'outcome') !== 'succeeded';
    case 'drift.noticed':
      return field(event.data, 'level') !== 'none';
    default:
      return false;
  }
}

/** Calls name their round only: the item they serve is that of the round. `known`: rounds that are open now. */
export function withItems(events: readonly EventView[], known: ReadonlyMap<string, string>): EventView[] {
  const items = new Map(known);
  return events.map((event) => {
    if (event.round !== undefined && event.item !== undefined) items.set(event.round, event.item);
    const item = event.item ?? (event.round === undefined ? undefined : items.get(event.round));
    return item === undefined || item === event.item ? event : { ...event, item };
  });
}

export function recordRows(events: readonly EventView[], options: { level: Level; item?: string }): RecordRow[] {
  const of = options.item === undefined ? events : events.filter((event) => event.item === options.item);
  const joined = joinCalls(of);
  switch (options.level) {
    case 'all':
      return joined;
    case 'errors':
      return joined.filter((row) => (row.kind === 'call' ? row.ok === false : row.kind === 'event' && row.error));
    case 'story':
      return fold(joined.filter((row) => row.kind !== 'event' || row.error || !announces(row.event)));
    default:
      return options.level satisfies never;
  }
}

function joinCalls(events: readonly EventView[]): RecordRow[] {
  const rows: RecordRow[] = [];
  const open = new Map<string, Extract<RecordRow, { kind: 'call' }>>();
  for (const event of events) {
    const call = field(event.data, 'call');
    const id = `${event.round ?? ''} ${typeof call === 'string' ? call : ''}`;
    if (event.type === 'call.authorized') {
      const row: Extract<RecordRow, { kind: 'call' }> = { kind: 'call', id: String(event.seq), at: event.at, call: event };
      open.set(id, row);
      rows.push(row);
      continue;
    }
    const asked = event.type === 'call.recorded' ? open.get(id) : undefined;
    if (asked) {
      asked.answer = event;
      asked.ok = field(event.data, 'ok') === true;
      open.delete(id);
    } else if (event.type !== 'call.recorded') rows.push({ kind: 'event', id: String(event.seq), at: event.at, event, error: isError(event) });
  }
  return rows;
}

function roundOf(row: RecordRow): string | null {
  if (row.kind === 'call') return row.ok === false ? null : (row.call.round ?? row.call.by);
  if (row.kind === 'event') return !row.error && ordinary.has(row.event.type) ? (row.event.round ?? row.event.by) : null;
  return null;
}

function fold(rows: RecordRow[]): RecordRow[] {
  const out: RecordRow[] = [];
  let run: RecordRow[] = [];
  let round: string | null = null;
  const close = () => {
    const first = run[0];
    if (run.length <= unfolded || !first) out.push(...run);
    else out.push(folded(first, run));
    run = [];
  };
  for (const row of rows) {
    const of = roundOf(row);
    if (of === null || of !== round) close();
    round = of;
    if (of === null) out.push(row);
    else run.push(row);
  }
  close();
  return out;
}

function folded(first: RecordRow, steps: RecordRow[]): RecordRow {
  const counts: FoldCounts = { calls: 0, decisions: 0, facts: 0, files: 0 };
  for (const step of steps) {
    if (step.kind === 'call') counts.calls += 1;
    if (step.kind !== 'event') continue;
    if (step.event.type === 'ledger.recorded') counts.decisions += 1;
    if (step.event.type === 'fact.recorded') counts.facts += 1;
    if (step.event.type === 'artifact.stored') counts.files += 1;
    if (step.event.type === 'milestone.moved') counts.milestone = { key: String(field(step.event.data, 'milestone')), count: Number(field(step.event.data, 'count')) };
  }
  const event = first.kind === 'call' ? first.call : first.kind === 'event' ? first.event : undefined;
  // Named by its first step, so that what was opened stays open while the run grows.
  return { kind: 'fold', id: `fold-${first.id}`, at: first.at, last: steps.at(-1)?.at ?? first.at, by: event?.by ?? 'host', item: event?.item, steps, counts };
}
