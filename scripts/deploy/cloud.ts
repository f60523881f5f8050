/** The account as this command sees it. `wrangler-cloud.ts` is the real one. Reading changes nothing; every change may be repeated. */
import type { Found } from './plan.ts';

export interface Cloud {
  found(): Promise<Found>;
  /** Returns its id. */
  createDatabase(name: string, location?: string): Promise<string>;
  createQueue(name: string): Promise<void>;
  createBucket(name: string): Promise<void>;
  /** Null takes the secret away. All in one change; a Worker that is not there yet is made as an empty one. */
  putSecrets(values: ReadonlyMap<string, string | null>): Promise<void>;
  /** The configuration must be written. */
  migrateDatabase(): Promise<void>;
  /** Code, assets, object migrations, crons and consumers, as the configuration says. */
  deployCode(): Promise<void>;
}
