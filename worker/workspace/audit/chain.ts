/**
 * The audit's rows and the chain over them. Each row carries the digest of the row before and of itself (SHA-256 over canonical JSON, with the workspace in it), and they are numbered without a
 * gap: a row that is altered, removed, moved or cut off shows. Pure: it runs in the workspace's object and, over an export, on any machine.
 *
 * What may have to be erased later (the address that a command came from, the reason in words) is `held` beside the row: the row carries its salted digest alone. Without the salt nobody can try
 * addresses out, and a row whose `held` was erased still fits the chain.
 */
import { digestOf } from '../../domain/digest.ts';
import type { Json, PrincipalId } from '../../domain/values.ts';

/** `workspace`: settings, secrets, grants and what was done to the workspace. `people`: taken in from the log of people and tokens, whose number there is `number`. */
export type AuditSource = 'workspace' | 'people';

export interface Held {
  /** 16 random bytes, hex. */
  salt: string;
  from: string | null;
  reason: string | null;
}

/** What was done, before it has a place in the chain. */
export interface AuditFact {
  at: number;
  by: PrincipalId;
  type: string;
  /** Name or id of what was changed; null where there is one of its kind. */
  subject: string | null;
  before: Json;
  after: Json;
  source: AuditSource;
  /** In the log that it was taken in from; null for what was recorded here first. */
  number: number | null;
  held: Held;
}

export interface AuditRow extends Omit<AuditFact, 'held'> {
  seq: number;
  /** Null: erased. */
  held: Held | null;
  heldDigest: string;
  /** Digest of the row before; of the first one `noRow`. */
  prev: string;
  digest: string;
}

export interface AuditHead {
  seq: number;
  digest: string;
}

type Sha256 = (text: string) => string;

export const noRow = '0'.repeat(64);
export const noHead: AuditHead = { seq: 0, digest: noRow };

const heldDigestOf = (sha256: Sha256, held: Held): string => digestOf(sha256, held as unknown as Json);

function rowDigest(sha256: Sha256, workspace: string, row: Omit<AuditRow, 'digest'>): string {
  const { held: _, ...rest } = row;
  return digestOf(sha256, { ...rest, workspace } as unknown as Json);
}

/** The row that follows that head. */
export function chainedRow(sha256: Sha256, workspace: string, head: AuditHead, fact: AuditFact): AuditRow {
  const { at, by, type, subject, before, after, source, number, held } = fact;
  const row = { seq: head.seq + 1, at, by, type, subject, before, after, source, number, held, heldDigest: heldDigestOf(sha256, held), prev: head.digest };
  return { ...row, digest: rowDigest(sha256, workspace, row) };
}

/**
 * What does not hold. `altered`: the row is not what it was when it was recorded. `held_altered`: its address or reason is not. `removed`: rows between this one and the one before are not there.
 * `reordered`: it stands after one with a higher number, or twice. `unlinked`: it does not follow from the row before, though both are in themselves whole. `cut`: the chain ends before its head.
 * `head`: the head is not that of the last row. `source_altered`, `source_removed`: the log that it was taken in from says something else, or no longer has it.
 */
export type AuditProblemCode = 'altered' | 'held_altered' | 'removed' | 'reordered' | 'unlinked' | 'cut' | 'head' | 'source_altered' | 'source_removed';
export interface AuditProblem {
  seq: number;
  code: AuditProblemCode;
  detail: string;
}

/** Problems that are listed; the rest are counted. */
const listedAtMost = 50;

export interface AuditChecked {
  ok: boolean;
  rows: number;
  head: AuditHead;
  /** Rows whose address and reason were erased. */
  erased: number;
  problems: AuditProblem[];
  /** How many there are, also beyond those that are listed. */
  found: number;
}

/** Goes over rows in their order. `whole: false`: rows of a filter, between which others may be missing. */
export class AuditCheck {
  readonly #sha256: Sha256;
  readonly #workspace: string;
  readonly #whole: boolean;
  readonly #problems: AuditProblem[] = [];
  #found = 0;
  #rows = 0;
  #erased = 0;
  #last: AuditHead = noHead;
  /** Heads that somebody kept elsewhere, by number. */
  readonly #known: ReadonlyMap<number, string>;

  constructor(sha256: Sha256, workspace: string, options: { whole: boolean; known?: readonly AuditHead[] }) {
    this.#sha256 = sha256;
    this.#workspace = workspace;
    this.#whole = options.whole;
    this.#known = new Map((options.known ?? []).map(({ seq, digest }) => [seq, digest]));
  }

  problem(seq: number, code: AuditProblemCode, detail: string): void {
    this.#found++;
    if (this.#problems.length < listedAtMost) this.#problems.push({ seq, code, detail });
  }

  take(row: AuditRow): void {
    this.#rows++;
    const { digest, ...rest } = row;
    const last = this.#last;
    const whole = rowDigest(this.#sha256, this.#workspace, rest) === digest;
    if (!whole) this.problem(row.seq, 'altered', `row ${row.seq} is not what was recorded`);
    if (row.held === null) this.#erased++;
    else if (heldDigestOf(this.#sha256, row.held) !== row.heldDigest) this.problem(row.seq, 'held_altered', `the address or reason of row ${row.seq} is not what was recorded`);
    if (row.seq <= last.seq) {
      this.problem(row.seq, 'reordered', `row ${row.seq} stands after row ${last.seq}`);
      return;
    }
    if (this.#whole && row.seq > last.seq + 1)
      this.problem(row.seq, 'removed', last.seq + 2 === row.seq ? `row ${last.seq + 1} is missing` : `rows ${last.seq + 1} to ${row.seq - 1} are missing`);
    else if (row.seq === last.seq + 1 && (last.seq > 0 || this.#whole || row.seq === 1) && row.prev !== last.digest)
      this.problem(row.seq, 'unlinked', `row ${row.seq} does not follow from row ${last.seq}`);
    const known = this.#known.get(row.seq);
    if (known !== undefined && known !== digest) this.problem(row.seq, 'head', `row ${row.seq} is not the one whose digest was kept elsewhere`);
    this.#last = { seq: row.seq, digest };
  }

  /** `head`: what the chain says its last row is. */
  end(head: AuditHead): AuditChecked {
    const last = this.#last;
    if (this.#whole && last.seq < head.seq)
      this.problem(last.seq + 1, 'cut', last.seq + 1 === head.seq ? `row ${head.seq} is cut off` : `rows ${last.seq + 1} to ${head.seq} are cut off`);
    else if (this.#whole && (last.seq !== head.seq || last.digest !== head.digest)) this.problem(last.seq, 'head', `the head is not that of row ${last.seq}`);
    for (const seq of this.#known.keys())
      if (this.#whole && seq > last.seq && seq > head.seq) this.problem(last.seq + 1, 'cut', `a head of row ${seq} was kept elsewhere, and the chain ends at row ${last.seq}`);
    return { ok: this.#found === 0, rows: this.#rows, head: last, erased: this.#erased, problems: this.#problems, found: this.#found };
  }
}

/** Which rows of the audit. Times in milliseconds, `from` inclusive, `to` exclusive. */
export interface AuditFilter {
  by?: string;
  /** A type, or the beginning of one before a `*`. */
  type?: string;
  from?: number;
  to?: number;
}
export const isWhole = (filter: AuditFilter): boolean => Object.values(filter).every((value) => value === undefined);
