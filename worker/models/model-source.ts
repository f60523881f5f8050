/** Where a round gets its model from: resolved once at its start. */
import type { Refusal } from '../domain/refusals.ts';
import type { PinnedModel } from './pinned-model.ts';

export interface ModelSource {
  /** A refusal says what is missing and who can set it. */
  pin(profile: string): Promise<PinnedModel | Refusal>;
}
