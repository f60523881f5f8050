/**
 * Takes a staged archive into the record: verifies its history, folds it, derives the rows, all within the caller's transaction. Throws `NotTaken` with the
 * refusal, which rolls it back; nothing of an archive counts before all of it does.
 *
 * What is here already must be the beginning of what comes: a newer record, or another one, is never overwritten.
 */
import { canonical, digestOf } from '../../domain/digest.ts';
import type { Event } from '../../domain/events.ts';
import { type Refusal, refuse } from '../../domain/refusals.ts';
import type { State } from '../../domain/state.ts';
import type { Json } from '../../domain/values.ts';
import { lookupOf } from '../lookup.ts';
import type { Commit, Store } from '../ports.ts';
import type { ProtocolPorts } from '../protocol-ports.ts';
import { type ArchiveSeal, answerLine, bodyLine, chained, commitLine, noHistory, sectionOf } from './format.ts';
import { historyOf } from './write.ts';

/** Parts read at once: each is a few hundred kilobytes. */
const partsAtOnce = 4;

export class NotTaken extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.detail ?? refusal.code);
    this.refusal = refusal;
  }
}

const invalid = (pointer: string, code: string, detail?: string) =>
  new NotTaken(refuse('archive_invalid', { errors: [{ pointer, code, ...(detail === undefined ? {} : { detail }) }] }));

export interface Taken {
  state: State;
  added: number;
  erasedBodies: number;
}

export function takeIn(ports: Pick<ProtocolPorts, 'store' | 'core' | 'sha256'>, batch: string, seal: ArchiveSeal): Taken {
  const { store, core, sha256 } = ports;
  const here = store.lastSeq();
  if (seal.seq < here) throw new NotTaken(refuse('record_newer', { current: { seq: here }, detail: `the record here goes to ${here}, the archive to ${seal.seq}` }));
  const own = historyOf(store, here, sha256).digest;
  const lookup = lookupOf(store, new Map());
  const bodies = new Set<string>();
  const named = new Set<string>();
  let state = core.empty();
  let history = noHistory;
  let commits = 0;
  let seq = 0;
  let added = 0;

  const commitOf = (line: unknown, place: string): void => {
    const read = commitLine.safeParse(line);
    if (!read.success) throw invalid(place, 'not_a_commit');
    const commit = read.data as unknown as Commit;
    if (commit.events.length === 0 || commit.events.some((event, index) => event.seq !== seq + index + 1) || commit.seq !== seq + commit.events.length)
      throw invalid(place, 'numbering', `after event ${seq}`);
    history = chained(sha256, history, canonical(commit as unknown as Json));
    commits++;
    seq = commit.seq;
    if (seq === here && history !== own)
      throw new NotTaken(refuse('record_newer', { current: { seq: here }, detail: 'the record here is another one: it is not the beginning of the archive' }));
    const isNew = seq > here;
    if (isNew && seq - commit.events.length < here) throw invalid(place, 'numbering', `a commit reaches over event ${here}, the last one here`);
    for (const event of commit.events) {
      state = fold(event, place);
      for (const digest of bodiesIn(event as unknown as Json)) named.add(digest);
      // Each event's rows may rest on those of the one before.
      if (isNew) store.putRows(core.rowsOf(event, state, lookup));
    }
    if (isNew) {
      if (!store.appendCommit(commit)) throw invalid(place, 'command_twice', commit.commandId);
      added += commit.events.length;
    }
  };
  const fold = (event: Event, place: string): State => {
    try {
      return core.fold(state, [event]);
    } catch (error) {
      throw invalid(place, 'unknown_event', error instanceof Error ? error.message : undefined);
    }
  };

  for (const { name, line, place } of linesOf(store, batch)) {
    switch (sectionOf(name)) {
      case 'journal':
        commitOf(line, place);
        break;
      case 'answers': {
        const read = answerLine.safeParse(line);
        if (!read.success) throw invalid(place, 'not_an_answer');
        if (store.commitOf(read.data.principal, read.data.commandId)) break;
        store.appendCommit({ ...read.data, seq: seal.seq, at: 0, commandType: '', events: [] });
        break;
      }
      case 'bodies': {
        const read = bodyLine.safeParse(line);
        if (!read.success) throw invalid(place, 'not_a_body');
        const { digest, body } = read.data;
        if (digestOf(sha256, body) !== digest) throw invalid(place, 'digest', digest);
        bodies.add(digest);
        store.putBodies({ [digest]: body });
        break;
      }
      default:
        throw invalid(place, 'unknown_entry', name);
    }
  }
  if (seq !== seal.seq || commits !== seal.commits) throw invalid('/seal.json', 'cut_off', `the journal ends at ${seq}, sealed at ${seal.seq}`);
  if (history !== seal.history) throw invalid('/seal.json', 'history', 'the commits are not those that were sealed');
  let erasedBodies = 0;
  for (const digest of named) if (!bodies.has(digest)) erasedBodies++;
  return { state, added, erasedBodies };
}

function* linesOf(store: Store, batch: string): Generator<{ name: string; line: unknown; place: string }> {
  let after = -1;
  for (;;) {
    const parts = store.staged(batch, after, partsAtOnce);
    for (const part of parts) {
      if (part.part !== after + 1) throw invalid(`/${part.name}`, 'part_missing', 'another import of this goal ran at the same time');
      after = part.part;
      let n = 0;
      for (const text of part.text.split('\n')) {
        n++;
        if (text === '') continue;
        const place = `/${part.name}/${n}`;
        yield { name: part.name, line: parsed(text, place), place };
      }
    }
    if (parts.length < partsAtOnce) return;
  }
}

function parsed(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(place, 'not_json');
  }
}

/** Digests under keys that end in `Body`: that is how events name texts that can be erased. */
function* bodiesIn(value: Json, key = ''): Generator<string> {
  if (typeof value === 'string') {
    if (key.endsWith('Body') && /^[0-9a-f]{64}$/.test(value)) yield value;
  } else if (Array.isArray(value)) for (const each of value) yield* bodiesIn(each, key);
  else if (value !== null && typeof value === 'object') for (const [name, each] of Object.entries(value)) yield* bodiesIn(each, name);
}
