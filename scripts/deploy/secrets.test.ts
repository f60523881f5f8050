import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { masterKeysOf } from '../../worker/workspace/sealing/master-keys.ts';
import { generate, KeptSecrets, secretNames, wishesOf } from './secrets.ts';

const request = { set: null, vars: {}, replace: [], newMasterKey: false };
const nowhere = { env: {}, kept: new Map(), asks: false };
const sources = (of: object, places: object = {}) => Object.fromEntries(wishesOf({ ...request, ...of }, { ...nowhere, ...places }).map(({ name, source }) => [name, source]));

describe('secrets of an environment', () => {
  it('come from the environment, from an earlier run, from here, or from whoever is asked', () => {
    expect(sources({})).toEqual({ LONGHAUL_AUTH_SECRET: 'generated', LONGHAUL_MAIL_KEY: null, LONGHAUL_MASTER_KEY_1: 'generated' });
    expect(sources({}, { env: { LONGHAUL_MAIL_KEY: 'm' }, kept: new Map([['LONGHAUL_AUTH_SECRET', 's']]) })).toEqual({
      LONGHAUL_AUTH_SECRET: 'kept',
      LONGHAUL_MAIL_KEY: 'environment',
      LONGHAUL_MASTER_KEY_1: 'generated',
    });
    expect(sources({}, { asks: true }).LONGHAUL_MAIL_KEY).toBe('asked');
  });

  it('of a sign-in elsewhere are needed where its id is set', () => {
    expect(sources({ vars: { LONGHAUL_GITHUB_ID: 'i' } })).toHaveProperty('LONGHAUL_GITHUB_SECRET', null);
    expect(sources({})).not.toHaveProperty('LONGHAUL_GITHUB_SECRET');
  });

  it('a new master key has the next number, and the first is not asked for once it is gone', () => {
    const set = ['LONGHAUL_AUTH_SECRET', 'LONGHAUL_MAIL_KEY', 'LONGHAUL_MASTER_KEY_2'];
    const named = (newMasterKey: boolean) => secretNames({ ...request, set, newMasterKey }).flatMap(({ name }) => (name.includes('MASTER') ? [name] : []));
    expect(named(false)).toEqual(['LONGHAUL_MASTER_KEY_2']);
    expect(named(true)).toEqual(['LONGHAUL_MASTER_KEY_2', 'LONGHAUL_MASTER_KEY_3']);
  });

  it('a kept value is for what did not arrive: what is set is replaced by a new one', () => {
    const places = { kept: new Map([['LONGHAUL_AUTH_SECRET', 'old']]) };
    expect(sources({ set: ['LONGHAUL_AUTH_SECRET'], replace: ['LONGHAUL_AUTH_SECRET'] }, places).LONGHAUL_AUTH_SECRET).toBe('generated');
  });

  it('made here are what the Worker takes, and kept where their owner alone reads', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kept-'));
    try {
      const kept = new KeptSecrets(join(folder, 'secrets.json'));
      const value = generate();
      expect(masterKeysOf({ LONGHAUL_MASTER_KEY_1: value })).toMatchObject({ current: 1, broken: [] });
      expect(generate()).not.toBe(value);
      expect(kept.read().size).toBe(0);
      kept.add(new Map([['LONGHAUL_MASTER_KEY_1', value]]));
      kept.add(new Map([['LONGHAUL_AUTH_SECRET', 's']]));
      expect([...kept.read()]).toEqual([
        ['LONGHAUL_MASTER_KEY_1', value],
        ['LONGHAUL_AUTH_SECRET', 's'],
      ]);
      expect(statSync(kept.path).mode & 0o777).toBe(0o600);
      expect(readFileSync(kept.path, 'utf8')).toContain(value);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
