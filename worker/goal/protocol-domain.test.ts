/** The protocol with the real core: a whole goal over the ports, and the same with the object killed before and after each of its writes. */
import { describe, expect, test } from 'vitest';
import type { CommandType } from '../domain/commands.ts';
import type { Actor, Row } from '../domain/context.ts';
import { defaultLimits } from '../domain/contract/contract.ts';
import { fold } from '../domain/evolve.ts';
import { emptyState, type State } from '../domain/state.ts';
import type { Json } from '../domain/values.ts';
import { domainCore } from './domain-core.ts';
import { checkForm } from './form.ts';
import { Crash } from './memory-store.ts';
import type { DispatchMessage } from './ports.ts';
import type { CommandAnswer, RoundContext } from './rpc.ts';
import { Bench, door, person } from './testing/bench-top.ts';

const skill = (script: string) => ({ kind: 'skill', skill: 'demo', script });
const owner: Actor = { kind: 'person', principal: 'person:ada', scopes: ['goals:read', 'goals:write', 'work:review', 'work:submit', 'approvals:decide'] };
const create: Json = {
  mode: 'bound',
  confirmed: true,
  lanes: { coordinator: skill('plan.js'), reviewers: [skill('review.js')] },
  contract: { title: 'T', objective: 'Do it', criteria: [{ id: 'c1', text: 'done', verify: 'review' }] },
};
const plan: Json = {
  mode: 'bound',
  items: [
    { key: 'a', title: 'A', executor: skill('a.js'), review: [{ by: 'checks' }, { by: 'agent' }], covers: ['c1'] },
    { key: 'b', title: 'B', executor: skill('b.js'), dependsOn: [{ key: 'a' }] },
  ],
};

/** Kills the object at its `n`th transaction, before or after it is durable. */
interface Fault {
  n: number;
  when: 'before' | 'after';
}

class Run {
  readonly bench = new Bench(domainCore, { form: checkForm });
  writes = 0;
  crashes = 0;
  reviews = 0;
  readonly #fault: Fault | undefined;

  constructor(fault?: Fault) {
    this.#fault = fault;
    this.#arm();
  }

  async toTheEnd(): Promise<State> {
    await this.give(owner, 'goal.create', create, 'create');
    const done = new Set<string>();
    for (let turn = 0; turn < 400; turn++) {
      await this.bench.pass(500);
      this.revive();
      const status = await this.status();
      if (status === 'completed') return this.state();
      const message = this.bench.sent.find((each) => !done.has(JSON.stringify(each)));
      if (!message) continue;
      done.add(JSON.stringify(message));
      await this.round(message);
    }
    throw new Error(`not completed: ${JSON.stringify(await this.bench.protocol.read({ ...door, query: { what: 'next' } }))}`);
  }

  state(): State {
    return fold(emptyState(defaultLimits), this.bench.store.events(0, 100_000));
  }

  async status(): Promise<string> {
    const answer = await this.bench.protocol.read({ ...door, query: { what: 'goal' } });
    return answer.outcome === 'found' ? (answer.value as { bar: { status: string } }).bar.status : answer.refusal.code;
  }

  revive(): void {
    if (!this.bench.store.dead) return;
    this.crashes++;
    this.bench.restart();
  }

  async give(actor: Actor, type: CommandType, payload: Json, commandId: string): Promise<CommandAnswer> {
    for (let attempt = 0; ; attempt++) {
      const answer = await this.bench.protocol.command({ ...door, actor, envelope: { type, commandId, expected: {}, payload, dryRun: false } });
      if (answer.outcome !== 'unknown' || attempt > 3) return answer;
      this.revive();
    }
  }

  async round(message: DispatchMessage): Promise<void> {
    if (message.kind !== 'round') throw new Error('no check runs outside here');
    const runner = `runner:${message.round}`;
    for (let attempt = 0; attempt < 3; attempt++) {
      const answer = await this.bench.protocol.claim({ ...door, round: message.round, fence: message.fence, runner, again: false });
      this.revive();
      if (answer.outcome === 'granted') return this.act(answer.context, { kind: 'round', round: message.round, fence: message.fence, runner });
      if (answer.refusal.code !== 'unavailable') return;
    }
  }

  async act(context: RoundContext, actor: Actor & { kind: 'round' }): Promise<void> {
    const give = async (type: CommandType, payload: Json): Promise<Json> => {
      const answer = await this.give(actor, type, payload, type);
      if (answer.outcome !== 'applied') throw new Error(`${type} in ${context.lane} ${context.purpose ?? ''}: ${JSON.stringify(answer)}`);
      return answer.result;
    };
    if (context.lane === 'coordinator' && context.purpose === 'plan') {
      const { proposal } = (await give('plan.propose', { document: plan })) as { proposal: string };
      await give('plan.adopt', { proposal });
      await give('round.end', { outcome: 'handed_back' });
    } else if (context.lane === 'coordinator') {
      await give('goal.audit', { classes: [] });
    } else if (context.lane === 'worker') {
      for (let n = 1; n <= 3; n++) {
        const ask = () =>
          this.bench.protocol.step({
            ...door,
            round: context.round,
            fence: context.fence,
            runner: actor.runner,
            n,
            ...(n > 1 ? { last: { call: `${context.round}/${n - 1}`, ok: true, summary: 'read' } } : {}),
            next: { tool: 'files.read', args: { n }, subject: `file ${n}`, effect: 'none', factOnly: [] },
          });
        let answer = await ask();
        if (this.bench.store.dead) {
          this.revive();
          answer = await ask();
        }
        expect(answer).toMatchObject({ outcome: 'go' });
      }
      await give('submission.submit', {
        item: context.item?.key ?? '',
        artifacts: [{ path: 'x.txt', digest: 'a'.repeat(64), size: 1 }],
        summary: `attempt ${context.item?.attemptNumber}`,
      });
    } else {
      const { submission } = context;
      const first = this.reviews++ === 0;
      await give('review.record', {
        submission: submission?.id ?? '',
        digest: submission?.digest ?? '',
        verdict: first ? 'changes_requested' : 'accepted',
        criteria: [{ id: 'c1', met: !first }],
        ...(first ? { scene: { summary: 'cell B2 is garbled' } } : {}),
      });
    }
  }

