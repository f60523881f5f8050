/** The object's hibernating sockets. What must survive its sleep is in each socket's attachment. */

import type { Credential } from '../auth/caller.ts';
import type { Json, PrincipalId } from '../domain/values.ts';
import type { Sockets } from './ports.ts';

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
}

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
    this.#ctx.acceptWebSocket(socket, [`user:${user}`.slice(0, 256)]);
    socket.serializeAttachment(attachment);
    return attachment.id;
  }

  /**
   * A live ticket is prolonged where the credential behind it still opens this workspace; else the socket is closed. Where that cannot be asked now it stays as it is, and ends in its time:
   * so whoever is signed out, removed or revoked sees nothing more after `ticketMs` at the latest.
   */
  async renew(socket: WebSocket, now: number, stillReads: (credential: Credential) => Promise<boolean>): Promise<void> {
    if (!this.holds(socket, now)) return;
    const credential = attachmentOf(socket)?.credential;
    try {
      if (credential === undefined || !(await stillReads(credential))) return socket.close(4001, 'credential_ended');
    } catch {
      return;
    }
    // What it holds may have changed while that was asked.
    const attachment = attachmentOf(socket);
    if (attachment && socket.readyState === WebSocket.OPEN) socket.serializeAttachment({ ...attachment, expiresAt: now + ticketMs });
  }

  /** Whether its ticket is live. One that ran out closes the socket. */
  holds(socket: WebSocket, now: number): boolean {
    const live = (attachmentOf(socket)?.expiresAt ?? 0) > now;
    if (!live) socket.close(4001, 'ticket_expired');
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
