import { expect, it } from 'vitest';
import type { Lookup, Row } from '../context.ts';
import { invalidatedId } from '../rows.ts';
import type { Json } from '../values.ts';
import { hasFallen } from './resting.ts';

const lookupOf = (found: readonly Row[]): Lookup =>
  ({ row: (kind: string, id: string) => found.find((row) => row.kind === kind && row.id === id), rows: () => [], body: () => undefined }) as unknown as Lookup;
const answered = (key: string, seq: number, evidence: string[]): Row =>
  ({ kind: 'fact', id: key, seq, data: { key, version: 1, provenance: { from: 'blocker', blocker: 'b', evidence } } as Json }) as unknown as Row;

it('answers that cite each other end, and fall with what else one of them rests on', () => {
  const circle = [answered('one', 1, ['fact:two']), answered('two', 2, ['fact:one', 'file:terms.md#2'])];
  expect(hasFallen(lookupOf(circle), 'fact:one')).toBe(false);
  const mark = { kind: 'evidence_use', id: invalidatedId('file:terms.md'), seq: 3, data: {} } as unknown as Row;
  for (const ref of ['fact:one', 'fact:two', 'file:terms.md']) expect(hasFallen(lookupOf([...circle, mark]), ref)).toBe(true);
});
