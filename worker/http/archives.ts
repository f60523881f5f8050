/** A Goal as one file: out of one installation, into another, or away for good. The format is `goal/archive/format.ts`. Both ways are streamed: neither is held whole. */
import { createHash, randomUUID } from 'node:crypto';
import { createTarDecoder, createTarPacker } from 'modern-tar';
import { type Refusal, refuse } from '../domain/refusals.ts';
import type { RowData } from '../domain/row-data.ts';
import type { Json } from '../domain/values.ts';
import {
  type ArchiveAnswer,
  type ArchiveHead,
  type ArchivePage,
  type ArchiveSeal,
  archiveFormat,
  archiveHead,
  archiveSeal,
  archiveVersion,
  fileOf,
  sectionOf,
} from '../goal/archive/format.ts';
import { fileKey } from '../goal/file-key.ts';
import { goalIdPattern } from '../goal/goal-id.ts';
import { type GoalStub, goalStub } from '../goal/goal-stub.ts';
import type { Door, ReadValues } from '../goal/rpc.ts';
import { admitFile, recordInAudit } from '../workspace/client.ts';
import type { RecordedType, RecordRequest } from '../workspace/rpc.ts';
import { readGoal } from './goals.ts';
import { actorOf, addressOf } from './identity.ts';
import { bad, good, type Outcome } from './outcome.ts';
import { nothing, parameters } from './parameters.ts';
import { answer, type Call } from './route.ts';
import { type Entry, type Packer, SealedTar } from './sealed-tar.ts';

/** Bytes of one entry that is held in memory. What we write is far smaller; a larger one is not ours. */
const maxEntryBytes = 8_000_000;
/** Rows of the record read at once. */
const rowsAtOnce = 1000;

const invalid = (pointer: string, code: string, detail?: string): Refusal =>
  refuse('archive_invalid', { errors: [{ pointer, code, ...(detail === undefined ? {} : { detail }) }] });

const recordOf = (call: Call, type: RecordedType, goal: string, after: Json): RecordRequest => ({
  v: 1,
  workspace: call.workspace,
  actor: actorOf(call.member),
  from: addressOf(call.request),
  type,
  subject: goal,
  after,
});

const doorOf = (call: Call, goal: string): Door => ({ v: 1, workspace: call.workspace, goal });

/** What an object throws, e.g. because it was reset meanwhile, is `unavailable`. */
async function asked<T>(call: Call, goal: string, work: (stub: GoalStub) => Promise<ArchiveAnswer<T>>): Promise<Outcome<T>> {
  try {
    const given = await work(goalStub(call.env, call.workspace, goal));
    return given.outcome === 'found' ? good(given.value) : bad(given.refusal);
  } catch {
    return bad(refuse('unavailable'));
  }
}

/** `GET .../goals/{goal}/export`. What fails on the way breaks the answer off; an archive without its seal is refused wherever it is brought in. */
export async function exportRoute(call: Call): Promise<Response | Refusal> {
  const given = parameters(nothing, call.query);
  if (!given.ok) return given.refusal;
  const goal = call.params.goal ?? '';
  const now = await readGoal(call.env, call.workspace, goal, { what: 'next' });
  if (!now.ok) return now.refusal;
  const { readable, controller } = createTarPacker();
  void streamed(controller, writeArchive(call, goal, now.value.seq, new SealedTar(controller)));
  return tarResponse(readable, `${goal}.${now.value.seq}`);
}

/** Ends the tar when it is written, and breaks it off when that fails. */
export async function streamed(packer: Packer, writing: Promise<void>): Promise<void> {
  try {
    await writing;
    packer.finalize();
  } catch (error) {
    packer.error(error instanceof Error ? error : new Error(String(error)));
  }
}

