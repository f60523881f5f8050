import { expect, it } from 'vitest';
import type { Json } from '../../domain/values.ts';
import { toolOf } from '../index.ts';
import { type FakeEnv, fakeEnv, MemoryFiles, use, workerContext } from '../testing/fake-env.ts';
import { PART_BYTES, PARTS_IN_FLIGHT } from './upload.ts';

function run(env: FakeEnv, name: string, args: Json) {
  const found = toolOf('worker', name);
  if (!found) throw new Error(name);
  return use(found, args, env);
}

it('reads text by pages without cutting a character', async () => {
  const files = new MemoryFiles();
  const env = fakeEnv({ files, context: workerContext({ sources: [files.source('t.txt', '\uFEFFab逗c')] }) });
  const first = await run(env, 'files.read', { path: 't.txt', length: 7 });
  expect(first).toMatchObject({ ok: true, value: { text: 'ab', bom: true, next: 5 } });
  expect(await run(env, 'files.read', { path: 't.txt', offset: 5 })).toMatchObject({ ok: true, value: { text: '逗c', next: null } });
  expect(await run(env, 'files.read', { path: 't.txt', encoding: 'base64', length: 3 })).toMatchObject({ ok: true, value: { base64: '77u/', next: 3 } });
});

it('finds the nearest file of a path, another on request, and no file of another round', async () => {
  const files = new MemoryFiles();
  const source = files.source('a.txt', 'source');
  const upstream = files.source('a.txt', 'upstream');
  const foreign = files.source('b.txt', 'foreign');
  const env = fakeEnv({ files, context: workerContext({ sources: [source], upstream: [{ item: 'up', submission: 's', artifacts: [upstream], summary: '' }] }) });
  expect(await run(env, 'files.read', { path: 'a.txt' })).toMatchObject({ value: { text: 'upstream' } });
  expect(await run(env, 'files.read', { path: 'a.txt', from: 'source' })).toMatchObject({ value: { text: 'source' } });
  await run(env, 'files.write', { path: 'a.txt', text: 'mine' });
  expect(await run(env, 'files.read', { path: 'a.txt' })).toMatchObject({ value: { text: 'mine' } });
  expect(await run(env, 'files.read', { path: 'a.txt', from: 'up' })).toMatchObject({ value: { text: 'upstream' } });
  expect(await run(env, 'files.read', { digest: foreign.digest })).toMatchObject({ ok: false, refusal: { code: 'not_found' } });
});

it.each([
  { path: '../x', text: 'a' },
  { path: '/x', text: 'a' },
  { path: 'x' },
  { path: 'x', text: 'a', base64: 'YQ==' },
  { path: 'x', base64: 'a' },
  { path: 'x', text: '\ud800' },
] as Json[])('refuses to write %j', async (args) => {
  const env = fakeEnv();
  expect(await run(env, 'files.write', args)).toMatchObject({ ok: false, refusal: { code: 'schema_invalid' } });
  expect(env.commands).toEqual([]);
});

it('writes in parts with a bounded number on the way, nothing visible before the commit', async () => {
  const files = new MemoryFiles();
  let flying = 0;
  let peak = 0;
  files.beforeStage = async () => {
    peak = Math.max(peak, ++flying);
    for (let n = 0; n < 20; n++) await Promise.resolve();
    flying--;
  };
  const env = fakeEnv({ files });
  const begun = await run(env, 'files.begin', { path: 'big.txt' });
  const upload = begun.ok ? ((begun.value as { upload: string }).upload as string) : '';
  const part = 'x'.repeat(PART_BYTES);
  for (let n = 0; n < 10; n++) await run(env, 'files.append', { upload, text: part });
  expect(env.commands).toEqual([]);
  expect(env.paths.has('big.txt')).toBe(false);
  const done = await run(env, 'files.commit', { upload });
  expect(done).toMatchObject({ ok: true, value: { path: 'big.txt', size: 10 * PART_BYTES, parts: 10 } });
  expect(peak).toBe(PARTS_IN_FLIGHT);
  expect(files.staged.size).toBe(0);
  expect(env.commands.map((each) => each.type)).toEqual(['artifact.put']);
});

it('leaves nothing of a file that was given up', async () => {
  const files = new MemoryFiles();
  const env = fakeEnv({ files });
  const begun = await run(env, 'files.begin', { path: 'big.txt' });
  const upload = begun.ok ? (begun.value as { upload: string }).upload : '';
  await run(env, 'files.append', { upload, text: 'x'.repeat(PART_BYTES * 2) });
  expect(files.staged.size).toBe(1);
  expect(await run(env, 'files.abort', { upload })).toMatchObject({ ok: true });
  expect([files.staged.size, files.stored.size, env.commands.length]).toEqual([0, 0, 0]);
  expect(await run(env, 'files.append', { upload, text: 'x' })).toMatchObject({ ok: false, refusal: { code: 'not_found' } });
});

it('a part that the store refuses keeps the file from being named', async () => {
  const files = new MemoryFiles();
  files.beforeStage = async (_upload, part) => {
    if (part === 1) throw new Error('store');
  };
  const env = fakeEnv({ files });
  const begun = await run(env, 'files.begin', { path: 'big.txt' });
  const upload = begun.ok ? (begun.value as { upload: string }).upload : '';
  await run(env, 'files.append', { upload, text: 'x'.repeat(PART_BYTES) });
  await run(env, 'files.append', { upload, text: 'x'.repeat(PART_BYTES) });
  await expect(run(env, 'files.commit', { upload })).rejects.toThrow('store');
  expect(env.commands).toEqual([]);
});
