import { afterEach, expect, test } from 'vitest';
import { type Loopback, startLoopback } from './loopback.ts';

let service: Loopback | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

test('keeps what it is sent, and shows it', async () => {
  service = await startLoopback();
  expect(await (await fetch(`http://127.0.0.1:${service.port}/requests`)).json()).toEqual([]);
  const sent = await fetch(`${service.bankUrl}/transfers`, { method: 'POST', headers: { 'idempotency-key': 'k1' }, body: '{"amount":"1.00"}' });
  expect(sent.status).toBe(200);
  expect(await (await fetch(`http://127.0.0.1:${service.port}/requests`)).json()).toEqual([
    { service: 'bank', method: 'POST', path: '/bank/transfers', key: 'k1', body: '{"amount":"1.00"}' },
  ]);
  expect(service.requests()).toHaveLength(1);
});

test('the same idempotency key is answered with the same id', async () => {
  service = await startLoopback();
  const send = async () => (await fetch(`${service?.supplierUrl}/SUP-1`, { method: 'PUT', headers: { 'idempotency-key': 'k' }, body: '{}' })).json();
  expect(await send()).toMatchObject({ id: 'supplier-1', replayed: false });
  expect(await send()).toMatchObject({ id: 'supplier-1', replayed: true });
});

test('an unknown service is refused and not noted', async () => {
  service = await startLoopback();
  const { status } = await fetch(`http://127.0.0.1:${service.port}/mail`, { method: 'POST', body: 'x' });
  expect(status).toBe(404);
  expect(service.requests()).toHaveLength(0);
});
