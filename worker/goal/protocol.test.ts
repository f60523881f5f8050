import { beforeEach, describe, expect, test } from 'vitest';
import type { Actor } from '../domain/context.ts';
import type { Json } from '../domain/values.ts';
import { Totals } from '../observe/metrics.ts';
import type { Core } from './core.ts';
import { Counters } from './counters.ts';
import { Crash } from './memory-store.ts';
import { Bench, door, person } from './testing/bench-top.ts';
import { toyCore } from './testing/toy-core.ts';

const host: Actor = { kind: 'host' };
let bench: Bench;

beforeEach(async () => {
  bench = new Bench(toyCore);
  await bench.command('goal.create', { title: 'one' }, 'c1');
});

describe('the door', () => {
  test('another workspace is told not_found, and nothing is written', async () => {
    const before = bench.store.journal().length;
    const answer = await bench.command('message.post', { text: 'x' }, 'c2', { workspace: 'other' });
    expect(answer).toMatchObject({ outcome: 'rejected', refusal: { code: 'not_found' }, seq: 0 });
    expect(await bench.protocol.read({ ...door, workspace: 'other', query: { what: 'goal' } })).toMatchObject({ outcome: 'refused', refusal: { code: 'not_found' } });
    expect(await bench.protocol.read({ ...door, workspace: 'other', query: { what: 'doctor' } })).toMatchObject({ outcome: 'refused' });
    expect(await bench.protocol.claim({ ...door, workspace: 'other', round: 'r1', fence: 1, runner: 'a', again: false })).toMatchObject({
      outcome: 'refused',
      refusal: { code: 'not_found' },
    });
    expect(await bench.protocol.drain({ ...door, workspace: 'other' })).toEqual([]);
    expect(bench.store.journal().length).toBe(before);
  });

  test('an object that knows its name refuses another name even before creation', async () => {
    const named = new Bench(toyCore, { name: 'acme/goal_2' });
    expect(await named.command('goal.create', { title: 'x' }, 'c1')).toMatchObject({ outcome: 'rejected', refusal: { code: 'not_found' } });
    expect(named.store.meta()).toBeUndefined();
  });

  test('reading what was never created writes nothing', async () => {
    const empty = new Bench(toyCore);
    empty.store.hooks.beforeWrite = () => {
      throw new Error('written');
    };
    expect(await empty.protocol.read({ ...door, query: { what: 'goal' } })).toMatchObject({ outcome: 'refused', refusal: { code: 'not_found' } });
    expect(await empty.command('message.post', { text: 'x' }, 'c1')).toMatchObject({ outcome: 'rejected', refusal: { code: 'not_found' } });
    await empty.protocol.onAlarm();
    expect(empty.warnings).toEqual([]);
  });
});

