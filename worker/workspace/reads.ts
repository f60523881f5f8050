/** What people read of a workspace: settings, names of secrets, audit, use. Never a secret's value. */
import type { Template } from '../domain/template/template.ts';
import type { Refusal } from '../domain/refusals.ts';
import type { Json, PrincipalId } from '../domain/values.ts';
import type { AuditRow } from './audit/chain.ts';
import type { ConnectionView } from './connections/connection-tests.ts';
import { type Amounts, dayOf, periodOf } from './core/grants.ts';
import { budgetOf, type Kept, outgoingOf, rulesOf, type SettingValues, usersOf, type WorkspaceState } from './core/state.ts';
import type { TemplateHead, TemplateLookup } from './core/templates.ts';
import { type ProgressView, progressEnd } from './core/progress.ts';
import type { QuotaView } from './quotas/counting.ts';
import type { WorkspaceBudget } from './settings.ts';

/** One setting with who set it and when; `version` goes into `expected.version` of the command that changes it. 0: nobody set it, this is what holds by default. */
export interface SettingView<T> {
  value: T;
  version: number;
  at: number | null;
  by: PrincipalId | null;
}

export interface SettingsView {
  version: number;
  /** The last test of each connection that rounds needed, where it was made for the settings as they are. */
  connections: ConnectionView[];
  providers: SettingView<SettingValues['provider']>[];
  profiles: SettingView<SettingValues['profile']>[];
  mcp: SettingView<SettingValues['mcp']>[];
  webhooks: SettingView<SettingValues['webhook']>[];
  chats: SettingView<SettingValues['chat']>[];
  outgoing: SettingView<SettingValues['outgoing']>;
  policy: SettingView<SettingValues['policy']>;
  budget: SettingView<WorkspaceBudget>;
}

/** Those that ran out too: they are there until somebody removes them. */
export function progressList(state: WorkspaceState, sign: (link: { name: string; version: number }) => string | null): ProgressView[] {
  return [...state.settings.progress.values()]
    .sort((a, b) => b.at - a.at)
    .map(({ value: { name, goal, ...value }, version, at, by }) => ({
      name,
      goal,
      version,
      at,
      by,
      until: progressEnd({ value: { name, goal, ...value }, at }),
      link: sign({ name, version }),
    }));
}

export interface SecretsView {
  /** `usedBy`: settings that name it, e.g. `provider:main`. Tools may use those that no setting names. */
  /** `lastUsedAt`: when the value that was put last was opened for a round or a test, to the minute; null: not yet. What shows that after a rotation the old value is in no use any more. */
  data: { name: string; version: number; at: number; by: PrincipalId; usedBy: string[]; lastUsedAt: number | null }[];
  /** Version of the installation's master key that these are sealed under; null before the first one. `refusal`: why they cannot be opened now. */
  masterKey: number | null;
  refusal: Refusal | null;
}

export interface AuditEntry {
  seq: number;
  at: number;
  by: PrincipalId;
  /** The address it came from; null where nobody knows it, or where it was erased. */
  from: string | null;
  type: string;
  /** Name or id of what was changed; null where there is one of its kind. */
  subject: string | null;
  /** As it was and as it was left; null where it was not there. Of a secret its name. */
  before: Json;
  after: Json;
  reason: string | null;
  /** `from` and `reason` were erased with the person. */
  erased: boolean;
  digest: string;
}

export function auditEntry(row: AuditRow): AuditEntry {
  const { seq, at, by, type, subject, before, after, held, digest } = row;
  return { seq, at, by, from: held?.from ?? null, type, subject, before, after, reason: held?.reason ?? null, erased: held === null, digest };
}

export interface TemplateVersionView {
  version: number;
  digest: string;
  at: number;
  by: PrincipalId;
  confirmed: { at: number; by: PrincipalId } | null;
}
export interface TemplateView extends SettingView<TemplateHead> {
  versions: TemplateVersionView[];
  /** The version that was asked for. */
  document: Template;
  shown: number;
}

export interface UsageDay {
  /** `2026-11-30`, UTC. */
  day: string;
  currency: string;
  tokens: number;
  micros: number;
  rounds: number;
}
export interface UsageOfGoal {
  goal: string;
  currency: string;
  tokens: number;
  micros: number;
  rounds: number;
}

