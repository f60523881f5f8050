/** The real `npm run reset`, in a copy of the repository: it deletes the state and what was built, and nothing while it is served. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inRoot } from './repository.ts';
import { noteServing } from './serving.ts';

let dir: string;
const deleted = ['.longhaul/v3/do/state.sqlite', 'node_modules/.cache/longhaul/built', 'web/build/index.html', '.wrangler/tmp'];
const kept = ['web/src/app.html', 'package.json', 'node_modules/.cache/other'];

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'longhaul-reset-'));
  for (const name of ['package.json', 'package-lock.json', 'scripts']) cpSync(inRoot(name), join(dir, name), { recursive: true });
  mkdirSync(join(dir, 'node_modules'));
  // Not its cache: that is what is deleted.
  for (const name of readdirSync(inRoot('node_modules'))) if (name !== '.cache') symlinkSync(inRoot(`node_modules/${name}`), join(dir, 'node_modules', name));
  for (const path of [...deleted, ...kept.filter((each) => each !== 'package.json')]) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), 'x');
  }
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const reset = () => spawnSync(process.execPath, ['scripts/entry.mjs', 'reset'], { cwd: dir, encoding: 'utf8' });
const there = (paths: string[]) => paths.filter((path) => existsSync(join(dir, path)));

test('refuses while the state is served, and then deletes it', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  noteServing(join(dir, '.longhaul'), port);
  const refused = reset();
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining(`port ${port}`) });
  expect(there([...deleted, ...kept])).toEqual([...deleted, ...kept]);

  // What was killed left its note behind: its port is free.
  await new Promise((resolve) => server.close(resolve));
  expect(reset()).toMatchObject({ status: 0, stdout: expect.stringContaining('begins anew') });
  expect(there(deleted)).toEqual([]);
  expect(there(kept)).toEqual(kept);
  expect(existsSync(join(dir, '.longhaul'))).toBe(false);
  // Where there is nothing, there is nothing to do.
  expect(reset().status).toBe(0);
});
