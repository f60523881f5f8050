/** What a workspace opens for its rounds and its outbox: profiles with their keys, secrets, servers of tools, the rules. A secret leaves the object here and nowhere else. */
import { refuse } from '../domain/refusals.ts';
import type { SlowDowns } from '../models/slow-downs.ts';
import { log } from '../observe/log.ts';
import { hasModel, resolveProfile } from './core/resolve.ts';
import { outgoingOf, rulesOf, usersOf, type WorkspaceState } from './core/state.ts';
import { progressByGoal } from './links.ts';
import { openOutlets } from './open-outlets.ts';
import type { OpenAnswer, OpenedLinks, OpenedMcpServer, Opening, OpenRequest } from './rpc.ts';
import type { Opened, Vault } from './sealing/vault.ts';
import type { Provider } from './settings.ts';
import type { WorkspaceStore } from './workspace-store.ts';

/** That a secret was used is kept to the minute, so that a round with many calls is not as many writes. */
const minuteMs = 60_000;

export interface OpeningsPorts {
  workspace: string;
  store: WorkspaceStore;
  vault: Vault;
  /** By provider. */
  slow: SlowDowns;
  state(): WorkspaceState;
  /** The key of the workspace's links; makes the data key where there is none. */
  linkKey(): Promise<Opened<string>>;
}

export class Openings {
  readonly #ports: OpeningsPorts;

  constructor(ports: OpeningsPorts) {
    this.#ports = ports;
  }

  async open(request: OpenRequest): Promise<OpenAnswer> {
    const { store } = this.#ports;
    const state = this.#ports.state();
    const { version } = state;
    switch (request.what) {
      case 'profile': {
        const { profile: name } = request as OpenRequest<'profile'>;
        const resolved = resolveProfile(state, name);
        if (!resolved.ok) return { outcome: 'refused', refusal: resolved.refusal };
        const { profile, provider } = resolved;
        const key = await this.#keyOf(provider);
        const slowMs = this.#ports.slow.left(provider.name, Date.now());
        return key.ok ? { outcome: 'opened', profile, provider, ...key.value, ...(slowMs > 0 ? { slowMs } : {}), version } : { outcome: 'refused', refusal: key.refusal };
      }
      case 'provider': {
        const { provider: name } = request as OpenRequest<'provider'>;
        const provider = state.settings.provider.get(name)?.value;
        if (!provider) return { outcome: 'refused', refusal: refuse('setting_missing', { detail: `there is no provider ${name}`, current: { setting: 'provider', name } }) };
        const key = await this.#keyOf(provider);
        return key.ok ? { outcome: 'opened', provider, ...key.value, version } : { outcome: 'refused', refusal: key.refusal };
      }
      case 'secret': {
        const { name } = request as OpenRequest<'secret'>;
        const users = usersOf(state, name);
        if (users.length > 0)
          return { outcome: 'refused', refusal: refuse('forbidden', { detail: `the secret ${name} is that of ${users.join(', ')}; tools use others`, current: { by: users } }) };
        const opened = await this.secret(name);
        return opened.ok ? { outcome: 'opened', ...opened.value } : { outcome: 'refused', refusal: opened.refusal };
      }
      case 'outgoing':
        return { outcome: 'opened', policy: outgoingOf(state), version };
      case 'mcp':
        return { outcome: 'opened', servers: await Promise.all([...state.settings.mcp.values()].map((kept) => this.#mcp(kept.value))), version };
      case 'outlets':
        return { outcome: 'opened', ...(await openOutlets(state, (name) => this.secret(name))), links: await this.#links(state), policy: outgoingOf(state), version };
      case 'policy': {
        const { goal } = request as OpenRequest<'policy'>;
        const agents = hasModel(state);
        if (!agents && goal !== undefined && !store.waits(goal, 'model')) store.transaction(() => store.wait(goal, Date.now(), 'model'));
        return { outcome: 'opened', rules: rulesOf(state), agents, version };
      }
      default:
        return { outcome: 'refused', refusal: refuse('schema_invalid', { errors: [{ pointer: '/what', code: 'invalid_value' }] }) };
    }
  }

  async #links(state: WorkspaceState): Promise<OpenedLinks | null> {
    const key = await this.#ports.linkKey();
    return key.ok ? { key: key.value, progress: progressByGoal(key.value, this.#ports.workspace, state, Date.now()) } : null;
  }

  /** The value of a secret, and that it was used. */
  async secret(name: string): Promise<Opened<Opening['secret']['give']>> {
    const { store, vault, workspace } = this.#ports;
    const sealed = store.sealed(name);
    if (!sealed) return { ok: false, refusal: refuse('setting_missing', { detail: `there is no secret ${name}`, current: { setting: 'secret', name } }) };
    const opened = await vault.unseal(name, sealed.version, sealed);
    if (opened.ok) {
      const now = Date.now();
      if (now - (store.secretUsed(name, sealed.version) ?? 0) >= minuteMs) store.transaction(() => store.useSecret(name, sealed.version, now));
      return { ok: true, value: { value: opened.value, secretVersion: sealed.version } };
    }
    log('error', 'workspace', 'secret.unopened', { workspace, problem: opened.refusal.errors?.[0]?.code ?? null });
    return opened;
  }

  async #mcp(server: OpenedMcpServer['server']): Promise<OpenedMcpServer> {
    if (!server.header) return { server, headers: {}, secrets: [] };
    const opened = await this.secret(server.header.secret);
    if (!opened.ok) return { server, headers: {}, secrets: [], refusal: opened.refusal };
    const { value } = opened.value;
    return { server, headers: { [server.header.name]: `${server.header.prefix}${value}` }, secrets: [value] };
  }

  async #keyOf(provider: Provider): Promise<Opened<{ key?: string }>> {
    if (provider.secret === undefined) return { ok: true, value: {} };
    const opened = await this.secret(provider.secret);
    return opened.ok ? { ok: true, value: { key: opened.value.value } } : opened;
  }
}
