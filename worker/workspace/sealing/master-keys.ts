/**
 * The installation's master keys, from Worker secrets: `LONGHAUL_MASTER_KEY_<version>`, each 32 random bytes in base64. The highest version wraps, the others still unwrap.
 * `LONGHAUL_MASTER_KEY_CURRENT` names another version to wrap with, for an installation that brings a new key in before it is used.
 */

export interface MasterKeys {
  /** Version that wraps. Null: there is none, or none of that version. */
  current: number | null;
  keys: ReadonlyMap<number, Uint8Array<ArrayBuffer>>;
  /** Names of variables whose value is no key. */
  broken: readonly string[];
}

const named = /^LONGHAUL_MASTER_KEY_([1-9]\d{0,5})$/;
export const masterKeyName = (version: number): string => `LONGHAUL_MASTER_KEY_${version}`;

export function masterKeysOf(env: object): MasterKeys {
  const keys = new Map<number, Uint8Array<ArrayBuffer>>();
  const broken: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    const version = named.exec(name)?.[1];
    if (version === undefined) continue;
    const bytes = typeof value === 'string' ? bytesOf(value.trim()) : undefined;
    if (bytes) keys.set(Number(version), bytes);
    else broken.push(name);
  }
  const wanted = (env as { LONGHAUL_MASTER_KEY_CURRENT?: unknown }).LONGHAUL_MASTER_KEY_CURRENT;
  const highest = keys.size === 0 ? null : Math.max(...keys.keys());
  const current = wanted === undefined || wanted === '' ? highest : keys.has(Number(wanted)) ? Number(wanted) : null;
  return { current, keys, broken: broken.sort() };
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) return undefined;
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
