/** The workspace's settings over HTTP: models, keys, what all goals may use. Keys are written, never read. */
import { type Answer, ask, type Problem, workspace } from './client.ts';
import type { Chat, Json, LocalServer, McpServer, Prices, Profile, Provider, ProviderTest, Webhook } from './types.ts';

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
  mcp: Setting<McpServer>[];
  webhooks: Setting<Webhook>[];
  chats: Setting<Chat>[];
  /** The last test of each connection that rounds needed. */
  connections: ConnectionTest[];
}
export interface ConnectionTest {
  /** `provider:<name>`, `mcp:<name>` or `environment`. */
  setting: string;
  standing: 'works' | 'later' | 'refused';
  code: string | null;
  detail: string;
  at: number;
}
/** `usable`: names of the tools as agents see them. `missing`: on the list and not usable, and why. */
export interface ServerTest {
  ok: boolean;
  problem?: { code: string; detail: string };
  offered: { name: string; description: string; readOnly: boolean }[];
  usable: string[];
  missing: Record<string, string>;
}
export interface SecretName {
  name: string;
  version: number;
  at: number;
  /** Of its newest value; null: not yet. */
  lastUsedAt: number | null;
  usedBy: string[];
}
/** A model as a list of them has it; `prices` null: not known. */
export interface KnownModel {
  id: string;
  window?: number;
  output?: number;
  prices?: Prices | null;
}
export type { LocalServer };

export const listed = <T>(value: unknown): T[] => (Array.isArray(value) ? (value as T[]) : []);
export const inside = (value: Json): Record<string, Json> => (value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {});

export async function readSettings(): Promise<Answer<Settings>> {
  const answer = await ask(`${base}/settings`);
  if (!answer.ok) return answer;
  const value = inside(answer.value);
  return {
    ok: true,
    value: {
      version: Number(value.version ?? 0),
      providers: listed(value.providers),
      profiles: listed(value.profiles),
      mcp: listed(value.mcp),
      webhooks: listed(value.webhooks),
      chats: listed(value.chats),
      connections: listed(value.connections),
    },
  };
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
export async function testProvider(name: string, model: string | undefined): Promise<Answer<ProviderTest>> {
  return (await ask(`${base}/providers/${encodeURIComponent(name)}/test`, {
    method: 'POST',
    body: JSON.stringify(model === undefined ? {} : { model }),
  })) as unknown as Answer<ProviderTest>;
}

/** What an MCP server offers. Nothing of it is called. */
export async function testServer(name: string): Promise<Answer<ServerTest>> {
  return (await ask(`${base}/mcp/${encodeURIComponent(name)}/test`, { method: 'POST', body: '{}' })) as unknown as Answer<ServerTest>;
}

/** Model servers that answer on this machine; development only, elsewhere none. */
export async function findLocalServers(): Promise<LocalServer[]> {
  const answer = await ask(`${base}/models/local`);
  return answer.ok ? listed<LocalServer>(inside(answer.value).data) : [];
}

/** Models that the catalogue knows of a provider; none where it does not know the address. */
export async function readCatalogue(provider: string): Promise<KnownModel[]> {
  const answer = await ask(`${base}/models/catalogue?provider=${encodeURIComponent(provider)}`);
  return answer.ok ? listed<KnownModel>(inside(answer.value).data) : [];
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
