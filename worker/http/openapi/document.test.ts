/** The contract covers every route and every command, once each; the usual linter finds nothing in it; its examples fit. That real answers fit it, the tests in workerd say. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { commandTypes } from '../../domain/commands.ts';
import { scopes } from '../../domain/context.ts';
import { refusalTable } from '../../domain/refusals.ts';
import { workspaceCommandTypes } from '../../workspace/core/catalogue.ts';
import { peopleCommandTypes } from '../../workspace/people/catalogue.ts';
import { goalCommands, peopleCommands, schemaName, workspaceCommands } from './command-bodies.ts';
import { openApiDocument } from './document.ts';
import { examples } from './examples.ts';
import { operations } from './operations.ts';

vi.hoisted(() => Object.assign(globalThis, { __LONGHAUL_DEV__: true }));
const { developmentRoutes, routes } = await import('../routes.ts');
/** Routes of a production build. */
const published = routes.filter((route) => !developmentRoutes.includes(route));

interface Operation {
  operationId: string;
  security: { token?: string[] }[];
  responses: Record<string, unknown>;
  parameters?: { name: string }[];
  requestBody?: { content: Record<string, { schema: { discriminator?: { mapping: Record<string, string> } } }> };
}
let document: { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, unknown> } };
beforeAll(() => {
  document = openApiDocument(routes) as unknown as typeof document;
});
const operation = (path: string, method: string): Operation => {
  const found = document.paths[path]?.[method];
  if (!found) throw new Error(`${method} ${path}`);
  return found;
};

describe('the contract', () => {
  it('has every route and no other', () => {
    const names = published.map((route) => `${route.method} ${route.path}`);
    expect(Object.keys(operations).sort()).toEqual([...names].sort());
    expect(new Set(names).size).toBe(names.length);
    const ids = Object.values(operations).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const route of developmentRoutes) expect(JSON.stringify(Object.keys(document.paths))).not.toContain(route.path.replace(':workspace', '{workspace}'));
  });

  it('names the scope of each, and who is let in without one', () => {
    for (const route of published) {
      const { security } = operation(route.path.replaceAll(/:([a-z]+)(\{[^}]*\})?/gi, '{$1}'), route.method.toLowerCase());
      const scoped = (scopes as readonly string[]).includes(route.may);
      expect(security, route.path).toEqual(route.may === 'anyone' ? [] : [{ token: scoped ? [route.may] : [] }, { session: scoped ? [route.may] : [] }]);
    }
  });

  it('has a body for each command of the three catalogues', () => {
    const mapped = (path: string) => Object.keys(operation(path, 'post').requestBody?.content['application/json']?.schema.discriminator?.mapping ?? {});
    const goal = mapped('/v1/workspaces/{workspace}/goals/{goal}/commands');
    expect([...goal, 'goal.create', 'goal.propose'].sort()).toEqual([...commandTypes].sort());
    expect(mapped('/v1/workspaces/{workspace}/commands')).toEqual(workspaceCommandTypes);
    expect(mapped('/v1/workspaces/{workspace}/people/commands')).toEqual(peopleCommandTypes);
    for (const type of [...commandTypes, ...workspaceCommandTypes, ...peopleCommandTypes]) expect(document.components.schemas).toHaveProperty([schemaName(type)]);
  });

  it('has every refusal code, each under its status', () => {
    const text = JSON.stringify(document);
    for (const [code, { status }] of Object.entries(refusalTable)) {
      expect(text).toContain(`\`${code}\`: `);
      expect(text).toContain(`"#/components/responses/Refused${status}"`);
    }
  });

  it('says how often, what is sent once, and on which version', () => {
    const given = operation('/v1/workspaces/{workspace}/goals/{goal}/commands', 'post');
    expect(given.parameters?.map(({ name }) => name)).toEqual(['Idempotency-Key', 'If-Match']);
    expect(Object.keys(given.responses)).toEqual(expect.arrayContaining(['200', '401', '403', '404', '409', '412', '422', '428', '429', '503']));
    expect(JSON.stringify(given.responses['200'])).toContain('RateLimit-Policy');
    expect(operation('/v1/workspaces/{workspace}/goals', 'get').parameters?.map(({ name }) => name)).toContain('cursor');
  });

  it('is clean under the recommended rules of the linter', { timeout: 60_000 }, async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const found = await lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config });
    // What answers everybody in the same way has nothing to refuse; an open socket is 101, where a file is 303, and where there is no stream 405.
    const known = (ruleId: string, at: string | undefined) => {
      const [path = '', method = ''] = (at ?? '')
        .split('/')
        .slice(2)
        .map((part) => part.replaceAll('~1', '/'));
      if (ruleId === 'operation-4xx-response') return ['/healthz', '/.well-known/agent-card.json', '/v1/openapi.json'].includes(path);
      return ruleId === 'operation-2xx-response' && Object.keys(operation(path, method).responses).some((status) => ['101', '303', '405'].includes(status));
    };
    const left = found.map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer })).filter(({ ruleId, at }) => !known(ruleId, at));
    expect(left).toEqual([]);
  });

  it.each([
    ['create', examples.create.body, goalCommands],
    ['answer', examples.answer.body, goalCommands],
    ['secret', examples.secret.body, workspaceCommands],
    ['token', examples.token.body, peopleCommands],
  ] as const)('its example %s fits', (_name, body, commands) => {
    const command = commands.find(({ type }) => type === body.type);
    expect(command?.schema.safeParse(body).error).toBeUndefined();
  });
});
