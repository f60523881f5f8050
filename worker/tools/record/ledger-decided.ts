import { z } from 'zod';
import { slug } from '../../domain/values.ts';
import { done } from '../answers.ts';
import { after } from '../shapes.ts';
import { tool } from '../tool.ts';
import { readRows } from './reads.ts';

export const ledgerDecided = tool({
  name: 'ledger.decided',
  description: 'The ids decided on a milestone, with the verdict that stands: `{decided: [{subject, verdict}], next}`, at most 5000 a page. Take work up by this, never by memory.',
  lanes: ['worker', 'coordinator', 'reviewer'],
  input: z.strictObject({ milestone: slug, after, limit: z.int().min(1).max(5000).default(5000) }),
  effect: 'none',
  subject: (args) => `ledger:${args.milestone}`,
  async run(args, env) {
    const prefix = `${args.milestone}/`;
    const decided: { subject: string; verdict: string }[] = [];
    let cursor = args.after;
    let next: string | null = null;
    // The record gives pages of its own size.
    do {
      const page = await readRows(env, { kind: 'ledger_subject', prefix, after: cursor, limit: Math.min(500, args.limit - decided.length) });
      decided.push(...page.rows.map((row) => ({ subject: row.id.slice(prefix.length), verdict: String(row.data.verdict) })));
      next = page.next;
      cursor = page.next ?? undefined;
    } while (next !== null && decided.length < args.limit);
    return done({ decided, next }, `${decided.length} decided`);
  },
});
