/**
 * One claimed round: every call of its agent goes through here, one after another. The host authorizes a call before it runs (`step`), the result
 * travels with the next step or with the round's end. Once the round is over, calls do not return any more and the run is stopped.
 */
import type { CallIntent, CallResult, Reservation, RoundOutcome, Usage } from '../domain/commands.ts';
import type { Actor } from '../domain/context.ts';
import { MODEL_CALL } from '../domain/model-call.ts';
import { type Refusal, type RefusalCode, refuse } from '../domain/refusals.ts';
import type { Json, PrincipalId } from '../domain/values.ts';
import type { Notice, ReadQuery, RoundContext, StepAnswer } from '../goal/rpc.ts';
import { errorOf, log } from '../observe/log.ts';
import type { Redactor } from '../observe/redactor.ts';
import type { World } from '../outgoing/world.ts';
import { cleanJson, cleanText } from '../tools/clean.ts';
import { startingPaths } from '../tools/files/find.ts';
import { toolOf, toolsOf } from '../tools/index.ts';
import { type SecretPlace, secretPlaces } from '../tools/secrets.ts';
import type { Browse, BusinessRoundDoor, Files, Tool, ToolAnswer, ToolEnv, Upload } from '../tools/tool.ts';
import { intentOf, readArgs } from './call-intent.ts';
import type { GoalCalls } from './goal-calls.ts';
import { inSandbox, runTool } from './run-tool.ts';
import type { Sandbox } from './sandbox/sandbox.ts';

/** A call may take this long where its tool names nothing else, milliseconds. */
export const CALL_TIMEOUT = 120_000;
/** Left of the slice after the longest call, to say what happened, milliseconds. */
export const SLICE_RESERVE = 60_000;
/** The largest answer that is kept whole, bytes of JSON: twice what the largest read of a file gives, since text as JSON is longer. */
const KEPT_BYTES = 8 * 1024 * 1024;
/** Calls that the host never sees (no such tool, wrong arguments) in a row, before the round is given up: a script that heeds no refusal would spin. */
const BLIND_CALLS = 200;

export interface CallReply {
  value?: Json;
  refusal?: Refusal;
  notices: Notice[];
  call: string;
}

/** The answer to the question whether a model may be called. Refused: the round is over, or is asked to go on otherwise; `over` says which. */
export type ModelCallReply = { ok: true; call: string; notices: Notice[] } | { ok: false; refusal: Refusal; over: boolean };

export interface Ending {
  outcome: RoundOutcome;
  note?: string;
  finish?: boolean;
  /** For `failed` by a provider: not before that many milliseconds. */
  retryAfterMs?: number;
  /** The Goal has ended the round already, or does not know it any more: nothing is left to say. */
  said: boolean;
}

export interface SessionPorts {
  goal: GoalCalls;
  files: Files;
  services: ToolEnv['services'];
  world: World;
  /** Of this round alone. Every text that leaves the round passes through it. */
  redactor: Redactor;
  /** Tools that this round has beside those of its lane: of remote servers. */
  tools?: readonly Tool[];
  /** Pages in a browser, where one is bound. */
  browse?: Browse;
  /** The business round of a goal that a trigger started: its name, and who speaks. */
  business?(round: string, principal: PrincipalId): BusinessRoundDoor;
  /** To other goals of the workspace. */
  postTo?: ToolEnv['postTo'];
  /** Where code of an agent runs. */
  sandbox?: Sandbox;
  now(): number;
  /** Milliseconds since the epoch at which the slice is over. */
  sliceEnds: number;
}

/** The round is over for its Runner when a command of it meets one of these. */
const ending: ReadonlySet<RefusalCode> = new Set(['round_superseded', 'fence_stale', 'lease_lost', 'goal_not_active']);
/** Why the host stops a round that is still open: the round then says itself how it ended. For every other reason it is closed on record already. */
const stillOpen: Partial<Record<RefusalCode, RoundOutcome>> = { limit_exceeded: 'handed_back', goal_version_stale: 'interrupted', goal_paused: 'interrupted' };

