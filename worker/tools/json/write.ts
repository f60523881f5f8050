import { z } from 'zod';
import { filePath, json } from '../../domain/values.ts';
import { encodeUtf8 } from '../bytes.ts';
import { putFile } from '../files/put.ts';
import { about } from '../shapes.ts';
import { tool } from '../tool.ts';

export const jsonWrite = tool({
  name: 'json.write',
  description:
    'Stores `value` as a JSON file under `path`, indented by two spaces, or with `lines: true` an array as JSON Lines. Amounts and long ids belong in as strings. Answers `{path, digest, size}`.',
  lanes: ['worker', 'coordinator'],
  input: z.strictObject({ path: filePath, value: json, lines: z.boolean().default(false), about }),
  effect: 'record',
  bulk: ['value'],
  subject: (args) => args.about ?? args.path,
  run(args, env) {
    const lines = args.lines && Array.isArray(args.value);
    const text = lines ? (args.value as unknown[]).map((each) => `${JSON.stringify(each)}\n`).join('') : `${JSON.stringify(args.value, null, 2)}\n`;
    return putFile(env, args.path, encodeUtf8(text), lines ? 'application/jsonl' : 'application/json');
  },
});
