import { describe, expect, it } from 'vitest';
import { refuse } from '../domain/refusals.ts';
import type { Json } from '../domain/values.ts';
import type { RoundContext } from '../goal/rpc.ts';
import { Redactor } from '../observe/redactor.ts';
import { closedRules } from '../outgoing/address.ts';
import { fixedWorld } from '../outgoing/world.ts';
import { MemoryFiles, workerContext } from '../tools/testing/fake-env.ts';
import { BULK_CHARACTERS } from './call-intent.ts';
import { type RoundPorts, type RoundRun, runRound } from './run-round.ts';
import { messageOf, type Sandbox, untilStopped } from './sandbox/sandbox.ts';
import { CALL_TIMEOUT, type CallReply, SLICE_RESERVE } from './session.ts';
import { applied, FakeGoal, go } from './testing/fake-goal.ts';

type Script = (host: { call(tool: string, args?: Json): Promise<CallReply> }, input: RoundContext) => Promise<unknown>;

const sandboxOf = (script: Script): Sandbox => ({
  run: (job) =>
    untilStopped(
      job.signal,
      script({ call: async (tool, args = {}) => (await job.call(tool, args)) as unknown as CallReply }, job.input as unknown as RoundContext).then(
        (value) => ({ kind: 'returned' as const, value: (value ?? null) as Json }),
        (error: unknown) => ({ kind: 'threw' as const, message: messageOf(error) }),
      ),
    ),
});

function run(goal: FakeGoal, script: Script, more: Partial<RoundPorts> & { again?: boolean } = {}): Promise<RoundRun> {
  const { again = false, ...ports } = more;
  return runRound({ round: 'r1', fence: 1 }, 'w/g/round/r1/1', again, {
    goal: goal.calls(),
    files: new MemoryFiles(),
    sandbox: sandboxOf(script),
    services: {},
    world: fixedWorld(closedRules),
    redactor: new Redactor(),
    now: () => 0,
    sliceEnds: 15 * 60_000,
    ...ports,
  });
}
const ends = (goal: FakeGoal): Json[] => goal.given.filter(([type]) => type === 'round.end').map(([, payload]) => payload);

describe('claiming', () => {
  it('passes on that it came again, and is done with what the Goal refuses', async () => {
    const goal = new FakeGoal(workerContext());
    goal.onClaim = () => ({ outcome: 'refused', refusal: refuse('round_superseded') });
    let ran = false;
    expect(
      await run(
        goal,
        async () => {
          ran = true;
        },
        { again: true },
      ),
    ).toEqual({ kind: 'done', why: 'round_superseded' });
    expect(goal.claims).toMatchObject([{ v: 1, workspace: 'w', goal: 'g', round: 'r1', fence: 1, runner: 'w/g/round/r1/1', again: true }]);
    expect([ran, goal.commands.length]).toEqual([false, 0]);
  });
  it('comes later where somebody else holds the lease', async () => {
    const goal = new FakeGoal(workerContext());
    goal.onClaim = () => ({ outcome: 'refused', refusal: refuse('already_claimed'), retryAfterMs: 12_000 });
    expect(await run(goal, async () => {})).toEqual({ kind: 'later', afterMs: 12_000 });
  });
  it('survives resets of the object', async () => {
    const goal = new FakeGoal(workerContext());
    goal.resets = 5;
    expect(await run(goal, async () => {})).toEqual({ kind: 'done', why: 'empty' });
    expect(goal.claims).toHaveLength(1);
  });
  it('throws when the Goal stays away, so that the Runner tries again', async () => {
    const goal = new FakeGoal(workerContext());
    goal.resets = 1000;
    await expect(run(goal, async () => {})).rejects.toThrow('reset');
  });
});

