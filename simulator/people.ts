/** People: what they do in the middle of it, and the honest owner who does what is asked once faults have ceased. */
import type { CommandType, Expected } from '../worker/domain/commands.ts';
import { type Actor, scopes } from '../worker/domain/context.ts';
import { nextOf } from '../worker/domain/continuation/next.ts';
import type { RowData } from '../worker/domain/row-data.ts';
import type { Json } from '../worker/domain/values.ts';
import { askedDecisions } from '../worker/domain/views/evidence-view.ts';
import { lookupOf } from '../worker/goal/lookup.ts';
import type { CommandAnswer } from '../worker/goal/rpc.ts';
import { contractOf, lanesOf, planOf, spendable } from './agents/plans.ts';
import type { PersonAct } from './faults.ts';
import { Process } from './kernel/loop.ts';
import type { GoalHost } from './parts/goal-host.ts';
import type { World } from './world.ts';

const person = (name: string): Actor => ({ kind: 'person', principal: `person:${name}`, scopes });
const ada = person('ada');
const bob = person('bob');

export class People {
  readonly #world: World;
  readonly #host: GoalHost;
  readonly #browser = new Process('browser');
  #commands = 0;
  #versions = 0;

  constructor(world: World, host: GoalHost) {
    this.#world = world;
    this.#host = host;
  }

