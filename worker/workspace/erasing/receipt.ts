/** What is left to show of an erasure: what was erased, how much of it, when, by whom; what is kept and why. Ids alone, no name and no address. Its digest is over all of it. */
import { digestOf } from '../../domain/digest.ts';
import type { Json } from '../../domain/values.ts';

/** `audit_ids`: rows of audits name who did what by id. `record_ids`: so do the records of goals. `goal_marks`: ids of erased goals, so that nothing writes them again. `receipt`: this. */
export type KeptCode = 'audit_ids' | 'record_ids' | 'goal_marks' | 'receipt';

const why: Record<KeptCode, string> = {
  audit_ids: 'Who changed what stays accountable: rows of an audit keep the id, not the name or the address.',
  record_ids: 'Decisions on record keep the id of who made them; texts of goals belong to their workspace.',
  goal_marks: 'The ids of erased goals stay, without content, so that nothing that comes late writes them again.',
  receipt: 'That it was erased must be shown.',
};

export interface Receipt {
  kind: 'workspace' | 'person';
  subject: string;
  askedBy: string;
  askedAt: number;
  doneAt: number;
  /** How many of each. */
  erased: Record<string, number>;
  kept: { what: KeptCode; why: string }[];
  /** The head that the workspace's audit had. */
  auditHead?: { seq: number; digest: string };
  digest: string;
}

export function receiptOf(sha256: (text: string) => string, given: Omit<Receipt, 'digest' | 'kept'> & { kept: readonly KeptCode[] }): Receipt {
  const receipt = { ...given, erased: sorted(given.erased), kept: given.kept.map((what) => ({ what, why: why[what] })) };
  return { ...receipt, digest: digestOf(sha256, receipt as unknown as Json) };
}

const sorted = (counts: Record<string, number>) => Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