describe('a call', () => {
  it('is authorized before it runs, and its record travels with the next step and with the end', async () => {
    const goal = new FakeGoal(workerContext());
    const seen: CallReply[] = [];
    await run(goal, async (host) => {
      seen.push(await host.call('files.write', { path: 'a.txt', text: 'hi' }));
      seen.push(await host.call('files.read', { path: 'a.txt' }));
    });
    expect(goal.steps.map(({ n, last, next }) => [n, last?.call, next?.tool, next?.subject, next?.effect])).toEqual([
      [1, undefined, 'files.write', 'a.txt', 'record'],
      [2, 'r1/000001', 'files.read', 'a.txt', 'none'],
    ]);
    expect(seen.map((each) => each.value)).toMatchObject([{ path: 'a.txt', size: 2 }, { text: 'hi' }]);
    expect(ends(goal)).toMatchObject([{ outcome: 'handed_back', last: { call: 'r1/000002', ok: true } }]);
    const put = goal.commands[0];
    expect(put).toMatchObject({
      actor: { kind: 'round', round: 'r1', fence: 1, runner: 'w/g/round/r1/1' },
      envelope: { type: 'artifact.put', commandId: 'r1/000001:artifact.put:0' },
    });
  });
  it('of a tool that the lane has not is refused with the list, unseen by the Goal', async () => {
    const goal = new FakeGoal(workerContext());
    let reply: CallReply | undefined;
    await run(goal, async (host) => {
      reply = await host.call('plan.adopt', { proposal: 'p' });
    });
    expect(reply?.refusal).toMatchObject({ code: 'schema_invalid', errors: [{ pointer: '/tool', code: 'unknown_tool' }] });
    expect(reply?.refusal?.current).toMatchObject({ tools: expect.arrayContaining(['files.read']) });
    expect(goal.steps).toEqual([]);
  });
  it('with wrong arguments is refused with every place', async () => {
    const goal = new FakeGoal(workerContext());
    let reply: CallReply | undefined;
    await run(goal, async (host) => {
      reply = await host.call('ledger.record', { entries: [{ subject: '', verdict: 'x', reason: 'y', evidence: ['nonsense'] }] });
    });
    expect(reply?.refusal?.errors?.map((each) => each.pointer).sort()).toEqual(['/entries/0/evidence/0', '/entries/0/subject']);
    expect(goal.steps).toEqual([]);
  });
  it('runs with the arguments as the host resolved them, and a literal where a reference must stand is the host’s to refuse', async () => {
    const goal = new FakeGoal(workerContext());
    goal.onStep = (request) => go(request, { args: { invoice_id: 'A', amount: '5.00', account: 'X', currency: 'CNY' } });
    let reply: CallReply | undefined;
    await run(goal, async (host) => {
      reply = await host.call('bank.transfer', { invoice_id: 'A', amount: { $fact: 'invoice/A/amount' }, account: { $fact: 'invoice/A/bank_account' } });
    });
    expect(goal.steps[0]?.next).toMatchObject({
      tool: 'bank.transfer',
      effect: 'outside',
      subject: 'A',
      factOnly: ['/amount', '/account'],
      timeoutMs: 20_000,
      args: { amount: { $fact: 'invoice/A/amount' } },
      otherwise: 'ask',
    });
    expect(reply?.refusal).toMatchObject({ code: 'unavailable' });
  });
  it('that is refused gives the script the refusal and the notices, and the round goes on', async () => {
    const goal = new FakeGoal(workerContext());
    goal.onStep = (request) =>
      request.n === 1 ? { outcome: 'refused', refusal: refuse('non_goal_forbidden', { detail: 'ng1' }), notices: [{ kind: 'parked', subject: 'A' }] } : go(request);
    const seen: CallReply[] = [];
    await run(goal, async (host) => {
      seen.push(await host.call('files.list', {}), await host.call('files.list', {}));
    });
    expect(seen[0]).toEqual({ refusal: refuse('non_goal_forbidden', { detail: 'ng1' }), notices: [{ kind: 'parked', subject: 'A' }], call: '' });
    expect(seen[1]?.value).toBeDefined();
    expect(goal.steps[1]?.last).toBeUndefined();
  });
  it('calls made side by side go one after another', async () => {
    const goal = new FakeGoal(workerContext());
    let open = 0;
    let most = 0;
    goal.onCommand = () => {
      most = Math.max(most, ++open);
      open--;
      return applied({});
    };
    await run(goal, async (host) => Promise.all([1, 2, 3].map((n) => host.call('files.write', { path: `${n}.txt`, text: 'x' }))));
    expect(goal.steps.map((each) => each.last?.call)).toEqual([undefined, 'r1/000001', 'r1/000002']);
    expect(most).toBe(1);
  });
  it('keeps large arguments off the record and gives them to the tool', async () => {
    const goal = new FakeGoal(workerContext());
    const files = new MemoryFiles();
    const text = 'x'.repeat(BULK_CHARACTERS);
    await run(goal, async (host) => host.call('files.write', { path: 'a.txt', text }), { files });
    expect(goal.steps[0]?.next?.args).toEqual({ path: 'a.txt', text: { bulk: expect.stringMatching(/^[0-9a-f]{64}$/), characters: BULK_CHARACTERS + 2 } });
    expect([...files.stored.values()][0]?.length).toBe(BULK_CHARACTERS);
  });
  it('whose effect is known from before is not made again', async () => {
    const goal = new FakeGoal(workerContext());
    goal.onStep = (request) => go(request, { repeat: { outcome: 'succeeded' } });
    let reply: CallReply | undefined;
    await run(goal, async (host) => {
      reply = await host.call('supplier.update', { supplier_id: 'S', changes: {} });
    });
    expect(reply?.value).toEqual({ outcome: 'succeeded' });
    expect(goal.given.map(([type]) => type)).toEqual(['round.end']);
  });
});

