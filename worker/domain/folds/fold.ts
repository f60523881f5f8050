/** What folding one kind of event is: it changes the draft by what the event says, and nothing else. It decides nothing and refuses nothing. */
import type { Draft } from '../draft.ts';
import type { Event } from '../events.ts';
import type { State } from '../state.ts';

/** `s` is the draft's state as it is now; collections are changed through `draft` alone, which copies them first. */
export type Fold<T extends Event['type']> = (draft: Draft, event: Extract<Event, { type: T }>, s: State) => void;
export type Folds = { [T in Event['type']]: Fold<T> };

/** Of the record alone: the working set knows nothing of it. */
export const inRecordOnly = (): void => {};
