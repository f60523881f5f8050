/**
 * The executor of `{kind: 'agent'}`: pins the model, then one call of it after another until a tool ends the round. What it takes up, it takes from the
 * record; a crash loses the conversation and nothing else.
 */
import type { LanguageModel } from 'ai';
import { isRefusal } from '../../domain/refusals.ts';
import type { Json } from '../../domain/values.ts';
import type { ModelSource } from '../../models/model-source.ts';
import type { PinnedModel } from '../../models/pinned-model.ts';
import { Retries } from '../../models/retries.ts';
import { cleanText } from '../../tools/clean.ts';
import type { RoundExecutor } from '../executors/executor.ts';
import { type Session, SLICE_RESERVE } from '../session.ts';
import { Accounts } from './accounts.ts';
import { answerText, Notices, notRun } from './answer-text.ts';
import { inHistory, readArguments } from './call-arguments.ts';
import { callModel, type ModelCall, type ModelTurn } from './call-model.ts';
import { Conversation, type Exchange } from './conversation.ts';
import { LiveText } from './live-text.ts';
import { openingOf } from './opening.ts';
import { endsOf, type SkillText, skillsFor, systemTextFor } from './system-text.ts';
import { type Definition, definitionNamed, definitionsOf, toolSetOf } from './tool-definitions.ts';
import { toolsOfRound } from './tools-of-round.ts';

/** Longest wait for one answer of a model, milliseconds. */
export const MODEL_TIMEOUT = 300_000;
/** Milliseconds between heartbeats; the lease of a model's round is 90 s. */
const HEARTBEAT = 20_000;
/** Messages in a row of which nothing could be run, before the round is given up. */
const IDLE_MESSAGES = 6;

export interface AgentPorts {
  models: ModelSource;
  /** Repeats work until the returned function is called. */
  every?(ms: number, work: () => void): () => void;
  /** Resolves after that long, or when the signal aborts. */
  pause?(ms: number, signal: AbortSignal): Promise<void>;
  /** In [0, 1). */
  random?(): number;
  now(): number;
}

export class AgentRound implements RoundExecutor {
  readonly #ports: Required<AgentPorts>;
  readonly #profile: string;

  constructor(ports: AgentPorts, executor: { profile: string }) {
    this.#ports = { every: repeat, pause: pauseFor, random: Math.random, ...ports };
    this.#profile = executor.profile;
  }

  async run(session: Session): Promise<void> {
    const stop = new AbortController();
    void session.over.then(() => stop.abort());
    const quiet = this.#ports.every(HEARTBEAT, () => void session.heartbeat().catch(() => {}));
    try {
      const pinned = await this.#ports.models.pin(this.#profile);
      if (isRefusal(pinned)) return session.close('failed', `no model for the profile ${this.#profile}: ${pinned.code} ${pinned.detail ?? ''}`.trim(), { retryAfterMs: 60_000 });
      for (const secret of pinned.secrets) session.redactor.add(secret, 'model key');
      await new AgentLoop(session, pinned, this.#ports, stop.signal).run();
    } finally {
      quiet();
      stop.abort();
    }
  }
}

class AgentLoop {
  readonly #session: Session;
  readonly #pinned: PinnedModel;
  readonly #ports: Required<AgentPorts>;
  readonly #signal: AbortSignal;
  readonly #skills: SkillText[];
  readonly #system: string;
  readonly #definitions: Definition[];
  readonly #conversation: Conversation;
  readonly #notices = new Notices();
  readonly #accounts: Accounts;
  readonly #live: LiveText;
  /** Said by the host with the model call; the model reads it with the next results. */
  readonly #waiting: Json[] = [];
  #reminded = false;
  #idle = 0;

  constructor(session: Session, pinned: PinnedModel, ports: Required<AgentPorts>, signal: AbortSignal) {
    this.#session = session;
    this.#pinned = pinned;
    this.#ports = ports;
    this.#signal = signal;
    this.#accounts = new Accounts(pinned);
    this.#live = new LiveText({ now: () => ports.now(), send: (text, done) => session.stream(text, done), redact: () => session.redactor.stream() });
    this.#skills = skillsFor(session.context);
    this.#system = systemTextFor(session.context, pinned.instructions, this.#skills);
    this.#definitions = definitionsOf([...toolsOfRound(session.context), ...session.moreTools.filter((each) => each.lanes.includes(session.context.lane))]);
    this.#conversation = new Conversation(openingOf(session.context));
  }

