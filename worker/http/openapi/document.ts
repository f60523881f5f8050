/** The contract as OpenAPI 3.1, made from the route table, the catalogues of commands, the table of refusals and the schemas. Nothing in it is written twice. */
import { z } from 'zod';
import { scopeMeans } from '../../domain/roles.ts';
import { type RefusalCode, refusalTable } from '../../domain/refusals.ts';
import { sha256Hex, slug } from '../../domain/values.ts';
import { goalIdPattern } from '../../goal/goal-id.ts';
import type { Route } from '../route.ts';
import { type CommandBody, creationPayloads, creationTypes, goalCommands, peopleCommands, workspaceCommands } from './command-bodies.ts';
import { type Answer, type Body, type HeaderName, type Operation, tags } from './operation.ts';
import { operations } from './operations.ts';
import { answerParts, bodyParts } from './parts.ts';
import { componentSchemas, parameterSchema, reference, type Schema } from './schemas.ts';

const version = '1.0.0';

const description = `Every change is one command of a closed catalogue; reads are REST; what is refused says why, as \`application/problem+json\` with a \`code\`.

**Idempotency.** \`commandId\` in the body or \`Idempotency-Key\`: the same id with the same body gives the same answer with \`replayed: true\`, as long as the goal lives; with another body \`command_reused\`. A refusal is not remembered. Where an answer was lost (\`effect: unknown\`), send the same id again.

**Concurrency.** Where a command expects a version, send it in \`expected\`, or the \`ETag\` of a read as \`If-Match\`. Missing: 428 \`version_required\`. Stale: 412, and \`current\` has what is current.

**Lists.** \`{data, nextCursor}\`, newest first. Send \`nextCursor\` back as \`cursor\`, unread; null is the end. Pages are cut by keys that never change.

**How often.** \`RateLimit-Policy\` and \`RateLimit\` come with every answer of a known caller; over it 429 with \`Retry-After\`.

**Answers** may gain fields: pass over those that you do not know. Times are milliseconds since the epoch.

\`x-scope\` of an operation is the scope that a member or a token needs; \`x-by\` of a command who may give it.`;

/** `/facts/:key{.+}` as a template. */
const template = (path: string) => path.replaceAll(/:([a-z]+)(\{[^}]*\})?/gi, '{$1}');

const pathSchemas: Readonly<Record<string, Schema>> = {
  goal: { type: 'string', pattern: goalIdPattern.source },
  digest: { type: 'string', pattern: patternOf(sha256Hex) },
  name: { type: 'string', pattern: patternOf(slug) },
};
function patternOf(schema: z.ZodString): string {
  const found = z.toJSONSchema(schema).pattern;
  if (found === undefined) throw new Error('no pattern');
  return found;
}

const headers: Readonly<Record<HeaderName, Schema>> = {
  'Idempotency-Key': { description: 'The command id, where the body holds none.', schema: { type: 'string', minLength: 1, maxLength: 200 } },
  'If-Match': { description: 'The entity tag of a read of the goal or of the item; counts where `expected` does not say it.', schema: { type: 'string' } },
  'Last-Event-ID': {
    description: 'The id of the last event that arrived: goes before `after`. Browsers send it when they come back.',
    schema: { type: 'string', pattern: '^\\d{1,15}$' },
  },
  'Content-Digest': { description: 'RFC 9530: `sha-256=:base64:`.', schema: { type: 'string' } },
};

function bodyRef(schema: z.ZodType, id: string): Schema {
  if (!bodyParts.has(schema)) bodyParts.add(schema, { id });
  return reference(bodyParts.get(schema)?.id ?? id);
}

const json = (schema: Schema, example?: unknown): Schema => ({ 'application/json': { schema, ...(example === undefined ? {} : { example }) } });
const binary: Schema = { type: 'string', format: 'binary' };

function choice(commands: readonly CommandBody[]): Schema {
  return {
    oneOf: commands.map((command) => reference(command.id)),
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(commands.map(({ type, id }) => [type, `#/components/schemas/${id}`])) },
  };
}

