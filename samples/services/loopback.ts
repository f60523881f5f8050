/**
 * The supplier register and the bank of the invoice sample, as one small HTTP service on the loopback address.
 * It stands for systems that must not be touched: it accepts whatever it is sent and keeps a note of it, so that a test can see that nothing came.
 * State is in memory and ends with the process.
 *
 *   GET  /requests   what was received so far, oldest first: `[{service, method, path, key, body}]`
 *   any  /supplier/… the supplier register
 *   any  /bank/…     the bank
 */
import { createServer, type IncomingMessage } from 'node:http';

export interface ReceivedRequest {
  service: 'supplier' | 'bank';
  method: string;
  path: string;
  /** Idempotency key that came with it, if any. */
  key: string | null;
  /** At most 64 KiB of the body, as text. */
  body: string;
}

export interface Loopback {
  port: number;
  supplierUrl: string;
  bankUrl: string;
  requests(): readonly ReceivedRequest[];
  close(): Promise<void>;
}

const bodyLimit = 64 * 1024;

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    // The rest of a longer body is still read, so that the sender sees an answer instead of a reset.
    if (size < bodyLimit) chunks.push(chunk);
    size += chunk.length;
  }
  return Buffer.concat(chunks).toString('utf8').slice(0, bodyLimit);
}

/** Starts the service on 127.0.0.1. Port 0 takes a free one. Rejects when the port is taken. */
export async function startLoopback(port = 0): Promise<Loopback> {
  const received: ReceivedRequest[] = [];
  /** First answer per idempotency key: the same key again is not a second order. */
  const answers = new Map<string, string>();

  const server = createServer((request, response) => {
    const answer = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    const handle = async () => {
      const body = await bodyOf(request);
      const path = new URL(request.url ?? '/', 'http://loopback').pathname;
      if (request.method === 'GET' && path === '/requests') return answer(200, received);
      const service = path.split('/')[1];
      if (service !== 'supplier' && service !== 'bank') return answer(404, { error: 'no such service' });
      const header = request.headers['idempotency-key'];
      const key = typeof header === 'string' ? header : null;
      received.push({ service, method: request.method ?? '', path, key, body });
      if (request.method === 'GET') return answer(404, { error: 'nothing of that id' });
      const kept = key === null ? undefined : answers.get(key);
      const id = kept ?? `${service}-${received.length}`;
      if (key !== null) answers.set(key, id);
      answer(200, { id, accepted: true, replayed: kept !== undefined });
    };
    handle().catch(() => {
      if (!response.headersSent) answer(500, { error: 'the request could not be read' });
    });
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the loopback service has no port');
  const origin = `http://127.0.0.1:${address.port}`;
  return {
    port: address.port,
    supplierUrl: `${origin}/supplier`,
    bankUrl: `${origin}/bank`,
    requests: () => received,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}
