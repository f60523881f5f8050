/** Goals that agents with a scripted model carry: a workspace whose profiles are named after the scripts, small plans, and the record read back. */
import { Client } from '../scripts/client.ts';
import { type CompletionRequest, isTest, passesTest, type Script } from '../testing/model-server/script.ts';
import { type ModelServer, startModelServer } from '../testing/model-server/server.ts';
import type { ContractInput } from '../worker/domain/contract/contract.ts';
import type { PlanDocumentInput } from '../worker/domain/plan/document.ts';
import type { Executor, Json } from '../worker/domain/values.ts';
import type { EventView, GoalBar } from '../worker/domain/views/types.ts';
import { type Longhaul, startLonghaul } from './harness.ts';

export type PlanItemInput = PlanDocumentInput['items'][number];

export const agent = (profile: string): Executor => ({ kind: 'agent', profile });
/** Proposes and adopts this plan without a model. */
export const planned = (document: PlanDocumentInput): Executor => ({ kind: 'skill', skill: 'examples', script: 'plan.js', input: { document } as unknown as Json });

/** An item whose delivery is one text file, checked by the host. */
export const note = (key: string, profile: string, more: Partial<PlanItemInput> = {}): PlanItemInput => ({
  key,
  title: `The note ${key}`,
  executor: agent(profile),
  input: { path: `${key}.md`, text: `This is ${key}.\n` },
  outputs: [{ scope: `file:${key}.md` }],
  covers: [`has-${key}`],
  checks: [{ key: 'says-so', kind: 'matches', file: { path: `${key}.md` }, pattern: `^This is ${key}\\.` }],
  ...more,
});

/** A contract of one criterion per item, each checked by the text of its file. */
export const contractOf = (items: readonly string[], more: Partial<ContractInput> = {}): ContractInput => ({
  title: `Notes: ${items.join(', ')}`,
  objective: `Write ${items.join(' and ')}.`,
  criteria: items.map((item) => ({ id: `has-${item}`, text: `${item}.md is there`, verify: 'check', checks: [`${item}-stands`] })),
  checks: items.map((item) => ({ key: `${item}-stands`, kind: 'matches', file: { item, path: `${item}.md` }, pattern: 'This is' })),
  ...more,
});

export const key = 'sk-canary-4f9a1c77e0b2';
/** Of the second workspace. */
export const otherKey = 'sk-canary-88d0b3a6f1c4';

export class AgentGoals {
  readonly client: Client;
  readonly #worker: Longhaul;
  readonly models: ModelServer;
  readonly #scripts: Record<string, Script>;
  #commands = 0;

  readonly #workspace: string;

  private constructor(worker: Longhaul, models: ModelServer, scripts: Record<string, Script>, workspace: string) {
    this.#worker = worker;
    this.models = models;
    this.#scripts = scripts;
    this.#workspace = workspace;
    this.client = new Client(worker.url, workspace);
  }

  static async open(vars: Record<string, string> = {}): Promise<AgentGoals> {
    const scripts: Record<string, Script> = {};
    const models = await startModelServer({ scripts, key: [key, otherKey] });
    const worker = await startLonghaul({ vars: { LONGHAUL_DEV_WORKSPACES: 'local,other,small', ...vars } });
    return new AgentGoals(worker, models, scripts, 'local').#furnished(key);
  }

  /** Another workspace of the same Worker, with another key for the same server. `small` is for tests that change what a workspace may use. */
  beside(workspace: 'other' | 'small' = 'other'): Promise<AgentGoals> {
    return new AgentGoals(this.#worker, this.models, this.#scripts, workspace).#furnished(otherKey);
  }

  async #furnished(secret: string): Promise<AgentGoals> {
    await this.set('secret.put', { name: 'model-key', value: secret });
    await this.set('provider.put', { name: 'scripted', kind: 'openai-compatible', baseUrl: this.models.url, secret: 'model-key' });
    return this;
  }

  async close(): Promise<void> {
    await this.#worker.stop();
    await this.models.close();
  }

  /** Lines that the Worker printed. */
  lines(): readonly string[] {
    return this.#worker.lines();
  }

  async set(type: string, payload: object): Promise<void> {
    this.#commands += 1;
    const response = await fetch(`${this.#worker.url}/v1/workspaces/${this.#workspace}/commands`, {
      method: 'POST',
      body: JSON.stringify({ type, commandId: `set-${this.#commands}`, payload }),
    });
    if (!response.ok) throw new Error(`${type}: ${await response.text()}`);
  }

  /** What the workspace counts as used today, of all its goals. */
  async usage(): Promise<{ tokens: number; micros: number }> {
    const response = await fetch(`${this.#worker.url}/v1/workspaces/${this.#workspace}/usage`);
    if (!response.ok) throw new Error(`usage: ${await response.text()}`);
    const { days } = (await response.json()) as { days: { tokens: number; micros: number }[] };
    return { tokens: days.reduce((sum, day) => sum + day.tokens, 0), micros: days.reduce((sum, day) => sum + day.micros, 0) };
  }

