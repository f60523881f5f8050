/** One Goal in a Durable Object: fills the protocol's ports with the platform and passes calls on. Named `<workspace>/<goal>`. */

import { DurableObject } from 'cloudflare:workers';
import type { Credential } from '../auth/caller.ts';
import { type Standing, standingOf } from '../auth/memberships.ts';
import { d1Book } from '../book/d1-book.ts';
import { type GoalRow, goalRowOf, summaryOfRow } from '../book/goal-row.ts';
import { bodiesOf, projections } from '../book/images.ts';
import type { CommandType } from '../domain/commands.ts';
import type { Context } from '../domain/context.ts';
import type { Json, PrincipalId } from '../domain/values.ts';
import type { Env } from '../env.ts';
import { hasDevelopmentModel } from '../models/development-model.ts';
import { errorOf, log, withoutQuotes } from '../observe/log.ts';
import { counter } from '../observe/metrics.ts';
import { watchEvery } from '../workspace/watchers.ts';
import { hostEnvelope } from './claims.ts';
import { Counters } from './counters.ts';
import { domainCore } from './domain-core.ts';
import { eraseEverywhere } from './erase-everywhere.ts';
import { indexKey } from './file-key.ts';
import { checkForm } from './form.ts';
import { holdAt } from './hold.ts';
import { closeQuietly, ObjectSockets, pingPong } from './object-sockets.ts';
import { outboxStub } from '../notify/outbox-stub.ts';
import { admitGoal, grant, listed, openFor, releaseGoal, settle, watch } from '../workspace/client.ts';
import type { Book, Lists } from './ports.ts';
import { GoalProtocol } from './protocol.ts';
import type {
  ClaimAnswer,
  ClaimRequest,
  CommandAnswer,
  CommandRequest,
  Door,
  GoalRpc,
  ReadAnswer,
  ReadRequest,
  SocketReply,
  StepAnswer,
  StepRequest,
  StreamRequest,
} from './rpc.ts';
import { sha256 } from './sha256.ts';
import { parseSocketMessage } from './socket-message.ts';
import { SqlStore } from './sql-store.ts';
import { WorkspaceView } from './workspace-view.ts';

const creations: ReadonlySet<string> = new Set(['goal.create', 'goal.propose'] satisfies CommandType[]);

