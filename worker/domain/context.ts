/** What `decide` may look at besides the state and the command. All of it is synchronous and given from outside. */

import type { PolicyRule } from './contract/contract.ts';
import type { Executor, Json, Lane, PrincipalId } from './values.ts';

/** Scopes a person's role or a token may hold. Submitting is not accepting. */
export const scopes = ['goals:read', 'goals:write', 'work:submit', 'work:review', 'approvals:decide', 'triggers:manage', 'secrets:write', 'usage:read', 'admin'] as const;
export type Scope = (typeof scopes)[number];

/** Who gives the command and under what. Comes from the credential or the round, never from the body. */
export type Actor =
  | { kind: 'host' }
  | { kind: 'person' | 'token'; principal: PrincipalId; scopes: readonly Scope[] }
  /** Whoever works at one Attempt for the principal that holds it, under a token for exactly that: see `work/attempt-grant.ts`. */
  | { kind: 'attempt'; principal: PrincipalId; item: string; attempt: string; fence: number }
  /** A round: identity and scope come from the open round of that id; `fence` and `runner` must be its own. */
  | { kind: 'round'; round: string; fence: number; runner: string };

/** Kinds of rows that the record keeps beside the working set. Each row is derived from one event and never changed by hand. */
export type RowKind =
  | 'goal_version'
  | 'proposal'
  | 'revision'
  | 'item_spec'
  | 'assignment'
  | 'attempt'
  | 'submission'
  | 'review'
  | 'acceptance'
  | 'round'
  | 'call'
  | 'blocker'
  | 'wait'
  | 'effect'
  | 'effect_key'
  | 'approval'
  | 'fact'
  | 'fact_version'
  | 'ledger'
  | 'ledger_subject'
  | 'evidence_use'
  | 'counted'
  | 'review_list'
  | 'message'
  | 'note'
  | 'check'
  | 'receipt'
  | 'attestation'
  | 'audit'
  | 'artifact'
  | 'subagent'
  | 'usage'
  | 'tasks'
  | 'context'
  | 'late';

export interface Row {
  kind: RowKind;
  /** Unique within its kind. Latest image wins. */
  id: string;
  /** `seq` of the event that wrote this image. */
  seq: number;
  /** Work item key and attempt id where the row belongs to one. */
  item?: string;
  attempt?: string;
  data: Json;
}

/** A synchronous, read-only view of the record's rows and bodies. A Map in tests, SQL in the object. */
export interface Lookup {
  row(kind: RowKind, id: string): Row | undefined;
  /** In order of id; `prefix` is a prefix of the id; `after` excludes ids up to and including it. */
  rows(kind: RowKind, options?: { prefix?: string; item?: string; after?: string; limit?: number; newestFirst?: boolean }): Row[];
  count(kind: RowKind, prefix?: string): number;
  /** A body by digest; undefined when it was erased. */
  body(digest: string): Json | undefined;
  /** The live lease of a round, if there is one. */
  lease(round: string): { runner: string; until: number } | undefined;
}

export interface Context {
  /** Milliseconds since the epoch; never less than that of the commit before. */
  now: number;
  actor: Actor;
  /** SHA-256 of the UTF-8 text, hex. */
  sha256(text: string): string;
  lookup: Lookup;
  /** Workspace policy, in force beside the contract's; with its version. */
  policy: { version: number; rules: readonly PolicyRule[] };
  /** What can carry a lane in this installation, e.g. no agent without a model. */
  carriers: { agent: boolean; skill(skill: string, script: string): boolean };
  /** Rounds need a place and a share of the budget of their workspace before they are handed over. Absent: nobody has to be asked. */
  grants?: boolean;
  /** JSON Schema validation of a form's answer. Returns the places that are wrong. */
  form(schema: Json, value: Json): { pointer: string; code: string; detail?: string }[];
}

/** A body that an event refers to by digest: stored beside the journal, so that it can be erased. */
export type Bodies = Record<string, Json>;
export type { Executor, Lane };
