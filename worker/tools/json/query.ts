import { search } from '@jmespath-community/jmespath';
import { z } from 'zod';
import { type Json, json } from '../../domain/values.ts';
import { done, no, plain } from '../answers.ts';
import { decodeUtf8 } from '../bytes.ts';
import { cleanJson } from '../clean.ts';
import { findFile, readWhole } from '../files/find.ts';
import { about, fileArgs } from '../shapes.ts';
import { tool } from '../tool.ts';
import { unfit } from './expression.ts';
import { parseJson } from './parse.ts';

/** Bytes of a file that is queried, and characters of the answer. */
const FILE_LIMIT = 8 * 1024 * 1024;
const ANSWER_LIMIT = 512 * 1024;
export const jsonQuery = tool({
  name: 'json.query',
  description:
    "Asks a JMESPath expression of a JSON file (at most 8 MiB) or of `value`: `{path | value, query}`, e.g. `items[?state=='open'].{id: id, total: sum(lines[].amount)} | sort_by(@, &id)`. Numbers whose digits a double cannot keep come as text, so compare them as text. Answers `{result, asText?}`; a result over 512 KiB is refused: ask for less.",
  lanes: ['worker', 'coordinator', 'reviewer'],
  input: z.strictObject({ ...fileArgs, value: json.optional().describe('Instead of a file.'), query: z.string().min(1).max(2000), about }),
  effect: 'none',
  bulk: ['value'],
  subject: (args) => args.about ?? args.path ?? args.digest ?? 'json.query',
  async run(args, env) {
    const wrong = unfit(args.query);
    if (wrong) return no('schema_invalid', { detail: wrong, errors: [{ pointer: '/query', code: 'query', detail: wrong }] });
    let data: { value: Json; asText: number };
    if (args.value !== undefined) data = { value: args.value, asText: 0 };
    else {
      const found = findFile(env, args);
      if ('refusal' in found) return { ok: false, refusal: found.refusal };
      const read = await readWhole(env, found.artifact, FILE_LIMIT);
      if ('refusal' in read) return { ok: false, refusal: read.refusal };
      const decoded = decodeUtf8(read.bytes, found.artifact.path);
      if ('refusal' in decoded) return { ok: false, refusal: decoded.refusal };
      const parsed = parseJson(decoded.text, found.artifact.path);
      if ('refusal' in parsed) return { ok: false, refusal: parsed.refusal };
      data = parsed;
    }
    let result: Json;
    try {
      result = (search(data.value as Parameters<typeof search>[0], args.query) ?? null) as Json;
    } catch (error) {
      const detail = `the query failed: ${error instanceof Error ? error.message : String(error)}`.slice(0, 500);
      return no('schema_invalid', { detail, errors: [{ pointer: '/query', code: 'query', detail }] });
    }
    const size = JSON.stringify(result).length;
    if (size > ANSWER_LIMIT) return no('limit_exceeded', { detail: `the result has ${size} characters, the limit is ${ANSWER_LIMIT}`, current: { size, limit: ANSWER_LIMIT } });
    const clean = cleanJson(result);
    return done(
      plain({ result: clean.value, asText: data.asText > 0 ? data.asText : undefined }),
      `${Array.isArray(result) ? `${result.length} results` : typeof result} of ${args.query.slice(0, 200)}`,
    );
  },
});
