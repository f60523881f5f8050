/**
 * Context windows, output limits and prices of models. Windows and prices from `@pydantic/genai-prices`, output limits from `llm-zoo`; both are data in the bundle, and nothing
 * is fetched. A profile overrides each. What neither knows is said to be assumed: a window that is too small wastes, one that is too large breaks calls.
 */
import type { ModelInfo, ModelPrice, Provider as Vendor } from '@pydantic/genai-prices';
import type { Profile, Provider } from '../workspace/settings.ts';
import type { ModelPrices } from './prices.ts';

/** Tokens, for a model that nobody knows. */
export const assumedWindow = 32_000;
/** Most that one call may write unless the profile says otherwise. Each call reserves it. */
export const outputCap = 32_000;
/** Below this the conversation is compacted often. */
export const smallWindow = 100_000;

/** Codes; the console words them. */
export type ModelWarning =
  /** Fewer than 100,000 tokens: keep key data as files rather than in the conversation. */
  | 'window_small'
  /** Nobody knows the model: 32,000 tokens are assumed. */
  | 'window_assumed'
  /** Money is not counted; tokens are. */
  | 'price_unknown'
  /** The vendor retires it. */
  | 'deprecated';

type From = 'profile' | 'catalogue' | 'assumed';

export interface ModelLimits {
  window: number;
  output: number;
  prices: ModelPrices | null;
  from: { window: From; output: From; prices: 'profile' | 'catalogue' | 'unknown' };
  warnings: ModelWarning[];
}

type Where = Pick<Provider, 'kind' | 'baseUrl'>;
type Overrides = Pick<Profile, 'window' | 'output' | 'prices'>;

/** Both are parsed at first use: a Worker that runs no model never does it. */
const genai = () => import('@pydantic/genai-prices');
const zoo = () => import('llm-zoo');

const vendorIds = { anthropic: 'anthropic', openai: 'openai', google: 'google', 'workers-ai': 'cloudflare' } as const;

/** The vendor as the catalogue has it. An OpenAI-compatible address is one only where the catalogue knows the address. */
async function vendorOf(where: Where): Promise<Vendor | undefined> {
  const { findProvider } = await genai();
  if (where.kind !== 'openai-compatible') return findProvider({ providerId: vendorIds[where.kind] });
  return where.baseUrl === undefined ? undefined : findProvider({ providerApiUrl: where.baseUrl });
}

interface Known {
  window?: number;
  output?: number;
  prices: ModelPrices | null;
  deprecated: boolean;
}

async function known(where: Where, model: string, at: Date): Promise<Known> {
  const vendor = await vendorOf(where);
  if (!vendor) return { prices: null, deprecated: false };
  const { calcPrice } = await genai();
  // The one way to ask which entry a name means, and which of its prices is in force.
  const found = calcPrice({ input_tokens: 1 }, model, { provider: vendor, timestamp: at });
  const more = await zooOf(found ? [model, found.model.id] : [model]);
  const window = found?.model.context_window ?? more?.contextWindow;
  return {
    ...(window === undefined ? {} : { window }),
    ...(more === undefined ? {} : { output: more.maxOutputTokens }),
    prices: found ? pricesOf(found.model_price) : null,
    deprecated: found?.model.deprecated === true,
  };
}

/** By the vendor's name, or a router's (`vendor/model`). */
async function zooOf(names: readonly string[]): Promise<{ contextWindow?: number; maxOutputTokens: number } | undefined> {
  const { MODEL_CONFIGS } = await zoo();
  const all = Object.values(MODEL_CONFIGS);
  for (const name of names) {
    const found = all.find((one) => one.fullName === name || one.openrouterFullName === name);
    if (found) return found;
  }
  return undefined;
}

const currency = 'USD';
const mtok = { input: 'input_mtok', output: 'output_mtok', cacheRead: 'cache_read_mtok', cacheWrite: 'cache_write_mtok' } as const;

/** Null where a price of input or output is missing. */
export function pricesOf(price: ModelPrice): ModelPrices | null {
  const starts = new Set(Object.values(mtok).flatMap((key) => tiersOf(price[key]).map((tier) => tier.start)));
  const base = flat(price, 0);
  if (!base) return null;
  const long = [...starts].toSorted((a, b) => a - b).flatMap((above) => [{ above, ...(flat(price, above + 1) ?? base) }]);
  return { currency, ...base, ...(long.length > 0 ? { long } : {}) };
}

const tiersOf = (price: ModelPrice[string]) => (typeof price === 'object' ? price.tiers : []);

function flat(price: ModelPrice, input: number): Omit<ModelPrices, 'currency' | 'long'> | null {
  const one = (key: (typeof mtok)[keyof typeof mtok]) => {
    const value = price[key];
    if (value === undefined) return undefined;
    const units = typeof value === 'number' ? value : (value.tiers.findLast((tier) => input > tier.start)?.price ?? value.base);
    return Math.round(units * 1_000_000);
  };
  const [inputPrice, output, cacheRead, cacheWrite] = [one(mtok.input), one(mtok.output), one(mtok.cacheRead), one(mtok.cacheWrite)];
  if (inputPrice === undefined || output === undefined) return null;
  return { input: inputPrice, output, ...(cacheRead === undefined ? {} : { cacheRead }), ...(cacheWrite === undefined ? {} : { cacheWrite }) };
}

export async function limitsOf(where: Where, model: string, overrides: Overrides, at: Date): Promise<ModelLimits> {
  const catalogue = await known(where, model, at);
  const window = overrides.window ?? catalogue.window ?? assumedWindow;
  const output = overrides.output ?? Math.min(catalogue.output ?? outputCap, outputCap, Math.floor(window / 4));
  const prices = overrides.prices ?? catalogue.prices;
  const warnings: ModelWarning[] = [];
  if (overrides.window === undefined && catalogue.window === undefined) warnings.push('window_assumed');
  if (window < smallWindow) warnings.push('window_small');
  if (!prices) warnings.push('price_unknown');
  if (catalogue.deprecated) warnings.push('deprecated');
  return {
    window,
    output,
    prices,
    from: {
      window: overrides.window !== undefined ? 'profile' : catalogue.window !== undefined ? 'catalogue' : 'assumed',
      output: overrides.output !== undefined ? 'profile' : catalogue.output !== undefined ? 'catalogue' : 'assumed',
      prices: overrides.prices !== undefined ? 'profile' : catalogue.prices ? 'catalogue' : 'unknown',
    },
    warnings,
  };
}

export interface CatalogueEntry extends ModelLimits {
  id: string;
  name: string;
}

/** Models of a vendor that can hold a conversation, by id. Empty for an address that the catalogue does not know. */
export async function catalogueOf(where: Where, at: Date): Promise<CatalogueEntry[]> {
  const vendor = await vendorOf(where);
  if (!vendor) return [];
  const models = vendor.models.filter((model) => converses(model) && (where.kind !== 'google' || /^gem(ini|ma)/.test(model.id)));
  const entries = models.map(async (model) => ({ id: model.id, name: model.name ?? model.id, ...(await limitsOf(where, model.id, {}, at)) }));
  return (await Promise.all(entries)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Those with a window and a price of text in and out; embeddings, pictures and speech have not both. */
function converses(model: ModelInfo): boolean {
  if (model.context_window === undefined || /embed|image|audio|realtime|transcribe|tts|whisper|moderation|live/.test(model.id)) return false;
  const prices = Array.isArray(model.prices) ? model.prices.at(-1)?.prices : model.prices;
  return prices !== undefined && pricesOf(prices) !== null;
}
