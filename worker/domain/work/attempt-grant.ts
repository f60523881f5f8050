/**
 * What a token may do that acts for one Attempt: an external agent holds it instead of a token of the workspace. The Attempt's own state is what it lives by: it is good while the Attempt is
 * at work under that fence and its lease has not run out. Nothing else has to be kept, revoked or cleaned up.
 */
import type { Lookup } from '../context.ts';
import { dataOf, everyRow, recordOf } from '../record.ts';
import { type Refusal, refuse } from '../refusals.ts';
import type { Item, State } from '../state.ts';
import type { Json, PrincipalId } from '../values.ts';
import { isAccepted } from './derive.ts';

export interface AttemptGrant {
  item: string;
  attempt: string;
  fence: number;
}

/** A read, as far as it matters here. */
export interface AttemptRead {
  what: string;
  item?: string;
  digest?: string;
}

const itemIn = (state: State, key: string): Item | undefined => (Object.hasOwn(state.items, key) ? state.items[key] : undefined);

/** Until when the holder of the item has it, in milliseconds; undefined where a Runner carries it, or nobody. */
function leaseOf(state: State, attempt: string): number | undefined {
  return Object.values(state.waits).find((wait) => wait.correlation === `attempt:${attempt}`)?.due;
}

/** Null: it is good now. */
export function attemptRefusal(state: State, grant: AttemptGrant, now: number): Refusal | null {
  const item = itemIn(state, grant.item);
  const attempt = item?.attempt;
  if (!attempt || attempt.id !== grant.attempt || attempt.fence !== grant.fence) return refuse('fence_stale', { current: { fence: attempt?.fence ?? null } });
  if (!item.assignment || (attempt.state !== 'pending' && attempt.state !== 'running')) return refuse('round_superseded', { current: { attempt: attempt.state } });
  const until = leaseOf(state, attempt.id);
  return until === undefined || until <= now ? refuse('lease_lost', { current: { until: until ?? null } }) : null;
}

/** What the holder of an item may hand to somebody who works for them: the live Attempt that they hold by claim. */
export function grantOf(state: State, holder: PrincipalId, key: string, fence: number, now: number): Refusal | (AttemptGrant & { until: number }) {
  const item = itemIn(state, key);
  if (!item) return refuse('not_found', { detail: `no work item ${key}` });
  const { attempt, assignment } = item;
  if (!assignment || !attempt) return refuse('round_superseded', { current: { attempt: attempt?.state ?? null } });
  if (assignment.owner !== holder) return refuse('forbidden', { detail: 'somebody else holds it', current: { holder: assignment.owner } });
  const grant = { item: key, attempt: attempt.id, fence };
  return attemptRefusal(state, grant, now) ?? { ...grant, until: leaseOf(state, attempt.id) ?? now };
}

/**
 * Null: it may read that. It reads what a round of the item would be given, and no more: its assignment, facts, and the files that are sources, accepted inputs, or the item's own.
 * Other items, other files and the rest of the record are not there for it.
 */
export function attemptReadRefusal(state: State, grant: AttemptGrant, read: AttemptRead, lookup: Lookup, now: number): Refusal | null {
  const dead = attemptRefusal(state, grant, now);
  if (dead) return dead;
  switch (read.what) {
    case 'fact':
    case 'attempt_grant':
      return null;
    case 'assignment':
    case 'resume_packet':
      return read.item === grant.item ? null : refuse('not_found');
    case 'artifact':
      return read.digest !== undefined && readsFile(state, grant.item, read.digest, lookup) ? null : refuse('not_found');
    default:
      return refuse('forbidden', { detail: 'This token is for one attempt.' });
  }
}

function readsFile(state: State, key: string, digest: string, lookup: Lookup): boolean {
  if (Object.values(state.sources).some((source) => source.digest === digest)) return true;
  const upstream = itemIn(state, key)?.spec.dependsOn ?? [];
  for (const dep of upstream) {
    const item = itemIn(state, dep.key);
    if (item?.submission && isAccepted(item) && recordOf(lookup, 'submission', item.submission.id)?.artifacts.some((artifact) => artifact.digest === digest)) return true;
  }
  for (const row of everyRow(lookup, 'artifact', { item: key })) if (dataOf('artifact', row).artifact.digest === digest) return true;
  for (const row of everyRow(lookup, 'submission', { item: key })) if (dataOf('submission', row).artifacts.some((artifact) => artifact.digest === digest)) return true;
  return false;
}

/** The item that a command is about, where its payload names one. */
export function itemNamedIn(payload: Json | object): string | undefined {
  return payload !== null && typeof payload === 'object' && 'item' in payload && typeof payload.item === 'string' ? payload.item : undefined;
}
