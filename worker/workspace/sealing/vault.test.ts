import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { masterKeysOf } from './master-keys.ts';
import { type DataKeyStore, Vault, type WrappedKey } from './vault.ts';

class Store implements DataKeyStore {
  key: WrappedKey | undefined;
  writes = 0;
  dataKey() {
    return this.key;
  }
  putDataKey(key: WrappedKey) {
    this.key = key;
    this.writes++;
  }
}
const key = () => randomBytes(32).toString('base64');
const vault = (store: Store, env: object, workspace = 'w') => new Vault(workspace, masterKeysOf(env), store);
async function sealed(of: Vault, value: string, name = 'key', version = 1) {
  const done = await of.seal(name, version, value);
  if (!done.ok) throw new Error(done.refusal.code);
  return done.value;
}

describe('sealing', () => {
  it('gives back what was sealed, to whoever opens it later', async () => {
    const store = new Store();
    const env = { LONGHAUL_MASTER_KEY_1: key() };
    const value = '\uFEFFsk-ключ 🔑\n';
    const box = await sealed(vault(store, env), value);
    expect(await vault(store, env).unseal('key', 1, box)).toEqual({ ok: true, value });
    expect(store.writes).toBe(1);
    expect(Buffer.from(box.data).toString('latin1')).not.toContain('sk-');
  });

  it('the same value twice looks different', async () => {
    const of = vault(new Store(), { LONGHAUL_MASTER_KEY_1: key() });
    expect(Buffer.from((await sealed(of, 'x')).data)).not.toEqual(Buffer.from((await sealed(of, 'x')).data));
  });

  it.each([
    ['another name', 'other', 1, 'w'],
    ['another version', 'key', 2, 'w'],
  ])('does not open under %s', async (_what, name, version, workspace) => {
    const store = new Store();
    const env = { LONGHAUL_MASTER_KEY_1: key() };
    const box = await sealed(vault(store, env), 'value');
    expect(await vault(store, env, workspace).unseal(name, version, box)).toMatchObject({
      ok: false,
      refusal: { code: 'sealing_unavailable', errors: [{ code: 'secret_unreadable' }] },
    });
  });

  it('does not open in another workspace, even with its data key carried over', async () => {
    const store = new Store();
    const env = { LONGHAUL_MASTER_KEY_1: key() };
    const box = await sealed(vault(store, env), 'value');
    expect(await vault(store, env, 'other').unseal('key', 1, box)).toMatchObject({ ok: false, refusal: { errors: [{ code: 'master_key_mismatch' }] } });
  });

  it('does not open when a byte was changed', async () => {
    const store = new Store();
    const env = { LONGHAUL_MASTER_KEY_1: key() };
    const box = await sealed(vault(store, env), 'value');
    box.data[0] = (box.data[0] ?? 0) ^ 1;
    expect(await vault(store, env).unseal('key', 1, box)).toMatchObject({ ok: false });
  });

  it('digests are the same for the same text, and others in another workspace', async () => {
    const store = new Store();
    const env = { LONGHAUL_MASTER_KEY_1: key() };
    const one = await vault(store, env).digest('body');
    expect(one).toEqual(await vault(store, env).digest('body'));
    expect(one).not.toEqual(await vault(new Store(), env).digest('body'));
  });
});

describe('master keys', () => {
  it('without one nothing is sealed, and the answer says what to set', async () => {
    const store = new Store();
    expect(await vault(store, {}).seal('key', 1, 'x')).toMatchObject({
      ok: false,
      refusal: { code: 'sealing_unavailable', detail: 'LONGHAUL_MASTER_KEY_1', errors: [{ code: 'master_key_missing' }] },
    });
    expect(await vault(store, { LONGHAUL_MASTER_KEY_1: 'short' }).seal('key', 1, 'x')).toMatchObject({
      ok: false,
      refusal: { detail: 'LONGHAUL_MASTER_KEY_1: 32 bytes in base64', errors: [{ code: 'master_key_broken' }] },
    });
    expect(store.key).toBeUndefined();
  });

  it('a new one wraps anew at the next look, and then the old one is not needed', async () => {
    const store = new Store();
    const [one, two] = [key(), key()];
    const box = await sealed(vault(store, { LONGHAUL_MASTER_KEY_1: one }), 'value');
    const before = store.key;
    expect(await vault(store, { LONGHAUL_MASTER_KEY_1: one, LONGHAUL_MASTER_KEY_2: two }).look()).toEqual({ ok: true, value: 2 });
    expect(store.key).toMatchObject({ masterVersion: 2 });
    expect(store.key).not.toEqual(before);
    expect(await vault(store, { LONGHAUL_MASTER_KEY_2: two }).unseal('key', 1, box)).toEqual({ ok: true, value: 'value' });
    expect(await vault(store, { LONGHAUL_MASTER_KEY_1: one }).unseal('key', 1, box)).toMatchObject({
      ok: false,
      refusal: { detail: 'LONGHAUL_MASTER_KEY_2', errors: [{ code: 'master_key_missing' }] },
    });
    expect(await vault(store, { LONGHAUL_MASTER_KEY_2: one }).unseal('key', 1, box)).toMatchObject({ ok: false, refusal: { errors: [{ code: 'master_key_mismatch' }] } });
  });

  it('one may be brought in before it is used', async () => {
    const store = new Store();
    const env = { LONGHAUL_MASTER_KEY_1: key(), LONGHAUL_MASTER_KEY_2: key() };
    await sealed(vault(store, { ...env, LONGHAUL_MASTER_KEY_CURRENT: '1' }), 'value');
    expect(store.key).toMatchObject({ masterVersion: 1 });
    expect(await vault(store, env).look()).toEqual({ ok: true, value: 2 });
    // One that is named and not there wraps nothing; what is wrapped still opens.
    expect(await vault(store, { ...env, LONGHAUL_MASTER_KEY_CURRENT: '9' }).look()).toEqual({ ok: true, value: 2 });
    expect(await vault(new Store(), { ...env, LONGHAUL_MASTER_KEY_CURRENT: '9' }).seal('key', 1, 'x')).toMatchObject({ ok: false });
  });

  it('before anything was sealed there is nothing to look at', async () => {
    expect(await vault(new Store(), {}).look()).toEqual({ ok: true, value: null });
  });
});
