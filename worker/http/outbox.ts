/** The routes of what leaves a workspace. They parse, ask the outbox, and answer. */
import type { Refusal } from '../domain/refusals.ts';
import { refuse } from '../domain/refusals.ts';
import { askOutbox } from '../notify/outbox-stub.ts';
import { slug } from '../domain/values.ts';
import { testOf } from '../notify/core/chat/words.ts';
import { consoleOrigin } from '../notify/origin.ts';
import { postChat } from '../notify/send-chat.ts';
import { openFor, recordInAudit } from '../workspace/client.ts';
import { actorOf, addressOf } from './identity.ts';
import { nothing, outboxList, parameters } from './parameters.ts';
import { answer, type Call } from './route.ts';

/** `GET /v1/workspaces/{workspace}/webhook-deliveries` */
export async function webhookDeliveriesRoute(call: Call): Promise<Response | Refusal> {
  const given = parameters(outboxList, call.query);
  if (!given.ok) return given.refusal;
  const { endpoint, cursor, limit } = given.value;
  const { workspace } = call;
  const found = await askOutbox(call.env, workspace, (outbox) =>
    outbox.deliveries({ v: 1, workspace, limit, ...(endpoint === undefined ? {} : { endpoint }), ...(cursor === undefined ? {} : { before: cursor }) }),
  );
  if (found.outcome === 'refused') return found.refusal;
  const { data, endpoints } = found;
  return answer({ data, endpoints, nextCursor: data.length === limit ? String(data.at(-1)?.seq) : null });
}

/** `POST /v1/workspaces/{workspace}/webhook-deliveries/{seq}/replay` */
export async function replayDeliveryRoute(call: Call): Promise<Response | Refusal> {
  const given = parameters(nothing, call.query);
  if (!given.ok) return given.refusal;
  const { workspace, params } = call;
  await call.request.body?.cancel();
  if (!/^\d{1,15}$/.test(params.seq ?? '')) return refuse('not_found', { detail: 'no such delivery' });
  const seq = Number(params.seq);
  const found = await askOutbox(call.env, workspace, (outbox) => outbox.deliveries({ v: 1, workspace, before: seq + 1, limit: 1 }));
  if (found.outcome === 'refused') return found.refusal;
  const [delivery] = found.data;
  if (delivery?.seq !== seq) return refuse('not_found', { detail: 'no such delivery' });
  const recorded = await recordInAudit(call.env, {
    v: 1,
    workspace,
    actor: actorOf(call.member),
    from: addressOf(call.request),
    type: 'webhook.replay',
    subject: delivery.endpoint,
    after: { id: delivery.id, seq },
  });
  if (recorded.outcome === 'refused') return recorded.refusal;
  const replayed = await askOutbox(call.env, workspace, (outbox) => outbox.replay({ v: 1, workspace, seq }));
  return replayed.outcome === 'refused' ? replayed.refusal : answer({ outcome: 'replayed', id: delivery.id });
}

/** `POST /v1/workspaces/{workspace}/chats/{name}/test`: one message, now, that is in no log of deliveries. */
export async function testChatRoute(call: Call): Promise<Response | Refusal> {
  const given = parameters(nothing, call.query);
  if (!given.ok) return given.refusal;
  const { env, workspace, params } = call;
  await call.request.body?.cancel();
  const name = slug.safeParse(params.name);
  const opened = await openFor(env, { v: 1, workspace, what: 'outlets' });
  if (opened.outcome === 'refused') return opened.refusal;
  const chat = opened.chats.find((each) => each.chat.name === name.data);
  if (!chat) return refuse('setting_missing', { detail: `there is no chat ${params.name}`, current: { setting: 'chat', name: params.name ?? '' } });
  if (chat.refusal) return chat.refusal;
  const said = testOf(chat.chat.language, `${consoleOrigin(env)}/settings/notifications`);
  const { judged, status } = await postChat({ env, policy: opened.policy, chat, said }, Date.now(), undefined);
  const fault = judged.is === 'delivered' ? null : judged.is === 'gone' ? 'gone' : judged.fault;
  return answer({ ok: judged.is === 'delivered', chat: chat.chat.name, status, fault });
}
