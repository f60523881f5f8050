/** From a profile's name to the model that a round is pinned to: the workspace's settings, the catalogue, the provider's package. */
import { isRefusal, type Refusal, refuse } from '../domain/refusals.ts';
import type { Env } from '../env.ts';
import { admit, fetchUnder } from '../outgoing/guard.ts';
import { outgoingRules } from '../outgoing/policy.ts';
import { openFor, slowDown } from '../workspace/client.ts';
import type { Profile, Provider } from '../workspace/settings.ts';
import { limitsOf } from './catalogue.ts';
import { developmentModel } from './development-model.ts';
import { type Fetch, languageModel } from './language-model.ts';
import type { PinnedModel } from './pinned-model.ts';
import { waitCap } from './retries.ts';
import { type SlowDown, SlowDowns } from './slow-downs.ts';

export interface Opened {
  provider: Provider;
  profile: Profile & { model: string };
  key?: string;
  slowMs?: number;
}

export interface PinPorts {
  now?: () => number;
  /** What sends below the outgoing guard; tests hand in their own. */
  send?: Fetch;
}

/** A model may write for minutes; what a call may take is the caller's to say, this is only an end. */
const callTimeout = 15 * 60_000;
const callBytes = 32 * 1024 * 1024;

/** Of one round, before it starts. What is set later counts from the next. `setting_missing` names what is not there. */
export async function pinModel(env: Env, workspace: string, profile: string, ports: PinPorts = {}): Promise<PinnedModel | Refusal> {
  const opened = await openProfile(env, workspace, profile);
  if (isRefusal(opened)) return opened;
  const fetch = await providerFetch(env, workspace, opened.provider, ports);
  if (isRefusal(fetch)) return fetch;
  const pinned = await pinOpened(env, opened, fetch, ports);
  return isRefusal(pinned) ? pinned : { ...pinned, slow: slowDownOf(env, workspace, opened, (ports.now ?? Date.now)()) };
}

/** Those that run in this isolate. */
const here = new SlowDowns();

/** What the workspace knew when the round began, and what its rounds in this isolate were told since. */
function slowDownOf(env: Env, workspace: string, { provider, slowMs }: Opened, now: number): SlowDown {
  const name = `${workspace}/${provider.name}`;
  if (slowMs !== undefined) here.note(name, now, slowMs);
  return {
    left: (at) => here.left(name, at),
    note: (at, forMs) => {
      here.note(name, at, forMs);
      // Nobody waits for it: an answer that is lost costs another round one call that is sent away.
      void slowDown(env, { v: 1, workspace, provider: provider.name, forMs: Math.min(waitCap, Math.ceil(forMs)) });
    },
  };
}

async function openProfile(env: Env, workspace: string, profile: string): Promise<Opened | Refusal> {
  const answer = await openFor(env, { v: 1, workspace, what: 'profile', profile });
  if (answer.outcome === 'opened') return answer;
  const local = __LONGHAUL_DEV__ && answer.refusal.code === 'setting_missing' ? developmentModel(env, profile) : undefined;
  return local ?? answer.refusal;
}

/** A provider under a model, before any profile uses it. Without `model`: that of a built-in profile which uses it. */
export async function pinProvider(env: Env, workspace: string, provider: string, model: string | undefined, ports: PinPorts = {}): Promise<PinnedModel | Refusal> {
  const opened = await openProvider(env, workspace, provider, model);
  if (isRefusal(opened)) return opened;
  const fetch = await providerFetch(env, workspace, opened.provider, ports);
  return isRefusal(fetch) ? fetch : pinOpened(env, opened, fetch, ports);
}

async function openProvider(env: Env, workspace: string, name: string, model: string | undefined): Promise<Opened | Refusal> {
  const used = await openProfile(env, workspace, 'default');
  const default_ = !isRefusal(used) && used.provider.name === name ? used : undefined;
  // A model that the environment names stands in no settings.
  if (default_ && (model === undefined || model === default_.profile.model)) return default_;
  const answer = await openFor(env, { v: 1, workspace, what: 'provider', provider: name });
  if (answer.outcome === 'refused') return default_ && model !== undefined ? { ...default_, profile: { name: 'test', model } } : answer.refusal;
  if (model === undefined) return refuse('setting_missing', { detail: `no profile says which model of ${name} is meant`, current: { setting: 'profile', name: 'default' } });
  return { provider: answer.provider, profile: { name: 'test', model }, ...(answer.key === undefined ? {} : { key: answer.key }) };
}

/** Where a vendor answers unless the provider says otherwise. */
const vendorAddress = { anthropic: 'https://api.anthropic.com', openai: 'https://api.openai.com', google: 'https://generativelanguage.googleapis.com' } as const;

/** The outgoing guard for one provider: its address was set by the workspace, so it need not be on the workspace's list as well. Nothing follows a redirect with a key. */
async function providerFetch(env: Env, workspace: string, provider: Provider, { send }: PinPorts): Promise<Fetch | Refusal> {
  if (provider.kind === 'workers-ai') return globalThis.fetch;
  const answer = await openFor(env, { v: 1, workspace, what: 'outgoing' });
  if (answer.outcome === 'refused') return answer.refusal;
  const address = provider.baseUrl ?? (provider.kind === 'openai-compatible' ? '' : vendorAddress[provider.kind]);
  return fetchUnder(admit(outgoingRules(env, answer.policy), address), { maxBytes: callBytes, timeoutMs: callTimeout, redirects: 0, ...(send ? { send } : {}) });
}

export async function pinOpened(env: Pick<Env, 'AI'>, { provider, profile, key }: Opened, fetch: Fetch, { now = Date.now }: PinPorts = {}): Promise<PinnedModel | Refusal> {
  const missing = lacking(env, provider, key);
  if (missing) return missing;
  const limits = await limitsOf(provider, profile.model, profile, new Date(now()));
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
  const without = (missing: string, detail: string) => refuse('setting_missing', { detail, current: { setting: 'provider', name: provider.name, missing } });
  if (provider.kind === 'workers-ai') return env.AI ? undefined : without('binding', 'Workers AI answers in production alone, where the binding AI is.');
  if (provider.kind === 'openai-compatible') return provider.baseUrl === undefined ? without('baseUrl', `The provider ${provider.name} has no address.`) : undefined;
  return key === undefined ? without('secret', `The provider ${provider.name} needs a key: put it as a secret of the workspace and name it.`) : undefined;
}
