/** What is set about models in this workspace, and which servers answer on this machine; read once, and again after a change. */
import type { Problem } from '../api/client.ts';
import { findLocalServers, type KnownModel, type LocalServer, modelOf, readCatalogue, readSecrets, readSettings, type SecretName, type Settings } from '../api/workspace.ts';
import type { Prices } from '../api/types.ts';

/** The server that the environment of this installation names (`LONGHAUL_MODEL_URL`), as the list of local ones has it. */
const fromEnvironment = 'local';

class Models {
  settings = $state.raw<Settings | null>(null);
  secrets = $state.raw<SecretName[]>([]);
  problem = $state.raw<Problem | null>(null);
  local = $state.raw<LocalServer[] | null>(null);
  /** By provider. */
  known = $state.raw<Record<string, KnownModel[]>>({});

  /** What carries the coordinator lane, an intake among it; null: nothing does. */
  get coordinator(): { provider: string; model: string; prices: Prices | null } | null {
    const set = this.settings ? modelOf(this.settings, 'coordinator') : null;
    if (set) return { ...set, prices: set.prices ?? this.known[set.provider]?.find((model) => model.id === set.model)?.prices ?? null };
    const named = this.local?.find((server) => server.name === fromEnvironment);
    return named ? { provider: named.name, model: named.models[0]?.id ?? named.baseUrl, prices: null } : null;
  }

  async load(): Promise<void> {
    const [settings, secrets] = await Promise.all([readSettings(), readSecrets()]);
    if (settings.ok) {
      this.settings = settings.value;
      this.problem = null;
    } else this.problem = settings.problem;
    if (secrets.ok) this.secrets = secrets.value;
    const names = this.settings?.providers.map((entry) => entry.value.name) ?? [];
    const lists = await Promise.all(names.map(async (name): Promise<[string, KnownModel[]]> => [name, await readCatalogue(name)]));
    this.known = Object.fromEntries(lists);
  }

  async look(): Promise<void> {
    this.local = await findLocalServers();
  }
}

export const models = new Models();