export class Session {
  readonly context: RoundContext;
  /** Resolves once, when the round is over by a call, by the host or by the slice. */
  readonly over: Promise<Ending>;
  readonly #ports: SessionPorts;
  readonly #actor: Actor;
  readonly #runner: string;
  readonly #paths;
  readonly #uploads = new Map<string, Upload>();
  #resolveOver: (ending: Ending) => void = () => {};
  #ending: Ending | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #last: CallResult | undefined;
  /** Steps asked for, and those of them that were calls of tools. */
  #n = 0;
  #calls = 0;
  #blind = 0;
  #steppedAt: number;
  #changes = 0;

  constructor(context: RoundContext, runner: string, ports: SessionPorts) {
    this.context = ports.redactor.json(context as unknown as Json) as unknown as RoundContext;
    this.#ports = ports;
    this.#runner = runner;
    this.#actor = { kind: 'round', round: context.round, fence: context.fence, runner };
    this.#paths = startingPaths(context);
    this.#steppedAt = ports.now();
    this.over = new Promise((resolve) => {
      this.#resolveOver = resolve;
    });
  }

  /** For what an executor sends past this session: prompts, streams. */
  get redactor(): Redactor {
    return this.#ports.redactor;
  }

  /** Milliseconds left of the slice. */
  get left(): number {
    return this.#ports.sliceEnds - this.#ports.now();
  }

  /** Set once the round is over; `over` says the same as a promise. */
  /** Of a goal that a trigger started. */
  get business(): BusinessRoundDoor | undefined {
    const { firing, principal } = this.context;
    return firing && this.#ports.business?.(firing.round, principal);
  }

  get ended(): Ending | null {
    return this.#ending;
  }

  /** Beside those of the lane. */
  get moreTools(): readonly Tool[] {
    return this.#ports.tools ?? [];
  }

  /** Calls of this round that changed the record. */
  get changes(): number {
    return this.#changes;
  }

  /** Never throws for a refusal. Does not return once the round is over. `room`: characters that the agent can take of the answer. */
  call(name: string, args: Json, room?: number): Promise<CallReply> {
    const turn = this.#queue.then(() => this.#call(name, args, room));
    this.#queue = turn.catch(() => {});
    return turn;
  }

