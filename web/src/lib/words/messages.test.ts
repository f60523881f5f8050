import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

type Messages = Record<string, string | Record<string, string>>;
const read = (locale: string): Messages => JSON.parse(readFileSync(new URL(`../../../messages/${locale}.json`, import.meta.url), 'utf8'));
const en = read('en');
const zh = read('zh-cn');
const texts = (message: Messages[string] | undefined): string[] => (message === undefined ? [] : typeof message === 'string' ? [message] : Object.values(message));
const inputs = (message: Messages[string] | undefined): string[] => [...new Set(texts(message).flatMap((text) => text.match(/\{\w+\}/g) ?? []))].sort();

it('says everything in both languages', () => {
  expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort());
  expect(Object.entries({ ...en, ...zh }).filter(([, message]) => texts(message).some((text) => text.trim() === ''))).toEqual([]);
});
it('gives both languages the same inputs', () => {
  // A count that the plural needs may be unsaid in one of them.
  const differ = Object.keys(en).filter(
    (key) =>
      inputs(en[key])
        .filter((name) => name !== '{count}')
        .join() !==
      inputs(zh[key])
        .filter((name) => name !== '{count}')
        .join(),
  );
  expect(differ).toEqual([]);
});
