/**
 * Connections that a round of an agent cannot begin without: its model, and the MCP servers whose tools it is given. Each is tested by the host before the first round that
 * needs it, and again once a setting or a secret that it rests on was changed. Here: which those are, what a test proves, and when the next one is made. Pure.
 */
import { canonical } from '../../domain/digest.ts';
import type { Json } from '../../domain/values.ts';
import type { Untested } from '../rpc.ts';
import { resolveProfile } from './resolve.ts';
import type { WorkspaceState } from './state.ts';

export interface AgentNeeds {
  profile: string;
  /** It is given the tools of MCP servers. */
  remote: boolean;
}

export interface Connection {
  /** What is tested: rounds of the same id need the same test. */
  id: string;
  kind: 'model' | 'mcp';
  /** What there is to be set right. */
  setting: string;
  /** Of the profile that a model is pinned by, or of the server. */
  name: string;
  /** For people: `provider/model`, or the server. */
  shown: string;
  /** Versions of the settings and the secret that it rests on. A test counts for these alone. */
  madeFor: string;
}

export type TestOutcome =
  | { is: 'works' }
  /** It may pass without anybody's doing. `afterMs`: as the other side asked. */
  | { is: 'later'; code: string; detail: string; afterMs?: number }
  /** Somebody has to set something right, here or on the other side. */
  | { is: 'refused'; code: string; detail: string; afterMs?: number };

export interface KeptTest {
  connection: Connection;
  /** Milliseconds. */
  at: number;
  outcome: TestOutcome;
  /** Tests in a row that did not work, for the same settings. */
  failed: number;
  /** Not tested again before; null: it works. */
  again: number | null;
}

/** The connection that the environment names, in development: it changes with the process alone. */
export const ENVIRONMENT = 'environment';

/** What of the settings is not there, as an answer to who needs it. */
export type Needed = { ok: true; connections: Connection[] } | { ok: false; untested: Untested };

/** `environment`: whether the environment names a model for workspaces that have set none. */
export function connectionsOf(state: WorkspaceState, needs: AgentNeeds, environment: boolean): Needed {
  const { settings } = state;
  const versionOf = (kind: 'provider' | 'mcp' | 'secret' | 'outgoing', name: string) => settings[kind].get(name)?.version ?? 0;
  const madeFor = (kind: 'provider' | 'mcp', name: string, secret: string | undefined) =>
    [versionOf(kind, name), secret === undefined ? 0 : versionOf('secret', secret), versionOf('outgoing', '')].join('.');
  const connections: Connection[] = [];
  const resolved = resolveProfile(state, needs.profile);
  if (resolved.ok) {
    const { profile, provider } = resolved;
    const { model, window, output, temperature } = profile;
    connections.push({
      id: `model ${canonical({ provider: provider.name, model, window: window ?? null, output: output ?? null, temperature: temperature ?? null } as Json)}`,
      kind: 'model',
      setting: `provider:${provider.name}`,
      name: needs.profile,
      shown: `${provider.name}/${model}`,
      madeFor: madeFor('provider', provider.name, provider.secret),
    });
  } else if (environment) connections.push({ id: `model ${ENVIRONMENT}`, kind: 'model', setting: ENVIRONMENT, name: needs.profile, shown: ENVIRONMENT, madeFor: '' });
  else {
    const { current, code, detail } = resolved.refusal;
    const { setting, name } = current as { setting: string; name: string };
    return { ok: false, untested: { outcome: 'untested', setting: `${setting}:${name}`, code, detail: clip(detail ?? ''), person: true, retryAfterMs: refusedAgainMs } };
  }
  if (needs.remote)
    for (const { value } of settings.mcp.values())
      if (value.tools.length > 0)
        connections.push({
          id: `mcp ${value.name}`,
          kind: 'mcp',
          setting: `mcp:${value.name}`,
          name: value.name,
          shown: value.name,
          madeFor: madeFor('mcp', value.name, value.header?.secret),
        });
  return { ok: true, connections };
}

/** A first try again after what may pass, doubling. */
const laterMs = { least: 5000, most: 10 * 60_000 };
/** What a person has to set right is tried again all the same: it may be set right on the other side, of which nothing is heard here. */
const refusedAgainMs = 30 * 60_000;
/** Longest wait that another side's word is believed. */
const wordMs = 3_600_000;
/** Tries after which what did not pass by itself is a person's matter too. */
const patience = 3;
/** A test that is under way rings who waits for it; this is for a ring, or a test, that got lost. */
const testingMs = 30_000;
/** Characters of what another side said. */
const detailLength = 300;

const clip = (text: string): string => (text.length > detailLength ? `${text.slice(0, detailLength)}…` : text);

/** `random` is in [0, 1): tests of one provider by many workspaces do not come back together. */
export function afterTest(before: KeptTest | undefined, connection: Connection, outcome: TestOutcome, now: number, random: number): KeptTest {
  if (outcome.is === 'works') return { connection, at: now, outcome, failed: 0, again: null };
  const failed = (before && counts(before, connection) ? before.failed : 0) + 1;
  const own = outcome.is === 'refused' ? refusedAgainMs : Math.min(laterMs.most, laterMs.least * 2 ** Math.min(failed - 1, 10));
  const wait = Math.max(own, Math.min(outcome.afterMs ?? 0, wordMs));
  return { connection, at: now, outcome: { ...outcome, detail: clip(outcome.detail) }, failed, again: now + Math.ceil(wait * (1 + random / 4)) };
}

/** Whether that test says something about this connection as it is set now. */
export function counts(test: KeptTest, connection: Connection): boolean {
  return test.connection.id === connection.id && test.connection.madeFor === connection.madeFor;
}

export interface ConnectionsDecision {
  /** To be tested now, those that are under way among them. */
  test: Connection[];
  /** What the round waits for; absent: all work. */
  answer?: Untested;
}

/** What somebody has to set right is named first, then what may pass, then what is under way; among several, the first in the order of `connectionsOf`. */
export function decideConnections(connections: readonly Connection[], kept: (id: string) => KeptTest | undefined, now: number): ConnectionsDecision {
  const test: Connection[] = [];
  const answers: Untested[] = [];
  for (const connection of connections) {
    const before = kept(connection.id);
    const current = before && counts(before, connection) ? before : undefined;
    const outcome = current?.outcome;
    if (outcome?.is === 'works') continue;
    const left = (current?.again ?? now) - now;
    if (left <= 0) test.push(connection);
    const failed = current && outcome ? { code: outcome.code, detail: outcome.detail, person: asksForHelp(current) } : { code: 'testing', detail: '', person: false };
    answers.push({ outcome: 'untested', setting: connection.setting, ...failed, retryAfterMs: left <= 0 ? testingMs : Math.max(1000, left) });
  }
  const rank = ({ code, person }: Untested) => (person ? 0 : code === 'testing' ? 2 : 1);
  const [answer] = answers.toSorted((a, b) => rank(a) - rank(b));
  return answer ? { test, answer } : { test };
}

export function asksForHelp({ outcome, failed }: KeptTest): boolean {
  return outcome.is === 'refused' || (outcome.is === 'later' && failed >= patience);
}