describe('one command, one effect', () => {
  test('the same id and body gives the kept answer, with its events', async () => {
    const first = await bench.command('message.post', { text: 'a' }, 'c2');
    await bench.command('message.post', { text: 'b' }, 'c3');
    const again = await bench.command('message.post', { text: 'a' }, 'c2');
    expect(again).toEqual({ ...first, replayed: true });
    expect(first).toMatchObject({ outcome: 'applied', seq: 2, result: { message: 1 }, replayed: false });
    expect(bench.store.journal()).toHaveLength(3);
  });

  test('the same id with another body is refused; of another principal it is another command', async () => {
    await bench.command('message.post', { text: 'a' }, 'c2');
    expect(await bench.command('message.post', { text: 'b' }, 'c2')).toMatchObject({ outcome: 'rejected', refusal: { code: 'command_reused' }, seq: 2 });
    const other = await bench.command('message.post', { text: 'b' }, 'c2', { actor: { ...person, principal: 'person:b' } as Actor });
    expect(other).toMatchObject({ outcome: 'applied', seq: 3 });
  });

  test('a refusal is not remembered', async () => {
    expect(await bench.command('message.post', { text: 'refuse' }, 'c2')).toMatchObject({ outcome: 'rejected' });
    expect(await bench.command('message.post', { text: 'a' }, 'c2')).toMatchObject({ outcome: 'applied', replayed: false });
  });

  test('a refusal that is itself on record is committed, answered, and not remembered', async () => {
    expect(await bench.command('plan.propose', { document: 1 }, 'c2')).toMatchObject({ outcome: 'rejected', refusal: { code: 'plan_invalid' }, seq: 2 });
    expect(await bench.command('plan.propose', { document: 2 }, 'c2')).toMatchObject({ outcome: 'rejected', refusal: { code: 'plan_invalid' }, seq: 3 });
    bench.restart();
    expect(await bench.command('message.post', { text: 'a' }, 'c2')).toMatchObject({ outcome: 'applied', seq: 4 });
    expect(bench.store.journal().flatMap((commit) => commit.events.map((event) => event.type))).toEqual(['goal.created', 'plan.refused', 'plan.refused', 'message.posted']);
  });

  test('a command that changes nothing is remembered too', async () => {
    expect(await bench.command('message.handle', { upTo: 1 }, 'c2')).toMatchObject({ outcome: 'applied', seq: 1, events: [] });
    expect(await bench.command('message.handle', { upTo: 2 }, 'c2')).toMatchObject({ outcome: 'rejected', refusal: { code: 'command_reused' } });
    expect(await bench.command('message.post', { text: 'a' }, 'c3')).toMatchObject({ outcome: 'applied', seq: 2 });
  });

  test('a dry run says what would be and leaves nothing', async () => {
    const dry = await bench.command('message.post', { text: 'a' }, 'c2', { dryRun: true });
    expect(dry).toMatchObject({ outcome: 'applied', dryRun: true, seq: 1 });
    expect(bench.store.journal()).toHaveLength(1);
    expect(await bench.command('message.post', { text: 'other' }, 'c2')).toMatchObject({ outcome: 'applied', seq: 2, result: { message: 1 } });
  });

  test('time never goes back', async () => {
    const at = bench.now;
    bench.now = at - 5000;
    await bench.command('message.post', { text: 'a' }, 'c2');
    expect(bench.store.journal()[1]?.at).toBe(at);
  });

  test('a defect of the core is an answer, and the state stands', async () => {
    expect(await bench.command('message.post', { text: 'throw' }, 'c2')).toMatchObject({ outcome: 'rejected', refusal: { code: 'unavailable' } });
    expect(await bench.command('message.post', { text: 'a' }, 'c2')).toMatchObject({ outcome: 'applied', seq: 2 });
  });
});

