import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { experimental_readRawConfig as readRawConfig } from 'wrangler';
import { deadQueueOf } from '../../worker/triggers/queue-names.ts';
import { inRoot } from '../repository.ts';
import { buildDigest, configOf, cronsOf, objectTagsOf } from './config.ts';
import { environmentName, environmentSettings, namesOf } from './environment.ts';

const raw = readRawConfig({ config: inRoot('wrangler.toml') }).rawConfig as Record<string, unknown>;
const settings = environmentSettings.parse({ vars: { LONGHAUL_URL: 'https://longhaul.example.com', LONGHAUL_MAIL_FROM: 'a@b.example' } });
const of = (environment: string, more: object = {}) =>
  configOf({ raw, names: namesOf(environment), settings, toRoot: '../..', assets: '../../web/build', databaseId: 'id', build: 'b', ...more });

describe('the configuration of an environment', () => {
  it('is that of production in wrangler.toml, with the id and the address', () => {
    expect(of('production')).toMatchObject({
      name: 'longhaul',
      main: '../../worker/index.ts',
      keep_names: false,
      compatibility_flags: ['nodejs_compat', 'global_fetch_strictly_public'],
      define: { __LONGHAUL_DEV__: 'false' },
      vars: { LONGHAUL_URL: 'https://longhaul.example.com', LONGHAUL_MAIL_FROM: 'a@b.example', LONGHAUL_BUILD: 'b' },
      d1_databases: [{ binding: 'DB', database_name: 'longhaul', database_id: 'id', migrations_dir: '../../migrations' }],
      workers_dev: false,
      routes: [{ pattern: 'longhaul.example.com', custom_domain: true }],
      triggers: { crons: ['* * * * *'] },
      ai: { binding: 'AI' },
      ratelimits: [{ namespace_id: '1001' }, { namespace_id: '1002' }],
    });
    expect(of('production')).not.toHaveProperty('env');
    expect(JSON.stringify(of('production'))).not.toContain('LONGHAUL_DEV"');
  });

  it('under another name shares nothing with it', () => {
    const staging = of('staging');
    expect(staging).toMatchObject({
      name: 'longhaul-staging',
      d1_databases: [{ database_name: 'longhaul-staging' }],
      r2_buckets: [{ bucket_name: 'longhaul-staging-files' }],
      queues: {
        producers: [{ queue: 'longhaul-staging-work' }],
        consumers: [{ queue: 'longhaul-staging-work', dead_letter_queue: 'longhaul-staging-dead' }, { queue: 'longhaul-staging-dead' }],
      },
      analytics_engine_datasets: [{ dataset: 'longhaul_staging' }],
    });
    const numbers = ['production', 'staging', 'preview'].flatMap((name) => (of(name).ratelimits as { namespace_id: string }[]).map((each) => each.namespace_id));
    expect(new Set(numbers).size).toBe(6);
    for (const name of ['production', 'staging']) expect(deadQueueOf(namesOf(name).dead)).toBe(true);
    expect(deadQueueOf(namesOf('staging').work)).toBe(false);
  });

  it('names every resource as the plan looks for it', () => {
    for (const environment of ['production', 'staging']) {
      const [config, names] = [of(environment) as Record<string, never>, namesOf(environment)];
      const { d1_databases, r2_buckets, queues } = config as unknown as {
        d1_databases: { database_name: string }[];
        r2_buckets: { bucket_name: string }[];
        queues: { consumers: { queue: string }[] };
      };
      expect([config.name, d1_databases[0]?.database_name, r2_buckets[0]?.bucket_name, ...queues.consumers.map(({ queue }) => queue)]).toEqual([
        names.worker,
        names.database,
        names.bucket,
        names.work,
        names.dead,
      ]);
    }
  });

  it('follows the file of the environment', () => {
    const onWorkersDev = environmentSettings.parse({ vars: { LONGHAUL_URL: 'https://longhaul.example.workers.dev' }, ai: false, browser: true });
    const config = of('production', { settings: onWorkersDev });
    expect(config).toMatchObject({ workers_dev: true, browser: { binding: 'BROWSER' } });
    expect(config).not.toHaveProperty('routes');
    expect(config).not.toHaveProperty('ai');
    expect(environmentSettings.safeParse({ vars: { LONGHAUL_AUTH_SECRET: 'x' } }).success).toBe(false);
    for (const name of ['Production', '../x', '', 'a b']) expect(environmentName.safeParse(name).success, name).toBe(false);
  });

  it('has the object migrations and crons of wrangler.toml', () => {
    expect(objectTagsOf(raw).slice(0, 2)).toEqual(['v1', 'v2']);
    expect(cronsOf(raw)).toEqual(['* * * * *']);
  });
});

it('a digest changes with the code, the assets and the configuration, not with the place they are in', () => {
  const folders = () => {
    const [bundle, assets] = [mkdtempSync(join(tmpdir(), 'b-')), mkdtempSync(join(tmpdir(), 'a-'))];
    writeFileSync(join(bundle, 'index.js'), 'one');
    writeFileSync(join(assets, 'index.html'), 'page');
    return { bundle, assets };
  };
  const [one, two] = [folders(), folders()];
  try {
    const first = buildDigest({ a: 1 }, one);
    expect(buildDigest({ a: 1 }, two)).toBe(first);
    expect(buildDigest({ a: 2 }, two)).not.toBe(first);
    writeFileSync(join(two.bundle, 'index.js.map'), 'map');
    expect(buildDigest({ a: 1 }, two)).toBe(first);
    writeFileSync(join(two.assets, 'index.html'), 'other');
    expect(buildDigest({ a: 1 }, two)).not.toBe(first);
  } finally {
    for (const folder of [...Object.values(one), ...Object.values(two)]) rmSync(folder, { recursive: true });
  }
});
