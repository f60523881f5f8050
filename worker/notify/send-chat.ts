/** One message to one chat: worded and signed now, sent through the outgoing guard, judged by what came back. Never throws; says nothing of addresses or keys. */
import { titleOf } from '../book/queries.ts';
import type { Env } from '../env.ts';
import { errorOf, log } from '../observe/log.ts';
import { admit, guardedFetch, OutgoingRefused } from '../outgoing/guard.ts';
import { type OutgoingSettings, outgoingRules } from '../outgoing/policy.ts';
import { sha256 } from '../goal/sha256.ts';
import type { OpenedChat, OpenedLinks } from '../workspace/rpc.ts';
import type { Delivery } from './outbox-store.ts';
import { payloadOf } from './core/chat/formats.ts';
import { chatRequest, judgeChatAnswer } from './core/chat/request.ts';
import { type Said, sayOf } from './core/chat/words.ts';
import { addressOf, namedPerson } from './core/addresses.ts';
import type { Happening } from './core/message.ts';
import { consoleOrigin } from './origin.ts';
import type { Tried } from './send-delivery.ts';

/** Milliseconds that a chat has to answer. */
const answerMs = 15_000;
/** Bytes of its answer. */
const answerBytes = 64 * 1024;

interface Told {
  env: Env;
  workspace: string;
  policy: OutgoingSettings;
  links: OpenedLinks | null;
  chat: OpenedChat;
  delivery: Pick<Delivery, 'id' | 'body'>;
}

export async function sendChat({ env, workspace, policy, links, chat, delivery }: Told, at: number, send: typeof fetch | undefined): Promise<Tried> {
  const happening = JSON.parse(delivery.body) as Happening;
  const title = await knownTitle(env, workspace, happening.goal);
  // A link for one person is worth nothing to the others who read the chat.
  const url = addressOf({ workspace, origin: consoleOrigin(env), links, sha256 }, happening, namedPerson(happening.who), `chat/${chat.chat.name}/${delivery.id}`);
  const said = sayOf(chat.chat.language, happening, { ...(title === undefined ? {} : { title }), url });
  return postChat({ env, policy, chat, said }, at, send);
}

export async function postChat({ env, policy, chat, said }: Pick<Told, 'env' | 'policy' | 'chat'> & { said: Said }, at: number, send: typeof fetch | undefined): Promise<Tried> {
  const again = (fault: string): Tried => ({ judged: { is: 'again', fault }, status: null });
  if (chat.refusal) return again(chat.refusal.code);
  const { kind, language } = chat.chat;
  if (!URL.canParse(chat.address)) return again('address_unfit');
  try {
    const { url, body } = await chatRequest(kind, chat.address, payloadOf(kind, said, language), chat.signing, at);
    const headers = { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Longhaul-Chat/1' };
    const limits = { timeoutMs: answerMs, maxBytes: answerBytes, ...(send ? { send } : {}) };
    const response = await guardedFetch(admit(outgoingRules(env, policy), url), url, { method: 'POST', headers, body, redirect: 'manual' }, limits);
    return { judged: judgeChatAnswer(kind, response.status, response.headers.get('retry-after'), await response.text(), at), status: response.status };
  } catch (error) {
    return again(error instanceof OutgoingRefused ? error.fault : 'network');
  }
}

/** Of the book, when it is sent: what a goal is called is kept in no outbox, and of an erased one not told. */
export async function knownTitle(env: Env, workspace: string, goal: string): Promise<string | undefined> {
  if (goal === '') return undefined;
  try {
    return await titleOf(env.DB, workspace, goal);
  } catch (error) {
    log('warn', 'notify', 'title.away', { workspace, goal, error: errorOf(error) });
    return undefined;
  }
}
