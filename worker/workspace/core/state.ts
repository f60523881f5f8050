/** The settings of a workspace in memory: small, whole, and replaced as a whole. */
import type { PolicyRule } from '../../domain/contract/contract.ts';
import type { PrincipalId } from '../../domain/values.ts';
import type { OutgoingSettings } from '../../outgoing/policy.ts';
import { defaultBudget, type McpServer, type Profile, type Provider, type WorkspaceBudget } from '../settings.ts';
import type { Chat, Webhook } from './outlets.ts';
import type { Progress } from './progress.ts';
import type { TemplateHead } from './templates.ts';
import type { Trigger } from './triggers/definition.ts';

/** One setting: its value, the version of the workspace that set it, when (milliseconds) and by whom. */
export interface Kept<T> {
  value: T;
  version: number;
  at: number;
  by: PrincipalId;
}

/** What a setting holds, by kind. A secret's value is sealed beside it and never here. */
export interface SettingValues {
  provider: Provider;
  profile: Profile;
  secret: { name: string };
  mcp: McpServer;
  template: TemplateHead;
  trigger: Trigger;
  webhook: Webhook;
  chat: Chat;
  progress: Progress;
  outgoing: OutgoingSettings;
  policy: { rules: PolicyRule[] };
  budget: WorkspaceBudget;
}
export type SettingKind = keyof SettingValues;
/** These have a name each; of the others there is one. */
export const namedKinds = ['provider', 'profile', 'secret', 'mcp', 'template', 'trigger', 'webhook', 'chat', 'progress'] as const;
export type NamedKind = (typeof namedKinds)[number];

export type Settings = { readonly [K in SettingKind]: ReadonlyMap<string, Kept<SettingValues[K]>> };

export interface WorkspaceState {
  /** Grows by one with every applied command. 0: nothing was ever set. */
  readonly version: number;
  readonly settings: Settings;
}

/** One setting put or removed. The name of those that are one of their kind is empty. */
export type Change = { [K in SettingKind]: { kind: K; name: string; value: SettingValues[K] | null } }[SettingKind];

export function emptySettings(): WorkspaceState {
  return {
    version: 0,
    settings: {
      provider: new Map(),
      profile: new Map(),
      secret: new Map(),
      mcp: new Map(),
      template: new Map(),
      trigger: new Map(),
      webhook: new Map(),
      chat: new Map(),
      progress: new Map(),
      outgoing: new Map(),
      policy: new Map(),
      budget: new Map(),
    },
  };
}

/** The state after a change at the given version. Copies only the map it touches. */
export function changed(state: WorkspaceState, change: Change, version: number, at: number, by: PrincipalId): WorkspaceState {
  const map = new Map<string, Kept<SettingValues[SettingKind]>>(state.settings[change.kind]);
  if (change.value === null) map.delete(change.name);
  else map.set(change.name, { value: change.value, version, at, by });
  return { version, settings: { ...state.settings, [change.kind]: map } };
}

/** Every public host, until somebody sets lists. */
export const outgoingOf = (state: WorkspaceState): OutgoingSettings => state.settings.outgoing.get('')?.value ?? { allow: null, deny: [] };
export const rulesOf = (state: WorkspaceState): PolicyRule[] => state.settings.policy.get('')?.value.rules ?? [];
export const budgetOf = (state: WorkspaceState): WorkspaceBudget => state.settings.budget.get('')?.value ?? defaultBudget;

/** Settings that name a secret, e.g. `provider:main`. */
export function usersOf(state: WorkspaceState, secret: string): string[] {
  const { provider, mcp, trigger, webhook, chat } = state.settings;
  return [
    ...[...provider.values()].filter((each) => each.value.secret === secret).map((each) => `provider:${each.value.name}`),
    ...[...mcp.values()].filter((each) => each.value.header?.secret === secret).map((each) => `mcp:${each.value.name}`),
    ...[...trigger.values()].filter(({ value: { source } }) => source.kind === 'webhook' && source.secrets.includes(secret)).map((each) => `trigger:${each.value.name}`),
    ...[...webhook.values()].filter((each) => each.value.secrets.includes(secret)).map((each) => `webhook:${each.value.name}`),
    ...[...chat.values()].filter(({ value }) => value.address === secret || value.signing === secret).map((each) => `chat:${each.value.name}`),
  ].sort();
}
