/** Quotas: what is in force, what an override changes, when something no longer fits. */
import { describe, expect, it } from 'vitest';
import { defaultQuotas, installationQuotas, overQuota, overridden, quotasOf } from './quotas.ts';

describe('quotas', () => {
  it('are the installation’s where it says whole numbers; a slip lifts none', () => {
    expect(installationQuotas({})).toEqual(defaultQuotas);
    expect(installationQuotas({ LONGHAUL_QUOTA_OPEN_GOALS: '5', LONGHAUL_QUOTA_STORAGE_BYTES: ' 1000 ' })).toEqual({ openGoals: 5, storageBytes: 1000 });
    for (const text of ['', 'unlimited', '-1', '1e9', '5.5']) expect(installationQuotas({ LONGHAUL_QUOTA_OPEN_GOALS: text }).openGoals, text).toBe(defaultQuotas.openGoals);
  });

  it('of one workspace are set one by one, and taken back with null', () => {
    const one = overridden({}, { openGoals: 3 });
    const both = overridden(one, { storageBytes: 0 });
    expect(quotasOf(defaultQuotas, both)).toEqual({ openGoals: 3, storageBytes: 0 });
    expect(overridden(both, { openGoals: null })).toEqual({ storageBytes: 0 });
    expect(overridden(both, {})).toEqual(both);
  });

  it('are full exactly at their figure, and say which, how much and who raises it', () => {
    const quotas = { openGoals: 2, storageBytes: 100 };
    expect(overQuota(quotas, 'openGoals', 1, 1)).toBeUndefined();
    expect(overQuota(quotas, 'storageBytes', 60, 40)).toBeUndefined();
    expect(overQuota(quotas, 'storageBytes', 60, 41)).toMatchObject({
      code: 'quota_exceeded',
      current: { scope: 'workspace', quota: 'storageBytes', used: 60, asked: 41, allowed: 100, raisedBy: 'operator' },
    });
  });
});
