/** Calls outside from the agent's words to the answer: the real rules, the real round and tools, a world that is played. */
import { describe, expect, it } from 'vitest';
import type { Actor } from '../domain/context.ts';
import type { PolicyRule } from '../domain/contract/contract.ts';
import type { Json } from '../domain/values.ts';
import { domainCore } from '../goal/domain-core.ts';
import { checkForm } from '../goal/form.ts';
import { Bench, door } from '../goal/testing/bench-top.ts';
import { Redactor } from '../observe/redactor.ts';
import { closedRules } from '../outgoing/address.ts';
import { fixedWorld, type World } from '../outgoing/world.ts';
import { MemoryFiles } from '../tools/testing/fake-env.ts';
import { runCheck } from './checks/run-check.ts';
import { GoalCalls } from './goal-calls.ts';
import { runRound } from './run-round.ts';
import { messageOf, untilStopped } from './sandbox/sandbox.ts';
import type { CallReply } from './session.ts';

const owner: Actor = { kind: 'person', principal: 'person:ada', scopes: ['goals:read', 'goals:write', 'work:review', 'work:submit', 'approvals:decide'] };
const secret = 'canary-7d6c5b4a3f2e';
type Host = (tool: string, args?: Json) => Promise<CallReply>;

class Stage {
  readonly bench: Bench;
  readonly sent: { method: string; url: string; key: string | null; authorization: string | null; body: string }[] = [];
  /** What the world answers; by default it takes everything. */
  answer: (method: string, url: string) => Response = () => Response.json({ id: 41 });
  script: (host: Host) => Promise<unknown> = async () => null;
  replies: CallReply[] = [];
  #run = 0;
  #commands = 0;

  constructor(workspaceRules: readonly PolicyRule[] = []) {
    this.bench = new Bench(domainCore, { form: checkForm, policy: () => ({ version: 1, rules: workspaceRules }) });
  }

  static async with(contractRules: object[] = [], workspaceRules: readonly PolicyRule[] = []): Promise<Stage> {
    const stage = new Stage(workspaceRules);
    const contract = { title: 'T', objective: 'Do it', criteria: [{ id: 'c1', text: 'done', verify: 'attest' }], policies: contractRules } as unknown as Json;
    await stage.give('goal.create', { mode: 'bound', confirmed: true, contract, lanes: { reviewers: [] } });
    const document = { mode: 'bound', items: [{ key: 'a', title: 'A', executor: { kind: 'skill', skill: 'demo', script: 'a.js' } }] };
    const { proposal } = (await stage.give('plan.propose', { document }, { planRevision: 0 })) as { proposal: string };
    await stage.give('plan.adopt', { proposal }, { planRevision: 0 });
    return stage;
  }

  async give(type: Parameters<Bench['command']>[0], payload: Json, expected: object = {}): Promise<Json> {
    const answer = await this.bench.protocol.command({
      ...door,
      actor: owner,
      envelope: { type, commandId: `c${++this.#commands}`, expected, payload, dryRun: false, reason: 'test' },
    });
    if (answer.outcome !== 'applied') throw new Error(`${type}: ${JSON.stringify(answer)}`);
    return answer.result;
  }

  get world(): World {
    const send = (async (url: string, init: RequestInit) => {
      const headers = new Headers(init.headers);
      this.sent.push({ method: init.method ?? '', url, key: headers.get('idempotency-key'), authorization: headers.get('authorization'), body: String(init.body ?? '') });
      return this.answer(init.method ?? '', url);
    }) as typeof fetch;
    return fixedWorld({ ...closedRules, allow: ['api.test'] }, { secrets: { erp: secret }, send });
  }

