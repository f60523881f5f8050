/**
 * Agents of every kind, as scripts in the place of a sandbox. What an agent is depends on the seed and on what it carries, never on when it runs.
 * The stale one keeps its fence and goes around its session: what a real program could do that holds a capability too long.
 */
import type { CommandType } from '../../worker/domain/commands.ts';
import type { Refusal } from '../../worker/domain/refusals.ts';
import type { Json } from '../../worker/domain/values.ts';
import type { RoundContext } from '../../worker/goal/rpc.ts';
import type { ScriptJob } from '../../worker/rounds/sandbox/sandbox.ts';
import type { AgentKind } from '../coverage.ts';
import { agentKinds } from '../coverage.ts';
import type { Process } from '../kernel/loop.ts';
import { below, chance } from '../kernel/random.ts';
import type { GoalHost } from '../parts/goal-host.ts';
import type { World } from '../world.ts';
import { planOf, taskOf } from './plans.ts';

interface Reply {
  value?: Json;
  refusal?: Refusal;
  call: string;
}

interface Play {
  world: World;
  host: GoalHost;
  context: RoundContext;
  call(tool: string, args?: Json): Promise<Reply>;
  kind: AgentKind;
  process: Process;
}

export async function play(world: World, host: GoalHost, job: ScriptJob, process: Process): Promise<Json> {
  const context = job.input as unknown as RoundContext;
  const kind = kindOf(world, context);
  world.cover('agent', kind);
  world.say(`${process.name}: ${context.lane} ${context.purpose ?? context.target}, fence ${context.fence}, ${kind}`);
  const call = async (tool: string, args: Json = {}) => (await job.call(tool, args)) as unknown as Reply;
  const round: Play = { world, host, context, call, kind, process };
  switch (kind) {
    case 'silent':
      return new Promise<Json>(() => {});
    case 'circling':
      for (let n = 0; n < 30; n++) await call('facts.get', { key: `nothing/${context.target}`, about: chance(50, world.script.seed, 'about', context.round) ? 's0' : 'the same' });
      return null;
    case 'greedy':
      for (let n = 0; n < 3; n++) await call('tasks.set', { tasks: [{ text: `think ${n}`, done: true }] });
      if (chance(40, world.script.seed, 'throws', context.item?.attempt ?? context.target)) throw new Error('out of tokens');
      await call('hand_back', { note: 'more rounds please' });
      return null;
    case 'stale':
      stayBehind(round);
      break;
    case 'early':
      if (context.lane === 'worker' && !context.brief) {
        await call('submit', { artifacts: [], summary: 'done, trust me' });
        await call('goal.complete', {});
        return 'done';
      }
      if (context.lane === 'coordinator' && context.purpose !== 'audit') {
        await call('plan.propose', { document: { mode: 'bound', items: [] } });
        askTwice(round);
        await call('goal.audit', { classes: [] });
        await call('finish', {});
        return 'done';
      }
      break;
  }
  if (context.brief) {
    if (kind !== 'honest' && chance(40, world.script.seed, 'child', context.round)) throw new Error('the child gives up');
    return { done: context.brief.name };
  }
  if (context.lane === 'worker') return work(round);
  return context.lane === 'reviewer' ? review(round) : coordinate(round);
}

function kindOf(world: World, context: RoundContext): AgentKind {
  const { seed, shape } = world.script;
  const what = context.item?.attempt ?? context.round;
  if (world.calm || !chance(shape.bad, seed, 'bad', what)) return 'honest';
  return agentKinds[1 + below(agentKinds.length - 1, seed, 'kind', what)] ?? 'honest';
}

