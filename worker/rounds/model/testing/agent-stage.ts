/** A Goal with the real core and protocol on a bench, its rounds run by the real Runner code with the model that a test gives. No clock but the bench's. */
import type { CommandType } from '../../../domain/commands.ts';
import type { Actor } from '../../../domain/context.ts';
import type { Json } from '../../../domain/values.ts';
import { domainCore } from '../../../goal/domain-core.ts';
import { checkForm } from '../../../goal/form.ts';
import type { DispatchMessage } from '../../../goal/ports.ts';
import type { CommandAnswer, ReadQuery } from '../../../goal/rpc.ts';
import { Bench, door } from '../../../goal/testing/bench-top.ts';
import type { PinnedModel } from '../../../models/pinned-model.ts';
import { Redactor } from '../../../observe/redactor.ts';
import { closedRules, type OutgoingRules } from '../../../outgoing/address.ts';
import { fixedWorld } from '../../../outgoing/world.ts';
import { MemoryFiles } from '../../../tools/testing/fake-env.ts';
import { runCheck } from '../../checks/run-check.ts';
import { GoalCalls } from '../../goal-calls.ts';
import { runRound } from '../../run-round.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { SessionPorts } from '../../session.ts';

export const owner: Actor = { kind: 'person', principal: 'person:ada', scopes: ['goals:read', 'goals:write', 'work:review', 'work:submit', 'approvals:decide'] };

export interface StageOptions {
  /** The model of a profile, for each round anew. */
  model(profile: string): PinnedModel;
  services?: { supplierUrl?: string; bankUrl?: string };
  rules?: OutgoingRules;
  send?: typeof fetch;
  /** Secrets of the workspace, by name. */
  secrets?: Record<string, string>;
  /** Plays scripts of skills. Absent: there are none. */
  sandbox?: Sandbox;
  /** The business round of a goal that a trigger started. */
  business?: SessionPorts['business'];
  /** Length of a slice, milliseconds. */
  slice?: number;
}

const noScripts: Sandbox = { run: () => Promise.reject(new Error('no scripts on this stage')) };

export class AgentStage {
  readonly bench: Bench;
  readonly files = new MemoryFiles();
  readonly #options: StageOptions;
  readonly #handed = new Set<string>();
  #ids = 0;

  constructor(options: StageOptions) {
    this.#options = options;
    this.bench = new Bench(domainCore, { form: checkForm, carriers: { agent: true, skill: () => options.sandbox !== undefined } });
    this.bench.now = Date.now();
  }

  async give(type: CommandType, payload: Json, actor: Actor = owner, more: { planRevision?: number } = {}): Promise<CommandAnswer> {
    const expected = type === 'goal.confirm' || type === 'goal.revise' ? { goalVersion: (await this.bar()).goalVersion } : more;
    return this.bench.protocol.command({ ...door, actor, envelope: { type, commandId: `t${++this.#ids}`, expected, payload, dryRun: false } });
  }

  async read(query: ReadQuery): Promise<Json> {
    const answer = await this.bench.protocol.read({ ...door, query });
    if (answer.outcome !== 'found') throw new Error(JSON.stringify(answer.refusal));
    return answer.value;
  }

  async bar(): Promise<{ status: string; goalVersion: number; next: { why: { kind: string; [field: string]: unknown }; who: unknown[] } }> {
    return ((await this.read({ what: 'goal' })) as unknown as { bar: never }).bar;
  }

  rows<T>(kind: Parameters<Bench['store']['rows']>[0]): T[] {
    return this.bench.store.rows(kind, {}).map((row) => row.data as unknown as T);
  }

  async source(path: string, content: string): Promise<void> {
    await this.give('artifact.put', { artifact: this.files.source(path, content) as unknown as Json, role: 'source' });
  }

  /** Runs what is dispatched, all of it side by side, until `until` holds. Throws where nothing moves any more. */
  async play(until: () => Promise<boolean>, turns = 500): Promise<void> {
    let still = 0;
    for (let turn = 0; turn < turns; turn++) {
      await this.bench.pass(500);
      if (await until()) return;
      const messages = this.bench.sent.filter((message) => !this.#handed.has(JSON.stringify(message)));
      for (const message of messages) this.#handed.add(JSON.stringify(message));
      await Promise.all(messages.map((message) => this.run(message)));
      still = messages.length === 0 ? still + 1 : 0;
      if (still > 200) break;
    }
    throw new Error(`it stands: ${JSON.stringify((await this.bar()).next)}`);
  }

  toTheEnd(): Promise<void> {
    return this.play(async () => (await this.bar()).status === 'completed');
  }

  /** One hand-over, as a Runner does it. */
  async run(message: DispatchMessage): Promise<void> {
    const goal = new GoalCalls(
      door.workspace,
      door.goal,
      () => this.bench.protocol,
      async () => {},
    );
    const { rules = closedRules, send, secrets, sandbox = noScripts, business } = this.#options;
    const world = fixedWorld(rules, { ...(send ? { send } : {}), ...(secrets ? { secrets } : {}) });
    if (message.kind === 'check') {
      await runCheck(message, { goal, files: this.files, sandbox, world });
      return;
    }
    const redactor = new Redactor();
    for (const [name, value] of Object.entries(secrets ?? {})) redactor.add(value, name);
    await runRound(message, `runner:${message.round}:${message.fence}`, false, {
      goal,
      files: this.files,
      sandbox,
      services: this.#options.services ?? {},
      world,
      redactor,
      ...(business ? { business } : {}),
      models: { pin: async (profile) => this.#options.model(profile) },
      every: () => () => {},
      pause: async () => {},
      random: () => 0,
      now: () => this.bench.now,
      sliceEnds: this.bench.now + (this.#options.slice ?? 15 * 60_000),
    });
  }
}
