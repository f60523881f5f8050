/**
 * The wrangler configuration of one environment, made from `wrangler.toml` each time: what stands there at the top and is inherited, `[env.production]` as the pattern of every
 * environment, and what the environment's own file says. It is written outside of git, as D1's id stands in it; the id is asked of the account each time, so nothing is lost with the file.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { EnvironmentSettings, Names } from './environment.ts';

type Table = { [key: string]: unknown };

/** Keys that an environment of wrangler does not inherit: the pattern names its own. */
const notInherited = new Set([
  'env',
  'define',
  'vars',
  'durable_objects',
  'd1_databases',
  'r2_buckets',
  'queues',
  'worker_loaders',
  'ratelimits',
  'analytics_engine_datasets',
  'ai',
  'name',
]);

export interface ConfigOf {
  /** `wrangler.toml` as read. */
  raw: Table;
  names: Names;
  settings: EnvironmentSettings;
  /** From the folder of the generated file to the repository. */
  toRoot: string;
  /** The built console, from the same folder. */
  assets: string;
  databaseId: string;
  /** Digest of what is deployed; empty while it is being found out. */
  build: string;
}

export function configOf({ raw, names, settings, toRoot, assets, databaseId, build }: ConfigOf): Table {
  const pattern = (raw.env as Record<string, Table> | undefined)?.production;
  if (pattern === undefined) throw new Error('wrangler.toml has no [env.production]');
  const inherited = Object.fromEntries(Object.entries(raw).filter(([key]) => !notInherited.has(key)));
  const { ai, ...bindings } = named(pattern, names) as Table;
  const host = new URL(settings.vars.LONGHAUL_URL ?? 'https://longhaul.workers.dev').hostname;
  const ownDomain = !host.endsWith('.workers.dev');
  return {
    ...inherited,
    ...bindings,
    name: names.worker,
    main: join(toRoot, String(raw.main)),
    assets: { ...(raw.assets as Table), directory: assets },
    d1_databases: [{ binding: 'DB', database_name: names.database, database_id: databaseId, migrations_dir: join(toRoot, 'migrations') }],
    vars: { ...settings.vars, LONGHAUL_BUILD: build },
    // Only what people were told is served: the address of workers.dev would be another origin.
    workers_dev: !ownDomain,
    preview_urls: false,
    ...(ownDomain ? { routes: [{ pattern: host, custom_domain: true }] } : {}),
    ...(settings.ai && ai !== undefined ? { ai } : {}),
    ...(settings.browser ? { browser: { binding: 'BROWSER' } } : {}),
    ...(names.worker === 'longhaul' ? {} : { ratelimits: apart(bindings.ratelimits, names.worker) }),
  };
}

/** Every text that names a resource, with the environment's name in it. */
function named(value: unknown, names: Names): unknown {
  if (Array.isArray(value)) return value.map((each) => named(each, names));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      if (typeof each !== 'string') return [key, named(each, names)];
      if (key === 'dataset') return [key, each.replace(/^longhaul/, names.worker).replaceAll('-', '_')];
      return [key, ['bucket_name', 'queue', 'dead_letter_queue'].includes(key) ? each.replace(/^longhaul/, names.worker) : each];
    }),
  );
}

/** Counters are told apart by a number in the account; two environments must not count together. */
function apart(limits: unknown, worker: string): unknown {
  const offset = (createHash('sha256').update(worker).digest().readUInt32BE() % 900_000) + 10_000;
  return (limits as Table[]).map((each) => ({ ...each, namespace_id: String(Number(each.namespace_id) + offset) }));
}

/** Object migrations in their order. */
export const objectTagsOf = (raw: Table): string[] => ((raw.migrations ?? []) as { tag: string }[]).map(({ tag }) => tag);
export const cronsOf = (raw: Table): string[] => (raw.triggers as { crons?: string[] } | undefined)?.crons ?? [];

/** One digest over what would be uploaded: the bundled code, the assets, the configuration. Equal ones behave alike. */
export function buildDigest(config: Table, folders: { bundle: string; assets: string }): string {
  const hash = createHash('sha256').update(JSON.stringify(config));
  for (const folder of [folders.bundle, folders.assets])
    for (const path of readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.map') && entry.name !== 'README.md')
      .map((entry) => join(entry.parentPath, entry.name))
      .sort())
      hash.update(`\0${relative(folder, path)}\0`).update(readFileSync(path));
  return hash.digest('hex').slice(0, 32);
}
