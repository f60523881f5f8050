/**
 * How many tokens a text is, before a provider says it. `tokenx` counts by rules of script and word length; here it gets what it leaves out:
 * digests, keys and base64, which are many tokens for their length, and scripts without a rule of its own. The rest is corrected by what providers report.
 */
import { estimateTokenCount } from 'tokenx';

/** Characters a token, where it has no rule: Thai, Hebrew, Arabic, Devanagari. */
const languageConfigs = [
  { pattern: /[\u0e00-\u0e7f]/, averageCharsPerToken: 2.7 },
  { pattern: /[\u0590-\u05ff]/, averageCharsPerToken: 3.8 },
  { pattern: /[\u0600-\u06ff]/, averageCharsPerToken: 4.4 },
  { pattern: /[\u0900-\u097f]/, averageCharsPerToken: 4.8 },
];
const options = { languageConfigs };

/** A run of letters and digits; where there are digits among them, no words are it. Without a look-ahead: that would take time by the square of a long run. */
const dense = /[A-Za-z0-9+/=_-]{24,}/g;
const charsPerDenseToken = 1.7;

export function estimateTokens(text: string): number {
  let runs = '';
  let extra = 0;
  for (const [run] of text.matchAll(dense)) {
    if (run.replace(/\D/g, '').length * 12 < run.length) continue;
    runs += `${run} `;
    extra += run.length / charsPerDenseToken;
  }
  const whole = estimateTokenCount(text, options);
  return Math.ceil(extra === 0 ? whole : whole + Math.max(0, extra - estimateTokenCount(runs, options)));
}

/** Bounds of the correction: a figure outside is a provider's mistake, or a prompt that is not the text that was counted. */
const least = 0.5;
const most = 4;

/** Estimates for one model of one round, corrected as the provider reports. It follows upwards at once and downwards slowly, since too low is what breaks a call. */
export class TokenGauge {
  #factor = 1;

  get factor(): number {
    return this.#factor;
  }

  /** `plain` is a sum of `estimateTokens`. */
  corrected(plain: number): number {
    return Math.ceil(plain * this.#factor);
  }

  /** After a call: what was estimated for its whole prompt, uncorrected, and what the provider counted. */
  reported(plain: number, input: number): void {
    if (plain <= 0 || input <= 0) return;
    const seen = Math.min(most, Math.max(least, input / plain));
    this.#factor = seen > this.#factor ? seen : this.#factor * 0.7 + seen * 0.3;
  }
}
