import { env } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Env } from '../env.ts';
import { fileKey } from '../goal/file-key.ts';
import { openUpload, PART_BYTES } from '../tools/files/upload.ts';
import { r2Files, stagingPrefix, sweepStaging } from './r2-files.ts';

const { FILES } = env as unknown as Env;
const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

it('keeps bytes under their digest and gives ranges of them', async () => {
  const files = r2Files(FILES, 'w', 'g1');
  const { digest, size } = await files.put(new TextEncoder().encode('hello'));
  expect([size, digest]).toEqual([5, createHash('sha256').update('hello').digest('hex')]);
  expect(await FILES.head(fileKey('w', 'g1', digest))).not.toBeNull();
  expect(text(await files.get(digest))).toBe('hello');
  expect(text(await files.range(digest, 1, 3))).toBe('ell');
  expect(text(await files.range(digest, 3, 100))).toBe('lo');
  expect(text(await files.range(digest, 9, 1))).toBe('');
});

it('one goal has nothing of another', async () => {
  const { digest } = await r2Files(FILES, 'w', 'g2').put(new TextEncoder().encode('secret'));
  expect(await r2Files(FILES, 'w', 'g3').get(digest)).toBeUndefined();
  expect(await r2Files(FILES, 'v', 'g2').get(digest)).toBeUndefined();
});

it('puts parts together in order and leaves none behind', async () => {
  const files = r2Files(FILES, 'w', 'g4');
  const upload = openUpload(files, 'u1', 'big.txt', 'text/plain');
  const whole = Array.from({ length: 5 }, (_, n) => String(n).repeat(PART_BYTES)).join('');
  for (let n = 0; n < 5; n++) await upload.append(new TextEncoder().encode(String(n).repeat(PART_BYTES)));
  expect((await FILES.list({ prefix: 'ws/w/g4/' })).objects).toEqual([]);
  const { digest, size, parts } = await upload.commit();
  expect([digest, size, parts]).toEqual([createHash('sha256').update(whole).digest('hex'), whole.length, 5]);
  expect((await FILES.list({ prefix: `ws/w/g4/` })).objects.map((each) => each.key)).toEqual([fileKey('w', 'g4', digest)]);
  expect((await FILES.list({ prefix: stagingPrefix('w', 'g4') })).objects).toEqual([]);
  expect(
    createHash('sha256')
      .update(text(await files.get(digest)))
      .digest('hex'),
  ).toBe(digest);
});

it('an empty file in parts is an empty file', async () => {
  const files = r2Files(FILES, 'w', 'g5');
  const { digest, size } = await openUpload(files, 'u1', 'empty.txt').commit();
  expect([size, await files.get(digest)]).toEqual([0, new Uint8Array()]);
});

it('a file that was given up leaves nothing', async () => {
  const files = r2Files(FILES, 'w', 'g6');
  const upload = openUpload(files, 'u1', 'big.txt');
  await upload.append(new Uint8Array(PART_BYTES * 2));
  await upload.abort();
  expect((await FILES.list({ prefix: 'ws/w/g6/' })).objects).toEqual([]);
  expect((await FILES.list({ prefix: stagingPrefix('w', 'g6') })).objects).toEqual([]);
});

it('sweeps what a crash left behind, and nothing younger', async () => {
  const files = r2Files(FILES, 'w', 'g7');
  await files.stage('dead', 0, new Uint8Array(3));
  const { digest } = await files.put(new Uint8Array(4));
  expect(await sweepStaging(FILES, Date.now() + 47 * 3_600_000)).toBe(0);
  expect(await sweepStaging(FILES, Date.now() + 49 * 3_600_000)).toBe(1);
  expect((await files.get(digest))?.length).toBe(4);
});
