import { z } from 'zod';
import { done, no } from '../answers.ts';
import { tool } from '../tool.ts';

export const filesAbort = tool({
  name: 'files.abort',
  description: 'Gives up a file begun with files.begin. No part of it stays, and no record ever named it. Answers `{upload, aborted: true}`.',
  lanes: ['worker', 'coordinator'],
  input: z.strictObject({ upload: z.string().max(200) }),
  effect: 'record',
  subject: (args) => args.upload,
  async run(args, env) {
    const upload = env.uploads.get(args.upload);
    if (!upload) return no('not_found', { detail: `no open upload ${args.upload}`, current: { open: [...env.uploads.keys()] } });
    env.uploads.delete(args.upload);
    await upload.abort();
    return done({ upload: args.upload, aborted: true }, `${upload.path} given up`);
  },
});
