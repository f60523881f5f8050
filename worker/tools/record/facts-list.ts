import { z } from 'zod';
import type { Json } from '../../domain/values.ts';
import { done } from '../answers.ts';
import { about, after, pageLimit } from '../shapes.ts';
import { tool } from '../tool.ts';
import { readBodies, readRows } from './reads.ts';

export const factsList = tool({
  name: 'facts.list',
  description:
    'Facts whose key starts with `prefix`, in order of key: `{facts: [{key, version, value, provenance}], next}`. `values: false` leaves the values out. `next` is the cursor for `after`, or null. At most 500 a page.',
  lanes: ['worker', 'coordinator', 'reviewer'],
  input: z.strictObject({ prefix: z.string().max(200).default(''), after, limit: pageLimit, values: z.boolean().default(true), about }),
  effect: 'none',
  subject: (args) => args.about ?? `facts:${args.prefix}`,
  async run(args, env) {
    const { rows, next } = await readRows(env, { kind: 'fact', prefix: args.prefix, after: args.after, limit: args.limit });
    const bodies = args.values
      ? await readBodies(
          env,
          rows.flatMap((row) => (typeof row.data.valueBody === 'string' ? [row.data.valueBody] : [])),
        )
      : new Map<string, Json>();
    const facts = rows.map(
      (row): Json => ({
        key: row.id,
        version: row.data.version ?? 0,
        provenance: row.data.provenance ?? null,
        ...(args.values ? { value: bodies.get(String(row.data.valueBody)) ?? null } : {}),
      }),
    );
    return done({ facts, next }, `${facts.length} facts`);
  },
});
