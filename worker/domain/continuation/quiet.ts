/**
 * Whether a command can have given `advance` anything to do. The state before it was a fixpoint; if all it did was to add to the record, and nothing fell
 * due since, it still is one. Such commands are most of a round's, and reading the whole table costs time in proportion to the plan.
 * A change of rules or carriers with a new release is seen by the next tick, as it is for a Goal that gets no command at all.
 */
import type { Event } from '../events.ts';
import type { State } from '../state.ts';
import { dueTimes } from './next.ts';

/** No rule of `advance` reads what these change. */
const quietEvents: ReadonlySet<Event['type']> = new Set([
  'note.appended',
  'note.revised',
  'tasks.set',
  'round.pinned',
  'context.recorded',
  'call.authorized',
  'call.recorded',
  'call.refused',
  'budget.reserved',
]);

export function isQuiet(before: State, events: readonly Event[], now: number): boolean {
  return before.seq > 0 && events.length > 0 && events.every((event) => quietEvents.has(event.type)) && !dueTimes(before).some((due) => due > before.at && due <= now);
}
