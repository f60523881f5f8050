/** A model server of this machine becomes the workspace's model: a provider without a key, and the profile `default` on it. */
import type { Answer } from '../api/client.ts';
import { type LocalServer, sendWorkspaceCommand } from '../api/workspace.ts';
import type { Json } from '../api/types.ts';

/** A name for the provider from what the server calls itself. */
export function providerName(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  return name === '' ? 'local' : name;
}

export async function useLocal(server: LocalServer, model: string): Promise<Answer<Json>> {
  const name = providerName(server.name);
  const put = await sendWorkspaceCommand(crypto.randomUUID(), { type: 'provider.put', payload: { name, kind: 'openai-compatible', baseUrl: server.baseUrl } });
  return put.ok ? sendWorkspaceCommand(crypto.randomUUID(), { type: 'profile.put', payload: { name: 'default', provider: name, model } }) : put;
}
