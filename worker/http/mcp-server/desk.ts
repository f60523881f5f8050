/**
 * Where a tool of the MCP server asks: the routes of the API, behind the same door, for the same caller. So a tool can do what its caller may do over HTTP, and is refused with the same words;
 * nothing is decided here.
 */
import type { Scope } from '../../domain/context.ts';
import { type Refusal, refuse } from '../../domain/refusals.ts';
import { addressOf } from '../identity.ts';
import { type ProblemBody, problemOf } from '../problem.ts';
import type { CallerCall } from '../route.ts';

/** What a tool answers: a value, or the problem that `docs/api.md` describes. */
export type Told<T = Record<string, unknown>> = { ok: true; value: T } | { ok: false; problem: ToolProblem };
/** `commandId`: of the command that was refused, or whose answer was lost. */
export type ToolProblem = ProblemBody & { commandId?: string };

export const told = <T>(value: T): Told<T> => ({ ok: true, value });

interface Sent {
  query?: Record<string, string | number | boolean | undefined>;
  json?: unknown;
  bytes?: Uint8Array<ArrayBuffer>;
}

const part = (text: string) => encodeURIComponent(text);

export class Desk {
  readonly call: CallerCall;
  readonly #workspace: string;
  /** The token of an Attempt that is used in place of the caller's credential. */
  readonly #token: string | undefined;

  constructor(call: CallerCall, workspace: string, token?: string) {
    this.call = call;
    this.#workspace = workspace;
    this.#token = token;
  }

  /** The same caller, by the token of an Attempt that they hold: reads and does what that may. */
  as(token: string): Desk {
    return new Desk(this.call, this.#workspace, token);
  }

  /** What the caller may do in the workspace. */
  get scopes(): readonly Scope[] {
    return this.call.caller.memberships.get(this.#workspace)?.scopes ?? [];
  }

  refused(refusal: Refusal): { ok: false; problem: ToolProblem } {
    return { ok: false, problem: problemOf(refusal, { requestId: this.call.requestId }) };
  }

  /** `path`: parts under the workspace, each still to be encoded. */
  async send(method: 'GET' | 'POST' | 'PUT', path: readonly string[], { query = {}, json, bytes }: Sent = {}): Promise<Told<Response>> {
    // A part of only dots would be resolved away. There is nothing under such a name.
    if (path.some((each) => /^\.{0,2}$/.test(each))) return this.refused(refuse('not_found'));
    const url = new URL(`/v1/workspaces/${[this.#workspace, ...path].map(part).join('/')}`, this.call.request.url);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
    const headers = new Headers(json === undefined ? {} : { 'content-type': 'application/json' });
    if (this.#token !== undefined) headers.set('authorization', `Bearer ${this.#token}`);
    const address = addressOf(this.call.request);
    if (address !== null) headers.set('cf-connecting-ip', address);
    const body = bytes ?? (json === undefined ? undefined : JSON.stringify(json));
    const response = await this.call.within(new Request(url, { method, headers, redirect: 'manual', ...(body === undefined ? {} : { body }) }));
    if (response.ok) return told(response);
    return { ok: false, problem: await response.json<ProblemBody>() };
  }

  async ask<T = Record<string, unknown>>(method: 'GET' | 'POST' | 'PUT', path: readonly string[], sent?: Sent): Promise<Told<T>> {
    const answered = await this.send(method, path, sent);
    return answered.ok ? told(await answered.value.json<T>()) : answered;
  }

  get<T = Record<string, unknown>>(path: readonly string[], query: NonNullable<Sent['query']> = {}): Promise<Told<T>> {
    return this.ask('GET', path, { query });
  }

  /** A command on a goal. The answer and the problem name the command id, so that the same command can be sent again. */
  give(goal: string, type: string, payload: object, commandId: string = crypto.randomUUID(), more: object = {}): Promise<Told> {
    return this.#command(type === 'goal.create' || type === 'goal.propose' ? ['goals'] : ['goals', goal, 'commands'], type, payload, commandId, more);
  }

  /** A command on the settings of the workspace. */
  set(type: string, payload: object, commandId: string = crypto.randomUUID(), more: object = {}): Promise<Told> {
    return this.#command(['commands'], type, payload, commandId, more);
  }

  async #command(path: readonly string[], type: string, payload: object, commandId: string, more: object): Promise<Told> {
    const answered = await this.ask('POST', path, { json: { type, commandId, payload, ...more } });
    return answered.ok ? told({ ...answered.value, commandId }) : { ok: false, problem: { ...answered.problem, commandId } };
  }

  /** This desk as the Attempt that the caller holds on the item under that fence; whoever came with the token of an Attempt is that already. */
  async atWork({ goal, item, fence }: { goal: string; item: string; fence: number }): Promise<Told<{ desk: Desk; token?: string; leaseUntil?: number }>> {
    if (this.call.caller.attempt) return told({ desk: this });
    const issued = await this.ask<{ token: string; leaseUntil: number }>('POST', ['goals', goal, 'items', item, 'token'], { json: { fence } });
    return issued.ok ? told({ desk: this.as(issued.value.token), token: issued.value.token, leaseUntil: issued.value.leaseUntil }) : issued;
  }
}
