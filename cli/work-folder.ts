/** The folder that a command works in: what it is to do, what it works from, and where it leaves what it made. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Attempt, OwnFile } from './attempt.ts';
import { Failed } from './exit.ts';

/** Bytes of a file that is submitted; what the API takes. */
const maxFileBytes = 25_000_000;
/** Characters of a summary; what the command takes. */
const maxSummary = 8000;

/** Paths come from the record and are data: none leads out of the folder. */
function within(folder: string, path: string): string {
  const full = resolve(folder, path);
  if (!full.startsWith(`${resolve(folder)}${sep}`)) throw new Failed(`a path that leads out of the folder: ${path}`);
  return full;
}

export class WorkFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'longhaul-work-'));

  /** `brief.json`, `inputs/<path>` of sources, `inputs/<item>/<path>` of accepted deliveries, `working/<path>` of what earlier Attempts left, and an empty `out/`. */
  async fill(attempt: Attempt): Promise<void> {
    const { assignment } = attempt;
    writeFileSync(join(this.path, 'brief.json'), `${JSON.stringify(assignment, null, 2)}\n`);
    for (const name of ['inputs', 'working', 'out']) mkdirSync(join(this.path, name));
    for (const file of assignment.sources) await this.#put(attempt, 'inputs', file.path, file.digest);
    for (const { item, artifacts } of assignment.upstream) for (const file of artifacts) await this.#put(attempt, 'inputs', `${item}/${file.path}`, file.digest);
    for (const file of assignment.working) await this.#put(attempt, 'working', file.path, file.digest);
  }

  async #put(attempt: Attempt, folder: string, path: string, digest: string): Promise<void> {
    const full = within(join(this.path, folder), path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, await attempt.file(digest));
  }

  /** Files under `out/`, in the order of their paths. */
  left(): OwnFile[] {
    const out = join(this.path, 'out');
    return readdirSync(out, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((full) => {
        const { size } = statSync(full);
        const path = relative(out, full).split(sep).join('/');
        if (size > maxFileBytes) throw new Failed(`out/${path} has ${size} bytes; a file may have ${maxFileBytes}`);
        return { path, bytes: new Uint8Array(readFileSync(full)) };
      });
  }

  /** What the command wrote to `summary.txt`; else `otherwise`. */
  summary(otherwise: string): string {
    let text = '';
    try {
      text = readFileSync(join(this.path, 'summary.txt'), 'utf8').trim();
    } catch {
      // It need not write one.
    }
    return (text || otherwise).slice(0, maxSummary);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
