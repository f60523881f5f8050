/** What an agent can do: one file per tool. A tool has a schema, a subject, an effect kind; the host authorizes each call before it runs. */
import type { z } from 'zod';
import type { CommandType } from '../domain/commands.ts';
import type { Refusal } from '../domain/refusals.ts';
import type { Artifact, Json, Lane } from '../domain/values.ts';
import type { ReadQuery, RoundContext, StepAnswer } from '../goal/rpc.ts';
import type { OutgoingRules } from '../outgoing/address.ts';
import type { World } from '../outgoing/world.ts';

/** Bytes of this Goal, by digest; keys are those of the workspace and goal of the round. */
export interface Files {
  put(bytes: Uint8Array, type?: string): Promise<{ digest: string; size: number }>;
  get(digest: string): Promise<Uint8Array | undefined>;
  /** At most `length` bytes from `offset` on; empty past the end. */
  range(digest: string, offset: number, length: number): Promise<Uint8Array | undefined>;
  /** Keeps one part of a file in the making. Parts are visible to nobody; what was never put together is swept. */
  stage(upload: string, part: number, bytes: Uint8Array): Promise<void>;
  /** Streams the parts, in order, to their place under the digest and drops them. The digest is checked by the store. */
  assemble(upload: string, parts: number, whole: { digest: string; size: number; type?: string }): Promise<void>;
  /** Drops the parts of a file that will not be. */
  discard(upload: string, parts: number): Promise<void>;
}

/** A file in the making, in the memory of one round: a crash loses it, and nothing of it was ever visible. */
export interface Upload {
  path: string;
  type?: string;
  append(bytes: Uint8Array): Promise<void>;
  /** Waits for every part, then puts them together. */
  commit(): Promise<{ digest: string; size: number; parts: number; peak: number }>;
  abort(): Promise<void>;
}

/** Addresses of the services that an installation has beside it. A probe is asked by GET whether a call happened; `{key}` in it is the idempotency key of the call, 404 means that it did not. */
export interface Services {
  supplierUrl?: string;
  supplierProbe?: string;
  bankUrl?: string;
  bankProbe?: string;
}

/** The business round that a goal carries out, in its workspace. */
export interface BusinessRoundDoor {
  /** The round, what came late for it, and what the one before left open. */
  read(): Promise<{ value: Json } | Refusal>;
  /** The same call is one command. */
  give(command: { type: 'business_round.wait' | 'business_round.complete'; payload: { [key: string]: Json } }, call: string): Promise<{ value: Json } | Refusal>;
}

export interface ToolEnv {
  context: RoundContext;
  files: Files;
  /** Files this round knows, by path: sources, accepted inputs, what it wrote. A write goes through `artifact.put`. */
  paths: Map<string, Artifact>;
  uploads: Map<string, Upload>;
  /** A command of the lane, under this round's fence. The id is derived from the call, so that a repeat is one command. */
  command(type: CommandType, payload: Json): Promise<{ ok: true; result: Json } | { ok: false; refusal: Refusal }>;
  read(query: ReadQuery): Promise<Json | undefined>;
  /** Set by `submit`, `block`, ...: the round is over when the call returns. `said`: a command of the call has ended it on record already. */
  end(outcome: 'submitted' | 'blocked' | 'waiting' | 'handed_back', note?: string, more?: { finish?: boolean; said?: boolean }): void;
  /** For tools outside: the permit that `step` gave. */
  permit?: Extract<StepAnswer, { outcome: 'go' }>['permit'];
  /** When this round received the permit, milliseconds since the epoch. */
  permittedAt?: number;
  /** The id of this call, for evidence: `call:<id>`. */
  call: string;
  services: Services;
  /** The way out, and the workspace's secrets. */
  world: World;
  /** Runs a module's default function on `input` in a sandbox: no network, nothing to call. Absent: there is none here. */
  runScript?(code: string, input: Json, timeoutMs: number): Promise<ScriptOutcome>;
  /** Says something to another goal of the workspace; the same call says it once. Absent: none is reached from here. */
  postTo?(goal: string, text: string, call: string): Promise<{ ok: true; message: number } | { ok: false; refusal: Refusal }>;
  /** Opens a page in a browser. Absent: none is bound here. */
  browse?: Browse;
  /** Absent: no trigger started this goal. */
  business?: BusinessRoundDoor;
  /** Characters that the agent's conversation has for this answer. Absent: as many as the tool gives. */
  room?: number;
  /** Names of the secrets that stand in this call's arguments. */
  secrets?: readonly string[];
}

/** What a person would see of a page. Throws where it cannot be opened in time. */
export type Browse = (
  url: string,
  rules: OutgoingRules,
  how: { timeoutMs: number; waitFor?: string; picture: boolean },
) => Promise<{ url: string; status: number; title: string; text: string; links: { text: string; url: string }[]; blocked: number; picture?: Uint8Array }>;

export type ScriptOutcome = { kind: 'returned'; value: Json } | { kind: 'threw'; message: string } | { kind: 'stopped' } | { kind: 'refused'; reason: string };

export type ToolAnswer = { ok: true; value: Json; summary: string } | { ok: false; refusal: Refusal };

export interface Tool<I extends z.ZodType = z.ZodType> {
  name: string;
  /** One paragraph for a model: what it does, limits, what an answer means. */
  description: string;
  lanes: readonly Lane[];
  input: I;
  /** What a model is shown instead of what `input` says, for a tool whose schema is not ours. */
  schema?: { readonly [key: string]: Json };
  effect: 'none' | 'record' | 'outside';
  /** A call with these arguments only reads, whatever `effect` says: it needs no permit. */
  reads?(args: z.output<I>): boolean;
  /** What is done where no rule of the goal or the workspace says anything of the call. Absent: `allow`. Sending out, deleting and sensitive data: `ask`. */
  policy?: 'allow' | 'ask' | ((args: z.output<I>) => 'allow' | 'ask');
  /** How to find out whether it happened, should its outcome not be known; as the prober of `worker/rounds/checks` reads it. References stay references. */
  probe?(args: z.output<I>, services: Services): Json | undefined;
  /** JSON pointers below which `{"$secret": name}` may stand; it is resolved when the call is sent. */
  secrets?: readonly string[];
  /** JSON pointers that take fact references only. */
  factOnly?: readonly string[];
  /** Top-level arguments that may be large: the record keeps their digest and size, not their content, and fact references in them are not resolved. Never for `outside`. */
  bulk?: readonly string[];
  /** From how many characters of JSON on an argument of `bulk` is set aside. Default: 4096. */
  bulkOver?: number;
  timeoutMs?: number;
  /** What the call is about; the tool's own name where there is nothing better. */
  subject(args: z.output<I>): string;
  run(args: z.output<I>, env: ToolEnv): Promise<ToolAnswer>;
}

export function tool<I extends z.ZodType>(definition: Tool<I>): Tool<I> {
  return definition;
}
