import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type RefusalCode, refusalTable, refuse } from '../domain/refusals.ts';
import { pointerOf, problemOf, problemResponse, schemaRefusal } from './problem.ts';

describe('problem+json', () => {
  it.each(Object.keys(refusalTable) as RefusalCode[])('%s carries its status, code and what to do', (code) => {
    const body = problemOf(refuse(code), { requestId: 'r1' });
    expect(body).toMatchObject({ status: refusalTable[code].status, code, retryable: refusalTable[code].retryable, effect: 'none', requestId: 'r1', errors: [], allowedNext: [] });
    expect(body.todo).toBe(refusalTable[code].todo);
    expect(problemOf(refuse(code, { detail: 'why' }), { requestId: 'r1' })).toMatchObject({ detail: 'why', todo: refusalTable[code].todo });
  });

  it('keeps what is current and what is allowed next', () => {
    const body = problemOf(refuse('goal_version_stale', { current: { goalVersion: 3 }, allowedNext: ['goal.revise'] }), { requestId: 'r' });
    expect(body.current).toEqual({ goalVersion: 3 });
    expect(body.allowedNext).toEqual(['goal.revise']);
  });

  it('is served as application/problem+json and never stored', async () => {
    const response = problemResponse(refuse('unavailable'), { requestId: 'r', effect: 'unknown' });
    expect(response.status).toBe(503);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.json()).toMatchObject({ effect: 'unknown', retryable: true });
  });

  it('says no key, wherever it stands', async () => {
    const response = problemResponse(refuse('unavailable', { detail: 'Bearer abcdef0123456789abcdef', current: { url: 'https://a:hunter2pass@b/' } }), { requestId: 'r' });
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ detail: 'Bearer [redacted:bearer token]', current: { url: 'https://a:[redacted:password]@b/' } });
  });

  it('names every wrong place as a JSON pointer, each unknown key for itself', () => {
    const parsed = z.strictObject({ items: z.array(z.strictObject({ n: z.int() })) }).safeParse({ items: [{ n: 'x' }], 'a/b': 1, 'c~d': 2 });
    if (parsed.success) throw new Error('must not fit');
    expect(
      schemaRefusal(parsed.error, '/payload')
        .errors?.map((problem) => problem.pointer)
        .sort(),
    ).toEqual(['/payload/a~1b', '/payload/c~0d', '/payload/items/0/n']);
    expect(pointerOf([])).toBe('');
  });
});
