import { z } from 'zod';
import { done, no, plain } from '../answers.ts';
import { decodeUtf8 } from '../bytes.ts';
import { cleanJson } from '../clean.ts';
import { findFile, readWhole, WHOLE_FILE_LIMIT } from '../files/find.ts';
import { about, fileArgs, paging } from '../shapes.ts';
import { tool } from '../tool.ts';
import { atPointer, parseJson } from './parse.ts';

export const jsonRead = tool({
  name: 'json.read',
  description:
    'Reads a JSON file (strict UTF-8, at most 32 MiB), or the part under `pointer`. From an array `offset` elements are skipped and at most `limit` (5000) given. Answers `{value, length?, next?}`; `next` is the offset of the rest or null. Numbers whose digits a double cannot keep come as text, counted in `asText`. A file that is cut off or not JSON is refused as `malformed_data` with the line.',
  lanes: ['worker', 'coordinator', 'reviewer'],
  input: z.strictObject({
    ...fileArgs,
    pointer: z
      .string()
      .max(500)
      .regex(/^(\/.*)?$/s)
      .default(''),
    ...paging,
    about,
  }),
  effect: 'none',
  subject: (args) => args.about ?? args.path ?? args.digest ?? 'json.read',
  async run(args, env) {
    const found = findFile(env, args);
    if ('refusal' in found) return { ok: false, refusal: found.refusal };
    const { path } = found.artifact;
    const read = await readWhole(env, found.artifact, WHOLE_FILE_LIMIT);
    if ('refusal' in read) return { ok: false, refusal: read.refusal };
    const decoded = decodeUtf8(read.bytes, path);
    if ('refusal' in decoded) return { ok: false, refusal: decoded.refusal };
    const parsed = parseJson(decoded.text, path);
    if ('refusal' in parsed) return { ok: false, refusal: parsed.refusal };
    const whole = atPointer(parsed.value, args.pointer);
    if (whole === undefined) return no('not_found', { detail: `${path} has nothing at ${args.pointer}` });
    const part = Array.isArray(whole) ? whole.slice(args.offset, args.offset + args.limit) : whole;
    const clean = cleanJson(part);
    const rest = Array.isArray(whole) ? { length: whole.length, next: args.offset + args.limit < whole.length ? args.offset + args.limit : null } : {};
    const value = plain({ value: clean.value, ...rest, asText: parsed.asText > 0 ? parsed.asText : undefined, replaced: clean.replaced > 0 ? clean.replaced : undefined });
    return done(value, `${path}${args.pointer}${Array.isArray(part) ? `: ${part.length} elements` : ''}${clean.replaced > 0 ? `, ${clean.replaced} characters replaced` : ''}`);
  },
});