  get #state() {
    return this.#world.watchOf(this.#host).state;
  }

  create(): Promise<CommandAnswer | undefined> {
    const { script } = this.#world;
    const { mode, rounds } = script.shape;
    const more = mode === 'graph_only' ? { title: 'A graph', limits: { rounds, stepsPerRound: 60, ...spendable(script) } } : { contract: contractOf(script, 0) };
    return this.#give(ada, 'goal.create', { mode, confirmed: true, lanes: lanesOf(script), ...more } as unknown as Json);
  }

  /** As a client does: the same id again until there is a clear answer. */
  async #give(actor: Actor, type: CommandType, payload: Json, expected: Expected = {}, reason?: string, commandId = `p${++this.#commands}`): Promise<CommandAnswer | undefined> {
    const stub = this.#host.stub(this.#browser);
    for (let n = 0; n < 8; n++) {
      try {
        const answer = await stub.command({ ...this.#host.door, actor, envelope: { type, commandId, expected, payload, dryRun: false, ...(reason ? { reason } : {}) } });
        if (answer.outcome === 'unknown' || (answer.outcome === 'rejected' && answer.refusal.code === 'unavailable')) throw new Error('ask again');
        this.#world.say(
          `${'principal' in actor ? actor.principal : actor.kind}: ${type} ${JSON.stringify(payload).slice(0, 120)} -> ${answer.outcome === 'rejected' ? `${answer.refusal.code} ${answer.refusal.detail ?? ''}` : answer.outcome}`,
        );
        return answer;
      } catch {
        await this.#world.loop.sleep(300 * (n + 1), this.#browser);
      }
    }
    return undefined;
  }

  /** One act of a person, sensible or not. `stale`: on versions that were read before the last change. */
  act(act: PersonAct, n: number, stale: boolean): void {
    const state = this.#state;
    const pick = <T>(list: T[]): T | undefined => (list.length === 0 ? undefined : list[n % list.length]);
    const item = pick(Object.values(state.items));
    const off = stale ? -1 : 0;
    const expected = (of = item) => ({ goalVersion: state.goalVersion + off, planRevision: (state.plan?.revision ?? 0) + off, ...(of ? { itemVersion: of.version + off } : {}) });
    const goal = { goalVersion: state.goalVersion + off };
    const submitted = pick(Object.values(state.items).filter((each) => each.submission));
    const { script } = this.#world;
    const reason = 'a person says so';
    this.#world.cover('person', act);
    switch (act) {
      case 'pause':
        return void this.#give(ada, 'goal.pause', {})
          .then(() => this.#world.loop.sleep(20_000, null))
          .then(() => this.#give(ada, 'goal.resume', {}));
      case 'resume':
        return void this.#give(ada, 'goal.resume', {});
      case 'revise':
        return void this.#give(ada, 'goal.revise', { contract: contractOf(script, ++this.#versions), lanes: lanesOf(script) as unknown as Json }, goal, reason);
      case 'cancel':
        return void (n % 4 === 0 && this.#give(ada, 'goal.cancel', {}));
      case 'raise budget':
        return void this.#give(ada, 'goal.setLimits', { limits: { rounds: state.limits.rounds + 20, ...(script.shape.models ? this.#more() : {}) } }, goal);
      case 'cut budget':
        return void this.#give(
          ada,
          'goal.setLimits',
          { limits: { rounds: Math.max(1, state.budget.rounds), ...(script.shape.models ? { tokens: state.budget.tokens } : {}) } },
          goal,
        );
      case 'answer':
      case 'withdraw': {
        const blocker = pick(Object.keys(state.blockers));
        if (blocker === undefined) return;
        return void (act === 'answer' ? this.#give(ada, 'blocker.resolve', { blocker, answer: this.#answerTo(blocker) }) : this.#give(ada, 'blocker.withdraw', { blocker }));
      }
      case 'approve':
      case 'refuse': {
        const approval = pick(Object.values(state.approvals));
        return void (
          approval &&
          this.#give(ada, 'approval.decide', {
            approval: approval.id,
            decision: act === 'approve' ? 'approved' : 'refused',
            callDigest: stale ? '0'.repeat(64) : approval.callDigest,
          })
        );
      }
      case 'attest':
        return void this.#give(bob, 'criterion.attest', { criterion: 'c2', holds: n % 3 > 0, statement: 'seen' }, goal);
      case 'reconcile':
        return this.#reconcile(n % 2 === 0);
      case 'judge':
      case 'send back': {
        if (!submitted?.submission) return;
        const verdict = act === 'judge' ? 'accepted' : (['changes_requested', 'rejected'] as const)[n % 2];
        return void this.#give(bob, 'review.record', {
          submission: submitted.submission.id,
          digest: stale ? '0'.repeat(64) : submitted.submission.digest,
          verdict: verdict ?? 'accepted',
          criteria: [{ id: 'c1', met: true }],
          scene: { summary: `by eye ${n}` },
        });
      }
      case 'judge own': {
        if (!item) return;
        const { key } = item;
        const work = this.#give(ada, 'work.takeOver', { item: key }, expected()).then(() => this.#carry(key, ada, 'good, by hand'));
        return void work.then(() => {
          const own = this.#state.items[key]?.submission;
          if (own) void this.#give(ada, 'review.record', { submission: own.id, digest: own.digest, verdict: 'accepted', criteria: [{ id: 'c1', met: true }] });
        });
      }
      case 'claim':
        return void (item && this.#give(ada, 'work.claim', { item: item.key }));
      case 'take over':
        return void (item && this.#give(ada, 'work.takeOver', { item: item.key }, expected()).then(() => this.#carry(item.key, ada, 'bad, by hand')));
      case 'release':
        return void (item && this.#give(ada, 'work.release', { item: item.key }));
      case 'cancel item':
        return void (item && this.#give(ada, 'work.cancel', { item: item.key }, expected(), reason));
      case 'work resume':
        return void (item && this.#give(ada, 'work.resume', { item: item.key }));
      case 'message':
        return void this.#give(ada, 'message.post', { text: `hello ${n}`, asks: n % 3 === 0 ? 'plan' : 'nothing' });
      case 'new plan':
        return void this.#give(
          ada,
          'plan.propose',
          { document: planOf({ ...script, shape: { ...script.shape, items: 1 + (n % 4) } }, n) },
          { planRevision: expected().planRevision },
        ).then((answer) => {
          if (answer?.outcome !== 'applied') return;
          const { proposal } = answer.result as { proposal: string };
          void this.#give(ada, 'plan.adopt', { proposal, supersede: n % 2 ? Object.keys(this.#state.items) : [] }, { planRevision: this.#state.plan?.revision ?? 0 }, reason);
        });
      case 'invalidate': {
        const accepted = pick(Object.values(state.items).filter((each) => each.verdict?.verdict === 'accepted'));
        return void (accepted?.verdict && this.#give(bob, 'acceptance.invalidate', { acceptance: accepted.verdict.id, scene: { summary: `it fell ${n}` } }));
      }
      case 'invalidate evidence':
        return void this.#give(bob, 'evidence.invalidate', { evidence: n % 2 ? 'fact:of/s0' : `file:i${n % 4}.txt` });
      case 'signal': {
        // Every other one is of a wait that is still to come.
        const wait = pick(Object.values(state.waits).filter((each) => each.correlation.startsWith('ext-')));
        const generation = wait ? wait.generation + (n % 2) : 1;
        return void this.#give(ada, 'wait.signal', { correlation: wait?.correlation ?? `ext-i${n % 4}`, generation, payload: 1 });
      }
      case 'resolve parked':
        return void this.#give(ada, 'review_list.resolve', { subject: `p-i${n % 4}`, milestone: 'm', resolution: 'looked at' });
      case 'forged':
        return void this.#forged(n);
    }
  }

  /** What only the host, a round or another body may say. */
  async #forged(n: number): Promise<void> {
    const state = this.#state;
    const round = Object.values(state.rounds)[0];
    const check = Object.values(state.checks)[0];
    const tries: [CommandType, Json][] = [
      ['clock.tick', { leasesOver: Object.values(state.rounds).map((each) => ({ round: each.id, fence: each.fence })) }],
      ['check.record', { check: check?.id ?? 'x', fence: check?.fence ?? 1, pass: true, checker: 'me' }],
      ['round.claim', { round: round?.id ?? 'x', fence: round?.fence ?? 1, runner: 'me' }],
      ['goal.complete', {}],
    ];
    const [type, payload] = tries[n % tries.length] as [CommandType, Json];
    const answer = await this.#give(ada, type, payload, type === 'goal.complete' ? { goalVersion: state.goalVersion } : {});
    if (answer?.outcome === 'applied' && type !== 'goal.complete') this.#world.watchOf(this.#host).fail(`authority: a person gave ${type}`);
    // An id that was used before, with another body.
    const first = await this.#give(ada, 'message.post', { text: 'one body' }, {}, undefined, `twice ${n}`);
    if (first?.outcome !== 'applied') return;
    const again = await this.#give(ada, 'message.post', { text: 'another body' }, {}, undefined, `twice ${n}`);
    if (again?.outcome === 'applied') this.#world.watchOf(this.#host).fail('answers: one command id took two bodies');
  }

  /** A person does the work of an item. */
  async #carry(key: string, actor: Actor, summary: string): Promise<void> {
    this.#world.cover('lane', 'person');
    await this.#give(actor, 'work.claim', { item: key });
    const fence = this.#state.items[key]?.attempt?.fence ?? 0;
    await this.#give(actor, 'attempt.start', { item: key, fence });
    const entry = {
      subject: 's0',
      verdict: 'fine',
      reason: `of ${key}, by hand`,
      evidence: ['fact:of/s0'],
      facts: [{ key: 'of/s0', value: 's0', provenance: { from: 'person', principal: 'person:ada' } }],
    };
    await this.#give(actor, 'ledger.record', { entries: [this.#state.contract ? { ...entry, milestone: 'm' } : entry] });
    const file = this.#file(`${summary} ${key}`, `${key}.txt`);
    await this.#give(actor, 'submission.submit', { item: key, fence, artifacts: [file], summary: `${summary} ${key}` }, { goalVersion: this.#state.goalVersion });
  }

  /** As much again as was given first. */
  #more(): { tokens: number; money: { amount: number; currency: string } } {
    const { tokens = 0, money } = this.#state.limits;
    return { tokens: tokens + 100_000, money: { amount: (money?.amount ?? 0) + 100, currency: money?.currency ?? 'USD' } };
  }

  /** `ref`: `<item>/tokens` or `<item>/money`. */
  #moreFor(ref: string): Json {
    const [key = '', limit = ''] = ref.split('/');
    const had = { ...this.#state.items[key]?.spec.limits, ...this.#state.itemLimits[key] } as { [limit: string]: number | undefined };
    return { items: { [key]: { [limit]: (had[limit] ?? 0) + 100_000 } } };
  }

  #file(text: string, path: string): Json {
    const digest = this.#world.sha256(text);
    const bytes = new TextEncoder().encode(text);
    this.#world.files.set(`${this.#host.name}/${digest}`, bytes);
    return { path, digest, size: bytes.length };
  }

  /** What the form asks for: what it recommends, else the first that fits. */
  #answerTo(id: string): Json {
    const blocker = this.#state.blockers[id];
    if (id.startsWith('q-')) return { choice: 'this one' };
    if (blocker?.recommended !== undefined) return blocker.recommended;
    const form = blocker?.form as { properties?: Record<string, { enum?: Json[] }> } | undefined;
    return Object.fromEntries(Object.entries(form?.properties ?? {}).map(([key, property]) => [key, property.enum?.[0] ?? 'yes']));
  }

  /** Somebody looks outside: it happened, or so much time has passed that it will not. */
  #reconcile(hasty: boolean): void {
    const state = this.#state;
    const effect = Object.values(state.effects).find((each) => each.state === 'unknown');
    if (!effect) return;
    const happened = this.#world.outside.applied.has(effect.key);
    if (!happened && !hasty && this.#world.loop.now < effect.horizon) return;
    void this.#give(ada, 'effect.reconcile', { effect: effect.id, outcome: happened ? 'succeeded' : 'not_applied', evidence: 'looked' });
  }

  /** A decision whose evidence fell is made anew, on this person's word. */
  async #decideAnew(): Promise<void> {
    const [asked] = askedDecisions(this.#state, lookupOf(this.#host.disk, new Map()), 1).data;
    if (!asked) return;
    const { subject, milestone, verdict } = asked;
    const fact = { key: `said/${asked.id}`, value: true, provenance: { from: 'person', principal: 'person:ada' } };
    await this.#give(ada, 'ledger.record', {
      entries: [{ subject, ...(milestone ? { milestone } : {}), verdict, reason: 'looked again', evidence: [`fact:${fact.key}`], facts: [fact] }],
    });
  }

  /** Does one thing that is asked of a person, if there is one. */
  async help(n: number): Promise<unknown> {
    const state = this.#state;
    if (state.status === 'paused') return this.#give(ada, 'goal.resume', {});
    if (state.status === 'draft') return this.#give(ada, 'goal.confirm', {}, { goalVersion: state.goalVersion });
    const next = nextOf(state, Math.max(this.#world.loop.now, state.at), this.#world.carriers);
    const movers = next.who.filter((each) => each.mover !== 'host' && each.act !== 'run');
    const mover = movers[n % Math.max(1, movers.length)];
    if (!mover) return;
    const ref = mover.ref.slice(mover.ref.indexOf(':') + 1);
    const expected = { goalVersion: state.goalVersion, planRevision: state.plan?.revision ?? 0 };
    switch (mover.act) {
      case 'answer': {
        // What only a person can say is said before the question about it is closed.
        const criterion = state.contract?.criteria.find((each) => ref === `uncovered-${each.id}` && each.verify === 'attest');
        if (criterion) await this.#give(ada, 'criterion.attest', { criterion: criterion.id, holds: true, statement: 'it does now' }, expected);
        await this.#give(ada, 'blocker.resolve', { blocker: ref, answer: criterion ? { decision: 'attest' } : this.#answerTo(ref) });
        return;
      }
      case 'decide':
        if (mover.ref.startsWith('item:')) await this.#give(ada, 'work.assign', { item: ref }, { ...expected, itemVersion: state.items[ref]?.version ?? 0 });
        else if (mover.ref.startsWith('proposal:')) await this.#give(ada, 'plan.adopt', { proposal: ref }, expected);
        else if (mover.ref === 'decisions') await this.#decideAnew();
        else if (mover.ref === 'execution') await this.#give(ada, 'execution.open', { supersede: false });
        else {
          const approval = state.approvals[ref];
          if (approval) await this.#give(ada, 'approval.decide', { approval: ref, decision: 'approved', callDigest: approval.callDigest });
        }
        return;
      case 'review': {
        const id = ref.startsWith('submission:') ? ref.slice(11) : ref;
        const item = Object.values(state.items).find((entry) => entry.submission?.id === id);
        if (item?.submission) {
          const good =
            item.submission.by.startsWith('person:') || ((this.#host.disk.row('submission', id)?.data as unknown as RowData['submission'] | undefined)?.artifacts.length ?? 0) > 0;
          await this.#give(person(`judge${n % 3}`), 'review.record', {
            submission: id,
            digest: item.submission.digest,
            verdict: good ? 'accepted' : 'changes_requested',
            criteria: [{ id: 'c1', met: true }],
            scene: { summary: `seen ${n}` },
          });
        }
        return;
      }
      case 'attest':
        if (mover.ref.startsWith('milestone:')) await this.#give(ada, 'wait.signal', { correlation: mover.ref, generation: 1 });
        else await this.#give(ada, 'criterion.attest', { criterion: ref, holds: true, statement: 'yes' }, expected);
        return;
      case 'reconcile':
        return this.#reconcile(false);
      case 'carry':
      case 'signal': {
        const wait = Object.values(state.waits).find((each) => each.correlation === mover.ref && each.correlation.startsWith('ext-'));
        if (wait) {
          await this.#give(ada, 'wait.signal', { correlation: wait.correlation, generation: wait.generation, payload: 1 });
          return;
        }
        const key = Object.keys(state.items).find((entry) => mover.ref.endsWith(entry) || state.items[entry]?.attempt?.id === ref);
        if (!key) return;
        const holder = state.items[key]?.assignment?.owner;
        await this.#carry(key, holder === 'person:bob' ? bob : ada, 'good, by hand');
        return;
      }
      case 'resume':
        if (mover.ref.startsWith('item:')) await this.#give(ada, 'work.resume', { item: ref });
        else await this.#give(ada, 'goal.resume', {});
        return;
      case 'raise_limit':
        await this.#give(
          ada,
          'goal.setLimits',
          ref === 'tokens' || ref === 'money'
            ? { limits: this.#more() }
            : mover.ref.startsWith('item:')
              ? this.#moreFor(ref)
              : { limits: { rounds: Math.min(100_000, state.limits.rounds + 100), wallTimeMs: Math.min(366 * 86_400_000, state.limits.wallTimeMs + 30 * 86_400_000) } },
          expected,
        );
        return;
      default:
        return;
    }
  }
}
