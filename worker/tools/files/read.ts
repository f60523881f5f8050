import { z } from 'zod';
import { done, no, plain } from '../answers.ts';
import { toBase64 } from '../bytes.ts';
import { cleanText } from '../clean.ts';
import { wholeCharacters } from '../pages.ts';
import { about, fileArgs } from '../shapes.ts';
import { tool } from '../tool.ts';
import { findFile } from './find.ts';

/** Bytes of one answer. */
export const READ_LIMIT = 4 * 1024 * 1024;

export const filesRead = tool({
  name: 'files.read',
  description:
    'Reads bytes of a file: `{path}` or `{digest}`, from `offset` on, at most `length` bytes (4 MiB). As text (strict UTF-8, a byte order mark is left out of `text` and told by `bom`) or `encoding: "base64"`. Answers `{path, digest, size, offset, text|base64, bom, next}`; `next` is the offset of the rest or null. Text is cut at a character. NUL and lone surrogates become U+FFFD and are counted in `replaced`.',
  lanes: ['worker', 'coordinator', 'reviewer'],
  input: z.strictObject({
    ...fileArgs,
    encoding: z.enum(['text', 'base64']).default('text'),
    offset: z.int().min(0).default(0),
    length: z.int().min(1).max(READ_LIMIT).default(READ_LIMIT),
    about,
  }),
  effect: 'none',
  subject: (args) => args.about ?? args.path ?? args.digest ?? 'files.read',
  async run(args, env) {
    const found = findFile(env, args);
    if ('refusal' in found) return { ok: false, refusal: found.refusal };
    const { artifact } = found;
    let bytes = await env.files.range(artifact.digest, args.offset, args.length);
    if (!bytes) return no('unavailable', { detail: `the bytes of ${artifact.path} are not in the store` });
    const head = { path: artifact.path, digest: artifact.digest, size: artifact.size, offset: args.offset };
    if (args.encoding === 'base64') {
      const end = args.offset + bytes.length;
      return done({ ...head, base64: toBase64(bytes), next: end < artifact.size ? end : null }, `${artifact.path}: ${bytes.length} bytes`);
    }
    const cut = args.offset + bytes.length < artifact.size;
    if (cut) bytes = bytes.subarray(0, wholeCharacters(bytes));
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return no('malformed_data', {
        detail: `${artifact.path} is not UTF-8 between bytes ${args.offset} and ${args.offset + bytes.length}`,
        errors: [{ pointer: artifact.path, code: 'not_utf8' }],
      });
    }
    const bom = text.startsWith('\uFEFF');
    const clean = cleanText(bom ? text.slice(1) : text);
    const end = args.offset + bytes.length;
    const value = plain({ ...head, text: clean.text, bom, next: end < artifact.size ? end : null, replaced: clean.replaced > 0 ? clean.replaced : undefined });
    return done(value, `${artifact.path}: ${bytes.length} bytes${clean.replaced > 0 ? `, ${clean.replaced} characters replaced` : ''}`);
  },
});
