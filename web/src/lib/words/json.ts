/** What a person typed as JSON. */
import type { Json } from '../api/types.ts';

/** Undefined: no JSON. */
export function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