  /**
   * Keeps the answer of the newest call whole, as a file that goes on record with what the call said, so that `result.read` gives it when the conversation has only a reference.
   * False: it is too large to be kept, the store did not take it, or another call has been made since. A crash before the next step leaves a file that nothing names; it is swept.
   */
  async keep(call: string, value: Json): Promise<boolean> {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    if (bytes.length > KEPT_BYTES) return false;
    try {
      const kept = await this.#ports.files.put(bytes, 'application/json');
      if (this.#last?.call !== call) return false;
      this.#last = { ...this.#last, kept };
      return true;
    } catch (error) {
      log('warn', 'session', 'answer.not_kept', { round: this.context.round, error: errorOf(error) });
      return false;
    }
  }

  /**
   * Sets aside the worst case of one model call, before it is made. Never throws for a refusal: `over` then says that the round has ended with it (budget, slice, steps, or
   * the host ended it), and nothing may be called any more. What was used is said by `modelUsed`; a call of which nothing is said is charged at its reservation.
   * `subject`: what the call is for, e.g. `turn 7`; `args`: what is kept on record of it, small. `timeoutMs`: how long it may take.
   */
  modelCall(intent: { reserve: Reservation; subject: string; args?: Json; timeoutMs?: number }): Promise<ModelCallReply> {
    const turn = this.#queue.then(() => this.#modelCall(intent));
    this.#queue = turn.catch(() => {});
    return turn;
  }

  /**
   * How the model call ended; travels with the next step, or with the round's end. `used` left out: not known, and charged at its reservation. `ms`: how long it took.
   * Money in millionths of the main unit.
   */
  modelUsed(call: string, ok: boolean, summary: string, used: Usage | undefined, ms: number): void {
    this.#last = { call, ok, summary: this.#said(summary), ms: Math.max(0, Math.round(ms)), ...(used ? { used } : {}) };
  }

  /** Ends the round from outside the script. The first ending stands. */
  close(outcome: RoundOutcome, note?: string, more: { finish?: boolean; said?: boolean; retryAfterMs?: number } = {}): void {
    if (this.#ending) return;
    this.#ending = {
      outcome,
      said: more.said ?? false,
      ...(note === undefined ? {} : { note }),
      ...(more.finish ? { finish: true } : {}),
      ...(more.retryAfterMs === undefined ? {} : { retryAfterMs: Math.ceil(more.retryAfterMs) }),
    };
    this.#resolveOver(this.#ending);
  }

  /** Renews the lease when no call has for a third of it; computing long without a call is no reason to lose a round. */
  async heartbeat(): Promise<void> {
    // A script that computes to the end of its slice without a call would be killed by the platform, and nobody would have said why.
    if (this.#ports.sliceEnds - this.#ports.now() < SLICE_RESERVE / 2) this.close('handed_back', 'slice');
    if (this.#ending || this.#ports.now() - this.#steppedAt < this.context.leaseMs / 3) return;
    this.#steppedAt = this.#ports.now();
    const answer = await this.#ports.goal.step({ round: this.context.round, fence: this.context.fence, runner: this.#runner });
    if (answer.outcome === 'ended') this.#stopped(answer.refusal);
  }

  /** What the record says, redacted. Undefined when it is not there. */
  async read(query: ReadQuery): Promise<Json | undefined> {
    return this.#ports.redactor.json(await this.#ports.goal.read(query));
  }

  /** What a script of a child is given: the brief as its parent wrote it, wherever it is kept. Throws where its bytes are gone: there is nothing to work on then. */
  async wholeContext(): Promise<RoundContext> {
    const { brief } = this.context;
    if (!brief?.file) return this.context;
    const bytes = await this.#ports.files.get(brief.file.digest);
    if (!bytes) throw new Error(`the brief of ${brief.name}, ${brief.file.size} bytes, is not in the store`);
    const { file: _, ...rest } = brief;
    return { ...this.context, brief: { ...rest, value: this.#ports.redactor.json(JSON.parse(new TextDecoder().decode(bytes)) as Json) } };
  }

  /** Shows what the model writes to those who watch; false where nobody does. The text is redacted already. */
  async stream(text: string, done: boolean): Promise<boolean> {
    if (this.#ending) return false;
    return this.#ports.goal.stream({ round: this.context.round, fence: this.context.fence, runner: this.#runner, text, done });
  }

  /** A command outside of any call, e.g. a child's result. `part` makes its id unique within the round. */
  async command(type: Parameters<GoalCalls['command']>[1], part: string, payload: Json) {
    return this.#ports.goal.command(this.#actor, type, `${this.context.round}:${this.context.fence}:${part}`, this.#ports.redactor.json(payload));
  }

  /** Tells the Goal how the round ended; what is still on its way outside the record is dropped first. */
  async finish(): Promise<void> {
    const end = this.#ending ?? { outcome: 'empty' as const, said: false };
    for (const upload of this.#uploads.values()) await upload.abort().catch(() => {});
    if (end.said) {
      // The round is closed, but what a call of it used is testimony, and taken late.
      const { call, used } = this.#last ?? {};
      if (call && used) await this.#ports.goal.command(this.#actor, 'usage.record', `${call}:used`, { call, ...used });
      return;
    }
    const payload = {
      outcome: end.outcome,
      ...(this.#last ? { last: this.#last as unknown as Json } : {}),
      ...(end.note === undefined ? {} : { note: this.#said(end.note) }),
      ...(end.finish ? { finish: true } : {}),
      ...(end.retryAfterMs === undefined ? {} : { retryAfterMs: end.retryAfterMs }),
    };
    const answer = await this.#ports.goal.command(this.#actor, 'round.end', `${this.context.round}:${this.context.fence}:end`, payload);
    // Refused: the round is over already, or the Goal will end it by its lease. Neither is ours to mend.
    if (!answer.ok && answer.refusal.code === 'unavailable') throw new Error(`round.end: ${answer.refusal.detail ?? 'unavailable'}`);
  }

  /** Text as it goes on record: clean, without secrets, short. */
  #said(text: string, longest = 2000): string {
    return cleanText(this.#ports.redactor.text(text)).text.slice(0, longest);
  }

  async #call(name: string, raw: Json, room: number | undefined): Promise<CallReply> {
    const reply = await this.#answered(name, raw, room);
    // Whatever a tool, the Goal or somebody outside said: the agent never sees a secret in it.
    return this.#ports.redactor.json(reply as unknown as Json) as unknown as CallReply;
  }

  async #answered(name: string, raw: Json, room: number | undefined): Promise<CallReply> {
    if (this.#ending) return never();
    const tool = toolOf(this.context.lane, name) ?? this.moreTools.find((each) => each.name === name && each.lanes.includes(this.context.lane));
    if (!tool) {
      const tools = [...toolsOf(this.context.lane), ...this.moreTools].map((each) => each.name);
      return this.#unseen(
        refuse('schema_invalid', {
          detail: `the ${this.context.lane} lane has no tool ${name}`,
          errors: [{ pointer: '/tool', code: 'unknown_tool', detail: name.slice(0, 80) }],
          current: { tools },
        }),
      );
    }
    const { value: cleanArgs, replaced } = cleanJson(this.#ports.redactor.json(raw ?? {}));
    const secrets = secretPlaces(cleanArgs, tool.secrets ?? []);
    if ('errors' in secrets) return this.#unseen(refuse('schema_invalid', { detail: `secrets in the arguments of ${name}`, errors: secrets.errors }));
    const read = readArgs(tool, cleanArgs);
    if ('errors' in read) return this.#unseen(refuse('schema_invalid', { detail: `arguments of ${name}`, errors: read.errors }));
    this.#blind = 0;

    const timeout = tool.timeoutMs ?? CALL_TIMEOUT;
    if (this.#ports.sliceEnds - this.#ports.now() < timeout + SLICE_RESERVE) return this.#over('handed_back', 'slice');
    if (this.#calls >= this.context.stepsPerRound) return this.#over('handed_back', 'steps');

    const { intent, restore } = intentOf(tool, read.args, { timeout, services: this.#ports.services, said: (text) => this.#said(text, 200) });
    const askedAt = this.#ports.now();
    this.#calls++;
    const answer = await this.#step(intent);
    if (answer.outcome === 'ended') {
      this.#stopped(answer.refusal);
      return never();
    }
    // The record of the last call is sent until another takes its place: whether this answer was committed is not known, and twice is once there.
    if (answer.outcome === 'refused') return { refusal: answer.refusal, notices: answer.notices, call: '' };
    if (answer.outcome === 'waiting') return this.#over('waiting', answer.wait);
    return this.#run(tool, answer, { args: restore(answer.args), secrets, room }, timeout, askedAt, replaced);
  }

  #step(next: CallIntent): Promise<StepAnswer> {
    this.#steppedAt = this.#ports.now();
    return this.#ports.goal.step({
      round: this.context.round,
      fence: this.context.fence,
      runner: this.#runner,
      n: ++this.#n,
      ...(this.#last ? { last: this.#last } : {}),
      next,
    });
  }

  async #modelCall({ reserve, subject, args, timeoutMs }: { reserve: Reservation; subject: string; args?: Json; timeoutMs?: number }): Promise<ModelCallReply> {
    const over = (code: RefusalCode, detail: string): ModelCallReply => ({ ok: false, refusal: refuse(code, { detail }), over: true });
    if (this.#ending) return over('round_superseded', 'the round is over');
    if (this.#ports.sliceEnds - this.#ports.now() < (timeoutMs ?? CALL_TIMEOUT) + SLICE_RESERVE) {
      this.close('handed_back', 'slice');
      return over('limit_exceeded', 'slice');
    }
    const answer = await this.#step({
      tool: MODEL_CALL,
      args: this.#ports.redactor.json(args ?? {}),
      subject: this.#said(subject, 200),
      effect: 'none',
      factOnly: [],
      reserve,
    });
    switch (answer.outcome) {
      case 'go':
        // What the call before it said is on record now; of this one nothing is known yet.
        this.#last = undefined;
        return { ok: true, call: answer.call, notices: answer.notices };
      case 'refused':
        return { ok: false, refusal: answer.refusal, over: false };
      case 'waiting':
        this.close('waiting', answer.wait);
        return over('approval_required', answer.wait);
      case 'ended':
        this.#stopped(answer.refusal);
        return { ok: false, refusal: answer.refusal, over: true };
    }
  }

  async #run(
    tool: Tool,
    go: Extract<StepAnswer, { outcome: 'go' }>,
    resolved: { args: Json; secrets: readonly SecretPlace[]; room: number | undefined },
    timeout: number,
    askedAt: number,
    replacedArgs: number,
  ): Promise<CallReply> {
    const startedAt = this.#ports.now();
    // The permit counts from its authorization, which was not before the question: an answer that was long on its way is an old permit.
    const permittedAt = askedAt;
    let commands = 0;
    let requested: Ending | null = null;
    const env: ToolEnv = {
      context: this.context,
      files: this.#ports.files,
      paths: this.#paths,
      uploads: this.#uploads,
      services: this.#ports.services,
      world: this.#ports.world,
      secrets: resolved.secrets.map((each) => each.name),
      ...(this.#ports.browse ? { browse: this.#ports.browse } : {}),
      ...(this.business ? { business: this.business } : {}),
      ...(this.#ports.postTo ? { postTo: this.#ports.postTo } : {}),
      ...(this.#ports.sandbox ? { runScript: inSandbox(this.#ports.sandbox) } : {}),
      ...(resolved.room === undefined ? {} : { room: resolved.room }),
      call: go.call,
      permittedAt,
      ...(go.permit ? { permit: go.permit } : {}),
      read: (query) => this.#ports.goal.read(query),
      command: async (type, payload) => {
        const done = await this.#ports.goal.command(this.#actor, type, `${go.call}:${type}:${commands++}`, this.#ports.redactor.json(payload));
        if (done.ok) this.#changes++;
        else if (ending.has(done.refusal.code) && type !== 'effect.settle') this.close('interrupted', done.refusal.code, { said: true });
        return done;
      },
      end: (outcome, note, more) => {
        requested = { outcome, said: more?.said ?? false, ...(note === undefined ? {} : { note }), ...(more?.finish ? { finish: true } : {}) };
      },
    };
    const answer = go.repeat !== undefined ? ({ ok: true, value: go.repeat, summary: 'known from before' } satisfies ToolAnswer) : await runTool(tool, resolved, env, timeout);
    const clean = answer.ok ? cleanJson(answer.value) : { value: null, replaced: 0 };
    const replaced = replacedArgs + clean.replaced;
    const said = answer.ok ? answer.summary : `${answer.refusal.code}: ${answer.refusal.detail ?? ''}`;
    const summary = `${said}${replaced > 0 ? ` (${replaced} characters replaced)` : ''}`;
    this.#last = { call: go.call, ok: answer.ok, summary: this.#said(summary), ms: Math.max(0, this.#ports.now() - startedAt) };
    const asked = requested as Ending | null;
    if (asked) return this.#over(asked.outcome, asked.note, asked.said, asked.finish);
    if (this.#ending) return never();
    return answer.ok ? { value: clean.value, notices: go.notices, call: go.call } : { refusal: answer.refusal, notices: go.notices, call: go.call };
  }

  #unseen(refusal: Refusal): Promise<CallReply> {
    if (++this.#blind > BLIND_CALLS) return this.#over('failed', `${BLIND_CALLS} calls in a row were no calls: ${refusal.detail}`);
    return Promise.resolve({ refusal, notices: [], call: '' });
  }

  #stopped(refusal: Refusal): void {
    const outcome = stillOpen[refusal.code];
    this.close(outcome ?? 'interrupted', refusal.detail ?? refusal.code, { said: outcome === undefined });
  }

  #over(outcome: RoundOutcome, note?: string, said = false, finish = false): Promise<CallReply> {
    this.close(outcome, note, { said, finish });
    return never();
  }
}

/** What a call of an ended round gets: nothing, ever. The sandbox around it is stopped. */
function never(): Promise<never> {
  return new Promise(() => {});
}
