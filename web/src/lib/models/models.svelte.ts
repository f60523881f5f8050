/** What is set about models in this workspace, and which servers answer on this machine; read once, and again after a change. */
import { findLocalServers, type LocalServer, modelOf, readSecrets, readSettings, type SecretName, type Settings } from '../api/workspace.ts';
import type { Problem } from '../api/client.ts';

class Models {
  settings = $state.raw<Settings | null>(null);
  secrets = $state.raw<SecretName[]>([]);
  problem = $state.raw<Problem | null>(null);
  local = $state.raw<LocalServer[] | null>(null);

  /** What carries the coordinator lane, an intake among it. */
  get coordinator(): ReturnType<typeof modelOf> {
    return this.settings ? modelOf(this.settings, 'coordinator') : null;
  }

  async load(): Promise<void> {
    const [settings, secrets] = await Promise.all([readSettings(), readSecrets()]);
    if (settings.ok) {
      this.settings = settings.value;
      this.problem = null;
    } else this.problem = settings.problem;
    if (secrets.ok) this.secrets = secrets.value;
  }

  async look(): Promise<void> {
    this.local = await findLocalServers();
  }
}

export const models = new Models();