  #arm(): void {
    const count = (when: Fault['when']) => () => {
      if (when === 'before') this.writes++;
      if (this.#fault && this.#fault.when === when && this.#fault.n === this.writes) throw new Crash(`${when} write ${this.writes}`);
    };
    const hooks = { beforeWrite: count('before'), afterWrite: count('after') };
    this.bench.hooks = hooks;
  }
}

/** What the record says, without times. */
function outcomeOf(run: Run): Json {
  const rows = (kind: Row['kind']) => run.bench.store.rows(kind, {}).map((row) => row.data as { [key: string]: Json });
  return {
    attempts: rows('attempt').map((row) => [row.item ?? null, row.number ?? null, row.state ?? null]),
    submissions: rows('submission').map((row) => [row.item ?? null, row.number ?? null]),
    verdicts: rows('acceptance').map((row) => [row.item ?? null, row.verdict ?? null, row.live ?? null]),
    calls: rows('call').length,
  };
}

describe('a goal over the protocol', () => {
  test('runs from its contract to completion, and the book holds every image', async () => {
    const run = new Run();
    const state = await run.toTheEnd();
    expect(state.completions).toHaveLength(1);
    await run.bench.pass(5000);
    expect(run.bench.warnings).toEqual([]);
    const images = new Map(run.bench.batches.flatMap((batch) => batch.rows).map((row) => [`${row.kind}/${row.id}`, row]));
    for (const row of run.bench.store.allRows().filter((each) => each.kind !== 'call')) expect(images.get(`${row.kind}/${row.id}`)).toEqual(row);
    expect(run.bench.store.leases()).toEqual([]);
    expect(run.bench.store.alarm).toBeNull();
  });

  test('a process that opens it finds what the one before had', async () => {
    const run = new Run();
    await run.toTheEnd();
    const before = await run.bench.protocol.read({ ...door, query: { what: 'goal' } });
    const graph = await run.bench.protocol.read({ ...door, query: { what: 'graph' } });
    run.bench.restart();
    expect(await run.bench.protocol.read({ ...door, query: { what: 'goal' } })).toEqual(before);
    expect(await run.bench.protocol.read({ ...door, query: { what: 'graph' } })).toEqual(graph);
    expect(await run.bench.protocol.read({ ...door, query: { what: 'item', item: 'a' } })).toMatchObject({
      outcome: 'found',
      value: { submissions: [{ number: 1 }, { number: 2 }] },
    });
  });

  test('killed before and after any of its writes, it comes to the same record', async () => {
    const clean = new Run();
    await clean.toTheEnd();
    const expected = outcomeOf(clean);
    for (let n = 1; n <= clean.writes; n++) {
      for (const when of ['before', 'after'] as const) {
        const run = new Run({ n, when });
        await run.toTheEnd();
        await run.bench.pass(1000);
        run.revive();
        expect({ n, when, crashes: run.crashes, outcome: outcomeOf(run) }).toEqual({ n, when, crashes: 1, outcome: expected });
      }
    }
  }, 60_000);

  test('says what may be given next where that is asked for, from the state after the command; and where nobody asks it is not worked out', async () => {
    const run = new Run();
    await run.give(owner, 'goal.create', create, 'create');
    const given = (commandId: string, type: CommandType, more: object) =>
      run.bench.protocol.command({ ...door, actor: owner, envelope: { type, commandId, expected: {}, payload: {}, dryRun: false }, ...more });
    const paused = await given('p', 'goal.pause', { tellNext: true });
    expect(paused.outcome === 'applied' && paused.allowedNext).toEqual(expect.arrayContaining(['goal.resume', 'goal.cancel', 'message.post']));
    expect(paused.outcome === 'applied' && paused.allowedNext).not.toContain('goal.pause');
    const resumed = await given('r', 'goal.resume', {});
    expect(resumed).not.toHaveProperty('allowedNext');
  });

  test('a person cannot give what only the host or a round may', async () => {
    const run = new Run();
    await run.give(owner, 'goal.create', create, 'create');
    expect(await run.give(person, 'clock.tick', {}, 't')).toMatchObject({ outcome: 'rejected', refusal: { code: 'forbidden' } });
    expect(await run.give({ kind: 'round', round: 'nobody', fence: 1, runner: 'x' }, 'round.end', { outcome: 'empty' }, 'e')).toMatchObject({ outcome: 'rejected' });
  });
});
