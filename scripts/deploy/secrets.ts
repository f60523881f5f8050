/** Where the values of secrets come from: the environment of the command, what it made before and kept, made now, or asked for. A value is never printed. */
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { Variables } from './environment.ts';
import type { SecretSource, SecretWish } from './plan.ts';

const masterKey = /^LONGHAUL_MASTER_KEY_[1-9]\d{0,5}$/;

/** Made here where nobody gives them. Base64 of 32 bytes; a master key must be just that. */
const made = (name: string): boolean => name === 'LONGHAUL_AUTH_SECRET' || masterKey.test(name);
/** Whether this name is a secret of the Worker at all. */
export const isSecretName = (name: string): boolean => made(name) || ['LONGHAUL_MAIL_KEY', 'LONGHAUL_GOOGLE_SECRET', 'LONGHAUL_GITHUB_SECRET'].includes(name);

export interface SecretRequest {
  /** Names that are set already; null: there is no Worker. */
  set: readonly string[] | null;
  vars: Variables;
  /** To be set anew. */
  replace: readonly string[];
  newMasterKey: boolean;
}

/** What the Worker needs, and what was asked for. */
export function secretNames({ set, vars, replace, newMasterKey }: SecretRequest): { name: string; needed: boolean; replace: boolean }[] {
  const masters = (set ?? []).filter((name) => masterKey.test(name)).map((name) => Number(name.slice(name.lastIndexOf('_') + 1)));
  const newest = `LONGHAUL_MASTER_KEY_${Math.max(0, ...masters) + 1}`;
  const needed = [
    'LONGHAUL_AUTH_SECRET',
    'LONGHAUL_MAIL_KEY',
    ...(masters.length === 0 ? ['LONGHAUL_MASTER_KEY_1'] : masters.map((version) => `LONGHAUL_MASTER_KEY_${version}`)),
    ...(newMasterKey && masters.length > 0 ? [newest] : []),
    ...(vars.LONGHAUL_GOOGLE_ID ? ['LONGHAUL_GOOGLE_SECRET'] : []),
    ...(vars.LONGHAUL_GITHUB_ID ? ['LONGHAUL_GITHUB_SECRET'] : []),
  ];
  return [...new Set([...needed, ...replace])].map((name) => ({ name, needed: needed.includes(name), replace: replace.includes(name) }));
}

export interface SecretPlaces {
  env: NodeJS.ProcessEnv;
  /** What was made before, by name. */
  kept: ReadonlyMap<string, string>;
  /** Whether somebody can be asked. */
  asks: boolean;
}

/** A kept value stands for one that was made and may not have arrived; it is not used to replace one that is set. */
export function wishesOf(request: SecretRequest, { env, kept, asks }: SecretPlaces): SecretWish[] {
  return secretNames(request).map(({ name, needed, replace }) => {
    const set = request.set?.includes(name) ?? false;
    const source: SecretSource = env[name] ? 'environment' : kept.has(name) && !set ? 'kept' : made(name) ? 'generated' : asks ? 'asked' : null;
    return { name, needed, replace, source };
  });
}

export const generate = (): string => randomBytes(32).toString('base64');

const file = z.record(z.string(), z.string());

/**
 * What this command made is written here before it is sent, readable by its owner alone: a master key that exists nowhere but in the account cannot be put anywhere else. Whoever deploys takes
 * it to where the installation's credentials are and deletes the file.
 */
export class KeptSecrets {
  readonly path: string;
  constructor(path: string) {
    this.path = path;
  }

  read(): Map<string, string> {
    if (!existsSync(this.path)) return new Map();
    const read = file.safeParse(JSON.parse(readFileSync(this.path, 'utf8')));
    if (!read.success) throw new Error(`${this.path} is not what this command wrote there`);
    return new Map(Object.entries(read.data));
  }

  add(values: ReadonlyMap<string, string>): void {
    if (values.size === 0) return;
    writeFileSync(this.path, `${JSON.stringify(Object.fromEntries([...this.read(), ...values]), null, 2)}\n`, { mode: 0o600 });
    chmodSync(this.path, 0o600);
  }
}
