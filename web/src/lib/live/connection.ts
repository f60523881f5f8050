/**
 * One Goal over its socket. Everything the goal page shows after loading comes through here: frames, and reads of details over the
 * same socket, so that no HTTP request is made while events arrive. Knows neither Svelte nor the browser: what it needs is handed in.
 */
import type { Frame, ReadAnswer, ReadQuery, ReadValues } from '../api/types.ts';
import { applyFrame, type GoalRecord, mergeEvents } from './record.ts';
import { type LiveStream, withFrame, withoutEnded } from './streams.ts';

/** The part of a reconnecting socket that is used here. It reopens by itself and calls `onopen` again. */
export interface LiveSocket {
  send(text: string): void;
  close(): void;
}
export interface SocketEvents {
  onopen(): void;
  onmessage(text: string): void;
  /** `code`: 4001 with `credential_ended` and 4003 are final; anything else is a connection that was lost. */
  onclose(code: number, reason: string): void;
}

export interface LiveDeps {
  /** Opens a socket that reconnects; `url` is asked before every try. */
  open(url: () => string, events: SocketEvents): LiveSocket;
  /** Asked over HTTP, once, when the socket closes before anything was shown: why? */
  probe(): Promise<{ outcome: 'found' } | { outcome: 'not_found' } | { outcome: 'failed'; code: string; requestId?: string }>;
  now(): number;
  /** Collects several frames into one notification; the browser gives its animation frame. */
  schedule(work: () => void): void;
}

export type LiveState =
  | { phase: 'loading' }
  | { phase: 'live'; record: GoalRecord }
  /** The connection is lost, not the Goal: the last confirmed record, and since when (milliseconds, this clock). */
  | { phase: 'reconnecting'; record: GoalRecord; since: number }
  | { phase: 'not_found' }
  | { phase: 'failed'; code: string; requestId?: string };

/** Why the host closed it for good, as the code that a request would be refused with. */
const endings: Readonly<Record<string, string>> = { '4001 credential_ended': 'unauthenticated', '4003 no_access': 'forbidden' };

type Reply = { kind: 'read'; id: number; answer: ReadAnswer } | { kind: 'pong' };

export class LiveGoal {
  #deps: LiveDeps;
  #path: string;
  #socket: LiveSocket | null = null;
  #open = false;
  #record: GoalRecord | null = null;
  #state: LiveState = { phase: 'loading' };
  #listeners = new Set<(state: LiveState) => void>();
  #scheduled = false;
  #streams: readonly LiveStream[] = [];
  #streamListeners = new Set<(streams: readonly LiveStream[]) => void>();
  #probing = false;
  #nextRead = 1;
  /** Reads without an answer: sent again after a reconnect, which a read allows. */
  #reads = new Map<number, { query: ReadQuery; resolve: (answer: ReadAnswer) => void }>();

  constructor(path: string, deps: LiveDeps) {
    this.#path = path;
    this.#deps = deps;
  }

  get state(): LiveState {
    return this.#state;
  }

  subscribe(listener: (state: LiveState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What models write right now. */
  subscribeStreams(listener: (streams: readonly LiveStream[]) => void): () => void {
    this.#streamListeners.add(listener);
    return () => this.#streamListeners.delete(listener);
  }

  start(): void {
    this.#socket ??= this.#deps.open(() => `${this.#path}?after=${this.#record?.seq ?? 0}`, {
      onopen: () => this.#opened(),
      onmessage: (text) => this.#received(text),
      onclose: (code, reason) => this.#closed(code, reason),
    });
  }

