/** Where one is signed in, kept for the user alone. The environment goes before: LONGHAUL_URL, LONGHAUL_TOKEN, LONGHAUL_WORKSPACE. */
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Usage } from './exit.ts';

export interface Credentials {
  url: string;
  token?: string;
  workspace?: string;
}

const localUrl = 'http://127.0.0.1:8787';

export function credentialsPath(env: NodeJS.ProcessEnv = process.env): string {
  const folder = env.XDG_CONFIG_HOME || (process.platform === 'win32' ? env.APPDATA : undefined) || join(homedir(), '.config');
  return join(folder, 'longhaul', 'credentials.json');
}

function kept(path: string): Partial<Credentials> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
  try {
    return JSON.parse(text) as Partial<Credentials>;
  } catch {
    throw new Usage(`${path} is not what sign-in writes; sign in again.`);
  }
}

/** A token that is kept for one address is never sent to another. */
export function credentials(given: { url?: string; workspace?: string }, env: NodeJS.ProcessEnv = process.env): Credentials {
  const file = kept(credentialsPath(env));
  const url = (given.url ?? env.LONGHAUL_URL ?? file.url ?? localUrl).replace(/\/$/, '');
  if (!URL.canParse(url)) throw new Usage(`${url} is no address.`);
  const own = file.url === url ? file : {};
  const token = env.LONGHAUL_TOKEN || own.token;
  const workspace = given.workspace ?? env.LONGHAUL_WORKSPACE ?? own.workspace;
  return { url, ...(token ? { token } : {}), ...(workspace ? { workspace } : {}) };
}

/** Whole or not at all, readable by the user alone. */
export function keep(value: Credentials, env: NodeJS.ProcessEnv = process.env): string {
  const path = credentialsPath(env);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, path);
  return path;
}

export function forget(env: NodeJS.ProcessEnv = process.env): void {
  rmSync(credentialsPath(env), { force: true });
}
