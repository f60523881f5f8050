/**
 * Files for a browser, from addresses that know nobody: `GET .../artifacts/{digest}/link` looks at who asks and sends on to `/v1/files/{link}/{name}`, where neither a cookie nor a token is looked at.
 * The link is signed, bound to workspace, goal, digest, name and use, and good for some minutes; it says nothing of who got it. So a file is never answered on the strength of a session, whatever
 * is in it, and what shows one in a page needs no credential.
 */
import { z } from 'zod';
import { readSignedText, signText } from '../auth/signed-text.ts';
import { authSecret } from '../auth/settings.ts';
import { type Refusal, refuse } from '../domain/refusals.ts';
import { sha256Hex } from '../domain/values.ts';
import type { Env } from '../env.ts';
import { fileKey } from '../goal/file-key.ts';
import { goalIdPattern, workspacePattern } from '../goal/goal-id.ts';
import { namedFile, typeOf } from './files.ts';
import { parameters } from './parameters.ts';
import { answer, type Call, type OpenCall } from './route.ts';

/** Milliseconds that a link is good for. */
export const fileLinkMs = 5 * 60_000;
const purpose = 'file link';
const uses = ['download', 'view'] as const;
export const linkQuery = z.strictObject({ as: z.enum(uses).default('download') });

export interface FileLink {
  workspace: string;
  goal: string;
  digest: string;
  name: string;
  as: (typeof uses)[number];
  expiresAt: number;
}

const said = z.tuple([z.string().regex(workspacePattern), z.string().regex(goalIdPattern), sha256Hex, z.string().min(1).max(200), z.enum(uses), z.int()]);

/** The path of a link. */
export function fileLinkPath(env: Env, { workspace, goal, digest, name, as, expiresAt }: FileLink): string {
  return `/v1/files/${signText(authSecret(env), purpose, [workspace, goal, digest, name, as, expiresAt])}/${encodeURIComponent(name)}`;
}

/** `GET .../artifacts/{digest}/link?as=download|view`: 303 to the file's own address. */
export async function fileLinkRoute(call: Call): Promise<Response | Refusal> {
  const given = parameters(linkQuery, call.query);
  if (!given.ok) return given.refusal;
  const file = await namedFile(call);
  if ('refused' in file) return file;
  const expiresAt = Date.now() + fileLinkMs;
  const url = fileLinkPath(call.env, { workspace: call.workspace, goal: call.params.goal ?? '', digest: file.digest, name: file.name, as: given.value.as, expiresAt });
  return answer({ url, expiresAt }, { status: 303, headers: { location: url } });
}

/** Types that a browser may show: what they are is said here, and nothing of them can run. Text is text, whatever it is a text of. */
function shownAs(name: string): string | null {
  const type = typeOf(name);
  if (type === 'image/png' || type === 'image/jpeg') return type;
  return /^(text\/|application\/(json|x-ndjson))/.test(type) ? 'text/plain; charset=utf-8' : null;
}

/** `GET /v1/files/{link}/{name}`. Altered, too old, of another name, and without its bytes: one answer. */
export async function linkedFileRoute({ request, env, params }: OpenCall): Promise<Response | Refusal> {
  const read = said.safeParse(readSignedText(authSecret(env), purpose, params.link ?? ''));
  if (!read.success) return refuse('not_found');
  const [workspace, goal, digest, name, as, expiresAt] = read.data;
  if (expiresAt <= Date.now() || params.name !== name || new URL(request.url).search !== '') return refuse('not_found');
  let stored: R2ObjectBody | null;
  try {
    stored = await env.FILES.get(fileKey(workspace, goal, digest));
  } catch {
    return refuse('unavailable', { detail: 'The store of files does not answer.' });
  }
  if (!stored) return refuse('not_found');
  const shown = as === 'view' ? shownAs(name) : null;
  return new Response(stored.body, {
    headers: {
      'content-type': shown ?? 'application/octet-stream',
      'content-length': String(stored.size),
      'content-disposition': dispositionOf(shown === null ? 'attachment' : 'inline', name),
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      // The link is in the address: what it leads to is kept nowhere on the way.
      'cache-control': 'private, no-store',
    },
  });
}

const dispositionOf = (how: 'attachment' | 'inline', name: string): string =>
  `${how}; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)}`;
