/** Ids become names once they are known; what has no name stays what it is. */
import { afterEach, expect, it, vi } from 'vitest';
import { learnNames } from './names.ts';
import { who, whoShort } from './principals.ts';

afterEach(() => vi.unstubAllGlobals());
const answering = (status: number, body: unknown) => vi.stubGlobal('fetch', async () => new Response(JSON.stringify(body), { status }));

it('shows the id until the name is known, and for whoever may not know it', async () => {
  expect(who('person:p1')).toBe('p1');
  answering(403, { code: 'scope_missing' });
  await learnNames();
  expect(whoShort('person:p1')).toBe('p1');
  answering(200, {
    data: [
      { principal: 'person:p1', name: 'Ann Doe' },
      { principal: 'token:t1', name: 'nightly build' },
    ],
  });
  await learnNames();
  expect([who('person:p1'), whoShort('person:p1'), who('token:t1'), whoShort('token:t1')]).toEqual(['Ann Doe', 'Ann Doe', 'nightly build (token)', 'nightly build']);
  expect([who('person:local'), who('host'), who('agent:worker'), who('person:other')]).toEqual(['you', 'host', 'worker (agent)', 'other']);
});
