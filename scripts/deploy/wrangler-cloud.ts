/** The account through wrangler: the pinned one of this repository, which also knows how one is signed in. What it prints is shown only where it fails, without any secret. */
import { spawn } from 'node:child_process';
import { z } from 'zod';
import { inRoot, root } from '../repository.ts';
import type { Cloud } from './cloud.ts';
import type { Names } from './environment.ts';
import type { Found } from './plan.ts';

interface Ran {
  code: number | null;
  /** Standard output alone: where `--json` is asked for, it is that. */
  out: string;
  /** Both, for people. */
  said: string;
}

export type RunWrangler = (args: readonly string[], input?: string) => Promise<Ran>;

/** `CI` keeps it from asking questions: what is to be asked, this command has asked. */
export function wranglerIn(env: NodeJS.ProcessEnv = process.env): RunWrangler {
  return (args, input) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [inRoot('node_modules/wrangler/bin/wrangler.js'), ...args], {
        cwd: root,
        env: { ...env, CI: '1', WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true', WRANGLER_WRITE_LOGS: 'false', NO_COLOR: '1', FORCE_COLOR: '0' },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      let [out, said] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        out += text;
        said += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, out, said }));
      // It may end before it has read.
      child.stdin.on('error', () => {});
      child.stdin.end(input ?? '');
    });
}

const databases = z.array(z.object({ name: z.string(), uuid: z.string() }));
const namesList = z.array(z.object({ name: z.string() }));
const rows = z.array(z.object({ results: z.array(z.object({ name: z.string() })) }));
const deployment = z.object({ versions: z.array(z.object({ version_id: z.string(), percentage: z.number() })) });
const version = z.object({
  resources: z.object({
    bindings: z.array(z.looseObject({ name: z.string(), type: z.string() })).default([]),
    script_runtime: z.object({ migration_tag: z.string().optional() }).optional(),
  }),
});

/** How wrangler says that a thing is not there. Anything else may be a passing fault or a lack of permission. */
const missing = {
  queue: /Queue ".*" does not exist/,
  bucket: /\[code: 10006\]|The specified bucket does not exist/,
  secrets: /Worker ".*" not found/,
  applied: /no such table: d1_migrations/,
  live: /\[code: 10007\]|has no deployments/,
};

export class WranglerCloud implements Cloud {
  readonly #run: RunWrangler;
  readonly #names: Names;
  readonly #config: string;
  readonly #configure: (databaseId: string) => void;
  #secret: readonly string[] = [];

  /** `config`: where the generated configuration is, from the start; `configure` writes it again with D1's id. */
  constructor(run: RunWrangler, names: Names, config: string, configure: (databaseId: string) => void) {
    this.#run = run;
    this.#names = names;
    this.#config = config;
    this.#configure = configure;
  }

  async found(): Promise<Found> {
    const { database, bucket, work, dead } = this.#names;
    // The first question tells whether anybody is signed in; the others go on together.
    const listed = this.#json(databases, await this.#must(['d1', 'list', '--json']));
    const id = listed.find(({ name }) => name === database)?.uuid;
    if (id !== undefined) this.#configure(id);
    const [applied, first, second, there, secrets, live] = await Promise.all([
      id === undefined ? [] : this.#applied(database),
      this.#queue(work),
      this.#queue(dead),
      this.#may(missing.bucket, ['r2', 'bucket', 'info', bucket, '--json']),
      this.#may(missing.secrets, ['secret', 'list', '--format', 'json']),
      this.#live(),
    ]);
    return {
      database: id === undefined ? null : { id },
      applied,
      queues: new Map([
        [work, first],
        [dead, second],
      ]),
      bucket: there !== null,
      secrets: secrets === null ? null : this.#json(namesList, secrets).map(({ name }) => name),
      live,
    };
  }

