/**
 * Where a question of a worker goes first. What the record may answer gets one coordinator round, where an agent carries that lane; what only a person may say
 * goes to its owner at once, and so does everything that the round left open.
 */
import type { Carriers } from '../continuation/lane-standing.ts';
import type { Blocker, State } from '../state.ts';
import type { Executor } from '../values.ts';
import type { Who } from '../turn.ts';

/** What a question is about. Only `work` may be answered by an agent; the others are a person's by their kind. */
export const blockerSubjects = ['work', 'secret', 'approval', 'money', 'identity', 'acceptance', 'scope'] as const;
export type BlockerSubject = (typeof blockerSubjects)[number];

export function coordinatorOf(state: State): Executor {
  return state.lanes.coordinator ?? { kind: 'agent', profile: 'coordinator' };
}

/** An agent carries the coordinator lane, and can be run here. */
export function agentCoordinates(state: State, carriers: Carriers): boolean {
  return coordinatorOf(state).kind === 'agent' && carriers.agent;
}

/** What a person alone answers or takes back: by its kind, and whatever the host itself asks for a decision. */
export function onlyPeopleAnswer(blocker: Pick<Blocker, 'about' | 'raisedBy'>): boolean {
  return (blocker.about ?? 'work') !== 'work' || blocker.raisedBy === 'host';
}

/**
 * Whether the question of an item is looked at by a coordinator first. Not where the asker names who answers, and not where an agent answered the same question before and it is
 * asked again: then that answer was of no use.
 */
export function goesToCoordinator(
  state: State,
  who: Who,
  request: { about?: BlockerSubject | undefined; owner?: string | undefined },
  carriers: Carriers,
  answeredBy: string | undefined,
): boolean {
  if (who.kind !== 'round' || who.lane !== 'worker' || request.owner !== undefined || (request.about ?? 'work') !== 'work') return false;
  return agentCoordinates(state, carriers) && !/^(agent|skill):/.test(answeredBy ?? '');
}

export const blockerTarget = (id: string): string => `blocker:${id}`;
