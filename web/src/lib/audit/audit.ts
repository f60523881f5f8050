/** The audit of the workspace as the console asks for it. */
import { type Answer, ask, workspace } from '../api/client.ts';
import type { Json, PrincipalId } from '../api/types.ts';

const base = `/v1/workspaces/${encodeURIComponent(workspace)}/audit`;

export interface Entry {
  seq: number;
  at: number;
  by: PrincipalId;
  from: string | null;
  type: string;
  subject: string | null;
  before: Json;
  after: Json;
  reason: string | null;
  erased: boolean;
}
export interface Filter {
  by: string;
  type: string;
  /** Days, as a date field gives them; empty: no bound. */
  from: string;
  to: string;
}
export interface Verified {
  ok: boolean;
  rows: number;
  head: { seq: number; digest: string };
  erased: number;
  problems: { seq: number; code: string; detail: string }[];
  found: number;
  kept: { seq: number; digest: string } | null | 'unknown';
}

/** The day of `to` is in it. */
export function queryOf(filter: Filter): URLSearchParams {
  const query = new URLSearchParams();
  if (filter.by) query.set('by', filter.by);
  if (filter.type) query.set('type', filter.type);
  if (filter.from) query.set('from', String(new Date(`${filter.from}T00:00:00`).getTime()));
  if (filter.to) {
    const end = new Date(`${filter.to}T00:00:00`);
    end.setDate(end.getDate() + 1);
    query.set('to', String(end.getTime()));
  }
  return query;
}

export async function readAudit(filter: Filter, cursor: string | null): Promise<Answer<{ data: Entry[]; nextCursor: string | null }>> {
  const query = queryOf(filter);
  query.set('limit', '50');
  if (cursor !== null) query.set('cursor', cursor);
  return (await ask(`${base}?${query}`)) as unknown as Answer<{ data: Entry[]; nextCursor: string | null }>;
}
export const verifyAudit = async (): Promise<Answer<Verified>> => (await ask(`${base}/verify`)) as unknown as Answer<Verified>;

export function exportPath(filter: Filter, format: 'ndjson' | 'csv'): string {
  const query = queryOf(filter);
  query.set('format', format);
  return `${base}/export?${query}`;
}
