/**
 * Files of a Goal. Bytes first, then the command that names them: a stored file that no record names is only a leftover, a name without bytes would be a lie.
 * The stored object is its own note of intent (metadata `intent`, `path`, `by`); what the record does not name 48 hours later may be removed.
 */
import { createHash } from 'node:crypto';
import { type Refusal, refuse } from '../domain/refusals.ts';
import { filePath, sha256Hex } from '../domain/values.ts';
import { fileKey } from '../goal/file-key.ts';
import { admitFile } from '../workspace/client.ts';
import { maxFileBytes, readBytes } from './body.ts';
import { answerOf } from './commands.ts';
import { dataFileRefusal } from './data-file.ts';
import { giveCommand, readGoal } from './goals.ts';
import { actorOf } from './identity.ts';
import type { Call } from './route.ts';

const types: Record<string, string> = {
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  pdf: 'application/pdf',
};

/** By the name, never by what the sender says: a browser must not be talked into running a file. */
export function typeOf(path: string): string {
  return types[/\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream';
}

/** The digest that the sender says (RFC 9530), hex; undefined when it says none; `bad` when it cannot be read. */
function declaredDigest(request: Request): string | undefined | 'bad' {
  const header = request.headers.get('content-digest');
  if (header === null) return undefined;
  const base64 = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/=]+):/.exec(header)?.[1];
  return base64 === undefined ? 'bad' : Buffer.from(base64, 'base64').toString('hex');
}

/** `PUT .../files/{path}`: a source file of the Goal; by the token of an Attempt, a file that it may submit. The same bytes under the same path again change nothing but the record's last naming. */
export async function putFileRoute(call: Call): Promise<Response | Refusal> {
  const path = filePath.safeParse(call.params.path);
  if (!path.success) return refuse('schema_invalid', { errors: [{ pointer: '/path', code: 'invalid_path', detail: 'a relative path of at most 200 characters' }] });
  const goal = call.params.goal ?? '';
  const declared = declaredDigest(call.request);
  if (declared === 'bad') return refuse('schema_invalid', { errors: [{ pointer: '', code: 'content_digest', detail: 'Content-Digest: sha-256=:base64:' }] });
  const { attempt, principal } = call.member;
  const exists = await readGoal(
    call.env,
    call.workspace,
    goal,
    attempt ? { what: 'attempt_grant', item: attempt.item, fence: attempt.fence, principal } : { what: 'next' },
    attempt,
  );
  if (!exists.ok) return exists.refusal;
  const body = await readBytes(call.request, maxFileBytes);
  if (!body.ok) return body.refusal;
  const bytes = body.value;
  const digest = createHash('sha256').update(bytes).digest('hex');
  if (declared !== undefined && declared !== digest)
    return refuse('digest_mismatch', { detail: 'The bytes that arrived are not those the sender named.', current: { digest, size: bytes.byteLength } });
  const malformed = dataFileRefusal(path.data, bytes);
  if (malformed) return malformed;
  const admitted = await admitFile(call.env, { workspace: call.workspace, goal, digest, size: bytes.byteLength });
  if (admitted.outcome === 'refused') return admitted.refusal;
  const type = typeOf(path.data);
  const commandId = call.request.headers.get('idempotency-key') ?? `file:${crypto.randomUUID()}`;
  try {
    await call.env.FILES.put(fileKey(call.workspace, goal, digest), bytes, {
      sha256: digest,
      httpMetadata: { contentType: type },
      customMetadata: { intent: commandId.slice(0, 200), path: encodeURIComponent(path.data), by: principal },
    });
  } catch {
    return refuse('unavailable', { detail: 'The store of files does not answer. Nothing was recorded.' });
  }
  const given = await giveCommand(call.env, {
    v: 1,
    workspace: call.workspace,
    goal,
    actor: actorOf(call.member),
    envelope: {
      type: 'artifact.put',
      commandId,
      expected: {},
      payload: { artifact: { path: path.data, digest, size: bytes.byteLength, type }, role: attempt ? 'working' : 'source' },
      dryRun: false,
    },
  });
  return answerOf(given, goal, call, 201, { location: `/v1/workspaces/${call.workspace}/goals/${goal}/artifacts/${digest}` });
}

/** The file that the record of this Goal names under the digest of the path; its name is the last part of the path it stands under. */
export async function namedFile(call: Call): Promise<Refusal | { digest: string; path: string; name: string }> {
  const digest = sha256Hex.safeParse(call.params.digest);
  if (!digest.success) return refuse('not_found');
  const named = await readGoal(call.env, call.workspace, call.params.goal ?? '', { what: 'artifact', digest: digest.data }, call.member.attempt);
  if (!named.ok) return named.refusal;
  const path = pathIn(named.value.value) ?? digest.data;
  return { digest: digest.data, path, name: path.slice(path.lastIndexOf('/') + 1) };
}

/** `GET .../artifacts/{digest}`: the bytes, for a file that the record of this Goal names. Always a download; a browser never runs it. */
export async function artifactRoute(call: Call): Promise<Response | Refusal> {
  const file = await namedFile(call);
  if ('refused' in file) return file;
  const { digest, path, name } = file;
  let stored: R2ObjectBody | null;
  try {
    stored = await call.env.FILES.get(fileKey(call.workspace, call.params.goal ?? '', digest));
  } catch {
    return refuse('unavailable', { detail: 'The store of files does not answer.' });
  }
  if (!stored) return refuse('not_found', { detail: 'The record names this file; its bytes are gone.' });
  return new Response(stored.body, {
    headers: {
      'content-type': typeOf(path),
      'content-length': String(stored.size),
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)}`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      etag: `"${digest}"`,
      // The bytes under a digest never change; whether the caller may see them can.
      'cache-control': 'private, no-cache',
    },
  });
}

/** The path under which the record names a file: of the file itself, or of a row that holds it. */
function pathIn(value: unknown): string | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  if ('path' in value && typeof value.path === 'string') return value.path;
  return 'artifact' in value ? pathIn(value.artifact) : undefined;
}
