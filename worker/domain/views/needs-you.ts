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

/** How many things wait for a person. A pause that a person ordered is not one. */
export function needsYouOf(next: Next): number {
  return next.why.kind === 'paused' ? 0 : next.who.filter((who) => who.mover !== 'host' && asksSomebody.has(who.act)).length;
}
