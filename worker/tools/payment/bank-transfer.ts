import { z } from 'zod';
import { no } from '../answers.ts';
import { sendOutside } from '../outside.ts';
import { factRef } from '../shapes.ts';
import { tool } from '../tool.ts';

export const bankTransfer = tool({
  name: 'bank.transfer',
  description:
    'Starts a transfer at the bank outside: `{invoice_id, amount, account, currency}`. `amount` and `account` take fact references `{"$fact": key}` only; the host resolves them. A person approves it first, unless a policy allows it. Sent once under a permit with an idempotency key; `effect_unknown` means that nobody knows yet whether it happened: do not repeat it.',
  lanes: ['worker', 'coordinator'],
  input: z.strictObject({
    invoice_id: z.string().min(1).max(100),
    amount: z.union([z.string().max(60), factRef]),
    account: z.union([z.string().max(100), factRef]),
    currency: z.string().length(3).default('CNY'),
  }),
  effect: 'outside',
  policy: 'ask',
  factOnly: ['/amount', '/account'],
  timeoutMs: 20_000,
  probe: (_args, { bankProbe }) => (bankProbe ? { url: bankProbe } : undefined),
  subject: (args) => args.invoice_id,
  async run(args, env) {
    if (!env.services.bankUrl) return no('unavailable', { detail: 'this installation has no bank service' });
    return sendOutside(env, env.services.bankUrl, JSON.parse(JSON.stringify(args)));
  },
});
