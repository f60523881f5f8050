/** Runs one of the project's commands as a person would, with what it prints kept. */
import { spawn } from 'node:child_process';
import { inRoot, root } from '../scripts/repository.ts';

export interface Ended {
  code: number | null;
  out: string[];
  errors: string;
}

/** `env`: added to that of this process. */
export function runCommand(name: string, args: string[], env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [inRoot('scripts/entry.mjs'), name, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
    let out = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out: out.split('\n').filter((line) => line !== ''), errors }));
  });
}
