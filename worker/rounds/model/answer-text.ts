/** What a call's answer looks like to the model: JSON, the same for every tool. */
import type { Refusal } from '../../domain/refusals.ts';
import type { Json } from '../../domain/values.ts';
import type { ResumePacket } from '../../domain/views/types.ts';
import type { Notice } from '../../goal/rpc.ts';
import type { CallReply } from '../session.ts';
import { jsonInFence } from './data-fence.ts';
import { howToRead } from './window.ts';

/** Characters of one answer. More is cut with a word about how to get the rest: one read must not fill the window. */
export const ANSWER_CHARACTERS = 24_000;

/** `ref`: what `result_read` takes to give the whole answer, where it was kept. */
export function answerText(reply: CallReply, notices: readonly Json[], limit = ANSWER_CHARACTERS, ref?: string): string {
  const answer: { [key: string]: Json } = {};
  if (reply.call !== '') answer.call = reply.call;
  if (reply.refusal) answer.refusal = shownRefusal(reply.refusal);
  else answer.value = reply.value ?? null;
  if (notices.length > 0) answer.notices = [...notices];
  const text = jsonInFence(answer);
  if (text.length <= limit) return text;
  const { value, ...rest } = answer;
  const head = JSON.stringify(value ?? null);
  return jsonInFence({
    ...rest,
    ...(value === undefined
      ? {}
      : {
          cut: `${head.length} characters; here are the first. ${ref === undefined ? 'Read on with offset, limit or a narrower question' : `Ask a narrower question, or read on: ${howToRead(ref)}`}.`,
          value_head: head.slice(0, limit),
        }),
  }).slice(0, limit + 2000);
}

/** A refusal of something that never reached the host: no such tool, no JSON. */
export function notRun(code: string, detail: string, right?: Json): string {
  return jsonInFence({ refusal: { code, detail, ...(right === undefined ? {} : { right }) } });
}

export function shownRefusal({ refused: _, ...rest }: Refusal): Json {
  return JSON.parse(JSON.stringify(rest)) as Json;
}

const messagesNote = 'From the people of this goal. Mark them with message_handle({upTo}) when you have acted on them.';

/** The host's notices; messages that this round was told already are only counted. */
export class Notices {
  #told = 0;
  readonly #messages = new Map<number, Json>();

  /** What is new of the host's notices. */
  fresh(notices: readonly Notice[]): Json[] {
    const out: Json[] = [];
    for (const notice of notices) {
      if (notice.kind !== 'messages') {
        out.push(notice as unknown as Json);
        continue;
      }
      const fresh = notice.said.map((each, at) => ({ ...each, text: notice.texts[at] ?? '' })).filter((each) => each.message > this.#told);
      if (fresh.length === 0) continue;
      for (const each of fresh) this.#messages.set(each.message, each as unknown as Json);
      this.#told = notice.upTo;
      out.push({ kind: 'messages', upTo: notice.upTo, said: fresh as unknown as Json, note: messagesNote });
    }
    return out;
  }

  /** Messages this round was told and that nobody handled, in full: after a compaction they are said again, as what was said before. */
  stillOpen(packet: Pick<ResumePacket, 'messages'>): Json[] {
    const oldest = packet.messages.head[0]?.message;
    if (oldest === undefined) return [];
    return [...this.#messages].filter(([number]) => number >= oldest).map(([, message]) => message);
  }
}
