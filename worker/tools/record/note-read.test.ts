import { expect, it } from 'vitest';
import type { Json } from '../../domain/values.ts';
import type { ReadQuery } from '../../goal/rpc.ts';
import { toolsOf } from '../index.ts';
import { fakeEnv, use } from '../testing/fake-env.ts';
import type { Tool } from '../tool.ts';
import { noteRead } from './note-read.ts';

const rows = [
  { id: 'prices/e000001', seq: 4, data: { topic: 'prices', n: 1, kind: 'entry', textBody: 'd1', by: 'agent:worker', at: 7 } },
  { id: 'prices/e000002', seq: 9, data: { topic: 'prices', n: 2, kind: 'entry', textBody: 'gone', by: 'person:ann', at: 8 } },
];

it('gives the notes of a topic with whose they are; an erased text is null', async () => {
  const asked: ReadQuery[] = [];
  const read = async (query: ReadQuery): Promise<Json | undefined> => {
    asked.push(query);
    if (query.what === 'rows') return { data: rows, next: 'more' };
    return query.what === 'body' && query.digest === 'd1' ? 'net of tax' : undefined;
  };
  const answer = await use(noteRead as unknown as Tool, { topic: 'prices' }, { ...fakeEnv(), read });
  expect(asked[0]).toMatchObject({ what: 'rows', kind: 'note', prefix: 'prices/', limit: 20 });
  expect(answer).toMatchObject({
    ok: true,
    value: {
      notes: [
        { topic: 'prices', kind: 'entry', n: 1, text: 'net of tax', by: 'agent:worker', at: 7 },
        { n: 2, text: null, by: 'person:ann' },
      ],
      next: 'more',
    },
  });
});

it('is not for reviewers: they judge the delivery, not what its maker thought', () => {
  expect(toolsOf('reviewer').map((each) => each.name)).not.toContain('note.read');
  expect(toolsOf('worker').map((each) => each.name)).toContain('note.read');
});
