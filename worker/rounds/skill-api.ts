/**
 * What a skill script sees. A script is plain JavaScript with `export default async function run(host, input)`.
 * It has no network and no clock of its own; it reaches the host only through `host.call`.
 *
 * A script may be run again from the start at any time (crash, hand-back, rework): it takes up work by what is on
 * record (decided ids, stored facts, `input.children`), never by its own memory.
 */

import type { Refusal } from '../domain/refusals.ts';
import type { Json } from '../domain/values.ts';
import type { Notice, RoundContext } from '../goal/rpc.ts';

export interface ScriptHost {
  /** Calls one tool of the lane. Never throws for a refusal. After a call that ends the round it does not return. */
  call(tool: string, args?: Json): Promise<{ value?: Json; refusal?: Refusal; notices: Notice[]; call: string }>;
}
/** `input` of a round's script: its context, with the item's own `input` beside it. */
export type ScriptInput = RoundContext;
/** `input` of a check's script: parsed from CheckJob; file bytes as base64 by path. Returns `{pass, scene?}`. */
export interface CheckScriptInput {
  files: Record<string, { base64: string; size: number } | null>;
  facts: Record<string, Json>;
  input: Json;
}
