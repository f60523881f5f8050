/**
 * What rests on a piece of evidence, however far: a fact taken from it, a decision that cites it or that fact, a delivery whose claims cite them or that holds the file, and the
 * acceptance of that delivery. A delivery rests on the receipts of its checks. What cites a section rests on the whole as well.
 */
import type { Lookup, Row } from '../context.ts';
import { dataOf, everyRow, recordOf } from '../record.ts';
import { invalidatedId } from '../rows.ts';
import type { Item, State } from '../state.ts';
import type { Json } from '../values.ts';
import { isAccepted } from '../work/derive.ts';

export interface Resting {
  /** `<key>@<version>` of facts taken from it. */
  facts: string[];
  /** Entries of the ledger that stand. */
  decisions: string[];
  submissions: string[];
  /** Keys of items whose live acceptance rests on it. */
  items: string[];
}

/** What a fact was taken from, as references. */
export function sourcesOf(provenance: Json): string[] {
  if (typeof provenance !== 'object' || provenance === null || Array.isArray(provenance)) return [];
  const { from, call, digest, path, section, evidence } = provenance as { [key: string]: Json };
  const part = typeof section === 'string' ? `#${section}` : '';
  switch (from) {
    case 'call':
      return [`call:${call}`];
    case 'artifact':
      return [`artifact:${digest}${part}`];
    case 'file':
      return [`file:${path}${part}`];
    case 'blocker':
      return Array.isArray(evidence) ? evidence.map(String) : [];
    default:
      return [];
  }
}

export const wholeOf = (ref: string): string => ref.split('#')[0] ?? ref;

/** A version of a fact, and for which part of the record it held: from `since` until before `until`. */
interface FactVersion {
  id: string;
  key: string;
  sources: string[];
  since: number;
  until: number;
}

/** By what they were taken from, and by the whole of it. */
function factsBySource(lookup: Lookup): Map<string, FactVersion[]> {
  const versions: FactVersion[] = [];
  for (const row of everyRow(lookup, 'fact_version')) {
    const { key, provenance } = dataOf('fact_version', row);
    const before = versions.at(-1);
    if (before?.key === key) before.until = row.seq;
    versions.push({ id: row.id, key, sources: sourcesOf(provenance), since: row.seq, until: Number.POSITIVE_INFINITY });
  }
  const by = new Map<string, FactVersion[]>();
  for (const version of versions) for (const name of new Set(version.sources.flatMap((source) => [source, wholeOf(source)]))) by.set(name, [...(by.get(name) ?? []), version]);
  return by;
}

/** Costs the uses of what is found, and all facts of the Goal once. */
export function restingOn(state: State, lookup: Lookup, evidence: string): Resting {
  const facts = factsBySource(lookup);
  const found = { facts: new Set<string>(), decisions: new Set<string>(), submissions: new Set<string>(), acceptances: new Set<string>() };
  const open: { ref: string; since: number; until: number }[] = [{ ref: evidence, since: 0, until: Number.POSITIVE_INFINITY }];
  const reach = (ref: string) => open.push({ ref, since: 0, until: Number.POSITIVE_INFINITY });
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { ref, since, until } = next;
    for (const row of usesOf(lookup, ref)) {
      if (row.seq < since || row.seq >= until) continue;
      const { kind, used } = dataOf('evidence_use', row);
      if (kind === 'invalidated') continue;
      const known = kind === 'ledger' ? found.decisions : kind === 'submission' ? found.submissions : found.acceptances;
      if (known.has(used)) continue;
      known.add(used);
      reach(`${kind}:${used}`);
    }
    for (const fact of facts.get(ref) ?? []) {
      if (found.facts.has(fact.id)) continue;
      found.facts.add(fact.id);
      open.push({ ref: `fact:${fact.key}`, since: fact.since, until: fact.until });
    }
    const checked = ref.startsWith('receipt:') ? recordOf(lookup, 'receipt', ref.slice(8))?.submission : undefined;
    for (const item of Object.values(state.items)) {
      const id = item.submission?.id;
      if (id === undefined || found.submissions.has(id) || (checked !== id && !holds(lookup, state, item, ref))) continue;
      found.submissions.add(id);
      reach(`submission:${id}`);
    }
  }
  return {
    facts: [...found.facts].sort(),
    decisions: [...found.decisions].filter((id) => recordOf(lookup, 'ledger', id)?.replacedBy === undefined).sort(),
    submissions: [...found.submissions].sort(),
    items: Object.values(state.items)
      .filter((item) => isAccepted(item) && (found.submissions.has(item.submission?.id ?? '') || found.acceptances.has(item.verdict?.id ?? '')))
      .map((item) => item.key),
  };
}

function usesOf(lookup: Lookup, ref: string): Row[] {
  const prefixes = ref.includes('#') ? [`${ref}|`] : [`${ref}|`, `${ref}#`];
  return prefixes.flatMap((prefix) => [...everyRow(lookup, 'evidence_use', { prefix })]);
}

/** The newest delivery of an item is or holds what the reference names. */
function holds(lookup: Lookup, state: State, item: Item, ref: string): boolean {
  const id = item.submission?.id ?? '';
  if (ref === `submission:${id}`) return true;
  const named = ref.startsWith('artifact:') ? { digest: ref.slice(9) } : ref.startsWith('file:') && !Object.hasOwn(state.sources, ref.slice(5)) ? { path: ref.slice(5) } : null;
  if (named === null) return false;
  return recordOf(lookup, 'submission', id)?.artifacts.some((file) => ('digest' in named ? file.digest === named.digest : file.path === named.path)) ?? false;
}

/**
 * Whether the reference, or the whole that it is a section of, was found to be wrong and nothing may rest on it. A file, fact or attestation counts again where something newer
 * stands under its name; a fact falls with what it was taken from, a decision with what it rests on.
 */
export function hasFallen(lookup: Lookup, ref: string, asked: ReadonlySet<string> = new Set()): boolean {
  const whole = wholeOf(ref);
  // Answers may cite each other's facts: a circle stands or falls with what else it rests on.
  if (asked.has(whole)) return false;
  const cut = whole.indexOf(':');
  const [kind, id] = [whole.slice(0, cut), whole.slice(cut + 1)];
  for (const name of new Set([ref, whole])) {
    const mark = lookup.row('evidence_use', invalidatedId(name));
    if (mark && !renewedSince(lookup, kind, id, mark.seq)) return true;
  }
  if (kind === 'ledger') return recordOf(lookup, 'ledger', id)?.flagged !== undefined;
  if (kind === 'fact') return sourcesOf(recordOf(lookup, 'fact', id)?.provenance ?? null).some((source) => hasFallen(lookup, source, new Set([...asked, whole])));
  return false;
}

/** Something else stands under the name since. The same bytes again are nothing else. */
function renewedSince(lookup: Lookup, kind: string, id: string, seq: number): boolean {
  switch (kind) {
    case 'file': {
      const stored = lookup.rows('artifact', { prefix: `${id}@`, newestFirst: true, limit: 200 });
      const newest = stored[0];
      const before = stored.find((row) => row.seq < seq);
      return newest !== undefined && newest.seq > seq && dataOf('artifact', newest).artifact.digest !== (before && dataOf('artifact', before).artifact.digest);
    }
    case 'fact':
    case 'attestation':
      return (lookup.row(kind, id)?.seq ?? 0) > seq;
    default:
      return false;
  }
}