describe('crashes', () => {
  test('before the transaction: nothing of it is left, and the same command can be given again', async () => {
    const before = bench.store.allRows().length;
    bench.store.hooks.beforeWrite = () => {
      throw new Crash('before');
    };
    expect(await bench.command('message.post', { text: 'a' }, 'c2')).toMatchObject({ outcome: 'unknown' });
    bench.restart();
    expect(bench.store.allRows()).toHaveLength(before);
    expect(await bench.command('message.post', { text: 'a' }, 'c2')).toMatchObject({ outcome: 'applied', replayed: false, seq: 2 });
  });

  test('after the transaction: the next process gives the kept answer', async () => {
    bench.store.hooks.afterWrite = () => {
      throw new Crash('after');
    };
    expect(await bench.command('message.post', { text: 'a' }, 'c2')).toMatchObject({ outcome: 'unknown' });
    bench.restart();
    expect(await bench.command('message.post', { text: 'a' }, 'c2')).toMatchObject({ outcome: 'applied', replayed: true, seq: 2, result: { message: 1 } });
    expect(bench.store.journal()).toHaveLength(2);
  });

  test('after the transaction, and the alarm that follows is lost: what is undelivered goes on by itself', async () => {
    await bench.pass(5000);
    bench.store.hooks.afterWrite = () => {
      throw new Crash('after');
    };
    expect(await bench.command('message.post', { text: 'a' }, 'c2')).toMatchObject({ outcome: 'unknown' });
    bench.restart();
    expect(await bench.command('message.post', { text: 'a' }, 'c2')).toMatchObject({ outcome: 'applied', replayed: true });
    bench.store.takeAlarm();
    await bench.pass(1000);
    expect(bench.batches.at(-1)?.seq).toBe(2);
  });

  test('an alarm that is long overdue is lost: the next commit rings for what was due', async () => {
    await bench.pass(5000);
    await bench.command('message.post', { text: 'a' }, 'c2');
    bench.store.takeAlarm();
    bench.now += 60_000;
    await bench.command('message.post', { text: 'b' }, 'c3');
    expect(bench.store.alarm).toBe(bench.now);
  });

  test('a write that fails without a crash throws memory away, and the next call folds anew', async () => {
    bench.store.hooks.beforeWrite = () => {
      throw new Error('disk full');
    };
    expect(await bench.command('message.post', { text: 'a' }, 'c2')).toMatchObject({ outcome: 'unknown', detail: 'disk full' });
    bench.store.hooks = {};
    expect(await bench.command('message.post', { text: 'b' }, 'c3')).toMatchObject({ outcome: 'applied', seq: 2, result: { message: 1 } });
  });

  test('a journal that cannot be folded opens read-only, with its raw record', async () => {
    const newer: Core = {
      ...toyCore,
      fold: () => {
        throw new Error('event 2 of type x is not known here');
      },
    };
    const broken = new Bench(newer);
    broken.store = bench.store;
    broken.restart();
    expect(await broken.command('message.post', { text: 'a' }, 'c2')).toMatchObject({
      outcome: 'rejected',
      refusal: { code: 'unavailable', detail: expect.stringContaining('not known') },
    });
    expect(await broken.protocol.read({ ...door, query: { what: 'events', after: 0, limit: 10 } })).toMatchObject({
      outcome: 'found',
      value: { data: [{ seq: 1, type: 'goal.created' }] },
    });
    expect(await broken.protocol.read({ ...door, query: { what: 'goal' } })).toMatchObject({ outcome: 'refused', refusal: { code: 'unavailable' } });
    expect(await broken.protocol.read({ ...door, query: { what: 'doctor' } })).toMatchObject({ outcome: 'found', value: { readOnly: expect.stringContaining('not known') } });
  });

  test('opening folds from the snapshot on; one of another fold version is ignored', async () => {
    for (let n = 0; n < 250; n++) await bench.command('message.post', { text: `m${n}` }, `m${n}`);
    const opens = async (core: Core) => {
      let folded = 0;
      const counting = new Bench({
        ...core,
        fold: (state, events) => {
          folded += events.length;
          return core.fold(state, events);
        },
      });
      counting.store = bench.store;
      counting.restart();
      const read = await counting.protocol.read({ ...door, query: { what: 'rows', kind: 'message', limit: 1, newestFirst: true } });
      expect(read).toMatchObject({ outcome: 'found', seq: 251, value: { data: [{ id: '000000250' }] } });
      return folded;
    };
    expect(await opens(toyCore)).toBeLessThan(210);
    expect(await opens({ ...toyCore, foldVersion: -1 })).toBe(251);
  });
});

