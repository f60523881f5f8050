import { z } from 'zod';
import { done } from '../answers.ts';
import { about } from '../shapes.ts';
import { tool } from '../tool.ts';
import { encodeCsv } from './options.ts';
import { csvRows } from './rows.ts';

export const csvEncode = tool({
  name: 'csv.encode',
  description: 'Encodes `rows` as csv.write does and gives the text back without storing anything. `first: false` leaves byte order mark and header out. Answers `{text, rows}`.',
  lanes: ['worker', 'coordinator', 'reviewer'],
  input: z.strictObject({ ...csvRows, first: z.boolean().default(true), about }),
  effect: 'none',
  bulk: ['rows'],
  subject: (args) => args.about ?? 'csv.encode',
  async run(args) {
    const text = encodeCsv(args.columns, args.rows, args.options, args.first);
    return done({ text, rows: args.rows.length }, `${args.rows.length} rows`);
  },
});
