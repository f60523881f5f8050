import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inRoot } from './repository.ts';

it.each(readdirSync(inRoot('docs')).filter((name) => name.endsWith('.md')))('docs/%s names tests that exist', (page) => {
  const named = [...readFileSync(inRoot(`docs/${page}`), 'utf8').matchAll(/`([\w./-]+\.(?:test|e2e)\.ts)`/g)].map((match) => match[1] ?? '');
  expect(named.filter((path) => path.includes('/') && !existsSync(inRoot(path)))).toEqual([]);
});

it('the page on security names some for every point of both lists', () => {
  const text = readFileSync(inRoot('docs/security.md'), 'utf8');
  for (const point of [...Array.from({ length: 10 }, (_, at) => `API${at + 1} `), ...Array.from({ length: 10 }, (_, at) => `ASI${String(at + 1).padStart(2, '0')} `)]) {
    const row = text.split('\n').find((line) => line.startsWith(`| ${point}`));
    expect(row, point).toMatch(/\.(test|e2e)\.ts`/);
  }
});
