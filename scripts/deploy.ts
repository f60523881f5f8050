/**
 * `npm run deploy -- [--env production] [--dry-run] [--yes]`: brings an environment in a Cloudflare account to what this checkout says, and says before what it will do. Run again, it does
 * nothing, or what is left. See docs/deploy.md. Ends with 0 done or nothing to do, 1 failed, 2 not begun.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { experimental_readRawConfig as readRawConfig } from 'wrangler';
import { missingSettings } from '../worker/auth/settings.ts';
import type { Env } from '../worker/env.ts';
import { ask, askSecret } from './deploy/ask.ts';
import { buildDigest, configOf, cronsOf, objectTagsOf } from './deploy/config.ts';
import { environmentName, environmentSettings, type EnvironmentSettings, namesOf, neededVariables } from './deploy/environment.ts';
import { execute, Halted } from './deploy/execute.ts';
import { planOf } from './deploy/plan.ts';
import { generate as generateSecret, isSecretName, KeptSecrets, wishesOf } from './deploy/secrets.ts';
import { planLines } from './deploy/words.ts';
import { WranglerCloud, wranglerIn } from './deploy/wrangler-cloud.ts';
import { buildConsole, generate } from './prepare.ts';
import { inRoot, root } from './repository.ts';

const { values } = parseArgs({
  options: {
    env: { type: 'string', default: 'production' },
    'dry-run': { type: 'boolean', default: false },
    yes: { type: 'boolean', default: false },
    /** Secrets to be set anew, and to be taken away. */
    set: { type: 'string', multiple: true, default: [] },
    remove: { type: 'string', multiple: true, default: [] },
    'new-master-key': { type: 'boolean', default: false },
    contract: { type: 'boolean', default: false },
    /** Where the files of environments are. */
    settings: { type: 'string', default: 'deploy' },
    /** Where the generated configuration and made secrets are: outside of git. */
    state: { type: 'string', default: '.longhaul-deploy' },
    /** Without the console: for tests. */
    'no-console': { type: 'boolean', default: false },
  },
});

function refuse(why: string): never {
  console.error(why);
  process.exit(2);
}

const environment = environmentName.safeParse(values.env);
if (!environment.success) refuse(`--env: ${environment.error.issues[0]?.message ?? ''}`);
const unknown = [...values.set, ...values.remove].filter((name) => !isSecretName(name));
if (unknown.length > 0) refuse(`${unknown.join(', ')}: not a secret of this Worker`);
const asks = process.stdin.isTTY === true && !values.yes;

const names = namesOf(environment.data);
const settingsPath = join(root, values.settings, `${environment.data}.json`);
const state = join(root, values.state, environment.data);
mkdirSync(state, { recursive: true, mode: 0o700 });
const configPath = join(state, 'wrangler.json');
const unfinishedPath = join(state, 'unfinished');
const kept = new KeptSecrets(join(state, 'secrets.json'));

const settings = await readSettings();
const { rawConfig } = readRawConfig({ config: inRoot('wrangler.toml') });
const raw = rawConfig as Record<string, unknown>;
const placeholder = '00000000-0000-0000-0000-000000000000';
const assets = values['no-console'] ? join(state, 'no-console') : inRoot('web/build');
mkdirSync(assets, { recursive: true });
const config = (databaseId: string, build: string) => configOf({ raw, names, settings, toRoot: relative(state, root), assets: relative(state, assets), databaseId, build });
const write = (databaseId: string, build: string) => writeFileSync(configPath, `${JSON.stringify(config(databaseId, build), null, 2)}\n`);

