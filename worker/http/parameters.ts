/** Query parameters: closed lists, each with its bounds. An unknown one is refused, so that a misspelt filter never widens an answer. */
import { z } from 'zod';
import { evidenceRef, slug } from '../domain/values.ts';
import { importFormats } from '../imports/import-plan.ts';
import { bad, good, type Outcome } from './outcome.ts';
import { schemaRefusal } from './problem.ts';

const wholeNumber = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);
const limit = wholeNumber.pipe(z.int().min(1).max(200)).default(50);
const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const cursor = z.string().min(1).max(2000).optional();

export const nothing = z.strictObject({});
export const goalList = z.strictObject({
  status: z.enum(['draft', 'active', 'paused', 'completed', 'cancelled']).optional(),
  needsYou: flag.optional(),
  cursor,
  limit,
  after: z
    .array(z.string().regex(/^goal_[0-9a-z]{32}:\d{1,15}$/))
    .max(10)
    .default([]),
});
export const historyList = z.strictObject({ item: slug.optional(), state: z.string().max(60).optional(), cursor, limit });
export const ledgerList = historyList.extend({ evidence: z.string().min(1).max(400).optional() });
/** `wait`: seconds to hold the answer while nothing has happened after `after`. */
export const eventList = z.strictObject({
  after: wholeNumber.default(0),
  limit: wholeNumber.pipe(z.int().min(1).max(1000)).default(200),
  wait: wholeNumber.pipe(z.int().min(0).max(20)).default(0),
});
/** From where a stream goes on. */
export const resumeAt = z.strictObject({ after: wholeNumber.optional() });
export const recordList = z.strictObject({
  kind: z.string().regex(/^[a-z_]{1,40}$/),
  prefix: z.string().max(300).optional(),
  item: slug.optional(),
  cursor,
  limit,
  newestFirst: flag.default(false),
});
/** `propose`: the document is proposed at once, under the id of `Idempotency-Key`. */
export const planImport = z.strictObject({ format: z.enum(importFormats).optional(), tag: z.string().min(1).max(100).optional(), propose: flag.default(false) });
/** The cursor of a page is `<at>:<id>` of its last entry. */
export const deadLetterList = z.strictObject({
  cursor: z
    .string()
    .regex(/^\d{1,15}:.{1,200}$/)
    .transform((text) => ({ at: Number(text.slice(0, text.indexOf(':'))), id: text.slice(text.indexOf(':') + 1) }))
    .optional(),
  limit,
});
/** Of a webhook its name, of a chat `chat:` and its name, of a member who is written to `mail:` and their id. */
const endpointName = z.string().regex(/^((chat:)?[a-z0-9][a-z0-9_-]{0,63}|mail:[A-Za-z0-9_-]{1,64})$/);
/** The cursor of a page is the `seq` of its last delivery. */
export const outboxList = z.strictObject({ endpoint: endpointName.optional(), cursor: wholeNumber.optional(), limit });
/** The cursor of a page of the audit is the `seq` of its last entry. */
const auditFilter = {
  by: z.string().min(1).max(200).optional(),
  /** A type, or the beginning of one before a `*`. */
  type: z
    .string()
    .regex(/^[A-Za-z_.]{0,60}\*?$/)
    .optional(),
  /** Milliseconds; `from` inclusive, `to` exclusive. */
  from: wholeNumber.optional(),
  to: wholeNumber.optional(),
};
export const auditList = z.strictObject({ cursor: wholeNumber.optional(), limit, ...auditFilter });
export const auditExport = z.strictObject({ format: z.enum(['ndjson', 'csv']).default('ndjson'), ...auditFilter });
export const usageRead = z.strictObject({ days: wholeNumber.pipe(z.int().min(1).max(366)).default(30) });
export const templateRead = z.strictObject({ version: wholeNumber.pipe(z.int().min(1)).optional() });
/** The cursor of a page is the `seq` of its last entry. */
export const triggerEntries = z.strictObject({ cursor: wholeNumber.optional(), limit });
export const rebuildList = z.strictObject({ cursor });
export const graphRead = z.strictObject({ revision: wholeNumber.optional() });
/** `against`: another finished goal of the same structure, for comparison. */
export const templateDraftRead = z.strictObject({
  name: slug,
  against: z
    .string()
    .regex(/^goal_[0-9a-z]{32}$/)
    .optional(),
});
export const evidenceRead = z.strictObject({ evidence: evidenceRef });
export const askedRead = z.strictObject({ limit });
export const packetRead = z.strictObject({ item: slug.optional() });

/** Parameters that may be given more than once. */
const repeated: ReadonlySet<string> = new Set(['after']);

export function parameters<S extends z.ZodType>(schema: S, query: URLSearchParams, lists = false): Outcome<z.output<S>> {
  const given = new Map<string, string | string[]>();
  for (const name of new Set(query.keys())) given.set(name, lists && repeated.has(name) ? query.getAll(name) : (query.get(name) ?? ''));
  const parsed = schema.safeParse(Object.fromEntries(given));
  return parsed.success ? good(parsed.data) : bad(schemaRefusal(parsed.error, '/query'));
}

/** A page of a list whose cursor has this form. */
export const pageOf = (form: RegExp) => z.strictObject({ cursor: z.string().regex(form).optional(), limit });
