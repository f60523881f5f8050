import { describe, expect, it } from 'vitest';
import type { Json } from '../../domain/values.ts';
import { fakeEnv, MemoryFiles, use, workerContext } from '../testing/fake-env.ts';
import type { Tool } from '../tool.ts';
import { jsonQuery } from './query.ts';

const data = '{"items":[{"id":2512292042121000001,"state":"open","lines":[{"amount":1.5},{"amount":2}]},{"id":"b","state":"closed","lines":[]}]}';
async function query(text: string, more: { [key: string]: Json } = { path: 'd.json' }) {
  const files = new MemoryFiles();
  const env = fakeEnv({ files, context: workerContext({ sources: [files.source('d.json', data)] }) });
  return use(jsonQuery as unknown as Tool, { query: text, ...more }, env);
}

describe('json.query', () => {
  it('filters, shapes and sums a file, and keeps digits as text', async () => {
    expect(await query("items[?state=='open'].{id: id, total: sum(lines[].amount)}")).toMatchObject({
      ok: true,
      value: { result: [{ id: '2512292042121000001', total: 3.5 }], asText: 1 },
    });
  });
  it('takes a value instead, and says null for nothing', async () => {
    expect(await query('a | [0]', { value: { a: [7] } })).toMatchObject({ ok: true, value: { result: 7 } });
    expect(await query('nothing.here')).toMatchObject({ ok: true, value: { result: null } });
  });
  it.each([
    ['no expression', 'items[?'],
    ['a function that is not there', 'pad_left(items[0].state, `100000000`)'],
    ['the root, which would make it a loop in a loop', 'items[*].[$.items[*].[$.items]]'],
    ['variables', 'let $a = items in $a'],
    ['lists that multiply', Array.from({ length: 12 }, () => '[@, @][]').join(' | ')],
    ['a type that does not fit', 'sum(items[].state)'],
  ])('refuses %s', async (_what, text) => expect(await query(text)).toMatchObject({ ok: false, refusal: { code: 'schema_invalid', errors: [{ pointer: '/query' }] } }));
  it('refuses a result that nobody can read', async () => {
    expect(await query('[@, @, @, @]', { value: 'x'.repeat(200_000) })).toMatchObject({ ok: false, refusal: { code: 'limit_exceeded' } });
  });
});
