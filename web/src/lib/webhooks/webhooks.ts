/** What the outbox of the workspace sent, and how each endpoint stands. */
import { type Answer, ask, workspace } from '../api/client.ts';
import type { DeliveryView, EndpointHealth, Json } from '../api/types.ts';

const base = `/v1/workspaces/${encodeURIComponent(workspace)}/webhook-deliveries`;

export interface DeliveryPage {
  data: DeliveryView[];
  endpoints: EndpointHealth[];
  nextCursor: string | null;
}

/** Newest first. `endpoint` empty: of all. */
export async function readLog(endpoint: string, cursor: string | null): Promise<Answer<DeliveryPage>> {
  const query = new URLSearchParams({ limit: '20' });
  if (endpoint !== '') query.set('endpoint', endpoint);
  if (cursor !== null) query.set('cursor', cursor);
  return (await ask(`${base}?${query}`)) as unknown as Answer<DeliveryPage>;
}

/** Sent again now, under its id and with its body: whoever had it drops it. */
export const sendAgain = (_commandId: string, seq: number): Promise<Answer<Json>> => ask(`${base}/${seq}/replay`, { method: 'POST' });
