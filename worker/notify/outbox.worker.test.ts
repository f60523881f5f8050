/** The outbox in its object: what goals tell reaches receivers once by id, is tried again for days, and ends where a receiver wants no more. */
import { applyD1Migrations, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type Actor, scopes } from '../domain/context.ts';
import type { Notice } from '../domain/notices/notices.ts';
import type { Json } from '../domain/values.ts';
import type { Env } from '../env.ts';
import { goalStub } from '../goal/goal-stub.ts';
import { commandWorkspace } from '../workspace/client.ts';
import type { WorkspaceCommandType } from '../workspace/core/catalogue.ts';
import type { OutboxObject } from './outbox-object.ts';
import { outboxStub } from './outbox-stub.ts';

const env = bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };
beforeAll(() => applyD1Migrations(env.DB, env.MIGRATIONS));

const admin: Actor = { kind: 'person', principal: 'person:a', scopes };
const keyOf = (byte: number) => `whsec_${btoa(String.fromCharCode(...new Uint8Array(32).fill(byte)))}`;
const address = 'http://127.0.0.1:9/hook';
const start = 1_800_000_000_000;

interface Got {
  url: string;
  headers: Record<string, string>;
  body: string;
}

let count = 0;
/** A workspace with a receiver that answers what the test says. */
class Scene {
  readonly workspace: string;
  readonly got: Got[] = [];
  /** Statuses in the order of calls; then 200. */
  answers: (number | Error)[] = [];
  /** Bodies of answers in the order of calls; then none. */
  texts: string[] = [];
  now = start;
  constructor(name: string) {
    this.workspace = name;
  }
  async set(type: WorkspaceCommandType, payload: Json): Promise<void> {
    count += 1;
    expect(await this.try(type, payload)).toMatchObject({ outcome: 'applied' });
  }
  try(type: WorkspaceCommandType, payload: Json) {
    count += 1;
    return commandWorkspace(env, { v: 1, workspace: this.workspace, actor: admin, envelope: { type, commandId: `c${count}`, expected: {}, payload, dryRun: false } });
  }
  async endpoint(more: object = {}): Promise<void> {
    await this.set('secret.put', { name: 'key-1', value: keyOf(1) });
    await this.set('webhook.put', { name: 'main', url: address, secrets: ['key-1'], ...more });
    await this.open();
  }
  get stub() {
    return env.OUTBOXES.get(env.OUTBOXES.idFromName(this.workspace));
  }
  /** The object as this process has it: its clock and its network are those of the scene. */
  open(): Promise<void> {
    return runInDurableObject(this.stub as never, (object: OutboxObject) => {
      object.now = () => this.now;
      object.random = () => 0.5;
      object.send = (async (url: string, init: RequestInit) => {
        this.got.push({ url, headers: Object.fromEntries(new Headers(init.headers)), body: String(init.body) });
        const answer = this.answers.shift() ?? 200;
        if (answer instanceof Error) throw answer;
        return new Response(this.texts.shift() ?? null, { status: answer, ...(answer === 302 ? { headers: { location: 'http://127.0.0.1:9/other' } } : {}) });
      }) as typeof fetch;
    });
  }
  tell(...notices: Partial<Notice>[]) {
    return outboxStub(env, this.workspace).tell({
      v: 1,
      workspace: this.workspace,
      goal: 'goal_1',
      notices: notices.map((notice, at) => ({ key: `event:${at + 1}`, type: 'goal.completed', at: this.now, seq: at + 1, ...notice }) as Notice),
    });
  }
  ring = () => runDurableObjectAlarm(this.stub as never);
  async log() {
    const found = await outboxStub(env, this.workspace).deliveries({ v: 1, workspace: this.workspace, limit: 50 });
    if (found.outcome === 'refused') throw new Error(JSON.stringify(found));
    return found;
  }
  /** Rings at each time that something is due until nothing is, or the receiver was asked that often. */
  async through(rings: number): Promise<void> {
    for (let ring = 0; ring < rings; ring++) {
      const due = (await this.log()).data.flatMap(({ nextAt }) => (nextAt === null ? [] : [nextAt]));
      if (due.length === 0) return;
      this.now = Math.max(this.now, Math.min(...due));
      await this.ring();
    }
  }
}

