import { z } from 'zod';
import { slug } from '../../domain/values.ts';
import { byCommand } from '../answers.ts';
import { tool } from '../tool.ts';

export const noteAppend = tool({
  name: 'note.append',
  description: 'Adds an entry to the note `topic`, which later rounds (`note.read`) and people can read.',
  lanes: ['worker', 'coordinator'],
  input: z.strictObject({ topic: slug, text: z.string().min(1).max(32_000) }),
  effect: 'record',
  subject: (args) => `note:${args.topic}`,
  run: (args, env) => byCommand(env, 'note.append', { topic: args.topic, text: args.text }, () => `note ${args.topic}`),
});
