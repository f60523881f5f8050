/** The outbox of a workspace: what leaves it for whoever does not watch it. Named by the workspace, which every call names again. */
import type { Notice } from '../domain/notices/notices.ts';
import type { Refusal } from '../domain/refusals.ts';

export interface OutboxDoor {
  v: 1;
  workspace: string;
}
export type OutboxRefused = { outcome: 'refused'; refusal: Refusal };

/** `pending`: it is tried again. `failed`: it was tried often enough, its endpoint was disabled or removed. */
export type DeliveryState = 'pending' | 'delivered' | 'failed';

export interface AttemptView {
  n: number;
  at: number;
  ms: number;
  /** Null: no answer came. */
  status: number | null;
  /** Null: it was taken. */
  fault: string | null;
}

export interface DeliveryView {
  seq: number;
  /** The name of a webhook, `chat:` and the name of a chat, or `mail:` and the id of a person. */
  endpoint: string;
  /** `webhook-id`. */
  id: string;
  type: string;
  goal: string;
  state: DeliveryState;
  tries: number;
  madeAt: number;
  nextAt: number | null;
  attempts: AttemptView[];
}

/** `failingSince`: no delivery was taken since. `disabled`: nothing is sent until the endpoint is put again. */
export interface EndpointHealth {
  name: string;
  failingSince: number | null;
  disabled: { at: number; why: 'gone' | 'failing' } | null;
}

export interface OutboxRpc {
  /** For Goals. Each notice is taken once; asks nobody to wait for its delivery. */
  tell(request: OutboxDoor & { goal: string; notices: Notice[] }): Promise<{ outcome: 'taken'; fresh: number } | OutboxRefused>;
  /** Newest first, with a lower `seq` than `before`. */
  deliveries(
    request: OutboxDoor & { endpoint?: string; before?: number; limit: number },
  ): Promise<{ outcome: 'found'; data: DeliveryView[]; endpoints: EndpointHealth[] } | OutboxRefused>;
  /** Sent again now, under the same id and with the same body. */
  replay(request: OutboxDoor & { seq: number }): Promise<{ outcome: 'replayed' } | OutboxRefused>;
  /** Everything here is deleted. */
  erase(request: OutboxDoor): Promise<{ outcome: 'erased' } | OutboxRefused>;
}
