/** What a deployment would do, decided from what is wanted and what the account says is there. Pure: nothing is asked, made or sent here. */
import { contractionsOf } from './contractions.ts';
import type { Names } from './environment.ts';

/** What the account says of an environment. */
export interface Found {
  database: { id: string } | null;
  /** Names of the D1 migrations that were applied. */
  applied: readonly string[];
  /** By name; null: there is none. `consumers` are Workers. */
  queues: ReadonlyMap<string, { consumers: readonly string[] } | null>;
  bucket: boolean;
  /** Names. Null: there is no Worker yet. */
  secrets: readonly string[] | null;
  /** The version that answers now. Null: none. `build`: what this command deployed, null where something else did. */
  live: { build: string | null; objects: string | null } | null;
}

/** Where the value of a secret would come from. Never the value. */
export type SecretSource = 'environment' | 'kept' | 'generated' | 'asked' | null;

export interface SecretWish {
  name: string;
  source: SecretSource;
  needed: boolean;
  /** Also where it is set already. */
  replace: boolean;
}

export interface Wanted {
  names: Names;
  migrations: readonly { name: string; sql: string }[];
  objectTags: readonly string[];
  crons: readonly string[];
  build: string;
  secrets: readonly SecretWish[];
  remove: readonly string[];
  /** An earlier run began to deploy this build and did not see its end. */
  unfinished: boolean;
  /** Whoever deploys says that nothing of the old form is in use. */
  contract: boolean;
}

export type Step =
  | { kind: 'resource'; what: 'database' | 'queue' | 'bucket'; name: string; act: 'exists' | 'create' }
  | { kind: 'migrations'; act: 'exists' | 'migrate'; pending: readonly { name: string; contracts: readonly string[] }[]; ahead: readonly string[] }
  | { kind: 'secret'; name: string; act: 'set' | 'put' | 'replace' | 'remove' | 'missing'; source: SecretSource }
  | { kind: 'objects'; act: 'exists' | 'migrate'; tags: readonly string[] }
  | { kind: 'code'; act: 'exists' | 'create' | 'change'; why: 'first' | 'changed' | 'unfinished' | 'consumers' | 'same' }
  | { kind: 'crons'; act: 'exists' | 'change'; crons: readonly string[] };

export interface Plan {
  steps: readonly Step[];
  /** Why nothing may be done yet. */
  blockers: readonly string[];
  /** True: a run would change nothing. */
  done: boolean;
}

const idle = new Set(['exists', 'set']);

export function planOf(wanted: Wanted, found: Found): Plan {
  const { names } = wanted;
  const resource = (what: 'database' | 'queue' | 'bucket', name: string, there: boolean): Step => ({ kind: 'resource', what, name, act: there ? 'exists' : 'create' });
  const queue = (name: string) => found.queues.get(name) ?? null;
  const secrets = secretSteps(wanted, found.secrets ?? []);
  const code = codeStep(wanted, found);
  const tags = objectSteps(wanted.objectTags, found.live?.objects ?? null);
  const known = new Set(wanted.migrations.map(({ name }) => name));
  const pending = wanted.migrations.filter(({ name }) => !found.applied.includes(name)).map(({ name, sql }) => ({ name, contracts: contractionsOf(sql) }));
  const steps: Step[] = [
    resource('database', names.database, found.database !== null),
    resource('queue', names.work, queue(names.work) !== null),
    resource('queue', names.dead, queue(names.dead) !== null),
    resource('bucket', names.bucket, found.bucket),
    ...secrets,
    { kind: 'migrations', act: pending.length > 0 ? 'migrate' : 'exists', pending, ahead: found.applied.filter((name) => !known.has(name)) },
    { kind: 'objects', act: tags.pending.length > 0 ? 'migrate' : 'exists', tags: tags.pending },
    code,
    { kind: 'crons', act: code.act === 'exists' ? 'exists' : 'change', crons: wanted.crons },
  ];
  const blockers = [
    ...secrets.flatMap((step) => (step.kind === 'secret' && step.act === 'missing' ? [`${step.name} is missing: set it in the environment of this command`] : [])),
    ...(tags.unknown === null ? [] : [`the live code has the object migration ${tags.unknown}, which this checkout lacks: it is older than what runs, and objects do not go back`]),
    // Before the first code there is nobody whom it could hurt.
    ...(found.live?.build == null || wanted.contract
      ? []
      : pending.flatMap(({ name, contracts }) =>
          contracts.map((what) => `${name} ${what}, which the code that runs now may still use: release that change later, or say --contract`),
        )),
  ];
  return { steps, blockers, done: steps.every(({ act }) => idle.has(act)) };
}

function secretSteps({ secrets, remove }: Wanted, set: readonly string[]): Step[] {
  const wished = secrets.flatMap(({ name, source, needed, replace }): Step[] => {
    const there = set.includes(name);
    if (there && !replace) return [{ kind: 'secret', name, act: 'set', source: null }];
    if (source !== null) return [{ kind: 'secret', name, act: there ? 'replace' : 'put', source }];
    return needed || replace ? [{ kind: 'secret', name, act: 'missing', source: null }] : [];
  });
  return [...wished, ...remove.filter((name) => set.includes(name)).map((name): Step => ({ kind: 'secret', name, act: 'remove', source: null }))];
}

function objectSteps(wanted: readonly string[], live: string | null): { pending: readonly string[]; unknown: string | null } {
  if (live === null) return { pending: wanted, unknown: null };
  const at = wanted.indexOf(live);
  return at < 0 ? { pending: [], unknown: live } : { pending: wanted.slice(at + 1), unknown: null };
}

function codeStep({ build, names, unfinished }: Wanted, { live, queues }: Found): Extract<Step, { kind: 'code' }> {
  if (live?.build == null) return { kind: 'code', act: 'create', why: 'first' };
  if (live.build !== build) return { kind: 'code', act: 'change', why: 'changed' };
  if (unfinished) return { kind: 'code', act: 'change', why: 'unfinished' };
  const consumes = [names.work, names.dead].every((name) => queues.get(name)?.consumers.includes(names.worker));
  return consumes ? { kind: 'code', act: 'exists', why: 'same' } : { kind: 'code', act: 'change', why: 'consumers' };
}