interface UsageFigures {
  used: { tokens: number; micros: number };
  reserved: { tokens: number; micros: number };
  /** Null: no limit. */
  allowed: { tokens: number | null; micros: number | null };
}
export interface UsageView {
  currency: string;
  period: (UsageFigures & { of: 'day' | 'month'; endsInMs: number }) | null;
  total: UsageFigures;
  parallelRounds: { running: number; limit: number };
  days: UsageDay[];
  goals: UsageOfGoal[];
}
/** With what counts against the quotas. */
export type UsageRead = UsageView & { quotas: QuotaView };

export function settingsView(state: WorkspaceState): Omit<SettingsView, 'connections'> {
  const { settings, version } = state;
  const list = <T>(map: ReadonlyMap<string, Kept<T>>): SettingView<T>[] =>
    [...map.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, kept]) => ({ value: kept.value, version: kept.version, at: kept.at, by: kept.by }));
  const single = <T>(map: ReadonlyMap<string, Kept<T>>, otherwise: T): SettingView<T> => list(map)[0] ?? { value: otherwise, version: 0, at: null, by: null };
  return {
    version,
    providers: list(settings.provider),
    profiles: list(settings.profile),
    mcp: list(settings.mcp),
    webhooks: list(settings.webhook),
    chats: list(settings.chat),
    outgoing: single(settings.outgoing, outgoingOf(state)),
    policy: single(settings.policy, { rules: rulesOf(state) }),
    budget: single(settings.budget, budgetOf(state)),
  };
}

export function templateList(state: WorkspaceState): SettingView<TemplateHead>[] {
  return [...state.settings.template.values()].sort((a, b) => (a.value.name < b.value.name ? -1 : 1)).map(({ value, version, at, by }) => ({ value, version, at, by }));
}

/** `version` absent: the newest. */
export function templateView(state: WorkspaceState, rows: TemplateRows, name: string, version?: number): TemplateView | undefined {
  const kept = state.settings.template.get(name);
  const found = kept && rows.template(name, version ?? kept.value.latest);
  return (
    kept && found && { value: kept.value, version: kept.version, at: kept.at, by: kept.by, versions: rows.templateVersions(name), document: found.document, shown: found.version }
  );
}
interface TemplateRows {
  template: TemplateLookup;
  templateVersions(name: string): TemplateVersionView[];
}

export function secretList(state: WorkspaceState, usedAt: (name: string, version: number) => number | null): SecretsView['data'] {
  return [...state.settings.secret.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, kept]) => ({ name, version: kept.version, at: kept.at, by: kept.by, usedBy: usersOf(state, name), lastUsedAt: usedAt(name, kept.version) }));
}

/** What the figures are read from. */
export interface UsageSource {
  used(currency: string, from: number, to: number): Amounts;
  reserved(currency: string, from: number, to: number): Amounts;
  running(now: number): number;
  usageDays(from: number): UsageDay[];
  usageOfGoals(from: number, limit: number): UsageOfGoal[];
}

/** `days`: how many days back the lists go. */
export function usageView(state: WorkspaceState, source: UsageSource, days: number, now: number): UsageView {
  const budget = budgetOf(state);
  const today = dayOf(now);
  const shown = ({ tokens, money }: Amounts) => ({ tokens, micros: money });
  const figures = (from: number, to: number, allowed: { tokens?: number | undefined; micros?: number | undefined } | undefined): UsageFigures => ({
    used: shown(source.used(budget.currency, from, to)),
    reserved: shown(source.reserved(budget.currency, from, to)),
    allowed: { tokens: allowed?.tokens ?? null, micros: allowed?.micros ?? null },
  });
  const period = periodOf(budget, today);
  return {
    currency: budget.currency,
    period: budget.period ? { of: budget.period.of, endsInMs: period.to * 86_400_000 - now, ...figures(period.from, period.to, budget.period) } : null,
    total: figures(0, Number.MAX_SAFE_INTEGER, budget.total),
    parallelRounds: { running: source.running(now), limit: budget.parallelRounds },
    days: source.usageDays(today - days + 1),
    goals: source.usageOfGoals(today - days + 1, 100),
  };
}