describe('the end', () => {
  it('by submit is said once, and the script does not go on', async () => {
    const goal = new FakeGoal(workerContext());
    let after = false;
    expect(
      await run(goal, async (host) => {
        await host.call('files.write', { path: 'a.txt', text: 'x' });
        await host.call('submit', { artifacts: ['a.txt'], summary: 'done' });
        after = true;
      }),
    ).toEqual({ kind: 'done', why: 'submitted' });
    expect(goal.given.map(([type]) => type)).toEqual(['artifact.put', 'submission.submit']);
    expect(goal.given[1]?.[1]).toMatchObject({ item: 'a', artifacts: [{ path: 'a.txt', size: 1 }] });
    expect(after).toBe(false);
  });
  it('a submission that is refused leaves the round open', async () => {
    const goal = new FakeGoal(workerContext());
    goal.onCommand = ({ envelope }) => (envelope.type === 'submission.submit' ? { outcome: 'rejected', refusal: refuse('evidence_missing'), seq: 1 } : applied({}));
    let reply: CallReply | undefined;
    await run(goal, async (host) => {
      reply = await host.call('submit', { artifacts: [], summary: 'done' });
    });
    expect(reply?.refusal?.code).toBe('evidence_missing');
    expect(ends(goal)).toMatchObject([{ outcome: 'empty', last: { ok: false } }]);
  });
  it('of a script that throws is failed with its message', async () => {
    const goal = new FakeGoal(workerContext());
    await run(goal, async () => {
      throw new TypeError('bad row');
    });
    expect(ends(goal)).toEqual([{ outcome: 'failed', note: 'TypeError: bad row' }]);
  });
  it.each([
    ['goal_paused', 'interrupted'],
    ['goal_version_stale', 'interrupted'],
    ['limit_exceeded', 'handed_back'],
  ] as const)('stopped by the host for %s is said as %s', async (code, outcome) => {
    const goal = new FakeGoal(workerContext());
    goal.onStep = () => ({ outcome: 'ended', refusal: refuse(code) });
    let after = false;
    await run(goal, async (host) => {
      await host.call('files.list', {});
      after = true;
    });
    expect(ends(goal)).toMatchObject([{ outcome }]);
    expect(after).toBe(false);
  });
  it('by a fence that is not its own any more needs no saying', async () => {
    const goal = new FakeGoal(workerContext());
    goal.onStep = () => ({ outcome: 'ended', refusal: refuse('fence_stale') });
    expect(await run(goal, async (host) => host.call('files.list', {}))).toEqual({ kind: 'done', why: 'interrupted' });
    expect(goal.commands).toEqual([]);
  });
  it('waits where a person must approve', async () => {
    const goal = new FakeGoal(workerContext());
    goal.onStep = () => ({ outcome: 'waiting', wait: 'w1', notices: [] });
    await run(goal, async (host) => host.call('supplier.update', { supplier_id: 'S', changes: {} }));
    expect(ends(goal)).toEqual([{ outcome: 'waiting', note: 'w1' }]);
  });
  it('is handed back before a call that the slice has no time for', async () => {
    const goal = new FakeGoal(workerContext());
    await run(goal, async (host) => host.call('files.list', {}), { sliceEnds: CALL_TIMEOUT + SLICE_RESERVE - 1 });
    expect([goal.steps, ends(goal)]).toEqual([[], [{ outcome: 'handed_back', note: 'slice' }]]);
  });
  it('comes to a script that calls for ever', async () => {
    const goal = new FakeGoal(workerContext({ stepsPerRound: 25 }));
    await run(goal, async (host) => {
      for (;;) await host.call('files.list', {});
    });
    expect([goal.steps.length, ends(goal)]).toMatchObject([25, [{ outcome: 'handed_back', note: 'steps' }]]);
  });
  it('comes to a script that calls nonsense for ever', async () => {
    const goal = new FakeGoal(workerContext());
    await run(goal, async (host) => {
      for (;;) await host.call('nonsense', {});
    });
    expect(ends(goal)).toMatchObject([{ outcome: 'failed' }]);
  });
  it('of an agent without a model is failed with the reason', async () => {
    const goal = new FakeGoal(workerContext({ executor: { kind: 'agent', profile: 'worker' } }));
    await run(goal, async () => {});
    expect(ends(goal)).toMatchObject([{ outcome: 'failed', note: expect.stringContaining('no model') }]);
  });
  it('drops what was being written', async () => {
    const goal = new FakeGoal(workerContext());
    const files = new MemoryFiles();
    await run(
      goal,
      async (host) => {
        const { value } = await host.call('files.begin', { path: 'x.txt' });
        await host.call('files.append', { upload: (value as { upload: string }).upload, text: 'x'.repeat(2 * 1024 * 1024) });
      },
      { files },
    );
    expect([files.staged.size, files.stored.size]).toEqual([0, 0]);
  });
});

