/** The load generator on connections that a server closes when it likes. */
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { Connection, drive } from './load.ts';

let server: Server | undefined;
afterEach(() => server?.close());

/** Answers each request as `answer` says: `count` is the number of the request on its connection, from 1. */
async function serve(answer: (socket: Socket, count: number, connection: number) => void): Promise<URL> {
  let connections = 0;
  server = createServer((socket) => {
    const connection = ++connections;
    let count = 0;
    socket.on('error', () => {});
    socket.on('data', () => answer(socket, ++count, connection));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return new URL(`http://127.0.0.1:${address.port}`);
}

const say = (socket: Socket, body: string) => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);

test('asks again where the server closed an idle connection just as the request came', async () => {
  const url = await serve((socket, count, connection) => (count === 1 ? say(socket, `${connection}`) : socket.destroy()));
  const connection = await Connection.open(url);
  const answers = [];
  for (let n = 0; n < 3; n++) answers.push((await connection.post({ path: '/', body: '{}' })).body);
  expect(answers).toEqual(['1', '2', '3']);
  connection.close();
});

test('a new connection that gets no answer is an error, and ends a run without a rejection that nobody handles', async () => {
  const url = await serve((socket) => socket.destroy());
  const connections = await Promise.all([Connection.open(url), Connection.open(url)]);
  await expect(drive(connections, 1000, () => ({ path: '/', body: '{}' }))).rejects.toThrow(/closed|reset/i);
});

test('an answer that breaks off is not asked for again', async () => {
  const url = await serve((socket, count) => {
    if (count === 1) return say(socket, 'whole');
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart', () => socket.destroy());
  });
  const connection = await Connection.open(url);
  expect((await connection.post({ path: '/', body: '{}' })).body).toBe('whole');
  await expect(connection.post({ path: '/', body: '{}' })).rejects.toThrow('within an answer');
});
