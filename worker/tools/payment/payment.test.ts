import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../domain/values.ts';
import { closedRules } from '../../outgoing/address.ts';
import { fixedWorld } from '../../outgoing/world.ts';
import { sendOutside } from '../outside.ts';
import { fakeEnv, use } from '../testing/fake-env.ts';
import type { Tool, ToolEnv } from '../tool.ts';
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
  const envWith = (send: (url: string, init?: RequestInit) => Promise<Response>, given: ToolEnv['permit'] | null = permit) =>
    fakeEnv({ ...(given ? { permit: given } : {}), world: fixedWorld(closedRules, { send: send as typeof fetch }) });

  it('is sent once with its key and settled', async () => {
    const sent: unknown[] = [];
    const env = envWith(async (url, init) => {
      sent.push([url, new Headers(init?.headers).get('idempotency-key'), init?.body]);
      return Response.json({ id: 7 });
    });
    const answer = await sendOutside(env, 'https://supplier.test/', { a: 1 });
    expect(answer).toMatchObject({ ok: true, value: { outcome: 'succeeded', status: 200, body: { id: 7 } } });
    expect(sent).toEqual([['https://supplier.test/', 'key-1', '{"a":1}']]);
    expect(settled(env)).toEqual([['effect.settle', 'succeeded']]);
  });
  it.each([
    [422, 'failed', 'unavailable'],
    [500, 'unknown', 'effect_unknown'],
    [409, 'unknown', 'effect_unknown'],
    [302, 'unknown', 'effect_unknown'],
  ])('HTTP %i is %s', async (status, outcome, code) => {
    const env = envWith(async () => new Response('no', { status, headers: { location: 'https://elsewhere.test/' } }));
    expect(await sendOutside(env, 'https://x.test/', {})).toMatchObject({ ok: false, refusal: { code } });
    expect(settled(env)).toEqual([['effect.settle', outcome]]);
  });
  it('that is cut off is unknown', async () => {
    const env = envWith((_url, init) => new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))));
    expect(await sendOutside(env, 'https://x.test/', {})).toMatchObject({ ok: false, refusal: { code: 'effect_unknown' } });
    expect(settled(env)).toEqual([['effect.settle', 'unknown']]);
  });
  it('whose answer is too long or breaks off is what its status says', async () => {
    const env = envWith(async () => new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1 << 20)) })));
    expect(await sendOutside(env, 'https://x.test/', {})).toMatchObject({ ok: true, value: { outcome: 'succeeded', body: { unread: expect.stringContaining('too_large') } } });
    expect(settled(env)).toEqual([['effect.settle', 'succeeded']]);
  });
  it.each([
    ['after its permit ran out', { ...permit, sendWithin: -1 }, 'https://x.test/', 'unavailable', [['effect.settle', 'failed']]],
    ['without a permit', null, 'https://x.test/', 'forbidden', []],
    ['to an address inside', permit, 'https://10.0.0.7/', 'address_refused', [['effect.settle', 'failed']]],
  ])('is not sent %s', async (_when, given, url, code, commands) => {
    let sent = 0;
    const env = envWith(async () => Response.json(++sent), given);
    expect(await sendOutside(env, url, {})).toMatchObject({ ok: false, refusal: { code } });
    expect(sent).toBe(0);
    expect(settled(env)).toEqual(commands);
  });
});
