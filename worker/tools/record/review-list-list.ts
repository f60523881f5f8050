import { z } from 'zod';
import { slug } from '../../domain/values.ts';
import { done } from '../answers.ts';
import { after, pageLimit } from '../shapes.ts';
import { tool } from '../tool.ts';
import { readBodies, readRows } from './reads.ts';

export const reviewListList = tool({
  name: 'review_list.list',
  description:
    'The needs-review list, also what the host parked: `{entries: [{subject, milestone, note, how: "agent"|"drift", state: "open"|"resolved"}], next}`. `milestone` narrows it. At most 500 a page.',
  lanes: ['worker', 'coordinator', 'reviewer'],
  input: z.strictObject({ milestone: slug.optional(), after, limit: pageLimit }),
  effect: 'none',
  subject: (args) => `review_list:${args.milestone ?? ''}`,
  async run(args, env) {
    const { rows, next } = await readRows(env, {
      kind: 'review_list',
      prefix: args.milestone === undefined ? undefined : `${args.milestone}/`,
      after: args.after,
      limit: args.limit,
    });
    const bodies = await readBodies(
      env,
      rows.map((row) => String(row.data.noteBody)),
    );
    const entries = rows.map((row) => ({
      subject: row.data.subject ?? null,
      milestone: row.data.milestone ?? null,
      note: bodies.get(String(row.data.noteBody)) ?? null,
      how: row.data.how ?? null,
      state: row.data.state ?? null,
    }));
    return done({ entries, next }, `${entries.length} on the list`);
  },
});