async function work(round: Play): Promise<Json> {
  const { world, host, context, call, kind } = round;
  const { item } = context;
  if (!item) return null;
  const { key } = item;
  const task = taskOf(world.script, key);
  const { seed } = world.script;
  if (task.children)
    await call('subagents', {
      children: [
        { name: 'one', brief: { part: 1 } },
        { name: 'two', brief: { part: 2 } },
      ],
    });
  if (task.asks) {
    const fact = await call('facts.get', { key: `answer/${key}` });
    if (fact.refusal)
      await call('block', {
        key: `q-${key}`,
        reason: 'Which one?',
        form: { type: 'object', properties: { choice: { type: 'string' } }, required: ['choice'] },
        fact: `answer/${key}`,
      });
  }
  const external = `ext-${key}`;
  const known = world.watchOf(host).state;
  if (task.waits && !context.brief && known.signals[external] === undefined && !known.generations[external]) return awaitSignal(round, external);
  const up = context.upstream[0];
  if (up && chance(20, seed, 'finds a fault', key) && item.attemptNumber === 1) {
    await call('acceptance.invalidate', { item: up.item, scene: { summary: `${key} found a fault in ${up.submission}` } });
  }
  const from = (await call('files.list', {})).call;
  await call('ledger.record', {
    entries: ['s0', `s-${key}`].map((subject) => ({
      subject,
      milestone: 'm',
      verdict: 'fine',
      reason: `of ${key}`,
      evidence: [`fact:of/${subject}`],
      facts: [{ key: `of/${subject}`, value: subject, provenance: { from: 'call', call: from } }],
    })),
  });
  if (chance(15, seed, 'parks', key)) await call('review_list.add', { entries: [{ subject: `p-${key}`, milestone: 'm', note: 'ask' }] });
  if (chance(20, seed, 'bank', key)) await call('bank.transfer', { from_account: { $fact: 'of/s0' }, to_account: { $fact: 'of/s0' }, amount: { $fact: 'of/s0' }, currency: 'EUR' });
  if (task.effect === 'supplier') {
    const args = { supplier_id: `of-${key}`, changes: { name: `name of ${key}` } };
    let sent = await call('supplier.update', args);
    if (kind === 'repeating') for (let n = 0; n < 3; n++) sent = await call('supplier.update', args);
    if (sent.refusal?.code === 'effect_unknown') await call('block', { key: `effect-${key}`, reason: 'Did it happen?', form: { type: 'object' } });
  }
  const good = kind === 'honest' || chance(50, seed, 'good', item.attempt);
  await call('files.write', { path: `${key}.txt`, text: `${good ? 'good' : 'bad'} ${key} ${item.attemptNumber} ${context.upstream.map((each) => each.submission).join(' ')}` });
  if (kind === 'self-reviewing') await call('review.record', { verdict: 'accepted', criteria: [{ id: 'c1', met: true }] });
  const delivery = { artifacts: [`${key}.txt`], summary: `${good ? 'good' : 'bad'} work, try ${item.attemptNumber}` };
  await call('submit', { ...delivery, claims: item.covers.map((criterion) => ({ criterion, evidence: [`file:${key}.txt`] })) });
  // What it cited may have been found wrong meanwhile.
  await call('submit', delivery);
  return 'not submitted';
}

async function review(round: Play): Promise<Json> {
  const { context, call, kind, world } = round;
  const { submission } = context;
  if (!submission) return null;
  const met = [...submission.criteria.map((criterion) => criterion.id), 'c1'].map((id) => ({ id, met: true }));
  if (kind === 'self-reviewing' || kind === 'early') {
    const verdict = below(3, world.script.seed, 'verdict', context.round);
    if (verdict === 0) await call('review.record', { verdict: 'cannot_judge' });
    if (verdict === 1) await call('review.record', { verdict: 'rejected', scene: { summary: `no, says ${context.round}` } });
  }
  if (submission.summary.startsWith('good')) await call('review.record', { verdict: 'accepted', criteria: [...new Map(met.map((each) => [each.id, each])).values()] });
  else
    await call('review.record', {
      verdict: 'changes_requested',
      scene: { summary: kind === 'greedy' || chance(30, world.script.seed, 'same', context.target) ? 'bad again' : `bad: ${submission.id}` },
    });
  return null;
}

async function coordinate(round: Play): Promise<Json> {
  const { world, host, context, call } = round;
  const state = world.watchOf(host).state;
  if (context.purpose === 'audit') {
    await call('goal.audit', { classes: [] });
    return null;
  }
  const { question } = context;
  if (question) {
    world.cover('reached', 'a question looked at by a coordinator');
    const answer = { blocker: question.id, answer: { choice: 'this one' }, evidence: ['contract:objective', `fact:answer/${question.item}`], because: 'as agreed' };
    // By its seed it knows, passes it on, or says nothing. What it cites first is not there yet.
    const way = below(4, world.script.seed, 'routes', context.round);
    if (way > 1) await call('blocker.resolve', answer);
    if (way > 1) await call('blocker.resolve', { ...answer, evidence: ['contract:objective'] });
    if (way === 1) await call('blocker.pass', { blocker: question.id, why: 'the record is silent', question: 'Which one of the two?', recommended: { choice: 'this one' } });
    await call('hand_back', {});
    return null;
  }
  if (context.purpose === 'work') {
    const from = (await call('files.list', {})).call;
    await call('ledger.record', {
      entries: [
        {
          subject: 's0',
          milestone: 'm',
          verdict: 'fine',
          reason: 'of the goal',
          evidence: ['fact:of/s0'],
          facts: [{ key: 'of/s0', value: 's0', provenance: { from: 'call', call: from } }],
        },
      ],
    });
    if (taskOf(world.script, 'goal').effect === 'supplier') await call('supplier.update', { supplier_id: 'of-goal', changes: { name: 'name of the goal' } });
    await call('files.write', { path: 'out.txt', text: `good ${context.goalVersion}` });
    await call('finish', {});
    return null;
  }
  for (const item of Object.values(state.items)) {
    if (item.stop) await call('work.resume', { item: item.key });
    if (item.verdict?.verdict === 'rejected' && !item.verdict.decided) await call('work.assign', { item: item.key });
  }
  if (context.purpose && ['plan', 'upstream', 'replan', 'uncovered'].includes(context.purpose)) {
    const sealed = await call('plan.propose', { document: planOf(world.script, context.purpose === 'plan' ? 0 : context.fence) });
    const proposal = (sealed.value as { proposal?: string } | undefined)?.proposal;
    if (proposal) await call('plan.adopt', { proposal });
  }
  return null;
}

