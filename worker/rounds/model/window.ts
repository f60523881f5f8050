/** How much of a model's window a call may fill, and the first thing to give up when it is full: the text of old answers, which can be asked for again. */

import type { Exchange, HistoryResult } from './conversation.ts';
import { jsonInFence } from './data-fence.ts';

/** The estimate, in tokens, from which on a conversation is made smaller before the next call. */
export function triggerOf(window: number, outputReserve: number): number {
  return Math.floor(Math.min(window * 0.9, window - outputReserve - Math.min(window * 0.02, 1000)));
}

/** Tokens for the answer: what the model may write at most, yet no more than a quarter of the window. */
export function outputReserveOf(window: number, output: number): number {
  return Math.min(output, Math.floor(window / 4));
}

/** Characters of one answer: an eighth of the window, so that a message of a few calls still fits. */
export function answerLimitOf(window: number): number {
  return Math.max(1200, Math.min(24_000, Math.floor((window / 8) * 3)));
}

/** Answers shorter than this, in characters, stay: a reference would not be shorter. Longer ones are kept whole, so that the reference can be read. */
export const WORTH = 300;

/**
 * Replaces the text of answers by references, oldest first, until `excess` tokens are gained. The newest `keep` exchanges stay whole. Says how many tokens
 * were gained.
 */
export function referOld(exchanges: readonly Exchange[], excess: number, keep: number, tokensOf: (text: string) => number): number {
  let gained = 0;
  for (const exchange of exchanges.slice(0, Math.max(0, exchanges.length - keep))) {
    for (const result of exchange.results) {
      if (gained >= excess) return gained;
      if (result.text.length < WORTH) continue;
      const reference = referenceFor(result);
      gained += Math.max(0, tokensOf(result.text) - tokensOf(reference));
      result.text = reference;
    }
  }
  return gained;
}

/** What stays of an answer: its call, by which it can be cited as evidence, whether it was refused, where it can be read, and its head. */
function referenceFor({ text, ref }: HistoryResult): string {
  const parsed = parse(text);
  return jsonInFence({
    ...(typeof parsed?.call === 'string' ? { call: parsed.call } : {}),
    ...(parsed && 'refusal' in parsed ? { refusal: { code: codeOf(parsed.refusal) } } : {}),
    dropped: `${text.length} characters of an earlier answer; ${ref === undefined ? 'make the call again if you need them' : howToRead(ref)}`,
    head: text.slice(0, 80),
  });
}

/** For the model: where the rest of something is. */
export const howToRead = (ref: string) => `result_read with ref ${ref} gives all of it`;

function parse(text: string): { call?: unknown; refusal?: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

const codeOf = (refusal: unknown): string => (refusal !== null && typeof refusal === 'object' && 'code' in refusal ? String(refusal.code) : 'refused');
