import { applyD1Migrations, evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Envelope } from '../domain/commands.ts';
import type { Actor } from '../domain/context.ts';
import type { Json } from '../domain/values.ts';
import type { Env } from '../env.ts';
import { goalObjectName } from './goal-id.ts';
import { type GoalStub, goalStub } from './goal-stub.ts';
import { SqlStore } from './sql-store.ts';

const bindings = env as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };
beforeAll(() => applyD1Migrations(bindings.DB, bindings.MIGRATIONS));

const person: Actor = { kind: 'person', principal: 'person:a', scopes: ['goals:read', 'goals:write'] };
const workspace = 'acme';

function object(goal: string) {
  return bindings.GOALS.get(bindings.GOALS.idFromName(goalObjectName(workspace, goal)));
}
function command(goal: string, type: Envelope['type'], payload: Json, commandId: string, where = workspace): ReturnType<GoalStub['command']> {
  return goalStub(bindings, where, goal).command({ v: 1, workspace: where, goal, actor: person, envelope: { type, commandId, expected: {}, payload, dryRun: false } });
}
const create = (goal: string) => command(goal, 'goal.create', { mode: 'graph_only', title: 'a graph' }, 'create');
const read = (goal: string, query: Parameters<GoalStub['read']>[0]['query']) => goalStub(bindings, workspace, goal).read({ v: 1, workspace, goal, query });

