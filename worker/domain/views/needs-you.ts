/** How much of what moves a Goal next is a person's. Lists and the badge show it. */
import type { Next } from './types.ts';

/** Acts of `Next` that only somebody outside the host can do. */
const asksSomebody: ReadonlySet<Next['who'][number]['act']> = new Set([
  'confirm',
  'resume',
  'raise_limit',
  'set_connection',
  'answer',
  'decide',
  'review',
  'attest',
  'reconcile',
  'carry',
]);

/** What waits for a person. A pause that a person ordered is not one. */
export function needsPerson(next: Next): Next['who'] {
  return next.why.kind === 'paused' ? [] : next.who.filter((who) => who.mover !== 'host' && asksSomebody.has(who.act));
}

/** How many such things there are. */
export function needsYouOf(next: Next): number {
  return needsPerson(next).length;
}
