/**
 * The audit as a file that is verified anywhere: NDJSON, a head line, the rows oldest first, and a line with the head of the chain. What is not whole (of a filter) can be checked row by row only.
 * Pure: the routes write it, `npm run doctor -- --audit FILE` reads it.
 */
import { z } from 'zod';
import { json, sha256Hex } from '../../domain/values.ts';
import { AuditCheck, type AuditChecked, type AuditFilter, type AuditHead, type AuditRow, isWhole } from './chain.ts';

const count = z.int().min(0);
const text = z.string();
const exportHead = z.strictObject({
  format: z.literal('longhaul-audit'),
  version: z.literal(1),
  workspace: text,
  exportedAt: count,
  filter: z.record(text, json),
  whole: z.boolean(),
});
const exportEnd = z.strictObject({ head: z.strictObject({ seq: count, digest: sha256Hex }), rows: count });
const exportRow = z.strictObject({
  seq: count,
  at: count,
  by: text,
  type: text,
  subject: text.nullable(),
  before: json,
  after: json,
  source: z.enum(['workspace', 'people']),
  number: count.nullable(),
  held: z.strictObject({ salt: text, from: text.nullable(), reason: text.nullable() }).nullable(),
  heldDigest: sha256Hex,
  prev: sha256Hex,
  digest: sha256Hex,
});

export function exportHeadLine(workspace: string, filter: AuditFilter, now: number): string {
  return `${JSON.stringify({ format: 'longhaul-audit', version: 1, workspace, exportedAt: now, filter, whole: isWhole(filter) })}\n`;
}
export const exportEndLine = (head: AuditHead, rows: number): string => `${JSON.stringify({ head: { seq: head.seq, digest: head.digest }, rows })}\n`;

export interface ExportChecked extends AuditChecked {
  workspace: string;
  whole: boolean;
}
/** `line` counts from 1. */
export type ExportRead = { ok: true; checked: ExportChecked } | { ok: false; line: number; detail: string };

/** `known`: heads that were written down elsewhere, e.g. those of an earlier verification. A file without its last line is cut off. */
export async function checkExport(sha256: (text: string) => string, lines: AsyncIterable<string> | Iterable<string>, known: readonly AuditHead[] = []): Promise<ExportRead> {
  let at = 0;
  let rows = 0;
  let head: z.infer<typeof exportHead> | undefined;
  let check: AuditCheck | undefined;
  let end: z.infer<typeof exportEnd> | undefined;
  const wrong = (detail: string): ExportRead => ({ ok: false, line: at, detail });
  for await (const line of lines) {
    at++;
    if (line === '') continue;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return wrong('not JSON: the file is cut off or altered here');
    }
    if (end) return wrong('there is something after the last line');
    if (!head || !check) {
      const parsed = exportHead.safeParse(value);
      if (!parsed.success) return wrong('not an export of an audit');
      head = parsed.data;
      check = new AuditCheck(sha256, head.workspace, { whole: head.whole, known });
      continue;
    }
    const last = exportEnd.safeParse(value);
    if (last.success) {
      end = last.data;
      continue;
    }
    const row = exportRow.safeParse(value);
    if (!row.success) return wrong('not a row of an audit');
    check.take(row.data as AuditRow);
    rows++;
  }
  if (!head || !check) return wrong('there is nothing in it');
  if (!end) check.problem(rows + 1, 'cut', `the file ends after ${rows} rows, without its last line`);
  else if (end.rows !== rows) check.problem(rows, 'cut', `the file says it has ${end.rows} rows, and has ${rows}`);
  return { ok: true, checked: { ...check.end(end?.head ?? { seq: 0, digest: '' }), workspace: head.workspace, whole: head.whole } };
}
