/**
 * One workspace in a Durable Object: its settings, its sealed secrets, its budget and the places for parallel rounds. Named by the workspace, which every call names again.
 * A command is one synchronous transaction; sealing comes before it, under a lock, so that nothing is read, awaited and then written on an old state.
 */
import { DurableObject } from 'cloudflare:workers';
import type { Credential } from '../auth/caller.ts';
import { type Standing, standingOf } from '../auth/memberships.ts';
import { listGoals } from '../book/queries.ts';
import { canonical } from '../domain/digest.ts';
import { isRefusal, type Refusal, refuse } from '../domain/refusals.ts';
import type { Json, PrincipalId } from '../domain/values.ts';
import type { Env } from '../env.ts';
import { goalIdPattern, workspacePattern } from '../goal/goal-id.ts';
import { goalStub } from '../goal/goal-stub.ts';
import { closeQuietly, ObjectSockets, pingPong } from '../goal/object-sockets.ts';
import { sha256 } from '../goal/sha256.ts';
import { parseSocketMessage } from '../goal/socket-message.ts';
import { hasDevelopmentModel } from '../models/development-model.ts';
import { SlowDowns } from '../models/slow-downs.ts';
import { errorOf, log } from '../observe/log.ts';
import { signProgress } from '../notify/core/links.ts';
import { addressRefusal, admit } from '../outgoing/guard.ts';
import { outgoingRules } from '../outgoing/policy.ts';
import { AuditLog } from './audit/audit-log.ts';
import { heldOf } from './audit/audit-store.ts';
import { ConnectionTests } from './connections/connection-tests.ts';
import { testConnection } from './connections/test-connection.ts';
import type { WorkspaceCommand } from './core/catalogue.ts';
import { decideSetting, giverOf, type SettingCommand, parseWorkspaceCommand } from './core/decide.ts';
import { installationQuotas, quotaOverride } from './core/quotas.ts';
import { dayMs, dayOf, decideGrant, decideSettle } from './core/grants.ts';
import { hasModel } from './core/resolve.ts';
import { addressRefusedShape, grantShape, misfit, settleShape, slowDownShape, testAgainShape } from './core/shapes.ts';
import { budgetOf, changed, outgoingOf, type SettingKind, type WorkspaceState } from './core/state.ts';
import { goalFrom } from './core/templates.ts';
import { type Erasing, eraseStep } from './erasing/workspace.ts';
import { GoalsFeed, goalsOfSnapshot } from './goals-feed.ts';
import { Openings } from './openings.ts';
import { leaks } from './leaks.ts';
import { judgeDecision, judgeProgress } from './links.ts';
import { Counting } from './quotas/counting.ts';
import { type RingPorts, ring } from './rings.ts';
import { auditEntry, progressList, secretList, settingsView, templateList, templateView, type UsageRead, usageView } from './reads.ts';
import type {
  AdmitAnswer,
  AddressRefusedRequest,
  GrantAnswer,
  LinkAnswer,
  LinkRequest,
  ProgressAnswer,
  GrantRequest,
  ListedAnswer,
  ListedRequest,
  HookAnswer,
  HookRequest,
  OpenAnswer,
  Openable,
  OpenRequest,
  QuotaRequest,
  RecordAnswer,
  RecordRequest,
  Refused,
  SettleAnswer,
  SettleRequest,
  SlowDownAnswer,
  SlowDownRequest,
  WatcherRequest,
  TestAgainAnswer,
  TestAgainRequest,
  WorkspaceCommandAnswer,
  WorkspaceCommandRequest,
  WorkspaceDoor,
  WorkspaceReadAnswer,
  WorkspaceReadRequest,
  WorkspaceRpc,
} from './rpc.ts';
import { RefusedAddresses } from './audit/refused-addresses.ts';
import { masterKeysOf } from './sealing/master-keys.ts';
import { type Opened, Vault } from './sealing/vault.ts';
import { tellWatched } from './tell-watched.ts';
import { deskOf } from './triggers/desk-of.ts';
import type { TriggerAct } from './triggers/round-commands.ts';
import type { TriggerDesk } from './triggers/trigger-desk.ts';
import { roundDetails, triggerList, triggerView, tryTrigger } from './triggers/views.ts';
import { writeWake } from './triggers/wake-book.ts';
import { Wakes } from './triggers/wakes.ts';
import { WorkspaceAlarm } from './workspace-alarm.ts';
import { type Awaited, WorkspaceStore } from './workspace-store.ts';

