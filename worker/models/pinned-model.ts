/** The model that a round is pinned to: resolved once before the round starts, never changed within it. */
import type { LanguageModel } from 'ai';
import type { ModelWarning } from './catalogue.ts';
import type { ModelPrices } from './prices.ts';
import type { SlowDown } from './slow-downs.ts';

export interface PinnedModel {
  /** `<provider>/<model>`: what the round's record says. */
  id: string;
  /** Name of the provider: what a slow-down is counted by. */
  provider: string;
  profile: string;
  /** Of AI SDK, its requests going through the outgoing guard. Every call passes `maxRetries: 0`: the loop repeats, by `Retries`. */
  model: LanguageModel;
  /** Context window and longest output, in tokens. */
  window: number;
  output: number;
  /** Null: not known; then money is not counted, and the page says so. */
  prices: ModelPrices | null;
  warnings: readonly ModelWarning[];
  temperature?: number;
  instructions?: string;
  /** Shared with the other rounds of the workspace. */
  slow?: SlowDown;
  /** Values that must never leave: the key. For the round's redactor. */
  secrets: readonly string[];
}
