/**
 * A provider's model in the place of one: the agents of `agents/play.ts`, one call of theirs in each message, through the real loop of a model's round (`worker/rounds/model/`)
 * and the library's streams. What it fails with: an answer that breaks off, too many calls, an outage, a request it finds too long; and its process dies in the middle of a call.
 */
import { APICallError, type LanguageModel } from 'ai';
import type { Json } from '../../worker/domain/values.ts';
import type { RoundContext } from '../../worker/goal/rpc.ts';
import type { PinnedModel } from '../../worker/models/pinned-model.ts';
import { play } from '../agents/play.ts';
import type { Process } from '../kernel/loop.ts';
import { never } from '../kernel/never.ts';
import { below, chance } from '../kernel/random.ts';
import type { World } from '../world.ts';
import type { GoalHost } from './goal-host.ts';

type Model = Extract<LanguageModel, { specificationVersion: 'v4' }>;
type Options = Parameters<Model['doStream']>[0];
type Streamed = Awaited<ReturnType<Model['doStream']>>;
type Part = Streamed['stream'] extends ReadableStream<infer P> ? P : never;

/** What the agent wants next: a call, or nothing more and a last word. */
type Wish = { tool: string; args: Json } | { said: string };

/** Tokens; small enough that an opening and its tools fill a good part of it. */
const window = 64_000;
const output = 2000;

export interface ModelAt {
  world: World;
  host: GoalHost;
  process: Process;
  /** True: the process has died there. */
  point(name: 'runner.model' | 'runner.compaction', side: 'before' | 'after'): boolean;
  /** The round as it was claimed. */
  context(): RoundContext | undefined;
}

/** A model for one round: what its agent has said so far is lost with it. */
export function modelOf(at: ModelAt, profile: string): PinnedModel {
  return {
    id: 'simulated/one',
    provider: 'simulated',
    profile,
    model: new SimulatedModel(at) as unknown as Model,
    window,
    output,
    prices: priced(at.world) ? { currency: 'USD', input: 1_000_000, output: 4_000_000 } : null,
    warnings: [],
    secrets: [],
  };
}

const priced = (world: World) => chance(60, world.script.seed, 'priced');

class SimulatedModel {
  readonly specificationVersion = 'v4';
  readonly provider = 'simulated';
  readonly modelId = 'one';
  readonly supportedUrls = {};
  readonly #at: ModelAt;
  #agent: Agent | undefined;
  /** Made, and not yet heard by the loop. */
  #wish: Wish | undefined;
  #calls = 0;

  constructor(at: ModelAt) {
    this.#at = at;
  }

  doGenerate(): Promise<never> {
    return Promise.reject(new Error('every call is streamed'));
  }