/** Grants are kept this long, so that what is said twice is counted once. */
const grantsKeptMs = 30 * dayMs;
/** Grants forgotten, and goals rung, at once. */
const forgottenAtOnce = 200;
/** Milliseconds after which a step of an erasure that failed is tried again. */
const eraseAgainMs = 10_000;

/** Settings that a connection rests on. */
const connectedBy: ReadonlySet<SettingKind> = new Set(['provider', 'profile', 'secret', 'mcp', 'outgoing']);

export class WorkspaceObject extends DurableObject<Env> implements WorkspaceRpc {
  readonly #store: WorkspaceStore;
  readonly #vault: Vault;
  readonly #openings: Openings;
  readonly #audit: AuditLog;
  readonly #counting: Counting;
  /** By provider. */
  readonly #slow = new SlowDowns();
  #state: WorkspaceState | undefined;
  readonly #refusedAddresses = new RefusedAddresses();
  /** The end of the line of commands. */
  #line: Promise<unknown> = Promise.resolve();
  #forgot = 0;
  readonly #connections: ConnectionTests;
  /** There is an alarm. */
  #daily = false;
  /** Set for good when the workspace is erased. */
  #erasing: Erasing | undefined;
  readonly #sockets: ObjectSockets;
  readonly #feed: GoalsFeed;
  readonly #desk: TriggerDesk;
  readonly #wakes: Wakes;
  readonly #alarm: WorkspaceAlarm;
  /** Milliseconds since the epoch; a test moves it. */
  now = (): number => Date.now();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const workspace = ctx.id.name ?? '';
    const store = new WorkspaceStore(ctx.storage, workspace);
    this.#store = store;
    this.#erasing = store.erasing();
    this.#vault = new Vault(workspace, masterKeysOf(env), store);
    this.#openings = new Openings({ workspace, store, vault: this.#vault, slow: this.#slow, state: () => this.#live(), linkKey: () => this.#linkKey() });
    const poke = (goal: string) => goalStub(env, workspace, goal).poke({ v: 1, workspace, goal });
    this.#counting = new Counting({ db: env.DB, files: env.FILES, workspace, store, installation: installationQuotas(env), now: Date.now, poke });
    this.#desk = deskOf({
      env,
      workspace,
      store,
      state: () => this.#live(),
      now: () => this.now(),
      secret: async (name) => {
        const opened = await this.#openings.secret(name);
        return opened.ok ? opened.value.value : null;
      },
    });
    this.#wakes = new Wakes({
      workspace,
      store: store.triggers,
      transaction: (work) => store.transaction(work),
      now: () => this.now(),
      wanted: () => ({ at: this.#desk.clock.wakeAt(), any: this.#live().settings.trigger.size > 0 }),
      write: (number, at) => writeWake(env.DB, workspace, number, at),
    });
    this.#alarm = new WorkspaceAlarm({
      desk: this.#desk,
      wakes: this.#wakes,
      now: () => this.now(),
      set: (at) => ctx.waitUntil(ctx.storage.setAlarm(at)),
      looked: () => ctx.storage.kv.get<number>('looked') ?? 0,
      look: async (now) => {
        ctx.storage.kv.put('looked', now);
        await this.#audit.takeIn();
        await this.#counting.countGoals();
        await this.#counting.countFiles();
      },
      background: (work) => ctx.waitUntil(work.catch((error: unknown) => log('error', 'triggers', 'work.failed', { workspace, error: errorOf(error) }))),
    });
    this.#audit = new AuditLog({ db: env.DB, workspace, store: store.audit, transaction: (work) => store.transaction(work) });
    this.#connections = new ConnectionTests({
      state: () => this.#live(),
      kept: (id) => store.connectionTest(id),
      keep: (test) => store.keepConnectionTest(test),
      list: () => store.connectionTests(),
      test: (connection) => testConnection(env, workspace, connection),
      tested: () => this.#ring('connection'),
      environment: __LONGHAUL_DEV__ ? hasDevelopmentModel(env) : false,
      now: Date.now,
      random: Math.random,
      background: (work) => ctx.waitUntil(work),
    });
    this.#sockets = new ObjectSockets(ctx);
    this.#feed = new GoalsFeed({ now: Date.now, read: () => firstGoals(env.DB, ctx.id.name ?? ''), after: (ms, work) => void setTimeout(work, ms), sockets: this.#sockets });
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(...pingPong));
  }

  async command(request: WorkspaceCommandRequest): Promise<WorkspaceCommandAnswer> {
    const shut = this.#door(request);
    if (shut) return { outcome: 'rejected', refusal: shut, version: 0 };
    const turn = this.#line.then(() => this.#command(request));
    this.#line = turn.catch(() => {});
    try {
      return await turn;
    } catch (error) {
      this.#state = undefined;
      log('error', 'workspace', 'command.failed', { workspace: request.workspace, command: request.envelope.type, error: errorOf(error) });
      return { outcome: 'unknown', detail: 'The command failed here. Send the same command id again to learn what became of it.' };
    }
  }

  async #command({ actor, envelope, from = null }: WorkspaceCommandRequest): Promise<WorkspaceCommandAnswer> {
    const state = this.#live();
    const rejected = (refusal: Refusal): WorkspaceCommandAnswer => ({ outcome: 'rejected', refusal, version: state.version });
    const principal = giverOf(actor, envelope.type);
    if (isRefusal(principal)) return rejected(principal);
    const command = parseWorkspaceCommand(envelope);
    if (isRefusal(command)) return rejected(command);
    const secret = command.type === 'secret.put' ? command.payload : undefined;
    if (secret) {
      const errors = leaks(secret.value, { name: secret.name, commandId: envelope.commandId, ...(envelope.reason === undefined ? {} : { reason: envelope.reason }) });
      if (errors.length > 0) return rejected(refuse('schema_invalid', { errors }));
    }

    const kept = this.#store.kept(principal, envelope.commandId);
    const body = canonical({ type: envelope.type, expected: envelope.expected, payload: envelope.payload, reason: envelope.reason ?? null } as Json);
    // A plain digest of a body that holds a secret could be tried out by whoever sees it.
    const digest: Opened<string> = secret ? (envelope.dryRun && !kept ? { ok: true, value: '' } : await this.#vault.digest(body)) : { ok: true, value: sha256(body) };
    if (!digest.ok) return rejected(digest.refusal);
    if (kept) {
      if (kept.bodyDigest !== digest.value) return rejected(refuse('command_reused'));
      return { outcome: 'applied', version: kept.version, replayed: true, dryRun: false, ...(kept.result === undefined ? {} : { result: kept.result }) };
    }

    const at = this.now();
    if (command.type === 'trigger.fire' || command.type === 'delivery.replay' || command.type.startsWith('business_round.')) {
      const done = this.#desk.commands.act(command as TriggerAct, principal, envelope.commandId);
      if (isRefusal(done)) return rejected(done);
      if (envelope.dryRun) return { outcome: 'applied', version: state.version, replayed: false, dryRun: true };
      const { subject, before, after, result } = done;
      this.#store.transaction(() => {
        const { reason } = envelope;
        this.#store.keep({
          principal,
          commandId: envelope.commandId,
          bodyDigest: digest.value,
          type: envelope.type,
          at,
          version: state.version + 1,
          change: null,
          subject,
          result,
          from,
          before,
          audit: after,
          ...(reason === undefined ? {} : { reason }),
        });
        done.write();
      });
      this.#state = { ...state, version: state.version + 1 };
      this.ctx.waitUntil(this.#audit.anchor());
      this.#stirred();
      return { outcome: 'applied', version: state.version + 1, replayed: false, dryRun: false, result };
    }
    const unfit = (await this.#unfitOutlet(state, command)) ?? (await this.#unfitProgress(command));
    if (unfit) return rejected(unfit);
    const decided = decideSetting(state, command as SettingCommand, {
      template: (name, version) => this.#store.template(name, version),
      sha256,
      hook: () => crypto.randomUUID().replaceAll('-', ''),
    });
    if (isRefusal(decided)) return rejected(decided);
    if (envelope.dryRun) return { outcome: 'applied', version: state.version, replayed: false, dryRun: true };
    const version = state.version + 1;
    const sealed = secret && (await this.#vault.seal(secret.name, version, secret.value));
    if (sealed && !sealed.ok) return rejected(sealed.refusal);
    const { change, before, audit, template } = decided;
    if (change.kind === 'trigger') await this.#wakes.ahead();
    const had = change.kind === 'trigger' ? state.settings.trigger.get(change.name)?.value : undefined;
    this.#store.transaction(() => {
      this.#store.keep({
        principal,
        commandId: envelope.commandId,
        bodyDigest: digest.value,
        type: envelope.type,
        at,
        version,
        change,
        from,
        before,
        audit,
        ...(sealed ? { sealed: sealed.value } : {}),
        ...(template ? { template } : {}),
        ...(envelope.reason === undefined ? {} : { reason: envelope.reason }),
      });
      this.#desk.clock.set(change, had, at);
    });
    this.#state = changed(state, change, version, at, principal);
    this.ctx.waitUntil(this.#audit.anchor());
    if (change.kind === 'trigger') this.#stirred();
    if (change.kind === 'budget') for (const until of ['settled', 'raised'] as const) this.#ring(until);
    if (!hasModel(state) && hasModel(this.#state)) this.#ring('model');
    if (connectedBy.has(change.kind)) this.#ring('connection');
    return { outcome: 'applied', version, replayed: false, dryRun: false };
  }

  /** An outlet whose address leads where nothing is sent. One that cannot be opened now is judged when something is sent. */
  async #unfitOutlet(state: WorkspaceState, command: WorkspaceCommand): Promise<Refusal | undefined> {
    if (command.type !== 'webhook.put' && command.type !== 'chat.put') return undefined;
    const judge = (url: string, place: string) => addressRefusal(admit(outgoingRules(this.env, outgoingOf(state)), url), url, place);
    if (command.type === 'webhook.put') return judge(command.payload.url, '/payload/url');
    const address = state.settings.secret.has(command.payload.address) ? await this.#openings.secret(command.payload.address) : undefined;
    return address?.ok ? judge(address.value.value.trim(), '/payload/address') : undefined;
  }

  async #unfitProgress(command: WorkspaceCommand): Promise<Refusal | undefined> {
    if (command.type !== 'progress.put') return undefined;
    const { goal } = command.payload;
    const workspace = this.ctx.id.name ?? '';
    const there = goalIdPattern.test(goal) && (await goalStub(this.env, workspace, goal).read({ v: 1, workspace, goal, query: { what: 'next' } })).outcome === 'found';
    return there ? undefined : refuse('not_found', { errors: [{ pointer: '/payload/goal', code: 'not_found' }] });
  }

  /** In the line of commands: two that make the data key at once would leave one of them with secrets that nothing opens. */
  #linkKey(): Promise<Opened<string>> {
    if (this.#store.dataKey()) return this.#vault.linkKey();
    const turn = this.#line.then(() => this.#vault.linkKey());
    this.#line = turn.catch(() => {});
    return turn;
  }

  async judgeLink(request: LinkRequest): Promise<LinkAnswer> {
    return this.#decision(request, false);
  }

  async useLink(request: LinkRequest): Promise<LinkAnswer> {
    return this.#decision(request, true);
  }

  async #decision(request: LinkRequest, use: boolean): Promise<LinkAnswer> {
    const shut = this.#door(request);
    if (shut) return { outcome: 'refused', refusal: shut };
    const key = await this.#linkKey();
    const { workspace, text, principal, commandId } = request;
    const { links } = this.#store;
    const now = this.now();
    // Nothing is awaited between looking and writing: of two at once one is first.
    const link = key.ok ? judgeDecision(key.value, workspace, text, { principal, commandId, now }, (id) => links.used(id)) : refuse('link_unknown');
    if (isRefusal(link)) return { outcome: 'refused', refusal: link };
    if (use) this.#store.transaction(() => links.use(link, commandId, now));
    return { outcome: 'good', goal: link.goal, ref: link.ref, asked: link.asked };
  }

  async judgeProgress(request: WorkspaceDoor & { text: string }): Promise<ProgressAnswer> {
    // Whoever has no account is told one thing of a workspace that is not there, and of one that is.
    const key = this.#door(request) || !this.#store.dataKey() ? undefined : await this.#linkKey();
    const judged = key?.ok ? judgeProgress(key.value, request.workspace, request.text, this.#live(), this.now()) : refuse('link_unknown');
    return isRefusal(judged) ? { outcome: 'refused', refusal: judged } : { outcome: 'good', ...judged };
  }

  async read(request: WorkspaceReadRequest): Promise<WorkspaceReadAnswer> {
    const shut = this.#door(request);
    if (shut) return { outcome: 'refused', refusal: shut };
    const state = this.#live();
    const found = (value: unknown): WorkspaceReadAnswer => ({ outcome: 'found', value: value as Json });
    const { query } = request;
    switch (query.what) {
      case 'settings':
        return found({ ...settingsView(state), connections: this.#connections.views() });
      case 'secrets': {
        // Looking wraps the data key anew where the master key changed.
        const looked = await this.#vault.look();
        return found({
          data: secretList(state, (name, version) => this.#store.secretUsed(name, version)),
          masterKey: looked.ok ? looked.value : (this.#store.dataKey()?.masterVersion ?? null),
          refusal: looked.ok ? null : looked.refusal,
        });
      }
      case 'audit':
        await this.#audit.takeIn();
        return found(this.#store.audit.page(query.filter ?? {}, query.before, query.limit).map(auditEntry));
      case 'audit_rows':
        if (query.after === 0) await this.#audit.takeIn();
        return found({ rows: this.#store.audit.following(query.filter, query.after, query.limit), head: this.#store.audit.head() });
      case 'audit_verify':
        return found(await this.#audit.verify());
      case 'usage':
        return found({ ...usageView(state, this.#store, query.days, Date.now()), quotas: await this.#counting.view() } satisfies UsageRead);
      case 'progress_links': {
        const key = await this.#linkKey();
        return found({ data: progressList(state, (link) => (key.ok ? signProgress(key.value, request.workspace, link) : null)) });
      }
      case 'templates':
        return found({ data: templateList(state) });
      case 'template': {
        const view = templateView(state, this.#store, query.name, query.version);
        return view ? found(view) : { outcome: 'refused', refusal: refuse('not_found', { detail: `no template ${query.name} of that version` }) };
      }
      case 'instance': {
        const made = goalFrom(state.settings.template.get(query.name)?.value, (name, version) => this.#store.template(name, version), query);
        return isRefusal(made) ? { outcome: 'refused', refusal: made } : found(made);
      }
      case 'triggers':
        return found({ data: triggerList(state, this.#store.triggers, this.now()) });
      case 'trigger': {
        const view = triggerView(state, this.#store.triggers, query.name, this.now());
        return view ? found(view) : { outcome: 'refused', refusal: refuse('not_found', { detail: `no trigger ${query.name}` }) };
      }
      case 'business_rounds':
        return found(this.#store.triggers.rounds(query.name, query.before, query.limit).map(({ seq, late, round }) => ({ seq, late, ...round })));
      case 'business_round': {
        const details = roundDetails(this.#store.triggers, query.round);
        return details ? found(details) : { outcome: 'refused', refusal: refuse('not_found', { detail: 'no such business round' }) };
      }
      case 'deliveries':
        return found(this.#store.triggers.deliveries(query.name, query.before, query.limit));
      case 'trigger_test':
        return found(tryTrigger(state, (name, version) => this.#store.template(name, version), query.definition, query, this.now()));
      default:
        return query satisfies never;
    }
  }

  async record(request: RecordRequest): Promise<RecordAnswer> {
    const shut = this.#door(request);
    if (shut) return { outcome: 'refused', refusal: shut };
    const { actor, from, type, subject, after, reason } = request;
    if (actor.kind !== 'person' && actor.kind !== 'token') return { outcome: 'refused', refusal: refuse('forbidden') };
    const { audit } = this.#store;
    const fact = { at: Date.now(), by: actor.principal, type, subject, before: null, after, source: 'workspace', number: null, held: heldOf(from, reason ?? null) } as const;
    const row = this.#store.transaction(() => audit.append(fact));
    this.ctx.waitUntil(this.#audit.anchor());
    return { outcome: 'recorded', seq: row.seq };
  }

  async setQuotas({ actor, from, override, ...door }: QuotaRequest): Promise<{ outcome: 'set' } | Refused> {
    const shut = this.#door(door) ?? misfit(quotaOverride, override);
    if (shut) return { outcome: 'refused', refusal: shut };
    if (actor.kind !== 'person' && actor.kind !== 'token') return { outcome: 'refused', refusal: refuse('forbidden') };
    this.#counting.setOverride(actor, from, override);
    this.ctx.waitUntil(this.#audit.anchor());
    return { outcome: 'set' };
  }

  async admitGoal({ goal, dryRun, ...door }: WorkspaceDoor & { goal: string; dryRun: boolean }): Promise<AdmitAnswer> {
    return this.#admitted(this.#door(door) ?? (await this.#counting.admitGoal(goal, dryRun)));
  }
  async releaseGoal({ goal, ...door }: WorkspaceDoor & { goal: string }): Promise<void> {
    if (!this.#door(door)) this.#counting.releaseGoal(goal);
  }
  async admitFile({ goal, digest, size, ...door }: WorkspaceDoor & { goal: string; digest: string; size: number }): Promise<AdmitAnswer> {
    return this.#admitted(this.#door(door) ?? this.#counting.admitFile({ goal, digest }, size));
  }
  async filesGone({ goal, digests, ...door }: WorkspaceDoor & { goal: string; digests: string[] | null }): Promise<void> {
    if (!this.#door(door)) this.#counting.filesGone(goal, digests);
  }
  async #admitted(refusal: Refusal | undefined): Promise<AdmitAnswer> {
    if (refusal) return { outcome: 'refused', refusal };
    if (!this.#daily && (await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + dayMs);
    this.#daily = true;
    return { outcome: 'admitted' };
  }

  async erase({ erasure, ...door }: WorkspaceDoor & { erasure: string }): Promise<{ outcome: 'erasing' | 'erased' } | Refused> {
    const shut = this.#door(door);
    if (shut && shut.code !== 'workspace_erased') return { outcome: 'refused', refusal: shut };
    if (!this.#erasing) {
      // What is under way here ends first; nothing new begins after it.
      await this.#line;
      await this.#audit.takeIn();
      const { audit, quotas } = this.#store;
      const begun: Erasing = this.#erasing ?? { erasure, step: 'goals', after: '', erased: { files: quotas.files(), fileBytes: quotas.bytes() }, auditHead: audit.head() };
      this.#store.transaction(() => this.#store.putErasing(begun, false));
      this.#erasing = begun;
      this.#state = undefined;
    }
    if (this.#erasing.step === 'done') return { outcome: 'erased' };
    await this.ctx.storage.setAlarm(Date.now());
    return { outcome: 'erasing' };
  }

  /** One step a ring. A ring that dies finds the same step again. */
  async #eraseOn(at: Erasing): Promise<void> {
    if (at.step === 'done') return;
    await this.ctx.storage.setAlarm(Date.now() + eraseAgainMs);
    const workspace = this.ctx.id.name ?? '';
    const own = { goals: (after: string, limit: number) => this.#store.quotas.goals(after, limit), counts: () => this.#store.counts() };
    const next = await eraseStep(this.env, workspace, at, own);
    this.#store.transaction(() => this.#store.putErasing(next, next.step === 'done'));
    this.#erasing = next;
    if (next.step === 'done') {
      await this.ctx.storage.deleteAlarm();
      log('warn', 'workspace', 'erased', { workspace });
    } else await this.ctx.storage.setAlarm(Date.now());
  }

  async erasePerson({ principal, askedBy, ...door }: WorkspaceDoor & { principal: PrincipalId; askedBy: PrincipalId }): Promise<{ outcome: 'erased'; rows: number } | Refused> {
    const shut = this.#door(door);
    if (shut) return { outcome: 'refused', refusal: shut };
    // What the log of people still has of them comes without an address already.
    await this.#audit.takeIn();
    const { audit } = this.#store;
    const rows = this.#store.transaction(() => {
      const count = audit.eraseHeld(principal);
      if (!audit.has('person.erase', principal))
        audit.append({
          at: Date.now(),
          by: askedBy,
          type: 'person.erase',
          subject: principal,
          before: null,
          after: null,
          source: 'workspace',
          number: null,
          held: heldOf(null, null),
        });
      return count;
    });
    this.ctx.waitUntil(this.#audit.anchor());
    return { outcome: 'erased', rows };
  }

  override async alarm(): Promise<void> {
    await this.#ringAlarm(false);
  }

  async #ringAlarm(poked: boolean): Promise<void> {
    try {
      if (this.#erasing) return await this.#eraseOn(this.#erasing);
      this.#live();
      await this.#alarm.ring(poked);
    } catch (error) {
      this.#state = undefined;
      log('error', 'workspace', 'alarm.threw', { workspace: this.ctx.id.name ?? '', error: errorOf(error) });
    }
  }

  async addressRefused(request: AddressRefusedRequest): Promise<RecordAnswer> {
    const shut = this.#door(request) ?? misfit(addressRefusedShape, request);
    if (shut) return { outcome: 'refused', refusal: shut };
    const { goal, round, host, code } = request;
    const now = Date.now();
    const { audit } = this.#store;
    if (!this.#refusedAddresses.take(JSON.stringify([goal, host, code]), now)) return { outcome: 'recorded', seq: audit.head().seq };
    const fact = {
      at: now,
      by: 'host',
      type: 'outgoing.refused',
      subject: host,
      before: null,
      after: { goal, round, code },
      source: 'workspace',
      number: null,
      held: heldOf(null, null),
    } as const;
    const row = this.#store.transaction(() => audit.append(fact));
    this.ctx.waitUntil(this.#audit.anchor());
    return { outcome: 'recorded', seq: row.seq };
  }

  async peopleChanged(request: WorkspaceDoor): Promise<boolean> {
    return this.#door(request) ? false : this.#audit.takeIn();
  }

  async watch(request: WatcherRequest & { goal: string }): Promise<{ outcome: 'watched' } | Refused> {
    const shut = this.#door(request);
    if (shut || !goalIdPattern.test(request.goal)) return { outcome: 'refused', refusal: shut ?? refuse('not_found') };
    this.#store.transaction(() => this.#store.watchers.add(request.principal, request.goal, Date.now()));
    return { outcome: 'watched' };
  }

  async credentialsChanged(request: WatcherRequest): Promise<{ told: number }> {
    if (this.#door(request)) return { told: 0 };
    const { workspace, principal } = request;
    await this.#sockets.recheck(principal, this.#standing(Date.now())).catch((error: unknown) => log('warn', 'workspace', 'sockets.unasked', { workspace, error: errorOf(error) }));
    return { told: await tellWatched(this.env, workspace, this.#store, principal) };
  }

  async openFor<W extends Openable>(request: OpenRequest<W>): Promise<OpenAnswer<W>> {
    const shut = this.#door(request);
    if (shut) return { outcome: 'refused', refusal: shut };
    return (await this.#openings.open(request as OpenRequest)) as OpenAnswer<W>;
  }

  async grant(request: GrantRequest): Promise<GrantAnswer> {
    const shut = this.#door(request) ?? misfit(grantShape, request);
    if (shut) return { outcome: 'refused', refusal: shut };
    const now = Date.now();
    const budget = budgetOf(this.#live());
    const own = this.#store.grant(request.goal, request.round, request.fence);
    // What was granted began on connections that worked; more of it is no new beginning.
    const untested = request.agent && !own ? this.#connections.ask(request.agent) : undefined;
    if (untested) {
      this.#store.transaction(() => this.#store.wait(request.goal, now, 'connection'));
      return untested;
    }
    const decided = decideGrant(budget, this.#store.standing(budget, own, request, dayOf(now), now), request, now);
    if (decided.grant || decided.waits)
      this.#store.transaction(() => {
        if (decided.grant) {
          this.#store.putGrant(decided.grant);
          this.#store.stopWaiting(request.goal);
        }
        if (decided.waits) this.#store.wait(request.goal, now, decided.waits);
        if (dayOf(now) !== this.#forgot) this.#store.forgetGrants(now - grantsKeptMs, forgottenAtOnce);
        this.#forgot = dayOf(now);
      });
    return decided.answer;
  }

  async settle(request: SettleRequest): Promise<SettleAnswer> {
    const shut = this.#door(request) ?? misfit(settleShape, request);
    if (shut) return { outcome: 'refused', refusal: shut };
    const now = Date.now();
    const budget = budgetOf(this.#live());
    const own = this.#store.grant(request.goal, request.round, request.fence);
    const decided = decideSettle(budget, own, request, now);
    if (!decided.replayed) {
      this.#store.transaction(() => {
        this.#store.putGrant(decided.grant);
        this.#store.addUsage(decided.grant, decided.added, own?.used ? 0 : 1);
      });
      this.#ring('settled', Math.max(1, budget.parallelRounds - this.#store.running(now)));
      // What was spent is spent no more.
      if (decided.added.tokens < 0 || decided.added.money < 0) this.#ring('raised');
    }
    return { outcome: 'settled', used: decided.grant.used ?? request.used, replayed: decided.replayed };
  }

  async slowDown(request: SlowDownRequest): Promise<SlowDownAnswer> {
    const shut = this.#door(request) ?? misfit(slowDownShape, request);
    if (shut) return { outcome: 'refused', refusal: shut };
    this.#slow.note(request.provider, Date.now(), request.forMs);
    return { outcome: 'noted' };
  }

  async testAgain(request: TestAgainRequest): Promise<TestAgainAnswer> {
    const shut = this.#door(request) ?? misfit(testAgainShape, request);
    if (shut) return { outcome: 'refused', refusal: shut };
    if (this.#connections.again(request.setting)) this.#ring('connection');
    return { outcome: 'noted' };
  }

  async listed(request: ListedRequest): Promise<ListedAnswer> {
    const shut = this.#door(request);
    if (shut) return { outcome: 'refused', refusal: shut };
    if ('gone' in request) this.#feed.changed(request.gone, null);
    else {
      this.#feed.changed(request.summary.goal, request.summary);
      this.#ended(request.summary.goal, request.summary.status);
    }
    return { outcome: 'noted' };
  }

  /** A socket that follows the lists, from this Worker only: who holds it was checked there and comes in headers. */
  override async fetch(request: Request): Promise<Response> {
    const user = request.headers.get('x-longhaul-principal') ?? '';
    const credential = (request.headers.get('x-longhaul-credential') ?? '') as Credential | '';
    const mine = request.headers.get('x-longhaul-workspace') === this.ctx.id.name && !this.#erasing;
    if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket' || !mine || user === '' || credential === '') return new Response(null, { status: 426 });
    const after = Number(new URL(request.url).searchParams.get('after') ?? Number.NaN);
    const [client, server] = Object.values(new WebSocketPair());
    if (!client || !server) return new Response(null, { status: 500 });
    const id = this.#sockets.accept(server, user, credential, Date.now());
    this.ctx.waitUntil(this.#feed.connect(id, Number.isInteger(after) ? after : undefined));
    return new Response(null, { status: 101, webSocket: client });
  }

  override async webSocketMessage(socket: WebSocket, raw: string | ArrayBuffer): Promise<void> {
    const now = Date.now();
    if (parseSocketMessage(raw)?.kind === 'renew') await this.#sockets.renew(socket, now, this.#standing(now));
  }

  #standing(now: number): (credential: Credential) => Promise<Standing> {
    return (credential) => standingOf(this.env.DB, credential, this.ctx.id.name ?? '', now);
  }

  override webSocketClose(socket: WebSocket): void {
    closeQuietly(socket);
  }
  override webSocketError(socket: WebSocket): void {
    closeQuietly(socket);
  }

  async receive(request: HookRequest): Promise<HookAnswer> {
    const shut = this.#door(request);
    if (shut) return { outcome: 'refused', refusal: shut };
    this.#live();
    const received = await this.#desk.deliveries.receive(request.hook, { headers: request.headers, body: request.body });
    if (received.outcome === 'taken') this.#stirred();
    return received;
  }

  /** A Goal says again how it stands until it was heard, so no end of one gets lost. */
  #ended(goal: string, status: string): void {
    if (status !== 'completed' && status !== 'cancelled') return;
    this.#live();
    if (this.#desk.performing.ended(goal, status)) this.#stirred();
  }

  /** From the sweep: by what D1 has, the alarm should have rung. */
  async poke(request: WorkspaceDoor): Promise<void> {
    if (!this.#door(request)) await this.#ringAlarm(true);
  }

  #stirred(): void {
    if (!this.#erasing) this.#alarm.stirred();
  }

  /** A ring that gets lost is made good by the Goals' own timers, and a line that is cut off is taken up when the object starts. */
  #ring(until: Awaited, limit?: number): void {
    const workspace = this.ctx.id.name ?? '';
    const ports: RingPorts = {
      waiting: () => this.#store.waiting(until),
      take: () => this.#store.transaction(() => this.#store.takeWaiting(until)),
      poke: async (goal) => {
        try {
          await goalStub(this.env, workspace, goal).poke({ v: 1, workspace, goal });
        } catch (error) {
          log('warn', 'workspace', 'ring.lost', { workspace, goal, error: errorOf(error) });
        }
      },
    };
    this.ctx.waitUntil(ring(ports, until, limit));
  }

  #live(): WorkspaceState {
    if (this.#state) return this.#state;
    this.#state = this.#store.load();
    if (hasModel(this.#state)) this.#ring('model');
    // An alarm that was lost is set again by whoever comes first.
    if (!this.#erasing) this.#alarm.arm();
    return this.#state;
  }

  /** A workspace that is not this one does not exist. */
  #door(request: WorkspaceDoor): Refusal | undefined {
    const mine = request.v === 1 && request.workspace === this.ctx.id.name && workspacePattern.test(request.workspace);
    return !mine ? refuse('not_found') : this.#erasing ? refuse('workspace_erased') : undefined;
  }
}

/** As many as one frame takes, and of the others those that need somebody. */
async function firstGoals(db: D1Database, workspace: string): ReturnType<ConstructorParameters<typeof GoalsFeed>[0]['read']> {
  const newest = await listGoals(db, workspace, { limit: goalsOfSnapshot });
  if (newest.outcome !== 'found') throw new Error(newest.outcome);
  const { data, next } = newest.value;
  if (next === null) return { goals: data, truncated: false };
  const waiting = await listGoals(db, workspace, { limit: goalsOfSnapshot, needsYou: true });
  const known = new Set(data.map(({ goal }) => goal));
  return { goals: [...data, ...(waiting.outcome === 'found' ? waiting.value.data.filter(({ goal }) => !known.has(goal)) : [])], truncated: true };
}
