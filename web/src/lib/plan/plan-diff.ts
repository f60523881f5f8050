/** What a proposed plan changes against the one in force: item by item, field by field. */
import type { Json, PlanItem } from '../api/types.ts';

export interface ItemChange {
  key: string;
  title: string;
  kind: 'added' | 'changed' | 'removed' | 'kept';
  /** Fields whose value differs, of a changed item. */
  fields: { name: string; before: string; after: string }[];
  item: Partial<PlanItem>;
}

const shownFields = [
  'title',
  'kind',
  'objective',
  'deliverable',
  'acceptance',
  'covers',
  'inputs',
  'outputs',
  'dependsOn',
  'parent',
  'required',
  'executor',
  'review',
  'checks',
  'limits',
  'input',
] as const;

const itemsOf = (document: Json): Partial<PlanItem>[] => {
  const items = document !== null && typeof document === 'object' && !Array.isArray(document) ? document.items : undefined;
  return Array.isArray(items) ? items.filter((item) => item !== null && typeof item === 'object' && !Array.isArray(item)).map((item) => item as unknown as Partial<PlanItem>) : [];
};

/** A value as people read it in a diff. */
export function plainText(name: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) {
    return value
      .map((entry: unknown) => {
        if (entry === null || typeof entry !== 'object') return String(entry);
        const part = entry as Record<string, unknown>;
        if (name === 'acceptance') return `${part.id}: ${part.text}`;
        if (name === 'dependsOn') return part.kind === 'soft' ? `(${part.key})` : String(part.key);
        if (name === 'outputs') return String(part.scope);
        if (name === 'review') return part.by === 'agent' && part.reviewer ? `agent: ${executorText(part.reviewer)}` : String(part.by);
        if (name === 'checks') return typeof part.title === 'string' ? part.title : String(part.key);
        return JSON.stringify(entry);
      })
      .join('\n');
  }
  if (name === 'executor') return executorText(value);
  return JSON.stringify(value);
}

export function executorText(value: unknown): string {
  if (value === null || typeof value !== 'object') return '';
  const who = value as Record<string, unknown>;
  switch (who.kind) {
    case 'agent':
      return `agent: ${who.profile}`;
    case 'skill':
      return `skill: ${who.skill}/${who.script}`;
    case 'external':
      return `external: ${who.name}`;
    default:
      return typeof who.principal === 'string' ? who.principal : String(who.kind);
  }
}

/** In the order of the proposed document; what is removed comes last. */
export function planDiff(active: Json, proposed: Json): ItemChange[] {
  const before = new Map(itemsOf(active).map((item) => [item.key ?? '', item]));
  const changes = itemsOf(proposed).map((item): ItemChange => {
    const key = item.key ?? '';
    const old = before.get(key);
    before.delete(key);
    const title = item.title ?? key;
    if (!old) return { key, title, kind: 'added', fields: [], item };
    const fields = shownFields.flatMap((name) =>
      JSON.stringify(old[name] ?? null) === JSON.stringify(item[name] ?? null) ? [] : [{ name, before: plainText(name, old[name]), after: plainText(name, item[name]) }],
    );
    return { key, title, kind: fields.length > 0 ? 'changed' : 'kept', fields, item };
  });
  return [...changes, ...[...before].map(([key, item]): ItemChange => ({ key, title: item.title ?? key, kind: 'removed', fields: [], item }))];
}

/** Criteria of the contract that no item of the plan covers. */
export function uncovered(proposed: Json, criteria: readonly { id: string; verify: string }[]): string[] {
  const covered = new Set(itemsOf(proposed).flatMap((item) => item.covers ?? []));
  return criteria.filter((criterion) => criterion.verify === 'review' && !covered.has(criterion.id)).map((criterion) => criterion.id);
}
