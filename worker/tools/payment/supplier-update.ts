import { z } from 'zod';
import { no } from '../answers.ts';
import { sendOutside } from '../outside.ts';
import { factRef } from '../shapes.ts';
import { tool } from '../tool.ts';

export const supplierUpdate = tool({
  name: 'supplier.update',
  description:
    'Changes the master data of a supplier in the supplier service outside: `{supplier_id, changes: {bank_account?, name?}}`. The account takes a fact reference `{"$fact": key}` only. A person approves it first, unless a policy allows it. Sent once under a permit with an idempotency key; `effect_unknown` means that nobody knows yet whether it happened: do not repeat it.',
  lanes: ['worker', 'coordinator'],
  input: z.strictObject({
    supplier_id: z.string().min(1).max(100),
    changes: z.strictObject({ bank_account: z.union([z.string().max(100), factRef]).optional(), name: z.string().max(200).optional() }),
  }),
  effect: 'outside',
  policy: 'ask',
  factOnly: ['/changes/bank_account'],
  timeoutMs: 20_000,
  probe: (_args, { supplierProbe }) => (supplierProbe ? { url: supplierProbe } : undefined),
  subject: (args) => args.supplier_id,
  async run(args, env) {
    if (!env.services.supplierUrl) return no('unavailable', { detail: 'this installation has no supplier service' });
    return sendOutside(env, env.services.supplierUrl, JSON.parse(JSON.stringify(args)));
  },
});
