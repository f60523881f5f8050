/** Reading CSV strictly: what is cut off, of another encoding or of another line end is refused with the line. */
import { parse } from 'csv-parse/sync';
import { type Refusal, refuse } from '../../domain/refusals.ts';
import { decodeUtf8 } from '../bytes.ts';

export interface CsvTable {
  columns: string[];
  rows: { [column: string]: string }[];
  bom: boolean;
  lineEnd: 'crlf' | 'lf' | 'mixed' | 'none';
  /** True when there are more rows behind. */
  more: boolean;
}

export interface CsvWanted {
  path: string;
  delimiter?: string | undefined;
  offset?: number | undefined;
  /** Absent: all rows. */
  limit?: number | undefined;
}

function malformed(path: string, code: string, line: number | undefined, detail: string): { refusal: Refusal } {
  const where = line === undefined ? detail : `line ${line}: ${detail}`;
  return { refusal: refuse('malformed_data', { detail: `${path}: ${where}`, errors: [{ pointer: path, code, detail: where }] }) };
}

/** The header and the rows as they stand, each a list of cells. */
export function parseCsvRecords(bytes: Uint8Array, wanted: CsvWanted): { records: string[][]; bom: boolean; text: string } | { refusal: Refusal } {
  const decoded = decodeUtf8(bytes, wanted.path);
  if ('refusal' in decoded) return decoded;
  const bom = decoded.text.startsWith('\uFEFF');
  const text = bom ? decoded.text.slice(1) : decoded.text;
  if (text.includes('\r') && !text.includes('\n')) return malformed(wanted.path, 'cr_only', 1, 'the line ends are CR alone; CRLF or LF is needed');
  if (text.length === 0) return malformed(wanted.path, 'empty', 1, 'there is no header');
  try {
    const records = parse(text, {
      delimiter: wanted.delimiter ?? ',',
      record_delimiter: ['\r\n', '\n'],
      relax_quotes: false,
      skip_empty_lines: true,
      // The header and one row more than asked for, to know whether there is a rest.
      ...(wanted.limit === undefined ? {} : { to: 1 + (wanted.offset ?? 0) + wanted.limit + 1 }),
    }) as string[][];
    const columns = records[0] ?? [];
    if (columns.length === 0) return malformed(wanted.path, 'empty', 1, 'there is no header');
    const seen = new Set<string>();
    for (const name of columns) {
      if (name === '__proto__') return malformed(wanted.path, 'forbidden_name', 1, 'a column is named __proto__');
      if (seen.has(name)) return malformed(wanted.path, 'duplicate_column', 1, `the column ${JSON.stringify(name)} stands twice`);
      seen.add(name);
    }
    return { records, bom, text };
  } catch (error) {
    const about = error as { code?: string; lines?: number; message?: string };
    return malformed(wanted.path, (about.code ?? 'not_csv').toLowerCase(), about.lines, (about.message ?? String(error)).slice(0, 300));
  }
}

export function parseCsv(bytes: Uint8Array, wanted: CsvWanted): CsvTable | { refusal: Refusal } {
  const read = parseCsvRecords(bytes, wanted);
  if ('refusal' in read) return read;
  const columns = read.records[0] ?? [];
  const first = 1 + (wanted.offset ?? 0);
  const end = wanted.limit === undefined ? undefined : first + wanted.limit;
  const body = read.records.slice(first, end);
  return {
    columns,
    rows: body.map((record) => Object.fromEntries(columns.map((name, i) => [name, record[i] ?? '']))),
    bom: read.bom,
    lineEnd: lineEndOf(read.text),
    more: end !== undefined && read.records.length > end,
  };
}

/** Of the records, not of line breaks inside quoted cells. */
function lineEndOf(text: string): CsvTable['lineEnd'] {
  let quoted = false;
  let crlf = 0;
  let lf = 0;
  for (let at = 0; at < text.length; at++) {
    const each = text[at];
    if (each === '"') quoted = !quoted;
    else if (each === '\n' && !quoted) {
      if (text[at - 1] === '\r') crlf++;
      else lf++;
    }
  }
  return crlf > 0 && lf > 0 ? 'mixed' : crlf > 0 ? 'crlf' : lf > 0 ? 'lf' : 'none';
}