  async doStream(options: Options): Promise<Streamed> {
    const { world, host, process, point } = this.#at;
    const context = this.#at.context();
    if (!context) throw new Error('a call before the claim');
    if (!process.alive) return never();
    const { seed } = world.script;
    const n = ++this.#calls;
    const compacting = options.tools?.some((tool) => tool.name === 'context_snapshot') ?? false;
    const name = compacting ? 'runner.compaction' : 'runner.model';
    const call = world.watchOf(host).state.rounds[context.round]?.call;
    world.cover('lane', 'model');
    if (point(name, 'before')) return never();
    await this.#latency(options, 50 + below(800, seed, 'latency', context.round, n));
    this.#fail(options, compacting);
    const wish: Wish = compacting ? snapshotOf(chance(70, seed, 'snapshot', context.round, n)) : (this.#wish ?? (await this.#next(options, context)));
    if (point(name, 'after')) return never();
    const used = { input: 500 + below(4000, seed, 'used', context.round, n), output: below(output, seed, 'written', context.round, n) };
    const cut = world.take('model answer lost');
    if (cut && call && chance(50, seed, 'told late', context.round, n)) this.#tellLate(context, call.id, used);
    if (!compacting) this.#wish = cut ? wish : undefined;
    return { stream: streamOf(wish, n, used, cut) };
  }

  async #next(options: Options, context: RoundContext): Promise<Wish> {
    const { world, host, process } = this.#at;
    if (this.#agent) this.#agent.answer(lastAnswer(options));
    else this.#agent = new Agent((job) => play(world, host, job, process), context);
    const wish = await Promise.race([this.#agent.next(), aborted(options)]);
    this.#wish = wish;
    return wish;
  }

  async #latency(options: Options, ms: number): Promise<void> {
    await Promise.race([this.#at.world.loop.sleep(ms, this.#at.process), aborted(options)]);
  }

  #fail(options: Options, compacting: boolean): void {
    const { world } = this.#at;
    if (world.take('model limited')) throw failure(429, 'slow down', { 'retry-after': String(world.script.seed % 2 === 0 ? 2 : 90) });
    if (world.take('model down')) throw failure(503, 'overloaded', {});
    if (!compacting && options.prompt.length > 4 && world.take('model window full')) throw failure(400, 'the prompt is too long for this model', {});
  }

  /** The provider's bill comes after the round has gone on, or is over. */
  #tellLate(context: RoundContext, call: string, used: { input: number; output: number }): void {
    const { world, host } = this.#at;
    const actor = { kind: 'round' as const, round: context.round, fence: context.fence, runner: `${host.name}/round/${context.round}/${context.fence}` };
    const payload = { call, tokens: used.input + used.output, money: priced(world) ? used.input + 4 * used.output : 0 };
    for (const ms of [20_000, 60_000])
      world.loop.after(ms, null, () => {
        if (world.over) return;
        void host
          .stub(null)
          .command({ ...host.door, actor, envelope: { type: 'usage.record', commandId: `${call}:bill:${ms}`, expected: {}, payload, dryRun: false } })
          .catch(() => {});
      });
  }
}

/** An agent's script, one call at a time. */
class Agent {
  #wishes = Promise.withResolvers<Wish>();
  #answered: ((reply: Json) => void) | undefined;

  constructor(start: (job: Parameters<typeof play>[2]) => Promise<Json>, context: RoundContext) {
    const job = {
      skill: '',
      script: '',
      input: context as unknown as Json,
      cpuMs: 0,
      calls: 0,
      signal: new AbortController().signal,
      call: (tool: string, args: Json) =>
        new Promise<Json>((resolve) => {
          this.#answered = resolve;
          this.#wishes.resolve({ tool, args });
        }),
    };
    void start(job).then(
      (result) => this.#wishes.resolve(context.brief ? { tool: 'return', args: { result } } : { said: typeof result === 'string' ? result : 'nothing more' }),
      (error: unknown) => this.#wishes.resolve({ said: `it gives up: ${error instanceof Error ? error.message : String(error)}` }),
    );
  }

  /** The same one until it has been answered. */
  next(): Promise<Wish> {
    return this.#wishes.promise;
  }

  answer(reply: Json | undefined): void {
    const answered = this.#answered;
    if (!answered) return;
    this.#answered = undefined;
    this.#wishes = Promise.withResolvers<Wish>();
    answered(reply ?? { call: '' });
  }
}

/** What the last call was answered with, as the loop shows it to the model. */
function lastAnswer(options: Options): Json | undefined {
  for (const message of [...options.prompt].reverse()) {
    if (message.role === 'assistant') return undefined;
    if (message.role !== 'tool') continue;
    for (const part of message.content) {
      if (part.type !== 'tool-result' || part.output.type !== 'text') continue;
      const parsed = JSON.parse(part.output.value) as { call?: string; value?: Json; refusal?: Json };
      return { call: '', ...parsed };
    }
  }
  return undefined;
}

function snapshotOf(well: boolean): Wish {
  const snapshot = { goal: 'what it was asked for', done: ['some of it'], next: ['the rest'] };
  return well ? { tool: 'context_snapshot', args: snapshot } : { said: 'I would rather go on' };
}

function failure(statusCode: number, message: string, responseHeaders: Record<string, string>): APICallError {
  return new APICallError({ message, url: 'https://model.outside/', requestBodyValues: {}, statusCode, responseHeaders, isRetryable: false });
}

function aborted(options: Options): Promise<never> {
  return new Promise((_, reject) => options.abortSignal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError'))));
}

function streamOf(wish: Wish, n: number, used: { input: number; output: number }, cut: boolean): Streamed['stream'] {
  const parts: Part[] = [{ type: 'stream-start', warnings: [] }];
  if ('tool' in wish) parts.push({ type: 'tool-call', toolCallId: `id-${n}`, toolName: wish.tool.replaceAll('.', '_'), input: JSON.stringify(wish.args) });
  else parts.push({ type: 'text-start', id: 't' }, { type: 'text-delta', id: 't', delta: wish.said }, { type: 'text-end', id: 't' });
  if (!cut)
    parts.push({
      type: 'finish',
      finishReason: { unified: 'tool' in wish ? 'tool-calls' : 'stop', raw: 'end' },
      usage: {
        inputTokens: { total: used.input, noCache: used.input, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: used.output, text: used.output, reasoning: 0 },
      },
    });
  return new ReadableStream<Part>({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}
