import { z } from 'zod';
import { done, no } from '../answers.ts';
import { bytesArgs } from '../shapes.ts';
import { tool } from '../tool.ts';
import { bytesOf, WRITE_LIMIT } from './write.ts';

export const filesAppend = tool({
  name: 'files.append',
  description:
    'Adds `text` or `base64` (at most 16 MiB) to the end of a file begun with files.begin. Returns once the part is taken; it waits while too many are on their way. Answers `{upload, bytes}`.',
  lanes: ['worker', 'coordinator'],
  input: z.strictObject({ upload: z.string().max(200), ...bytesArgs }),
  effect: 'record',
  bulk: ['text', 'base64'],
  subject: (args) => args.upload,
  async run(args, env) {
    const upload = env.uploads.get(args.upload);
    if (!upload) return no('not_found', { detail: `no open upload ${args.upload}`, current: { open: [...env.uploads.keys()] } });
    const given = bytesOf(args);
    if (!('bytes' in given)) return no('schema_invalid', { errors: [{ pointer: '/text', ...given }] });
    if (given.bytes.length > WRITE_LIMIT) return no('limit_exceeded', { detail: `${given.bytes.length} bytes, the limit of one call is ${WRITE_LIMIT}` });
    await upload.append(given.bytes);
    return done({ upload: args.upload, bytes: given.bytes.length }, `${given.bytes.length} bytes to ${upload.path}`);
  },
});
