/** Where a workspace tells what happens, with what signs it. */
import type { WorkspaceState } from './core/state.ts';
import type { OpenedWebhook } from './rpc.ts';
import type { Opened } from './sealing/vault.ts';

type Secret = (name: string) => Promise<Opened<{ value: string }>>;

export async function openOutlets(state: WorkspaceState, secret: Secret): Promise<{ webhooks: OpenedWebhook[] }> {
  const { webhook } = state.settings;
  return {
    webhooks: await Promise.all(
      [...webhook.values()].map(async ({ value, version }): Promise<OpenedWebhook> => {
        const opened = await Promise.all(value.secrets.map(secret));
        const shut = opened.find((each) => !each.ok);
        return { webhook: value, version, secrets: opened.flatMap((each) => (each.ok ? [each.value.value] : [])), ...(shut && !shut.ok ? { refusal: shut.refusal } : {}) };
      }),
    ),
  };
}
