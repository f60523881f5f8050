/** The object's hibernating sockets. What must survive its sleep is in each socket's attachment. */

import type { Credential } from '../auth/caller.ts';
import type { Standing } from '../auth/memberships.ts';
import type { Json, PrincipalId } from '../domain/values.ts';
import type { Sockets } from './ports.ts';

/** Keep-alive that wakes no object. */
export const pingPong = ['{"kind":"ping"}', '{"kind":"pong"}'] as const;

/** Milliseconds a ticket is good for; a watcher renews it in-band. */
export const ticketMs = 300_000;

interface Attachment {
  id: string;
  /** The last `seq` it was sent. */
  seq: number;
  /** Milliseconds since the epoch. No frame is sent after it. */
  expiresAt: number;
  user: PrincipalId;
  /** What opened it; asked again at each renewal. Absent: opened before this was kept. */
  credential?: Credential;
  /** When the workspace was told of it last. Absent: not yet. */
  watchedAt?: number;
}

/** What a socket is closed with. The console tells by the first two why nothing comes any more; with the third it opens another. */
export const closings = {
  ended: [4001, 'credential_ended'],
  barred: [4003, 'no_access'],
  expired: [4001, 'ticket_expired'],
} as const;

const tagOf = (user: PrincipalId) => `user:${user}`.slice(0, 256);

export class ObjectSockets implements Sockets {
  readonly #ctx: DurableObjectState;
  /** One frame goes to every watcher: its text is made once. */
  readonly #texts = new WeakMap<object, string>();

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx;
  }

  /** Takes the server's end of a pair; returns its id. */
  accept(socket: WebSocket, user: PrincipalId, credential: Credential, now: number): string {
    const attachment: Attachment = { id: crypto.randomUUID(), seq: 0, expiresAt: now + ticketMs, user, credential };
    this.#ctx.acceptWebSocket(socket, [tagOf(user)]);
    socket.serializeAttachment(attachment);
    return attachment.id;
  }

  /**
   * A live ticket is prolonged where the credential behind it still opens this workspace; else the socket is closed. Where that cannot be asked now it stays as it is, and ends in its time:
   * so whoever is signed out, removed or revoked sees nothing more after `ticketMs` at the latest.
   */
  async renew(socket: WebSocket, now: number, standing: (credential: Credential) => Promise<Standing>): Promise<void> {
    if (!this.holds(socket, now)) return;
    try {
      if (!(await this.#reads(socket, standing))) return;
    } catch {
      return;
    }
    // What it holds may have changed while that was asked.
    const attachment = attachmentOf(socket);
    if (attachment && socket.readyState === WebSocket.OPEN) socket.serializeAttachment({ ...attachment, expiresAt: now + ticketMs });
  }

  /** Looks at the sockets of this principal again, each by its own credential; returns how many stay. Throws where that cannot be asked: then they stay until their renewal. */
  async recheck(user: PrincipalId, standing: (credential: Credential) => Promise<Standing>): Promise<number> {
    const open = this.#ctx.getWebSockets(tagOf(user)).filter((socket) => socket.readyState === WebSocket.OPEN);
    const kept = await Promise.all(open.map((socket) => this.#reads(socket, standing)));
    return kept.filter(Boolean).length;
  }

  /** Closes it, and says why, where its credential no longer opens this workspace. */
  async #reads(socket: WebSocket, standing: (credential: Credential) => Promise<Standing>): Promise<boolean> {
    const credential = attachmentOf(socket)?.credential;
    const stands = credential === undefined ? 'ended' : await standing(credential);
    if (stands === 'reads') return true;
    const [code, reason] = closings[stands];
    socket.close(code, reason);
    return false;
  }

  /** Of whom the workspace has to be told that this goal has a socket; undefined where it was, not long ago. */
  toTell(socket: WebSocket, now: number, every: number): PrincipalId | undefined {
    const attachment = attachmentOf(socket);
    if (!attachment || socket.readyState !== WebSocket.OPEN || (attachment.watchedAt ?? Number.NEGATIVE_INFINITY) > now - every) return undefined;
    socket.serializeAttachment({ ...attachment, watchedAt: now });
    return attachment.user;
  }

  /** Whether its ticket is live. One that ran out closes the socket. */
  holds(socket: WebSocket, now: number): boolean {
    const live = (attachmentOf(socket)?.expiresAt ?? 0) > now;
    if (!live) socket.close(...closings.expired);
    return live;
  }

  list() {
    const open: { id: string; seq: number; expiresAt: number }[] = [];
    for (const socket of this.#ctx.getWebSockets()) {
      const attachment = attachmentOf(socket);
      if (attachment && socket.readyState === WebSocket.OPEN) open.push(attachment);
    }
    return open;
  }

  send(id: string, frame: Json): void {
    const socket = this.#find(id);
    if (!socket) return;
    socket.send(this.#text(frame));
    const attachment = attachmentOf(socket);
    const seq = frame !== null && typeof frame === 'object' && !Array.isArray(frame) ? frame.seq : undefined;
    if (attachment && typeof seq === 'number') socket.serializeAttachment({ ...attachment, seq });
  }

  close(id: string, code: number, reason: string): void {
    this.#find(id)?.close(code, reason);
  }

  #find(id: string): WebSocket | undefined {
    return this.#ctx.getWebSockets().find((socket) => attachmentOf(socket)?.id === id);
  }

  #text(frame: Json): string {
    if (frame === null || typeof frame !== 'object') return JSON.stringify(frame);
    let text = this.#texts.get(frame);
    if (text === undefined) {
      text = JSON.stringify(frame);
      this.#texts.set(frame, text);
    }
    return text;
  }
}

function attachmentOf(socket: WebSocket): Attachment | null {
  return socket.deserializeAttachment() as Attachment | null;
}

export function closeQuietly(socket: WebSocket): void {
  try {
    socket.close(1000, 'closed');
  } catch {
    // It was closed already.
  }
}
