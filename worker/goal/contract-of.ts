/** The contract in force, whole, from the record. */

import type { Lookup } from '../domain/context.ts';
import type { Contract } from '../domain/contract/contract.ts';
import type { RowData } from '../domain/row-data.ts';
import type { State } from '../domain/state.ts';

/** Null in graph-only goals, and where the body was erased. */
export function contractOf(state: State, lookup: Lookup): Contract | null {
  if (!state.contract) return null;
  const row = lookup.row('goal_version', String(state.goalVersion).padStart(6, '0'));
  const body = (row?.data as unknown as RowData['goal_version'] | undefined)?.contractBody;
  if (!body) return null;
  return (lookup.body(body) as unknown as Contract | undefined) ?? null;
}
