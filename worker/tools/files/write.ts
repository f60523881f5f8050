import { z } from 'zod';
import { filePath } from '../../domain/values.ts';
import { no } from '../answers.ts';
import { encodeUtf8, fromBase64 } from '../bytes.ts';
import { about, bytesArgs } from '../shapes.ts';
import { tool } from '../tool.ts';
import { putFile } from './put.ts';

/** Bytes of one call; larger files are written in parts with files.begin. */
export const WRITE_LIMIT = 16 * 1024 * 1024;

/** The bytes that the arguments give: exactly one of `text` and `base64`. */
export function bytesOf(args: { text?: string | undefined; base64?: string | undefined }): { bytes: Uint8Array } | { code: string; detail: string } {
  if ((args.text === undefined) === (args.base64 === undefined)) return { code: 'required', detail: 'exactly one of text and base64' };
  if (args.text !== undefined) return args.text.isWellFormed() ? { bytes: encodeUtf8(args.text) } : { code: 'lone_surrogate', detail: 'text holds a lone surrogate' };
  const bytes = fromBase64(args.base64 ?? '');
  return bytes ? { bytes } : { code: 'not_base64', detail: 'base64 is not base64' };
}

export const filesWrite = tool({
  name: 'files.write',
  description:
    'Stores a file under `path`: `text` (as UTF-8) or `base64`, at most 16 MiB, and names it on record as a working file (a goal-only coordinator: as a deliverable). Writing a path again gives a new version; the old one stays under its digest. Answers `{path, digest, size, type}`.',
  lanes: ['worker', 'coordinator'],
  input: z.strictObject({ path: filePath, ...bytesArgs, type: z.string().max(100).optional(), about }),
  effect: 'record',
  bulk: ['text', 'base64'],
  subject: (args) => args.about ?? args.path,
  async run(args, env) {
    const given = bytesOf(args);
    if (!('bytes' in given)) return no('schema_invalid', { errors: [{ pointer: '/text', ...given }] });
    if (given.bytes.length > WRITE_LIMIT)
      return no('limit_exceeded', { detail: `${given.bytes.length} bytes, the limit of one call is ${WRITE_LIMIT}`, current: { limit: WRITE_LIMIT } });
    return putFile(env, args.path, given.bytes, args.type);
  },
});