describe('children', () => {
  const three = { children: ['a', 'b'].map((name) => ({ name, brief: { part: name } })) };
  it('are admitted, and the round waits', async () => {
    const goal = new FakeGoal(workerContext());
    await run(goal, async (host) => host.call('subagents', three));
    expect(goal.given.map(([type]) => type)).toEqual(['subagent.spawn', 'round.end']);
    expect(ends(goal)).toMatchObject([{ outcome: 'waiting' }]);
  });
  it('that have all returned answer at once', async () => {
    const children = { a: { state: 'returned', ok: true, result: 1 }, b: { state: 'lost' } };
    const goal = new FakeGoal(workerContext({ children }));
    let reply: CallReply | undefined;
    await run(goal, async (host) => {
      reply = await host.call('subagents', three);
    });
    expect(reply?.value).toEqual({ children });
    expect(goal.given.map(([type]) => type)).toEqual(['round.end']);
  });
  it('only those that are missing are admitted', async () => {
    const goal = new FakeGoal(workerContext({ children: { a: { state: 'returned', ok: true, result: 1 } } }));
    await run(goal, async (host) => host.call('subagents', three));
    expect(goal.given[0]).toMatchObject(['subagent.spawn', { children: [{ name: 'b' }] }]);
  });
  const brief = { subagent: 's1', name: 'a', item: 'a', value: null };
  it('give what their script returns, and their round is over with it', async () => {
    const goal = new FakeGoal(workerContext({ brief }));
    await run(goal, async () => ({ ok: 1 }));
    expect(goal.given).toEqual([['subagent.return', { ok: true, result: { ok: 1 } }]]);
  });
  it('that throw give their failure to the parent', async () => {
    const goal = new FakeGoal(workerContext({ brief }));
    await run(goal, async () => {
      throw new Error('no');
    });
    expect(goal.given).toEqual([['subagent.return', { ok: false, result: { error: 'Error: no' } }]]);
  });
});