function contentOf(body: Body, id: string, example: unknown): Schema {
  switch (body) {
    case 'goal_commands':
      return json(choice(goalCommands.filter(({ type }) => !creationTypes.has(type))), example);
    case 'goal_creation':
      return json(
        {
          anyOf: [...goalCommands.filter(({ type }) => creationTypes.has(type)).map((command) => reference(command.id)), ...creationPayloads.map((schema) => bodyRef(schema, id))],
        },
        example,
      );
    case 'workspace_commands':
      return json(choice(workspaceCommands), example);
    case 'people_commands':
      return json(choice(peopleCommands), example);
    case 'bytes':
      return { 'application/octet-stream': { schema: binary } };
    case 'tar':
      return { 'application/x-tar': { schema: binary } };
    default:
      return json(bodyRef(body, `${capital(id)}Body`), example);
  }
}

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

function answerContent(answer: Answer, status: string, id: string, example: unknown): Schema {
  if (answer === 'bytes') return { 'application/octet-stream': { schema: binary } };
  if (answer === 'tar') return { 'application/x-tar': { schema: binary } };
  if (answer === 'rows') return { 'application/x-ndjson': { schema: { type: 'string' } }, 'text/csv': { schema: { type: 'string' } } };
  if ('frames' in answer) {
    const schema = reference(answerParts.get(answer.frames)?.id ?? id);
    // Each is the `data` of one event. For what comes over a socket a document has no place of its own.
    return status === '101' ? json(schema) : { 'text/event-stream': { schema } };
  }
  if (!answerParts.has(answer)) answerParts.add(answer, { id: `${capital(id)}Answer` });
  return json(reference(answerParts.get(answer)?.id ?? id), example);
}

const meanings: Readonly<Record<string, string>> = {
  101: 'The socket is open',
  200: 'Done',
  201: 'Made',
  303: 'It is there',
  '4XX': 'Refused, in the form of the sign-in: `{code, message}`',
};

/** Refusals that come of the route's rule, its query and its body, before it looks at what is asked. */
export function refusalsOf(route: Route, operation: Operation): Set<RefusalCode> {
  const codes = new Set<RefusalCode>([...(operation.refusals ?? []), 'unavailable', 'not_configured']);
  const add = (when: boolean, ...more: RefusalCode[]) => {
    if (when) for (const code of more) codes.add(code);
  };
  // A change that a page of another site asks for.
  add(route.method !== 'GET', 'forbidden');
  add(route.may !== 'anyone', 'rate_limited', 'unauthenticated', 'forbidden');
  add(route.may === 'operator', 'not_found');
  // Queries are closed lists also where nothing may be asked for.
  add(operation.query !== undefined || operation.body !== undefined || route.path.startsWith('/v1/workspaces/:workspace'), 'schema_invalid');
  add(route.path.startsWith('/v1/workspaces/:workspace'), 'not_found', 'scope_missing', 'workspace_erased');
  add('attempt' in route && route.attempt === true, 'fence_stale', 'round_superseded', 'lease_lost');
  add(operation.body !== undefined, 'limit_exceeded');
  add(operation.body !== undefined && operation.body !== 'tar', 'malformed_data');
  return codes;
}

const refusedName = (status: number) => `Refused${status}`;

/** One answer for each status of the table of refusals; which codes an operation itself may give stands in `x-refusals`. */
function refusedAnswers(): { [name: string]: Schema } {
  const byStatus = new Map<number, RefusalCode[]>();
  for (const [code, { status }] of Object.entries(refusalTable)) byStatus.set(status, [...(byStatus.get(status) ?? []), code as RefusalCode]);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => [
        refusedName(status),
        {
          description: codes.map((code) => `\`${code}\`: ${refusalTable[code].means}`).join(' '),
          headers: {
            'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
            ...(status === 429 || status === 503 ? { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } : {}),
          },
          content: {
            'application/problem+json': {
              schema: { allOf: [reference('Problem'), { type: 'object', properties: { status: { const: status }, code: { enum: codes } } }] },
            },
          },
        },
      ]),
  );
}