describe('rounds', () => {
  const claim = (runner: string, fence: number, again = false, round = 'r1') => bench.protocol.claim({ ...door, round, fence, runner, again });
  const step = (runner: string, fence: number, n: number, tool = 't', round = 'r1') =>
    bench.protocol.step({ ...door, round, fence, runner, n, next: { tool, args: { n }, subject: 's', effect: 'none', factOnly: [] } });

  beforeEach(async () => {
    await bench.command('round.schedule', { lane: 'coordinator', target: 'goal', executor: { kind: 'agent', profile: 'x' } }, 's1', { actor: host });
  });

  test('one Runner holds it; asking again gives the same round, a second Runner waits', async () => {
    expect(await claim('a', 1)).toMatchObject({ outcome: 'granted', context: { round: 'r1', fence: 1, leaseMs: 30_000 } });
    const commits = bench.store.journal().length;
    expect(await claim('a', 1)).toMatchObject({ outcome: 'granted' });
    expect(bench.store.journal()).toHaveLength(commits);
    expect(await claim('b', 1)).toMatchObject({ outcome: 'refused', refusal: { code: 'already_claimed' }, retryAfterMs: 30_000 });
    expect(await step('b', 1, 1)).toMatchObject({ outcome: 'ended', refusal: { code: 'lease_lost' } });
    expect(await claim('a', 7)).toMatchObject({ outcome: 'refused', refusal: { code: 'fence_stale' } });
    expect(await claim('a', 1, false, 'r9')).toMatchObject({ outcome: 'refused', refusal: { code: 'round_superseded' } });
  });

  test('a crash between claiming and starting is made good by the same Runner', async () => {
    bench.store.hooks.afterWrite = (writes) => {
      if (writes.includes('lease')) throw new Crash('after the claim');
    };
    expect(await claim('a', 1)).toMatchObject({ outcome: 'refused', refusal: { code: 'unavailable' } });
    bench.restart();
    expect(await claim('a', 1)).toMatchObject({ outcome: 'granted' });
    expect(bench.store.journal().map((commit) => commit.commandType)).toEqual(['goal.create', 'round.schedule', 'round.claim', 'round.start']);
  });

  test('a step is one step, however often it is asked', async () => {
    await claim('a', 1);
    const first = await step('a', 1, 1);
    expect(first).toEqual({ outcome: 'go', call: 'r1/1', args: { n: 1 }, notices: [] });
    expect(await step('a', 1, 1)).toEqual(first);
    expect(await step('a', 1, 2)).toMatchObject({ call: 'r1/2' });
    expect(await step('a', 1, 2, 'another')).toMatchObject({ outcome: 'refused', refusal: { code: 'command_reused' } });
  });

  test('its own Runner after a kill: the old round is lost at once, the next has a higher fence', async () => {
    await claim('a', 1);
    expect(await claim('a', 1, true)).toMatchObject({ outcome: 'refused', refusal: { code: 'round_superseded' } });
    expect(await step('a', 1, 1)).toMatchObject({ outcome: 'ended', refusal: { code: 'round_superseded' } });
    await bench.pass(10);
    expect(bench.sent).toEqual(expect.arrayContaining([{ v: 1, kind: 'round', workspace: 'acme', goal: 'goal_1', round: 'r2', fence: 2 }]));
    expect(bench.store.leases()).toEqual([]);
    expect(await claim('a', 2, false, 'r2')).toMatchObject({ outcome: 'granted' });
  });

  test('a Runner that never held it and says "again" just claims', async () => {
    expect(await claim('a', 1, true)).toMatchObject({ outcome: 'granted' });
  });

  test('calls keep the lease alive; silence ends it, found by the alarm', async () => {
    await claim('a', 1);
    await bench.pass(20_000);
    await step('a', 1, 1);
    await bench.pass(20_000);
    expect(await bench.protocol.step({ ...door, round: 'r1', fence: 1, runner: 'a' })).toMatchObject({ outcome: 'go' });
    await bench.pass(29_000);
    expect(bench.store.journal().some((commit) => commit.commandType === 'clock.tick')).toBe(false);
    await bench.pass(2000);
    const tick = bench.store.journal().find((commit) => commit.commandType === 'clock.tick');
    expect(tick?.events).toMatchObject([{ type: 'round.ended', outcome: 'lost' }, { type: 'round.scheduled' }]);
    expect(await step('a', 1, 2)).toMatchObject({ outcome: 'ended' });
    expect(bench.sent.at(-1)).toMatchObject({ round: 'r2' });
  });

  test('a lease that ran out is not revived by a late call', async () => {
    await claim('a', 1);
    bench.now += 30_001;
    expect(await bench.protocol.step({ ...door, round: 'r1', fence: 1, runner: 'a' })).toMatchObject({ outcome: 'ended', refusal: { code: 'lease_lost' } });
    await step('a', 1, 1);
    await bench.pass(1);
    expect(bench.store.journal().at(-1)?.events).toMatchObject([
      { type: 'round.ended', outcome: 'lost' },
      { type: 'round.scheduled', round: { fence: 2 } },
    ]);
  });

  test('the lease goes with the end of the round', async () => {
    await claim('a', 1);
    await bench.command('round.end', { outcome: 'empty' }, 'e', { actor: { kind: 'round', round: 'r1', fence: 1, runner: 'a' } });
    expect(bench.store.leases()).toEqual([]);
    // The answer was lost: asked again after the end it is the same.
    expect(await bench.command('round.end', { outcome: 'empty' }, 'e', { actor: { kind: 'round', round: 'r1', fence: 1, runner: 'a' } })).toMatchObject({
      outcome: 'applied',
      replayed: true,
    });
  });

  test('a message that the queue lost is sent again under the next fence', async () => {
    await bench.pass(59_000);
    expect(bench.sent).toHaveLength(1);
    await bench.pass(2000);
    expect(bench.sent.map((message) => message.fence)).toEqual([1, 2]);
    expect(await claim('a', 1)).toMatchObject({ outcome: 'refused', refusal: { code: 'fence_stale' } });
  });

  test('a crash between commit and hand-over: the alarm of the next process hands over', async () => {
    expect(bench.sent).toEqual([]);
    bench.restart();
    await bench.pass(2500);
    expect(bench.sent).toMatchObject([{ round: 'r1', fence: 1 }]);
  });

  test('a queue that refuses is tried again, and the book does not wait for it', async () => {
    let failures = 3;
    bench.dispatch = async () => {
      if (failures-- > 0) throw new Error('queue is away');
    };
    await bench.pass(400);
    expect(bench.batches.length).toBeGreaterThan(0);
    await bench.pass(10_000);
    expect(bench.sent).toHaveLength(1);
  });
});

