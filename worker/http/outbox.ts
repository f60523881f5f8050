/** The routes of what leaves a workspace. They parse, ask the outbox, and answer. */
import type { Refusal } from '../domain/refusals.ts';
import { refuse } from '../domain/refusals.ts';
import { askOutbox } from '../notify/outbox-stub.ts';
import { recordInAudit } from '../workspace/client.ts';
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