write(placeholder, '');
const run = wranglerIn();
const cloud = new WranglerCloud(run, names, configPath, (id) => write(id, ''));
try {
  await generate();
  if (!values['no-console']) await buildConsole(() => console.error('Building the console ...'));
  const build = await digest();

  console.error(`Looking at ${names.worker} ...`);
  const found = await cloud.found();
  const request = { set: found.secrets, vars: settings.vars, replace: values.set, newMasterKey: values['new-master-key'] };
  const wishes = wishesOf(request, { env: process.env, kept: kept.read(), asks });
  const plan = planOf(
    {
      names,
      migrations: readdirSync(inRoot('migrations'))
        .filter((name) => name.endsWith('.sql'))
        .sort()
        .map((name) => ({ name, sql: readFileSync(inRoot(`migrations/${name}`), 'utf8') })),
      objectTags: objectTagsOf(raw),
      crons: cronsOf(raw),
      build,
      secrets: wishes,
      remove: values.remove,
      unfinished: existsSync(unfinishedPath) && readFileSync(unfinishedPath, 'utf8') === build,
      contract: values.contract,
    },
    found,
  );
  console.log(`${environment.data} (${names.worker})`);
  for (const line of planLines(plan)) console.log(line);
  if (plan.blockers.length > 0) process.exit(2);
  if (plan.done || values['dry-run']) process.exit(0);
  if (!values.yes && !asks) refuse('Nobody can be asked here: say --yes to go on.');
  if (!values.yes && !/^y(es)?$/i.test(await ask('Do this? [y/N] '))) refuse('Nothing was done.');

  const secrets = await valuesOf(
    plan.steps.flatMap((step) => (step.kind === 'secret' && (step.act === 'put' || step.act === 'replace') ? [{ name: step.name, source: step.source }] : [])),
  );
  const wrong = missingSettings({ ...settings.vars, ...stand(found.secrets ?? []), ...Object.fromEntries(secrets) } as unknown as Env);
  if (wrong.length > 0) refuse(`${wrong.join(', ')}: missing, or of a form that the Worker does not take. Nothing was done.`);
  await execute(plan, {
    cloud,
    ...(settings.location === undefined ? {} : { location: settings.location }),
    secrets,
    configure: (id) => write(id, build),
    databaseId: found.database?.id ?? null,
    mark: (unfinished) => (unfinished ? writeFileSync(unfinishedPath, build) : rmSync(unfinishedPath, { force: true })),
    tell: (line) => console.log(line),
  });
  console.log(`Done. It answers at ${settings.vars.LONGHAUL_URL}; ${new URL('/healthz', settings.vars.LONGHAUL_URL).href} says whether anything is missing.`);
  if (existsSync(kept.path)) console.log(`Secrets made here are in ${relative(root, kept.path)}: take them to where the installation's credentials are, then delete the file.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  if (error instanceof Halted) console.error('What was done before stays. Mend the cause and run this again: it goes on from there.');
  process.exit(1);
}

/** From the file; what is missing there from the environment or the person, and then it is written there. */
async function readSettings(): Promise<EnvironmentSettings> {
  const text = existsSync(settingsPath) ? readFileSync(settingsPath, 'utf8') : '{}';
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    refuse(`${settingsPath} is not JSON`);
  }
  const read = environmentSettings.safeParse(json);
  if (!read.success) refuse(`${settingsPath}: ${read.error.issues.map(({ path, message }) => `/${path.join('/')}: ${message}`).join('; ')}`);
  const vars = { ...read.data.vars };
  for (const name of neededVariables) vars[name] ??= process.env[name] || (asks ? await ask(`${name}: `) : undefined);
  const settled = { ...read.data, vars };
  const missing = missingSettings({ ...vars, ...stand(['LONGHAUL_AUTH_SECRET', 'LONGHAUL_MAIL_KEY', 'LONGHAUL_MASTER_KEY_1']) } as unknown as Env).filter(
    (name) => !name.startsWith('LONGHAUL_MASTER_KEY'),
  );
  if (missing.length > 0) refuse(`${missing.join(', ')}: missing, or of a form that the Worker does not take. Write them into ${relative(root, settingsPath)} under "vars".`);
  if (JSON.stringify(vars) !== JSON.stringify(read.data.vars) && !values['dry-run']) {
    mkdirSync(join(root, values.settings), { recursive: true });
    writeFileSync(settingsPath, `${JSON.stringify(settled, null, 2)}\n`);
  }
  return settled;
}

/** Values that are set cannot be read back. In their place stands something that has their form. */
function stand(set: readonly string[]): Record<string, string> {
  return Object.fromEntries(set.map((name) => [name, Buffer.alloc(32, 1).toString('base64')]));
}

/** What would be uploaded, in one digest. D1's id is no part of it: it does not change. */
async function digest(): Promise<string> {
  const bundle = mkdtempSync(join(tmpdir(), 'longhaul-deploy-'));
  try {
    const { code, said } = await run(['deploy', '--dry-run', '--outdir', bundle, '--config', configPath]);
    if (code !== 0) throw new Error(`The code cannot be bundled:\n${said}`);
    return buildDigest(config('', ''), { bundle, assets });
  } finally {
    rmSync(bundle, { recursive: true, force: true });
  }
}

async function valuesOf(wanted: readonly { name: string; source: string | null }[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const made = new Map<string, string>();
  const before = kept.read();
  for (const { name, source } of wanted) {
    if (source === 'environment') found.set(name, process.env[name] ?? '');
    else if (source === 'kept') found.set(name, before.get(name) ?? '');
    else if (source === 'asked') found.set(name, await askSecret(name));
    else made.set(name, generateSecret());
  }
  kept.add(made);
  return new Map([...found, ...made]);
}
