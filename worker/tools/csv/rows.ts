/** The arguments of the writing tools. */
import { z } from 'zod';
import { csvOptions } from './options.ts';

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export const csvRows = {
  columns: z.array(z.string().min(1).max(200)).min(1).max(500).describe('Column names in the order they are written.'),
  rows: z
    .array(z.union([z.record(z.string(), cell), z.array(cell)]))
    .max(20_000)
    .describe('Objects by column name, or arrays in column order.'),
  options: csvOptions.prefault({}),
};
