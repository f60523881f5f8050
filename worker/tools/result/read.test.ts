import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Json } from '../../domain/values.ts';
import { fakeEnv, MemoryFiles, use, workerContext } from '../testing/fake-env.ts';
import type { Tool, ToolEnv } from '../tool.ts';
import { resultRead } from './read.ts';

const value = { rows: Array.from({ length: 400 }, (_, n) => ({ id: `25122920421210${n}00001`, amount: '128000.10', name: `<b>Müller & Söhne ${n}</b> 株式会社 😀` })) };
const text = JSON.stringify(value);

/** A Goal in which round `r0` worked on `target` before, and made one call whose answer was kept. */
async function scene(target: string, more: Partial<ToolEnv> = {}): Promise<ToolEnv> {
  const files = new MemoryFiles();
  const kept = await files.put(new TextEncoder().encode(text));
  const rows: Record<string, { id: string; data: Json }[]> = {
    call: [
      { id: 'r0/000003', data: { round: 'r0', kept } },
      { id: 'r0/000004', data: { round: 'r0' } },
      { id: 'r0/000005', data: { round: 'r0', effect: 'eff_1' } },
    ],
    round: [{ id: 'r0', data: { target } }],
    effect: [{ id: 'eff_1', data: { resultBody: 'd1' } }],
  };
  const env = fakeEnv({
    files,
    context: workerContext({ target: 'item:a', children: { one: { state: 'returned', ok: true, result: value } } }),
    reads: (query): Json | undefined =>
      query.what === 'rows'
        ? { data: (rows[query.kind] ?? []).filter((row) => row.id.startsWith(query.prefix ?? '')) }
        : query.what === 'body' && query.digest === 'd1'
          ? { receipt: 'paid' }
          : undefined,
  });
  return { ...env, ...more };
}
interface Page {
  size: number;
  offset: number;
  text: string;
  next: number | null;
}
const read = (args: Json, env: ToolEnv) => use(resultRead as unknown as Tool, args, env);

async function pages(ref: string, env: ToolEnv, more: { limit?: number } = {}): Promise<Page[]> {
  const all: Page[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const answer = await read({ ref, offset, ...more }, env);
    if (!answer.ok) throw new Error(JSON.stringify(answer));
    const page = answer.value as unknown as Page;
    all.push(page);
    offset = page.next;
  }
  return all;
}

it.each(['call:r0/000003', 'r0/000003', 'child:one'])('%s in pages that fit the conversation, and together they are the whole, digit for digit', async (ref) => {
  const room = 1500;
  const all = await pages(ref, await scene('item:a', { room }));
  expect(all.length).toBeGreaterThan(10);
  for (const page of all) expect(JSON.stringify(page).replaceAll('<', '\\u003c').length).toBeLessThanOrEqual(room);
  const whole = all.map((page) => page.text).join('');
  expect(createHash('sha256').update(whole).digest('hex')).toBe(createHash('sha256').update(text).digest('hex'));
  expect(all[0]?.size).toBe(new TextEncoder().encode(text).length);
});

it('an agent may ask for less; pages are cut at characters, and an offset within one moves to the next', async () => {
  const env = await scene('item:a');
  const small = await pages('call:r0/000003', env, { limit: 997 });
  expect(small.map((page) => page.text).join('')).toBe(text);
  const umlaut = new TextEncoder().encode(text.slice(0, text.indexOf('ü'))).length;
  expect(await read({ ref: 'call:r0/000003', offset: umlaut + 1, limit: 10 }, env)).toMatchObject({ value: { offset: umlaut + 2, text: 'ller & S' } });
});

it('a call of another target is not there, whoever asks by its id', async () => {
  expect(await read({ ref: 'call:r0/000003' }, await scene('submission:s1'))).toMatchObject({ ok: false, refusal: { code: 'not_found' } });
  expect(await read({ ref: 'call:r9/000003' }, await scene('item:a'))).toMatchObject({ ok: false, refusal: { code: 'not_found' } });
});

it('a short answer was not kept, and that is said; what a service outside answered is on record', async () => {
  const env = await scene('item:a');
  expect(await read({ ref: 'call:r0/000004' }, env)).toMatchObject({ ok: false, refusal: { code: 'not_found', detail: expect.stringContaining('short') } });
  expect(await read({ ref: 'call:r0/000005' }, env)).toMatchObject({ value: { text: '{"receipt":"paid"}', next: null } });
  expect(await read({ ref: 'child:two' }, env)).toMatchObject({ ok: false, refusal: { code: 'not_found', current: { children: ['one'] } } });
  expect(await read({ ref: 'call:r0/000003', offset: 10_000_000 }, env)).toMatchObject({ ok: false, refusal: { code: 'schema_invalid' } });
});

it('bytes that are gone are said to be gone', async () => {
  const env = await scene('item:a');
  (env.files as MemoryFiles).stored.clear();
  expect(await read({ ref: 'call:r0/000003' }, env)).toMatchObject({ ok: false, refusal: { code: 'unavailable' } });
});