  /** A profile of that name whose model is the script. The window is wide, so nothing is compacted. Prices: 1 and 2 USD a million. */
  async plays(name: string, script: Script, more: object = {}): Promise<Executor> {
    this.#scripts[name] = passesTest(script);
    await this.set('profile.put', {
      name,
      provider: 'scripted',
      model: name,
      window: 200_000,
      output: 4000,
      prices: { currency: 'USD', input: 1_000_000, output: 2_000_000 },
      ...more,
    });
    return agent(name);
  }

  /** All goals that were begun here. */
  readonly started: string[] = [];

  async start(name: string, payload: object): Promise<string> {
    const { goal } = await this.client.create(name, { confirmed: true, ...payload });
    this.started.push(goal);
    return goal;
  }

  async exported(goal: string): Promise<ArrayBuffer> {
    const response = await fetch(`${this.#worker.url}/v1/workspaces/${this.#workspace}/goals/${goal}/export`);
    if (!response.ok) throw new Error(`export: ${response.status}`);
    return response.arrayBuffer();
  }

  /** A bound goal whose plan is given. */
  bound(name: string, items: PlanItemInput[], contract: Partial<ContractInput> = {}, more: { coordinator?: Executor; reviewers?: Executor[] } = {}): Promise<string> {
    const document: PlanDocumentInput = { mode: 'bound', items };
    const { coordinator = planned(document), reviewers = [] } = more;
    return this.start(name, {
      mode: 'bound',
      contract: contractOf(
        items.map((item) => item.key),
        contract,
      ),
      lanes: { coordinator, reviewers },
    });
  }

  /** Waits until the goal completed or nothing moves it any more but a person. */
  async settled(goal: string, seconds = 120): Promise<GoalBar> {
    const until = Date.now() + seconds * 1000;
    for (;;) {
      const bar = await this.client.bar(goal);
      if (bar.status !== 'active' || stands(bar)) return bar;
      if (Date.now() > until) throw new Error(`after ${seconds} s it still moves: ${await this.#story(goal, bar)}`);
      await this.client.events(goal, bar.seq, 5);
    }
  }

  async until(goal: string, holds: (bar: GoalBar) => boolean, seconds = 60): Promise<GoalBar> {
    const until = Date.now() + seconds * 1000;
    for (;;) {
      const bar = await this.client.bar(goal);
      if (holds(bar)) return bar;
      if (Date.now() > until) throw new Error(`not within ${seconds} s: ${await this.#story(goal, bar)}`);
      await this.client.events(goal, bar.seq, 5);
    }
  }

  /** For a goal that does not do what a test waits for. */
  async #story(goal: string, bar: GoalBar): Promise<string> {
    const last = (await this.events(goal)).slice(-6).map(({ at, type, data }) => ({ at, type, data }));
    const asked = this.models.seen.slice(-10).map(({ at, script, answer, status, aborted, body }) => ({ at, script, answer, status, aborted, bytes: body.length }));
    return JSON.stringify({ now: Date.now(), next: bar.next, last, asked }, null, 1);
  }

  async events(goal: string): Promise<EventView[]> {
    const all: EventView[] = [];
    for (let after = 0; ; ) {
      const page = await this.client.events(goal, after, 0);
      all.push(...page.data);
      if (page.data.length === 0) return all;
      after = page.data.at(-1)?.seq ?? page.seq;
      if (after >= page.seq) return all;
    }
  }

  /** Rows of the record of one kind, newest image of each. */
  async rows<T>(goal: string, kind: string): Promise<T[]> {
    return (await this.client.sample(goal).rows(kind as never)).map((row) => row.data as unknown as T);
  }

  /** Calls that the host refused, as `tool code ref`. */
  async refusals(goal: string): Promise<string[]> {
    const calls = await this.rows<{ tool: string; refused?: { code: string; ref: string } }>(goal, 'call');
    return calls.flatMap(({ tool, refused }) => (refused ? [`${tool} ${refused.code} ${refused.ref}`.trim()] : []));
  }

  /** What a model was asked under a script, in order. */
  asked(script: string) {
    return this.models.seen.filter((seen) => seen.script === script && !isTest(JSON.parse(seen.body) as CompletionRequest));
  }
}

const still = new Set(['no_progress', 'suspended', 'budget', 'deadline', 'blocked']);

/** Nothing but a person moves it. */
export function stands(bar: GoalBar): boolean {
  if (still.has(bar.next.why.kind)) return true;
  return bar.next.why.kind === 'waiting' && bar.next.who.length > 0 && bar.next.who.every((one) => one.mover.startsWith('person:'));
}
