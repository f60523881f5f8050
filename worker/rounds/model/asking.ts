/** One answer of the model, with all that surrounds it: set aside, streamed, settled, repeated where the provider's error may pass, live text on the way. */
import type { LanguageModel, ModelMessage, ToolSet } from 'ai';
import type { Notice } from '../../goal/rpc.ts';
import type { PinnedModel } from '../../models/pinned-model.ts';
import { Retries } from '../../models/retries.ts';
import { type Session, SLICE_RESERVE } from '../session.ts';
import type { Accounts, Size } from './accounts.ts';
import { callModel, type ModelTurn } from './call-model.ts';
import type { LiveText } from './live-text.ts';

/** Longest wait for one answer of a model, milliseconds. */
export const MODEL_TIMEOUT = 300_000;

export type Message = Extract<ModelTurn, { kind: 'message' }>;
export type Answered =
  | Message
  /** The round is over, or has been closed with the reason. */
  | { kind: 'over' }
  /** The provider says that the request is larger than its window. */
  | { kind: 'too_long'; detail: string };

export interface Question {
  /** For the record, e.g. `turn 7`. */
  subject: string;
  system: string;
  /** Made after the host has answered: what it says with the reservation belongs in. */
  messages(notices: readonly Notice[]): ModelMessage[];
  tools: ToolSet;
  size: Size;
  /** Shown to those who watch. */
  live: boolean;
}

export interface AskerPorts {
  session: Session;
  pinned: PinnedModel;
  accounts: Accounts;
  live: LiveText;
  signal: AbortSignal;
  now(): number;
  random(): number;
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

export class Asker {
  readonly #ports: AskerPorts;

  constructor(ports: AskerPorts) {
    this.#ports = ports;
  }

  async ask(question: Question): Promise<Answered> {
    const { session, pinned, accounts, live, signal, now } = this.#ports;
    const retries = new Retries(this.#ports.random);
    const left = () => session.left - MODEL_TIMEOUT - SLICE_RESERVE;
    const held = pinned.slow?.left(now()) ?? 0;
    if (held > 0) {
      const verdict = retries.held(held, left());
      if (verdict.then === 'later') {
        session.close('failed', `${pinned.id}: the provider asked this workspace for fewer calls`, { retryAfterMs: verdict.retryAfterMs });
        return { kind: 'over' };
      }
      await this.#ports.pause(verdict.afterMs, signal);
    }
    for (;;) {
      const reserved = await session.modelCall({
        reserve: accounts.reserve(question.size),
        subject: question.subject,
        args: { estimate: question.size.tokens },
        timeoutMs: MODEL_TIMEOUT,
      });
      if (!reserved.ok) {
        if (!reserved.over) session.close('failed', `the model call was refused: ${reserved.refusal.code} ${reserved.refusal.detail ?? ''}`.trim());
        return { kind: 'over' };
      }
      const began = now();
      const turn = await callModel({
        model: pinned.model as LanguageModel,
        system: question.system,
        messages: question.messages(reserved.notices),
        tools: question.tools,
        maxOutput: accounts.outputOf(question.size),
        ...(pinned.temperature === undefined ? {} : { temperature: pinned.temperature }),
        signal,
        secrets: pinned.secrets,
        now,
        timeoutMs: MODEL_TIMEOUT,
        onText: (text) => question.live && live.grow(text),
      });
      if (question.live) live.end();
      accounts.reported(question.size, turn.use);
      session.modelUsed(reserved.call, turn.kind === 'message', summaryOf(turn), accounts.usage(turn.use), now() - began);
      if (turn.kind === 'message') return turn;
      if (turn.kind === 'stopped') return { kind: 'over' };
      if (turn.error.kind === 'refused' && turn.error.code === 'too_long') return { kind: 'too_long', detail: turn.error.detail };
      const verdict = retries.after(turn.error, left());
      if (turn.error.kind === 'retry' && turn.error.code === 'limited' && verdict.then !== 'stop')
        pinned.slow?.note(now(), verdict.then === 'again' ? verdict.afterMs : verdict.retryAfterMs);
      if (verdict.then !== 'again') {
        session.close('failed', `${pinned.id}: ${turn.error.detail}`, verdict.then === 'later' ? { retryAfterMs: verdict.retryAfterMs } : {});
        return { kind: 'over' };
      }
      await this.#ports.pause(verdict.afterMs, signal);
    }
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
