/** One command on the settings: who gives it, whether it fits, what it changes. Pure; what is sealed is sealed by the caller. */
import type { Actor, Scope } from '../../domain/context.ts';
import { schemaProblems } from '../../domain/problems.ts';
import { isRefusal, type Problem, type Refusal, refuse } from '../../domain/refusals.ts';
import type { Json, PrincipalId } from '../../domain/values.ts';
import type { WorkspaceBudget } from '../settings.ts';
import { type WorkspaceCommand, type WorkspaceCommandType, type WorkspaceEnvelope, type WorkspacePayload, workspaceCatalogue } from './catalogue.ts';
import { confirmTemplate, putTemplate, type TemplateVersion } from './templates.ts';
import { putTrigger, type TriggerRows } from './triggers/setting.ts';
import { budgetOf, type Change, type NamedKind, usersOf, type WorkspaceState } from './state.ts';

/** How many there may be of each. A workspace with more of them wants to be two. */
export const settingLimits: Record<NamedKind, number> = { provider: 50, profile: 200, secret: 200, mcp: 50, template: 200, trigger: 200, webhook: 50, chat: 50, progress: 500 };

export function parseWorkspaceCommand(envelope: Pick<WorkspaceEnvelope, 'type' | 'expected' | 'payload'>): WorkspaceCommand | Refusal {
  const parsed = workspaceCatalogue[envelope.type].payload.safeParse(envelope.payload);
  if (!parsed.success) return refuse('schema_invalid', { errors: schemaProblems(parsed.error).map((problem) => ({ ...problem, pointer: `/payload${problem.pointer}` })) });
  return { type: envelope.type, expected: envelope.expected, payload: parsed.data } as WorkspaceCommand;
}

/** The principal of a person or token with the scope of the command; rounds, Attempts and the host change no setting. */
export function giverOf(actor: Actor, type: WorkspaceCommandType): PrincipalId | Refusal {
  const { scope, person, also }: { scope: Scope; person?: true; also?: Scope } = workspaceCatalogue[type];
  if (person && actor.kind === 'token') return refuse('forbidden', { detail: `a person gives ${type}`, current: { scope } });
  if (actor.kind !== 'person' && actor.kind !== 'token') return refuse('forbidden', { detail: `${type} is given by people and tokens`, current: { scope } });
  if (!actor.scopes.includes(scope)) return refuse('scope_missing', { current: { scope } });
  return also === undefined || actor.scopes.includes(also) ? actor.principal : refuse('scope_missing', { current: { scope: also } });
}

export interface Decided {
  change: Change;
  /** What the audit says of it: the setting as it was and as it is now, never a secret's value. */
  before: Json;
  audit: Json;
  /** A version that is to be kept beside its head. */
  template?: TemplateVersion;
}

/** Commands that set something; the others are about firings and business rounds. */
export type SettingCommand = Exclude<WorkspaceCommand, { type: 'trigger.fire' | 'delivery.replay' | `business_round.${string}` }>;

/** What is in rows and not in memory. */
export interface SettingRows extends TriggerRows {
  sha256(text: string): string;
}

/** What the command changes, or why nothing changes. */
export function decideSetting(state: WorkspaceState, command: SettingCommand, rows: SettingRows): Refusal | Decided {
  if (command.type === 'template.put') {
    const { name } = command.payload;
    const head = state.settings.template.get(name)?.value;
    const made = putTemplate(head, command.payload, head && rows.template(name, head.latest), (text) => rows.sha256(text));
    if (isRefusal(made)) return made;
    const change = put(state, { kind: 'template', name, value: made.head });
    if (isRefusal(change)) return change;
    return (
      stale(state, command, change) ?? {
        change,
        before: beforeOf(state, change),
        audit: { name, version: made.version.version, digest: made.version.digest },
        template: made.version,
      }
    );
  }
  const change = changeOf(state, command, rows);
  if (isRefusal(change)) return change;
  return stale(state, command, change) ?? { change, before: beforeOf(state, change), audit: plain(change.value) };
}

function stale(state: WorkspaceState, command: WorkspaceCommand, change: Change): Refusal | undefined {
  const { version } = command.expected;
  const current = state.settings[change.kind].get(change.name)?.version ?? 0;
  return version !== undefined && version !== current ? refuse('setting_stale', { current: { version: current } }) : undefined;
}

const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;
const beforeOf = (state: WorkspaceState, change: Change): Json => plain(state.settings[change.kind].get(change.name)?.value ?? null);