describe('the book lane', () => {
  const rowIds = () => bench.batches.flatMap((batch) => batch.rows.map((row) => `${row.kind}/${row.id}`));

  test('the first change goes at once, then at most every 250 ms', async () => {
    await bench.pass(0);
    expect(bench.batches).toHaveLength(1);
    for (let n = 0; n < 10; n++) {
      await bench.command('message.post', { text: `t${n}` }, `m${n}`);
      await bench.pass(10);
    }
    expect(bench.batches).toHaveLength(1);
    await bench.pass(200);
    expect(bench.batches).toHaveLength(2);
    expect(bench.batches[1]).toMatchObject({ workspace: 'acme', goal: 'goal_1', seq: 11, goalRow: { seq: 11 } });
    expect(bench.batches[1]?.rows).toHaveLength(10);
    expect(Object.values(bench.batches[1]?.bodies ?? {})).toContain('t9');
  });

  test('while the book is down commands go on; then everything arrives', async () => {
    bench.book = async () => {
      throw new Error('Network connection lost');
    };
    for (let n = 0; n < 5; n++) expect(await bench.command('message.post', { text: `t${n}` }, `m${n}`)).toMatchObject({ outcome: 'applied' });
    await bench.pass(120_000);
    const doctor = await bench.protocol.read({ ...door, query: { what: 'doctor' } });
    expect(doctor).toMatchObject({
      value: { lanes: [{ lane: 'dispatch' }, { lane: 'book', pending: true, behind: 6, lastError: 'Network connection lost', ageMs: expect.any(Number) }] },
    });
    bench.book = async () => {};
    await bench.pass(31_000);
    expect(bench.batches.at(-1)?.seq).toBe(6);
  });

  test('a book that hangs is left after ten seconds and tried again', async () => {
    let hang = true;
    bench.book = () => (hang ? new Promise(() => {}) : Promise.resolve());
    await bench.pass(5000);
    expect(await bench.command('message.post', { text: 'a' }, 'c2')).toMatchObject({ outcome: 'applied' });
    hang = false;
    await bench.pass(15_000);
    expect(bench.batches.at(-1)?.seq).toBe(2);
  });

  test('leases end in time although the book hangs', async () => {
    bench.book = () => new Promise(() => {});
    await bench.command('round.schedule', { lane: 'coordinator', target: 'goal', executor: { kind: 'agent', profile: 'x' } }, 's1', { actor: host });
    await bench.protocol.claim({ ...door, round: 'r1', fence: 1, runner: 'a', again: false });
    const claimedAt = bench.now;
    await bench.pass(60_000);
    const tick = bench.store.journal().find((commit) => commit.commandType === 'clock.tick');
    expect((tick?.at ?? Number.POSITIVE_INFINITY) - claimedAt).toBeLessThanOrEqual(33_000);
    expect(bench.sent.map((message) => message.fence)).toContain(2);
  });

  test('a slow book is asked less often', async () => {
    bench.book = async () => {
      bench.now += 1000;
    };
    await bench.pass(0);
    const before = bench.batches.length;
    await bench.command('message.post', { text: 'a' }, 'c2');
    await bench.pass(18_000);
    expect(bench.batches.length).toBe(before);
    await bench.pass(4000);
    expect(bench.batches.length).toBe(before + 1);
  });

  test('a crash after the book took a batch sends it again; the cursor is written with the next commit', async () => {
    await bench.pass(0);
    expect(bench.batches).toHaveLength(1);
    bench.restart();
    await bench.pass(15_000);
    expect(bench.batches).toHaveLength(2);
    expect(bench.batches[1]?.rows).toEqual(bench.batches[0]?.rows);

    await bench.command('message.post', { text: 'a' }, 'c2');
    await bench.pass(500);
    const before = bench.batches.length;
    await bench.command('message.post', { text: 'b' }, 'c3');
    expect(bench.store.cursor('book')).toMatchObject({ seq: 2 });
    bench.restart();
    await bench.pass(15_000);
    expect(rowIds().slice(-1)).toEqual(['message/000000002']);
    expect(bench.batches).toHaveLength(before + 1);
  });

  test('where no commit follows, the alarm writes the cursor', async () => {
    await bench.pass(15_000);
    expect(bench.store.cursor('book')).toMatchObject({ seq: 1 });
  });

  test('a row that is refused for good is set aside, counted and shown; the rest arrives', async () => {
    bench.book = async (batch) => {
      if (batch.rows.some((row) => row.id === '000000003')) throw Object.assign(new Error('constraint failed'), { permanent: true });
    };
    for (let n = 1; n <= 5; n++) await bench.command('message.post', { text: `t${n}` }, `m${n}`);
    await bench.pass(60_000);
    expect(new Set(rowIds())).toEqual(new Set(['goal_version/000001', 'message/000000001', 'message/000000002', 'message/000000004', 'message/000000005']));
    const doctor = await bench.protocol.read({ ...door, query: { what: 'doctor' } });
    expect(doctor).toMatchObject({ value: { lanes: [{}, { pending: false, behind: 0, quarantined: 1, quarantinedRows: ['message/000000003'] }] } });
    expect(bench.store.cursor('book')).toMatchObject({ seq: 6, quarantined: 1 });
  });

  test('drain delivers now; rebuild sends the whole record again', async () => {
    for (let n = 0; n < 3; n++) await bench.command('message.post', { text: `t${n}` }, `m${n}`);
    expect(await bench.protocol.drain(door)).toMatchObject([{}, { lane: 'book', pending: false }]);
    bench.batches.length = 0;
    await bench.protocol.rebuild(door);
    expect(rowIds()).toHaveLength(4);
  });

  test('a time that has passed for good does not keep the alarm ringing', async () => {
    const past = new Bench({ ...toyCore, dueTimes: () => [1] });
    await past.command('goal.create', { title: 'x' }, 'c1');
    await past.pass(10_000);
    expect(past.store.alarm).toBeGreaterThan(past.now + 80_000_000);
  });

  test('a terminal state of rest: once all is delivered the alarm sleeps for a day', async () => {
    await bench.pass(15_000);
    expect(bench.store.alarm).toBeGreaterThan(bench.now + 80_000_000);
    expect(bench.store.alarm).toBeLessThanOrEqual(bench.now + 86_400_000);
  });
});