export function tarResponse(body: ReadableStream<Uint8Array>, name: string): Response {
  return new Response(body, {
    headers: { 'content-type': 'application/x-tar', 'content-disposition': `attachment; filename="${name}.tar"`, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' },
  });
}

/** All of a goal up to `seq`, its seal last. */
export async function writeArchive(call: Call, goal: string, seq: number, tar: SealedTar): Promise<void> {
  const insist = async <T>(work: (stub: GoalStub) => Promise<ArchiveAnswer<T>>): Promise<T> => {
    const first = await asked(call, goal, work);
    const found = first.ok ? first : await asked(call, goal, work);
    if (!found.ok) throw new Error(`the goal does not answer: ${found.refusal.code}`);
    return found.value;
  };
  const head: ArchiveHead = { format: archiveFormat, version: archiveVersion, goal, seq, exportedAt: Date.now() };
  await tar.add('longhaul.json', `${JSON.stringify(head, null, 2)}\n`);
  for (let cursor: string | null = null; ; ) {
    const after: string | null = cursor;
    const page: ArchivePage = await insist((stub) => stub.archive({ ...doorOf(call, goal), upTo: seq, cursor: after }));
    if (page.name !== undefined) await tar.add(page.name, page.text);
    cursor = page.next;
    if (cursor === null) break;
  }
  const missingFiles: string[] = [];
  for (const digest of await filesNamed(call, goal)) {
    const object = await call.env.FILES.get(fileKey(call.workspace, goal, digest));
    if (!object) {
      missingFiles.push(digest);
      continue;
    }
    await tar.stream({ name: `files/${digest}`, size: object.size, digest }, object.body);
  }
  const { digest: history, commits } = await insist((stub) => stub.history({ ...doorOf(call, goal), upTo: seq }));
  const seal: ArchiveSeal = { goal, seq, entries: [...tar.entries], history, commits, missingFiles };
  await tar.add('seal.json', `${JSON.stringify(seal)}\n`);
}

/** Digests of all files that the record names, each once: what was stored by a path, large briefs, and answers that were kept whole. */
async function filesNamed(call: Call, goal: string): Promise<Set<string>> {
  const digests = new Set<string>();
  const add = (digest: string | undefined) => digest !== undefined && digests.add(digest);
  for await (const row of rowsOf(call, goal, 'artifact')) add((row as unknown as RowData['artifact']).artifact.digest);
  for await (const row of rowsOf(call, goal, 'subagent')) add((row as unknown as RowData['subagent']).briefFile?.digest);
  for await (const row of rowsOf(call, goal, 'call')) add((row as unknown as RowData['call']).kept?.digest);
  return digests;
}

async function* rowsOf(call: Call, goal: string, kind: string): AsyncGenerator<Json> {
  let after: string | undefined;
  for (;;) {
    const found: Outcome<{ seq: number; value: Json }> = await readGoal(call.env, call.workspace, goal, {
      what: 'rows',
      kind,
      limit: rowsAtOnce,
      ...(after === undefined ? {} : { after }),
    });
    if (!found.ok) throw new Error(`the goal does not answer: ${found.refusal.code}`);
    const page: ReadValues['rows'] = found.value.value as unknown as ReadValues['rows'];
    for (const row of page.data) yield row.data;
    if (page.next === null) return;
    after = page.next;
  }
}

/** `POST .../goals/import`: an archive as the body. The goal keeps its id and its history; one that was under way comes in paused. */
export async function importRoute(call: Call): Promise<Response | Refusal> {
  const given = parameters(nothing, call.query);
  if (!given.ok) return given.refusal;
  if (!call.request.body) return invalid('', 'empty');
  const read = await readArchive(call, call.request.body);
  if (!read.ok) return read.refusal;
  const { goal, batch, seal } = read.value;
  const recorded = await recordInAudit(call.env, recordOf(call, 'goal.import', goal, { goal, seq: seal.seq, history: seal.history }));
  if (recorded.outcome === 'refused') return recorded.refusal;
  const taken = await asked(call, goal, (stub) => stub.takeIn({ ...doorOf(call, goal), batch, seal: seal as unknown as Json, actor: actorOf(call.member) }));
  if (!taken.ok) return taken.refusal;
  return answer({ outcome: 'imported', ...taken.value }, { status: taken.value.added > 0 ? 201 : 200, headers: { location: `/v1/workspaces/${call.workspace}/goals/${goal}` } });
}

interface Read {
  goal: string;
  batch: string;
  seal: ArchiveSeal;
}

/** Files are stored and the record's parts staged as they come; neither counts before the seal. Files of an import that fails are leftovers, and swept. */
async function readArchive(call: Call, body: ReadableStream<Uint8Array>): Promise<Outcome<Read>> {
  const batch = randomUUID();
  const seen: Entry[] = [];
  let head: ArchiveHead | undefined;
  let seal: ArchiveSeal | undefined;
  let part = 0;
  try {
    for await (const { header, body: content } of body.pipeThrough(createTarDecoder({ strict: true }))) {
      const { name, size } = header;
      const at = `/${name}`;
      if (seal) return bad(invalid(at, 'after_seal'));
      if (name.endsWith('/') && size === 0) continue;
      const file = fileOf(name);
      if (file !== undefined && head) {
        const stored = await storeFile(call, head.goal, file, size, content);
        if (!stored.ok) return stored;
        seen.push({ name, size, digest: file });
        continue;
      }
      if (size > maxEntryBytes) return bad(invalid(at, 'too_large', `${size} bytes`));
      const bytes = new Uint8Array(await new Response(content).arrayBuffer());
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      if (!head) {
        const parsed = archiveHead.safeParse(json(text));
        if (name !== 'longhaul.json' || !parsed.success) return bad(invalid(at, 'not_an_archive', 'an archive begins with longhaul.json of a version that is known here'));
        if (!goalIdPattern.test(parsed.data.goal)) return bad(invalid(`${at}/goal`, 'invalid_format'));
        head = parsed.data;
      } else if (name === 'seal.json') {
        const parsed = archiveSeal.safeParse(json(text));
        if (!parsed.success) return bad(invalid(at, 'not_a_seal'));
        seal = parsed.data;
        continue;
      } else if (sectionOf(name)) {
        const { goal } = head;
        const number = part++;
        const staged = await asked(call, goal, (stub) => stub.stage({ ...doorOf(call, goal), batch, part: number, name, text }));
        if (!staged.ok) return staged;
      } else return bad(invalid(at, 'unknown_entry'));
      seen.push({ name, size, digest: createHash('sha256').update(bytes).digest('hex') });
    }
  } catch (error) {
    return bad(invalid('', 'cut_off', error instanceof Error ? error.message.slice(0, 300) : undefined));
  }
  if (!head || !seal) return bad(invalid('/seal.json', 'cut_off', 'the archive has no seal'));
  const different = differenceOf(seen, seal.entries);
  if (different !== undefined) return bad(invalid(`/${different}`, 'digest', 'it is not what was sealed'));
  if (seal.goal !== head.goal || seal.seq !== head.seq) return bad(invalid('/seal.json', 'mismatch', 'it is the seal of another archive'));
  return good({ goal: head.goal, batch, seal });
}

function differenceOf(seen: readonly Entry[], sealed: readonly Entry[]): string | undefined {
  for (let at = 0; at < Math.max(seen.length, sealed.length); at++) {
    const one = seen[at];
    const other = sealed[at];
    if (!one || !other || one.name !== other.name || one.size !== other.size || one.digest !== other.digest) return one?.name ?? other?.name ?? '';
  }
  return undefined;
}

/** The store itself compares the digest. */
async function storeFile(call: Call, goal: string, digest: string, size: number, content: ReadableStream<Uint8Array>): Promise<Outcome<null>> {
  const admitted = await admitFile(call.env, { workspace: call.workspace, goal, digest, size });
  if (admitted.outcome === 'refused') return bad(admitted.refusal);
  const { readable, writable } = new FixedLengthStream(size);
  const [wrote, put] = await Promise.allSettled([
    content.pipeTo(writable),
    call.env.FILES.put(fileKey(call.workspace, goal, digest), readable, { sha256: digest, customMetadata: { intent: 'import', by: call.member.principal } }),
  ]);
  if (wrote.status === 'fulfilled' && put.status === 'fulfilled') return good(null);
  return bad(invalid(`/files/${digest}`, 'digest', 'its bytes are not those of its name, or the store did not take them'));
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `POST .../goals/{goal}/erase`: for good. `done: false` means that the rest goes on by itself; asking again is harmless. */
export async function eraseRoute(call: Call): Promise<Response | Refusal> {
  const given = parameters(nothing, call.query);
  if (!given.ok) return given.refusal;
  const goal = call.params.goal ?? '';
  // One that is not there, or was erased already, is nothing to record.
  const there = await readGoal(call.env, call.workspace, goal, { what: 'next' });
  if (there.ok) {
    const recorded = await recordInAudit(call.env, recordOf(call, 'goal.erase', goal, { goal, seq: there.value.seq }));
    if (recorded.outcome === 'refused') return recorded.refusal;
  }
  const erased = await asked(call, goal, (stub) => stub.erase(doorOf(call, goal)));
  return erased.ok ? answer({ outcome: 'erased', goal, done: erased.value.done }) : erased.refusal;
}
