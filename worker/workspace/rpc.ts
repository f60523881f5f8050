/**
 * What the Workspace object answers, inside this Worker only: there is no way to it over HTTP but the routes in `worker/http/workspace.ts`, and those never
 * open a secret. Every call carries `v` and the workspace, which the object compares with its own name, and may be repeated. Results are unions; nothing is
 * thrown across (but for an object that was reset: `client.ts` turns that into a refusal).
 */
import type { Actor } from '../domain/context.ts';
import type { PolicyRule } from '../domain/contract/contract.ts';
import type { Refusal } from '../domain/refusals.ts';
import type { Values } from '../domain/template/parameters.ts';
import type { Json, PrincipalId } from '../domain/values.ts';
import type { GoalSummary } from '../domain/views/types.ts';
import type { AuditFilter } from './audit/chain.ts';
import type { QuotaOverride } from './core/quotas.ts';
import type { TriggerDefinition } from './core/triggers/definition.ts';
import type { Received } from './triggers/deliveries.ts';
import type { OutgoingSettings } from '../outgoing/policy.ts';
import type { Chat, Webhook } from './core/outlets.ts';
import type { WorkspaceEnvelope } from './core/catalogue.ts';
import type { McpServer, Profile, Provider } from './settings.ts';

export interface WorkspaceDoor {
  v: 1;
  workspace: string;
}

export type Refused = { outcome: 'refused'; refusal: Refusal };

/** What a round asks for, by `what`. `version` grows with every change of a setting of the workspace: the same version is the same answer. */
export interface Opening {
  /**
   * The profile with what it takes from `default`, its provider and its key. `setting_missing` where there is no such profile, no provider or no model;
   * a built-in profile that nobody put is `default` under its own name. `key` is absent where the provider names no secret.
   * `slowMs`: the provider asked for fewer calls, and this long is left of it.
   */
  profile: { ask: { profile: string }; give: { profile: Profile & { provider: string; model: string }; provider: Provider; key?: string; slowMs?: number; version: number } };
  /** For a tool. `setting_missing` where there is none of that name; `forbidden` where a provider or an MCP server uses it: no agent sends those anywhere. `secretVersion` grows when its value is put again. */
  secret: { ask: { name: string }; give: { value: string; secretVersion: number } };
  /** For a test of a provider that no profile uses yet. */
  provider: { ask: { provider: string }; give: { provider: Provider; key?: string; version: number } };
  /** What the workspace sets: `outgoingRules(env, policy)` makes the guard's of it. */
  outgoing: { ask: object; give: { policy: OutgoingSettings; version: number } };
  /** A server whose secret cannot be opened comes with the refusal instead of its headers. */
  mcp: { ask: object; give: { servers: OpenedMcpServer[]; version: number } };
  /** For the outbox: where the workspace tells what happens. What cannot be opened comes with the refusal. */
  outlets: { ask: object; give: { webhooks: OpenedWebhook[]; chats: OpenedChat[]; links: OpenedLinks | null; policy: OutgoingSettings; version: number } };
  /**
   * Rules in force beside those of a contract: put both in one list (`policyFor`). `agents`: whether a model is set that can carry a round. With `goal`: while there is none
   * that Goal is rung (`poke`) when there is one.
   */
  policy: { ask: { goal?: string }; give: { rules: PolicyRule[]; agents: boolean; version: number } };
}
export type Openable = keyof Opening;
export type OpenRequest<W extends Openable = Openable> = WorkspaceDoor & { what: W } & Opening[W]['ask'];
export type OpenAnswer<W extends Openable = Openable> = ({ outcome: 'opened' } & Opening[W]['give']) | Refused;

/** `version`: of the setting. */
export interface OpenedWebhook {
  webhook: Webhook;
  version: number;
  secrets: string[];
  refusal?: Refusal;
}

/** Null where the installation has no master key: then links lead into the console alone. */
export interface OpenedLinks {
  /** Signs decision links. */
  key: string;
  /** Progress links by goal, as texts. */
  progress: Record<string, string>;
}

