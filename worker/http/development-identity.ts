/**
 * The development sign-in: on a loopback address, in a development build, `LONGHAUL_DEV = "1"`, everyone is `person:local`.
 * Nothing of this file may be in a production bundle; `production-bundle.test.ts` looks for its marker there.
 */
import type { Caller } from '../auth/caller.ts';
import { developmentPrincipal } from '../auth/development-settings.ts';
import { scopes } from '../domain/context.ts';
import { workspacePattern } from '../goal/goal-id.ts';

/** Found in a bundle exactly when the sign-in is in it. */
const marker = 'longhaul-development-sign-in';

interface DevelopmentSettings {
  LONGHAUL_DEV?: string;
  LONGHAUL_DEV_WORKSPACES?: string;
}

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]', '::1']);

/** Both the address the request came to and the address it came from must be of this machine: a Host header alone can be made up. */
function fromThisMachine(request: Request): boolean {
  const host = request.headers.get('host');
  const caller = request.headers.get('cf-connecting-ip');
  if (!loopback.has(hostnameOf(hostOf(request.url)))) return false;
  if (host !== null && !loopback.has(hostnameOf(host))) return false;
  return caller === null || caller === '::1' || caller.startsWith('127.') || caller.startsWith('::ffff:127.');
}

/** Of an address as the runtime has normalised it. */
const hostOf = (url: string) => url.split('/', 3)[2] ?? '';

function hostnameOf(host: string): string {
  return host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1) : host.replace(/:\d+$/, '');
}

export function developmentCaller(request: Request, env: DevelopmentSettings): Caller | undefined {
  if (env.LONGHAUL_DEV !== '1' || !fromThisMachine(request)) return undefined;
  const workspaces = (env.LONGHAUL_DEV_WORKSPACES ?? 'local')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => workspacePattern.test(name));
  return {
    principal: developmentPrincipal,
    kind: 'person',
    credential: 'development',
    memberships: new Map(workspaces.map((id) => [id, { name: id, role: 'owner', scopes }])),
    goals: null,
    attempt: null,
    person: null,
    operator: true,
    via: marker,
  };
}
