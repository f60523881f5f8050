/**
 * Whether the bytes of a data file are what its name says: UTF-8 throughout, and JSON, JSON lines or CSV that a careful reader can read in one way only.
 * Every refusal is `malformed_data` and names the place: a byte offset, and line and column where there are lines.
 */
import { parse } from 'csv-parse/sync';
import { type Problem, type Refusal, refuse } from '../domain/refusals.ts';
import type { Json } from '../domain/values.ts';
import { jsonStopsAt } from './json-place.ts';
import { bad, good, type Outcome } from './outcome.ts';

/** Names that are dangerous as keys of an object. `toString` and the like are harmless in a map, and are taken. */
const dangerousNames: ReadonlySet<string> = new Set(['__proto__']);

interface Place {
  offset?: number;
  line?: number;
  column?: number;
}

function malformed(code: string, detail: string, place: Place): Refusal {
  const problem: Problem = { pointer: '', code, detail };
  return refuse('malformed_data', { detail, errors: [problem], current: { ...place } });
}

/** `undefined`: the file may be stored. Files of other types are taken as they are. */
export function dataFileRefusal(path: string, bytes: Uint8Array): Refusal | undefined {
  const extension = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase();
  switch (extension) {
    case 'json': {
      const parsed = readJson(bytes);
      return parsed.ok ? undefined : parsed.refusal;
    }
    case 'jsonl':
    case 'ndjson':
      return jsonLinesRefusal(bytes);
    case 'csv':
      return csvRefusal(bytes);
    case 'md': {
      const text = utf8(bytes);
      return typeof text === 'string' ? undefined : text;
    }
    default:
      return undefined;
  }
}

/** The text without its byte order mark, or where it is not UTF-8. A NUL means that it is another encoding, or no text. */
export function utf8(bytes: Uint8Array): string | Refusal {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    // The decoder is fast and does not say where.
    const bad = firstInvalidByte(bytes) ?? bytes.length;
    return malformed('not_utf8', `Byte ${bad} is not UTF-8.`, { offset: bad, line: lineOf(bytes, bad) });
  }
  const nul = bytes.indexOf(0);
  if (nul >= 0) return malformed('nul_byte', `Byte ${nul} is NUL: this is no UTF-8 text.`, { offset: nul, line: lineOf(bytes, nul) });
  return text;
}

function lineOf(bytes: Uint8Array, offset: number): number {
  let line = 1;
  for (let at = 0; at < offset; at++) if (bytes[at] === 10) line++;
  return line;
}

/** Offset of the first byte that no UTF-8 sequence explains: stray, overlong, surrogate, beyond U+10FFFF or cut off. */
export function firstInvalidByte(bytes: Uint8Array): number | undefined {
  let at = 0;
  while (at < bytes.length) {
    const lead = bytes[at] as number;
    if (lead < 0x80) {
      at++;
      continue;
    }
    const more = lead >= 0xc2 && lead <= 0xdf ? 1 : lead >= 0xe0 && lead <= 0xef ? 2 : lead >= 0xf0 && lead <= 0xf4 ? 3 : 0;
    const second = bytes[at + 1] ?? 0;
    const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    if (more === 0 || second < low || second > high) return at;
    for (let next = 2; next <= more; next++) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return at;
    at += more + 1;
  }
  return undefined;
}

/** The value of a JSON text, or the byte where it stops being one. */
export function readJson(bytes: Uint8Array): Outcome<Json> {
  const text = utf8(bytes);
  if (typeof text !== 'string') return bad(text);
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return parseJson(text, mark, 1);
}

function parseJson(text: string, base: number, firstLine: number): Outcome<Json> {
  try {
    let forbidden = false;
    // A name written with escapes is still that name.
    const suspect = /__proto__|\\u005f/i.test(text);
    const look = (key: string, each: unknown) => {
      if (dangerousNames.has(key)) forbidden = true;
      return each;
    };
    const value = JSON.parse(text, suspect ? look : undefined) as Json;
    return forbidden ? bad(malformed('forbidden_name', 'A member is named __proto__.', { line: firstLine })) : good(value);
  } catch {
    const at = jsonStopsAt(text) ?? text.length;
    const before = text.slice(0, at);
    const place = { offset: base + new TextEncoder().encode(before).length, line: firstLine + before.split('\n').length - 1, column: at - before.lastIndexOf('\n') };
    return bad(
      at >= text.length
        ? malformed('truncated', `The JSON text ends at byte ${place.offset} before it is complete.`, place)
        : malformed('json', `Not JSON at byte ${place.offset} (line ${place.line}, column ${place.column}).`, place),
    );
  }
}

function jsonLinesRefusal(bytes: Uint8Array): Refusal | undefined {
  const text = utf8(bytes);
  if (typeof text !== 'string') return text;
  let base = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() !== '') {
      const parsed = parseJson(line, base, index + 1);
      if (!parsed.ok) return parsed.refusal;
    }
    base += new TextEncoder().encode(line).length + 1;
  }
  return undefined;
}

function csvRefusal(bytes: Uint8Array): Refusal | undefined {
  const text = utf8(bytes);
  if (typeof text !== 'string') return text;
  const carriage = loneCarriageReturn(text);
  if (carriage) return malformed('cr_line_end', `Line ${carriage.line} ends in a carriage return alone; lines end in LF or CRLF.`, carriage);
  let header: string[] | undefined;
  try {
    parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      recordDelimiter: ['\r\n', '\n'],
      skipEmptyLines: true,
      // Dropping each record at once keeps a file of 25 MB from being held as millions of strings.
      onRecord: (record: string[]) => {
        header ??= record;
        return null;
      },
    });
  } catch (error) {
    const cause = error as { code?: string; lines?: number; column?: number | string; message?: string };
    const line = cause.lines ?? 1;
    const truncated = cause.code === 'CSV_QUOTE_NOT_CLOSED';
    return malformed(
      truncated ? 'truncated' : (cause.code?.toLowerCase() ?? 'csv'),
      truncated ? `A quoted cell is not closed by the end of the file (line ${line}).` : `Not CSV on line ${line}: ${cause.message ?? ''}`.trim(),
      { line },
    );
  }
  if (!header) return malformed('csv_empty', 'A CSV file has at least a header line.', { line: 1 });
  return headerRefusal(header);
}

function headerRefusal(header: string[]): Refusal | undefined {
  const seen = new Set<string>();
  for (const [index, name] of header.entries()) {
    const column = index + 1;
    if (dangerousNames.has(name)) return malformed('csv_header_forbidden', `Column ${column} is named ${name}.`, { line: 1, column });
    if (seen.has(name)) return malformed('csv_header_duplicate', `Column ${column} has the name of an earlier one: ${name}.`, { line: 1, column });
    seen.add(name);
  }
  return undefined;
}

/** The one that the header uses most; a comma where there is none. */
function delimiterOf(text: string): string {
  const end = text.indexOf('\n');
  const header = (end < 0 ? text : text.slice(0, end)).replace(/"[^"]*"/g, '');
  const uses = (delimiter: string) => header.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, each) => (uses(each) > uses(best) ? each : best));
}

/** The first CR outside quotes that no LF follows. Inside quotes a CR is part of a cell. */
function loneCarriageReturn(text: string): { offset: number; line: number } | undefined {
  if (!text.includes('\r')) return undefined;
  let quoted = false;
  let line = 1;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 34) quoted = !quoted;
    else if (unit === 10) line++;
    else if (unit === 13 && !quoted && text.charCodeAt(at + 1) !== 10) return { offset: new TextEncoder().encode(text.slice(0, at)).length, line };
  }
  return undefined;
}
