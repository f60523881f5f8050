import { z } from 'zod';
import { done, no } from '../answers.ts';
import { about } from '../shapes.ts';
import { tool } from '../tool.ts';
import { readFact, subjectOfKey } from './reads.ts';

export const factsGet = tool({
  name: 'facts.get',
  description:
    'The current fact under `key`: `{key, version, value, provenance}`. `fact_unknown` when nothing stands there. Its subject is the id in the key: `invoice/INV-1/amount` is about INV-1.',
  lanes: ['worker', 'coordinator', 'reviewer'],
  input: z.strictObject({ key: z.string().min(1).max(200), about }),
  effect: 'none',
  subject: (args) => args.about ?? subjectOfKey(args.key),
  async run(args, env) {
    const fact = await readFact(env, args.key);
    return fact ? done({ ...fact }, `${args.key} v${fact.version}`) : no('fact_unknown', { detail: args.key });
  },
});
