/**
 * Three releases of the program on one journal. `old` writes `round.ended` in an older shape (`reason` where today's says `why`) and can read both; `new` reads
 * what it left. `older` writes as `old` does and knows nothing else: a journal in which `new` has ended a round is one that it cannot read. Each keeps
 * snapshots of its own fold.
 */
import type { Event } from '../../worker/domain/events.ts';
import { fold } from '../../worker/domain/evolve.ts';
import { rowsOf } from '../../worker/domain/rows.ts';
import { upcasterOf, versions } from '../../worker/domain/upcast.ts';
import type { Core } from '../../worker/goal/core.ts';
import { domainCore } from '../../worker/goal/domain-core.ts';

const old = { v: 0, ...versions };

export const upcastBoth = upcasterOf(versions, {
  'round.ended@0': (event) => {
    const { reason, ...rest } = event as Event & { reason?: string };
    return { ...rest, v: 1, why: reason ?? '' } as Event;
  },
});

function downcast(event: Event): Event {
  if (event.type !== 'round.ended') return event;
  const { why, ...rest } = event;
  return { ...rest, v: old.v, reason: why } as unknown as Event;
}

const raised = (event: Event): Event => upcastBoth([event])[0] ?? event;
const reading: Core = {
  ...domainCore,
  fold: (state, events) => fold(state, upcastBoth(events)),
  rowsOf: (event, state, lookup) => rowsOf(raised(event), state, lookup),
  eventView: (event) => domainCore.eventView(raised(event)),
};
const writingOld: Core = {
  ...reading,
  foldVersion: domainCore.foldVersion + 1000,
  handle: (state, command, context) => {
    const handled = domainCore.handle(state, command, context);
    return 'refused' in handled ? handled : { ...handled, events: handled.events.map(downcast) };
  },
};

/** Throws for what `older` does not know. */
const known = upcasterOf({ ...versions, 'round.ended': old.v }, {});
const older: Core = {
  ...writingOld,
  foldVersion: domainCore.foldVersion + 2000,
  fold: (state, events) => fold(state, upcastBoth(known(events))),
  rowsOf: (event, state, lookup) => reading.rowsOf(known([event])[0] ?? event, state, lookup),
  eventView: (event) => reading.eventView(known([event])[0] ?? event),
};

export type Release = 'new' | 'old' | 'older';

export function coreOf(release: Release): Core {
  return { new: reading, old: writingOld, older }[release];
}

/** Whether that program can read those events. */
export function canRead(release: Release, events: readonly Event[]): boolean {
  return release !== 'older' || !events.some((event) => event.type === 'round.ended' && event.v > old.v);
}