/** Ends the round until something outside has happened. No tool does that yet: the command is the program's own. */
async function awaitSignal({ host, context, process }: Play, correlation: string): Promise<Json> {
  const actor = { kind: 'round' as const, round: context.round, fence: context.fence, runner: `${host.name}/round/${context.round}/${context.fence}` };
  const wait = { kind: 'external', correlation, dueInMs: 100_000, reason: 'something outside' };
  await host.stub(process).command({ ...host.door, actor, envelope: { type: 'round.end', commandId: 'wait', expected: {}, payload: { outcome: 'waiting', wait }, dryRun: false } });
  return null;
}

/** The same refused command under the same id: each time it is judged anew. */
function askTwice({ host, context }: Play): void {
  const actor = { kind: 'round' as const, round: context.round, fence: context.fence, runner: `${host.name}/round/${context.round}/${context.fence}` };
  const stub = host.stub(null);
  const ask = () =>
    stub.command({ ...host.door, actor, envelope: { type: 'plan.propose', commandId: 'twice', expected: {}, payload: { document: { mode: 'bound', items: [] } }, dryRun: false } });
  void ask()
    .then(ask)
    .catch(() => {});
}

/** Long after its lease, somebody still holds this fence and says what it can. */
function stayBehind(round: Play): void {
  const { world, host, context, process } = round;
  const { loop } = world;
  const runner = `${host.name}/round/${context.round}/${context.fence}`;
  const actor = { kind: 'round' as const, round: context.round, fence: context.fence, runner };
  const stub = host.stub(null);
  process.stallsUntil = loop.now + 33_000 + below(60_000, world.script.seed, 'stale', context.round);
  let n = 0;
  const say = (type: CommandType, payload: Json) =>
    void stub.command({ ...host.door, actor, envelope: { type, commandId: `stale:${context.fence}:${++n}`, expected: {}, payload, dryRun: false } }).then(
      (answer) => world.say(`    stale ${type}: ${answer.outcome === 'rejected' ? answer.refusal.code : answer.outcome}`),
      () => {},
    );
  // A twin that was handed an earlier dispatch of the same round.
  void stub
    .command({
      ...host.door,
      actor: { ...actor, fence: context.fence - 1 },
      envelope: { type: 'tasks.set', commandId: 'twin', expected: {}, payload: { tasks: [{ text: 'mine too', done: false }] }, dryRun: false },
    })
    .catch(() => {});
  for (const ms of [31_000, 45_000, 80_000, 120_000]) {
    loop.after(ms, null, () => {
      if (world.over) return;
      const { item, submission } = context;
      if (item) {
        say('submission.submit', { item: item.key, artifacts: [], summary: 'good work of the past' });
        say('attempt.end', { item: item.key, outcome: 'failed' });
        say('work.block', { item: item.key, key: `late-${item.key}`, reason: 'late', form: { type: 'object' } });
      } else if (submission) say('review.record', { submission: submission.id, digest: submission.digest, verdict: 'accepted', criteria: [{ id: 'c1', met: true }] });
      else say('goal.audit', { classes: [] });
      // It holds the permit, and may say late what became of it.
      const effect = world.watchOf(host).events.findLast((event) => event.type === 'effect.planned' && event.via === context.round);
      if (effect?.type === 'effect.planned') {
        const { id, key, nonce } = effect.effect;
        say('effect.settle', { effect: id, nonce: 'a guess', outcome: 'succeeded' });
        if (world.outside.applied.has(key)) say('effect.settle', { effect: id, nonce, outcome: 'succeeded' });
      }
      say('usage.record', { tokens: 10 });
      say('subagent.return', { ok: true, result: { late: true } });
      say('round.end', { outcome: 'handed_back' });
      void stub
        .step({
          ...host.door,
          round: context.round,
          fence: context.fence,
          runner,
          n: 900,
          next: { tool: 'facts.get', args: { key: 'x' }, subject: 'x', effect: 'none', factOnly: [] },
        })
        .catch(() => {});
    });
  }
}
