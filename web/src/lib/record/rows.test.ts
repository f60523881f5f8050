import { describe, expect, it } from 'vitest';
import type { EventView, Json } from '../api/types.ts';
import { events } from '../testing/csv-goal.ts';
import { type RecordRow, recordRows } from './rows.ts';

let seq = 0;
const event = (type: string, data: Json, more: Partial<EventView> = {}): EventView => ({ seq: ++seq, at: seq * 1000, type, by: 'skill:a/b', round: 'r1', data, ...more });
const call = (id: string, ok: boolean): EventView[] => [event('call.authorized', { call: id, tool: 'files.read', subject: id }), event('call.recorded', { call: id, ok, ms: 40 })];
const kinds = (rows: RecordRow[]) => rows.map((row) => row.kind);

describe('the record as rows', () => {
  it('joins a call and its answer, and shows one without an answer as running', () => {
    const rows = recordRows([...call('a', true), event('call.authorized', { call: 'b', tool: 'x', subject: '' })], { level: 'all' });
    expect(rows).toMatchObject([{ kind: 'call', ok: true }, { kind: 'call' }]);
    expect(rows[1]).not.toHaveProperty('ok');
  });

  it('folds a run of ordinary steps of one round and counts what it holds', () => {
    const run = [1, 2, 3].flatMap((n) => [
      ...call(`c${n}`, true),
      event('ledger.recorded', { subject: `INV-${n}` }),
      event('fact.recorded', { key: `k${n}` }),
      event('milestone.moved', { milestone: 'reviewed', count: n }),
    ]);
    const [row, ...rest] = recordRows(run, { level: 'story' });
    expect(rest).toEqual([]);
    expect(row).toMatchObject({ kind: 'fold', counts: { calls: 3, decisions: 3, facts: 3, files: 0, milestone: { key: 'reviewed', count: 3 } } });
    if (row?.kind === 'fold') expect(row.steps).toHaveLength(12);
  });

  it('keeps the name of a fold while it grows, so that it stays open', () => {
    const run = [...call('g1', true), ...call('g2', true), ...call('g3', true)];
    const before = recordRows(run, { level: 'story' })[0]?.id;
    expect(recordRows([...run, ...call('g4', true)], { level: 'story' })[0]?.id).toBe(before);
  });

  it('never folds an error away', () => {
    const rows = recordRows([...call('e1', true), ...call('e2', true), ...call('e3', true), ...call('bad', false), ...call('e4', true)], { level: 'story' });
    expect(kinds(rows)).toEqual(['fold', 'call', 'call']);
    expect(rows[1]).toMatchObject({ ok: false });
  });

  it('does not fold two rounds into one', () => {
    const other = [1, 2, 3].flatMap((n) => call(`o${n}`, true).map((step) => ({ ...step, round: 'r2' })));
    expect(kinds(recordRows([...call('x1', true), ...call('x2', true), ...call('x3', true), ...other], { level: 'story' }))).toEqual(['fold', 'fold']);
  });

  it('finds the errors: refused calls, failed checks, returns, lost rounds', () => {
    const rows = recordRows(events, { level: 'errors' });
    expect(rows.map((row) => (row.kind === 'event' ? row.event.type : row.kind))).toEqual(['check.recorded', 'acceptance.recorded', 'call.refused']);
  });

  it('leaves out announcements in short and nothing in full', () => {
    const steps = [event('round.scheduled', {}), event('round.claimed', {}), event('goal.paused', {})];
    expect(recordRows(steps, { level: 'story' })).toHaveLength(1);
    expect(recordRows(steps, { level: 'all' })).toHaveLength(3);
  });

  it('shows in short what a round runs on, and of a compaction its end', () => {
    const phases = ['begun', 'written', 'done', 'begun', 'undone'].map((phase) => event('context.recorded', { n: 1, phase }));
    const rows = recordRows([event('round.started', {}), event('round.pinned', { model: 'local/m', profile: 'worker', skills: [] }), ...phases], { level: 'story' });
    expect(rows.map((row) => (row.kind === 'event' ? (row.event.type === 'context.recorded' ? (row.event.data as { phase: string }).phase : row.event.type) : row.kind))).toEqual([
      'round.pinned',
      'done',
      'undone',
    ]);
  });

  it('shows one item alone', () => {
    expect(recordRows(events, { level: 'all', item: 'client' }).every((row) => row.kind === 'event' && row.event.item === 'client')).toBe(true);
  });
});
