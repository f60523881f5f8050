/** What is written once: each way to write over it is seen. */
import { expect, test } from 'vitest';
import type { Row, RowKind } from './context.ts';
import { rewritten } from './immutable.ts';
import type { Json } from './values.ts';

const row = (kind: RowKind, data: Json, seq = 1): Row => ({ kind, id: 'one', seq, data });

test.each<[RowKind, string, Json, Json, boolean]>([
  ['attempt', 'ends', { state: 'running', by: 'a' }, { state: 'failed', by: 'a', endedAt: 1 }, true],
  ['attempt', 'ends again', { state: 'failed', by: 'a', endedAt: 1 }, { state: 'succeeded', by: 'a', endedAt: 2 }, false],
  ['attempt', 'is another’s', { state: 'running', by: 'a' }, { state: 'running', by: 'b' }, false],
  ['submission', 'is superseded', { digest: 'd' }, { digest: 'd', supersededBy: 's2' }, true],
  ['submission', 'is superseded twice', { digest: 'd', supersededBy: 's2' }, { digest: 'd', supersededBy: 's3' }, false],
  ['submission', 'holds something else', { digest: 'd', artifacts: [] }, { digest: 'd', artifacts: [{ path: 'x' }] }, false],
  ['acceptance', 'falls', { verdict: 'accepted', live: true }, { verdict: 'accepted', live: false, invalidated: { at: 1 } }, true],
  ['acceptance', 'counts again', { verdict: 'accepted', live: false }, { verdict: 'accepted', live: true }, false],
  ['acceptance', 'says otherwise', { verdict: 'rejected', live: true }, { verdict: 'accepted', live: true }, false],
  ['ledger', 'is replaced', { verdict: 'fine' }, { verdict: 'fine', replacedBy: 'l2', flagged: 'fact:x' }, true],
  ['ledger', 'says otherwise', { verdict: 'fine' }, { verdict: 'not fine' }, false],
  ['revision', 'is written over', { order: ['a'] }, { order: ['b'] }, false],
  ['goal_version', 'is completed', { contractBody: 'c', title: 't' }, { contractBody: 'c', title: 't', completedAt: 1 }, true],
  ['goal_version', 'asks for something else', { contractBody: 'c' }, { contractBody: 'd' }, false],
  ['round', 'is no such row', { phase: 'started' }, { phase: 'ended' }, true],
])('%s %s', (kind, _what, before, after, may) => {
  expect(rewritten(row(kind, before), row(kind, after, 2)).length === 0).toBe(may);
  expect(rewritten(undefined, row(kind, after))).toEqual([]);
});
