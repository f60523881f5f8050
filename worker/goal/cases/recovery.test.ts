/** Cases of processes that died, alarms that got lost, keys that came again and watchers that were away. */
import { describe, expect, it } from 'vitest';
import type { CommandType } from '../../domain/commands.ts';
import type { Actor, Row } from '../../domain/context.ts';
import type { Json } from '../../domain/values.ts';
import { domainCore } from '../domain-core.ts';
import { checkForm } from '../form.ts';
import { Crash } from '../memory-store.ts';
import { Bench, door } from '../testing/bench-top.ts';

const owner: Actor = { kind: 'person', principal: 'person:ada', scopes: ['goals:read', 'goals:write', 'work:review', 'work:submit', 'approvals:decide'] };
const skill = (script: string) => ({ kind: 'skill', skill: 'demo', script });
const graph = { mode: 'graph_only', title: 'G', confirmed: true };

/** A goal whose plan a person adopted. */
async function planned(items: object[]): Promise<Bench> {
  const bench = new Bench(domainCore, { form: checkForm });
  await give(bench, owner, 'goal.create', graph, 'create');
  const document = { mode: 'graph_only', items: items.map((item) => ({ title: 'An item', executor: skill('a.js'), ...item })) } as unknown as Json;
  const { proposal } = (await give(bench, owner, 'plan.propose', { document }, 'propose', { planRevision: 0 })) as { proposal: string };
  await give(bench, owner, 'plan.adopt', { proposal }, 'adopt', { planRevision: 0 });
  return bench;
}

const ask = (bench: Bench, actor: Actor, type: CommandType, payload: Json, commandId: string, expected = {}) =>
  bench.protocol.command({ ...door, actor, envelope: { type, commandId, expected, payload, dryRun: false } });

async function give(bench: Bench, actor: Actor, type: CommandType, payload: Json, commandId: string, expected = {}): Promise<Json> {
  const answer = await ask(bench, actor, type, payload, commandId, expected);
  if (answer.outcome !== 'applied') throw new Error(`${type}: ${JSON.stringify(answer)}`);
  return answer.result;
}

async function claim(bench: Bench, n: number, runner = 'runner') {
  const message = bench.sent[n];
  if (message?.kind !== 'round') throw new Error(`no message ${n}`);
  const answer = await bench.protocol.claim({ ...door, round: message.round, fence: message.fence, runner, again: false });
  const actor: Actor & { kind: 'round' } = { kind: 'round', round: message.round, fence: message.fence, runner };
  return { answer, actor, message };
}

const data = <T>(bench: Bench, kind: Row['kind']) => bench.store.rows(kind, {}).map((row) => row.data as T);
const attempts = (bench: Bench) => data<{ state: string; number: number }>(bench, 'attempt').map(({ number, state }) => ({ number, state }));

describe('B33 a run whose process vanished', () => {
  it('is lost one moment after its lease, neither failed nor done, and whoever watches is told', async () => {
    const bench = await planned([{ key: 'a' }]);
    await bench.pass(100);
    const { actor } = await claim(bench, 0);
    bench.sockets = [{ id: 'w', seq: 0, expiresAt: Number.POSITIVE_INFINITY }];
    bench.protocol.connect('w', door);
    await bench.pass(29_000);
    expect(attempts(bench)).toEqual([{ number: 1, state: 'running' }]);
    await bench.pass(2000);
    expect(attempts(bench)[0]).toEqual({ number: 1, state: 'lost' });
    const events = bench.frames.flatMap(({ frame }) => (frame as { events: { type: string; round?: string; data: { outcome?: string; state?: string } }[] }).events);
    expect(events).toContainEqual(expect.objectContaining({ type: 'round.ended', round: actor.round, data: expect.objectContaining({ outcome: 'lost' }) }));
    expect(events).toContainEqual(expect.objectContaining({ type: 'attempt.ended', data: expect.objectContaining({ state: 'lost' }) }));
    // The item was ready again, and the next Attempt is on its way.
    expect(attempts(bench)).toEqual([
      { number: 1, state: 'lost' },
      { number: 2, state: 'pending' },
    ]);
    expect(await ask(bench, actor, 'submission.submit', { item: 'a', artifacts: [], summary: 'from the dead' }, 's')).toMatchObject({
      outcome: 'rejected',
      refusal: { code: 'round_superseded' },
    });
  });

  it('of a person or a program is offered again', async () => {
    const bench = await planned([{ key: 'a', executor: { kind: 'external', name: 'robot' } }]);
    const robot: Actor = { kind: 'token', principal: 'token:robot', scopes: ['work:submit'] };
    const held = (await give(bench, robot, 'work.claim', { item: 'a' }, 'claim')) as { fence: number };
    await give(bench, robot, 'attempt.start', { item: 'a', fence: held.fence }, 'start');
    await bench.pass(14 * 60_000);
    await give(bench, robot, 'attempt.heartbeat', { item: 'a', fence: held.fence }, 'beat');
    await bench.pass(14 * 60_000);
    expect(attempts(bench)).toEqual([{ number: 1, state: 'running' }]);
    await bench.pass(61_000);
    expect(attempts(bench)).toEqual([{ number: 1, state: 'lost' }]);
    expect(await bench.protocol.read({ ...door, query: { what: 'next' } })).toMatchObject({ value: { why: { kind: 'waiting', kinds: ['external'] } } });
    expect(await ask(bench, robot, 'attempt.heartbeat', { item: 'a', fence: held.fence }, 'late')).toMatchObject({ outcome: 'rejected', refusal: { code: 'round_superseded' } });
    await give(bench, robot, 'work.claim', { item: 'a' }, 'again');
  });
});

