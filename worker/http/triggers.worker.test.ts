/** Triggers on the real runtime: schedules whose clock a test moves, deliveries over HTTP, and the goals that come of them. */
import { applyD1Migrations, evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Env } from '../env.ts';
import { goalIdOf } from '../goal/goal-id.ts';
import { githubHeaders, standardHeaders, stripeHeaders } from '../workspace/triggers/testing/signing.ts';
import type { WorkspaceObject } from '../workspace/workspace-object.ts';
import { businessRound } from '../rounds/business-round.ts';
import { sweepTriggers } from '../triggers/sweep.ts';
import { app, ask, type Browser, freshId, newPerson, newToken, newWorkspace, origin } from './testing/people.ts';

const env = bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };
type Body = Record<string, unknown> & { data: Record<string, unknown>[]; result: { round: string; state: string; generation: number; late: string | null } };

const template = {
  name: 'greeting',
  title: 'A greeting',
  parameters: { whom: { type: 'string', maxLength: 40, default: 'nobody' } },
  mode: 'goal_only',
  contract: { title: 'Greet {{whom}}', objective: 'Say hello to {{whom}}.', criteria: [{ id: 'said', text: 'It was said', verify: 'attest' }] },
};
const key = `whsec_${btoa('a key of thirty-two bytes, exactly')}`;
const does = { kind: 'goal', template: 'greeting', ends: 'goal' };

let ann: Browser;
let workspace: string;
const path = (rest: string) => `/v1/workspaces/${workspace}/${rest}`;
const give = (type: string, payload: unknown, commandId = freshId()) => ann.ask<Body>(path('commands'), { body: { type, commandId, payload } });
const read = async (rest: string) => (await ann.ask<Body>(path(rest))).body;
const object = () => env.WORKSPACES.get(env.WORKSPACES.idFromName(workspace)) as unknown as DurableObjectStub<WorkspaceObject>;
/** The workspace's clock shows this from now on. */
const clock = (at: number | string) =>
  runInDurableObject(object(), (instance) => {
    const time = typeof at === 'number' ? at : Date.parse(at);
    instance.now = () => time;
  });
const alarm = () => runDurableObjectAlarm(object());
const rounds = async (name: string) =>
  (await read(`triggers/${name}/rounds`)).data as {
    id: string;
    state: string;
    act: string;
    goal: string | null;
    due: number;
    standsFor: number;
    blockedBy: string | null;
    closed: { how: string } | null;
  }[];
const goals = async () => (await env.DB.prepare('SELECT count(*) AS n FROM goals WHERE workspace_id = ?').bind(workspace).first<{ n: number }>())?.n;
const settled = (name: string, state: (round: Awaited<ReturnType<typeof rounds>>[number]) => boolean) =>
  vi.waitFor(async () => {
    const [newest] = await rounds(name);
    if (!newest || !state(newest)) throw new Error(JSON.stringify(newest));
    return newest;
  }, 10_000);

beforeAll(async () => {
  await applyD1Migrations(env.DB, env.MIGRATIONS);
  ann = await newPerson(env, 'Ann');
  workspace = await newWorkspace(ann, 'Acme');
  for (const [type, payload] of [
    ['template.put', template],
    ['template.confirm', { name: 'greeting', version: 1 }],
    ['secret.put', { name: 'hook-key', value: key }],
    ['secret.put', { name: 'hook-new', value: 'another key that came later' }],
  ] as const)
    expect(await give(type, payload)).toMatchObject({ status: 200 });
}, 60_000);

