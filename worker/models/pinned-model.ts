/** The model that a round is pinned to: resolved once before the round starts, never changed within it. */
import type { LanguageModel } from 'ai';
import type { Prices } from '../workspace/settings.ts';

export interface PinnedModel {
  /** `<provider>/<model>`: what the round's record says. */
  id: string;
  profile: string;
  /** Of AI SDK, its requests going through the outgoing guard. */
  model: LanguageModel;
  /** Context window and longest output, in tokens. */
  window: number;
  output: number;
  /** Null: not known; then money is not counted, and the page says so. */
  prices: Prices | null;
  temperature?: number;
  instructions?: string;
  /** Values that must never leave: the key. For the round's redactor. */
  secrets: readonly string[];
}