it('a script that computes long keeps its lease', async () => {
  const goal = new FakeGoal(workerContext());
  const { SkillScriptExecutor } = await import('./executors/skill-script.ts');
  const { Session } = await import('./session.ts');
  let clock = 0;
  let tick: () => void = () => {};
  let finished: () => void = () => {};
  const session = new Session(goal.context, 'me', {
    goal: goal.calls(),
    files: new MemoryFiles(),
    services: {},
    world: fixedWorld(closedRules),
    redactor: new Redactor(),
    now: () => clock,
    sliceEnds: 900_000,
  });
  const executor = new SkillScriptExecutor(
    sandboxOf(() => new Promise<void>((resolve) => (finished = resolve))),
    { skill: 's', script: 'x.js' },
    (ms, work) => {
      expect(ms).toBe(10_000);
      tick = work;
      return () => {};
    },
  );
  const running = executor.run(session);
  clock = 9_000;
  tick();
  clock = 10_000;
  tick();
  await Promise.resolve();
  expect(goal.steps).toMatchObject([{ round: 'r1', fence: 1, runner: 'me' }]);
  expect(goal.steps[0]).not.toHaveProperty('next');
  clock = 900_000 - SLICE_RESERVE / 2 + 1;
  tick();
  expect(await session.over).toMatchObject({ outcome: 'handed_back', note: 'slice' });
  finished();
  await running;
});

