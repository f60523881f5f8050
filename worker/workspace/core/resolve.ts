/** What a round gets of a profile: its own settings over those of `default`. Pure. */
import { type Refusal, refuse } from '../../domain/refusals.ts';
import { builtInProfiles, type Profile, type Provider } from '../settings.ts';
import type { WorkspaceState } from './state.ts';

export type Resolved = { ok: true; profile: Profile & { provider: string; model: string }; provider: Provider } | { ok: false; refusal: Refusal };

/**
 * A profile that names a model takes nothing about models from `default` but the provider; one that names none takes the model with its window, output and prices, each of
 * which it may set itself. Instructions and temperature are its own, else those of `default`.
 */
export function resolveProfile(state: WorkspaceState, name: string): Resolved {
  const own = state.settings.profile.get(name)?.value;
  const needs = (current: { setting: string; name?: string }, detail: string): Resolved => ({ ok: false, refusal: refuse('setting_missing', { detail, current }) });
  if (!own && !(builtInProfiles as readonly string[]).includes(name)) return needs({ setting: 'profile', name }, `there is no profile ${name}`);
  const base = state.settings.profile.get('default')?.value;
  const { name: _, ...over } = own ?? { name };
  const model = own?.model ?? base?.model;
  const providerName = own?.provider ?? base?.provider;
  if (model === undefined || providerName === undefined) return needs({ setting: 'profile', name: base ? name : 'default' }, `no model is set for the profile ${name}`);
  const provider = state.settings.provider.get(providerName)?.value;
  if (!provider) return needs({ setting: 'provider', name: providerName }, `there is no provider ${providerName}`);
  const { window, output, prices, instructions, temperature } = base ?? {};
  const inherited = {
    ...(own?.model === undefined ? { ...(window === undefined ? {} : { window }), ...(output === undefined ? {} : { output }), ...(prices === undefined ? {} : { prices }) } : {}),
    ...(instructions === undefined ? {} : { instructions }),
    ...(temperature === undefined ? {} : { temperature }),
  };
  return { ok: true, profile: { ...inherited, ...over, name, model, provider: providerName }, provider };
}

/** Whether any profile has a model. */
export function hasModel(state: WorkspaceState): boolean {
  return ['default', ...state.settings.profile.keys()].some((name) => resolveProfile(state, name).ok);
}