export interface OpenedChat {
  chat: Chat;
  version: number;
  /** Empty where there is a refusal. */
  address: string;
  signing?: string;
  refusal?: Refusal;
}

export interface OpenedMcpServer {
  server: McpServer;
  /** To be sent along. Its values belong into the round's redactor, as `secrets` has them. */
  headers: Record<string, string>;
  secrets: string[];
  refusal?: Refusal;
}

/**
 * Before a round is handed over: what it may use of the workspace's budget, and a place among its parallel rounds. One grant per (goal, round, fence).
 * `tokens` and `money` (millionths of `currency`) are what the whole round may use, not a difference: asked again with more, the grant grows, with the same or less it is answered as it stands.
 * A higher fence of the same round takes over its place; what was granted under the lower one stays reserved until that is settled.
 */
export interface GrantRequest extends WorkspaceDoor {
  goal: string;
  round: string;
  fence: number;
  tokens: number;
  money: number;
  /** Must be that of the workspace's budget where money is asked for. Default: that. */
  currency?: string;
  /** The least that is of use. Between it and what was asked, what remains is granted. Default: all or nothing. */
  least?: { tokens: number; money: number };
  /** Before an agent's round is handed over: it is granted nothing before the connections that it needs have passed their tests. `remote`: MCP servers among them. */
  agent?: { profile: string; remote: boolean };
  /** How long the place is held without another word. Asking again holds it as long once more. Default and most: `SLOT_MS`. */
  holdMs?: number;
}

export type GrantAnswer =
  | { outcome: 'granted'; tokens: number; money: number; currency: string; holdMs: number }
  /**
   * Not now, and nothing is spent. `places`: as many rounds as may run at once do. `reserved`: what is left of the budget is promised to rounds that run.
   * The object rings the Goal (`poke`) when a round of the workspace is settled; ask again then, or after `retryAfterMs`.
   */
  | { outcome: 'full'; by: 'places' | 'reserved'; running: number; limit: number; retryAfterMs: number }
  /** A connection that the round needs has not passed its test; nothing is spent. The object rings the Goal when one was tested or a setting was changed; ask again then, or after `retryAfterMs`. */
  | Untested
  /** That fence was settled: it runs no more. */
  | { outcome: 'settled' }
  /** `budget_exceeded`, with `current: {scope: 'workspace', limit: 'tokens' | 'money', of: 'day' | 'month' | 'total', used, reserved, allowed, endsInMs?}`; `fence_stale`. */
  | Refused;

export interface Untested {
  outcome: 'untested';
  /** `provider:<name>`, `profile:<name>`, `mcp:<name>`, or `environment`. */
  setting: string;
  /** What the test came to; `testing`: it is under way. */
  code: string;
  /** What the other side said, without secrets. */
  detail: string;
  /** Somebody has to set something right. */
  person: boolean;
  retryAfterMs: number;
}

/**
 * The round is over under that fence. `used` is the whole of it, as the Goal knew it at its `seq` `asOf`: said again as of later (testimony that came late, a bill that was lower) it takes the place of what
 * was said before, up or down; as of earlier or the same it changes nothing. Frees the place and releases what was granted and not used. For a fence that was never granted, what was used counts all the same.
 */
export interface SettleRequest extends WorkspaceDoor {
  goal: string;
  round: string;
  fence: number;
  used: { tokens: number; money: number };
  asOf: number;
  currency?: string;
}

export type SettleAnswer = { outcome: 'settled'; used: { tokens: number; money: number }; replayed: boolean } | Refused;

/** A provider asked for fewer calls, for so many milliseconds. Held in memory: what is lost, the provider says again. */
export interface SlowDownRequest extends WorkspaceDoor {
  provider: string;
  forMs: number;
}
export type SlowDownAnswer = { outcome: 'noted' } | Refused;

/** Somebody tested a connection of this setting and it worked: what failed is tested again now, instead of at its time. */
export interface TestAgainRequest extends WorkspaceDoor {
  /** `provider:<name>` or `mcp:<name>`. */
  setting: string;
}
export type TestAgainAnswer = { outcome: 'noted' } | Refused;

