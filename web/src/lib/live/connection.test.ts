import { describe, expect, it } from 'vitest';
import { acceptedFrames, serverItem, snapshot } from '../testing/csv-goal.ts';
import { type LiveDeps, LiveGoal, type SocketEvents } from './connection.ts';

/** A socket and a clock in the hands of the test. */
function bench(probe: Awaited<ReturnType<LiveDeps['probe']>> = { outcome: 'found' }) {
  const sent: string[] = [];
  const urls: string[] = [];
  let events: SocketEvents | undefined;
  let url: (() => string) | undefined;
  let now = 1000;
  let probes = 0;
  let closed = false;
  const live = new LiveGoal('/goal/socket', {
    open: (ask, given) => {
      url = ask;
      events = given;
      return { send: (text) => void sent.push(text), close: () => (closed = true) };
    },
    probe: async () => {
      probes += 1;
      return probe;
    },
    now: () => now,
    schedule: (work) => work(),
  });
  live.start();
  return {
    live,
    sent,
    urls,
    open() {
      urls.push(url?.() ?? '');
      events?.onopen();
    },
    frame: (frame: unknown) => events?.onmessage(JSON.stringify(frame)),
    text: (text: string) => events?.onmessage(text),
    drop() {
      now += 500;
      events?.onclose(1006, '');
    },
    end: (code: number, reason: string) => events?.onclose(code, reason),
    probes: () => probes,
    closed: () => closed,
  };
}
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
const [update] = acceptedFrames();

describe('one goal over its socket', () => {
  it('is live from the first snapshot on', () => {
    const b = bench();
    b.open();
    expect(b.live.state.phase).toBe('loading');
    b.frame(snapshot);
    expect(b.live.state).toMatchObject({ phase: 'live', record: { seq: snapshot.seq } });
  });

  it('keeps the last confirmed record through a lost connection, says since when, and resumes from there', () => {
    const b = bench();
    b.open();
    b.frame(snapshot);
    b.drop();
    expect(b.live.state).toMatchObject({ phase: 'reconnecting', since: 1500, record: { seq: snapshot.seq } });
    b.drop();
    expect(b.live.state).toMatchObject({ since: 1500 });
    b.open();
    expect(b.urls).toEqual(['/goal/socket?after=0', `/goal/socket?after=${snapshot.seq}`]);
    // Nothing was missed, so no frame comes: being connected is being live.
    expect(b.live.state.phase).toBe('live');
    b.frame(update);
    expect(b.live.state).toMatchObject({ phase: 'live', record: { seq: snapshot.seq + 1 } });
  });

  it('asks over HTTP only when nothing was shown yet, and believes "not found"', async () => {
    const b = bench({ outcome: 'not_found' });
    b.drop();
    await settled();
    expect(b.live.state.phase).toBe('not_found');
    expect(b.closed()).toBe(true);

    const shown = bench({ outcome: 'not_found' });
    shown.open();
    shown.frame(snapshot);
    shown.drop();
    await settled();
    expect(shown.probes()).toBe(0);
    expect(shown.live.state.phase).toBe('reconnecting');
  });

  it('takes the goal that is not there from the socket, too', () => {
    const b = bench();
    b.open();
    b.frame({ kind: 'error', code: 'not_found' });
    expect(b.live.state.phase).toBe('not_found');
  });

  it('recovers from a failure as soon as a snapshot comes', async () => {
    const b = bench({ outcome: 'failed', code: 'unavailable', requestId: 'req_1' });
    b.drop();
    await settled();
    expect(b.live.state).toEqual({ phase: 'failed', code: 'unavailable', requestId: 'req_1' });
    b.open();
    b.frame(snapshot);
    expect(b.live.state.phase).toBe('live');
  });

  it('reads over the socket, matches answers by id, and asks again after a reconnect', async () => {
    const b = bench();
    b.open();
    b.frame(snapshot);
    const item = b.live.read({ what: 'item', item: 'server' });
    const other = b.live.read({ what: 'next' });
    expect(b.sent.map((text) => JSON.parse(text))).toEqual([
      { kind: 'read', id: 1, query: { what: 'item', item: 'server' } },
      { kind: 'read', id: 2, query: { what: 'next' } },
    ]);
    b.frame({ kind: 'read', id: 2, answer: { outcome: 'refused', refusal: { refused: true, code: 'not_found' } } });
    expect(await other).toMatchObject({ outcome: 'refused' });
    b.drop();
    b.open();
    expect(b.sent).toHaveLength(3);
    b.frame({ kind: 'read', id: 1, answer: { outcome: 'found', seq: 1, value: serverItem } });
    expect(await item).toMatchObject({ outcome: 'found', value: { node: { key: 'server' } } });
  });

  it('ends open reads when the page is left', async () => {
    const b = bench();
    b.open();
    const reading = b.live.read({ what: 'next' });
    b.live.stop();
    expect(await reading).toMatchObject({ outcome: 'refused', refusal: { code: 'unavailable' } });
  });

  it('reads earlier events and puts them in front', async () => {
    const b = bench();
    b.open();
    b.frame({ ...snapshot, events: snapshot.events.slice(10) });
    const loading = b.live.loadEarlier(100);
    expect(JSON.parse(b.sent[0] ?? '')).toMatchObject({ query: { what: 'events', after: 0, limit: 100 } });
    b.frame({ kind: 'read', id: 1, answer: { outcome: 'found', seq: 1, value: { data: snapshot.events.slice(0, 12), next: null } } });
    await loading;
    expect(b.live.state).toMatchObject({ phase: 'live' });
    if (b.live.state.phase === 'live') expect(b.live.state.record.events.map(({ seq }) => seq)).toEqual(snapshot.events.map(({ seq }) => seq));
  });

  it.each([
    [4001, 'credential_ended', 'unauthenticated'],
    [4003, 'no_access', 'forbidden'],
  ])('is over when the host closes it with %s %s: nothing of the record stays, and it is not tried again', (code, reason, told) => {
    const b = bench();
    b.open();
    b.frame(snapshot);
    b.end(code, reason);
    expect(b.live.state).toEqual({ phase: 'failed', code: told });
    expect(b.closed()).toBe(true);
    expect(b.probes()).toBe(0);
  });

  it('takes a ticket that ran out as a lost connection', () => {
    const b = bench();
    b.open();
    b.frame(snapshot);
    b.end(4001, 'ticket_expired');
    expect(b.live.state.phase).toBe('reconnecting');
  });

  it('passes over what is no frame', () => {
    const b = bench();
    b.open();
    b.frame(snapshot);
    b.text('pong');
    b.frame({ kind: 'pong' });
    expect(b.live.state.phase).toBe('live');
  });
});
