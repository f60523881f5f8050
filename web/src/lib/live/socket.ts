/** A socket that comes back by itself, is kept alive, and whose ticket is renewed. */
import ReconnectingWebSocket from 'partysocket/ws';
import type { LiveSocket, SocketEvents } from './connection.ts';

/** Keep-alive: the platform answers without waking the object. Two missed answers end a dead connection. */
const pingMs = 25_000;
/** The ticket of a socket holds five minutes; renewed well before. */
const renewMs = 120_000;

/** `url` is asked before every try. */
export function openSocket(url: () => string, events: SocketEvents): LiveSocket {
  const socket = new ReconnectingWebSocket(() => new URL(url(), location.href.replace(/^http/, 'ws')).href, [], {
    minReconnectionDelay: 500,
    maxReconnectionDelay: 8000,
    connectionTimeout: 8000,
  });
  let heard = Date.now();
  let renewed = heard;
  socket.addEventListener('open', () => {
    heard = Date.now();
    renewed = heard;
    events.onopen();
  });
  socket.addEventListener('message', (event) => {
    heard = Date.now();
    events.onmessage(String(event.data));
  });
  socket.addEventListener('close', (event) => events.onclose(event.code, event.reason));
  const timer = setInterval(() => {
    if (socket.readyState !== socket.OPEN) return;
    if (Date.now() - heard > pingMs * 2.5) return socket.reconnect();
    socket.send('{"kind":"ping"}');
    if (Date.now() - renewed > renewMs) {
      renewed = Date.now();
      socket.send('{"kind":"renew"}');
    }
  }, pingMs);
  return {
    send: (text) => socket.send(text),
    close: () => {
      clearInterval(timer);
      socket.close();
    },
  };
}