async function watch(goal: string, after?: number) {
  const url = new URL('https://goal/socket');
  if (after !== undefined) url.searchParams.set('after', String(after));
  const response = await object(goal).fetch(
    new Request(url, {
      headers: { upgrade: 'websocket', 'x-longhaul-workspace': workspace, 'x-longhaul-goal': goal, 'x-longhaul-principal': 'person:a', 'x-longhaul-credential': 'development' },
    }),
  );
  const socket = response.webSocket;
  if (!socket) throw new Error(`no socket: ${response.status}`);
  const frames: { kind: string; seq: number; events: { seq: number }[] }[] = [];
  const waiting: (() => void)[] = [];
  socket.addEventListener('message', (message) => {
    frames.push(JSON.parse(String(message.data)));
    for (const go of waiting.splice(0)) go();
  });
  socket.accept();
  const upTo = async (seq: number) => {
    while ((frames.at(-1)?.seq ?? 0) < seq) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  return { socket, frames, upTo };
}

describe('a Goal in its object', () => {
  test('create, command, evict, read: the record is there', async () => {
    const created = await create('g1');
    expect(created).toMatchObject({ outcome: 'applied', replayed: false });
    const posted = await command('g1', 'message.post', { text: 'hello' }, 'm1');
    expect(posted).toMatchObject({ outcome: 'applied' });
    await evictDurableObject(object('g1'));
    expect(await command('g1', 'message.post', { text: 'hello' }, 'm1')).toMatchObject({ outcome: 'applied', replayed: true, seq: posted.outcome === 'applied' ? posted.seq : 0 });
    expect(await create('g1')).toMatchObject({ outcome: 'applied', replayed: true });
    expect(await read('g1', { what: 'rows', kind: 'message', limit: 10 })).toMatchObject({ outcome: 'found', value: { data: [{ id: '000000001' }] } });
    expect(await read('g1', { what: 'goal' })).toMatchObject({ outcome: 'found', value: { bar: { title: 'a graph' } } });
  });

  test('a watcher reads over its socket, and only what watchers may ask', async () => {
    await create('read-over-socket');
    const { socket, frames, upTo } = await watch('read-over-socket');
    await upTo(1);
    const answered = new Promise<unknown>((resolve) =>
      socket.addEventListener('message', (message) => {
        const said = JSON.parse(String(message.data));
        if (said.kind === 'read') resolve(said);
      }),
    );
    socket.send(JSON.stringify({ kind: 'read', id: 6, query: { what: 'doctor' } }));
    socket.send(JSON.stringify({ kind: 'read', id: 7, query: { what: 'goal' } }));
    expect(await answered).toMatchObject({ kind: 'read', id: 7, answer: { outcome: 'found', value: { bar: { title: 'a graph' } } } });
    expect(frames[0]?.kind).toBe('snapshot');
    socket.close();
  });

  test('two workspaces: the same goal id elsewhere is another object, and the door holds', async () => {
    await create('g2');
    expect(await goalStub(bindings, 'other', 'g2').read({ v: 1, workspace: 'other', goal: 'g2', query: { what: 'goal' } })).toMatchObject({
      outcome: 'refused',
      refusal: { code: 'not_found' },
    });
    // Even a caller that reaches the right object under the wrong name is refused, and nothing is written.
    const direct = object('g2') as unknown as GoalStub;
    expect(
      await direct.command({
        v: 1,
        workspace: 'other',
        goal: 'g2',
        actor: person,
        envelope: { type: 'message.post', commandId: 'x', expected: {}, payload: { text: 'x' }, dryRun: false },
      }),
    ).toMatchObject({ outcome: 'rejected', refusal: { code: 'not_found' } });
    expect(await read('g2', { what: 'rows', kind: 'message', limit: 10 })).toMatchObject({ value: { data: [] } });
  });

  test('an object that was only read holds nothing', async () => {
    expect(await read('never', { what: 'goal' })).toMatchObject({ outcome: 'refused', refusal: { code: 'not_found' } });
    await runInDurableObject(object('never'), (_, state) => {
      expect(new SqlStore(state.storage).meta()).toBeUndefined();
    });
  });

  test('the alarm is armed with the commit, does not throw while the book is away, and arms again', async () => {
    await create('g3');
    await runInDurableObject(object('g3'), async (_, state) => {
      expect(await state.storage.getAlarm()).not.toBeNull();
    });
    expect(await runDurableObjectAlarm(object('g3'))).toBe(true);
    await runInDurableObject(object('g3'), async (_, state) => {
      expect(await state.storage.getAlarm()).toBeGreaterThan(Date.now());
    });
  });

  test('the record follows to D1, with the seq it reflects', async () => {
    await create('g6');
    const posted = await command('g6', 'message.post', { text: 'hello' }, 'm1');
    expect(await goalStub(bindings, workspace, 'g6').drain({ v: 1, workspace, goal: 'g6' })).toMatchObject([
      { lane: 'dispatch' },
      { lane: 'book', pending: false, lastError: null },
      { lane: 'workspace', pending: false },
      { lane: 'lists', pending: false, lastError: null },
      { lane: 'hooks', pending: false, lastError: null },
    ]);
    const row = await bindings.DB.prepare('SELECT title, projected_seq FROM goals WHERE workspace_id = ? AND goal_id = ?').bind(workspace, 'g6').first();
    expect(row).toEqual({ title: 'a graph', projected_seq: posted.outcome === 'applied' ? posted.seq : 0 });
  });

  test('a watcher gets a snapshot, then updates; after an eviction a new one resumes by seq', async () => {
    const created = await create('g4');
    const base = created.outcome === 'applied' ? created.seq : 0;
    const first = await watch('g4');
    await first.upTo(base);
    const posted = await command('g4', 'message.post', { text: 'one' }, 'm1');
    const seq = posted.outcome === 'applied' ? posted.seq : 0;
    await first.upTo(seq);
    expect(first.frames.map((frame) => frame.kind)).toEqual(['snapshot', 'update']);
    // The object sleeps while its sockets stay: the next commit still reaches them.
    await evictDurableObject(object('g4'));
    await command('g4', 'message.post', { text: 'two' }, 'm2');
    await first.upTo(seq + 1);
    first.socket.close(1000, 'done');

    const second = await watch('g4', base);
    await second.upTo(seq + 1);
    expect(second.frames[0]).toMatchObject({ kind: 'update' });
    expect(second.frames[0]?.events.map((event) => event.seq)).toEqual(Array.from({ length: seq + 1 - base }, (_, index) => base + 1 + index));
    second.socket.close(1000, 'done');
  });

  test('a request that is no upgrade, or names nobody, gets no socket', async () => {
    await create('g5');
    expect((await object('g5').fetch('https://goal/socket')).status).toBe(426);
  });
});
