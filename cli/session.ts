/** What every command works with: the client, the workspace, and where its payload goes. */
import { text } from 'node:stream/consumers';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { answered, type Client, createClient, type paths } from '../client/index.ts';
import { type Credentials, credentials } from './credentials.ts';
import { Usage } from './exit.ts';

export interface Options {
  url?: string;
  workspace?: string;
  json?: boolean;
}

/** What every command that changes something takes beside its payload. */
export interface Given {
  id?: string;
  reason?: string;
  dryRun?: true;
}
export const given = (command: Command) =>
  command.option('--id <id>', 'command id: the same id is the same command').option('--reason <text>', 'why, for the record').option('--dry-run', 'decide, and change nothing');
export const more = ({ reason, dryRun }: Given) => ({ ...(reason === undefined ? {} : { reason }), ...(dryRun ? { dryRun } : {}) });

export type CommandBody = paths['/v1/workspaces/{workspace}/goals/{goal}/commands']['post']['requestBody']['content']['application/json'];
type WorkspaceCommandBody = paths['/v1/workspaces/{workspace}/commands']['post']['requestBody']['content']['application/json'];

const archiveMs = 3_600_000;

export class Session {
  readonly credentials: Credentials;
  readonly client: Client;
  readonly json: boolean;
  #workspace: string | undefined;

  constructor(options: Options) {
    this.credentials = credentials(options);
    this.client = createClient(this.credentials);
    this.json = options.json === true;
    this.#workspace = this.credentials.workspace;
  }

  /** For archives and logs: a whole one may take its time. */
  get slow(): Client {
    return createClient({ ...this.credentials, timeoutMs: archiveMs });
  }

  /** The one that was named, or the only one there is. */
  async workspace(): Promise<string> {
    if (this.#workspace !== undefined) return this.#workspace;
    const { workspaces } = await answered(this.client.GET('/v1/me'));
    const [only, ...others] = workspaces;
    if (!only || others.length > 0) throw new Usage(`Say which workspace (--workspace): ${workspaces.map(({ id }) => id).join(', ') || 'you are in none'}.`);
    this.#workspace = only.id;
    return only.id;
  }

  async path(goal: string): Promise<{ workspace: string; goal: string }> {
    return { workspace: await this.workspace(), goal };
  }

  /** One command to a goal. The id is told where it was made up here, so that it can be sent again. */
  async command(goal: string, body: { type: string; payload?: unknown; expected?: object; reason?: string; dryRun?: boolean }, id: string | undefined) {
    const commandId = id ?? randomUUID();
    if (id === undefined) note(`command id ${commandId}`);
    return answered(this.client.POST('/v1/workspaces/{workspace}/goals/{goal}/commands', { params: { path: await this.path(goal) }, body: { ...body, commandId } as CommandBody }));
  }

  /** One command on the settings of the workspace, and its answer. `expect`: the version of the setting that it was decided on. */
  async set(type: string, payload: unknown, options: Given & { expect?: number }): Promise<void> {
    const commandId = options.id ?? randomUUID();
    if (options.id === undefined) note(`command id ${commandId}`);
    const body = { type, commandId, payload, ...(options.expect === undefined ? {} : { expected: { version: options.expect } }), ...more(options) } as WorkspaceCommandBody;
    this.out(await answered(this.client.POST('/v1/workspaces/{workspace}/commands', { params: { path: { workspace: await this.workspace() } }, body })));
  }

  /** The payload: JSON in one line, or as `shown` has it for a person. */
  out<T>(value: T, shown?: (value: T) => string): void {
    process.stdout.write(`${this.json || !shown ? JSON.stringify(value, null, this.json ? undefined : 2) : shown(value)}\n`);
  }
}

/** Diagnostics; never the payload. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** JSON from an argument: itself, `@FILE`, or `-` for standard input. */
export async function jsonFrom(argument: string): Promise<unknown> {
  const source = argument === '-' ? await text(process.stdin) : argument.startsWith('@') ? fileText(argument.slice(1)) : argument;
  try {
    return JSON.parse(source);
  } catch (error) {
    throw new Usage(`no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export function fileBytes(path: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    throw new Usage(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
const fileText = (path: string) => new TextDecoder().decode(fileBytes(path));

/** A number of an option. */
export function whole(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Usage(`${text} is no whole number.`);
  return Number(text);
}

/** For an option that may be repeated. */
export const collect = (value: string, before: string[]) => [...before, value];

/** So many entries of a list, page by page. */
export async function pages<T>(limit: number, ask: (query: { limit: number; cursor?: number }) => Promise<{ data: T[]; nextCursor: string | null }>): Promise<T[]> {
  const found: T[] = [];
  for (let cursor: number | undefined; found.length < limit; ) {
    const page = await ask({ limit: Math.min(200, limit - found.length), ...(cursor === undefined ? {} : { cursor }) });
    found.push(...page.data);
    if (page.nextCursor === null) break;
    cursor = Number(page.nextCursor);
  }
  return found;
}

/** `a=1` pairs as an object; a value that is JSON counts as that, else as text. */
export function fieldsFrom(pairs: readonly string[]): { [key: string]: unknown } {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new Usage(`${pair}: write name=value.`);
      const value = pair.slice(at + 1);
      try {
        return [pair.slice(0, at), JSON.parse(value) as unknown];
      } catch {
        return [pair.slice(0, at), value];
      }
    }),
  );
}
