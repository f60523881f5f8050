/** The audit of a workspace over HTTP: read, exported, verified. */
import { type Refusal, refuse } from '../domain/refusals.ts';
import type { Json } from '../domain/values.ts';
import { csvOptions, encodeCsv } from '../tools/csv/options.ts';
import type { AuditFilter, AuditHead, AuditRow } from '../workspace/audit/chain.ts';
import { exportEndLine, exportHeadLine } from '../workspace/audit/export.ts';
import { readWorkspace } from '../workspace/client.ts';
import type { AuditEntry } from '../workspace/reads.ts';
import { bad, good, type Outcome } from './outcome.ts';
import { auditExport, auditList, nothing, parameters } from './parameters.ts';
import { answer, type Call } from './route.ts';

/** Rows read at once. */
const pageRows = 500;

function filterOf(given: { by?: string | undefined; type?: string | undefined; from?: number | undefined; to?: number | undefined }): AuditFilter {
  const { by, type, from, to } = given;
  return { ...(by === undefined ? {} : { by }), ...(type === undefined ? {} : { type }), ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** `GET .../audit`: newest first; `nextCursor` is null at the end. */
export async function auditRoute(call: Call): Promise<Response | Refusal> {
  const given = parameters(auditList, call.query);
  if (!given.ok) return given.refusal;
  const { cursor, limit, ...filter } = given.value;
  const found = await readWorkspace(call.env, {
    v: 1,
    workspace: call.workspace,
    query: { what: 'audit', limit: limit + 1, filter: filterOf(filter), ...(cursor === undefined ? {} : { before: cursor }) },
  });
  if (found.outcome === 'refused') return found.refusal;
  const entries = found.value as unknown as AuditEntry[];
  return answer({ data: entries.slice(0, limit), nextCursor: entries.length > limit ? String(entries[limit - 1]?.seq) : null });
}

/** `GET .../audit/verify`: 200 whatever it finds; `ok` says whether the chain is whole. */
export async function auditVerifyRoute(call: Call): Promise<Response | Refusal> {
  const given = parameters(nothing, call.query);
  if (!given.ok) return given.refusal;
  const found = await readWorkspace(call.env, { v: 1, workspace: call.workspace, query: { what: 'audit_verify' } });
  return found.outcome === 'found' ? answer(found.value) : found.refusal;
}

/** Rows from the object, page by page, up to the head that the first page saw. */
export async function* auditPages(call: Pick<Call, 'env' | 'workspace'>, filter: AuditFilter): AsyncGenerator<{ rows: AuditRow[]; head: AuditHead }> {
  let upTo: AuditHead | undefined;
  for (let after = 0; ; ) {
    const found = await readPage(call, filter, after);
    if (!found.ok) throw new Error(`the audit does not answer: ${found.refusal.code}`);
    upTo ??= found.value.head;
    const { seq } = upTo;
    const rows = found.value.rows.filter((row) => row.seq <= seq);
    yield { rows, head: upTo };
    const last = rows.at(-1);
    if (!last || found.value.rows.length < pageRows) return;
    after = last.seq;
  }
}

async function readPage(call: Pick<Call, 'env' | 'workspace'>, filter: AuditFilter, after: number): Promise<Outcome<{ rows: AuditRow[]; head: AuditHead }>> {
  for (let tries = 1; ; tries++) {
    const found = await readWorkspace(call.env, { v: 1, workspace: call.workspace, query: { what: 'audit_rows', filter, after, limit: pageRows } });
    if (found.outcome === 'found') return good(found.value as unknown as { rows: AuditRow[]; head: AuditHead });
    if (tries === 2) return bad(found.refusal);
  }
}

/** NDJSON, as `audit/export.ts` says. */
export async function* auditLines(call: Pick<Call, 'env' | 'workspace'>, filter: AuditFilter, now: number): AsyncGenerator<string> {
  yield exportHeadLine(call.workspace, filter, now);
  let count = 0;
  let end: AuditHead = { seq: 0, digest: '' };
  for await (const { rows, head } of auditPages(call, filter)) {
    if (rows.length > 0) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    count += rows.length;
    end = head;
  }
  yield exportEndLine(end, count);
}

/** Written as it is read. What `parts` throws breaks the answer off. */
export function streamOf(parts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const next = await parts.next();
      if (next.done) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}

const columns = ['seq', 'at', 'by', 'from', 'type', 'subject', 'before', 'after', 'reason', 'digest', 'prev'];

async function* csvLines(call: Call, filter: AuditFilter): AsyncGenerator<string> {
  const options = csvOptions.parse({ bom: true });
  let first = true;
  for await (const { rows } of auditPages(call, filter)) {
    const cells = rows.map((row) => ({
      ...row,
      at: new Date(row.at).toISOString(),
      from: row.held?.from ?? '',
      reason: row.held?.reason ?? '',
      subject: row.subject ?? '',
      before: shown(row.before),
      after: shown(row.after),
    }));
    yield encodeCsv(
      columns,
      cells.map((cell) => Object.fromEntries(columns.map((name) => [name, cell[name as keyof typeof cell] as string | number]))),
      options,
      first,
    );
    first = false;
  }
}
const shown = (value: Json): string => (value === null ? '' : JSON.stringify(value));

/** `GET .../audit/export`. What fails on the way breaks the answer off; an NDJSON export without its last line is found to be cut. */
export async function auditExportRoute(call: Call): Promise<Response | Refusal> {
  const given = parameters(auditExport, call.query);
  if (!given.ok) return given.refusal;
  const { format, ...asked } = given.value;
  const filter = filterOf(asked);
  const reached = await readPage(call, filter, 0);
  if (!reached.ok) return reached.refusal.code === 'unavailable' ? refuse('unavailable', { detail: 'The workspace does not answer.' }) : reached.refusal;
  const lines = format === 'csv' ? csvLines(call, filter) : auditLines(call, filter, Date.now());
  return new Response(streamOf(lines), {
    headers: {
      'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
      'content-disposition': `attachment; filename="audit.${call.workspace}.${format}"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  });
}
