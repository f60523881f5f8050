import { z } from 'zod';
import type { RowData } from '../../domain/row-data.ts';
import type { Json } from '../../domain/values.ts';
import { done, no } from '../answers.ts';
import { characterAt, headThatFits, wholeCharacters } from '../pages.ts';
import { about } from '../shapes.ts';
import { type ToolAnswer, type ToolEnv, tool } from '../tool.ts';

/** Bytes of one page at most. */
const PAGE = 1024 * 1024;
/** Characters of an answer beside the page's text. */
const BESIDE = 400;

/** A text that is read in parts. */
interface Whole {
  size: number;
  /** Undefined: the bytes are gone. */
  range(offset: number, length: number): Promise<Uint8Array | undefined>;
}

export const resultRead = tool({
  name: 'result.read',
  description:
    'The whole of what is too long for the conversation, as JSON text in pages: `{ref, offset?, limit?}` answers `{ref, size, offset, text, next}`; sizes and offsets are bytes, `next` is the offset of the rest or null, and the texts put together are the whole, digit for digit. `ref`: `call:<id>` is the answer of an earlier call of this round or of the rounds before it on the same target, `child:<name>` the result of a child, `approval:<id>` the arguments of a call that was decided on, `brief` the brief of this round.',
  lanes: ['worker', 'coordinator', 'reviewer'],
  input: z.strictObject({ ref: z.string().min(1).max(300), offset: z.int().min(0).default(0), limit: z.int().min(1).max(PAGE).default(PAGE), about }),
  effect: 'none',
  subject: (args) => args.about ?? args.ref,
  async run({ ref, offset: asked, limit }, env) {
    const found = await wholeOf(ref, env);
    if ('ok' in found) return found;
    if (asked > found.size) return no('schema_invalid', { detail: `${ref} has ${found.size} bytes`, errors: [{ pointer: '/offset', code: 'too_big' }] });
    const bytes = await found.range(asked, Math.max(limit, 8));
    if (!bytes) return no('unavailable', { detail: `the bytes of ${ref} are not in the store` });
    const skipped = characterAt(bytes);
    const offset = asked + skipped;
    const part = bytes.subarray(skipped, asked + bytes.length < found.size ? wholeCharacters(bytes) : undefined);
    const text = headThatFits(new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(part), (env.room ?? PAGE * 2) - BESIDE);
    const end = offset + new TextEncoder().encode(text).length;
    return done({ ref, size: found.size, offset, text, next: end < found.size ? end : null }, `${ref}: bytes ${offset} to ${end} of ${found.size}`);
  },
});

async function wholeOf(ref: string, env: ToolEnv): Promise<Whole | ToolAnswer> {
  const [, kind = 'call', name = ref] = /^(call|child|approval):(.*)$/s.exec(ref) ?? [];
  if (ref === 'brief') {
    const { brief } = env.context;
    if (!brief) return no('not_found', { detail: 'this round has no brief' });
    return brief.file ? stored(brief.file, env) : inMemory(JSON.stringify(brief.value));
  }
  if (kind === 'approval') {
    const decided = env.context.decided ?? [];
    const call = decided.find((each) => each.approval === name);
    return call ? inMemory(JSON.stringify(call.args)) : no('not_found', { detail: `no decided call ${name}`, current: { approvals: decided.map((each) => each.approval) } });
  }
  if (kind === 'child') {
    const child = env.context.children[name];
    return child?.result === undefined
      ? no('not_found', { detail: `no result of a child ${name}`, current: { children: Object.keys(env.context.children) } })
      : inMemory(JSON.stringify(child.result));
  }
  return answerOf(name, env);
}

/** Of this target alone: a reviewer learns nothing of how its worker came to what it delivered, and no item of another's. */
async function answerOf(call: string, env: ToolEnv): Promise<Whole | ToolAnswer> {
  const row = await rowOf(env, 'call', call);
  const round = row && (row.round === env.context.round ? { target: env.context.target } : await rowOf(env, 'round', row.round));
  if (!row || round?.target !== env.context.target) return no('not_found', { detail: `no call ${call} of this work` });
  if (row.kept) return stored(row.kept, env);
  const effect = row.effect === undefined ? undefined : await rowOf(env, 'effect', row.effect);
  const body = typeof effect?.resultBody !== 'string' ? undefined : await env.read({ what: 'body', digest: effect.resultBody });
  if (body !== undefined) return inMemory(JSON.stringify(body));
  return no('not_found', { detail: `the answer of ${call} was short, a refusal, or none came: only those of more than a few lines are kept` });
}

async function rowOf<K extends 'call' | 'round' | 'effect'>(env: ToolEnv, kind: K, id: string): Promise<RowData[K] | undefined> {
  const rows = (await env.read({ what: 'rows', kind, prefix: id, limit: 1 })) as { data: { id: string; data: Json }[] } | undefined;
  const [row] = rows?.data ?? [];
  return row?.id === id ? (row.data as unknown as RowData[K]) : undefined;
}

function stored({ digest, size }: { digest: string; size: number }, env: ToolEnv): Whole {
  return { size, range: (offset, length) => env.files.range(digest, offset, length) };
}

function inMemory(text: string): Whole {
  const bytes = new TextEncoder().encode(text);
  return { size: bytes.length, range: async (offset, length) => bytes.subarray(offset, offset + length) };
}
