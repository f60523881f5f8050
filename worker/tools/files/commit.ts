import { z } from 'zod';
import { no } from '../answers.ts';
import { tool } from '../tool.ts';
import { nameFile } from './put.ts';

export const filesCommit = tool({
  name: 'files.commit',
  description: 'Puts the parts of a file together, stores it under its digest and names it on record, all or nothing. Answers `{path, digest, size, type?, parts, peakInFlight}`.',
  lanes: ['worker', 'coordinator'],
  input: z.strictObject({ upload: z.string().max(200) }),
  effect: 'record',
  timeoutMs: 300_000,
  subject: (args) => args.upload,
  async run(args, env) {
    const upload = env.uploads.get(args.upload);
    if (!upload) return no('not_found', { detail: `no open upload ${args.upload}`, current: { open: [...env.uploads.keys()] } });
    env.uploads.delete(args.upload);
    const { parts, peak, digest, size } = await upload.commit();
    return nameFile(env, { path: upload.path, digest, size, ...(upload.type === undefined ? {} : { type: upload.type }) }, { parts, peakInFlight: peak });
  },
});
