/** Where a workspace tells what happens, with what signs it. */
import type { WorkspaceState } from './core/state.ts';
import type { OpenedChat, OpenedWebhook } from './rpc.ts';
import type { Opened } from './sealing/vault.ts';

type Secret = (name: string) => Promise<Opened<{ value: string }>>;

export async function openOutlets(state: WorkspaceState, secret: Secret): Promise<{ webhooks: OpenedWebhook[]; chats: OpenedChat[] }> {
  const { webhook, chat } = state.settings;
  return {
    webhooks: await Promise.all(
      [...webhook.values()].map(async ({ value, version }): Promise<OpenedWebhook> => {
        const opened = await Promise.all(value.secrets.map(secret));
        const shut = opened.find((each) => !each.ok);
        return { webhook: value, version, secrets: opened.flatMap((each) => (each.ok ? [each.value.value] : [])), ...(shut && !shut.ok ? { refusal: shut.refusal } : {}) };
      }),
    ),
    chats: await Promise.all(
      [...chat.values()].map(async ({ value, version }): Promise<OpenedChat> => {
        const address = await secret(value.address);
        const signing = value.signing === undefined ? undefined : await secret(value.signing);
        if (!address.ok) return { chat: value, version, address: '', refusal: address.refusal };
        if (signing && !signing.ok) return { chat: value, version, address: '', refusal: signing.refusal };
        return { chat: value, version, address: address.value.value.trim(), ...(signing ? { signing: signing.value.value.trim() } : {}) };
      }),
    ),
  };
}