/** A place is free again after this long without a word: a slice of a round is 15 minutes. */
export const SLOT_MS = 20 * 60_000;

export interface WorkspaceCommandRequest extends WorkspaceDoor {
  actor: Actor;
  envelope: WorkspaceEnvelope;
  /** Where it came from, for the audit. */
  from?: string | null;
}
export type WorkspaceCommandAnswer =
  /** `version` is that of the workspace after the command (of a dry run: as it is), and of the setting it put. */
  | { outcome: 'applied'; version: number; replayed: boolean; dryRun: boolean; result?: Json }
  | { outcome: 'rejected'; refusal: Refusal; version: number }
  | { outcome: 'unknown'; detail: string };

/**
 * Shapes of the values: `reads.ts`. `audit`: entries with a lower `seq` than `before`, newest first. `audit_rows`: whole rows after `after`, oldest first, and the head. `audit_verify`: `AuditVerified`.
 * `days`: how far back use is listed.
 */
export type WorkspaceReadQuery =
  | { what: 'settings' }
  | { what: 'secrets' }
  | { what: 'audit'; before?: number; limit: number; filter?: AuditFilter }
  | { what: 'audit_rows'; after: number; limit: number; filter: AuditFilter }
  | { what: 'audit_verify' }
  | { what: 'usage'; days: number }
  | { what: 'progress_links' }
  | { what: 'templates' }
  /** `version` absent: the newest. */
  | { what: 'template'; name: string; version?: number }
  /** What `goal.create` takes to make a goal of it, for somebody who asks: `{payload, version}`. */
  | { what: 'instance'; name: string; version?: number; parameters: Values; by: PrincipalId; confirmed: boolean }
  /** Shapes of these: `triggers/views.ts`, `triggers/trigger-store.ts`. `before`: the `seq` of the last entry of the page before. */
  | { what: 'triggers' }
  | { what: 'trigger'; name: string }
  | { what: 'business_rounds'; name: string; before?: number; limit: number }
  | { what: 'business_round'; round: string }
  | { what: 'deliveries'; name: string; before?: number; limit: number }
  | { what: 'trigger_test'; definition: TriggerDefinition; data: Json; headers: Record<string, string> };
/** Something that was done to the workspace and is no setting: recorded before it is done, so that nothing is done unrecorded. */
export interface RecordRequest extends WorkspaceDoor {
  actor: Actor;
  from: string | null;
  type: RecordedType;
  subject: string | null;
  after: Json;
  reason?: string;
}
/** By whoever runs the installation. */
export interface QuotaRequest extends WorkspaceDoor {
  actor: Actor;
  from: string | null;
  override: QuotaOverride;
}
/** `quota_exceeded` with `current: {quota, used, asked, allowed, raisedBy}`. */
export type AdmitAnswer = { outcome: 'admitted' } | Refused;
export type RecordedType = 'goal.erase' | 'goal.import' | 'webhook.replay';
export type RecordAnswer = { outcome: 'recorded'; seq: number } | Refused;
/** The outgoing guard refused an address in a round. In the audit once an hour for the same goal, host and code; of many different ones as many as `RefusedAddresses` lets through. */
export interface AddressRefusedRequest extends WorkspaceDoor {
  goal: string;
  round: string;
  /** The host as it was written, cut to 260 characters; what follows it stays behind. */
  host: string;
  /** `AddressFault`. */
  code: string;
}
export interface WorkspaceReadRequest extends WorkspaceDoor {
  query: WorkspaceReadQuery;
}
export type WorkspaceReadAnswer = { outcome: 'found'; value: Json } | Refused;

export interface WatcherRequest extends WorkspaceDoor {
  principal: PrincipalId;
}

/** How a Goal stands, for those who follow the lists. `gone`: it was erased. */
export type ListedRequest = WorkspaceDoor & ({ summary: GoalSummary } | { gone: string });
export type ListedAnswer = { outcome: 'noted' } | Refused;