function changeOf(state: WorkspaceState, command: Exclude<SettingCommand, { type: 'template.put' }>, rows: SettingRows): Refusal | Change {
  switch (command.type) {
    case 'provider.put': {
      const { name, kind, baseUrl, secret } = command.payload;
      const errors = [...missing(state, 'secret', secret, '/payload/secret')];
      if (errors.length > 0) return refuse('setting_missing', { errors });
      if (kind === 'openai-compatible' && baseUrl === undefined)
        return refuse('schema_invalid', { errors: [{ pointer: '/payload/baseUrl', code: 'missing_field', detail: 'this kind has no address of its own' }] });
      return put(state, { kind: 'provider', name, value: command.payload });
    }
    case 'provider.remove': {
      const users = [...state.settings.profile.values()].filter((each) => each.value.provider === command.payload.name).map((each) => `profile:${each.value.name}`);
      return remove(state, 'provider', command.payload.name, users);
    }
    case 'profile.put': {
      const errors = missing(state, 'provider', command.payload.provider, '/payload/provider');
      if (errors.length > 0) return refuse('setting_missing', { errors });
      if (command.payload.provider !== undefined && command.payload.model === undefined)
        return refuse('schema_invalid', { errors: [{ pointer: '/payload/model', code: 'missing_field', detail: 'a provider is named, and no model of it' }] });
      return put(state, { kind: 'profile', name: command.payload.name, value: command.payload });
    }
    case 'profile.remove':
      return remove(state, 'profile', command.payload.name, []);
    case 'secret.put':
      return put(state, { kind: 'secret', name: command.payload.name, value: { name: command.payload.name } });
    case 'secret.remove': {
      const { name } = command.payload;
      return remove(state, 'secret', name, usersOf(state, name));
    }
    case 'outgoing.set':
      return { kind: 'outgoing', name: '', value: command.payload };
    case 'mcp.put': {
      const errors = missing(state, 'secret', command.payload.header?.secret, '/payload/header/secret');
      if (errors.length > 0) return refuse('setting_missing', { errors });
      return put(state, { kind: 'mcp', name: command.payload.name, value: command.payload });
    }
    case 'mcp.remove':
      return remove(state, 'mcp', command.payload.name, []);
    case 'webhook.put': {
      const errors = command.payload.secrets.flatMap((secret, at) => missing(state, 'secret', secret, `/payload/secrets/${at}`));
      return errors.length > 0 ? refuse('setting_missing', { errors }) : put(state, { kind: 'webhook', name: command.payload.name, value: command.payload });
    }
    case 'webhook.remove':
      return remove(state, 'webhook', command.payload.name, []);
    case 'chat.put': {
      const { name, kind, address, signing } = command.payload;
      const errors = [...missing(state, 'secret', address, '/payload/address'), ...missing(state, 'secret', signing, '/payload/signing')];
      if (errors.length > 0) return refuse('setting_missing', { errors });
      if (signing !== undefined && kind !== 'feishu' && kind !== 'dingtalk')
        return refuse('schema_invalid', { errors: [{ pointer: '/payload/signing', code: 'unknown_field', detail: 'this chat takes no signature' }] });
      return put(state, { kind: 'chat', name, value: command.payload });
    }
    case 'chat.remove':
      return remove(state, 'chat', command.payload.name, []);
    case 'progress.put':
      return put(state, { kind: 'progress', name: command.payload.name, value: command.payload });
    case 'progress.remove':
      return remove(state, 'progress', command.payload.name, []);
    case 'template.confirm': {
      const { name, version } = command.payload;
      const head = confirmTemplate(state.settings.template.get(name)?.value, version);
      return isRefusal(head) ? head : { kind: 'template', name, value: head };
    }
    case 'template.retire': {
      const { name } = command.payload;
      const head = state.settings.template.get(name)?.value;
      if (!head) return refuse('not_found', { errors: [{ pointer: '/payload/name', code: 'not_found' }], current: { kind: 'template', name } });
      const users = [...state.settings.trigger.values()]
        .filter(({ value: { does } }) => does.kind === 'goal' && does.template === name)
        .map((each) => `trigger:${each.value.name}`)
        .sort();
      if (users.length > 0) return refuse('setting_in_use', { detail: users.join(', '), current: { by: users } });
      return { kind: 'template', name, value: { ...head, retired: true } };
    }
    case 'trigger.put': {
      const made = putTrigger(state, command.payload, rows);
      return isRefusal(made) ? made : put(state, { kind: 'trigger', name: made.name, value: made });
    }
    case 'trigger.pause':
    case 'trigger.resume': {
      const { name } = command.payload;
      const paused = command.type === 'trigger.pause';
      const had = state.settings.trigger.get(name)?.value;
      if (!had) return refuse('not_found', { errors: [{ pointer: '/payload/name', code: 'not_found' }], current: { kind: 'trigger', name } });
      if (had.paused === paused) return refuse('invalid_transition', { current: { paused }, allowedNext: [paused ? 'trigger.resume' : 'trigger.pause'] });
      return { kind: 'trigger', name, value: { ...had, paused } };
    }
    case 'trigger.remove':
      return remove(state, 'trigger', command.payload.name, []);
    case 'policy.set': {
      const errors = command.payload.rules.flatMap((rule, at) =>
        rule.where.flatMap((condition, place): Problem[] =>
          condition.matches === undefined || compiles(condition.matches) ? [] : [{ pointer: `/payload/rules/${at}/where/${place}/matches`, code: 'pattern_invalid' }],
        ),
      );
      return errors.length > 0 ? refuse('schema_invalid', { errors }) : { kind: 'policy', name: '', value: command.payload };
    }
    case 'budget.set':
      return { kind: 'budget', name: '', value: command.payload };
    case 'budget.raise': {
      const raised = raise(budgetOf(state), command.payload);
      return isRefusal(raised) ? raised : { kind: 'budget', name: '', value: raised };
    }
    default:
      return command satisfies never;
  }
}

