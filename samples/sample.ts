/**
 * What a sample goal is. `npm start` puts each in place with its own data; `npm run sample -- NAME` runs one to its end on data of the same shape.
 *
 * A sample lives in `samples/<name>/`: `sample.ts` exports `sample: Sample`, `data/` holds its default data. It knows rules and a contract, never answers.
 * It imports types only from the Worker and talks to it over plain /v1 HTTP through `SampleClient`.
 */
import type { z } from 'zod';
import type { catalogue } from '../worker/domain/commands.ts';
import type { Artifact, Json } from '../worker/domain/values.ts';
import type { GoalBar } from '../worker/domain/views/types.ts';

/** Payload of `goal.create` as it is written (defaults may be left out). The runner creates it as a draft (`confirmed` false), stores the files, then confirms. */
export type GoalCreate = z.input<(typeof catalogue)['goal.create']['payload']>;

/** A source file of the goal, stored under `path` before the goal is confirmed. */
export interface SourceFile {
  path: string;
  bytes: Uint8Array;
  type: string;
}

/** A file that `--out` receives: the artifact `path` of the accepted submission of `item`, written as `as`. */
export interface SampleOutput {
  as: string;
  item: string;
  path: string;
  /** An optional output that the run did not produce is left out; a missing required one is an error (exit 1). Default: true. */
  required?: boolean;
}

/** Row of the record as the API answers it; `data` has the shape of `RowData[kind]` in `worker/domain/row-data.ts`. */
export interface RecordRow {
  id: string;
  seq: number;
  item?: string;
  attempt?: string;
  data: Json;
}

/** Reads of one goal over HTTP. Every method throws on an answer that is not 2xx, with the refusal's code in the message. */
export interface SampleClient {
  readonly goal: string;
  bar(): Promise<GoalBar>;
  /** All rows of a kind, in order of id; pages are followed. */
  rows(kind: string, options?: { prefix?: string; item?: string }): Promise<RecordRow[]>;
  /** A body by its digest (the `...Body` fields of rows); undefined when it was erased. */
  body(digest: string): Promise<Json | undefined>;
  /** Current value of a fact; undefined when there is none. */
  fact(key: string): Promise<Json | undefined>;
  /** Artifacts of the accepted submission of an item; empty when nothing of it is accepted. */
  accepted(item: string): Promise<Artifact[]>;
  /** Bytes of a file of this goal, by digest. */
  bytes(digest: string): Promise<Uint8Array>;
}

/** Who carries the goal: scripts of its skill, or agents with a model. */
export const sampleExecutors = ['skill', 'model'] as const;
export type SampleExecutor = (typeof sampleExecutors)[number];

/** Carriers of a goal whose lanes are agents: the built-in profiles. */
export const agentLanes: NonNullable<GoalCreate['lanes']> = {
  coordinator: { kind: 'agent', profile: 'coordinator' },
  reviewers: [{ kind: 'agent', profile: 'reviewer' }],
};

export interface Sample {
  /** Name of its folder and of the command's argument. */
  name: string;
  title: string;
  /** Milestone that `--kill-at N` counts by. Absent: the number of accepted items. */
  milestone?: string;
  /**
   * Reads the data in `dir` (absolute path) and makes the goal from it. Throws with a sentence for a person where the data is not of the sample's shape
   * in a way that makes a contract impossible; everything else is found and refused by the run itself.
   */
  create(dir: string, options?: { executor?: SampleExecutor }): Promise<{ payload: GoalCreate; files: SourceFile[] }>;
  outputs: SampleOutput[];
  /** Further output that is made from the record rather than copied. Returns what to write into `--out`, by file name. Called only for a completed goal. */
  assemble?(client: SampleClient): Promise<Record<string, string | Uint8Array>>;
}
