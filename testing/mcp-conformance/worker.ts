/** Longhaul whole, with one address more: `/v1/mcp-fixtures`, the MCP server of `/mcp` with what the conformance suite asks for by name. */
import type { Env } from '../../worker/env.ts';
import { appOf } from '../../worker/http/app.ts';
import { mcpRouteOf, serverFor } from '../../worker/http/mcp-server/route.ts';
import type { CallerRoute } from '../../worker/http/route.ts';
import { routes } from '../../worker/http/routes.ts';
import worker from '../../worker/index.ts';
import { withFixtures } from './fixtures.ts';

export { GoalObject, OutboxObject, Runner, WorkspaceObject } from '../../worker/index.ts';

const handle = mcpRouteOf((desk) => withFixtures(serverFor(desk)));
const fixtures = (['POST', 'GET'] as const).map((method): CallerRoute => ({ method, path: '/v1/mcp-fixtures', may: 'signed_in', summary: 'For the conformance suite', handle }));
const app = appOf([...routes, ...fixtures]);

export default { ...worker, fetch: (request, env, context) => app.fetch(request, env, context) } satisfies ExportedHandler<Env>;
