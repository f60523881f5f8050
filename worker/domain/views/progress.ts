/** What whoever has a progress link sees of a goal: what it is called, how far it is, and what waits, by kind and number. No id, no name of a person, no text but titles, no figure of money. Pure. */
import { needsPerson } from './needs-you.ts';
import type { GoalBar, Next } from './types.ts';

export interface Progress {
  title: string;
  status: GoalBar['status'];
  why: Next['why']['kind'];
  /** Of the last event. */
  at: number;
  /** When the link runs out. */
  until: number;
  criteria: { proven: number; of: number };
  items: { accepted: number; required: number };
  milestones: { title: string; count: number; target: number | null }[];
  /** What waits for a person. */
  waits: { act: Next['who'][number]['act']; count: number }[];
}

export function progressOf({ title, status, at, next, criteria, items, milestones }: GoalBar, until: number): Progress {
  const counts = new Map<Progress['waits'][number]['act'], number>();
  for (const { act } of needsPerson(next)) counts.set(act, (counts.get(act) ?? 0) + 1);
  return {
    title,
    status,
    why: next.why.kind,
    at,
    until,
    criteria: { proven: criteria.filter((each) => each.class === 'proven').length, of: criteria.length },
    items: { accepted: items.accepted, required: items.required },
    milestones: milestones.map(({ title: name, count, target }) => ({ title: name, count, target })),
    waits: [...counts].map(([act, count]) => ({ act, count })),
  };
}
