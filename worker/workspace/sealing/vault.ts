/**
 * Seals and opens the secrets of one workspace. A data key of the workspace (32 random bytes) is kept wrapped under a master key of the installation; from it one key seals
 * (AES-GCM, 256 bits) and one makes digests that say nothing to whoever lacks it. What is sealed is bound to the workspace, the name and the version, and what is
 * wrapped to the workspace and the version of the master key: moved elsewhere, neither opens.
 *
 * After a crash between wrapping and keeping, nothing was sealed yet. A data key that is kept wrapped under an older master key than the current one is wrapped
 * anew before it is used, so that the older one can be taken away once each workspace's secrets were looked at.
 */
import { type Refusal, refuse } from '../../domain/refusals.ts';
import { type MasterKeys, masterKeyName } from './master-keys.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Bytes encrypted under a key, with the nonce they were encrypted with. */
export interface Sealed {
  iv: Bytes;
  data: Bytes;
}

export interface WrappedKey extends Sealed {
  masterVersion: number;
}

export interface DataKeyStore {
  dataKey(): WrappedKey | undefined;
  /** In one write; the one before is gone. */
  putDataKey(key: WrappedKey): void;
}

interface Keys {
  sealing: CryptoKey;
  digests: CryptoKey;
  /** Signs links; hex. */
  links: string;
  masterVersion: number;
}

export type Opened<T> = { ok: true; value: T } | { ok: false; refusal: Refusal };

const encoder = new TextEncoder();
const bound = (...parts: (string | number)[]): Bytes => encoder.encode(JSON.stringify(['longhaul', 1, ...parts])) as Bytes;

export class Vault {
  readonly #workspace: string;
  readonly #masters: MasterKeys;
  readonly #store: DataKeyStore;
  #keys: Keys | undefined;

  constructor(workspace: string, masters: MasterKeys, store: DataKeyStore) {
    this.#workspace = workspace;
    this.#masters = masters;
    this.#store = store;
  }

  /** Makes the data key where there is none yet. Calls must not overlap: the caller holds its lock. */
  async seal(name: string, version: number, value: string): Promise<Opened<Sealed>> {
    const keys = await this.#open(true);
    return keys.ok ? { ok: true, value: await encrypt(keys.value.sealing, encoder.encode(value) as Bytes, bound('secret', this.#workspace, name, version)) } : keys;
  }

  async unseal(name: string, version: number, sealed: Sealed): Promise<Opened<string>> {
    const keys = await this.#open(false);
    if (!keys.ok) return keys;
    const bytes = await decrypt(keys.value.sealing, sealed, bound('secret', this.#workspace, name, version));
    return bytes
      ? { ok: true, value: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
      : unavailable('secret_unreadable', `the sealed value of ${name} does not open`);
  }

  /** A digest of a text that holds a secret: equal texts have equal ones, and it cannot be computed without the data key. */
  async digest(text: string): Promise<Opened<string>> {
    const keys = await this.#open(true);
    if (!keys.ok) return keys;
    return { ok: true, value: hex(await crypto.subtle.sign('HMAC', keys.value.digests, encoder.encode(text))) };
  }

  /** The key that signs the links of this workspace. Makes the data key where there is none yet: the caller holds its lock. */
  async linkKey(): Promise<Opened<string>> {
    const keys = await this.#open(true);
    return keys.ok ? { ok: true, value: keys.value.links } : keys;
  }

  /** Version of the master key that wraps the data key now; wraps it anew where another one is current. Null: nothing was sealed yet. */
  async look(): Promise<Opened<number | null>> {
    if (!this.#store.dataKey()) return { ok: true, value: null };
    const keys = await this.#open(false);
    return keys.ok ? { ok: true, value: keys.value.masterVersion } : keys;
  }

  async #open(make: boolean): Promise<Opened<Keys>> {
    if (this.#keys) return { ok: true, value: this.#keys };
    const { current, keys: masters, broken } = this.#masters;
    if (broken.length > 0 && masters.size === 0) return unavailable('master_key_broken', `${broken.join(', ')}: 32 bytes in base64`);
    let raw: Bytes;
    const kept = this.#store.dataKey();
    if (kept) {
      const master = masters.get(kept.masterVersion);
      if (!master) return unavailable('master_key_missing', masterKeyName(kept.masterVersion));
      const opened = await decrypt(await aes(master), kept, bound('data-key', this.#workspace, kept.masterVersion));
      if (!opened) return unavailable('master_key_mismatch', `${masterKeyName(kept.masterVersion)} is not the key that wrapped`);
      raw = opened;
    } else {
      if (!make) return unavailable('nothing_sealed', 'nothing was sealed here');
      raw = crypto.getRandomValues(new Uint8Array(32));
    }
    let masterVersion = kept?.masterVersion;
    if (current !== null && current !== masterVersion) {
      const wrapped = await encrypt(await aes(masters.get(current) as Bytes), raw, bound('data-key', this.#workspace, current));
      this.#store.putDataKey({ masterVersion: current, ...wrapped });
      masterVersion = current;
    }
    if (masterVersion === undefined) return unavailable('master_key_missing', masterKeyName(1));
    const root = await crypto.subtle.importKey('raw', raw, 'HKDF', false, ['deriveKey', 'deriveBits']);
    const derived = (what: string) => ({ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: bound(what, this.#workspace) });
    this.#keys = {
      sealing: await crypto.subtle.deriveKey(derived('seal'), root, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']),
      digests: await crypto.subtle.deriveKey(derived('digest'), root, { name: 'HMAC', hash: 'SHA-256', length: 256 }, false, ['sign']),
      links: hex(await crypto.subtle.deriveBits(derived('links'), root, 256)),
      masterVersion,
    };
    return { ok: true, value: this.#keys };
  }
}

const hex = (bytes: ArrayBuffer): string => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

function unavailable(code: string, detail: string): { ok: false; refusal: Refusal } {
  return { ok: false, refusal: refuse('sealing_unavailable', { detail, errors: [{ pointer: '', code, detail }] }) };
}

function aes(bytes: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
}

/** A nonce of 96 random bits for each: a workspace seals thousands of times at most. */
async function encrypt(key: CryptoKey, bytes: Bytes, additionalData: Bytes): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  return { iv, data: new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, bytes)) };
}

async function decrypt(key: CryptoKey, { iv, data }: Sealed, additionalData: Bytes): Promise<Bytes | undefined> {
  try {
    return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, data));
  } catch {
    // Another key, other additional data, or altered bytes: GCM does not say which.
    return undefined;
  }
}
