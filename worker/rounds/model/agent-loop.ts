/** The conversation of one round: a message of the model, its calls in order through the session, their answers, until a tool ends the round. */
import type { Refusal, RefusalCode } from '../../domain/refusals.ts';
import type { Json } from '../../domain/values.ts';
import type { ResumePacket } from '../../domain/views/types.ts';
import type { Notice } from '../../goal/rpc.ts';
import type { PinnedModel } from '../../models/pinned-model.ts';
import { cleanText } from '../../tools/clean.ts';
import type { CallReply, Session } from '../session.ts';
import { Accounts, type Size } from './accounts.ts';
import { answerText, Notices, notRun } from './answer-text.ts';
import { Asker, type Message } from './asking.ts';
import { inHistory, readArguments } from './call-arguments.ts';
import type { ModelCall } from './call-model.ts';
import { Compactor } from './compaction.ts';
import { Conversation, type HistoryResult } from './conversation.ts';
import { stillDecided } from './decided.ts';
import { graphFor } from './graph-for-coordinator.ts';
import { LiveText } from './live-text.ts';
import { OfferedTools } from './offered-tools.ts';
import { openingOf } from './opening.ts';
import { readHere, readingDefinitions, skillsToRead } from './reading-tools.ts';
import type { Snapshot } from './snapshot.ts';
import { endsOf, type SkillText, skillsFor, systemTextFor } from './system-text.ts';
import { snapshotBefore } from './taking-up.ts';
import { definitionNamed, definitionsOf, toolSetOf } from './tool-definitions.ts';
import { toolsOfRound } from './tools-of-round.ts';
import { answerLimitOf, outputReserveOf, triggerOf, WORTH } from './window.ts';

/** Messages in a row of which nothing could be run, before the round is given up. */
const IDLE_MESSAGES = 6;

type Result = Omit<HistoryResult, 'id' | 'alias'>;

export interface LoopPorts {
  signal: AbortSignal;
  now(): number;
  random(): number;
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

/** A command of the round itself was refused: the Goal has ended the round, or does not take it as things stand. */
export function closeFor(session: Session, refusal: Refusal): void {
  session.close('interrupted', `${refusal.code} ${refusal.detail ?? ''}`.trim(), { said: endedBy.has(refusal.code) });
}
const endedBy: ReadonlySet<RefusalCode> = new Set(['round_superseded', 'fence_stale', 'lease_lost', 'not_found']);

export class AgentLoop {
  readonly #session: Session;
  readonly #pinned: PinnedModel;
  readonly #skills: SkillText[];
  readonly #system: string;
  readonly #tools: OfferedTools;
  readonly #conversation = new Conversation('');
  readonly #notices = new Notices();
  readonly #accounts: Accounts;
  readonly #asker: Asker;
  readonly #compactor: Compactor;
  readonly #limit: number;
  #graph: Json | undefined;
  #business: Json | undefined;
  /** The model's own word ends the round. */
  #endedItself = false;
  #reminded = false;
  #idle = 0;
  #turns = 0;

