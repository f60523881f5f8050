/** What a check is: run by the host, never by the model. `worker/domain/planes/checks.ts` evaluates the ones that need only the record. */
import { z } from 'zod';
import { filePath, json, sha256Hex, slug } from '../values.ts';

/** A file the check reads: a source of the Goal, or an artifact of the newest (for an item's own check: the judged) Submission of an item. */
export const artifactRef = z.union([z.strictObject({ source: filePath }), z.strictObject({ item: slug.optional(), path: filePath })]);
export type ArtifactRef = z.infer<typeof artifactRef>;

/** Rows of a JSON or CSV file whose `field` satisfies every condition. `value` compares as text; `matches` is a regular expression. */
export const rowCondition = z.strictObject({
  field: z.string().max(100),
  equals: z.string().max(200).optional(),
  startsWith: z.string().max(200).optional(),
  matches: z.string().max(200).optional(),
});

/** A set of ids, taken from the record or from a file. Sets with `rows` are read outside, on a snapshot. */
export const setRef = z.discriminatedUnion('from', [
  /** A fact whose value is an array of strings. */
  z.strictObject({ from: z.literal('fact'), key: z.string().max(200) }),
  /** Ids with a ledger entry on this milestone, optionally only those with one verdict. */
  z.strictObject({ from: z.literal('ledger'), milestone: slug, verdict: z.string().max(60).optional() }),
  /** Ids on the needs-review list of this milestone: decided for a person by the agent, or parked by the host. */
  z.strictObject({ from: z.literal('review_list'), milestone: slug }),
  /** Keys of facts under a prefix, the prefix cut off. */
  z.strictObject({ from: z.literal('fact_keys'), prefix: z.string().max(200) }),
  /** Values of `id` in the rows of a JSON array or CSV file. */
  z.strictObject({ from: z.literal('rows'), file: artifactRef, id: z.string().max(100), where: z.array(rowCondition).max(20).default([]) }),
  z.strictObject({ from: z.literal('literal'), ids: z.array(z.string().max(200)).max(1000) }),
]);
export type SetRef = z.infer<typeof setRef>;

const decimal = z.string().regex(/^-?\d{1,30}(\.\d{1,10})?$/);

const base = { key: slug, title: z.string().max(200).optional() };
export const checkSpec = z.discriminatedUnion('kind', [
  z.strictObject({
    ...base,
    kind: z.literal('count'),
    of: setRef,
    equals: z.union([z.int(), z.strictObject({ sizeOf: setRef })]).optional(),
    min: z.int().optional(),
    max: z.int().optional(),
  }),
  /** Sum of the decimal field `field` of the facts `<prefix><id>` for every id of `over`. Exact; `max` and `min` inclusive. */
  z.strictObject({
    ...base,
    kind: z.literal('sum'),
    over: setRef,
    prefix: z.string().max(200),
    field: z.string().max(100),
    min: decimal.optional(),
    max: decimal.optional(),
    equals: decimal.optional(),
  }),
  /** `left` is what is there, `right` what must be: `missing` is on the right only, `extra` on the left only. */
  z.strictObject({ ...base, kind: z.literal('set_equal'), left: setRef, right: setRef }),
  z.strictObject({ ...base, kind: z.literal('set_covers'), superset: setRef, subset: setRef }),
  z.strictObject({ ...base, kind: z.literal('json_schema'), file: artifactRef, schema: json }),
  /** CSV rules. `encoding` is how the bytes must decode; `columns` the exact header. */
  z.strictObject({
    ...base,
    kind: z.literal('csv'),
    file: artifactRef,
    columns: z.array(z.string()).optional(),
    bom: z.boolean().optional(),
    lineEnd: z.enum(['crlf', 'lf']).optional(),
    minRows: z.int().optional(),
    maxRows: z.int().optional(),
    uniqueBy: z.string().optional(),
  }),
  z.strictObject({ ...base, kind: z.literal('matches'), file: artifactRef, pattern: z.string().max(500) }),
  z.strictObject({ ...base, kind: z.literal('file_exists'), file: artifactRef }),
  z.strictObject({ ...base, kind: z.literal('digest'), file: artifactRef, digest: sha256Hex }),
  /** `holdsMs`: how long a pass stands before it is asked for again. */
  z.strictObject({ ...base, kind: z.literal('http_probe'), url: z.url(), status: z.int().min(100).max(599).default(200), holdsMs: z.int().min(1000).default(3_600_000) }),
  /** A script of a Skill, run in the sandbox with `files` and `facts` as its input; returns `{pass, scene?, missing?, extra?}`. */
  z.strictObject({
    ...base,
    kind: z.literal('script'),
    skill: slug,
    script: z.string().regex(/^[a-z0-9-]+\.js$/),
    files: z.array(artifactRef).max(20).default([]),
    facts: z.array(z.string().max(200)).max(20).default([]),
    input: json.optional(),
  }),
]);
export type CheckSpec = z.infer<typeof checkSpec>;
export type CheckKind = CheckSpec['kind'];

/** What the failing side of a check, a reviewer or a downstream item saw: enough for the next Attempt to act on. */
export const scene = z.strictObject({
  /** One or two sentences for a person. Free text. */
  summary: z.string().min(1).max(2000),
  missing: z.array(z.string().max(200)).max(2000).optional(),
  extra: z.array(z.string().max(200)).max(2000).optional(),
  /** What stood where, e.g. `{where: "B2", expected: "逗号", actual: "é€—"}`. */
  findings: z
    .array(z.strictObject({ where: z.string().max(200), expected: z.string().max(2000).optional(), actual: z.string().max(2000).optional() }))
    .max(50)
    .optional(),
  data: json.optional(),
});
export type Scene = z.infer<typeof scene>;
