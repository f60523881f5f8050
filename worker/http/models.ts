/** Reads about models, and the test of a provider. No key is in any answer. */
import { z } from 'zod';
import { isRefusal, refuse } from '../domain/refusals.ts';
import { slug } from '../domain/values.ts';
import { catalogueOf } from '../models/catalogue.ts';
import { developmentModel } from '../models/development-model.ts';
import { localServers } from '../models/local-servers.ts';
import { pinProvider } from '../models/models-of.ts';
import { testModel } from '../models/test-call.ts';
import { fetchUnder } from '../outgoing/guard.ts';
import { outgoingRules } from '../outgoing/policy.ts';
import { openFor, testAgain } from '../workspace/client.ts';
import { providerKind } from '../workspace/settings.ts';
import { readJsonObject } from './body.ts';
import { parameters } from './parameters.ts';
import { schemaRefusal } from './problem.ts';
import { answer, type WorkspaceRoute } from './route.ts';

type Handle = WorkspaceRoute['handle'];

/** Milliseconds of a whole test. A local model may have to load first. */
const testTimeout = 90_000;
/** Milliseconds for a server on this machine to answer. */
const localTimeout = 1500;

export const testBody = z.strictObject({
  /** Default: that of a built-in profile which uses the provider. */
  model: z.string().min(1).max(200).optional(),
});

export const testProviderRoute: Handle = async ({ request, env, workspace, params }) => {
  const name = slug.safeParse(params.name);
  if (!name.success) return refuse('not_found');
  const body = await readJsonObject(request);
  if (!body.ok) return body.refusal;
  const parsed = testBody.safeParse(body.value);
  if (!parsed.success) return schemaRefusal(parsed.error, '');
  const pinned = await pinProvider(env, workspace, name.data, parsed.data.model);
  if (isRefusal(pinned)) return pinned;
  const tested = await testModel(pinned, { now: Date.now, signal: AbortSignal.timeout(testTimeout) });
  // Goals that stand because it failed before need not wait until it is tested again by itself.
  if (tested.ok) await testAgain(env, { v: 1, workspace, setting: `provider:${name.data}` });
  return answer(tested);
};

/** `provider`: a kind, or the name of a provider of the workspace. */
export const catalogueQuery = z.strictObject({ provider: z.string().min(1).max(100) });

export const catalogueRoute: Handle = async ({ query, env, workspace }) => {
  const parsed = parameters(catalogueQuery, query);
  if (!parsed.ok) return parsed.refusal;
  const kind = providerKind.safeParse(parsed.value.provider);
  if (kind.success) return answer({ data: await catalogueOf({ kind: kind.data }, new Date()) });
  const name = slug.safeParse(parsed.value.provider);
  const opened = name.success ? await openFor(env, { v: 1, workspace, what: 'provider', provider: name.data }) : undefined;
  if (opened?.outcome !== 'opened') return opened?.refusal ?? refuse('not_found');
  return answer({ data: await catalogueOf(opened.provider, new Date()) });
};

export const localModelsRoute: Handle = async ({ env }) => {
  const fetch = fetchUnder(outgoingRules(env), { maxBytes: 1_000_000, timeoutMs: localTimeout, redirects: 0 });
  const named = developmentModel(env, 'default');
  const others =
    named?.provider.baseUrl === undefined ? [] : [{ name: named.provider.name, baseUrl: named.provider.baseUrl, ...(named.key === undefined ? {} : { key: named.key }) }];
  return answer({ data: await localServers(fetch, AbortSignal.timeout(localTimeout), others) });
};