describe('B37 work that had finished before its process died', () => {
  it.each(['book', 'process'])('is not recovered (%s fails): the delivery stands, only the tidying is tried again', async (what) => {
    const bench = await planned([{ key: 'a' }]);
    await bench.pass(100);
    const { actor, message } = await claim(bench, 0);
    if (what === 'book')
      bench.book = async () => {
        throw new Error('D1 is away');
      };
    const submit = () => ask(bench, actor, 'submission.submit', { item: 'a', artifacts: [], summary: 'done' }, 'submit');
    if (what === 'process')
      bench.hooks = {
        afterWrite: (writes) => {
          if (writes.includes('commit')) throw new Crash('after the delivery');
        },
      };
    const first = await submit();
    expect(first.outcome).toBe(what === 'process' ? 'unknown' : 'applied');
    bench.hooks = {};
    bench.restart();
    // Its Runner wakes and asks for its round, as after any kill.
    expect(await bench.protocol.claim({ ...door, round: message.round, fence: message.fence, runner: 'runner', again: true })).toMatchObject({
      outcome: 'refused',
      refusal: { code: 'round_superseded' },
    });
    await bench.pass(120_000);
    expect(attempts(bench)).toEqual([{ number: 1, state: 'succeeded' }]);
    expect(data(bench, 'round').filter((round) => (round as { lane: string }).lane === 'worker')).toHaveLength(1);
    expect(await submit()).toMatchObject({ outcome: 'applied', replayed: true });
    expect(data(bench, 'submission')).toHaveLength(1);
    expect(bench.store.leases()).toEqual([]);
    bench.book = async () => {};
    await bench.pass(120_000);
    expect(bench.batches.at(-1)?.seq).toBe(bench.store.lastSeq());
  });
});

describe('B39 an alarm that got lost', () => {
  async function waiting(dueInMs: number): Promise<Bench> {
    const bench = await planned([{ key: 'a' }]);
    await bench.pass(100);
    const { actor } = await claim(bench, 0);
    await give(bench, actor, 'round.end', { outcome: 'waiting', wait: { kind: 'timer', correlation: 't', dueInMs, reason: 'a pause' } }, 'end');
    await bench.pass(5000);
    expect(bench.sent).toHaveLength(1);
    bench.store.takeAlarm();
    bench.restart();
    expect(bench.store.alarm).toBeNull();
    return bench;
  }
  const reads: Record<string, (bench: Bench) => Promise<unknown>> = {
    'a read': (bench) => bench.protocol.read({ ...door, query: { what: 'next' } }),
    'a command': (bench) => ask(bench, owner, 'message.post', { text: 'hello' }, 'm'),
    'a refused command': (bench) => ask(bench, owner, 'goal.confirm', {}, 'c', { goalVersion: 1 }),
    'a repeated command': (bench) => ask(bench, owner, 'goal.create', graph, 'create'),
    'the sweep': (bench) => bench.protocol.poke(door),
  };

  it.each(Object.keys(reads))('is set again by %s, and rings in time, once', async (name) => {
    const bench = await waiting(30_000);
    const due = bench.now + 25_000;
    await reads[name]?.(bench);
    expect(bench.store.alarm).not.toBeNull();
    await bench.pass(due - bench.now - 1);
    expect(bench.sent).toHaveLength(1);
    await bench.pass(5000);
    expect(bench.sent).toHaveLength(2);
    await bench.pass(10_000);
    expect(bench.sent).toHaveLength(2);
  });

  it('and what is overdue by then happens once, at once', async () => {
    const bench = await waiting(30_000);
    bench.now += 3_600_000;
    await reads['a read']?.(bench);
    await bench.pass(50);
    expect(bench.sent).toHaveLength(2);
    await bench.pass(10_000);
    expect(bench.sent).toHaveLength(2);
  });

  it('of a goal with nothing due is not missed: a read sets none', async () => {
    const bench = new Bench(domainCore);
    await give(bench, owner, 'goal.create', { mode: 'graph_only', title: 'a draft' }, 'create');
    await bench.pass(15_000);
    bench.store.takeAlarm();
    bench.restart();
    await bench.protocol.read({ ...door, query: { what: 'goal' } });
    expect(bench.store.alarm).toBeNull();
  });
});

