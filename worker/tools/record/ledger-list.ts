import { z } from 'zod';
import { slug } from '../../domain/values.ts';
import { done } from '../answers.ts';
import { about, after, pageLimit } from '../shapes.ts';
import { tool } from '../tool.ts';
import { readBodies, readRows } from './reads.ts';

export const ledgerList = tool({
  name: 'ledger.list',
  description:
    'Decisions in the order they were recorded, with reasons and evidence: `{entries: [{seq, subject, milestone, verdict, reason, evidence, facts, replaced, by, attempt, at}], next}`. `by`, `attempt` and `at` (milliseconds) say who decided it, in which Attempt and when. `milestone` keeps those of one milestone only (a page may then be short; follow `next`). At most 500 a page. For the ids alone ledger.decided is far cheaper.',
  lanes: ['worker', 'coordinator', 'reviewer'],
  input: z.strictObject({ milestone: slug.optional(), after, limit: pageLimit, about }),
  effect: 'none',
  subject: (args) => args.about ?? `ledger:${args.milestone ?? ''}`,
  async run(args, env) {
    const { rows, next } = await readRows(env, { kind: 'ledger', after: args.after, limit: args.limit });
    const kept = rows.filter((row) => args.milestone === undefined || row.data.milestone === args.milestone);
    const bodies = await readBodies(
      env,
      kept.map((row) => String(row.data.reasonBody)),
    );
    const entries = kept.map((row) => ({
      seq: row.seq,
      id: row.id,
      subject: row.data.subject ?? null,
      milestone: row.data.milestone ?? null,
      verdict: row.data.verdict ?? null,
      reason: bodies.get(String(row.data.reasonBody)) ?? null,
      evidence: row.data.evidence ?? [],
      facts: row.data.facts ?? [],
      replaced: row.data.replacedBy !== undefined && row.data.replacedBy !== null,
      by: row.data.by ?? null,
      attempt: row.data.attempt ?? null,
      at: row.data.at ?? null,
    }));
    return done({ entries, next }, `${entries.length} decisions`);
  },
});