describe('a schedule', () => {
  const source = { kind: 'cron', cron: '10 12 * * *', zone: 'UTC' };

  it('B41: fires its occurrence once, though the alarm comes early, twice, and again; the goal is made once', async () => {
    await clock('2027-01-05T12:00:00Z');
    expect(await give('trigger.put', { name: 'nightly', source, does: { ...does, parameters: { whom: { from: "join(' ', ['day', due])" } } } })).toMatchObject({ status: 200 });
    expect(await read('triggers/nightly')).toMatchObject({
      next: [Date.parse('2027-01-05T12:10Z'), Date.parse('2027-01-06T12:10Z'), expect.any(Number), expect.any(Number), expect.any(Number)],
    });
    await vi.waitFor(async () => expect(await runInDurableObject(object(), (_, state) => state.storage.getAlarm())).toBe(Date.parse('2027-01-05T12:10Z')));
    await clock('2027-01-05T12:09:40Z');
    await alarm();
    expect(await rounds('nightly')).toEqual([]);
    await clock('2027-01-05T12:10:00Z');
    await alarm();
    await alarm();
    const [round, ...others] = await rounds('nightly');
    expect(others).toEqual([]);
    expect(round?.id).toMatch(/^nightly\.\d+\/cron\/2027-01-05T12:10Z$/);
    expect(round).toMatchObject({ state: 'running', act: 'done', goal: goalIdOf(workspace, ['trigger', (round?.id ?? '').split('/')[0] ?? '', round?.id ?? '']) });
    expect(await read(`goals/${round?.goal}`)).toMatchObject({
      bar: { status: 'active', title: 'Greet day 2027-01-05T12:10:00.000Z', origin: { by: `person:${ann.id}`, trigger: { name: 'nightly', firing: round?.id } } },
    });
    expect(await runInDurableObject(object(), (_, state) => state.storage.getAlarm())).toBe(Date.parse('2027-01-06T12:10Z'));
  });

  it('does not begin while the one before is unfinished; what it waits for is said, and only that answers it', async () => {
    await clock('2027-01-06T12:10:00Z');
    await alarm();
    const [skipped, first] = await rounds('nightly');
    expect(skipped).toMatchObject({ state: 'skipped', blockedBy: first?.id });
    const round = first?.id ?? '';
    expect((await give('business_round.wait', { round, kind: 'receipt', correlation: 'order-7', reason: 'the supplier confirms' })).body.result).toMatchObject({
      state: 'waiting',
      generation: 1,
    });
    expect((await give('business_round.answer', { round, correlation: 'order-8', generation: 1 })).body.result).toMatchObject({ state: 'waiting', late: 'other_correlation' });
    expect((await give('business_round.answer', { round, correlation: 'order-7', generation: 1, payload: 'yes' })).body.result).toMatchObject({ state: 'running', late: null });
    await give('business_round.wait', { round, kind: 'receipt', correlation: 'order-7', reason: 'once more' });
    expect((await give('business_round.answer', { round, correlation: 'order-7', generation: 1 })).body.result).toMatchObject({ state: 'waiting', late: 'other_generation' });
    expect((await give('business_round.complete', { round, note: 'seen to by hand' })).body.result).toMatchObject({ state: 'completed' });
    expect((await give('business_round.answer', { round, correlation: 'order-7', generation: 2, payload: 'late' })).body.result).toMatchObject({
      state: 'completed',
      late: 'closed',
    });
    expect(await give('business_round.complete', { round })).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    expect(await read(`business-rounds/${round}`)).toMatchObject({
      round: { closed: { how: 'command', reason: 'seen to by hand' } },
      late: [{ why: 'closed', body: { payload: 'late' } }, { why: 'other_generation' }, { why: 'other_correlation' }],
    });
    await clock('2027-01-07T12:10:00Z');
    await alarm();
    expect((await rounds('nightly'))[0]).toMatchObject({ state: 'running' });
  });

  it('that nobody was there for is made up for as its trigger says; paused, for nothing', async () => {
    await clock('2027-02-01T00:30:00Z');
    const hourly = { ...source, cron: '0 * * * *', zone: 'Asia/Shanghai' };
    await give('trigger.put', { name: 'hourly', source: { ...hourly, missed: { rule: 'coalesce' } }, does, overlap: { rule: 'queue', withinMinutes: 60 } });
    await clock('2027-02-01T05:30:00Z');
    await alarm();
    expect(await rounds('hourly')).toMatchObject([{ state: 'running', standsFor: 5, due: Date.parse('2027-02-01T05:00Z') }]);
    await give('trigger.pause', { name: 'hourly' });
    await clock('2027-02-01T09:30:00Z');
    await give('trigger.resume', { name: 'hourly' });
    await alarm();
    expect(await rounds('hourly')).toHaveLength(1);
  });

  it('B43: a firing that found no room begins once there is some, and is missed once its time is over', async () => {
    await clock('2027-02-01T10:00:00Z');
    await alarm();
    const [owed, running] = await rounds('hourly');
    expect(owed).toMatchObject({ state: 'owed', blockedBy: running?.id });
    await clock('2027-02-01T10:07:00Z');
    await give('business_round.complete', { round: running?.id });
    expect(await settled('hourly', (round) => round.act === 'done')).toMatchObject({ id: owed?.id, state: 'running' });
    await clock('2027-02-01T11:00:00Z');
    await alarm();
    await clock('2027-02-01T12:00:01Z');
    await alarm();
    // The next one takes its place: the newest is owed.
    expect(await rounds('hourly')).toMatchObject([
      { state: 'owed', due: Date.parse('2027-02-01T12:00Z') },
      { state: expect.stringMatching(/missed|skipped/) },
      { state: 'running' },
      {},
    ]);
    await give('trigger.pause', { name: 'hourly' });
    await clock('2027-02-01T13:00:01Z');
    await alarm();
    expect((await rounds('hourly'))[0]).toMatchObject({ state: 'missed' });
  });

  it('is set up only with what it needs', async () => {
    const put = (definition: object) => give('trigger.put', { name: 'wrong', source, does, ...definition });
    expect(await put({ source: { ...source, cron: '61 * * * *' } })).toMatchObject({ status: 422, body: { errors: [{ pointer: '/payload/source/cron', code: 'invalid_cron' }] } });
    expect(await put({ source: { ...source, zone: 'Mars/Olympus' } })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/payload/source/zone', code: 'invalid_zone' }] },
    });
    expect(await put({ does: { ...does, template: 'none' } })).toMatchObject({ status: 409, body: { code: 'setting_missing' } });
    expect(await put({ does: { ...does, parameters: { whom: { value: 7 }, other: { from: 'x[' } } } })).toMatchObject({
      status: 422,
      body: {
        errors: [
          { pointer: '/payload/does/parameters/other/from', code: 'expression' },
          { code: 'unknown_parameter' },
          { pointer: '/payload/does/parameters/whom', code: 'wrong_type' },
        ],
      },
    });
    await give('template.put', { ...template, name: 'draft' });
    expect(await put({ does: { ...does, template: 'draft' } })).toMatchObject({ status: 409, body: { code: 'template_unconfirmed' } });
    expect(await give('template.retire', { name: 'greeting' })).toMatchObject({
      status: 409,
      body: { code: 'setting_in_use', current: { by: ['trigger:hourly', 'trigger:nightly'] } },
    });
    const token = (await newToken(ann, workspace, ['goals:read', 'triggers:manage'])).headers;
    const asked = await ask(env, path('commands'), { body: { type: 'trigger.put', commandId: freshId(), payload: { name: 'wrong', source, does } }, headers: token });
    expect(asked).toMatchObject({ status: 403, body: { code: 'scope_missing', current: { scope: 'goals:write' } } });
  });
});