describe('secrets', () => {
  const canary = 'CANARY-5f0e9c1b7a/+x';
  const forms = [
    canary,
    Buffer.from(canary).toString('base64'),
    encodeURIComponent(canary),
    Buffer.from(`user:${canary}`).toString('base64url'),
    JSON.stringify(canary).slice(1, -1),
  ];
  const leaks = (value: unknown) => forms.filter((form) => JSON.stringify(value).includes(form));
  /** A server that gives back in every form whatever it was sent. */
  const echo = (async (_url: string, init: RequestInit) => {
    const sent = new Headers(init.headers).get('authorization') ?? '';
    const key = sent.replace(/^Bearer /, '');
    return Response.json({
      sent,
      forms: [Buffer.from(key).toString('base64'), encodeURIComponent(key), Buffer.from(`user:${key}`).toString('base64url'), key],
      body: String(init.body ?? ''),
    });
  }) as typeof fetch;
  const world = (allow: string[] | null = ['api.test']) => fixedWorld({ ...closedRules, allow }, { secrets: { erp: canary }, send: echo });
  const redactor = () => {
    const made = new Redactor();
    made.add(canary, 'erp');
    return made;
  };
  const reference = { $secret: 'erp', prefix: 'Bearer ' };

  it('are resolved when the call is sent, and nothing of them reaches the record or the agent', async () => {
    const goal = new FakeGoal(workerContext());
    goal.onStep = (request) => go(request, request.next?.effect === 'outside' ? { permit: { effect: 'eff1', nonce: 'n', key: 'k1', sendWithin: 10_000, timeout: 5000 } } : {});
    const seen: CallReply[] = [];
    await run(
      goal,
      async (host) => {
        seen.push(await host.call('http.request', { url: 'https://api.test/x', headers: { authorization: reference } }));
        seen.push(await host.call('http.request', { url: 'https://api.test/x', method: 'POST', headers: { authorization: reference }, json: { a: 1, key: { $secret: 'erp' } } }));
        // What it saw of the answer, written down by an agent that was told to.
        await host.call('message.post', { text: `the key is ${forms.join(' ')}` });
        throw new Error(`I have ${canary}`);
      },
      { world: world(), redactor: redactor(), now: Date.now, sliceEnds: Date.now() + 900_000 },
    );
    expect(seen.map((reply) => reply.refusal?.code ?? 'ok')).toEqual(['ok', 'ok']);
    expect(JSON.stringify(seen)).toContain('[redacted:erp]');
    expect(leaks(seen)).toEqual([]);
    expect(goal.steps.map((step) => step.next?.args)).toMatchObject([
      { headers: { authorization: reference } },
      { headers: { authorization: reference }, json: { key: { $secret: 'erp' } } },
      {},
    ]);
    expect(leaks([goal.steps, goal.commands])).toEqual([]);
    expect(ends(goal)).toMatchObject([{ outcome: 'failed', note: expect.stringContaining('[redacted:erp]') }]);
  });
  it('go only to hosts that the workspace named', async () => {
    const goal = new FakeGoal(workerContext());
    const seen: CallReply[] = [];
    await run(
      goal,
      async (host) => {
        seen.push(await host.call('http.request', { url: 'https://api.test/x' }));
        seen.push(await host.call('http.request', { url: 'https://api.test/x', headers: { authorization: reference } }));
      },
      { world: world(null), redactor: redactor() },
    );
    expect(seen.map((reply) => reply.refusal?.errors?.[0]?.code ?? 'ok')).toEqual(['ok', 'not_allowed_host']);
  });
  it.each([
    ['in a tool that takes none', 'message.post', { text: { $secret: 'erp' } }, '/text'],
    ['in another place of the call', 'http.request', { url: { $secret: 'erp' } }, '/url'],
    ['that are no reference', 'http.request', { url: 'https://api.test/', headers: { a: { $secret: 'erp', more: 1 } } }, '/headers/a'],
  ])('%s are refused before the host is asked', async (_what, tool, args, pointer) => {
    const goal = new FakeGoal(workerContext());
    let reply: CallReply | undefined;
    await run(goal, async (host) => (reply = await host.call(tool, args as Json)), { world: world(), redactor: redactor() });
    expect(reply?.refusal).toMatchObject({ code: 'schema_invalid', errors: [{ pointer }] });
    expect(goal.steps).toEqual([]);
  });
  it('that a fact smuggles in stay references', async () => {
    const goal = new FakeGoal(workerContext());
    goal.onStep = (request) => go(request, { args: { ...(request.next?.args as object), headers: { authorization: { $secret: 'erp' } } } });
    let reply: CallReply | undefined;
    await run(goal, async (host) => (reply = await host.call('http.request', { url: 'https://api.test/', headers: { authorization: { $fact: 'a' } } })), {
      world: world(),
      redactor: redactor(),
    });
    expect(reply?.refusal).toMatchObject({ code: 'schema_invalid', errors: [{ pointer: '/headers/authorization', code: 'secret_reference' }] });
  });
  it('that cannot be opened are refused by name, and nothing is sent', async () => {
    const goal = new FakeGoal(workerContext());
    goal.onStep = (request) => go(request, { permit: { effect: 'eff1', nonce: 'n', key: 'k1', sendWithin: 10_000, timeout: 5000 } });
    let reply: CallReply | undefined;
    await run(goal, async (host) => (reply = await host.call('http.request', { url: 'https://api.test/', method: 'POST', headers: { a: { $secret: 'none' } } })), {
      world: world(),
    });
    expect(reply?.refusal).toMatchObject({ code: 'setting_missing', errors: [{ pointer: '/headers/a', detail: 'none' }] });
    expect(goal.given).toContainEqual(['effect.settle', expect.objectContaining({ outcome: 'failed' })]);
  });
  it('keys that nobody added are taken out by their shape', async () => {
    const goal = new FakeGoal(workerContext());
    await run(goal, async (host) => void (await host.call('message.post', { text: 'use AKIAIOSFODNN7EXAMPLE' })));
    expect(JSON.stringify(goal.steps)).toContain('[redacted:aws key]');
    expect(JSON.stringify([goal.steps, goal.commands])).not.toContain('AKIAIOSF');
  });
});