function operationOf(route: Route, operation: Operation): Schema {
  const codes = refusalsOf(route, operation);
  const statuses = [...new Set([...codes].map((code) => refusalTable[code].status))].sort((a, b) => a - b);
  const known = route.may !== 'anyone';
  const limits = known ? { RateLimit: { $ref: '#/components/headers/RateLimit' }, 'RateLimit-Policy': { $ref: '#/components/headers/RateLimit-Policy' } } : {};
  const sends = Object.fromEntries((operation.sends ?? []).map((name) => [name, { $ref: `#/components/headers/${name}` }]));
  const parameters = [
    ...Object.entries(operation.query?.shape ?? {}).map(([name, schema]) => ({ name, in: 'query', ...parameterSchema(schema as z.ZodType) })),
    ...(operation.headers ?? []).map((name) => ({ name, in: 'header', required: false, ...headers[name] })),
  ];
  const scope = route.may === 'anyone' || route.may === 'signed_in' || route.may === 'operator' || route.may === 'catalogue' ? [] : [route.may];
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: route.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    security: known ? [{ token: scope }, { session: scope }] : [],
    // Also by a token of one Attempt (`lha_...`), for what that Attempt may.
    ...('attempt' in route && route.attempt ? { 'x-attempt-token': true } : {}),
    'x-scope': route.may === 'catalogue' ? 'as the command says' : (scope[0] ?? route.may),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(operation.body ? { requestBody: { required: operation.bodyOptional !== true, content: contentOf(operation.body, operation.id, operation.example?.body) } } : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.answers).map(([status, answer]) => {
          const plain = answerContent(answer, status, operation.id, operation.example?.answer);
          const content = operation.streams && status === '200' ? { ...plain, 'text/event-stream': plain['application/json'] } : plain;
          return [status, { description: meanings[status] ?? 'Done', ...(status === '101' ? {} : { headers: { ...limits, ...sends } }), content }];
        }),
      ),
      ...Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${refusedName(status)}` }])),
    },
    'x-refusals': [...codes].sort(),
  };
}

/** Names of the parts of a path, in order. */
const partsOf = (path: string) => [...path.matchAll(/:([a-z]+)/gi)].map((match) => match[1] ?? '');

/** Routes without an operation are no part of the contract; a test names them. */
export function openApiDocument(routes: readonly Route[]): Schema {
  const paths: { [path: string]: Schema } = {};
  for (const route of routes) {
    const operation = operations[`${route.method} ${route.path}`];
    if (!operation) continue;
    const path = template(route.path);
    const parts = partsOf(route.path);
    paths[path] ??=
      parts.length === 0 ? {} : { parameters: parts.map((name) => ({ name, in: 'path', required: true, schema: pathSchemas[name] ?? { type: 'string', minLength: 1 } })) };
    paths[path][route.method.toLowerCase()] = operationOf(route, operation);
  }
  const schemas = componentSchemas();
  for (const { id, summary, by } of [...goalCommands, ...workspaceCommands, ...peopleCommands]) schemas[id] = { description: `${summary}.`, ...schemas[id], 'x-by': by };
  return {
    openapi: '3.1.0',
    info: { title: 'Longhaul', version, summary: 'A host for long tasks of agents.', description, license: { name: 'Proprietary', identifier: 'LicenseRef-Longhaul' } },
    servers: [{ url: '/', description: 'The installation that serves this document' }],
    tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
    security: [{ token: [] }, { session: [] }],
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'lht_...',
          description: `A token of one workspace. Its scopes: ${Object.entries(scopeMeans)
            .map(([scope, means]) => `\`${scope}\`: ${means}`)
            .join(' ')}`,
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Secure-longhaul.session_token',
          description: 'The session of a person at a browser. A change must come from a page of this origin.',
        },
      },
      headers: {
        RateLimit: { description: 'Requests left in the window, and seconds until it begins anew.', schema: { type: 'string', examples: ['"caller";r=1193;t=41'] } },
        'RateLimit-Policy': { description: 'Requests a window, and its seconds.', schema: { type: 'string', examples: ['"caller";q=1200;w=60'] } },
        'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } },
        'X-Request-Id': { description: 'Finds the request in the log.', schema: { type: 'string' } },
        ETag: { description: 'For `If-Match` of a command. Of a file its digest.', schema: { type: 'string' } },
        Location: { description: 'Where it is.', schema: { type: 'string' } },
      },
      responses: refusedAnswers(),
      schemas,
    },
  };
}
