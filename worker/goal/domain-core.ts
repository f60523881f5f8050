/** The real core, as the protocol takes it. */

import { allowedNext } from '../domain/allowed-next.ts';
import { dueTimes, nextOf } from '../domain/continuation/next.ts';
import { defaultLimits } from '../domain/contract/contract.ts';
import { FOLD_VERSION, fold } from '../domain/evolve.ts';
import { handle, parseCommand } from '../domain/handle.ts';
import { rowsOf } from '../domain/rows.ts';
import { emptyState } from '../domain/state.ts';
import { upcast } from '../domain/upcast.ts';
import { assignmentView } from '../domain/views/assignment.ts';
import { checkJob } from '../domain/views/check-job.ts';
import { askedDecisions, evidenceView } from '../domain/views/evidence-view.ts';
import { eventView } from '../domain/views/event-view.ts';
import { goalBar } from '../domain/views/goal-bar.ts';
import { graphView } from '../domain/views/graph-view.ts';
import { itemView } from '../domain/views/item-view.ts';
import { probeJob } from '../domain/views/probe-job.ts';
import { resumePacket } from '../domain/views/resume-packet.ts';
import { roundContext } from '../domain/views/round-context.ts';
import { structureOf } from '../domain/views/structure.ts';
import { attemptReadRefusal, grantOf } from '../domain/work/attempt-grant.ts';
import type { Core } from './core.ts';

export const domainCore: Core = {
  foldVersion: FOLD_VERSION,
  empty: () => emptyState(defaultLimits),
  fold: (state, events) => fold(state, upcast(events)),
  // An older event becomes rows as its current shape does.
  rowsOf: (event, state, lookup) => upcast([event]).flatMap((current) => rowsOf(current, state, lookup)),
  parse: parseCommand,
  handle,
  dueTimes,
  nextOf,
  goalBar,
  graphView,
  itemView,
  structureOf,
  evidenceView,
  askedDecisions,
  eventView,
  allowedNext,
  assignmentView,
  grantOf,
  attemptReadRefusal,
  resumePacket,
  roundContext,
  checkJob: (state, check, fence, lookup) => probeJob(state, check, fence, lookup) ?? checkJob(state, check, fence, lookup),
};
