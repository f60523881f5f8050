/** The master key of a local state folder: it wraps what seals the secrets of the workspaces there, and is as good as they are. Deleted with the folder. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Makes it the first time; readable by its owner alone. Base64 of 32 bytes. */
export function masterKeyOf(dir: string): string {
  const path = join(dir, 'master-key');
  if (!existsSync(path)) {
    mkdirSync(dir, { recursive: true });
    writeFileSync(path, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  }
  return readFileSync(path, 'utf8').trim();
}
