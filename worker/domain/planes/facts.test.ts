import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../values.ts';
import { resolveFacts } from './facts.ts';

const facts = new Map<string, Json>([
  ['invoice/1', { amount: '10.00', lines: [{ sku: 'x' }] }],
  ['invoice/1/amount', '11.00'],
  ['invoice', { '2': { amount: '20.00' } }],
  ['ref', { $fact: 'invoice/1' }],
  ['zero', 0],
]);
const resolve = (args: Json, factOnly: string[] = []) => resolveFacts(args, factOnly, (key) => facts.get(key));
const ref = (key: string) => ({ $fact: key });

describe('a fact reference', () => {
  it('is replaced by the fact of that key, else by a path in the longest key that has it', () => {
    expect(resolve({ a: ref('invoice/1/amount') })).toEqual({ ok: true, args: { a: '11.00' }, used: ['invoice/1/amount'] });
    expect(resolve([ref('invoice/1/lines/0/sku'), ref('zero')])).toEqual({ ok: true, args: ['x', 0], used: ['invoice/1', 'zero'] });
    expect(resolve(ref('invoice/2/amount'))).toEqual({ ok: true, args: '20.00', used: ['invoice'] });
    expect(resolve(ref('ref'))).toEqual({ ok: true, args: { $fact: 'invoice/1' }, used: ['ref'] });
  });

  it('without a value is refused with its place', () => {
    expect(resolve({ a: [1, ref('nothing')] })).toEqual({ ok: false, code: 'fact_unknown', pointer: '/a/1' });
    expect(resolve({ 'x/y': ref('invoice/1/colour') })).toEqual({ ok: false, code: 'fact_unknown', pointer: '/x~1y' });
    expect(resolve(ref('invoice/1/constructor'))).toMatchObject({ code: 'fact_unknown' });
    expect(resolve(ref('invoice/1/lines/length'))).toMatchObject({ code: 'fact_unknown' });
    // Not at a boundary: `invoi` is no prefix of a key.
    expect(resolve(ref('invoice1'))).toMatchObject({ code: 'fact_unknown' });
    expect(resolve({ a: { $fact: 'zero', more: 1 } })).toEqual({ ok: false, code: 'fact_unknown', pointer: '/a' });
    expect(resolve({ a: { $fact: 7 } })).toMatchObject({ code: 'fact_unknown' });
  });
});

describe('a fact-only place', () => {
  it('takes no literal, wherever it stands', () => {
    expect(resolve({ amount: '10.00' }, ['/amount'])).toEqual({ ok: false, code: 'fact_required', pointer: '/amount' });
    expect(resolve({ amount: null }, ['/amount'])).toMatchObject({ code: 'fact_required' });
    expect(resolve({ amount: { value: ref('zero') } }, ['/amount'])).toMatchObject({ code: 'fact_required' });
    expect(resolve({ lines: [{ a: ref('zero') }, { a: 5 }] }, ['/lines/*/a'])).toEqual({ ok: false, code: 'fact_required', pointer: '/lines/1/a' });
    expect(resolve({ ids: [ref('zero'), 'x'] }, ['/ids/*'])).toEqual({ ok: false, code: 'fact_required', pointer: '/ids/1' });
  });
  it('takes a reference, one above it, or nothing', () => {
    expect(resolve({ amount: ref('zero') }, ['/amount'])).toMatchObject({ ok: true });
    expect(resolve({ lines: ref('invoice') }, ['/lines/*/amount'])).toMatchObject({ ok: true });
    expect(resolve({}, ['/amount', '/lines/*/a'])).toMatchObject({ ok: true });
  });
});

it('arguments without references come back as they are, even with a key __proto__', () => {
  const args = JSON.parse('{"__proto__": {"polluted": true}, "a": [1, {"b": null}]}') as Json;
  const found = resolve(args);
  expect(found.ok && JSON.stringify(found.args)).toBe(JSON.stringify(args));
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  fc.assert(
    fc.property(
      fc.jsonValue().filter((value) => !JSON.stringify(value).includes('$fact')),
      (value) => {
        const answer = resolve(value as Json);
        expect(answer.ok && JSON.stringify(answer.args)).toBe(JSON.stringify(value));
      },
    ),
  );
});
