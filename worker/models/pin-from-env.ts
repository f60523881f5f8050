/** The model that the environment names, for every profile. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { type Refusal, refuse } from '../domain/refusals.ts';
import type { Env } from '../env.ts';
import type { PinnedModel } from './pinned-model.ts';

const WINDOW = 128_000;
const OUTPUT = 8_000;

export async function pinFromEnv(env: Pick<Env, 'LONGHAUL_MODEL_URL' | 'LONGHAUL_MODEL' | 'LONGHAUL_MODEL_KEY'>, profile: string): Promise<PinnedModel | Refusal> {
  if (env.LONGHAUL_MODEL_URL === undefined) return refuse('unavailable', { detail: 'no model is set' });
  const name = env.LONGHAUL_MODEL ?? 'default';
  const provider = createOpenAICompatible({
    name: 'local',
    baseURL: env.LONGHAUL_MODEL_URL,
    includeUsage: true,
    ...(env.LONGHAUL_MODEL_KEY === undefined ? {} : { apiKey: env.LONGHAUL_MODEL_KEY }),
  });
  return {
    id: `local/${name}`,
    profile,
    model: provider.chatModel(name),
    window: WINDOW,
    output: OUTPUT,
    prices: null,
    secrets: env.LONGHAUL_MODEL_KEY === undefined ? [] : [env.LONGHAUL_MODEL_KEY],
  };
}