  stop(): void {
    this.#socket?.close();
    this.#socket = null;
    this.#open = false;
    for (const { resolve } of this.#reads.values()) resolve({ outcome: 'refused', refusal: { refused: true, code: 'unavailable' } });
    this.#reads.clear();
  }

  /** Reads one thing of the record. Waits through a reconnect; answers `unavailable` when the page is left. */
  read<W extends keyof ReadValues>(query: Extract<ReadQuery, { what: W }>): Promise<{ outcome: 'found'; value: ReadValues[W] } | Extract<ReadAnswer, { outcome: 'refused' }>>;
  read(query: Extract<ReadQuery, { what: 'body' | 'artifact' | 'fact' }>): Promise<ReadAnswer>;
  read(query: ReadQuery): Promise<unknown> {
    return new Promise<ReadAnswer>((resolve) => {
      const id = this.#nextRead++;
      this.#reads.set(id, { query, resolve });
      if (this.#open) this.#socket?.send(JSON.stringify({ kind: 'read', id, query }));
    });
  }

  /** Fetches up to `limit` events before the first one known. */
  async loadEarlier(limit = 200): Promise<void> {
    const first = this.#record?.events[0]?.seq ?? 1;
    if (first <= 1) return;
    const answer = await this.read({ what: 'events', after: Math.max(0, first - 1 - limit), limit });
    if (answer.outcome !== 'found' || !this.#record) return;
    const earlier = answer.value.data.filter((event) => event.seq < first);
    this.#record = { ...this.#record, events: mergeEvents(this.#record.events, earlier) };
    this.#show();
  }

  #opened(): void {
    this.#open = true;
    for (const [id, { query }] of this.#reads) this.#socket?.send(JSON.stringify({ kind: 'read', id, query }));
    // On a resume with nothing missed no frame comes; being connected is enough to be live.
    if (this.#record) this.#show();
  }

  #received(text: string): void {
    const frame = parse(text);
    if (!frame) return;
    switch (frame.kind) {
      case 'snapshot':
      case 'update': {
        this.#record = applyFrame(this.#record, frame) ?? this.#record;
        this.#stream(withoutEnded(this.#streams, frame.events));
        if (this.#record) this.#show();
        return;
      }
      case 'read': {
        const read = this.#reads.get(frame.id);
        this.#reads.delete(frame.id);
        read?.resolve(frame.answer);
        return;
      }
      case 'error': {
        if (frame.code === 'not_found') {
          this.#set({ phase: 'not_found' });
          this.stop();
        } else if (!this.#record) this.#set({ phase: 'failed', code: frame.code });
        return;
      }
      case 'stream':
        this.#stream(withFrame(this.#streams, frame));
        return;
      case 'pong':
        return;
      default:
        frame satisfies never;
    }
  }

  #stream(streams: readonly LiveStream[]): void {
    if (streams === this.#streams) return;
    this.#streams = streams;
    for (const listener of this.#streamListeners) listener(streams);
  }

  #closed(code: number, reason: string): void {
    this.#open = false;
    const ended = endings[`${code} ${reason}`];
    if (ended !== undefined) {
      // What was shown is not for this person any more.
      this.#record = null;
      this.#stream([]);
      this.#set({ phase: 'failed', code: ended });
      return this.stop();
    }
    // What was written meanwhile is not sent again.
    this.#stream(this.#streams.length > 0 ? [] : this.#streams);
    if (this.#record) {
      if (this.#state.phase !== 'reconnecting') this.#set({ phase: 'reconnecting', record: this.#record, since: this.#deps.now() });
      return;
    }
    void this.#askWhy();
  }

  async #askWhy(): Promise<void> {
    if (this.#probing) return;
    this.#probing = true;
    const answer = await this.#deps.probe();
    this.#probing = false;
    if (this.#record) return;
    if (answer.outcome === 'not_found') {
      this.#set({ phase: 'not_found' });
      this.stop();
    } else if (answer.outcome === 'failed') this.#set({ phase: 'failed', code: answer.code, requestId: answer.requestId });
  }

  #show(): void {
    if (!this.#record) return;
    const record = this.#record;
    this.#set(this.#open ? { phase: 'live', record } : { phase: 'reconnecting', record, since: this.#state.phase === 'reconnecting' ? this.#state.since : this.#deps.now() });
  }

  #set(state: LiveState): void {
    this.#state = state;
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#deps.schedule(() => {
      this.#scheduled = false;
      for (const listener of this.#listeners) listener(this.#state);
    });
  }
}

function parse(text: string): Frame | Reply | null {
  try {
    return JSON.parse(text) as Frame | Reply;
  } catch {
    return null;
  }
}
