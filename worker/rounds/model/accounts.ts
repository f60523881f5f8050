/** Tokens and money of a round's model calls: the size before a call, what is set aside for it, what it used. */
import type { ModelMessage } from 'ai';
import type { Reservation, Usage } from '../../domain/commands.ts';
import type { PinnedModel } from '../../models/pinned-model.ts';
import { type CallUse, costOf, tokensUsed, worstCost } from '../../models/prices.ts';
import { estimateTokens, TokenGauge } from '../../models/tokens.ts';
import type { Definition } from './tool-definitions.ts';
import { outputReserveOf } from './window.ts';

export interface Size {
  /** Uncorrected sum. */
  plain: number;
  /** As corrected by what the provider reported before. */
  tokens: number;
}

/** What a provider adds around each message or definition, tokens. */
const FRAME = 6;

export class Accounts {
  readonly #pinned: Pick<PinnedModel, 'prices' | 'output' | 'window'>;
  readonly #gauge = new TokenGauge();
  /** A message does not change once it is said: its size is counted once. */
  readonly #known = new Map<string, number>();

  constructor(pinned: Pick<PinnedModel, 'prices' | 'output' | 'window'>) {
    this.#pinned = pinned;
  }

  /** Instructions, definitions and history, before every call. */
  estimate(system: string, messages: readonly ModelMessage[], definitions: readonly Definition[]): Size {
    let plain = this.of(system) + FRAME;
    for (const definition of definitions) plain += this.ofDefinition(definition);
    for (const message of messages) plain += this.of(typeof message.content === 'string' ? message.content : JSON.stringify(message.content)) + FRAME;
    return { plain, tokens: this.#gauge.corrected(plain) };
  }

  ofDefinition({ alias, description, schema }: Definition): number {
    return this.of(`${alias} ${description} ${JSON.stringify(schema)}`) + FRAME;
  }

  /** Tokens of one text, uncorrected. */
  of(text: string): number {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const tokens = estimateTokens(text);
    // Large texts are those worth remembering, and there are few of them.
    if (text.length > 200) this.#known.set(text, tokens);
    return tokens;
  }

  reported(size: Size, use: CallUse | null): void {
    if (use) this.#gauge.reported(size.plain, use.input + use.cacheRead + use.cacheWrite);
  }

  /** Tokens as a provider counts them, as the plain estimate counts them. */
  uncorrected(tokens: number): number {
    return tokens / this.#gauge.factor;
  }

  /** The longest answer that still fits. */
  outputOf(size: Size): number {
    return Math.max(256, Math.min(outputReserveOf(this.#pinned.window, this.#pinned.output), this.#pinned.window - size.tokens));
  }

  /** The worst case of one call. */
  reserve(size: Size): Reservation {
    const output = this.outputOf(size);
    const { prices } = this.#pinned;
    return {
      tokens: size.tokens + output,
      money: prices ? worstCost(prices, { input: size.tokens, output }) : 0,
      ...(prices ? { currency: prices.currency } : {}),
    };
  }

  usage(use: CallUse | null): Usage | undefined {
    if (!use) return undefined;
    return {
      tokens: tokensUsed(use),
      money: costOf(this.#pinned.prices, use) ?? 0,
      ...(use.cacheRead > 0 ? { cacheRead: use.cacheRead } : {}),
      ...(use.cacheWrite > 0 ? { cacheWrite: use.cacheWrite } : {}),
    };
  }
}