async function macOf(byte: number, { headers, body }: Got): Promise<string> {
  const key = await crypto.subtle.importKey('raw', new Uint8Array(32).fill(byte), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const mac = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`));
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(mac)))}`;
}

describe('a delivery', () => {
  it('B49: answered 500 and then 200, carries the same id and the same bytes both times; only time and signature differ', async () => {
    const scene = new Scene('again');
    await scene.endpoint();
    scene.answers = [500];
    expect(await scene.tell({})).toEqual({ outcome: 'taken', fresh: 1 });
    await scene.ring();
    await scene.through(5);
    const [first, second] = scene.got;
    if (!first || !second) throw new Error('twice');
    expect(scene.got).toHaveLength(2);
    expect(second.body).toBe(first.body);
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(second.headers['webhook-timestamp']).not.toBe(first.headers['webhook-timestamp']);
    expect(first.headers['webhook-signature']).toBe(await macOf(1, first));
    expect(second.headers['webhook-signature']).toBe(await macOf(1, second));
    const [delivery] = (await scene.log()).data;
    expect(delivery).toMatchObject({
      state: 'delivered',
      tries: 2,
      attempts: [
        { n: 1, status: 500, fault: 'status_500' },
        { n: 2, status: 200, fault: null },
      ],
    });

    await outboxStub(env, 'again').replay({ v: 1, workspace: 'again', seq: delivery?.seq ?? 0 });
    await scene.ring();
    expect(scene.got[2]).toMatchObject({ body: first.body, headers: { 'webhook-id': first.headers['webhook-id'] } });
    expect((await scene.log()).data[0]?.attempts).toHaveLength(3);
  });

  it('is made once, however often the goal tells it', async () => {
    const scene = new Scene('once');
    await scene.endpoint();
    await scene.tell({});
    expect(await scene.tell({}, { key: 'event:9', type: 'goal.cancelled' })).toEqual({ outcome: 'taken', fresh: 1 });
    await scene.ring();
    expect(scene.got.map(({ body }) => JSON.parse(body).type).sort()).toEqual(['goal.cancelled', 'goal.completed']);
  });

  it('carries two signatures while two keys are live, and waits while a key is unfit', async () => {
    const scene = new Scene('keys');
    await scene.endpoint();
    await scene.set('secret.put', { name: 'key-2', value: keyOf(2) });
    await scene.set('webhook.put', { name: 'main', url: address, secrets: ['key-2', 'key-1'] });
    await scene.tell({});
    await scene.ring();
    const [got] = scene.got;
    if (!got) throw new Error('none');
    expect(got.headers['webhook-signature']).toBe(`${await macOf(2, got)} ${await macOf(1, got)}`);
    await scene.set('secret.put', { name: 'key-1', value: 'not a signing key' });
    await scene.tell({ key: 'event:2' });
    await scene.ring();
    expect(scene.got).toHaveLength(1);
    expect((await scene.log()).data[0]?.attempts).toMatchObject([{ status: null, fault: 'signing_key_unfit' }]);
  });

  it('goes to who hears of it alone, and no redirect is followed', async () => {
    const scene = new Scene('filters');
    await scene.endpoint({ events: ['item.accepted'], goals: ['goal_1'] });
    await scene.set('webhook.put', { name: 'other-goal', url: address, secrets: ['key-1'], goals: ['goal_2'] });
    scene.answers = [302];
    await scene.tell({}, { type: 'item.accepted' });
    await scene.ring();
    expect(scene.got.map(({ url, body }) => [url, JSON.parse(body).type])).toEqual([[address, 'item.accepted']]);
    expect((await scene.log()).data).toMatchObject([{ endpoint: 'main', state: 'pending', attempts: [{ status: 302, fault: 'status_302' }] }]);
  });
});

describe('an endpoint', () => {
  it('that answers 410 gets nothing more, of what waited either, until somebody puts it again; the others hear of it', async () => {
    const scene = new Scene('gone');
    await scene.endpoint();
    await scene.set('webhook.put', { name: 'watch', url: 'http://127.0.0.1:9/watch', secrets: ['key-1'], events: ['endpoint.disabled'] });
    scene.answers = [410];
    await scene.tell({});
    await scene.ring();
    expect((await scene.log()).endpoints).toMatchObject([
      { name: 'main', disabled: { why: 'gone' } },
      { name: 'watch', disabled: null },
    ]);
    await scene.tell({ key: 'event:2' });
    await scene.through(3);
    expect(scene.got.map(({ url, body }) => [url, JSON.parse(body).data.endpoint])).toEqual([
      [address, undefined],
      ['http://127.0.0.1:9/watch', 'main'],
    ]);
    const failed = (await scene.log()).data.find(({ endpoint }) => endpoint === 'main');
    expect(await outboxStub(env, 'gone').replay({ v: 1, workspace: 'gone', seq: failed?.seq ?? 0 })).toMatchObject({ refusal: { code: 'setting_missing' } });
    await scene.set('webhook.put', { name: 'main', url: address, secrets: ['key-1'] });
    await scene.tell({ key: 'event:3' });
    await scene.through(3);
    expect(scene.got.at(-1)?.url).toBe(address);
    expect((await scene.log()).endpoints[0]).toMatchObject({ name: 'main', disabled: null });
  });

  it('that took nothing for days is disabled', async () => {
    const scene = new Scene('failing');
    await scene.endpoint();
    scene.answers = Array.from({ length: 30 }, (_, at) => (at % 2 ? 503 : new Error('no way')));
    await scene.tell({});
    await scene.ring();
    await scene.through(20);
    expect(scene.now - start).toBeGreaterThan(3 * 86_400_000);
    const { data, endpoints } = await scene.log();
    expect(data[0]).toMatchObject({ state: 'failed', nextAt: null });
    expect(data[0]?.attempts.slice(0, 2)).toMatchObject([{ status: null, fault: 'network' }, { status: 503 }]);
    expect(endpoints[0]).toMatchObject({ disabled: { why: 'failing' } });
  });

  it('at an address that the guard refuses is not set', async () => {
    const scene = new Scene('refused');
    await scene.set('secret.put', { name: 'key-1', value: keyOf(1) });
    for (const url of ['https://10.0.0.1/hook', 'http://receiver.example/hook', 'https://169.254.169.254/'])
      expect(await scene.try('webhook.put', { name: 'main', url, secrets: ['key-1'] }), url).toMatchObject({
        refusal: { code: 'address_refused', errors: [{ pointer: '/payload/url' }] },
      });
    expect(await scene.try('webhook.put', { name: 'main', url: 'https://receiver.example/hook', secrets: ['key-9'] })).toMatchObject({ refusal: { code: 'setting_missing' } });
  });
});

describe('a chat', () => {
  const body = (got: Got | undefined) => JSON.parse(got?.body ?? '{}');

  it('is posted what waits for a person, by the title of the book, signed at each try; its answer says whether it was taken', async () => {
    const scene = new Scene('chat');
    await scene.set('secret.put', { name: 'room', value: 'http://127.0.0.1:9/room' });
    await scene.set('secret.put', { name: 'room-key', value: 'signing-key' });
    await scene.set('chat.put', { name: 'team', kind: 'feishu', address: 'room', signing: 'room-key', language: 'zh' });
    await scene.open();
    await env.DB.prepare(
      "INSERT INTO goals (workspace_id, goal_id, title, mode, status, why, goal_version, plan_revision, needs_you, created_at, updated_at, seq, projected_seq, erased, data) VALUES ('chat', 'goal_1', '发票 <at>', 'bound', 'active', '{}', 1, 0, 1, 0, 0, 1, 1, 0, '{}')",
    ).run();
    scene.texts = ['{"code":19021}', '{"code":0}'];
    await scene.tell({ type: 'blocker.raised', ref: 'blocker:b1', act: 'answer', who: 'person:a' }, { type: 'item.accepted', item: 'x' });
    await scene.ring();
    await scene.through(3);
    expect(scene.got).toHaveLength(2);
    const [first, second] = scene.got.map(body);
    expect(first).toMatchObject({
      msg_type: 'post',
      content: { post: { zh_cn: { title: '有问题等待回答', content: [[{ tag: 'text', text: '目标：发票 <at>' }], [{ tag: 'a' }]] } } },
    });
    expect(first.timestamp).not.toBe(second.timestamp);
    const [delivery] = (await scene.log()).data;
    expect(delivery).toMatchObject({ endpoint: 'chat:team', state: 'delivered', attempts: [{ status: 200, fault: 'code_19021' }, { fault: null }] });
    // The outbox keeps no title, and no answer shows the address.
    expect(await runInDurableObject(scene.stub as never, (_: OutboxObject, { storage }) => JSON.stringify(storage.sql.exec('SELECT * FROM deliveries').toArray()))).not.toContain(
      '发票',
    );
    expect(JSON.stringify(await scene.log())).not.toContain('/room');

    await env.DB.prepare("UPDATE goals SET erased = 1 WHERE workspace_id = 'chat'").run();
    scene.texts = ['{"code":0}'];
    await outboxStub(env, 'chat').replay({ v: 1, workspace: 'chat', seq: delivery?.seq ?? 0 });
    await scene.ring();
    expect(scene.got).toHaveLength(3);
    expect(scene.got[2]?.body).not.toContain('发票');
  });

  it('is not set where its address leads in, its secret is not there, or it takes no signature', async () => {
    const scene = new Scene('chat-refused');
    await scene.set('secret.put', { name: 'inside', value: 'https://10.0.0.1/hook' });
    const put = (more: object) => scene.try('chat.put', { name: 'team', kind: 'slack', address: 'inside', ...more } as Json);
    expect(await put({})).toMatchObject({ refusal: { code: 'address_refused', errors: [{ pointer: '/payload/address' }] } });
    expect(await put({ address: 'none' })).toMatchObject({ refusal: { code: 'setting_missing', errors: [{ pointer: '/payload/address' }] } });
    expect(await put({ signing: 'inside' })).toMatchObject({ refusal: { code: 'address_refused' } });
    await scene.set('secret.put', { name: 'inside', value: 'https://hooks.example/x' });
    expect(await put({ signing: 'inside' })).toMatchObject({ refusal: { code: 'schema_invalid', errors: [{ pointer: '/payload/signing' }] } });
    await scene.set('chat.put', { name: 'team', kind: 'slack', address: 'inside' });
    expect(await scene.try('secret.remove', { name: 'inside' })).toMatchObject({ refusal: { code: 'setting_in_use', current: { by: ['chat:team'] } } });
  });
});

it('a goal that ends reaches the receiver through its lane', async () => {
  const scene = new Scene('whole');
  await scene.endpoint();
  scene.now = Date.now();
  const goal = 'g';
  const give = (type: string, payload: Json) => {
    count += 1;
    return goalStub(env, 'whole', goal).command({
      v: 1,
      workspace: 'whole',
      goal,
      actor: admin,
      envelope: { type, commandId: `g${count}`, expected: {}, payload, dryRun: false },
    } as never);
  };
  const contract = { title: 'A secret title', objective: 'x', criteria: [{ id: 'c1', text: 'y', verify: 'attest' }] };
  await give('goal.create', { mode: 'goal_only', confirmed: true, contract, lanes: { coordinator: { kind: 'person', principal: 'person:a' } } });
  await give('goal.cancel', {});
  await goalStub(env, 'whole', goal).drain({ v: 1, workspace: 'whole', goal });
  const cancelled = () => scene.got.filter(({ body }) => JSON.parse(body).type === 'goal.cancelled');
  // The alarm of the outbox rings by itself.
  await vi.waitFor(() => expect(cancelled()).toHaveLength(1), { timeout: 20_000, interval: 50 });
  // Ids and links, and nothing of what it is about.
  expect(JSON.stringify(scene.got)).not.toContain('A secret title');
});
