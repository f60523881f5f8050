/** Holds every answer that a test gets against the contract: its status, its schema (with no field beside it), its refusal code. What does not fit fails the test. */
import type { Env } from '../../env.ts';
import { appOf } from '../app.ts';
import { problem } from '../openapi/answers.ts';
import { refusalsOf } from '../openapi/document.ts';
import { operations } from '../openapi/operations.ts';
import { developmentRoutes, routes } from '../routes.ts';

const known = routes
  .filter((route) => !developmentRoutes.includes(route))
  .map((route) => ({
    route,
    operation: operations[`${route.method} ${route.path}`],
    address: new RegExp(`^${route.path.replaceAll('.json', '\\.json').replaceAll(/:[a-z]+(\{[^}]*\})?/gi, (_, rest?: string) => (rest ? '.+' : '[^/]+'))}$`),
  }));

/** Operations that answered something other than a refusal, by id. */
export const answeredWell = new Set<string>();

export async function conforms(request: Request, response: Response): Promise<void> {
  const { pathname } = new URL(request.url);
  const found = known.find(({ route, address }) => route.method === request.method && address.test(pathname));
  if (!found) return;
  const { route, operation } = found;
  const at = `${request.method} ${route.path} answered ${response.status}`;
  if (!operation) throw new Error(`${at}: the contract does not have it`);
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('problem+json')) {
    const parsed = problem.safeParse(await response.clone().json());
    if (!parsed.success) throw new Error(`${at}: ${parsed.error.message}`);
    if (parsed.data.status !== response.status || !refusalsOf(route, operation).has(parsed.data.code))
      throw new Error(`${at} with ${parsed.data.code}: the contract does not say so`);
    return;
  }
  const answers: Readonly<Record<string, unknown>> = operation.answers;
  const answer = answers[response.status] ?? (response.status >= 300 && response.status < 500 ? answers['4XX'] : undefined);
  if (answer === undefined) throw new Error(`${at}: the contract does not say so`);
  if (response.ok || response.status === 101) answeredWell.add(operation.id);
  if (answer === null || typeof answer !== 'object' || !('safeParse' in answer) || operation.tag === 'signing_in') return;
  if (operation.streams && type.startsWith('text/event-stream')) return;
  const parsed = (answer as typeof problem).safeParse(await response.clone().json());
  if (!parsed.success) throw new Error(`${at}: ${parsed.error.message}`);
}

const app = appOf(routes);

/** The app, each of whose answers is held against the contract. */
export const checkedApp = {
  async fetch(request: Request, env: Env): Promise<Response> {
    const response = await app.fetch(request, env);
    await conforms(request, response);
    return response;
  },
};
