import { describe, expect, it } from 'vitest';
import { fakeEnv, MemoryFiles, use, workerContext } from '../testing/fake-env.ts';
import type { Tool } from '../tool.ts';
import { atPointer, parseJson } from './parse.ts';
import { jsonRead } from './read.ts';
import { jsonWrite } from './write.ts';

describe('numbers', () => {
  it('keeps the digits that a double cannot', () => {
    expect(parseJson('[9007199254740993, 12, -1.50, 0.1234567890123456789, 1e400, 123456789012345678]', 'f')).toEqual({
      value: ['9007199254740993', 12, -1.5, '0.1234567890123456789', '1e400', '123456789012345678'],
      asText: 4,
    });
  });
});

describe('what is no JSON', () => {
  it.each([
    ['{"a":1', 1],
    ['{\n"a": 1,\n}', 3],
  ])('refuses %j with the line', (text, line) => {
    const parsed = parseJson(text, 'f.json');
    expect(parsed).toMatchObject({ refusal: { code: 'malformed_data' } });
    expect('refusal' in parsed && parsed.refusal.detail).toContain(`line ${line}`);
  });
  it('refuses a member __proto__', () => expect(parseJson('{"a":{"__proto__":1}}', 'f')).toMatchObject({ refusal: { code: 'malformed_data' } }));
});

it('finds by pointer only what is the value’s own', () => {
  expect(atPointer({ 'a/b': [1, { '~': 2 }] }, '/a~1b/1/~0')).toBe(2);
  expect(atPointer({ a: 1 }, '/constructor')).toBeUndefined();
  expect(atPointer([1], '/01')).toBeUndefined();
});

it('reads a page under a pointer and says what it replaced', async () => {
  const files = new MemoryFiles();
  const env = fakeEnv({ files, context: workerContext({ sources: [files.source('d.json', '{"rows":[1,2,3,"a\\u0000b"],"lone":"\\ud800"}')] }) });
  const read = (args: object) => use(jsonRead as unknown as Tool, { path: 'd.json', ...args }, env);
  expect(await read({ pointer: '/rows', offset: 1, limit: 2 })).toMatchObject({ ok: true, value: { value: [2, 3], length: 4, next: 3 } });
  expect(await read({ pointer: '/rows', offset: 3 })).toMatchObject({ ok: true, value: { value: ['a\uFFFDb'], next: null, replaced: 1 } });
  expect(await read({ pointer: '/lone' })).toMatchObject({ ok: true, value: { value: '\uFFFD' } });
  expect(await read({ pointer: '/none' })).toMatchObject({ ok: false, refusal: { code: 'not_found' } });
});

it('writes JSON lines', async () => {
  const env = fakeEnv();
  await use(jsonWrite as unknown as Tool, { path: 'l.jsonl', value: [{ a: 1 }, { a: 2 }], lines: true }, env);
  expect(new TextDecoder().decode([...env.files.stored.values()][0])).toBe('{"a":1}\n{"a":2}\n');
  expect(env.commands).toMatchObject([{ type: 'artifact.put', payload: { role: 'working', artifact: { path: 'l.jsonl', size: 16 } } }]);
});
