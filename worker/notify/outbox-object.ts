/**
 * The outbox of one workspace in a Durable Object of its own, so that receivers which hang hold up nothing else. It alone tries again: what a Goal told once is a row here before the
 * Goal hears so, and the alarm sends it. A crash while something is sent sends it once more, under the same id.
 */
import { DurableObject } from 'cloudflare:workers';
import { type Notice, NOTICE_MAX_AGE_MS } from '../domain/notices/notices.ts';
import { type Refusal, refuse } from '../domain/refusals.ts';
import type { Env } from '../env.ts';
import { workspacePattern } from '../goal/goal-id.ts';
import { sha256 } from '../goal/sha256.ts';
import { errorOf, log } from '../observe/log.ts';
import { openFor } from '../workspace/client.ts';
import { type Happening, messageId } from './core/message.ts';
import { retryAt } from './core/retries.ts';
import { type Delivery, OutboxStore } from './outbox-store.ts';
import { mailOutlet, mailPrefix, type Outlet, type Outlets, outletsOf } from './outlets.ts';
import type { OutboxDoor, OutboxRefused, OutboxRpc } from './rpc.ts';
import { recipientsOf } from './send-mail.ts';

/** `all`: those that are settings. */
interface OpenedOutlets {
  outcome: 'opened';
  all: Outlet[];
  links: Outlets['links'];
}

/** Deliveries of one ring, and at once. */
const perRing = 60;
const atOnce = 6;
/** Milliseconds after which a ring that died, or found no settings, is made up for. */
const ringAgainMs = 60_000;
const dayMs = 86_400_000;
/** What was told and what was delivered is kept this long. Longer than a Goal tells anything of its past. */
const keptMs = 30 * dayMs;
const forgottenAtOnce = 200;

