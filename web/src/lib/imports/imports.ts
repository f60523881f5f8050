/** A plan of another tool, as its file: what it comes to, and proposing it. */
import { type Answer, ask, goalPath } from '../api/client.ts';
import type { ImportFormat, Json, NoteCode, PlanItem } from '../api/types.ts';

export interface ImportNote {
  code: NoteCode;
  where: string;
  /** Item of the plan. */
  key?: string;
  detail?: string;
}
export interface Imported {
  format: ImportFormat;
  planRevision: number;
  /** Items that the goal's plan has: they come first in the document. */
  kept: number;
  items: number;
  notes: ImportNote[];
  document: { mode: string; items: Partial<PlanItem>[] };
}
export interface Source {
  text: string;
  /** Empty: found from the text. */
  format: ImportFormat | '';
  /** Of Taskmaster: one list of several; empty: all. */
  tag: string;
}

function path(goal: string, { format, tag }: Source, more: Record<string, string>): string {
  const query = new URLSearchParams(more);
  if (format !== '') query.set('format', format);
  if (tag.trim() !== '') query.set('tag', tag.trim());
  return `${goalPath(goal)}/plan-imports${query.size === 0 ? '' : `?${query}`}`;
}
const bytes = { 'content-type': 'application/octet-stream' };

/** Nothing is changed. */
export const readPlan = async (goal: string, source: Source): Promise<Answer<Imported>> =>
  (await ask(path(goal, source, {}), { method: 'POST', body: source.text, headers: bytes })) as unknown as Answer<Imported>;

/** The same command id again is the same proposal. */
export const proposePlan = (commandId: string, { goal, source }: { goal: string; source: Source }): Promise<Answer<Json>> =>
  ask(path(goal, source, { propose: 'true' }), { method: 'POST', body: source.text, headers: { ...bytes, 'idempotency-key': commandId } });

/** Undefined: no UTF-8. What a file holds is never guessed. */
export async function textOf(file: Blob): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return undefined;
  }
}

/** Notes of one kind together, in the order of their first. */
export function together(notes: readonly ImportNote[]): { code: NoteCode; notes: ImportNote[] }[] {
  const groups = new Map<NoteCode, ImportNote[]>();
  for (const note of notes) groups.set(note.code, [...(groups.get(note.code) ?? []), note]);
  return [...groups].map(([code, all]) => ({ code, notes: all }));
}