it('B03 a claim that comes after the pause was acknowledged is refused, and nothing runs until it is resumed', async () => {
  const bench = await planned([{ key: 'a' }]);
  await bench.pass(100);
  await give(bench, owner, 'goal.pause', {}, 'pause');
  const { answer } = await claim(bench, 0);
  expect(answer).toMatchObject({ outcome: 'refused', refusal: { code: 'round_superseded' } });
  await bench.pass(3_600_000);
  expect(bench.sent).toHaveLength(1);
  await give(bench, owner, 'goal.resume', {}, 'resume');
  await bench.pass(1000);
  expect(bench.sent).toHaveLength(2);
});

it('B55 answers that race, and come twice, store each answer once and continue once', async () => {
  for (let n = 0; n < 20; n++) {
    const bench = await planned([{ key: 'a' }]);
    await bench.pass(100);
    const { actor } = await claim(bench, 0);
    await give(bench, actor, 'work.block', { item: 'a', key: 'q1', reason: 'one?', form: { type: 'object' } }, 'b1');
    await give(bench, owner, 'work.block', { item: 'a', key: 'q2', reason: 'two?', form: { type: 'object' } }, 'b2');
    const answers = ['q1', 'q2', 'q1', 'q2'].map((blocker) => ask(bench, owner, 'blocker.resolve', { blocker, answer: { to: blocker } }, `answer-${blocker}`));
    if (n % 2) await bench.pass(5);
    expect((await Promise.all(answers)).map((answer) => answer.outcome === 'applied' && answer.replayed)).toEqual([false, false, true, true]);
    await bench.pass(1000);
    expect(bench.sent).toHaveLength(2);
    expect(data<{ state: string }>(bench, 'blocker').map(({ state }) => state)).toEqual(['resolved', 'resolved']);
  }
});

describe('B73 a key that comes again', () => {
  it('gives the first answer, also after the goal it started is dead; another key is another command', async () => {
    const bench = await planned([{ key: 'a' }]);
    const first = await ask(bench, owner, 'message.post', { text: 'hello' }, 'k9');
    await give(bench, owner, 'goal.cancel', {}, 'cancel');
    bench.restart();
    const again = await ask(bench, owner, 'message.post', { text: 'hello' }, 'k9');
    expect(again).toEqual({ ...first, replayed: true });
    expect(await ask(bench, owner, 'goal.create', graph, 'create')).toMatchObject({ outcome: 'applied', replayed: true });
    expect(await ask(bench, owner, 'message.post', { text: 'another' }, 'k9')).toMatchObject({ outcome: 'rejected', refusal: { code: 'command_reused' } });
    expect(await ask(bench, owner, 'goal.create', graph, 'create-2')).toMatchObject({ outcome: 'rejected', refusal: { code: 'invalid_transition' } });
    expect(data(bench, 'message')).toHaveLength(1);
  });

  it('of a refused command was not used up', async () => {
    const bench = await planned([{ key: 'a' }]);
    expect(await ask(bench, owner, 'goal.resume', {}, 'k')).toMatchObject({ outcome: 'rejected' });
    await give(bench, owner, 'goal.pause', {}, 'pause');
    expect(await ask(bench, owner, 'goal.resume', {}, 'k')).toMatchObject({ outcome: 'applied', replayed: false });
  });
});