  /** Runs what was handed over since, rounds and checks, until nothing more is. Says how many of each. */
  async work(): Promise<{ rounds: number; checks: number }> {
    const done = { rounds: 0, checks: 0 };
    await this.bench.pass(50);
    for (; this.#run < this.bench.sent.length; await this.bench.pass(50)) {
      const message = this.bench.sent[this.#run++];
      if (!message) break;
      const redactor = new Redactor();
      redactor.add(secret, 'erp');
      const goal = new GoalCalls(
        door.workspace,
        door.goal,
        () => this.bench.protocol,
        async () => {},
      );
      const sandbox = {
        run: (job: { signal: AbortSignal; call(tool: string, args: Json): Promise<Json> }) =>
          untilStopped(
            job.signal,
            this.script(async (tool, args = {}) => {
              const reply = (await job.call(tool, args)) as unknown as CallReply;
              this.replies.push(reply);
              return reply;
            }).then(
              () => ({ kind: 'returned' as const, value: null }),
              (error: unknown) => ({ kind: 'threw' as const, message: messageOf(error) }),
            ),
          ),
      };
      const ports = { goal, files: new MemoryFiles(), sandbox, world: this.world, redactor };
      if (message.kind === 'check') {
        done.checks++;
        await runCheck(message, ports);
      } else {
        done.rounds++;
        await runRound(message, `runner-${this.#run}`, false, { ...ports, services: {}, now: () => Date.now(), sliceEnds: Date.now() + 900_000 });
      }
    }
    return done;
  }

  rows<T>(kind: Parameters<Bench['store']['rows']>[0]): T[] {
    return this.bench.store.rows(kind, {}).map((row) => row.data as T);
  }
  get approvals() {
    return this.rows<{ id: string; state: string; tool: string; callDigest: string; callBody: string }>('approval');
  }
  get effects() {
    return this.rows<{ state: string; outcome?: string; reconciledBy?: string }>('effect').map(({ state, outcome, reconciledBy }) => [state, outcome, reconciledBy]);
  }
  body(digest: string): Json | undefined {
    return this.bench.store.body(digest);
  }
  async decide(decision: 'approved' | 'refused') {
    const open = this.approvals.find((each) => each.state === 'asked');
    await this.give('approval.decide', { approval: open?.id ?? '', decision, callDigest: open?.callDigest ?? '' });
  }
}

const post = (more: object = {}): Json =>
  ({ url: 'https://api.test/orders', method: 'POST', headers: { authorization: { $secret: 'erp', prefix: 'Bearer ' } }, json: { n: 1 }, ...more }) as Json;
const sends =
  (args: Json, after: (reply: CallReply, host: Host) => Promise<unknown> = async (reply, host) => reply.refusal ?? host('submit', { artifacts: [], summary: 'done' })) =>
  async (host: Host) =>
    after(await host('http.request', args), host);

describe('B53 a call that changes something outside', () => {
  it('asks a person with the exact call and no secret in it; the round stops, and waiting costs nothing', async () => {
    const stage = await Stage.with();
    stage.script = sends(post());
    expect(await stage.work()).toEqual({ rounds: 1, checks: 0 });
    expect(stage.approvals).toMatchObject([{ state: 'asked', tool: 'http.request' }]);
    expect(stage.body(stage.approvals[0]?.callBody ?? '')).toMatchObject({
      tool: 'http.request',
      args: { url: 'https://api.test/orders', headers: { authorization: { $secret: 'erp', prefix: 'Bearer ' } } },
    });
    await stage.bench.pass(3 * 3_600_000);
    expect(await stage.work()).toEqual({ rounds: 0, checks: 0 });
    expect(stage.sent).toEqual([]);
    expect(stage.rows<{ state: string }>('round').filter((round) => JSON.stringify(round).includes('waiting'))).toHaveLength(1);
  });
  it('approved, runs exactly once, with its key and its secret, also over a restart in between', async () => {
    const stage = await Stage.with();
    stage.script = sends(post());
    await stage.work();
    stage.bench.restart();
    await stage.decide('approved');
    expect(await stage.work()).toMatchObject({ rounds: 1 });
    expect(stage.sent).toMatchObject([{ method: 'POST', authorization: `Bearer ${secret}`, key: expect.stringMatching(/^[0-9a-f]{40}$/), body: '{"n":1}' }]);
    expect(stage.approvals.map((each) => each.state)).toEqual(['used']);
    expect(stage.effects).toEqual([['succeeded', 'succeeded', undefined]]);
    expect(JSON.stringify([...stage.bench.store.commits(0, 1000)])).not.toContain(secret);
  });
  it.each<[string, object]>([
    ['another body', { json: { n: 2 } }],
    ['another query', { url: 'https://api.test/orders?x=1' }],
    ['one more header', { headers: { authorization: { $secret: 'erp', prefix: 'Bearer ' }, 'x-more': '1' } }],
    ['another secret', { headers: { authorization: { $secret: 'other', prefix: 'Bearer ' } } }],
  ])('with %s than approved asks again, and nothing is sent', async (_what, more) => {
    const stage = await Stage.with();
    stage.script = sends(post());
    await stage.work();
    await stage.decide('approved');
    stage.script = sends(post(more));
    await stage.work();
    expect(stage.sent).toEqual([]);
    expect(stage.approvals.map((each) => each.state).sort()).toEqual(['approved', 'asked']);
  });
  it('refused, does not run, and the agent is told and goes on', async () => {
    const stage = await Stage.with();
    stage.script = sends(post(), async (reply, host) => host('submit', { artifacts: [], summary: `told: ${reply.refusal?.code}` }));
    await stage.work();
    await stage.decide('refused');
    await stage.work();
    expect(stage.sent).toEqual([]);
    expect(stage.replies.map((reply) => reply.refusal?.code)).toContain('policy_denied');
    expect(stage.rows('submission')).toHaveLength(1);
  });
  it('is sent without asking where the contract allows it, and refused where the workspace denies it', async () => {
    const allow = [{ tool: 'http.request', where: [{ pointer: '/url', matches: '^https://api\\.test/' }], then: 'allow' }];
    const allowed = await Stage.with(allow);
    allowed.script = sends(post());
    await allowed.work();
    expect(allowed.sent).toHaveLength(1);
    const denied = await Stage.with(allow, [{ tool: 'http.request', where: [{ pointer: '/method', equals: 'POST' }], then: 'deny' }]);
    denied.script = sends(post());
    await denied.work();
    expect(denied.sent).toEqual([]);
    expect(denied.replies[0]?.refusal?.code).toBe('policy_denied');
  });
  it('that only reads asks nobody and leaves no effect', async () => {
    const stage = await Stage.with();
    stage.script = sends({ url: 'https://api.test/orders/1' });
    await stage.work();
    expect(stage.sent).toMatchObject([{ method: 'GET', key: null }]);
    expect([stage.approvals, stage.effects]).toEqual([[], []]);
  });
});

describe('B71 an outcome that nobody knows', () => {
  const allow = [{ tool: 'http.request', then: 'allow' }];
  const probed = post({ probe: { url: 'https://api.test/orders?key={key}' } });
  const times = (method: string, stage: Stage) => stage.sent.filter((each) => each.method === method).length;

  it('is asked about; it had happened, so the repeat gets what was known and nothing is sent twice', async () => {
    const stage = await Stage.with(allow);
    stage.answer = (method) => (method === 'POST' ? new Response('gateway', { status: 502 }) : Response.json({ state: 'paid' }));
    stage.script = sends(probed);
    expect(await stage.work()).toMatchObject({ checks: 1 });
    expect(times('POST', stage)).toBe(1);
    expect(stage.effects).toEqual([['reconciled', 'succeeded', 'host']]);
    expect(stage.replies.at(-1)?.refusal).toBeUndefined();
    expect(stage.rows('submission')).toHaveLength(1);
    expect(stage.sent.find((each) => each.method === 'GET')?.url).toBe(`https://api.test/orders?key=${stage.sent[0]?.key}`);
  });
  it('is never taken as absent before its horizon; then the same call goes again under the same key', async () => {
    const stage = await Stage.with(allow);
    let down = true;
    stage.answer = (method) => (method === 'GET' ? new Response('no', { status: 404 }) : down ? new Response('gateway', { status: 502 }) : Response.json({ id: 41 }));
    stage.script = sends(probed);
    await stage.work();
    down = false;
    expect(times('POST', stage)).toBe(1);
    // 30 s to be sent, 60 s for the answer, 60 s of margin.
    await stage.bench.pass(140_000);
    await stage.work();
    expect(times('POST', stage)).toBe(1);
    await stage.bench.pass(20_000);
    await stage.work();
    expect(stage.effects).toEqual([
      ['reconciled', 'not_applied', 'host'],
      ['succeeded', 'succeeded', undefined],
    ]);
    expect(times('POST', stage)).toBe(2);
    expect(new Set(stage.sent.filter((each) => each.method === 'POST').map((each) => each.key)).size).toBe(1);
  });
  it('without a probe waits for a person', async () => {
    const stage = await Stage.with(allow);
    stage.answer = () => new Response('gateway', { status: 502 });
    stage.script = sends(post());
    await stage.work();
    await stage.bench.pass(3_600_000);
    await stage.work();
    expect(times('POST', stage)).toBe(1);
    expect(stage.effects).toEqual([['unknown', 'unknown', undefined]]);
    const id = stage.rows<{ id: string }>('effect')[0]?.id ?? '';
    stage.answer = () => Response.json({ id: 41 });
    await stage.give('effect.reconcile', { effect: id, outcome: 'succeeded', evidence: 'the order is there' });
    await stage.work();
    expect(times('POST', stage)).toBe(1);
    expect(stage.rows('submission')).toHaveLength(1);
  });
});
