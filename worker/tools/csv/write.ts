import { z } from 'zod';
import { filePath } from '../../domain/values.ts';
import { encodeUtf8 } from '../bytes.ts';
import { putFile } from '../files/put.ts';
import { about } from '../shapes.ts';
import { tool } from '../tool.ts';
import { encodeCsv } from './options.ts';
import { csvRows } from './rows.ts';

export const csvWrite = tool({
  name: 'csv.write',
  description:
    'Writes `rows` (at most 20,000; more with files.begin and csv.append) as a CSV file under `path`. `options`: `{bom, lineEnd: "crlf"|"lf", delimiter, quoting: "needed"|"all", header, formulaGuard, program: "excel-zh"|"libreoffice"|"wps", longDigits: "plain"|"tab"|"equals"|"quote"}`; defaults: no BOM, CRLF, quotes where needed, guard on. The guard puts an apostrophe before text that starts with = + - @ TAB CR and leaves plain numbers such as -12.50 and -1,234.50 alone. Answers `{path, digest, size, rows}`.',
  lanes: ['worker', 'coordinator'],
  input: z.strictObject({ path: filePath, ...csvRows, about }),
  effect: 'record',
  bulk: ['rows'],
  subject: (args) => args.about ?? args.path,
  run: (args, env) => putFile(env, args.path, encodeUtf8(encodeCsv(args.columns, args.rows, args.options)), 'text/csv; charset=utf-8', { rows: args.rows.length }),
});
