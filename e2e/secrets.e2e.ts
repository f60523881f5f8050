/**
 * A key through a whole local Worker: put, sealed, used against a provider that quotes it in what it answers, over a power cut, exported. It reaches the provider, and
 * nothing else: no answer, no line printed, no frame, no archive, no byte on the disk holds it, as it is or encoded.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../scripts/client.ts';
import { type Longhaul, startLonghaul } from './harness.ts';

const key = `sk-canary/${randomBytes(12).toString('hex')}+=`;
/** How it could stand somewhere. Of base64 what is the same wherever the key begins. */
const forms = [key, encodeURIComponent(key), Buffer.from(key).toString('base64').slice(0, -4), Buffer.from(key).toString('hex'), JSON.stringify(key).slice(1, -1)];
const holds = (text: string | Buffer) => forms.filter((form) => text.includes(form));

const received: string[] = [];
let provider: Server;
let worker: Longhaul;

beforeAll(async () => {
  provider = createServer((request, response) => {
    received.push(request.headers.authorization ?? '');
    request.resume().on('end', () => {
      const quoted = `Incorrect API key provided: ${key} (${encodeURIComponent(key)}, ${Buffer.from(key).toString('base64')})`;
      response
        .writeHead(401, { 'content-type': 'application/json', 'x-request-id': key })
        .end(JSON.stringify({ error: { message: quoted, type: 'invalid_request_error', code: 'invalid_api_key' } }));
    });
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  worker = await startLonghaul();
});
afterAll(async () => {
  await worker?.stop();
  await new Promise((resolve) => provider?.close(resolve));
});

const said: string[] = [];
async function ask(path: string, body?: object): Promise<{ status: number; text: string }> {
  const response = await fetch(`${worker.url}/v1/workspaces/local/${path}`, body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) });
  const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
  said.push(text);
  return { status: response.status, text };
}
const put = async (type: string, payload: object) => expect(await ask('commands', { type, commandId: `put-${type}`, payload })).toMatchObject({ status: 200 });

describe('a key', () => {
  test('reaches its provider and nothing else', async () => {
    const address = provider.address();
    if (address === null || typeof address === 'string') throw new Error('no address');
    await put('secret.put', { name: 'key', value: key });
    await put('provider.put', { name: 'quoting', kind: 'openai-compatible', baseUrl: `http://127.0.0.1:${address.port}/v1`, secret: 'key' });
    await put('profile.put', { name: 'default', provider: 'quoting', model: 'm', window: 32_000, output: 1000 });
    await worker.restart();

    const client = new Client(worker.url, 'local');
    const { goal } = await client.create('quoted', {
      mode: 'goal_only',
      contract: {
        title: 'Quoted',
        objective: 'Say hello.',
        criteria: [{ id: 'said', text: 'It was said', verify: 'attest' }],
        limits: { tokens: 100_000, money: { amount: 100, currency: 'USD' } },
      },
      lanes: { coordinator: { kind: 'agent', profile: 'coordinator' } },
      confirmed: true,
    });
    for (;;) {
      const bar = await client.bar(goal);
      if (received.length > 0 && bar.status === 'active' && !['running', 'ready'].includes(bar.next.why.kind)) break;
      await client.events(goal, bar.seq, 5);
    }
    expect(new Set(received)).toEqual(new Set([`Bearer ${key}`]));

    for (const path of ['events', 'doctor', 'next', 'graph', 'record?kind=round', 'record?kind=call', 'record?kind=message', 'record?kind=blocker', 'rounds', 'resume-packet'])
      expect(await ask(`goals/${goal}/${path}`), path).toMatchObject({ status: 200 });
    const archive = await ask(`goals/${goal}/export`);
    // What the provider said is on record, without the key.
    expect(archive.text).toContain('Incorrect API key provided: [redacted');
    for (const path of ['settings', 'secrets', 'audit', 'usage']) expect(await ask(path), path).toMatchObject({ status: 200 });
    for (const text of said) expect(holds(text)).toEqual([]);
    expect(holds(worker.lines().join('\n'))).toEqual([]);

    await worker.kill();
    const files = readdirSync(worker.dir, { recursive: true, encoding: 'utf8' })
      .map((name) => join(worker.dir, name))
      .filter((path) => statSync(path).isFile());
    expect(files.some((path) => path.includes('.sqlite') && readFileSync(path).includes('secret.put'))).toBe(true);
    for (const path of files) expect(holds(readFileSync(path)), path).toEqual([]);
    // The master key is where it belongs alone.
    const master = readFileSync(join(worker.dir, 'master-key'), 'utf8').trim();
    for (const path of files) if (!path.endsWith('master-key')) expect(readFileSync(path).includes(master), path).toBe(false);
    expect(worker.lines().join('\n')).not.toContain(master);
  });
});
