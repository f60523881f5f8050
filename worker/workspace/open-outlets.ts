/** Where a workspace tells what happens, with what signs it and what leads there. */
import type { PrincipalId } from '../domain/values.ts';
import type { WorkspaceState } from './core/state.ts';
import type { OpenedChat, OpenedWebhook } from './rpc.ts';
import type { Opened } from './sealing/vault.ts';

type Secret = (name: string) => Promise<Opened<{ value: string }>>;

export async function openOutlets(state: WorkspaceState, secret: Secret): Promise<{ webhooks: OpenedWebhook[]; chats: OpenedChat[]; mails: PrincipalId[] }> {
  const { webhook, chat, mails } = state.settings;
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
        const opened = await secret(value.secret);
        return opened.ok ? { chat: value, version, address: opened.value.value } : { chat: value, version, address: '', refusal: opened.refusal };
      }),
    ),
    mails: [...mails].flatMap(([who, { value }]) => (value.mail ? [who] : [])),
  };
}
