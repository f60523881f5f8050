/**
 * What a conversation is kept as when it grows past the window, and what the next round of the same target may take up. Bounded in every part. It holds
 * what the model knows and the record does not; what the record knows is read anew beside it, so a snapshot can lose none of it.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonical } from '../../domain/digest.ts';
import type { Json } from '../../domain/values.ts';
import type { RoundContext } from '../../goal/rpc.ts';
import { cleanText } from '../../tools/clean.ts';
import type { Exchange } from './conversation.ts';

/** Of the shape below. A snapshot of another schema is not taken up. */
export const SNAPSHOT_SCHEMA = 1;

/** Entries of one list, and characters of one entry. */
const ENTRIES = 40;
const CHARACTERS = 400;

const list = z.array(z.string()).default([]);
/** As the model writes it, with the tool `context_snapshot`. */
export const writtenSnapshot = z.object({
  goal: z.string().describe('What must be there at the end of this round, in a sentence or two.'),
  deliverable: z.string().default('').describe('The files or record entries that make it.'),
  done: list.describe('What is done, each with where it is on record.'),
  next: list.describe('What to do next, in order; the first entry is the very next step.'),
  constraints: list.describe('What must be kept to, beside the contract, which you are given again.'),
  decisions: list.describe('What you decided and why.'),
  questions: list.describe('What is open.'),
  files: list.describe('Paths you need again, each with what is in it.'),
  events: list.describe('Ids you need again: calls, receipts, submissions, children.'),
});

export interface Snapshot extends z.infer<typeof writtenSnapshot> {
  schema: typeof SNAPSHOT_SCHEMA;
  /** Who wrote it: the model, or the host where the model could not. */
  by: 'model' | 'host';
}

/** Bounded and clean, whatever was written. `budget`: characters for all lists together. */
export function bounded(snapshot: Snapshot, budget: number): Snapshot {
  const short = (text: string, length: number) => cleanText(text).text.slice(0, length);
  const lists = ['next', 'questions', 'constraints', 'decisions', 'done', 'files', 'events'] as const;
  let left = budget;
  const kept = Object.fromEntries(
    lists.map((name) => {
      const entries: string[] = [];
      for (const entry of snapshot[name].slice(0, ENTRIES)) {
        const text = short(entry, CHARACTERS);
        if (text.length > left) break;
        left -= text.length;
        entries.push(text);
      }
      return [name, entries];
    }),
  ) as Pick<Snapshot, (typeof lists)[number]>;
  return { schema: SNAPSHOT_SCHEMA, by: snapshot.by, goal: short(snapshot.goal, 600), deliverable: short(snapshot.deliverable, 600), ...kept };
}

/** The host's own, from the calls that were made: less than a model would say, and never wrong. */
export function mechanicalSnapshot(context: RoundContext, exchanges: readonly Exchange[]): Snapshot {
  const calls = exchanges.flatMap(({ assistant, results }) =>
    (assistant?.calls ?? []).map((call, at) => `${call.alias}(${JSON.stringify(call.input).slice(0, 160)}) -> ${(results[at]?.text ?? '').slice(0, 160)}`),
  );
  const said = exchanges.findLast(({ assistant }) => (assistant?.text ?? '') !== '')?.assistant?.text ?? '';
  return {
    schema: SNAPSHOT_SCHEMA,
    by: 'host',
    goal: context.item?.objective ?? context.brief?.name ?? context.purpose ?? '',
    deliverable: context.item?.deliverable ?? '',
    done: calls.slice(-ENTRIES / 2),
    next: said === '' ? [] : [`You said last: ${said.slice(0, 300)}`],
    constraints: [],
    decisions: [],
    questions: [],
    files: [],
    events: [],
  };
}

/** What a snapshot is about. Where any of it is another, what was true then need not be now. */
export function basisOf(context: Pick<RoundContext, 'lane' | 'target' | 'purpose' | 'goalVersion' | 'planRevision' | 'item' | 'submission'>): string {
  const { lane, target, goalVersion, item, submission } = context;
  return sha256(canonical({ schema: SNAPSHOT_SCHEMA, lane, target, goalVersion, spec: item?.specDigest ?? null, submission: submission?.digest ?? null } as Json));
}

export function digestOfSnapshot(snapshot: Json): string {
  return sha256(canonical(snapshot));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
