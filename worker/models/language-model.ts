/**
 * A provider's package put around one model. Its requests go through `fetch`, which is the outgoing guard's; it never repeats a call by itself when `maxRetries: 0` is passed,
 * which every caller must do.
 */
import { defaultSettingsMiddleware, type LanguageModel, wrapLanguageModel } from 'ai';
import type { Provider } from '../workspace/settings.ts';

export type Fetch = typeof globalThis.fetch;

export interface ModelPorts {
  fetch: Fetch;
  /** Cloudflare's binding, where there is one. */
  ai?: Ai;
}

// A provider's warnings quote what they warn of, and would go to the console.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

/** The packages are parsed at first use. `key` is needed by all but `workers-ai` and servers that ask for none. */
export async function languageModel(provider: Provider, model: string, key: string | undefined, ports: ModelPorts): Promise<LanguageModel> {
  const { fetch } = ports;
  const at = provider.baseUrl === undefined ? {} : { baseURL: provider.baseUrl };
  switch (provider.kind) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      // What stays the same from call to call is kept by the provider, at a price of its own.
      return withOptions(createAnthropic({ ...at, apiKey: key ?? '', fetch })(model), { anthropic: { cacheControl: { type: 'ephemeral' } } });
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      // Nothing of a conversation is to be kept there.
      return withOptions(createOpenAI({ ...at, apiKey: key ?? '', fetch })(model), { openai: { store: false } });
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      return createGoogleGenerativeAI({ ...at, apiKey: key ?? '', fetch })(model);
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({ name: provider.name, baseURL: provider.baseUrl ?? '', fetch, includeUsage: true, ...(key === undefined ? {} : { apiKey: key }) }).chatModel(
        model,
      );
    }
    case 'workers-ai': {
      const { createWorkersAI } = await import('workers-ai-provider');
      if (!ports.ai) throw new Error('this Worker has no binding AI');
      return createWorkersAI({ binding: ports.ai })(model);
    }
  }
}

type Wrapped = Parameters<typeof wrapLanguageModel>[0]['model'];
type Options = NonNullable<Parameters<typeof defaultSettingsMiddleware>[0]['settings']['providerOptions']>;

const withOptions = (model: Wrapped, providerOptions: Options): LanguageModel =>
  wrapLanguageModel({ model, middleware: defaultSettingsMiddleware({ settings: { providerOptions } }) });
