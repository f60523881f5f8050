import { describe, expect, it } from 'vitest';
import type { GoalSummary, GoalsFrame } from '../domain/views/types.ts';
import { GoalsFeed } from './goals-feed.ts';

const summary = (goal: string, seq: number, createdAt = 1): GoalSummary => ({
  goal,
  title: goal,
  mode: 'bound',
  status: 'active',
  why: 'running',
  goalVersion: 1,
  planRevision: 1,
  needsYou: 0,
  wakeAt: null,
  createdAt,
  updatedAt: seq,
  seq,
  milestones: [],
  accepted: 0,
  requiredItems: 0,
  budget: null,
});

/** The clock, the timer, the book and the watchers in the hands of the test. */
function bench(book: GoalSummary[] = []) {
  let now = 1000;
  let due: (() => void)[] = [];
  const watchers = new Map<string, GoalsFrame[]>();
  const closed: string[] = [];
  let reading: (() => void) | undefined;
  let hold = false;
  let broken = false;
  const feed = new GoalsFeed({
    now: () => now,
    after: (_ms, work) => void due.push(work),
    read: async () => {
      if (hold) await new Promise<void>((resolve) => (reading = resolve));
      if (broken) throw new Error('away');
      return { goals: book, truncated: false };
    },
    sockets: {
      list: () => [...watchers.keys()].map((id) => ({ id, expiresAt: 1_000_000 })),
      send: (id, frame) => void watchers.get(id)?.push(frame as unknown as GoalsFrame),
      close: (id) => void closed.push(id),
    },
  });
  return {
    feed,
    closed,
    async watch(id: string, after?: number) {
      const frames: GoalsFrame[] = [];
      watchers.set(id, frames);
      const opened = feed.connect(id, after);
      if (!hold) await opened;
      return { frames, opened };
    },
    leave: (id: string) => void watchers.delete(id),
    pass(ms: number) {
      now += ms;
      for (const work of due.splice(0)) work();
    },
    slowBook: () => (hold = true),
    breakBook: () => (broken = true),
    bookAnswers: () => reading?.(),
    clear: () => (due = []),
  };
}
const told = (frame: GoalsFrame | undefined) => (frame && 'goals' in frame ? frame.goals.map((goal) => `${goal.goal}@${goal.seq}`) : undefined);

describe('those who follow the lists of a workspace', () => {
  it('get a snapshot first, then what changed: the newest of each goal, several in one frame', async () => {
    const b = bench([summary('a', 1)]);
    const { frames } = await b.watch('w');
    expect(frames).toMatchObject([{ kind: 'snapshot', seq: 1000, truncated: false }]);
    expect(told(frames[0])).toEqual(['a@1']);
    b.feed.changed('a', summary('a', 2));
    b.feed.changed('b', summary('b', 1));
    b.feed.changed('a', summary('a', 3));
    expect(frames).toHaveLength(1);
    b.pass(200);
    expect(frames).toHaveLength(2);
    expect(frames[1]).toMatchObject({ kind: 'update', gone: [] });
    expect(told(frames[1])?.sort()).toEqual(['a@3', 'b@1']);
    expect((frames[1] as { seq: number }).seq).toBeGreaterThan(1000);
  });

  it('are told nothing by an image that was overtaken, and never again of a goal that was erased', async () => {
    const b = bench();
    const { frames } = await b.watch('w');
    b.feed.changed('a', summary('a', 5));
    b.feed.changed('a', summary('a', 4));
    b.pass(200);
    expect(told(frames[1])).toEqual(['a@5']);
    b.feed.changed('a', null);
    b.feed.changed('a', summary('a', 6));
    b.pass(200);
    expect(frames[2]).toMatchObject({ kind: 'update', goals: [], gone: ['a'] });
    expect(frames).toHaveLength(3);
  });

  it('miss nothing of what changes while their snapshot is read, and get it after', async () => {
    const b = bench([summary('a', 1)]);
    b.slowBook();
    const { frames, opened } = await b.watch('w');
    b.feed.changed('a', summary('a', 2));
    b.pass(200);
    expect(frames).toEqual([]);
    b.bookAnswers();
    await opened;
    expect(frames.map((frame) => frame.kind)).toEqual(['snapshot', 'update']);
    expect(told(frames[1])).toEqual(['a@2']);
  });

  it('come back and get exactly what they missed; after longer than is kept a snapshot again', async () => {
    const b = bench([summary('a', 1)]);
    const { frames } = await b.watch('w');
    b.feed.changed('a', summary('a', 2));
    b.pass(200);
    const last = frames.at(-1)?.kind === 'update' ? (frames.at(-1) as { seq: number }).seq : 0;
    b.leave('w');
    b.feed.changed('b', summary('b', 1));
    b.pass(200);
    const again = await b.watch('again', last);
    expect(again.frames.map((frame) => [frame.kind, told(frame)])).toEqual([['update', ['b@1']]]);
    for (let n = 0; n < 1001; n++) b.feed.changed(`g${n}`, summary(`g${n}`, 1));
    expect((await b.watch('late', last)).frames[0]?.kind).toBe('snapshot');
    expect((await b.watch('of another time', 5)).frames[0]?.kind).toBe('snapshot');
    expect((await b.watch('ahead', 9_999_999)).frames[0]?.kind).toBe('snapshot');
  });

  it('see in the snapshot what the book does not have yet', async () => {
    const b = bench([summary('a', 1, 1), summary('x', 1, 1)]);
    b.feed.changed('a', summary('a', 7, 1));
    b.feed.changed('new', summary('new', 1, 9));
    b.feed.changed('x', null);
    const { frames } = await b.watch('w');
    expect(told(frames[0])).toEqual(['new@1', 'a@7']);
  });

  it('are let go when the book does not answer, to come back', async () => {
    const b = bench();
    b.breakBook();
    const { frames } = await b.watch('w');
    expect(frames).toEqual([{ kind: 'error', code: 'unavailable' }]);
    expect(b.closed).toEqual(['w']);
  });
});
