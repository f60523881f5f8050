/** Writes the parts of an archive that the object holds, page by page, up to a `seq`: what is committed meanwhile is not in it. */
import { canonical } from '../../domain/digest.ts';
import type { Json } from '../../domain/values.ts';
import type { Store } from '../ports.ts';
import { type ArchivePage, chained, entryCharacters, entryName, noHistory, type Section, sections } from './format.ts';

/** Lines read at once. */
const page = 200;

interface Place {
  section: Section;
  /** Number of the entry within its section. */
  n: number;
  /** Last line of the entry before. */
  after: Json;
}

export function archivePage(store: Store, upTo: number, cursor: string | null): ArchivePage {
  let place: Place | null = cursor === null ? { section: 'journal', n: 0, after: null } : readPlace(cursor);
  while (place) {
    const { lines, after, more } = linesFrom(store, place, upTo);
    const following: Section | undefined = sections[sections.indexOf(place.section) + 1];
    const next: Place | null = more ? { section: place.section, n: place.n + 1, after } : following ? { section: following, n: 0, after: null } : null;
    if (lines.length > 0) return { name: entryName(place.section, place.n), text: lines.map((line) => `${line}\n`).join(''), next: next && JSON.stringify(next) };
    place = next;
  }
  return { text: '', next: null };
}

/** The chain over the commits up to `upTo`, and how many they are. */
export function historyOf(store: Store, upTo: number, sha256: (text: string) => string): { digest: string; commits: number } {
  let digest = noHistory;
  let commits = 0;
  let after = 0;
  for (;;) {
    const found = store.commits(after, page).filter((commit) => commit.seq <= upTo);
    for (const commit of found) digest = chained(sha256, digest, canonical(commit as unknown as Json));
    commits += found.length;
    const last = found.at(-1);
    if (!last || found.length < page) return { digest, commits };
    after = last.seq;
  }
}

function linesFrom(store: Store, place: Place, upTo: number): { lines: string[]; after: Json; more: boolean } {
  const lines: string[] = [];
  let size = 0;
  let { after } = place;
  for (;;) {
    const found = read(store, place.section, after, upTo);
    for (const { line, key } of found) {
      if (lines.length > 0 && size + line.length > entryCharacters) return { lines, after, more: true };
      lines.push(line);
      size += line.length;
      after = key;
    }
    if (found.length < page) return { lines, after, more: false };
  }
}

function read(store: Store, section: Section, after: Json, upTo: number): { line: string; key: Json }[] {
  switch (section) {
    case 'journal':
      return store
        .commits(typeof after === 'number' ? after : 0, page)
        .filter((commit) => commit.seq <= upTo)
        .map((commit) => ({ line: JSON.stringify(commit), key: commit.seq }));
    case 'answers': {
      const last = Array.isArray(after) ? { principal: String(after[0]), commandId: String(after[1]) } : undefined;
      return store.answers(last, page).map((answer) => ({ line: JSON.stringify(answer), key: [answer.principal, answer.commandId] }));
    }
    case 'bodies':
      return store.bodies(typeof after === 'string' ? after : '', page).map((each) => ({ line: JSON.stringify(each), key: each.digest }));
  }
}

/** Throws for a cursor that this file did not write. */
function readPlace(cursor: string): Place {
  const place = JSON.parse(cursor) as Place;
  if (!sections.includes(place.section) || !Number.isInteger(place.n)) throw new Error('no cursor of an archive');
  return place;
}
