/** The workspace's settings over HTTP: models, keys, what all goals may use. Keys are written, never read. */
import { type Answer, ask, type Problem, workspace } from './client.ts';
import type { Json, Prices, Profile, Provider } from './types.ts';

const base = `/v1/workspaces/${workspace}`;

/** `version` goes into `expected.version` of the command that changes it; 0: nobody set it, and this is what holds. */
export interface Setting<T> {
  value: T;
  version: number;
  at: number | null;
}
export interface Settings {
  version: number;
  providers: Setting<Provider>[];
  profiles: Setting<Profile>[];
}
export interface SecretName {
  name: string;
  version: number;
  at: number;
  usedBy: string[];
}
export interface LocalServer {
  name: string;
  baseUrl: string;
  models: string[];
}
/** What a test call showed. */
export interface TestCall {
  ok: boolean;
  text?: string;
  toolCall?: boolean;
  model?: string;
  window?: number;
  output?: number;
  prices?: Prices | null;
  warnings?: string[];
  ms?: number;
  code?: string;
  detail?: string;
}

const listed = <T>(value: unknown): T[] => (Array.isArray(value) ? (value as T[]) : []);
const inside = (value: Json): Record<string, Json> => (value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {});

export async function readSettings(): Promise<Answer<Settings>> {
  const answer = await ask(`${base}/settings`);
  if (!answer.ok) return answer;
  const value = inside(answer.value);
  return { ok: true, value: { version: Number(value.version ?? 0), providers: listed(value.providers), profiles: listed(value.profiles) } };
}

export async function readSecrets(): Promise<Answer<SecretName[]>> {
  const answer = await ask(`${base}/secrets`);
  return answer.ok ? { ok: true, value: listed(inside(answer.value).data) } : answer;
}

export interface WorkspaceRequest {
  type: string;
  payload: Json;
  expected?: { version?: number };
}

export function sendWorkspaceCommand(commandId: string, request: WorkspaceRequest): Promise<Answer<Json>> {
  return ask(`${base}/commands`, { method: 'POST', body: JSON.stringify({ expected: {}, ...request, commandId }) });
}

/** One call of the provider, with a tool in it. Costs a few tokens. */
export async function testProvider(name: string, model: string | undefined): Promise<Answer<TestCall>> {
  return (await ask(`${base}/providers/${encodeURIComponent(name)}/test`, { method: 'POST', body: JSON.stringify(model === undefined ? {} : { model }) })) as Answer<never>;
}

/** Model servers that answer on this machine; development only, elsewhere none. */
export async function findLocalServers(): Promise<LocalServer[]> {
  const answer = await ask(`${base}/models/local`);
  if (!answer.ok) return [];
  return listed<Record<string, Json>>(inside(answer.value).data).flatMap((server) =>
    typeof server.baseUrl === 'string'
      ? [
          {
            name: typeof server.name === 'string' ? server.name : server.baseUrl,
            baseUrl: server.baseUrl,
            models: listed<Json>(server.models).flatMap((model) => (typeof model === 'string' ? [model] : typeof inside(model).id === 'string' ? [String(inside(model).id)] : [])),
          },
        ]
      : [],
  );
}

/** The profile that carries a lane where no other is set, with the provider it takes from `default`; null where none is set. */
export function modelOf(settings: Settings, profile: string): { provider: string; model: string; prices: Prices | null } | null {
  const found = (name: string) => settings.profiles.find((entry) => entry.value.name === name)?.value;
  const [own, base] = [found(profile), found('default')];
  const provider = own?.provider ?? base?.provider;
  const model = own?.model ?? base?.model;
  return provider === undefined || model === undefined ? null : { provider, model, prices: own?.prices ?? base?.prices ?? null };
}

export const isMissing = (problem: Problem): boolean => problem.status === 404;