export class GoalObject extends DurableObject<Env> implements GoalRpc {
  readonly #sockets: ObjectSockets;
  readonly #workspace: WorkspaceView;
  #protocol: GoalProtocol | undefined;
  #booting: Promise<GoalProtocol> | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#sockets = new ObjectSockets(ctx);
    const [workspace = '', goal = ''] = ctx.id.name?.split('/') ?? [];
    this.#workspace = new WorkspaceView({
      ask: (wait) => openFor(env, { v: 1, workspace, what: 'policy', ...(wait ? { goal } : {}) }),
      now: Date.now,
      pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    });
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(...pingPong));
  }

  async command(request: CommandRequest): Promise<CommandAnswer> {
    const protocol = this.#protocol ?? (await this.#boot());
    if (creations.has(request.envelope.type)) return this.#create(protocol, request);
    const answer = await protocol.command(request);
    if (answer.outcome === 'applied' && this.#workspace.tells) this.ctx.waitUntil(this.#workspace.wait().then((gained) => this.#go(gained)));
    return answer;
  }

  /** A new Goal needs a place in its workspace's quota first; the same creation again finds the Goal there and needs none. */
  async #create(protocol: GoalProtocol, request: CommandRequest): Promise<CommandAnswer> {
    const { workspace, goal, envelope } = request;
    const there = async () => (await protocol.read({ v: request.v, workspace, goal, query: { what: 'next' } })).outcome === 'found';
    if (!(await there())) {
      const admitted = await admitGoal(this.env, workspace, goal, envelope.dryRun);
      if (admitted.outcome === 'refused') return { outcome: 'rejected', refusal: admitted.refusal, seq: 0 };
    }
    const answer = await protocol.command(request);
    if (answer.outcome === 'applied' && this.#workspace.tells) this.ctx.waitUntil(this.#workspace.wait().then((gained) => this.#go(gained)));
    if (answer.outcome === 'rejected' && !envelope.dryRun && !(await there())) await releaseGoal(this.env, workspace, goal);
    return answer;
  }
  async claim(request: ClaimRequest): Promise<ClaimAnswer> {
    return (this.#protocol ?? (await this.#boot())).claim(request);
  }
  async step(request: StepRequest): Promise<StepAnswer> {
    const blind = request.next ? await this.#workspace.fresh() : undefined;
    if (blind) return { outcome: 'refused', refusal: blind, notices: [] };
    return (this.#protocol ?? (await this.#boot())).step(request);
  }
  async read(request: ReadRequest): Promise<ReadAnswer> {
    return (this.#protocol ?? (await this.#boot())).read(request);
  }
  async stream(request: StreamRequest): Promise<{ watched: boolean }> {
    return (this.#protocol ?? (await this.#boot())).stream(request);
  }
  async poke(request: Door): Promise<void> {
    const protocol = this.#protocol ?? (await this.#boot());
    await this.#go(await this.#workspace.rung(async () => (await protocol.read({ ...request, query: { what: 'next' } })).outcome === 'found'));
    return protocol.poke(request);
  }
  async drain(request: Door): Promise<Json> {
    return (this.#protocol ?? (await this.#boot())).drain(request);
  }
  async rebuild(request: Door): Promise<Json> {
    return (this.#protocol ?? (await this.#boot())).rebuild(request);
  }

  async archive(request: Parameters<GoalRpc['archive']>[0]): ReturnType<GoalRpc['archive']> {
    return (this.#protocol ?? (await this.#boot())).archive(request);
  }
  async history(request: Parameters<GoalRpc['history']>[0]): ReturnType<GoalRpc['history']> {
    return (this.#protocol ?? (await this.#boot())).history(request);
  }
  async stage(request: Parameters<GoalRpc['stage']>[0]): ReturnType<GoalRpc['stage']> {
    return (this.#protocol ?? (await this.#boot())).stage(request);
  }
  async takeIn(request: Parameters<GoalRpc['takeIn']>[0]): ReturnType<GoalRpc['takeIn']> {
    const protocol = this.#protocol ?? (await this.#boot());
    const { v, workspace, goal } = request;
    const there = async () => (await protocol.read({ v, workspace, goal, query: { what: 'next' } })).outcome === 'found';
    if (await there()) return protocol.takeIn(request);
    const admitted = await admitGoal(this.env, workspace, goal, false);
    if (admitted.outcome === 'refused') return admitted;
    const taken = await protocol.takeIn(request);
    if (taken.outcome === 'refused' && !(await there())) await releaseGoal(this.env, workspace, goal);
    return taken;
  }
  async erase(request: Parameters<GoalRpc['erase']>[0]): ReturnType<GoalRpc['erase']> {
    return (this.#protocol ?? (await this.#boot())).erase(request);
  }

  override async alarm(): Promise<void> {
    try {
      await (this.#protocol ?? (await this.#boot())).onAlarm();
    } catch (error) {
      // A handler that throws is retried a few times and then lost: arm and answer instead.
      await this.ctx.storage.setAlarm(Date.now() + 30_000);
      log('error', 'goal', 'alarm.threw', { name: this.ctx.id.name ?? null, error: errorOf(error) });
    }
  }

  /** A socket, from this Worker only: who holds it was checked there and comes in headers. */
  override async fetch(request: Request): Promise<Response> {
    const workspace = request.headers.get('x-longhaul-workspace') ?? '';
    const goal = request.headers.get('x-longhaul-goal') ?? '';
    const user = request.headers.get('x-longhaul-principal') ?? '';
    const credential = (request.headers.get('x-longhaul-credential') ?? '') as Credential | '';
    if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket' || user === '' || credential === '') return new Response(null, { status: 426 });
    const after = Number(new URL(request.url).searchParams.get('after') ?? Number.NaN);
    const protocol = this.#protocol ?? (await this.#boot());
    const [client, server] = Object.values(new WebSocketPair());
    if (!client || !server) return new Response(null, { status: 500 });
    const id = this.#sockets.accept(server, user, credential, Date.now());
    protocol.connect(id, { v: 1, workspace, goal }, Number.isInteger(after) ? after : undefined);
    if (request.headers.get('x-longhaul-brief') === null) this.ctx.waitUntil(this.#tell(server, Date.now()));
    return new Response(null, { status: 101, webSocket: client });
  }

  override async webSocketMessage(socket: WebSocket, raw: string | ArrayBuffer): Promise<void> {
    const message = parseSocketMessage(raw);
    if (!message) return;
    const now = Date.now();
    const [workspace = '', goal = ''] = this.ctx.id.name?.split('/') ?? [];
    if (message.kind === 'renew') {
      await this.#sockets.renew(socket, now, this.#standing(now));
      return this.#tell(socket, now);
    }
    if (!this.#sockets.holds(socket, now)) return;
    const answer = await (this.#protocol ?? (await this.#boot())).read({ v: 1, workspace, goal, query: message.query });
    const reply: SocketReply = { kind: 'read', id: message.id, answer };
    try {
      socket.send(JSON.stringify(reply));
    } catch {
      // It was closed meanwhile; the page asks again when it is back.
    }
  }

  override webSocketClose(socket: WebSocket): void {
    closeQuietly(socket);
  }
  override webSocketError(socket: WebSocket): void {
    closeQuietly(socket);
  }

  #standing(now: number): (credential: Credential) => Promise<Standing> {
    const [workspace = ''] = this.ctx.id.name?.split('/') ?? [];
    return (credential) => standingOf(this.env.DB, credential, workspace, now);
  }

  /** The workspace learns who watches here. What ended while it was being told is seen by looking once more afterwards. */
  async #tell(socket: WebSocket, now: number): Promise<void> {
    const user = this.#sockets.toTell(socket, now, watchEvery);
    if (user === undefined) return;
    const [workspace = '', goal = ''] = this.ctx.id.name?.split('/') ?? [];
    await watch(this.env, workspace, goal, user);
    await this.#sockets.recheck(user, this.#standing(now)).catch((error: unknown) => log('warn', 'goal', 'sockets.unasked', { workspace, goal, error: errorOf(error) }));
  }

  async credentialsChanged({ v, workspace, goal, principal }: Door & { principal: PrincipalId }): Promise<{ open: number }> {
    if (v !== 1 || `${workspace}/${goal}` !== this.ctx.id.name) return { open: 0 };
    return { open: await this.#sockets.recheck(principal, this.#standing(Date.now())) };
  }

  /** Work that waited for a model goes on when the workspace has one: no command of this Goal would say so. */
  async #go(gained: { version: number } | undefined): Promise<void> {
    if (!gained) return;
    const [workspace = '', goal = ''] = this.ctx.id.name?.split('/') ?? [];
    const envelope = hostEnvelope('clock.tick', `model:${gained.version}`, { leasesOver: [] });
    await (this.#protocol ?? (await this.#boot())).command({ v: 1, workspace, goal, actor: { kind: 'host' }, envelope });
  }

  /** The registry of skills belongs to rounds, which know the Goal: it is loaded here so that the Goal does not depend on them. */
  #boot(): Promise<GoalProtocol> {
    const [workspace = '-', goal = '-'] = this.ctx.id.name?.split('/') ?? [];
    this.#booting ??= Promise.all([import('../rounds/skills/registry.ts'), this.#workspace.start()]).then(([{ hasSkill }]) => {
      this.#protocol = new GoalProtocol({
        store: new SqlStore(this.ctx.storage),
        clock: { now: () => Date.now() },
        book: indexed(d1Book(this.env.DB), this.env.FILES),
        bookShape: { keeps: (kind) => kind in projections, bodiesOf, goalRow: goalRowOf },
        dispatch: { send: async (messages) => void (await this.env.WORK.sendBatch(messages.map((body) => ({ body })))) },
        grants: { grant: (request) => grant(this.env, request), settle: (request) => settle(this.env, request) },
        hooks: {
          tell: async (request) => {
            const told = await outboxStub(this.env, request.workspace).tell(request);
            // What is refused for good (the workspace is gone) would be refused for ever.
            if (told.outcome === 'refused' && told.refusal.code === 'unavailable') throw new Error(told.refusal.detail ?? 'unavailable');
          },
        },
        outside: {
          erase: async (workspace, goal) => {
            await eraseEverywhere(this.env, workspace, goal);
            await lists(this.env).changed({ workspace, goal, row: null });
          },
        },
        lists: lists(this.env),
        sockets: this.#sockets,
        core: domainCore,
        sha256,
        form: checkForm,
        policy: () => this.#workspace.rules(),
        carriers: carriersOf(__LONGHAUL_DEV__ ? hasDevelopmentModel(this.env) : false, this.#workspace, hasSkill),
        timers: {
          after: (ms, work) => {
            const timer = setTimeout(work, ms);
            return () => clearTimeout(timer);
          },
        },
        counters: new Counters(counter(this.env.METRICS, workspace)),
        log: { warn: (code, fields) => log('warn', 'goal', code, { workspace, goal, ...scalars(fields) }) },
        random: Math.random,
        ...(this.ctx.id.name === undefined ? {} : { name: this.ctx.id.name }),
        background: (work) => this.ctx.waitUntil(work),
        ...holdAt(this.env),
      });
      return this.#protocol;
    });
    this.#booting.catch(() => {
      this.#booting = undefined;
    });
    return this.#booting;
  }
}

/** Fields of a line of the log: ids, codes and numbers, and what errors say without what they quote. */
function scalars(fields: Record<string, Json>): Record<string, string | number | boolean | null> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) =>
      value !== null && typeof value === 'object' ? [] : [[key, typeof value === 'string' ? withoutQuotes(value).slice(0, 500) : value]],
    ),
  );
}

/** What carries rounds here, as it is when somebody asks. */
function carriersOf(local: boolean, workspace: WorkspaceView, skill: Context['carriers']['skill']): Context['carriers'] {
  return {
    get agent() {
      return local || workspace.agents;
    },
    skill,
  };
}

function lists(env: Env): Lists {
  return {
    changed: async ({ workspace, goal, row }) => {
      const told = row === null ? { gone: goal } : { summary: summaryOfRow(goal, row as unknown as GoalRow) };
      const answer = await listed(env, { v: 1, workspace, ...told });
      if (answer.outcome === 'refused' && answer.refusal.code === 'unavailable') throw new Error('the workspace does not answer');
    },
  };
}

/** A Goal's first batch also leaves its name where it survives the book. */
function indexed(book: Book, files: R2Bucket): Book {
  return {
    apply: async (batch) => {
      if (batch.rows.some((row) => row.kind === 'goal_version' && row.seq === 1)) await files.put(indexKey(batch.workspace, batch.goal), '');
      await book.apply(batch);
    },
  };
}
