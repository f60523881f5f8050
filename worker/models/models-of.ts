/** From a profile's name to the model that a round is pinned to: the workspace's settings, the catalogue, the provider's package. */
import { isRefusal, type Refusal, refuse } from '../domain/refusals.ts';
import type { Env } from '../env.ts';
import { openFor } from '../workspace/client.ts';
import type { Profile, Provider } from '../workspace/settings.ts';
import { limitsOf } from './catalogue.ts';
import { developmentModel } from './development-model.ts';
import { type Fetch, languageModel } from './language-model.ts';
import type { PinnedModel } from './pinned-model.ts';

export interface Opened {
  provider: Provider;
  profile: Profile & { model: string };
  key?: string;
}

export interface PinPorts {
  fetch?: Fetch;
  now?: () => number;
}

/** Of one round, before it starts. What is set later counts from the next. `setting_missing` names what is not there. */
export async function pinModel(env: Env, workspace: string, profile: string, ports: PinPorts = {}): Promise<PinnedModel | Refusal> {
  const opened = await openProfile(env, workspace, profile);
  return isRefusal(opened) ? opened : pinOpened(env, opened, ports);
}

async function openProfile(env: Env, workspace: string, profile: string): Promise<Opened | Refusal> {
  const answer = env.WORKSPACES
    ? await openFor(env, { v: 1, workspace, what: 'profile', profile })
    : { outcome: 'refused' as const, refusal: refuse('setting_missing', { detail: 'no model is set' }) };
  if (answer.outcome === 'opened') return answer;
  const local = __LONGHAUL_DEV__ && answer.refusal.code === 'setting_missing' ? developmentModel(env, profile) : undefined;
  return local ?? answer.refusal;
}

/** Also for a test of settings that no round uses yet. */
export async function pinOpened(env: Pick<Env, 'AI'>, { provider, profile, key }: Opened, ports: PinPorts = {}): Promise<PinnedModel | Refusal> {
  const missing = lacking(env, provider, key);
  if (missing) return missing;
  const fetch: Fetch = ports.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const limits = await limitsOf(provider, profile.model, profile, new Date(ports.now?.() ?? Date.now()));
  return {
    id: `${provider.name}/${profile.model}`,
    provider: provider.name,
    profile: profile.name,
    model: await languageModel(provider, profile.model, key, { fetch, ...(env.AI ? { ai: env.AI } : {}) }),
    window: limits.window,
    output: limits.output,
    prices: limits.prices,
    warnings: limits.warnings,
    ...(profile.temperature === undefined ? {} : { temperature: profile.temperature }),
    ...(profile.instructions === undefined ? {} : { instructions: profile.instructions }),
    secrets: key === undefined ? [] : [key],
  };
}

function lacking(env: Pick<Env, 'AI'>, provider: Provider, key: string | undefined): Refusal | undefined {
  const without = (what: string, detail: string) => refuse('setting_missing', { detail, current: { provider: provider.name, missing: what } });
  if (provider.kind === 'workers-ai') return env.AI ? undefined : without('binding', 'Workers AI answers in production alone, where the binding AI is.');
  if (provider.kind === 'openai-compatible') return provider.baseUrl === undefined ? without('baseUrl', `The provider ${provider.name} has no address.`) : undefined;
  return key === undefined ? without('secret', `The provider ${provider.name} needs a key: put it as a secret of the workspace and name it.`) : undefined;
}
