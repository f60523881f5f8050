/**
 * The archive of a Goal: a tar file whose entries are, in this order,
 *
 *     longhaul.json            what it is: format, goal, `seq` of the last event
 *     journal/000000.ndjson    commits, oldest first, one a line; as many entries as it takes
 *     answers/000000.ndjson    kept answers of commands that changed nothing
 *     bodies/000000.ndjson     texts and values by digest; erased ones are not there
 *     files/<sha256>           bytes that the record names
 *     seal.json                last: digests of all of it
 *
 * The record's rows and the working set are not in it: they are derived from the journal. Neither is anything of the workspace it came from.
 */
import { z } from 'zod';
import type { Refusal } from '../../domain/refusals.ts';
import { json, sha256Hex } from '../../domain/values.ts';

export const archiveFormat = 'longhaul-goal';
export const archiveVersion = 1;

const count = z.int().min(0);

export const archiveHead = z.object({
  format: z.literal(archiveFormat),
  version: z.literal(archiveVersion),
  goal: z.string(),
  /** `seq` of the last event in it. */
  seq: count.min(1),
  exportedAt: count,
});
export type ArchiveHead = z.infer<typeof archiveHead>;

export const archiveSeal = z.object({
  goal: z.string(),
  seq: count.min(1),
  /** Every entry before it, in order. */
  entries: z.array(z.object({ name: z.string(), size: count, digest: sha256Hex })),
  /** The chain over all commits: see `chained`. */
  history: sha256Hex,
  commits: count,
  /** Files that the record names and that were not there when it was exported. */
  missingFiles: z.array(sha256Hex),
});
export type ArchiveSeal = z.infer<typeof archiveSeal>;

/** Events are checked by folding them, which refuses what it does not know. */
export const commitLine = z.object({
  seq: count,
  at: count,
  principal: z.string(),
  commandId: z.string(),
  commandType: z.string(),
  bodyDigest: z.string(),
  events: z.array(z.looseObject({ seq: count, at: count, type: z.string(), v: count, by: z.string() })),
  answer: json,
});
export const answerLine = z.object({ principal: z.string(), commandId: z.string(), bodyDigest: z.string(), answer: json });
export const bodyLine = z.object({ digest: sha256Hex, body: json });

export const sections = ['journal', 'answers', 'bodies'] as const;
export type Section = (typeof sections)[number];

/** Characters of one entry, about: it travels in one call and is held in memory. A single larger line is an entry of its own. */
export const entryCharacters = 400_000;

export function entryName(section: Section, n: number): string {
  return `${section}/${String(n).padStart(6, '0')}.ndjson`;
}

/** The section of an entry's name; undefined for one that is no part of the record. */
export function sectionOf(name: string): Section | undefined {
  return sections.find((section) => new RegExp(`^${section}/\\d{6,}\\.ndjson$`).test(name));
}

export function fileOf(name: string): string | undefined {
  return /^files\/([0-9a-f]{64})$/.exec(name)?.[1];
}

export interface ArchivePage {
  /** Undefined: there is nothing more. */
  name?: string;
  text: string;
  next: string | null;
}

/** What an import answers. */
export interface Imported {
  goal: string;
  seq: number;
  /** Events that were added; 0 when the same record was here already. */
  added: number;
  /** Texts that the journal names and that were erased before the export. */
  erasedBodies: number;
  missingFiles: string[];
  /** A Goal that was under way is paused: two installations must not carry the same work. */
  paused: boolean;
}

export const noHistory = '0'.repeat(64);

/** The digest of a history with one commit more. Equal digests: the same commits in the same order. */
export function chained(sha256: (text: string) => string, before: string, canonicalCommit: string): string {
  return sha256(`${before}\n${canonicalCommit}`);
}

export type ArchiveAnswer<T> = { outcome: 'found'; value: T } | { outcome: 'refused'; refusal: Refusal };
