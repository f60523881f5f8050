import { z } from 'zod';
import { filePath, json, sha256Hex } from '../../domain/values.ts';
import { byCommand } from '../answers.ts';
import { about } from '../shapes.ts';
import { tool } from '../tool.ts';
import { subjectOfKey } from './reads.ts';

/** Without `person`: an agent cannot say that a person said so. */
export const agentProvenance = z.discriminatedUnion('from', [
  z.strictObject({ from: z.literal('call'), call: z.string().min(1).max(200) }),
  z.strictObject({ from: z.literal('artifact'), digest: sha256Hex, section: z.string().max(200).optional() }),
  z.strictObject({ from: z.literal('file'), path: filePath, section: z.string().max(200).optional() }),
]);
export const factInput = z.strictObject({ key: z.string().regex(/^[^\s#]{1,200}$/), value: json, provenance: agentProvenance });

export const factsRecord = tool({
  name: 'facts.record',
  description:
    'Records typed values under keys, each with provenance `{from: "call", call}` (the `call` of an earlier answer), `{from: "file", path, section?}` or `{from: "artifact", digest, section?}`. At most 500. Amounts and long ids are strings. Recording the same value again changes nothing.',
  lanes: ['worker', 'coordinator'],
  input: z.strictObject({ facts: z.array(factInput).min(1).max(500), about }),
  effect: 'record',
  subject: (args) => args.about ?? subjectOfKey(args.facts[0]?.key ?? 'facts'),
  run: (args, env) => byCommand(env, 'fact.record', { facts: args.facts }, () => `${args.facts.length} facts, first ${args.facts[0]?.key}`),
});
