/** What a route is: one typed row of a list, so that who may do what can be read, tested and documented from it. */
import type { Caller } from '../auth/caller.ts';
import type { Scope } from '../domain/context.ts';
import type { Refusal } from '../domain/refusals.ts';
import type { Env } from '../env.ts';
import { withEverywhere } from './headers.ts';
import type { Member } from './identity.ts';

/**
 * `anyone`: no credential. `signed_in`: whoever has one, a token too. `operator`: who runs the installation. `catalogue`: a member of the workspace; each command says itself who may give it.
 * Else a member with this scope.
 */
export type May = 'anyone' | 'signed_in' | 'operator' | 'catalogue' | Scope;

/** A request whose caller was recognized and whose workspace and goal ids are well formed. */
export interface Call {
  request: Request;
  env: Env;
  requestId: string;
  query: URLSearchParams;
  /** Parts of the path, percent-decoded. A `path` part can hold slashes. */
  params: Readonly<Record<string, string>>;
  member: Member;
  workspace: string;
}

export interface OpenCall {
  request: Request;
  env: Env;
  requestId: string;
  /** Parts of the path, percent-decoded. */
  params: Readonly<Record<string, string>>;
}

/** A request that belongs to no workspace, of a caller who was recognized. */
export interface CallerCall extends Omit<OpenCall, 'params'> {
  query: URLSearchParams;
  params: Readonly<Record<string, string>>;
  caller: Caller;
  /** Another route of the same table, behind the same door, for the same caller; a request with an `authorization` of its own is for whoever that is. */
  within(request: Request): Promise<Response>;
}

interface RouteHead {
  method: 'GET' | 'POST' | 'PUT';
  /** In Hono's notation; starts with `/v1/workspaces/:workspace` for everything that belongs to one. */
  path: string;
  summary: string;
}

/** `attempt`: also open to the token of an Attempt of that goal, whose scopes are none; what it answers is what that Attempt may read or do. */
export type WorkspaceRoute = RouteHead & { may: 'catalogue' | Scope; attempt?: true; handle(call: Call): Promise<Response | Refusal> };
export type CallerRoute = RouteHead & { may: 'signed_in' | 'operator'; handle(call: CallerCall): Promise<Response | Refusal> };
export type OpenRoute = RouteHead & { may: 'anyone'; handle(call: OpenCall): Promise<Response | Refusal> };
export type Route = WorkspaceRoute | CallerRoute | OpenRoute;

/** A JSON answer about things that change: never stored by caches. */
export function answer(value: unknown, init: { status?: number; headers?: Record<string, string> } = {}): Response {
  return withEverywhere(JSON.stringify(value), init.status ?? 200, { 'content-type': 'application/json', 'cache-control': 'no-store', ...init.headers });
}
