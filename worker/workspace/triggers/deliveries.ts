/** Deliveries at the address of a trigger: whether somebody signed them who may, and once under each id. What was taken is kept before it is answered. */
import { type Refusal, refuse } from '../../domain/refusals.ts';
import type { Json } from '../../domain/values.ts';
import type { WorkspaceState } from '../core/state.ts';
import { passes } from '../core/triggers/expressions.ts';
import type { BusinessRound } from '../core/triggers/rounds.ts';
import { carriedBy, findTrigger, firingOf, type SetTrigger } from './firings.ts';
import type { RoundKeeper } from './round-keeper.ts';
import { type Signed, verified } from './signature.ts';
import type { DeliveryState, TriggerStore } from './trigger-store.ts';

export type Received =
  | {
      outcome: 'taken';
      trigger: string;
      delivery: string;
      state: DeliveryState;
      round: string | null;
      roundState: BusinessRound['state'] | null;
      goal: string | null;
      repeated: boolean;
    }
  /** The sender asks, when its address is set up, for this to be sent back. Nothing is kept of it. */
  | { outcome: 'challenged'; challenge: string }
  | { outcome: 'refused'; refusal: Refusal };

export interface DeliveryPorts {
  store: TriggerStore;
  keeper: RoundKeeper;
  transaction<T>(work: () => T): T;
  state(): WorkspaceState;
  now(): number;
  sha256(text: string): string;
  /** The value of a secret of the workspace. */
  secret(name: string): Promise<string | null>;
}

export class Deliveries {
  readonly #ports: DeliveryPorts;

  constructor(ports: DeliveryPorts) {
    this.#ports = ports;
  }

  async receive(hook: string, signed: Signed): Promise<Received> {
    const none: Received = { outcome: 'refused', refusal: refuse('not_found') };
    const found = this.#byHook(hook);
    if (found?.trigger.source.kind !== 'webhook') return none;
    const { style, secrets, toleranceSeconds } = found.trigger.source;
    const keys = (await Promise.all(secrets.map((name) => this.#ports.secret(name)))).flatMap((key) => (key === null ? [] : [key]));
    if (keys.length === 0) return { outcome: 'refused', refusal: refuse('sealing_unavailable', { detail: 'the secret that signatures are checked with does not open' }) };
    const checked = await verified(style, keys, signed, toleranceSeconds * 1000, this.#ports.now());
    // It may have been changed or removed meanwhile.
    const current = this.#byHook(hook);
    if (!current) return none;
    const { trigger } = current;
    if (!checked.ok) {
      this.#ports.transaction(() => this.#ports.store.refused(trigger.id, checked.code, this.#ports.now()));
      const errors = [{ pointer: `/headers/${checked.header}`, code: checked.code }];
      return { outcome: 'refused', refusal: checked.code === 'delivery_id' ? refuse('schema_invalid', { errors }) : refuse('signature_invalid', { errors }) };
    }
    const { challenge, delivery, body = signed.body } = checked;
    if (challenge !== undefined) return { outcome: 'challenged', challenge };
    return this.#ports.transaction(() => this.#take(current, delivery, { headers: signed.headers, body }));
  }

  #take(set: SetTrigger, delivery: string, { headers, body }: Signed): Received {
    const { store, keeper } = this.#ports;
    const { trigger } = set;
    const now = this.#ports.now();
    const digest = this.#ports.sha256(latin1(body));
    const taken = (state: DeliveryState, id: string | null, repeated: boolean): Received => {
      const round = id === null ? undefined : store.round(id);
      return { outcome: 'taken', trigger: trigger.name, delivery, state, round: id, roundState: round?.state ?? null, goal: round?.goal ?? null, repeated };
    };
    const before = store.delivery(trigger.id, delivery);
    if (before) {
      if (before.digest !== digest) return { outcome: 'refused', refusal: refuse('delivery_reused', { current: { delivery } }) };
      store.repeated(trigger.id, delivery);
      return taken(before.state, before.round, true);
    }
    const data = jsonOf(body);
    if (data === undefined) return { outcome: 'refused', refusal: refuse('malformed_data', { detail: 'a delivery is JSON in UTF-8' }) };
    const kept = keptHeaders(headers);
    const id = `${trigger.id}/hook/${delivery}`;
    const carried = carriedBy(set, id, now, now, { data, headers: kept });
    const passed = passes(trigger.source.kind === 'webhook' ? trigger.source.filter : undefined, carried.known);
    const state: DeliveryState = !passed.ok ? 'failed' : trigger.paused ? 'paused' : passed.passes ? 'fired' : 'filtered';
    if (state === 'fired') keeper.fire(firingOf(trigger, 'webhook', id, now, now), carried).write();
    store.putDelivery(
      {
        trigger: trigger.id,
        delivery,
        name: trigger.name,
        at: now,
        digest,
        state,
        round: state === 'fired' ? id : null,
        detail: passed.ok ? null : passed.detail,
        headers: kept,
        bytes: body.byteLength,
      },
      body.buffer.slice(body.byteOffset, body.byteOffset + body.byteLength),
    );
    return taken(state, state === 'fired' ? id : null, false);
  }

  #byHook(hook: string): SetTrigger | undefined {
    return findTrigger(this.#ports.state(), (trigger) => trigger.hook !== null && trigger.hook === hook);
  }
}

/** Headers that say something to whoever reads a delivery; never a signature or a credential. */
function keptHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const wanted = /^(content-type|user-agent|webhook-(id|timestamp)|x-github-(event|delivery|hook-id)|x-event(-[a-z-]+)?)$/;
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (wanted.test(name) ? [[name, value.slice(0, 500)]] : [])));
}

export function jsonOf(body: Uint8Array): Json | undefined {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(body)) as Json;
  } catch {
    return undefined;
  }
}

/** Bytes as a text of as many characters: equal bytes give equal texts. */
function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}
