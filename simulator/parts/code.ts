/**
 * Two releases of the program on one journal. The one before writes `round.ended` in an older shape (`reason` where today's says `why`) and can read both;
 * the one after reads what it left. Each keeps snapshots of its own fold.
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

export function coreOf(code: 'old' | 'new'): Core {
  return code === 'old' ? writingOld : reading;
}