describe('watchers', () => {
  const kinds = () => bench.frames.map(({ frame }) => (frame as { kind: string }).kind);
  const open = (id: string) => {
    bench.sockets = [...bench.sockets, { id, seq: 0, expiresAt: bench.now + 300_000 }];
  };

  test('a snapshot first, then each commit with what it changed', async () => {
    open('w');
    bench.protocol.connect('w', door);
    await bench.command('message.post', { text: 'a' }, 'c2');
    await bench.command('message.post', { text: 'b' }, 'c3');
    expect(kinds()).toEqual(['snapshot', 'update', 'update']);
    expect(bench.frames[1]?.frame).not.toHaveProperty('graph');
    expect(bench.frames[1]?.frame).toMatchObject({ seq: 2, nodes: [{ key: 'messages', version: 1 }] });
    expect(bench.frames[2]?.frame).toMatchObject({ seq: 3, events: [{ seq: 3 }], nodes: [{ key: 'messages', version: 2 }] });
  });

  test("a running round's live text is shown to all who watch, kept nowhere, and taken from nobody else", async () => {
    await bench.command('round.schedule', { lane: 'coordinator', target: 'goal', executor: { kind: 'agent', profile: 'x' } }, 's1', { actor: host });
    await bench.protocol.claim({ ...door, round: 'r1', fence: 1, runner: 'a', again: false });
    const before = bench.store.journal().length;
    const say = (more: object = {}) => bench.protocol.stream({ ...door, round: 'r1', fence: 1, runner: 'a', text: 'I think', done: false, ...more });
    expect(await say()).toEqual({ watched: false });
    open('w');
    open('x');
    expect(await say()).toEqual({ watched: true });
    expect(bench.frames).toEqual(['w', 'x'].map((id) => ({ id, frame: { kind: 'stream', round: 'r1', lane: 'coordinator', text: 'I think', done: false } })));
    for (const wrong of [{ fence: 2 }, { runner: 'b' }, { round: 'r9' }, { workspace: 'other' }]) expect(await say(wrong)).toEqual({ watched: false });
    expect([bench.frames.length, bench.store.journal().length]).toEqual([2, before]);
    bench.now += 300_001;
    expect(await say()).toEqual({ watched: false });
  });

  test('it resumes after a seq with the events it missed; nothing is doubled', async () => {
    await bench.command('message.post', { text: 'a' }, 'c2');
    await bench.command('message.post', { text: 'b' }, 'c3');
    open('w');
    bench.protocol.connect('w', door, 1);
    await bench.command('message.post', { text: 'c' }, 'c4');
    const seqs = bench.frames.flatMap(({ frame }) => (frame as { events: { seq: number }[] }).events.map((event) => event.seq));
    expect(kinds()).toEqual(['update', 'update']);
    expect(seqs).toEqual([2, 3, 4]);
  });

  test('too far behind, or ahead of what is there, it gets a snapshot', async () => {
    for (let n = 0; n < 1001; n++) await bench.command('message.post', { text: `${n}` }, `m${n}`);
    open('w');
    bench.protocol.connect('w', door, 1);
    bench.protocol.connect('w', door, 5000);
    expect(kinds()).toEqual(['snapshot', 'snapshot']);
  });

  test('after its ticket ran out it gets no frame', async () => {
    open('w');
    bench.protocol.connect('w', door);
    bench.now += 300_001;
    await bench.command('message.post', { text: 'a' }, 'c2');
    expect(kinds()).toEqual(['snapshot']);
    expect(bench.closed).toEqual([{ id: 'w', code: 4001 }]);
  });

  test('a frame is never over the limit, and a cut graph says so', async () => {
    const nodes = Array.from({ length: 2000 }, (_, n) => ({ key: `k${n}`, title: '题'.repeat(200) }));
    const wide: Core = {
      ...toyCore,
      graphView: (state) => ({ seq: state.seq, revision: 0, nodes, edges: [], process: [], truncated: false }) as unknown as ReturnType<Core['graphView']>,
    };
    const big = new Bench(wide);
    await big.command('goal.create', { title: 'x' }, 'c1');
    big.sockets = [{ id: 'w', seq: 0, expiresAt: big.now + 1000 }];
    big.protocol.connect('w', door);
    const frame = big.frames[0]?.frame as { graph: { truncated: boolean; nodes: Json[] } };
    expect(new TextEncoder().encode(JSON.stringify(frame)).length).toBeLessThanOrEqual(900_000);
    expect(frame.graph.truncated).toBe(true);
    expect(frame.graph.nodes.length).toBeGreaterThan(0);
  });

  test('another workspace cannot watch', () => {
    open('w');
    bench.protocol.connect('w', { ...door, workspace: 'other' });
    expect(bench.frames).toEqual([]);
    expect(bench.closed).toEqual([{ id: 'w', code: 4004 }]);
  });
});