/** The raw bytes as they came, and headers with names in lower case. */
export interface HookRequest extends WorkspaceDoor {
  hook: string;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer>;
}
export type HookAnswer = Received;

/** A decision link, for the person who is signed in. */
export interface LinkRequest extends WorkspaceDoor {
  text: string;
  principal: PrincipalId;
  /** The same again is the same use. */
  commandId: string;
}
export type LinkAnswer = { outcome: 'good'; goal: string; ref: string; asked: string } | Refused;
export type ProgressAnswer = { outcome: 'good'; goal: string; until: number } | Refused;

export interface WorkspaceRpc {
  /** For the routes. */
  command(request: WorkspaceCommandRequest): Promise<WorkspaceCommandAnswer>;
  read(request: WorkspaceReadRequest): Promise<WorkspaceReadAnswer>;
  record(request: RecordRequest): Promise<RecordAnswer>;
  /** The log of people has something new: into the audit with it. False: D1 does not answer, and it is taken in later. */
  peopleChanged(request: WorkspaceDoor): Promise<boolean>;
  /** Somebody's session, role or token ended or changed: the goals that they watch look at their sockets again. Answers when they have. */
  credentialsChanged(request: WatcherRequest): Promise<{ told: number }>;
  /** For Goals: this one has a socket of that principal. Repeatable. */
  watch(request: WatcherRequest & { goal: string }): Promise<{ outcome: 'watched' } | Refused>;
  setQuotas(request: QuotaRequest): Promise<{ outcome: 'set' } | Refused>;
  /** After the batch in D1 that took everybody out. The door is shut from here on; the rest goes on by the alarm. Again: looks after it. */
  erase(request: WorkspaceDoor & { erasure: string }): Promise<{ outcome: 'erasing' | 'erased' } | Refused>;
  /** The addresses and reasons of what that person did; their id stays. */
  erasePerson(request: WorkspaceDoor & { principal: PrincipalId; askedBy: PrincipalId }): Promise<{ outcome: 'erased'; rows: number } | Refused>;
  /** Before a Goal is made or brought in, and when it was not after all. Each may be repeated. */
  admitGoal(request: WorkspaceDoor & { goal: string; dryRun: boolean }): Promise<AdmitAnswer>;
  releaseGoal(request: WorkspaceDoor & { goal: string }): Promise<void>;
  /** Before bytes are stored: they count until `filesGone` says otherwise, or the sweep does not find them. `digests` null: the Goal was erased. */
  admitFile(request: WorkspaceDoor & { goal: string; digest: string; size: number }): Promise<AdmitAnswer>;
  filesGone(request: WorkspaceDoor & { goal: string; digests: string[] | null }): Promise<void>;
  /** For Runners and Goals. */
  openFor<W extends Openable>(request: OpenRequest<W>): Promise<OpenAnswer<W>>;
  grant(request: GrantRequest): Promise<GrantAnswer>;
  settle(request: SettleRequest): Promise<SettleAnswer>;
  addressRefused(request: AddressRefusedRequest): Promise<RecordAnswer>;
  slowDown(request: SlowDownRequest): Promise<SlowDownAnswer>;
  /** For the routes that test. */
  testAgain(request: TestAgainRequest): Promise<TestAgainAnswer>;
  listed(request: ListedRequest): Promise<ListedAnswer>;
  /** A delivery at the address of a trigger. */
  receive(request: HookRequest): Promise<HookAnswer>;
  /** Whether a link is good; nothing is used. */
  judgeLink(request: LinkRequest): Promise<LinkAnswer>;
  /** The same, and from here on it is used. */
  useLink(request: LinkRequest): Promise<LinkAnswer>;
  /** Which goal a progress link shows, for whoever has it. */
  judgeProgress(request: WorkspaceDoor & { text: string }): Promise<ProgressAnswer>;
  /** Does what is due; for the sweep, and for doubt. */
  poke(request: WorkspaceDoor): Promise<void>;
}