it('B93 a watcher that was away longer than what is kept gets a snapshot and follows from there; a decision on what it saw before is refused', async () => {
  const bench = await planned([{ key: 'a' }, { key: 'b' }]);
  await bench.pass(100);
  const seen = bench.store.lastSeq();
  for (let n = 0; n < 1200; n++) await give(bench, owner, 'message.post', { text: `${n}` }, `m${n}`);
  const document = { mode: 'graph_only', items: ['a', 'b', 'c'].map((key) => ({ key, title: key, executor: skill('a.js') })) } as unknown as Json;
  const { proposal } = (await give(bench, owner, 'plan.propose', { document }, 'p2', { planRevision: 1 })) as { proposal: string };
  await give(bench, owner, 'plan.adopt', { proposal }, 'a2', { planRevision: 1 });
  bench.sockets = [{ id: 'w', seq: seen, expiresAt: Number.POSITIVE_INFINITY }];
  bench.protocol.connect('w', door, seen);
  const r = bench.store.lastSeq();
  expect(bench.frames).toMatchObject([{ id: 'w', frame: { kind: 'snapshot', seq: r, graph: { revision: 2 }, bar: { planRevision: 2 } } }]);
  await give(bench, owner, 'message.post', { text: 'after' }, 'after');
  await bench.pass(1000);
  const updates = bench.frames.slice(1).map(({ frame }) => frame as { kind: string; seq: number; events: { seq: number }[] });
  expect(updates.map(({ kind }) => kind)).not.toContain('snapshot');
  expect(updates.flatMap(({ events }) => events.map((event) => event.seq))).toEqual(Array.from({ length: bench.store.lastSeq() - r }, (_, n) => r + 1 + n));
  expect(await ask(bench, owner, 'plan.propose', { document }, 'old', { planRevision: 1 })).toMatchObject({
    outcome: 'rejected',
    refusal: { code: 'plan_revision_stale', current: { planRevision: 2 } },
  });
});

describe('B77 a form whose schema refers to itself', () => {
  const address = { type: 'object', properties: { street: { type: 'string' } }, required: ['street'] };
  it('by shared definitions and recursion takes good answers and refuses bad ones', () => {
    const shared = { $defs: { address }, type: 'object', properties: { from: { $ref: '#/$defs/address' }, to: { $ref: '#/$defs/address' } }, required: ['from', 'to'] };
    expect(checkForm(shared, { from: { street: 'x' }, to: { street: 'y' } })).toEqual([]);
    expect(checkForm(shared, { from: { street: 'x' }, to: { street: 3 } })).toMatchObject([{ pointer: '/to/street' }]);
    const recursive = {
      $defs: { node: { type: 'object', properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } }, required: ['name'] } },
      $ref: '#/$defs/node',
    };
    expect(checkForm(recursive, { name: 'a', children: [{ name: 'b', children: [] }] })).toEqual([]);
    expect(checkForm(recursive, { name: 'a', children: [{ children: [] }] })).toMatchObject([{ pointer: '/children/0/name' }]);
  });
  it('that names what is not there is unreadable, and nothing else is', () => {
    expect(checkForm({ type: 'object', properties: { a: { $ref: '#/$defs/Missing' } } }, { a: 1 })).toMatchObject([{ code: 'form_unreadable' }]);
    expect(checkForm({ type: 'object' }, {})).toEqual([]);
  });
  it('and could not be answered is not asked in the first place', async () => {
    const bench = await planned([{ key: 'a' }]);
    await bench.pass(100);
    const { actor } = await claim(bench, 0);
    const question = { item: 'a', key: 'q', reason: 'which?' };
    expect(await ask(bench, actor, 'work.block', { ...question, form: { $ref: '#/$defs/Missing' } }, 'b1')).toMatchObject({
      refusal: { code: 'schema_invalid', errors: [{ pointer: '/payload/form', code: 'form_unreadable' }] },
    });
    expect(await ask(bench, actor, 'work.block', { ...question, form: { type: 'object', properties: { n: { type: 'integer' } } }, recommended: { n: 'x' } }, 'b2')).toMatchObject({
      refusal: { code: 'schema_invalid', errors: [{ pointer: '/payload/recommended/n' }] },
    });
    await give(bench, actor, 'work.block', { ...question, form: { type: 'object', properties: { n: { type: 'integer' } } }, recommended: { n: 1 } }, 'b3');
    expect(await ask(bench, owner, 'blocker.resolve', { blocker: 'q', answer: { n: 'x' } }, 'r1')).toMatchObject({
      refusal: { code: 'schema_invalid', errors: [{ pointer: '/payload/answer/n' }] },
    });
    await give(bench, owner, 'blocker.resolve', { blocker: 'q', answer: { n: 2 } }, 'r2');
  });
});