describe('a webhook', () => {
  const now = Date.parse('2027-03-01T08:00:00Z');
  const addresses: Record<string, string> = {};
  const hook = async (name: string, style: string, more: object = {}, source: object = {}) => {
    expect(
      await give('trigger.put', {
        name,
        source: { kind: 'webhook', style, secrets: ['hook-key'], ...source },
        does: { ...does, parameters: { whom: { from: 'data.whom' } } },
        ...more,
      }),
    ).toMatchObject({ status: 200 });
    const view = (await read(`triggers/${name}`)) as unknown as { value: { hook: string } };
    addresses[name] = `/hooks/${workspace}/${view.value.hook}`;
  };
  const post = async (name: string, headers: Record<string, string>, body: string) => {
    const response = await app.fetch(
      new Request(`${origin}${addresses[name] ?? name}`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }),
      env,
    );
    return { status: response.status, body: (await response.json()) as { code: string; round: string; goal: string | null; state: string; repeated: boolean; errors: unknown[] } };
  };
  beforeAll(async () => {
    await clock(now);
    await hook('orders', 'standard', { overlap: { rule: 'replay' } }, { filter: "data.kind == 'order'" });
    await hook('pushes', 'github', { overlap: { rule: 'replay' } });
    await hook('payments', 'stripe', { overlap: { rule: 'replay' } });
  });
  const body = JSON.stringify({ kind: 'order', whom: 'Bob' });
  const order = (id: string, at = now, text = body) => post('orders', standardHeaders(key, id, text, at), text);

  it('B47: delivered four times it starts one goal, also when that is long over; another body under its id is refused', async () => {
    const before = await goals();
    const first = await order('msg_1');
    expect(first).toMatchObject({ status: 202, body: { state: 'fired', repeated: false } });
    const { goal } = await settled('orders', (round) => round.act === 'done');
    await clock(now + 1100);
    expect(await order('msg_1', now + 1100)).toMatchObject({ status: 200, body: { round: first.body.round, goal, repeated: true } });
    await give('business_round.complete', { round: first.body.round });
    for (const later of [60_000, 3_600_000, 13 * 86_400_000]) {
      await clock(now + later);
      expect(await order('msg_1', now + later)).toMatchObject({ status: 200, body: { round: first.body.round, goal, repeated: true } });
    }
    await clock(now);
    const other = JSON.stringify({ kind: 'order', whom: 'Eve' });
    expect(await order('msg_1', now, other)).toMatchObject({ status: 409, body: { code: 'delivery_reused' } });
    expect(await order('msg.2')).toMatchObject({ status: 422, body: { code: 'schema_invalid', errors: [{ pointer: '/headers/webhook-id', code: 'delivery_id' }] } });
    await vi.waitFor(async () => expect(await goals()).toBe((before ?? 0) + 1));
    expect(await rounds('orders')).toHaveLength(1);
    expect(await read(`goals/${goal}`)).toMatchObject({ bar: { title: 'Greet Bob' } });
  });

  it('is believed only when it is signed, in time, over exactly these bytes', async () => {
    const refused = async (sent: Promise<{ status: number; body: object }>, code: string) =>
      expect(await sent).toMatchObject({ status: 401, body: { code: 'signature_invalid', errors: [{ code }] } });
    await refused(post('orders', {}, body), 'missing');
    await refused(post('orders', standardHeaders(`whsec_${btoa('another key')}`, 'msg_9', body, now), body), 'wrong');
    await refused(post('orders', standardHeaders(key, 'msg_9', body, now), `${body} `), 'wrong');
    await refused(order('msg_9', now - 301_000), 'old');
    await refused(order('msg_9', now + 301_000), 'old');
    await refused(post('orders', { ...standardHeaders(key, 'msg_9', body, now), 'webhook-id': 'msg_10' }, body), 'wrong');
    await refused(post('pushes', { ...githubHeaders(key, 'd1', body), 'x-hub-signature-256': 'sha256=00' }, body), 'malformed');
    await refused(post('pushes', githubHeaders('guess', 'd1', body), body), 'wrong');
    await refused(post('payments', stripeHeaders(key, '{"id":"evt_1"}', now - 600_000), '{"id":"evt_1"}'), 'old');
    expect(await read('triggers/orders')).toMatchObject({ refused: { count: 7, code: 'wrong' } });
    expect(await post(`/hooks/${workspace}/${'0'.repeat(32)}`, standardHeaders(key, 'msg_9', body, now), body)).toMatchObject({ status: 404 });
    expect(await post(`/hooks/no-such-workspace/${(addresses.orders ?? '').split('/').at(-1)}`, standardHeaders(key, 'msg_9', body, now), body)).toMatchObject({ status: 404 });
    expect(await rounds('orders')).toHaveLength(1);
  });

  it('of GitHub and of Stripe too; with two keys while one is replaced', async () => {
    expect(await post('pushes', githubHeaders(key, 'd-1', body), body)).toMatchObject({ status: 202, body: { state: 'fired' } });
    const event = JSON.stringify({ id: 'evt_1', whom: 'Carl' });
    expect(await post('payments', stripeHeaders(key, event, now), event)).toMatchObject({ status: 202, body: { state: 'fired' } });
    expect(await post('payments', stripeHeaders(key, event, now), event)).toMatchObject({ status: 200, body: { repeated: true } });
    await hook('pushes', 'github', { overlap: { rule: 'replay' } }, { secrets: ['hook-new', 'hook-key'] });
    expect(await post('pushes', githubHeaders('another key that came later', 'd-2', body), body)).toMatchObject({ status: 202 });
    expect(await post('pushes', githubHeaders(key, 'd-3', body), body)).toMatchObject({ status: 202 });
    expect((await rounds('pushes')).map((round) => round.state)).toEqual(['owed', 'owed', 'running']);
  });

  it('that does not pass its filter is on record and fires nothing; a person replays what was kept', async () => {
    const offer = JSON.stringify({ kind: 'offer', whom: 'Dora' });
    expect(await order('msg_3', now, offer)).toMatchObject({ status: 202, body: { state: 'filtered', round: null } });
    expect(await post('orders', standardHeaders(key, 'msg_4', 'no json', now), 'no json')).toMatchObject({ status: 422, body: { code: 'malformed_data' } });
    const [kept] = (await read('triggers/orders/deliveries')).data;
    expect(kept).toMatchObject({ delivery: 'msg_3', state: 'filtered', kept: true, headers: { 'webhook-id': 'msg_3' } });
    expect(JSON.stringify(kept)).not.toContain('v1,');
    const id = freshId();
    const replayed = await give('delivery.replay', { name: 'orders', delivery: 'msg_3' }, id);
    expect(replayed).toMatchObject({ status: 200, body: { result: { state: 'running' } } });
    expect(await give('delivery.replay', { name: 'orders', delivery: 'msg_3' }, id)).toMatchObject({ body: { replayed: true, result: replayed.body.result } });
    const { goal } = await settled('orders', (round) => round.id === replayed.body.result.round && round.act === 'done');
    expect(await read(`goals/${goal}`)).toMatchObject({ bar: { title: 'Greet Dora' } });
    expect(await give('delivery.replay', { name: 'orders', delivery: 'msg_99' })).toMatchObject({ status: 404 });
  });

  it('is completed by the end of its goal where its trigger says so, else by nothing but a word', async () => {
    for (const ends of ['goal', 'command']) await give('trigger.put', { name: `job-${ends}`, source: { kind: 'api' }, does: { ...does, ends } });
    for (const ends of ['goal', 'command']) {
      await give('trigger.fire', { name: `job-${ends}` });
      const { goal } = await settled(`job-${ends}`, (round) => round.act === 'done');
      expect(await ann.ask(path(`goals/${goal}/cancel`), { body: { commandId: freshId() } })).toMatchObject({ status: 200 });
    }
    expect(await settled('job-goal', (round) => round.state === 'completed')).toMatchObject({ closed: { how: 'goal', reason: 'cancelled' } });
    expect(await settled('job-command', (round) => (round as { goalEnded?: string }).goalEnded === 'cancelled')).toMatchObject({ state: 'running', closed: null });
  });

  it('waits and is completed by word of its goal, and hands what it left open to the next', async () => {
    await clock(now);
    await give('trigger.put', { name: 'asks', source: { kind: 'api' }, does: { ...does, ends: 'command' } });
    const begun = async () => {
      const { round } = (await give('trigger.fire', { name: 'asks' })).body.result;
      const { goal } = await settled('asks', ({ id, act }) => id === round && act === 'done');
      return businessRound(env, { workspace, goal: goal ?? '', round, principal: 'agent:coordinator' });
    };
    const first = await begun();
    expect(await first.read()).toMatchObject({ value: { round: { state: 'running', endsWithGoal: false }, late: [], before: null } });
    const awaited = { kind: 'receipt', correlation: 'order-9', reason: 'the supplier confirms' };
    const waiting = await first.give({ type: 'business_round.wait', payload: awaited }, 'rnd_1/000001');
    expect(waiting).toMatchObject({ value: { state: 'waiting', generation: 1 } });
    expect(await first.give({ type: 'business_round.wait', payload: awaited }, 'rnd_1/000001')).toEqual(waiting);
    expect(await first.give({ type: 'business_round.wait', payload: awaited }, 'rnd_1/000002')).toMatchObject({ refused: true, code: 'invalid_transition' });
    expect(await first.give({ type: 'business_round.complete', payload: { note: 'gave up waiting' } }, 'rnd_1/000003')).toMatchObject({ value: { state: 'completed' } });
    const [{ id } = { id: '' }] = await rounds('asks');
    const second = await begun();
    expect(await second.read()).toMatchObject({
      value: {
        before: { round: { id, closed: { by: 'agent:coordinator', reason: 'gave up waiting' } }, open: { awaited: { correlation: 'order-9', generation: 1 }, came: null } },
      },
    });
    expect((await give('business_round.answer', { round: id, correlation: 'order-9', generation: 1, payload: 'confirmed after all' })).body.result).toMatchObject({
      late: 'closed',
    });
    expect(await second.read()).toMatchObject({
      value: { round: { state: 'running' }, before: { open: { came: { body: { payload: 'confirmed after all' } } }, late: [{ why: 'closed' }] } },
    });
    expect(await read(`business-rounds/${id}`)).toMatchObject({ round: { closed: { awaited: { correlation: 'order-9' } } } });
  });

  it('B39: an alarm that was lost is set again by whoever comes first', async () => {
    await clock('2027-03-02T00:00:00Z');
    await give('trigger.put', { name: 'late', source: { kind: 'cron', cron: '0 6 * * *', zone: 'UTC' }, does });
    await runInDurableObject(object(), (_, state) => state.storage.deleteAlarm());
    await evictDurableObject(object());
    await read('triggers/late');
    await vi.waitFor(async () => expect(await runInDurableObject(object(), (_, state) => state.storage.getAlarm())).not.toBeNull());
    await clock(now);
  });

  it('B39: or is found by the sweep, since D1 knows when triggers want to be looked after', async () => {
    const lost = await newWorkspace(ann, 'Lost');
    const stub = env.WORKSPACES.get(env.WORKSPACES.idFromName(lost)) as unknown as DurableObjectStub<WorkspaceObject>;
    const time = (at: string) =>
      runInDurableObject(stub, (instance) => {
        instance.now = () => Date.parse(at);
      });
    const told = async () => (await env.DB.prepare('SELECT wake_at FROM workspace_wakes WHERE workspace_id = ?').bind(lost).first<{ wake_at: number }>())?.wake_at;
    const put = (type: string, payload: unknown) => ann.ask(`/v1/workspaces/${lost}/commands`, { body: { type, commandId: freshId(), payload } });
    const fired = async () => ((await ann.ask<Body>(`/v1/workspaces/${lost}/triggers/early/rounds`)).body as Body).data.map((round) => round.state);
    await time('2027-03-03T05:50:00Z');
    await put('template.put', template);
    await put('template.confirm', { name: 'greeting', version: 1 });
    await put('trigger.put', { name: 'by-hand', source: { kind: 'api' }, does });
    // Nothing is due; it is looked after all the same, once an hour.
    await vi.waitFor(async () => expect(await told()).toBe(Date.parse('2027-03-03T06:50Z')));
    expect(await put('trigger.put', { name: 'early', source: { kind: 'cron', cron: '0 6 * * *', zone: 'UTC' }, does })).toMatchObject({ status: 200 });
    await vi.waitFor(async () => expect(await told()).toBe(Date.parse('2027-03-03T06:00Z')));
    await runInDurableObject(stub, (_, state) => state.storage.deleteAlarm());
    await time('2027-03-03T06:00:31Z');
    await sweepTriggers(env, Date.parse('2027-03-03T06:00:29Z'));
    expect(await fired()).toEqual([]);
    await sweepTriggers(env, Date.parse('2027-03-03T06:00:31Z'));
    expect(await fired()).toEqual(['running']);
    await vi.waitFor(async () => expect(await told()).toBe(Date.parse('2027-03-03T07:00:31Z')));
    expect(await runInDurableObject(stub, (_, state) => state.storage.getAlarm())).toBe(Date.parse('2027-03-04T06:00Z'));
    for (const name of ['by-hand', 'early']) await put('trigger.remove', { name });
    await vi.waitFor(async () => expect(await told()).toBeUndefined());
  });

  it('can be tried out beforehand, and nothing fires', async () => {
    const definition = {
      name: 'tried',
      source: { kind: 'webhook', style: 'github', secrets: ['hook-key'], filter: "data.ref == 'main'" },
      does: { ...does, parameters: { whom: { from: 'data.pusher' } } },
    };
    const tried = async (data: unknown) => (await ann.ask(path('trigger-tests'), { body: { definition, data } })).body;
    expect(await tried({ ref: 'main', pusher: 'Eve' })).toMatchObject({ passes: true, values: { whom: 'Eve' }, problems: [] });
    expect(await tried({ ref: 'other', pusher: 'x'.repeat(50) })).toMatchObject({ passes: false, problems: [{ pointer: '/does/parameters/whom', code: 'too_large' }] });
    expect(await ann.ask(path('triggers/tried'))).toMatchObject({ status: 404 });
  });

  it('tells a goal, and answers a business round', async () => {
    const goal = (await rounds('orders'))[0]?.goal ?? '';
    await give('trigger.put', { name: 'notes', source: { kind: 'api' }, does: { kind: 'message', goal: { from: 'data.goal' }, text: { from: 'data.text' } } });
    expect((await give('trigger.fire', { name: 'notes', data: { goal, text: 'The office is closed today.' } })).body.result.state).toBe('running');
    expect(await settled('notes', (round) => round.state === 'completed')).toMatchObject({ closed: { how: 'delivered' }, goal });
    expect(await read(`goals/${goal}`)).toMatchObject({ bar: { messages: { posted: 1 } } });
    await give('trigger.fire', { name: 'notes', data: { goal: 'goal_x', text: 'x' } });
    expect(await settled('notes', (round) => round.state === 'completed')).toMatchObject({
      closed: { how: 'not_started' },
      refusal: { code: 'schema_invalid', errors: [{ pointer: '/does/goal' }] },
    });

    const [waiting] = (await rounds('orders')).filter((round) => round.state === 'running');
    await give('business_round.wait', { round: waiting?.id, kind: 'receipt', correlation: 'c', reason: 'a receipt' });
    await give('trigger.put', {
      name: 'receipts',
      source: { kind: 'api' },
      does: { kind: 'answer', round: { from: 'data.round' }, correlation: { value: 'c' }, generation: { from: 'data.generation' } },
    });
    await give('trigger.fire', { name: 'receipts', data: { round: waiting?.id, generation: 1 } });
    await settled('receipts', (round) => round.state === 'completed');
    expect(await read(`business-rounds/${waiting?.id}`)).toMatchObject({ round: { state: 'running', awaits: null } });
  });
});
