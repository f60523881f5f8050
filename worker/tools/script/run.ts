import { z } from 'zod';
import { filePath, type Json, json } from '../../domain/values.ts';
import { done, no } from '../answers.ts';
import { decodeUtf8, encodeUtf8 } from '../bytes.ts';
import { cleanJson } from '../clean.ts';
import { findFile, readWhole } from '../files/find.ts';
import { putFile } from '../files/put.ts';
import { about } from '../shapes.ts';
import { tool } from '../tool.ts';

/** Wall time of a script, bytes of one file that it is given, characters of what it returns and of what it may store. */
const TIME = 30_000;
const FILE_LIMIT = 8 * 1024 * 1024;
const RETURN_LIMIT = 256 * 1024;
const STORE_LIMIT = 16 * 1024 * 1024;

export const scriptRun = tool({
  name: 'script.run',
  description:
    'Runs plain JavaScript in a sandbox without network, files or clock of its own: `{code, input?, files?, saveAs?}`. `code` is an ES module with `export default (input) => result` (it may be async); `input` is what you pass, with `input.files[path]` the text of each of `files` where `input` is an object. The result must be JSON, at most 256 KiB; with `saveAs` it is stored as a working file instead (a string as it is, anything else as JSON, at most 16 MiB). 30 seconds. What it throws comes back as `{threw}`. Use it to compute over data instead of computing in your head.',
  lanes: ['worker', 'coordinator', 'reviewer'],
  input: z.strictObject({
    code: z.string().min(1).max(200_000),
    input: json.optional(),
    files: z.array(filePath).max(10).default([]),
    saveAs: filePath.optional().describe('Not for reviewers.'),
    about,
  }),
  effect: 'record',
  reads: (args) => args.saveAs === undefined,
  bulk: ['code', 'input'],
  timeoutMs: TIME + 10_000,
  subject: (args) => args.about ?? args.saveAs ?? 'script.run',
  async run(args, env) {
    if (!env.runScript) return no('unavailable', { detail: 'this installation has no sandbox for scripts' });
    if (args.saveAs && env.context.lane === 'reviewer') return no('forbidden', { detail: 'a reviewer writes no files' });
    const files: { [path: string]: Json } = {};
    for (const path of args.files) {
      const found = findFile(env, { path });
      if ('refusal' in found) return { ok: false, refusal: found.refusal };
      const read = await readWhole(env, found.artifact, FILE_LIMIT);
      if ('refusal' in read) return { ok: false, refusal: read.refusal };
      const decoded = decodeUtf8(read.bytes, path);
      if ('refusal' in decoded) return { ok: false, refusal: decoded.refusal };
      files[path] = decoded.text;
    }
    const given = args.input ?? {};
    const isObject = given !== null && typeof given === 'object' && !Array.isArray(given);
    if (args.files.length > 0 && !isObject)
      return no('schema_invalid', { errors: [{ pointer: '/input', code: 'invalid_type', detail: 'an object, so that files can stand beside it' }] });
    const ran = await env.runScript(args.code, isObject && args.files.length > 0 ? { ...given, files } : given, TIME);
    switch (ran.kind) {
      case 'refused':
        return no('unavailable', { detail: ran.reason });
      case 'stopped':
        return no('limit_exceeded', { detail: `the script did not end within ${TIME} ms`, current: { limit: TIME } });
      case 'threw':
        return done({ threw: ran.message }, `threw: ${ran.message.slice(0, 300)}`);
      case 'returned':
        break;
    }
    const clean = cleanJson(ran.value).value;
    const text = typeof clean === 'string' ? clean : JSON.stringify(clean);
    const limit = args.saveAs ? STORE_LIMIT : RETURN_LIMIT;
    if (text.length > limit)
      return no('limit_exceeded', { detail: `the result has ${text.length} characters, the limit is ${limit}${args.saveAs ? '' : '; give saveAs'}`, current: { limit } });
    if (args.saveAs) return putFile(env, args.saveAs, encodeUtf8(text), typeof clean === 'string' ? undefined : 'application/json');
    return done({ result: clean }, `returned ${text.length} characters`);
  },
});
