/** In development, where a workspace has set no model: what the environment names. Nothing of this file may be in a production bundle. */
import type { Profile, Provider } from '../workspace/settings.ts';

export interface DevelopmentModel {
  LONGHAUL_MODEL_URL?: string;
  LONGHAUL_MODEL?: string;
  LONGHAUL_MODEL_KEY?: string;
  /** Tokens. */
  LONGHAUL_MODEL_WINDOW?: string;
}

/** Name of the provider on the record of rounds. */
const name = 'local';

export interface Chosen {
  provider: Provider;
  profile: Profile & { model: string };
  key?: string;
}

export const hasDevelopmentModel = (env: DevelopmentModel): boolean => env.LONGHAUL_MODEL_URL !== undefined;

/** Undefined without LONGHAUL_MODEL_URL. */
export function developmentModel(env: DevelopmentModel, profile: string): Chosen | undefined {
  const url = env.LONGHAUL_MODEL_URL?.trim().replace(/\/+$/, '');
  if (!url) return undefined;
  const window = Number(env.LONGHAUL_MODEL_WINDOW);
  return {
    provider: { name, kind: 'openai-compatible', baseUrl: url },
    profile: { name: profile, provider: name, model: env.LONGHAUL_MODEL?.trim() || 'default', ...(Number.isSafeInteger(window) && window >= 1000 ? { window } : {}) },
    ...(env.LONGHAUL_MODEL_KEY ? { key: env.LONGHAUL_MODEL_KEY } : {}),
  };
}