  async run(): Promise<void> {
    const pinned = await this.#session.command('round.pin', 'pin', {
      model: this.#pinned.id,
      profile: this.#pinned.profile,
      window: this.#pinned.window,
      skills: this.#skills.map(({ name, version }) => ({ name, version })),
    });
    if (!pinned.ok) return this.#session.close('interrupted', pinned.refusal.code, { said: pinned.refusal.code !== 'unavailable' });
    while (!this.#session.ended) {
      const message = await this.#ask();
      if (!message || this.#session.ended) return;
      if (message.cut) this.#wasCut(message);
      else if (message.calls.length === 0) await this.#saidOnly(message);
      else await this.#runCalls(message);
    }
  }

  /** The next message of the model; undefined when the round is over. */
  async #ask(): Promise<Extract<ModelTurn, { kind: 'message' }> | undefined> {
    const { window, output } = this.#pinned;
    const tools = toolSetOf(this.#definitions);
    const messages = this.#conversation.messages();
    const retries = new Retries(this.#ports.random);
    const size = this.#accounts.estimate(this.#system, messages, this.#definitions);
    for (;;) {
      const reserved = await this.#session.modelCall({
        reserve: this.#accounts.reserve(size),
        subject: `turn ${this.#conversation.exchanges.length + 1}`,
        args: { messages: messages.length, estimate: size.tokens },
        timeoutMs: MODEL_TIMEOUT,
      });
      if (!reserved.ok) {
        if (!reserved.over) this.#session.close('failed', `the model call was refused: ${reserved.refusal.code} ${reserved.refusal.detail ?? ''}`.trim());
        return undefined;
      }
      this.#waiting.push(...this.#notices.fresh(reserved.notices));
      const began = this.#ports.now();
      const turn = await callModel({
        model: this.#pinned.model as LanguageModel,
        system: this.#system,
        messages,
        tools,
        maxOutput: Math.max(1, Math.min(output, window - size.tokens)),
        ...(this.#pinned.temperature === undefined ? {} : { temperature: this.#pinned.temperature }),
        signal: this.#signal,
        secrets: this.#pinned.secrets,
        now: () => this.#ports.now(),
        timeoutMs: MODEL_TIMEOUT,
        onText: (text) => this.#live.grow(text),
      });
      this.#live.end();
      this.#accounts.reported(size, turn.use);
      this.#session.modelUsed(reserved.call, turn.kind === 'message', summaryOf(turn), this.#accounts.usage(turn.use), this.#ports.now() - began);
      if (turn.kind === 'message') return turn;
      if (turn.kind === 'stopped') return undefined;
      const verdict = retries.after(turn.error, this.#session.left - MODEL_TIMEOUT - SLICE_RESERVE);
      if (verdict.then !== 'again') {
        const note = `${this.#pinned.id}: ${turn.error.detail}`;
        this.#session.close('failed', note, verdict.then === 'later' ? { retryAfterMs: verdict.retryAfterMs } : {});
        return undefined;
      }
      await this.#ports.pause(verdict.afterMs, this.#signal);
    }
  }

  /** Calls of a message that the output limit ended are not run, not even those that look whole. */
  #wasCut(message: Extract<ModelTurn, { kind: 'message' }>): void {
    this.#add(
      message,
      message.calls.map(() => notRun('cut', 'your message reached the output limit before it was complete; none of its calls was run')),
      'Your message was cut at the output limit. Nothing of it was run. Write less at once: write large files in parts (`files_begin`, `files_append`, `files_commit`), make fewer calls in a message.',
    );
    this.#spun('every message was cut at the output limit');
  }

  async #saidOnly(message: Extract<ModelTurn, { kind: 'message' }>): Promise<void> {
    const note = cleanText(message.text.trim()).text.slice(0, 1000);
    if (!this.#reminded) {
      this.#reminded = true;
      const ends = endsOf(this.#session.context).map((name) => `\`${name}\``);
      this.#add(
        message,
        [],
        `Nothing happened: a message without a call changes nothing. Go on with a call; the round ends with ${ends.join(', ')}. Without a call now, the round ends here.`,
      );
      return;
    }
    if (this.#session.context.brief) {
      const answer = await this.#session.command('subagent.return', 'failure', { ok: false, result: { error: 'it ended without a result', said: note } });
      if (answer.ok) return this.#session.close('submitted', 'returned', { said: true });
    }
    this.#session.close(this.#session.changes > 0 ? 'handed_back' : 'empty', note === '' ? 'the model said nothing' : note);
  }

  /** In order: a later call sees what an earlier one changed. Whatever comes of it, each call has its one result. */
  async #runCalls(message: Extract<ModelTurn, { kind: 'message' }>): Promise<void> {
    this.#reminded = false;
    const results: string[] = [];
    let ran = false;
    for (const call of message.calls) {
      if (this.#session.ended) {
        results.push(notRun('round_over', 'the round had ended before this call'));
        continue;
      }
      const { text, reached } = await this.#runCall(call);
      ran ||= reached;
      results.push(text);
    }
    this.#add(message, results);
    if (ran) this.#idle = 0;
    else this.#spun('none of its calls could be run');
  }

  async #runCall(call: ModelCall): Promise<{ text: string; reached: boolean }> {
    const definition = definitionNamed(this.#definitions, call.name);
    if (!definition)
      return { text: notRun('unknown_tool', `there is no tool ${call.name.slice(0, 80)} in this round`, { tools: this.#definitions.map((each) => each.alias) }), reached: false };
    const read = readArguments(call.raw);
    if (!read.ok) return { text: notRun('malformed_arguments', read.why, { arguments: definition.schema as Json }), reached: false };
    const reply = await Promise.race([this.#session.call(definition.name, read.args), this.#session.over]);
    if (!('notices' in reply)) return { text: notRun('round_over', `this call ended the round: ${reply.outcome}`), reached: true };
    const wrongShape = reply.refusal?.code === 'schema_invalid' && reply.call === '';
    const notices = [...this.#waiting.splice(0), ...this.#notices.fresh(reply.notices)];
    if (read.asText > 0) notices.push({ kind: 'numbers', note: `${read.asText} numbers whose digits a double cannot keep were taken as text` });
    if (wrongShape) notices.push({ kind: 'right', arguments: definition.schema as Json });
    return { text: answerText(reply, notices), reached: !wrongShape };
  }

  #add(message: Extract<ModelTurn, { kind: 'message' }>, results: string[], host?: string): void {
    const calls = message.calls.map((call) => ({
      id: this.#conversation.nextId(),
      alias: definitionNamed(this.#definitions, call.name)?.alias ?? (call.name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'unknown'),
      input: inHistory(call.raw, readArguments(call.raw)),
      ...(call.providerOptions ? { providerOptions: call.providerOptions } : {}),
    }));
    const exchange: Exchange = {
      assistant: { text: message.text, reasoning: message.reasoning, calls },
      results: calls.map(({ id, alias }, at) => ({ id, alias, text: results[at] ?? notRun('round_over', 'not run') })),
      ...(host === undefined ? {} : { host }),
    };
    this.#conversation.add(exchange);
  }

  #spun(why: string): void {
    if (++this.#idle >= IDLE_MESSAGES) this.#session.close(this.#session.changes > 0 ? 'handed_back' : 'empty', `${IDLE_MESSAGES} messages in a row: ${why}`);
  }
}

/** What the record says of one model call. */
function summaryOf(turn: ModelTurn): string {
  switch (turn.kind) {
    case 'message':
      return `${turn.cut ? 'cut at the output limit; ' : ''}${turn.calls.length === 0 ? 'text alone' : turn.calls.map((call) => call.name).join(', ')}`.slice(0, 500);
    case 'stopped':
      return 'the round was over before the answer';
    case 'failed':
      return `${turn.error.kind === 'unknown' ? 'unknown' : turn.error.code}: ${turn.error.detail}`;
  }
}

function repeat(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms);
  return () => clearInterval(timer);
}

function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