  constructor(session: Session, pinned: PinnedModel, ports: LoopPorts) {
    const { context } = session;
    this.#session = session;
    this.#pinned = pinned;
    this.#limit = answerLimitOf(pinned.window);
    this.#accounts = new Accounts(pinned);
    const live = new LiveText({ now: ports.now, send: (text, done) => session.stream(text, done), redact: () => session.redactor.stream() });
    this.#asker = new Asker({ session, pinned, accounts: this.#accounts, live, ...ports });
    this.#skills = skillsFor(context);
    this.#system = systemTextFor(context, pinned.instructions, this.#skills);
    const tools = [...toolsOfRound(context), ...session.moreTools.filter((each) => each.lanes.includes(context.lane) && context.purpose !== 'intake')];
    const definitions = [...definitionsOf(tools), ...readingDefinitions(context)];
    this.#tools = new OfferedTools(definitions, pinned.window, (each) => this.#accounts.ofDefinition(each));
    this.#compactor = new Compactor({
      session,
      context,
      accounts: this.#accounts,
      asker: this.#asker,
      conversation: this.#conversation,
      window: pinned.window,
      output: pinned.output,
      system: this.#system,
      sizeNow: () => this.#size(),
      sizeFixed: () => this.#sizeFixed(),
      closed: (refusal) => closeFor(session, refusal),
      reopen: (snapshot) => this.#reopen(snapshot),
    });
  }

  async run(): Promise<void> {
    const { context } = this.#session;
    const pinned = await this.#session.command('round.pin', 'pin', {
      model: this.#pinned.id,
      profile: this.#pinned.profile,
      window: this.#pinned.window,
      skills: this.#skills.map(({ name, version }) => ({ name, version })),
    });
    if (!pinned.ok) return closeFor(this.#session, pinned.refusal);
    const read = this.#session.read.bind(this.#session);
    this.#graph = await graphFor(context, read);
    this.#business = await this.#readBusiness();
    const before = await snapshotBefore(context, read);
    this.#conversation.opening = this.#opening(context.packet, before ? { of: 'the round before', value: before } : undefined);
    while (!this.#session.ended) {
      const message = await this.#ask();
      if (!message || this.#session.ended) break;
      this.#turns++;
      if (message.cut) this.#wasCut(message);
      else if (message.calls.length === 0) await this.#saidOnly(message);
      else await this.#runCalls(message);
    }
    const end = this.#session.ended;
    // Broken off by the host, in the middle of its work: steps, slice, drift.
    if (end?.outcome === 'handed_back' && !end.said && !this.#endedItself) await this.#compactor.handOver();
  }

  #opening(packet: ResumePacket, snapshot?: { of: 'this round' | 'the round before'; value: Snapshot }, decided = this.#session.context.decided): string {
    const { context } = this.#session;
    const skills = skillsToRead(context);
    const messages = this.#notices.stillOpen(packet);
    return openingOf({
      context,
      packet,
      limit: this.#limit,
      ...(this.#business === undefined ? {} : { business: this.#business }),
      ...(this.#graph === undefined ? {} : { graph: this.#graph }),
      ...(decided === undefined ? {} : { decided }),
      ...(skills === undefined ? {} : { skills }),
      ...(messages.length === 0 ? {} : { messages }),
      ...(snapshot ? { snapshot } : {}),
    });
  }

  /** From the record as it is now: what was asked, planned or sent meanwhile is in it, and nothing of it depends on the snapshot. */
  async #reopen(snapshot: Snapshot): Promise<string> {
    const { context } = this.#session;
    const read = this.#session.read.bind(this.#session);
    const item = context.item?.key ?? context.brief?.item;
    const packet =
      ((await read({ what: 'resume_packet', round: context.round, ...(item === undefined ? {} : { item }) })) as unknown as ResumePacket | undefined) ?? context.packet;
    this.#graph = await graphFor(context, read);
    this.#business = await this.#readBusiness();
    const decided = await stillDecided(context.decided ?? [], read);
    return this.#opening({ ...packet, recovery: context.packet.recovery }, { of: 'this round', value: snapshot }, decided);
  }

  /** A workspace that does not answer keeps no round from its work: `business_read` asks again. */
  async #readBusiness(): Promise<Json | undefined> {
    const { business, context } = this.#session;
    if (!business || context.brief || context.lane === 'reviewer' || context.purpose === 'intake') return undefined;
    const answer = await business.read();
    return 'refused' in answer ? undefined : answer.value;
  }

  #size(): Size {
    return this.#accounts.estimate(this.#system, this.#conversation.messages(), this.#tools.offered);
  }

  #sizeFixed(): Size {
    return this.#accounts.estimate(this.#system, [{ role: 'user', content: this.#conversation.opening }], this.#tools.offered);
  }

  /** Characters of one answer: a share of the window, and no more than half of what the conversation has. */
  #answerLimit(): number {
    const { window, output } = this.#pinned;
    const room = triggerOf(window, outputReserveOf(window, output)) - this.#sizeFixed().tokens;
    return Math.max(600, Math.min(this.#limit, Math.floor(room / 2) * 3));
  }

  /** The next message of the model; undefined when the round is over. */
  async #ask(): Promise<Message | undefined> {
    for (let forced = false; ; forced = true) {
      if (!(await this.#compactor.fit(forced))) return undefined;
      const answer = await this.#asker.ask({
        subject: `turn ${this.#turns + 1}`,
        system: this.#system,
        messages: (notices) => this.#told(notices),
        tools: toolSetOf(this.#tools.offered),
        size: this.#size(),
        live: true,
      });
      if (answer.kind === 'message') return answer;
      if (answer.kind === 'over') return undefined;
      if (forced) {
        this.#session.close('failed', `${this.#pinned.id}: ${answer.detail}`);
        return undefined;
      }
    }
  }

  /** What the host said when it let the call pass is in the conversation before the model reads it. */
  #told(notices: readonly Notice[]) {
    const fresh = this.#notices.fresh(notices);
    if (fresh.length > 0) this.#conversation.note(`Notices of the host: ${answerText({ value: fresh, notices: [], call: '' }, [])}`);
    return this.#conversation.messages();
  }

  /** Calls of a message that the output limit ended are not run, not even those that look whole. */
  #wasCut(message: Message): void {
    this.#add(
      message,
      message.calls.map(() => ({ text: notRun('cut', 'your message reached the output limit before it was complete; none of its calls was run') })),
      'Your message was cut at the output limit. Nothing of it was run. Write less at once: write large files in parts (`files_begin`, `files_append`, `files_commit`), make fewer calls in a message.',
    );
    this.#spun('every message was cut at the output limit');
  }

  async #saidOnly(message: Message): Promise<void> {
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
    this.#endedItself = true;
    this.#session.close(this.#session.changes > 0 ? 'handed_back' : 'empty', note === '' ? 'the model said nothing' : note);
  }

  /** In order: a later call sees what an earlier one changed. Whatever comes of it, each call has its one result. */
  async #runCalls(message: Message): Promise<void> {
    this.#reminded = false;
    const results: Result[] = [];
    let ran = false;
    // Answers of one message share what one may hold, so that many of them do not fill the window at once.
    const most = this.#answerLimit();
    const limit = Math.max(600, Math.floor((most * 2) / (message.calls.length + 1)));
    for (const call of message.calls) {
      if (this.#session.ended) {
        results.push({ text: notRun('round_over', 'the round had ended before this call') });
        continue;
      }
      const { reached, ...result } = await this.#runCall(call, Math.min(most, limit));
      ran ||= reached;
      results.push(result);
    }
    this.#add(message, results);
    if (ran) this.#idle = 0;
    else this.#spun('none of its calls could be run');
  }

  async #runCall(call: ModelCall, limit: number): Promise<Result & { reached: boolean }> {
    const definition = definitionNamed(this.#tools.all, call.name) ?? definitionNamed(this.#tools.offered, call.name);
    if (!definition)
      return { text: notRun('unknown_tool', `there is no tool ${call.name.slice(0, 80)} in this round`, { tools: this.#tools.all.map((each) => each.alias) }), reached: false };
    const read = readArguments(call.raw);
    if (!read.ok) return { text: notRun('malformed_arguments', read.why, { arguments: definition.schema as Json }), reached: false };
    if (definition.name === 'tools_load') {
      const names = Array.isArray(read.args.names) ? read.args.names.filter((name) => typeof name === 'string') : [];
      return { text: answerText({ value: this.#tools.load(names), notices: [], call: '' }, [], limit), reached: false };
    }
    const here = readHere(definition.name, read.args, limit);
    if (here !== undefined) return { text: answerText({ value: here, notices: [], call: '' }, [], limit), reached: false };
    const reply = await Promise.race([this.#session.call(definition.name, read.args, limit), this.#session.over]);
    if (definition.name === 'hand_back' || definition.name === 'finish') this.#endedItself = true;
    if (!('notices' in reply)) return { text: notRun('round_over', `this call ended the round: ${reply.outcome}`), reached: true };
    const wrongShape = reply.refusal?.code === 'schema_invalid' && reply.call === '';
    const notices = this.#notices.fresh(reply.notices);
    if (read.asText > 0) notices.push({ kind: 'numbers', note: `${read.asText} numbers whose digits a double cannot keep were taken as text` });
    if (wrongShape) notices.push({ kind: 'right', arguments: definition.schema as Json });
    const ref = (await this.#keeps(definition.name, reply)) ? `call:${reply.call}` : undefined;
    return { text: answerText(reply, notices, limit, ref), reached: !wrongShape, ...(ref === undefined ? {} : { ref }) };
  }

  /** What is long enough to be dropped one day is kept whole; a page of what is kept already is not. */
  async #keeps(name: string, reply: CallReply): Promise<boolean> {
    if (reply.refusal || reply.call === '' || name === 'result.read') return false;
    const value = reply.value ?? null;
    return JSON.stringify(value).length >= WORTH && (await this.#session.keep(reply.call, value));
  }

  #add(message: Message, results: Result[], host?: string): void {
    const calls = message.calls.map((call) => ({
      id: this.#conversation.nextId(),
      alias: definitionNamed(this.#tools.all, call.name)?.alias ?? (call.name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'unknown'),
      input: inHistory(call.raw, readArguments(call.raw)),
      ...(call.providerOptions ? { providerOptions: call.providerOptions } : {}),
    }));
    this.#conversation.add({
      assistant: { text: message.text, reasoning: message.reasoning, calls },
      results: calls.map(({ id, alias }, at) => ({ id, alias, ...(results[at] ?? { text: notRun('round_over', 'not run') }) })),
      ...(host === undefined ? {} : { host }),
    });
  }

  #spun(why: string): void {
    if (++this.#idle >= IDLE_MESSAGES) this.#session.close(this.#session.changes > 0 ? 'handed_back' : 'empty', `${IDLE_MESSAGES} messages in a row: ${why}`);
  }
}