export class OutboxObject extends DurableObject<Env> implements OutboxRpc {
  readonly #store: OutboxStore;
  /** A test moves it, and says what sends. */
  now = (): number => Date.now();
  random = (): number => Math.random();
  send: typeof fetch | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#store = new OutboxStore(ctx.storage);
  }

  async tell({ goal, notices, ...door }: OutboxDoor & { goal: string; notices: Notice[] }): ReturnType<OutboxRpc['tell']> {
    const shut = this.#door(door);
    if (shut) return { outcome: 'refused', refusal: shut };
    const outlets = await this.#outlets();
    if (outlets.outcome === 'refused') return outlets;
    const now = this.now();
    const unknown = notices.filter((notice) => notice.at >= now - NOTICE_MAX_AGE_MS && !this.#store.knows(messageId(this.workspace, { ...notice, goal }, sha256)));
    let all = outlets.all;
    try {
      if (unknown.length > 0) all = [...all, ...(await recipientsOf(this.env.DB, this.workspace)).map((each) => mailOutlet(this.env, this.workspace, outlets.links, each))];
    } catch (error) {
      log('warn', 'notify', 'members.away', { workspace: this.workspace, error: errorOf(error) });
      return { outcome: 'refused', refusal: refuse('unavailable', { detail: 'The book does not answer.' }) };
    }
    const fresh = this.#store.transaction(() => {
      const taken = unknown.filter((notice) => this.#take(all, { ...notice, goal }, now));
      this.#store.forget(now - keptMs, forgottenAtOnce);
      return taken.length;
    });
    await this.#arm();
    return { outcome: 'taken', fresh };
  }

  /** Within a transaction. False: it was told before. */
  #take(outlets: readonly Outlet[], happening: Happening, now: number): boolean {
    const { goal, type } = happening;
    const id = messageId(this.workspace, happening, sha256);
    if (this.#store.knows(id)) return false;
    this.#store.addHappening(id, now);
    for (const outlet of outlets) {
      const { endpoint } = outlet;
      if (outlet.hears(happening) && !this.#disabled(outlet)) this.#store.addDelivery({ endpoint, id, type, goal, body: outlet.body(happening) }, now);
    }
    return true;
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.setAlarm(this.now() + ringAgainMs);
    try {
      const due = this.#store.due(this.now(), perRing);
      const outlets = await this.#outlets();
      if (outlets.outcome === 'refused') return;
      const lane = async () => {
        for (let delivery = due.shift(); delivery; delivery = due.shift()) await this.#deliver(outlets, delivery);
      };
      await Promise.all(Array.from({ length: atOnce }, lane));
      await this.#arm(true);
    } catch (error) {
      log('error', 'notify', 'alarm.threw', { workspace: this.workspace, error: errorOf(error) });
    }
  }

  async #deliver({ all: outlets, links }: OpenedOutlets, delivery: Delivery): Promise<void> {
    const outlet = this.#outletOf(outlets, links, delivery.endpoint);
    if (!outlet || this.#disabled(outlet)) {
      // Removed or disabled since.
      this.#store.transaction(() => this.#store.failAll(delivery.endpoint));
      return;
    }
    const at = this.now();
    const { judged, status } = await outlet.send(delivery, at, this.send);
    const fault = judged.is === 'again' ? judged.fault : judged.is === 'gone' ? 'gone' : null;
    const attempt = { at, ms: Math.max(0, this.now() - at), status, fault };
    const now = this.now();
    this.#store.transaction(() => {
      if (judged.is === 'delivered') {
        this.#store.tried(delivery, attempt, 'delivered', null);
        this.#store.healthy(delivery.endpoint);
        return;
      }
      this.#store.failing(delivery.endpoint, at);
      const next = judged.is === 'again' ? retryAt(delivery.tries + 1, now, this.random(), judged.afterMs) : null;
      this.#store.tried(delivery, attempt, next === null ? 'failed' : 'pending', next);
      if (outlet.version === null) return;
      if (judged.is === 'gone') this.#disable(outlets, outlet, 'gone', now);
      else if (next === null) {
        // Tried for days, and nothing else was taken meanwhile either.
        const since = this.#store.health().find(({ name }) => name === delivery.endpoint)?.failingSince ?? now;
        if (since <= (delivery.firstAt ?? at)) this.#disable(outlets, outlet, 'failing', now);
      }
    });
  }

  /** Nothing more goes there until somebody puts the endpoint again; the other outlets hear of it. */
  #disable(outlets: readonly Outlet[], { endpoint, version: of }: Outlet, why: 'gone' | 'failing', now: number): void {
    const version = of ?? 0;
    this.#store.disable(endpoint, version, why, now);
    this.#store.failAll(endpoint);
    log('warn', 'notify', 'endpoint.disabled', { workspace: this.workspace, endpoint, why });
    this.#take(outlets, { key: `${endpoint}:${version}:${now}`, type: 'endpoint.disabled', at: now, goal: '', endpoint, why }, now);
  }

  #disabled({ endpoint, version }: Outlet): boolean {
    if (version === null) return false;
    const health = this.#store.health().find((each) => each.name === endpoint);
    return health?.disabled != null && (health.version ?? 0) >= version;
  }

  async deliveries({ endpoint, before, limit, ...door }: OutboxDoor & { endpoint?: string; before?: number; limit: number }): ReturnType<OutboxRpc['deliveries']> {
    const shut = this.#door(door);
    if (shut) return { outcome: 'refused', refusal: shut };
    const outlets = await this.#outlets();
    if (outlets.outcome === 'refused') return outlets;
    const health = this.#store.health();
    const endpoints = outlets.all.map((outlet) => {
      const known = health.find((each) => each.name === outlet.endpoint);
      return { name: outlet.endpoint, failingSince: known?.failingSince ?? null, disabled: this.#disabled(outlet) ? (known?.disabled ?? null) : null };
    });
    return { outcome: 'found', data: this.#store.page(endpoint, before ?? Number.MAX_SAFE_INTEGER, limit), endpoints };
  }

  async replay({ seq, ...door }: OutboxDoor & { seq: number }): ReturnType<OutboxRpc['replay']> {
    const shut = this.#door(door);
    if (shut) return { outcome: 'refused', refusal: shut };
    const delivery = this.#store.delivery(seq);
    if (!delivery) return { outcome: 'refused', refusal: refuse('not_found', { detail: 'no such delivery' }) };
    const outlets = await this.#outlets();
    if (outlets.outcome === 'refused') return outlets;
    const outlet = this.#outletOf(outlets.all, outlets.links, delivery.endpoint);
    if (!outlet || this.#disabled(outlet)) {
      const [kind, name] = delivery.endpoint.startsWith('chat:') ? ['chat', delivery.endpoint.slice(5)] : ['webhook', delivery.endpoint];
      const detail = `the ${kind} ${name} is ${outlet ? 'disabled; put it again first' : 'removed'}`;
      return { outcome: 'refused', refusal: refuse('setting_missing', { detail, current: { setting: kind, name } }) };
    }
    this.#store.transaction(() => this.#store.again(seq, this.now()));
    await this.#arm();
    return { outcome: 'replayed' };
  }

  async erase(door: OutboxDoor): ReturnType<OutboxRpc['erase']> {
    const shut = this.#door(door);
    if (shut) return { outcome: 'refused', refusal: shut };
    await this.#store.wipe();
    return { outcome: 'erased' };
  }

  #outletOf(outlets: readonly Outlet[], links: OpenedOutlets['links'], endpoint: string): Outlet | undefined {
    // Whether they still want it is looked up when it is sent.
    if (endpoint.startsWith(mailPrefix)) return mailOutlet(this.env, this.workspace, links, { person: endpoint.slice(mailPrefix.length), role: 'viewer', mail: [] });
    return outlets.find((each) => each.endpoint === endpoint);
  }

  async #outlets(): Promise<OpenedOutlets | OutboxRefused> {
    const { env, workspace } = this;
    const opened = await openFor(env, { v: 1, workspace, what: 'outlets' });
    return opened.outcome === 'refused' ? opened : { outcome: 'opened', all: outletsOf(env, workspace, opened), links: opened.links };
  }

  /** `rung`: the alarm that rings now is set anew, or not at all. */
  async #arm(rung = false): Promise<void> {
    const next = this.#store.nextAt();
    if (next === null) {
      if (rung) await this.ctx.storage.deleteAlarm();
      return;
    }
    const armed = await this.ctx.storage.getAlarm();
    if (rung || armed === null || next < armed) await this.ctx.storage.setAlarm(Math.max(1, next));
  }

  get workspace(): string {
    return this.ctx.id.name ?? '';
  }

  /** A workspace that is not this one does not exist. */
  #door(door: OutboxDoor): Refusal | undefined {
    return door.v === 1 && door.workspace === this.ctx.id.name && workspacePattern.test(door.workspace) ? undefined : refuse('not_found');
  }
}
