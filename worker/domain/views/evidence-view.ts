/** What rests on a piece of evidence, and the decisions that are put up for a new verdict, worded from the record. What was erased is empty. */
import type { Lookup } from '../context.ts';
import { EVIDENCE_LISTED } from '../limits.ts';
import { hasFallen, restingOn } from '../planes/resting.ts';
import { dataOf, everyRow, recordOf, textOf } from '../record.ts';
import { invalidatedId } from '../rows.ts';
import type { State } from '../state.ts';
import type { PrincipalId } from '../values.ts';
import { dependents, isAccepted } from '../work/derive.ts';

export interface DecisionView {
  id: string;
  subject: string;
  milestone?: string;
  verdict: string;
  reason: string;
  by: PrincipalId;
  at: number;
  item?: string;
  evidence: string[];
  /** Of its evidence, what was found to be wrong. */
  fallen: string[];
  /** Put up for a new verdict, which is an entry that replaces it. */
  asked: boolean;
}

export interface EvidenceView {
  evidence: string;
  /** Nothing may rest on it any more. `mark`: when, by whom and why that was said; null where it fell with something else. */
  fallen: boolean;
  mark: { at: number; by: PrincipalId; reason: string } | null;
  facts: { key: string; version: number; current: boolean }[];
  decisions: DecisionView[];
  acceptances: { id: string; item: string; title: string; submission: string; number: number; by: PrincipalId; at: number }[];
  /** Accepted items that depend on those, however far, and that fall back with them. */
  downstream: { item: string; title: string }[];
  /** How many there are; lists are cut at EVIDENCE_LISTED. */
  counts: { facts: number; decisions: number; acceptances: number; downstream: number };
}

export function evidenceView(state: State, lookup: Lookup, evidence: string): EvidenceView {
  const rests = restingOn(state, lookup, evidence);
  const mark = recordOf(lookup, 'evidence_use', invalidatedId(evidence));
  const downstream = downstreamOf(state, rests.items);
  return {
    evidence,
    fallen: hasFallen(lookup, evidence),
    mark: mark?.at === undefined ? null : { at: mark.at, by: mark.by ?? 'host', reason: textOf(lookup, mark.reasonBody) },
    facts: rests.facts.slice(0, EVIDENCE_LISTED).flatMap((id) => {
      const fact = recordOf(lookup, 'fact_version', id);
      return fact ? [{ key: fact.key, version: fact.version, current: recordOf(lookup, 'fact', fact.key)?.version === fact.version }] : [];
    }),
    decisions: rests.decisions.slice(0, EVIDENCE_LISTED).flatMap((id) => decisionView(lookup, id)),
    acceptances: rests.items.slice(0, EVIDENCE_LISTED).flatMap((key) => {
      const item = state.items[key];
      if (!item?.verdict || !item.submission) return [];
      return [{ id: item.verdict.id, item: key, title: item.spec.title, submission: item.submission.id, number: item.submission.number, by: item.verdict.by, at: item.verdict.at }];
    }),
    downstream: downstream.slice(0, EVIDENCE_LISTED).map((key) => ({ item: key, title: state.items[key]?.spec.title ?? key })),
    counts: { facts: rests.facts.length, decisions: rests.decisions.length, acceptances: rests.items.length, downstream: downstream.length },
  };
}

/** Decisions put up for a new verdict and not made anew, oldest first; at most `limit`. */
export function askedDecisions(state: State, lookup: Lookup, limit: number): { count: number; data: DecisionView[] } {
  const data: DecisionView[] = [];
  if (state.decisionsAsked > 0) {
    for (const row of everyRow(lookup, 'ledger')) {
      const { id, asked, replacedBy } = dataOf('ledger', row);
      if (asked && replacedBy === undefined) data.push(...decisionView(lookup, id));
      if (data.length >= Math.min(limit, state.decisionsAsked)) break;
    }
  }
  return { count: state.decisionsAsked, data };
}

function decisionView(lookup: Lookup, id: string): DecisionView[] {
  const entry = recordOf(lookup, 'ledger', id);
  if (!entry) return [];
  const { subject, milestone, verdict, reasonBody, by, at, item, evidence } = entry;
  return [
    {
      id,
      subject,
      verdict,
      reason: textOf(lookup, reasonBody),
      by,
      at,
      evidence,
      fallen: evidence.filter((ref) => hasFallen(lookup, ref)),
      asked: entry.asked === true && entry.replacedBy === undefined,
      ...(milestone === undefined ? {} : { milestone }),
      ...(item === undefined ? {} : { item }),
    },
  ];
}

function downstreamOf(state: State, items: readonly string[]): string[] {
  const seen = new Set(items);
  const found: string[] = [];
  const open = [...items];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    for (const down of dependents(state, key)) {
      const item = state.items[down];
      if (seen.has(down) || !item || !isAccepted(item)) continue;
      seen.add(down);
      found.push(down);
      open.push(down);
    }
  }
  return found;
}