  async createDatabase(name: string, location?: string): Promise<string> {
    await this.#must(['d1', 'create', name, ...(location === undefined ? [] : ['--location', location])]);
    const made = this.#json(databases, await this.#must(['d1', 'list', '--json'])).find((each) => each.name === name);
    if (made === undefined) throw new Error('it was made and is not in the list of the account yet: run this again');
    return made.uuid;
  }

  async createQueue(name: string): Promise<void> {
    await this.#must(['queues', 'create', name]);
  }

  async createBucket(name: string): Promise<void> {
    await this.#must(['r2', 'bucket', 'create', name]);
  }

  async putSecrets(values: ReadonlyMap<string, string | null>): Promise<void> {
    this.#secret = [...values.values()].filter((value) => value !== null);
    await this.#must(['secret', 'bulk'], JSON.stringify(Object.fromEntries(values)));
  }

  async migrateDatabase(): Promise<void> {
    await this.#must(['d1', 'migrations', 'apply', this.#names.database, '--remote']);
  }

  async deployCode(): Promise<void> {
    await this.#must(['deploy']);
  }

  /** Read from D1's own list, which its first migration makes; `wrangler d1 migrations list` would make it by looking. */
  async #applied(database: string): Promise<string[]> {
    const sql = 'SELECT name FROM d1_migrations ORDER BY id';
    const told = await this.#may(missing.applied, ['d1', 'execute', database, '--remote', '--json', '--command', sql]);
    return told === null ? [] : this.#json(rows, told).flatMap(({ results }) => results.map(({ name }) => name));
  }

  async #queue(name: string): Promise<{ consumers: string[] } | null> {
    const told = await this.#may(missing.queue, ['queues', 'info', name]);
    if (told === null) return null;
    const line = /^Consumers: (.*)$/m.exec(told)?.[1] ?? '';
    return { consumers: [...line.matchAll(/\bworker:([\w-]+)/g)].map((match) => match[1] ?? '') };
  }

  async #live(): Promise<Found['live']> {
    const status = await this.#may(missing.live, ['deployments', 'status', '--json']);
    if (status === null) return null;
    const { versions } = this.#json(deployment, status);
    const most = versions.toSorted((one, other) => other.percentage - one.percentage)[0];
    if (most === undefined) return null;
    const { resources } = this.#json(version, await this.#must(['versions', 'view', most.version_id, '--json']));
    const build = resources.bindings.find(({ name, type }) => name === 'LONGHAUL_BUILD' && type === 'plain_text')?.text;
    return { build: versions.length === 1 && typeof build === 'string' ? build : null, objects: resources.script_runtime?.migration_tag ?? null };
  }

  /** Null: wrangler says that there is no such thing. Anything else that fails is an error: what cannot be seen is not taken for missing. */
  async #may(missingWhere: RegExp, args: readonly string[]): Promise<string | null> {
    const { code, out, said } = await this.#run([...args, '--config', this.#config]);
    if (code === 0) return out;
    if (missingWhere.test(said)) return null;
    throw this.#failed(args, said);
  }

  async #must(args: readonly string[], input?: string): Promise<string> {
    const { code, out, said } = await this.#run([...args, '--config', this.#config], input);
    if (code !== 0) throw this.#failed(args, said);
    return out;
  }

  #failed(args: readonly string[], said: string): Error {
    const text = this.#secret.reduce((shown, value) => shown.replaceAll(value, '[secret]'), said);
    return new Error(`wrangler ${args.slice(0, 3).join(' ')}\n${text.trim().split('\n').slice(-30).join('\n')}`);
  }

  /** Wrangler may say something before the JSON. */
  #json<T>(shape: z.ZodType<T>, text: string): T {
    const at = text.search(/^[[{]/m);
    const read = at < 0 ? undefined : shape.safeParse(JSON.parse(text.slice(at)));
    if (read?.success !== true) throw new Error(`wrangler answers in an unknown form: ${text.slice(0, 300)}`);
    return read.data;
  }
}
