/** Hard quotas of a workspace: open goals and bytes of stored files. Pure: figures come in, a refusal or nothing comes out. */
import { z } from 'zod';
import { type Refusal, refuse } from '../../domain/refusals.ts';

export const quotaKinds = ['openGoals', 'storageBytes'] as const;
export type QuotaKind = (typeof quotaKinds)[number];
export type Quotas = Readonly<Record<QuotaKind, number>>;

/** What an operator sets for one workspace; null goes back to the installation's. What is not named stays. */
export const quotaOverride = z.strictObject({
  openGoals: z.int().min(0).max(1_000_000).nullable().optional(),
  storageBytes: z.int().min(0).nullable().optional(),
});
export type QuotaOverride = z.infer<typeof quotaOverride>;

/** In force where the installation says nothing. */
export const defaultQuotas: Quotas = { openGoals: 2000, storageBytes: 20 * 1024 ** 3 };

/** `LONGHAUL_QUOTA_OPEN_GOALS`, `LONGHAUL_QUOTA_STORAGE_BYTES`: whole numbers. What is none counts as not said: a slip must not lift a quota. */
export function installationQuotas(env: { LONGHAUL_QUOTA_OPEN_GOALS?: string; LONGHAUL_QUOTA_STORAGE_BYTES?: string }): Quotas {
  const figure = (text: string | undefined, otherwise: number) => (text !== undefined && /^\d{1,15}$/.test(text.trim()) ? Number(text) : otherwise);
  return {
    openGoals: figure(env.LONGHAUL_QUOTA_OPEN_GOALS, defaultQuotas.openGoals),
    storageBytes: figure(env.LONGHAUL_QUOTA_STORAGE_BYTES, defaultQuotas.storageBytes),
  };
}

export function quotasOf(installation: Quotas, override: QuotaOverride): Quotas {
  return { openGoals: override.openGoals ?? installation.openGoals, storageBytes: override.storageBytes ?? installation.storageBytes };
}

/** The override after another one over it. */
export function overridden(had: QuotaOverride, next: QuotaOverride): QuotaOverride {
  const merged: QuotaOverride = { ...had };
  for (const kind of quotaKinds) if (next[kind] !== undefined) merged[kind] = next[kind];
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
}

const raises = 'whoever runs this installation';

/** Undefined: it fits. `asked` is what would be added. */
export function overQuota(quotas: Quotas, kind: QuotaKind, used: number, asked: number): Refusal | undefined {
  if (used + asked <= quotas[kind]) return undefined;
  return refuse('quota_exceeded', {
    detail: `${kind === 'openGoals' ? 'open goals' : 'bytes of stored files'}: ${used} are used, ${asked} more are asked for, ${quotas[kind]} are allowed; ${raises} can raise it`,
    current: { scope: 'workspace', quota: kind, used, asked, allowed: quotas[kind], raisedBy: 'operator' },
  });
}