test('the hold keeps back the answer, not the commit', async () => {
  let release = () => {};
  const holding = new Bench(toyCore, {
    hold: () =>
      new Promise((resolve) => {
        release = resolve;
      }),
  });
  let answered = false;
  const answer = holding.command('goal.create', { title: 'x' }, 'c1').then(() => {
    answered = true;
  });
  await holding.pass(5000);
  expect(answered).toBe(false);
  expect(holding.store.journal()).toHaveLength(1);
  release();
  await answer;
});

test('counters say what was done, refused, lost, delivered and how late, of this Goal and for operators', async () => {
  const points = new Totals();
  const counted = new Bench(toyCore, { counters: new Counters((name, label, n = 1) => points.add(name, label, n)) });
  const give = (text: string, id: string) => counted.command('message.post', { text }, id);
  await counted.command('goal.create', { title: 'one' }, 'c1');
  await give('said', 'c2');
  await give('said', 'c2');
  await give('refuse', 'c3');
  await give('throw', 'c4');
  await counted.command('round.schedule', { lane: 'coordinator', target: 'goal', executor: { kind: 'agent', profile: 'x' } }, 'c5', { actor: host });
  await counted.protocol.claim({ ...door, round: 'r1', fence: 1, runner: 'a', again: false });
  await counted.pass(2000);
  // The book is away; the Runner never comes back.
  counted.book = async () => {
    throw new Error('away');
  };
  await give('while it is away', 'c6');
  await counted.pass(20_000);
  await counted.pass(120_000);
  counted.book = async () => {};
  await counted.pass(60_000);

  const doctor = await counted.protocol.read({ ...door, query: { what: 'doctor' } });
  expect(doctor).toMatchObject({
    value: {
      counters: {
        replays: 1,
        defects: 1,
        refusals: { forbidden: 1, unavailable: 1 },
        roundsEnded: { lost: expect.any(Number) },
        lanes: { book: { failed: expect.any(Number) }, dispatch: { failed: 0 } },
      },
    },
  });
  const seen = points.view();
  expect(seen).toMatchObject({
    command: { 'goal.create': 1, 'message.post': 2, 'round.claim': 1 },
    replay: { command: 1 },
    refusal: { forbidden: 1, unavailable: 1 },
    defect: { goal: 1 },
    round_ended: { lost: 1 },
  });
  expect(Object.keys(seen.lane_failed ?? {})).toEqual(expect.arrayContaining(['book/under 1 s', 'book/under 10 s', 'book/under 1 min']));
  // What was delivered at last had waited for over two minutes.
  expect(seen.lane_delivered).toMatchObject({ 'book/over 1 min': 1 });
  expect(seen.lane_delivered?.['book/under 1 s']).toBeGreaterThan(0);
  expect(JSON.stringify(seen)).not.toMatch(/while it is away|person:|acme/);

  expect(seen.fold).toBeUndefined();
  counted.restart();
  await counted.protocol.read({ ...door, query: { what: 'goal' } });
  expect(points.view().fold).toEqual({ 'under 100 events': 1 });
});
