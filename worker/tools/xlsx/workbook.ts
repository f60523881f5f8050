/** An .xlsx file as a bounded, plain archive: what is in it is limited before anything is parsed, and the parts come out in one piece without a thread. */
import { unzipSync, zipSync } from 'fflate';
import { type Refusal, refuse } from '../../domain/refusals.ts';

/** Bytes of all parts together, unpacked. A sheet of a hundred thousand rows has about half of it. */
const UNPACKED_LIMIT = 96 * 1024 * 1024;
const PARTS_LIMIT = 2000;

export interface Workbook {
  /** The same parts, stored without compression: a reader needs no thread to unpack them, and this runtime has none. */
  stored: ArrayBuffer;
  sheets: string[];
}

/** The sizes that the archive states are limits of its own unpacking: a part that is larger than it says is cut there, and is no XML any more. */
export function openWorkbook(bytes: Uint8Array, path: string): { workbook: Workbook } | { refusal: Refusal } {
  const broken = (detail: string) => ({ refusal: refuse('malformed_data', { detail: `${path}: ${detail}`, errors: [{ pointer: path, code: 'not_xlsx', detail }] }) });
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return broken('it is no .xlsx file (an old .xls has another format: save it as .xlsx)');
  let unpacked = 0;
  let parts = 0;
  let files: Record<string, Uint8Array>;
  try {
    unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (wanted(name)) {
          unpacked += originalSize;
          parts++;
        }
        return false;
      },
    });
    if (unpacked > UNPACKED_LIMIT || parts > PARTS_LIMIT)
      return { refusal: refuse('limit_exceeded', { detail: `${path} unpacks to ${unpacked} bytes in ${parts} parts`, current: { limit: UNPACKED_LIMIT, parts: PARTS_LIMIT } }) };
    files = unzipSync(bytes, { filter: ({ name }) => wanted(name) });
  } catch (error) {
    return broken(`it cannot be unpacked: ${error instanceof Error ? error.message : String(error)}`);
  }
  const book = files['xl/workbook.xml'];
  if (!book) return broken('it has no workbook');
  const stored = zipSync(files, { level: 0 });
  return { workbook: { stored: stored.buffer.slice(stored.byteOffset, stored.byteOffset + stored.byteLength) as ArrayBuffer, sheets: sheetNames(new TextDecoder().decode(book)) } };
}

function wanted(name: string): boolean {
  return name.endsWith('.xml') || name.endsWith('.rels');
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function sheetNames(xml: string): string[] {
  return [...xml.matchAll(/<(?:\w+:)?sheet\b[^>]*?\sname="([^"]*)"/g)].map(([, name = '']) =>
    name.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => entities[entity] ?? ''),
  );
}
