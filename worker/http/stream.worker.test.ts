/** Server-sent events: the frames of the sockets, resumed by `Last-Event-ID`; and the lists of a workspace, live over both. */
import { applyD1Migrations } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Frame, GoalsFrame } from '../domain/views/types.ts';
import type { Env } from '../env.ts';
import { frame as frameShape, goalsFrame as goalsFrameShape } from './openapi/views.ts';
import { checkedApp } from './testing/conformity.ts';

const env = bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };
beforeAll(() => applyD1Migrations(env.DB, env.MIGRATIONS));

const workspace = '/v1/workspaces/local';
const send = (path: string, init: RequestInit = {}) => checkedApp.fetch(new Request(`http://127.0.0.1:8787${workspace}${path}`, init), env);
let commands = 0;

async function post<T = { goal: string; seq: number }>(path: string, type: string, payload: unknown): Promise<T> {
  const response = await send(path, { method: 'POST', body: JSON.stringify({ type, commandId: `stream-${++commands}`, payload }) });
  if (!response.ok) throw new Error(await response.text());
  return response.json<T>();
}
const newGoal = (title: string) => post('/goals', 'goal.create', { mode: 'graph_only', title });
const say = (goal: string, text: string) => post(`/goals/${goal}/commands`, 'message.post', { text });

interface Stream<F> {
  status: number;
  next(fits: (frame: F) => boolean): Promise<{ id: string | undefined; frame: F }>;
  leave(): Promise<void>;
}

async function follow<F>(path: string, lastEventId?: string): Promise<Stream<F>> {
  const response = await send(path, lastEventId === undefined ? {} : { headers: { 'last-event-id': lastEventId } });
  if (!response.body || !response.ok) throw new Error(await response.text());
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader();
  return {
    status: response.status,
    async next(fits) {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) throw new Error('the stream ended');
        const said: unknown = JSON.parse(value.data);
        // What a watcher gets is what the contract says.
        const shape = path.includes('/goals/') ? frameShape.safeParse(said) : goalsFrameShape.safeParse(said);
        if (!shape.success) throw new Error(shape.error.message);
        if (fits(said as F)) return { id: value.id, frame: said as F };
      }
    },
    leave: () => reader.cancel(),
  };
}

describe('one goal as server-sent events', () => {
  it('sends a snapshot, then each commit under its seq, and goes on exactly after the last one that arrived', async () => {
    const { goal } = await newGoal('Streamed');
    const first = await follow<Frame>(`/goals/${goal}/stream`);
    const snapshot = await first.next(() => true);
    expect(snapshot.frame).toMatchObject({ kind: 'snapshot', bar: { title: 'Streamed' } });
    const { seq } = await say(goal, 'one');
    const update = await first.next((frame) => frame.kind === 'update' && frame.seq >= seq);
    expect(update.id).toBe(String((update.frame as { seq: number }).seq));
    await first.leave();

    await say(goal, 'two');
    const last = await say(goal, 'three');
    const again = await follow<Frame>(`/goals/${goal}/stream?after=0`, update.id);
    const resumed = await again.next(() => true);
    if (resumed.frame.kind !== 'update') throw new Error(resumed.frame.kind);
    const missed = Array.from({ length: last.seq - Number(update.id) }, (_, n) => Number(update.id) + 1 + n);
    expect(resumed.frame.events.map((event) => event.seq)).toEqual(missed);
    await again.leave();
  });

  it('sends a snapshot where the place to go on from is not of this record', async () => {
    const { goal } = await newGoal('Lost place');
    const stream = await follow<Frame>(`/goals/${goal}/stream`, '999999');
    expect((await stream.next(() => true)).frame.kind).toBe('snapshot');
    await stream.leave();
  });

  it('is not there where no goal is, and refuses what is no place', async () => {
    const missing = await send('/goals/goal_00000000000000000000000000000000/stream');
    expect([missing.status, (await missing.json<{ code: string }>()).code]).toEqual([404, 'not_found']);
    const { goal } = await newGoal('No place');
    const wrong = await send(`/goals/${goal}/stream`, { headers: { 'last-event-id': 'soon' } });
    expect([wrong.status, (await wrong.json<{ code: string }>()).code]).toEqual([422, 'schema_invalid']);
  });
});

describe('the lists of a workspace, live', () => {
  it('tell of goals that are made, that change and that are erased, and go on after a break', async () => {
    const stream = await follow<GoalsFrame>('/stream');
    expect((await stream.next(() => true)).frame.kind).toBe('snapshot');
    const { goal } = await newGoal('Listed');
    const of = (frame: GoalsFrame) => (frame.kind === 'error' ? undefined : frame.goals.find((each) => each.goal === goal));
    const made = await stream.next((frame) => of(frame) !== undefined);
    expect(of(made.frame)).toMatchObject({ title: 'Listed', needsYou: expect.any(Number) });
    await stream.leave();

    const { seq } = await say(goal, 'moved');
    const again = await follow<GoalsFrame>('/stream', made.id);
    const moved = await again.next((frame) => (of(frame)?.seq ?? 0) >= seq);
    expect(moved.frame.kind).toBe('update');
    await send(`/goals/${goal}/erase`, { method: 'POST' });
    await again.next((frame) => frame.kind === 'update' && frame.gone.includes(goal));
    await again.leave();
  });

  it('come over a socket too', async () => {
    const { goal } = await newGoal('Over a socket');
    const socket = (await send('/socket', { headers: { upgrade: 'websocket' } })).webSocket;
    if (!socket) throw new Error('no socket');
    const frames: GoalsFrame[] = [];
    const listed = new Promise<void>((resolve) =>
      socket.addEventListener('message', ({ data }) => {
        const frame = JSON.parse(String(data)) as GoalsFrame;
        frames.push(frame);
        // In the snapshot where the book has it by then, else in what follows.
        if (frame.kind !== 'error' && frame.goals.some((each) => each.goal === goal)) resolve();
      }),
    );
    socket.accept();
    await listed;
    expect(frames[0]).toMatchObject({ kind: 'snapshot' });
    socket.close();
  });
});
