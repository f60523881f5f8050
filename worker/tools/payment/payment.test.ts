import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../domain/values.ts';
import { sendOutside } from '../outside.ts';
import { fakeEnv, use } from '../testing/fake-env.ts';
import type { Tool } from '../tool.ts';
import { paymentBatch } from './batch.ts';
import { compareDecimals, sumDecimals } from './decimal.ts';

const invoice = (amount: string, currency = 'CNY'): Json => ({ supplier_id: 'SUP-1', po_number: 'PO-1', currency, amount, bank_account: '621747256885469851' });
const withFacts = (facts: Record<string, Json>, rows: Json = []) =>
  fakeEnv({
    reads: (query): Json | undefined => {
      if (query.what === 'fact')
        return facts[query.key] === undefined ? undefined : { key: query.key, version: 1, value: facts[query.key] as Json, provenance: { from: 'file', path: 'invoices.json' } };
      return query.what === 'rows' ? { data: rows, next: null } : undefined;
    },
  });

describe('payment.batch', () => {
  it('fills in everything but the ids, exactly', async () => {
    const env = withFacts({ 'invoice/A': invoice('0.10'), 'invoice/B': invoice('9007199254740993.20') });
    expect(await use(paymentBatch as unknown as Tool, { invoice_ids: ['B', 'A'] }, env)).toMatchObject({
      ok: true,
      value: { total: '9007199254740993.30', currency: 'CNY', count: 2, path: 'payment-batch.json' },
    });
    const written = JSON.parse(new TextDecoder().decode([...env.files.stored.values()][0]));
    expect(written).toEqual({
      currency: 'CNY',
      total: '9007199254740993.30',
      lines: [
        { invoice_id: 'B', supplier_id: 'SUP-1', po_number: 'PO-1', amount: '9007199254740993.20', bank_account: '621747256885469851' },
        { invoice_id: 'A', supplier_id: 'SUP-1', po_number: 'PO-1', amount: '0.10', bank_account: '621747256885469851' },
      ],
    });
  });
  it.each([
    ['an amount beside the ids', { invoice_ids: ['A'], amounts: ['1.00'] }, 'schema_invalid'],
    ['an id twice', { invoice_ids: ['A', 'A'] }, 'schema_invalid'],
    ['an id without a fact', { invoice_ids: ['A', 'Z'] }, 'fact_unknown'],
    ['two currencies', { invoice_ids: ['A', 'E'] }, 'schema_invalid'],
    ['a ceiling that is passed', { invoice_ids: ['A', 'B'], ceiling: 'batch/ceiling' }, 'limit_exceeded'],
    ['an id that is not approved', { invoice_ids: ['A'], milestone: 'review' }, 'fact_unknown'],
    ['an amount that is no decimal', { invoice_ids: ['N'] }, 'fact_unknown'],
  ])('refuses %s and writes nothing', async (_what, args, code) => {
    const env = withFacts({
      'invoice/A': invoice('60.00'),
      'invoice/B': invoice('40.01'),
      'invoice/E': invoice('1.00', 'EUR'),
      'invoice/N': { ...(invoice('1') as object), amount: 60 },
      'batch/ceiling': '100.00',
    });
    expect(await use(paymentBatch as unknown as Tool, args as Json, env)).toMatchObject({ ok: false, refusal: { code } });
    expect([env.files.stored.size, env.commands.length]).toEqual([0, 0]);
  });
  it('takes a total that is exactly the ceiling', async () => {
    const env = withFacts({ 'invoice/A': invoice('60.00'), 'invoice/B': invoice('40.00'), 'batch/ceiling': '100' });
    expect(await use(paymentBatch as unknown as Tool, { invoice_ids: ['A', 'B'], ceiling: 'batch/ceiling' }, env)).toMatchObject({ ok: true, value: { total: '100.00' } });
  });
});

it('sums as whole numbers of the smallest unit do', () => {
  const cents = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n });
  const text = (value: bigint): string =>
    `${value < 0n ? '-' : ''}${String(value < 0n ? -value : value)
      .padStart(3, '0')
      .replace(/(\d\d)$/, '.$1')}`;
  fc.assert(fc.property(fc.array(cents, { maxLength: 20 }), (all) => sumDecimals(all.map(text)) === text(all.reduce((a, b) => a + b, 0n))));
  fc.assert(fc.property(cents, cents, (a, b) => Math.sign(compareDecimals(text(a), text(b))) === (a < b ? -1 : a > b ? 1 : 0)));
});

describe('a call outside', () => {
  const permit = { effect: 'eff1', nonce: 'n', key: 'key-1', sendWithin: 5000, timeout: 50 };
  const settled = (env: ReturnType<typeof fakeEnv>) => env.commands.map((each) => [each.type, (each.payload as { outcome: string }).outcome]);

  it('is sent once with its key and settled', async () => {
    const env = fakeEnv({ permit });
    const sent: unknown[] = [];
    const answer = await sendOutside(env, 'http://supplier.test/', { a: 1 }, async (url, init) => {
      sent.push([url, new Headers(init?.headers).get('idempotency-key'), init?.body]);
      return Response.json({ id: 7 });
    });
    expect(answer).toMatchObject({ ok: true, value: { outcome: 'succeeded', status: 200, body: { id: 7 } } });
    expect(sent).toEqual([['http://supplier.test/', 'key-1', '{"a":1}']]);
    expect(settled(env)).toEqual([['effect.settle', 'succeeded']]);
  });
  it.each([
    [422, 'failed', 'unavailable'],
    [500, 'unknown', 'effect_unknown'],
    [409, 'unknown', 'effect_unknown'],
    [302, 'unknown', 'effect_unknown'],
  ])('HTTP %i is %s', async (status, outcome, code) => {
    const env = fakeEnv({ permit });
    expect(await sendOutside(env, 'http://x.test/', {}, async () => new Response('no', { status }))).toMatchObject({ ok: false, refusal: { code } });
    expect(settled(env)).toEqual([['effect.settle', outcome]]);
  });
  it('that is cut off is unknown', async () => {
    const env = fakeEnv({ permit });
    const answer = await sendOutside(
      env,
      'http://x.test/',
      {},
      (_url, init) => new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
    );
    expect(answer).toMatchObject({ ok: false, refusal: { code: 'effect_unknown' } });
    expect(settled(env)).toEqual([['effect.settle', 'unknown']]);
  });
  it('is not sent after its permit ran out', async () => {
    const env = fakeEnv({ permit: { ...permit, sendWithin: -1 } });
    let sent = 0;
    expect(await sendOutside(env, 'http://x.test/', {}, async () => Response.json(++sent))).toMatchObject({ ok: false });
    expect(sent).toBe(0);
    expect(settled(env)).toEqual([['effect.settle', 'failed']]);
  });
  it('is not sent without a permit', async () => {
    let sent = 0;
    expect(await sendOutside(fakeEnv(), 'http://x.test/', {}, async () => Response.json(++sent))).toMatchObject({ ok: false, refusal: { code: 'forbidden' } });
    expect(sent).toBe(0);
  });
});