function put<C extends Change & { kind: NamedKind }>(state: WorkspaceState, change: C): C | Refusal {
  const there = state.settings[change.kind];
  const limit = settingLimits[change.kind];
  if (there.size >= limit && !there.has(change.name))
    return refuse('limit_exceeded', { detail: `at most ${limit}`, current: { limit: change.kind, count: there.size, of: limit } });
  return change;
}

function remove(state: WorkspaceState, kind: NamedKind, name: string, users: string[]): Change | Refusal {
  if (!state.settings[kind].has(name)) return refuse('not_found', { errors: [{ pointer: '/payload/name', code: 'not_found' }], current: { kind, name } });
  if (users.length > 0) return refuse('setting_in_use', { detail: users.join(', '), current: { by: users } });
  return { kind, name, value: null };
}

function missing(state: WorkspaceState, kind: NamedKind, name: string | undefined, pointer: string): Problem[] {
  return name === undefined || state.settings[kind].has(name) ? [] : [{ pointer, code: 'setting_missing', detail: `${kind} ${name}` }];
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}

/** Every figure that is named must have a limit and raise it. Naming none is refused: the caller meant something. */
function raise(budget: WorkspaceBudget, wanted: WorkspacePayload<'budget.raise'>): WorkspaceBudget | Refusal {
  const errors: Problem[] = [];
  let named = 0;
  const higher = (pointer: string, current: number | undefined, next: number | undefined): number | undefined => {
    if (next === undefined) return current;
    named++;
    if (current === undefined) errors.push({ pointer, code: 'no_limit', detail: 'there is no such limit' });
    else if (next <= current) errors.push({ pointer, code: 'not_higher', detail: `${current} is in force` });
    return next;
  };
  const part = (of: 'period' | 'total') =>
    given({ tokens: higher(`/payload/${of}/tokens`, budget[of]?.tokens, wanted[of]?.tokens), micros: higher(`/payload/${of}/micros`, budget[of]?.micros, wanted[of]?.micros) });
  const period = part('period');
  const total = part('total');
  const parallelRounds = higher('/payload/parallelRounds', budget.parallelRounds, wanted.parallelRounds) ?? budget.parallelRounds;
  if (named === 0) errors.push({ pointer: '/payload', code: 'missing_field', detail: 'name what is raised' });
  if (errors.length > 0) return refuse('schema_invalid', { errors, current: JSON.parse(JSON.stringify({ budget })) as Json });
  return { currency: budget.currency, ...(budget.period ? { period: { of: budget.period.of, ...period } } : {}), ...(budget.total ? { total } : {}), parallelRounds };
}

function given(amounts: { tokens: number | undefined; micros: number | undefined }): { tokens?: number; micros?: number } {
  return { ...(amounts.tokens === undefined ? {} : { tokens: amounts.tokens }), ...(amounts.micros === undefined ? {} : { micros: amounts.micros }) };
}
