import { z } from 'zod';
import { done, plain } from '../answers.ts';
import { cleanJson } from '../clean.ts';
import { findFile, readWhole, WHOLE_FILE_LIMIT } from '../files/find.ts';
import { about, fileArgs, paging } from '../shapes.ts';
import { tool } from '../tool.ts';
import { unguardFormula } from './options.ts';
import { type CsvTable, parseCsv } from './parse.ts';

function withoutGuard(table: CsvTable): CsvTable {
  const columns = table.columns.map(unguardFormula);
  return { ...table, columns, rows: table.rows.map((row) => Object.fromEntries(table.columns.map((name, i) => [columns[i] ?? name, unguardFormula(row[name] ?? '')]))) };
}

export const csvRead = tool({
  name: 'csv.read',
  description:
    'Reads rows of a CSV file (strict UTF-8, at most 32 MiB, CRLF or LF) as objects of text by column: `offset` rows skipped, at most `limit` (5000) given; `columns` narrows and orders them. Answers `{columns, rows, bom, lineEnd, next}`; `next` is the offset of the rest or null. Cells are text, never numbers. `formulaGuard: true` takes off the apostrophe that csv.write put before text like a formula. A file that is cut off, not UTF-8, with CR-only line ends, a row of another width or a column `__proto__` is refused as `malformed_data` with the line.',
  lanes: ['worker', 'coordinator', 'reviewer'],
  input: z.strictObject({
    ...fileArgs,
    ...paging,
    columns: z.array(z.string().max(200)).max(500).optional(),
    delimiter: z.enum([',', ';', '\t']).default(','),
    formulaGuard: z.boolean().default(false),
    about,
  }),
  effect: 'none',
  subject: (args) => args.about ?? args.path ?? args.digest ?? 'csv.read',
  async run(args, env) {
    const found = findFile(env, args);
    if ('refusal' in found) return { ok: false, refusal: found.refusal };
    const read = await readWhole(env, found.artifact, WHOLE_FILE_LIMIT);
    if ('refusal' in read) return { ok: false, refusal: read.refusal };
    const parsed = parseCsv(read.bytes, { path: found.artifact.path, delimiter: args.delimiter, offset: args.offset, limit: args.limit });
    if ('refusal' in parsed) return { ok: false, refusal: parsed.refusal };
    const table = args.formulaGuard ? withoutGuard(parsed) : parsed;
    const missing = (args.columns ?? []).filter((name) => !table.columns.includes(name));
    if (missing.length > 0) return { ok: false, refusal: { refused: true, code: 'not_found', detail: `no column ${missing.join(', ')}`, current: { columns: table.columns } } };
    const wanted = args.columns;
    const rows = wanted ? table.rows.map((row) => Object.fromEntries(wanted.map((name) => [name, row[name] ?? '']))) : table.rows;
    const clean = cleanJson(rows);
    const value = plain({
      columns: wanted ?? table.columns,
      rows: clean.value,
      bom: table.bom,
      lineEnd: table.lineEnd,
      next: table.more ? args.offset + rows.length : null,
      replaced: clean.replaced > 0 ? clean.replaced : undefined,
    });
    return done(value, `${found.artifact.path}: ${rows.length} rows${clean.replaced > 0 ? `, ${clean.replaced} characters replaced` : ''}`);
  },
});
