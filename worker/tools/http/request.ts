import { z } from 'zod';
import { filePath, type Json, json } from '../../domain/values.ts';
import { guardedFetch, OutgoingRefused } from '../../outgoing/guard.ts';
import { done, no, plain } from '../answers.ts';
import { cleanJson } from '../clean.ts';
import { putFile } from '../files/put.ts';
import { parseJson } from '../json/parse.ts';
import { messageOf, sendEffect, unsent } from '../outside.ts';
import { about } from '../shapes.ts';
import { tool } from '../tool.ts';
import { headersShape } from './headers.ts';
import { hostsForSecrets } from './hosts.ts';
import { httpProbe } from './probe.ts';

/** Bytes of an answer that is read, and of one that is saved as a file. */
const READ_BYTES = 8 * 1024 * 1024;
/** Characters of a body that the agent sees where it names no fewer. */
const SHOWN = 20_000;
const TIMEOUT = 60_000;
/** Headers of an answer that say something to an agent. */
const shownHeaders = ['content-type', 'location', 'etag', 'last-modified', 'retry-after', 'link', 'date'];
export const httpRequest = tool({
  name: 'http.request',
  description:
    'Sends one HTTP request: `{url, method?, headers?, json? | text?, saveAs?, maxCharacters?, probe?}`. Public https addresses that the workspace allows, nothing else. GET and HEAD only read: redirects are followed, any status is an answer `{status, headers, body, truncated?}`, `saveAs` stores the bytes as a working file instead. Every other method changes something outside: it waits for a person\'s approval unless a rule allows it, is sent once with an idempotency key, and never repeated while its outcome is unknown (`effect_unknown`); give `probe` `{url, headers?, happened?, contains?}` so that the host can find out: a GET that answers with status `happened` (200) when it was applied and 404 when not; `{key}` in its url becomes the idempotency key. A header takes `{"$secret": name, "prefix": "Bearer "}`; the value never comes back, and goes only to hosts on the allow list.',
  lanes: ['worker', 'coordinator'],
  input: z
    .strictObject({
      url: z.string().min(1).max(2000),
      method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
      headers: headersShape.default({}),
      json: json.optional().describe('Body as JSON.'),
      text: z.string().max(1_000_000).optional().describe('Body as text, instead of json.'),
      saveAs: filePath.optional(),
      maxCharacters: z.int().min(100).max(200_000).default(SHOWN),
      probe: httpProbe.optional(),
      about,
    })
    .superRefine((args, check) => {
      const reading = args.method === 'GET' || args.method === 'HEAD';
      if (args.json !== undefined && args.text !== undefined) check.addIssue({ code: 'custom', path: ['text'], message: 'one of json and text' });
      if (reading && (args.json !== undefined || args.text !== undefined)) check.addIssue({ code: 'custom', path: ['method'], message: `${args.method} has no body` });
      if (reading && args.probe) check.addIssue({ code: 'custom', path: ['probe'], message: 'only for what changes something' });
      if (!reading && args.saveAs) check.addIssue({ code: 'custom', path: ['saveAs'], message: 'for GET only' });
    }),
  effect: 'outside',
  reads: (args) => args.method === 'GET' || args.method === 'HEAD',
  policy: (args) => (args.method === 'GET' || args.method === 'HEAD' ? 'allow' : 'ask'),
  probe: (args) => args.probe as Json | undefined,
  secrets: ['/headers', '/json', '/probe/headers'],
  timeoutMs: TIMEOUT,
  subject: (args) => args.about ?? `${args.method} ${args.url}`,
  async run(args, env) {
    const all = await env.world.rules();
    if ('refused' in all) return env.permit ? unsent(env, all) : { ok: false, refusal: all };
    const rules = hostsForSecrets(all, env.secrets ?? []);
    // References are values by now.
    const sent = args.headers as Record<string, string>;
    const { method, url } = args;
    if (method !== 'GET' && method !== 'HEAD') {
      const body = args.json === undefined ? args.text : JSON.stringify(args.json);
      const typed = body === undefined || Object.keys(sent).some((name) => name.toLowerCase() === 'content-type');
      const type: Record<string, string> = typed ? {} : { 'content-type': args.json === undefined ? 'text/plain; charset=utf-8' : 'application/json' };
      return sendEffect(env, rules, url, { method, headers: { ...type, ...sent }, ...(body === undefined ? {} : { body }) });
    }
    try {
      const response = await guardedFetch(
        rules,
        url,
        { method, headers: sent },
        { timeoutMs: TIMEOUT - 5000, maxBytes: READ_BYTES, ...(env.world.send ? { send: env.world.send } : {}) },
      );
      const bytes = new Uint8Array(await response.arrayBuffer());
      const type = response.headers.get('content-type') ?? '';
      const said = {
        status: response.status,
        headers: Object.fromEntries(shownHeaders.flatMap((name) => (response.headers.has(name) ? [[name, response.headers.get(name) ?? '']] : []))),
      };
      if (args.saveAs) return await putFile(env, args.saveAs, bytes, type === '' ? undefined : type.slice(0, 100), said);
      return done({ ...said, ...shown(bytes, type, args.maxCharacters) }, `${method} HTTP ${response.status}, ${bytes.length} bytes`);
    } catch (error) {
      if (error instanceof OutgoingRefused) return { ok: false, refusal: error.refusal };
      return no('unavailable', { detail: `no answer: ${messageOf(error)}` });
    }
  },
});

/** Text and JSON are shown, up to a length; of anything else only its size. */
function shown(bytes: Uint8Array, type: string, longest: number): { [key: string]: Json } {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return { body: null, bytes: bytes.length, note: 'not text; use saveAs and read the file' };
  }
  if (text.length > longest) return { body: cleanJson(text.slice(0, longest)).value, truncated: true, characters: text.length };
  const parsed = /[/+]json\b/i.test(type) ? parseJson(text, 'answer') : undefined;
  return plain({ body: cleanJson(parsed && 'value' in parsed ? parsed.value : text).value });
}
