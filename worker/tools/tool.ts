/** What an agent can do: one file per tool. A tool has a schema, a subject, an effect kind; the host authorizes each call before it runs. */
import type { z } from 'zod';
import type { Refusal } from '../domain/refusals.ts';
import type { Artifact, Json, Lane } from '../domain/values.ts';
import type { CommandType } from '../domain/commands.ts';
import type { ReadQuery, RoundContext, StepAnswer } from '../goal/rpc.ts';

/** Bytes of this Goal, by digest; keys are those of the workspace and goal of the round. */
export interface Files {
  put(bytes: Uint8Array, type?: string): Promise<{ digest: string; size: number }>;
  get(digest: string): Promise<Uint8Array | undefined>;
}

export interface ToolEnv {
  context: RoundContext;
  files: Files;
  /** Files this round knows, by path: sources, accepted inputs, what it wrote. A write goes through `artifact.put`. */
  paths: Map<string, Artifact>;
  /** A command of the lane, under this round's fence. The id is derived from the call, so that a repeat is one command. */
  command(type: CommandType, payload: Json): Promise<{ ok: true; result: Json } | { ok: false; refusal: Refusal }>;
  read(query: ReadQuery): Promise<Json | undefined>;
  /** Set by `submit`, `block`, ...: the round is over when the call returns. */
  end(outcome: 'submitted' | 'blocked' | 'waiting' | 'handed_back', note?: string): void;
  /** For tools outside: the permit that `step` gave. */
  permit?: Extract<StepAnswer, { outcome: 'go' }>['permit'];
  /** The id of this call, for evidence: `call:<id>`. */
  call: string;
  services: { supplierUrl?: string; bankUrl?: string };
}

export type ToolAnswer = { ok: true; value: Json; summary: string } | { ok: false; refusal: Refusal };

export interface Tool<I extends z.ZodType = z.ZodType> {
  name: string;
  /** One paragraph for a model: what it does, limits, what an answer means. */
  description: string;
  lanes: readonly Lane[];
  input: I;
  effect: 'none' | 'record' | 'outside';
  /** JSON pointers that take fact references only. */
  factOnly?: readonly string[];
  timeoutMs?: number;
  /** What the call is about; the tool's own name where there is nothing better. */
  subject(args: z.output<I>): string;
  run(args: z.output<I>, env: ToolEnv): Promise<ToolAnswer>;
}

export function tool<I extends z.ZodType>(definition: Tool<I>): Tool<I> {
  return definition;
}
