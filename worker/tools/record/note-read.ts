import { z } from 'zod';
import { slug } from '../../domain/values.ts';
import { done } from '../answers.ts';
import { after } from '../shapes.ts';
import { tool } from '../tool.ts';
import { readBodies, readRows } from './reads.ts';

export const noteRead = tool({
  name: 'note.read',
  description:
    'Notes of this goal, newest entry of a topic last: `{notes: [{topic, kind, n, text, by, at}], next}`. `topic` keeps one; without it all are read in the order of their topics. `by` says whose memory it is: a note is what somebody thought then, the record is what holds. At most 50 a page. `text` is null where it was erased.',
  lanes: ['worker', 'coordinator'],
  input: z.strictObject({ topic: slug.optional(), after, limit: z.int().min(1).max(50).default(20) }),
  effect: 'none',
  subject: (args) => `note:${args.topic ?? ''}`,
  async run(args, env) {
    const { rows, next } = await readRows(env, { kind: 'note', prefix: args.topic === undefined ? undefined : `${args.topic}/`, after: args.after, limit: args.limit });
    const bodies = await readBodies(
      env,
      rows.map((row) => String(row.data.textBody)),
    );
    const notes = rows.map(({ data }) => ({
      topic: data.topic ?? null,
      kind: data.kind ?? null,
      n: data.n ?? null,
      text: bodies.get(String(data.textBody)) ?? null,
      by: data.by ?? null,
      at: data.at ?? null,
    }));
    return done({ notes, next }, `${notes.length} entries of notes`);
  },
});
