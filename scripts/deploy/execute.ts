/** Does what a plan says, in the order in which nothing that runs is hurt. Whatever fails, a later run finds what is done and goes on. */
import type { Cloud } from './cloud.ts';
import type { Plan, Step } from './plan.ts';

export interface Execution {
  cloud: Cloud;
  location?: string;
  /** Values by name, for what the plan puts. */
  secrets: ReadonlyMap<string, string>;
  /** Writes the configuration with this id of D1. */
  configure(databaseId: string): void;
  databaseId: string | null;
  /** Before and after the code is deployed: what a run that dies between leaves behind. */
  mark(unfinished: boolean): void;
  tell(line: string): void;
}

export class Halted extends Error {
  readonly step: string;
  constructor(step: string, cause: unknown) {
    super(`${step} failed: ${cause instanceof Error ? cause.message : String(cause)}`);
    this.name = 'Halted';
    this.step = step;
  }
}

/**
 * 1. What must exist. 2. Secrets, so that the first code that answers has them. 3. D1's migrations, while the code before them still runs. 4. Code, with the migrations of objects, the
 * crons and the consumers: one upload.
 */
export async function execute(plan: Plan, { cloud, location, secrets, configure, databaseId, mark, tell }: Execution): Promise<void> {
  const doing = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    tell(`${what} ...`);
    try {
      return await work();
    } catch (error) {
      throw new Halted(what, error);
    }
  };
  let id = databaseId;
  for (const step of plan.steps) {
    if (step.kind !== 'resource' || step.act !== 'create') continue;
    await doing(`create the ${step.what} ${step.name}`, async () => {
      if (step.what === 'database') id = await cloud.createDatabase(step.name, location);
      else await (step.what === 'queue' ? cloud.createQueue(step.name) : cloud.createBucket(step.name));
    });
  }
  if (id === null) throw new Halted('find the database', 'it has no id');
  configure(id);

  const changed = plan.steps.filter((step): step is Extract<Step, { kind: 'secret' }> => step.kind === 'secret' && ['put', 'replace', 'remove'].includes(step.act));
  if (changed.length > 0)
    await doing(`send ${changed.map(({ name, act }) => (act === 'remove' ? `${name} (away)` : name)).join(', ')}`, () =>
      cloud.putSecrets(
        new Map(
          changed.map(({ name, act }) => {
            const value = act === 'remove' ? null : secrets.get(name);
            if (value === undefined) throw new Error(`${name} has no value`);
            return [name, value];
          }),
        ),
      ),
    );

  const migrates = plan.steps.find((step) => step.kind === 'migrations');
  if (migrates?.act === 'migrate') await doing(`migrate the database (${migrates.pending.map(({ name }) => name).join(', ')})`, () => cloud.migrateDatabase());

  const code = plan.steps.find((step) => step.kind === 'code');
  if (code && code.act !== 'exists') {
    mark(true);
    await doing('deploy the code', () => cloud.deployCode());
    mark(false);
  }
}
