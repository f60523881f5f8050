import { z } from 'zod';
import { done } from '../answers.ts';
import { fileArgs } from '../shapes.ts';
import { tool } from '../tool.ts';
import { findFile } from './find.ts';

export const filesInfo = tool({
  name: 'files.info',
  description: 'The record of one file without its bytes: `{path, digest, size, type?}`. `not_found` lists the known paths.',
  lanes: ['worker', 'coordinator', 'reviewer'],
  input: z.strictObject(fileArgs),
  effect: 'none',
  subject: (args) => args.path ?? args.digest ?? 'files.info',
  async run(args, env) {
    const found = findFile(env, args);
    return 'refusal' in found ? { ok: false, refusal: found.refusal } : done({ ...found.artifact }, `${found.artifact.path}: ${found.artifact.size} bytes`);
  },
});
