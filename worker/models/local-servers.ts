/** In development: model servers that answer on this machine where such servers usually do. Nothing of this file may be in a production bundle. */
import { z } from 'zod';

const usual = [
  {
    name: 'ollama',
    baseUrl: 'http://127.0.0.1:11434/v1',
    hint: 'Ollama takes 4,096 tokens of context unless it is told otherwise (OLLAMA_CONTEXT_LENGTH); what is longer is cut without a word.',
  },
  { name: 'lm-studio', baseUrl: 'http://127.0.0.1:1234/v1', hint: 'LM Studio loads a model with the context length that its own settings say.' },
  { name: 'llama-cpp', baseUrl: 'http://127.0.0.1:8080/v1', hint: 'llama-server needs --jinja for tool calls.' },
  { name: 'vllm', baseUrl: 'http://127.0.0.1:8000/v1', hint: 'vLLM needs --enable-auto-tool-choice and a --tool-call-parser for tool calls.' },
];

export interface LocalServer {
  name: string;
  /** For a provider of kind `openai-compatible`. */
  baseUrl: string;
  /** `window` where the server says it, in tokens. */
  models: { id: string; window?: number }[];
  hint: string;
}

/** vLLM says `max_model_len`, llama.cpp `meta.n_ctx`, LM Studio's newer lists `loaded_context_length`. */
const listShape = () =>
  z.object({
    data: z.array(
      z.object({
        id: z.string().max(300),
        max_model_len: z.int().positive().nullish(),
        loaded_context_length: z.int().positive().nullish(),
        meta: z.object({ n_ctx: z.int().positive().nullish() }).nullish(),
      }),
    ),
  });

/** Models shown of one server. */
const modelsShown = 100;

/** Servers that answered `GET /v1/models` as such servers do, in the order of the list; each is asked once, side by side. `others`: addresses beside the usual ones. */
export async function localServers(
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
  others: readonly { name: string; baseUrl: string; key?: string }[] = [],
): Promise<LocalServer[]> {
  const known = others.map((other) => ({ hint: '', ...other })).filter((other) => !usual.some((one) => one.baseUrl === other.baseUrl));
  const found = await Promise.all([...known, ...usual].map((one) => asked(one, fetch, signal)));
  return found.filter((one) => one !== undefined);
}

async function asked(one: { name: string; baseUrl: string; hint: string; key?: string }, fetch: typeof globalThis.fetch, signal: AbortSignal): Promise<LocalServer | undefined> {
  try {
    const response = await fetch(`${one.baseUrl}/models`, {
      signal,
      headers: { accept: 'application/json', ...(one.key === undefined ? {} : { authorization: `Bearer ${one.key}` }) },
    });
    if (!response.ok) {
      await response.body?.cancel();
      return undefined;
    }
    const parsed = listShape().safeParse(await response.json());
    if (!parsed.success) return undefined;
    const list = parsed.data.data.slice(0, modelsShown).map((model) => {
      const window = model.max_model_len ?? model.loaded_context_length ?? model.meta?.n_ctx;
      return { id: model.id, ...(window ? { window } : {}) };
    });
    return { name: one.name, baseUrl: one.baseUrl, models: list, hint: one.hint };
  } catch {
    // Nothing there, or something else: both are the usual case, and no error.
    return undefined;
  }
}
