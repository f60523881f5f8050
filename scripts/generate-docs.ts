/**
 * Writes the pages of `docs/` that are only another form of the catalogues and of the tables of refusals and roles. `node scripts/generate-docs.ts`; with `--check` it writes
 * nothing and fails where a file differs from what it would write.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { catalogue, commandTypes, type Givers } from '../worker/domain/commands.ts';
import { scopes } from '../worker/domain/context.ts';
import { contract } from '../worker/domain/contract/contract.ts';
import { planDocument } from '../worker/domain/plan/document.ts';
import { checkSpec } from '../worker/domain/planes/check-spec.ts';
import { type RefusalCode, refusalTable } from '../worker/domain/refusals.ts';
import { roles, roleTable, scopeMeans } from '../worker/domain/roles.ts';
import { allTools } from '../worker/tools/index.ts';
import type { Tool } from '../worker/tools/tool.ts';
import { workspaceCatalogue, workspaceCommandTypes } from '../worker/workspace/core/catalogue.ts';
import { peopleCatalogue, peopleCommandTypes } from '../worker/workspace/people/catalogue.ts';
import { writeClient } from './generate-client.ts';

type Schema = { [key: string]: unknown };

const notice = '<!-- Written by scripts/generate-docs.ts. Change the schemas, not this file. -->';

/** A cell of a table: one line, pipes escaped. */
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function giversOf(by: Givers): string {
  const parts = [
    by.scope ? `scope \`${by.scope}\`` : '',
    by.attempt ? 'the token of its Attempt' : '',
    by.lanes ? `lanes ${by.lanes.join(', ')}` : '',
    by.host ? (by.scope || by.lanes || by.attempt ? 'the host' : 'the host alone') : '',
  ];
  return parts.filter((part) => part !== '').join('; ');
}

const isSchema = (value: unknown): value is Schema => value !== null && typeof value === 'object' && !Array.isArray(value);
const schemasIn = (value: unknown): Schema[] => (Array.isArray(value) ? value.filter(isSchema) : []);

/** How a value of this schema looks, in one line. `root` is the whole document, for references. */
function shape(schema: Schema, root: Schema, depth: number): string {
  if (typeof schema.$ref === 'string') {
    const target = schema.$ref
      .split('/')
      .slice(1)
      .reduce<unknown>((at, part) => (isSchema(at) ? at[part] : undefined), root);
    return isSchema(target) && depth > 0 && isSchema(target.properties) ? shape(target, root, depth - 1) : 'JSON';
  }
  const options = [...schemasIn(schema.anyOf), ...schemasIn(schema.oneOf)];
  if (options.length > 0) return options.length > 4 || depth <= 0 ? 'one of several' : [...new Set(options.map((option) => shape(option, root, depth - 1)))].join(' or ');
  if ('const' in schema) return `\`${JSON.stringify(schema.const)}\``;
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  switch (schema.type) {
    case 'object': {
      if (isSchema(schema.properties) && depth > 0)
        return `{${Object.keys(schema.properties)
          .map((name) => `${name}${requiredIn(schema).has(name) ? '' : '?'}`)
          .join(', ')}}`;
      return 'object';
    }
    case 'array':
      return `list of ${isSchema(schema.items) ? shape(schema.items, root, depth - 1) : 'JSON'}${bounds(schema.minItems, schema.maxItems)}`;
    case 'string':
      return `text${bounds(schema.minLength, schema.maxLength)}${typeof schema.pattern === 'string' ? ` \`${schema.pattern}\`` : ''}`;
    case 'integer':
      return `whole number${bounds(bounded(schema.minimum), bounded(schema.maximum))}`;
    default:
      return typeof schema.type === 'string' ? schema.type : 'JSON';
  }
}

/** Bounds that only say how far a JSON number is exact are none. */
const bounded = (value: unknown) => (typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined);

function bounds(low: unknown, high: unknown): string {
  if (typeof high === 'number') return ` (${typeof low === 'number' ? low : 0} to ${high})`;
  return typeof low === 'number' ? ` (at least ${low})` : '';
}

const requiredIn = (schema: Schema): Set<unknown> => new Set(Array.isArray(schema.required) ? schema.required : []);

function payloadTable(payload: z.ZodType): string[] {
  const schema: Schema = z.toJSONSchema(payload, { io: 'input', unrepresentable: 'any', reused: 'ref' });
  const properties = isSchema(schema.properties) ? Object.entries(schema.properties) : [];
  if (properties.length === 0) return ['No payload.'];
  const required = requiredIn(schema);
  return [
    '| field | | what |',
    '| --- | --- | --- |',
    ...properties.map(([name, value]) => {
      const property = isSchema(value) ? value : {};
      const otherwise = required.has(name) ? 'required' : 'default' in property ? `default \`${JSON.stringify(property.default)}\`` : 'optional';
      return `| \`${name}\` | ${cell(otherwise)} | ${cell(shape(property, schema, 2))} |`;
    }),
  ];
}

export function commandsPage(): string {
  const lines = [
    notice,
    '',
    '# Commands',
    '',
    'The closed catalogue: every change of a goal is one of these. The envelope is `{type, commandId, expected?, payload?, reason?, dryRun?}`; how to send it is in [api.md](api.md).',
    'A person or a token needs the scope; a round may give it in the lanes that are named; what only the host gives is refused from outside. *Expects* names what people and tokens',
    'must send in `expected` (or as `If-Match`): without it the answer is `version_required`, with an old one it is a stale refusal that carries what is current.',
    '*Testimony* is taken even from a round that has ended, marked as late; it settles and charges, it unlocks nothing.',
    '',
    '| command | what it does | who may give it | expects |',
    '| --- | --- | --- | --- |',
    ...commandTypes.map((type) => {
      const spec = catalogue[type];
      const expects = 'expects' in spec && spec.expects ? spec.expects.map((key) => `\`${key}\``).join(', ') : '';
      return `| [\`${type}\`](#${type.toLowerCase().replaceAll('.', '')}) | ${cell(spec.summary)}${spec.testimony ? ' (testimony)' : ''} | ${giversOf(spec.by)} | ${expects} |`;
    }),
    '',
    'Payloads. Unknown fields are refused. A type in braces names its fields, `?` where one may be left out.',
  ];
  for (const type of commandTypes) lines.push('', `## ${type}`, '', `${catalogue[type].summary}.`, '', ...payloadTable(catalogue[type].payload));
  return `${lines.join('\n')}\n`;
}

export function workspaceCommandsPage(): string {
  const lines = [
    notice,
    '',
    '# Commands of the workspace',
    '',
    'The closed catalogue of settings: every change of a workspace is one of these, sent to `POST /v1/workspaces/{ws}/commands`. The envelope is',
    '`{type, commandId, expected?: {version}, payload, reason?, dryRun?}`; what is kept where is in [workspace.md](workspace.md). People and tokens with the scope give them, rounds never.',
    '',
    '| command | what it does | scope |',
    '| --- | --- | --- |',
    ...workspaceCommandTypes.map(
      (type) => `| [\`${type}\`](#${type.toLowerCase().replaceAll('.', '')}) | ${cell(workspaceCatalogue[type].summary)} | \`${workspaceCatalogue[type].scope}\` |`,
    ),
    '',
    'Payloads. Unknown fields are refused. A type in braces names its fields, `?` where one may be left out.',
  ];
  for (const type of workspaceCommandTypes) lines.push('', `## ${type}`, '', `${workspaceCatalogue[type].summary}.`, '', ...payloadTable(workspaceCatalogue[type].payload));
  return `${lines.join('\n')}\n`;
}

export function peopleCommandsPage(): string {
  const lines = [
    notice,
    '',
    '# Commands about people and tokens',
    '',
    'The closed catalogue: every change of who belongs to a workspace, and of its tokens, is one of these, sent to `POST /v1/workspaces/{ws}/people/commands`. The envelope is',
    '`{type, commandId, payload, reason?, dryRun?}`. Signed-in persons with the scope give them; tokens and rounds never. Nobody gives, changes or takes a role above their own ([roles.md](roles.md)).',
    '',
    '| command | what it does | scope |',
    '| --- | --- | --- |',
    ...peopleCommandTypes.map((type) => {
      const { summary, scope } = peopleCatalogue[type];
      return `| [\`${type}\`](#${type.toLowerCase().replaceAll('.', '')}) | ${cell(summary)} | ${scope === null ? 'any member' : `\`${scope}\``} |`;
    }),
    '',
    'Payloads. Unknown fields are refused.',
  ];
  for (const type of peopleCommandTypes) lines.push('', `## ${type}`, '', `${peopleCatalogue[type].summary}.`, '', ...payloadTable(peopleCatalogue[type].payload));
  return `${lines.join('\n')}\n`;
}

export function refusalsPage(): string {
  return `${[
    notice,
    '',
    '# Refusals',
    '',
    'A refusal changes nothing, and its command id may be tried again. It comes as `application/problem+json` ([api.md](api.md)). *Again* says whether the very same call may succeed',
    'later without a change by the caller.',
    '',
    '| code | status | again | what it means | what to do |',
    '| --- | --- | --- | --- | --- |',
    ...(Object.keys(refusalTable) as RefusalCode[]).map((code) => {
      const row = refusalTable[code];
      return `| \`${code}\` | ${row.status} | ${row.retryable ? 'yes' : 'no'} | ${cell(row.means)} | ${cell(row.todo)} |`;
    }),
  ].join('\n')}\n`;
}

export function rolesPage(): string {
  const opened = (scope: string) =>
    commandTypes
      .filter((type) => (catalogue[type].by as Givers).scope === scope)
      .map((type) => `\`${type}\``)
      .join(', ');
  const ofAttempts = commandTypes
    .filter((type) => (catalogue[type].by as Givers).attempt)
    .map((type) => `\`${type}\``)
    .join(', ');
  return `${[
    notice,
    '',
    '# Roles and scopes',
    '',
    'A member of a workspace has one role there. A token of a workspace has scopes of its own, at most those of who issued it. A scope implies no other: submitting is not accepting. Whoever',
    'holds both still judges nothing that they submitted themselves (`self_review`).',
    '',
    `| role | ${scopes.map((scope) => `\`${scope}\``).join(' | ')} | may give |`,
    `| --- | ${scopes.map(() => '---').join(' | ')} | --- |`,
    ...roles.map((role) => `| **${role}** | ${scopes.map((scope) => (roleTable[role].scopes.includes(scope) ? 'yes' : '')).join(' | ')} | ${roleTable[role].gives.join(', ')} |`),
    '',
    ...roles.map((role) => `- **${role}**: ${roleTable[role].means}`),
    '',
    '| scope | what it opens | commands on goals |',
    '| --- | --- | --- |',
    ...scopes.map((scope) => `| \`${scope}\` | ${cell(scopeMeans[scope])} | ${opened(scope)} |`),
    '',
    'The token of an Attempt has no scope. It acts for whoever holds the item, for that one Attempt under its fence, until its lease runs out: it reads its assignment, facts and files, stores files, and gives',
    `${ofAttempts}. It accepts nothing.`,
  ].join('\n')}\n`;
}

/** What becomes of a call of which no rule says anything. */
function defaultOf(tool: Tool): string {
  if (typeof tool.policy === 'function') return tool.reads ? 'ask; reading: allow' : 'ask';
  return tool.policy ?? 'allow';
}

const effectNames: Record<Tool['effect'], string> = { none: 'reads', record: 'changes the record', outside: 'changes something outside' };

export function toolsPage(): string {
  const tools = [...allTools()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const lines = [
    '# Tools',
    '',
    notice,
    '',
    'What agents and skill scripts can call, by lane. *Default* is what is done where no rule of the goal or the workspace says anything of the call; a rule that says `deny` beats one that says `ask`, and that one beats `allow`.',
    'A call that waits for a person stops its round at no cost and goes on with exactly that call. What a call outside did is on record before and after it: see [concepts.md](concepts.md), Effects and approvals; where it may go: [outgoing.md](outgoing.md).',
    '',
    "Beside these a round of an agent has the tools of the workspace's MCP servers, as `mcp.<server>.<tool>` (default `ask` unless workspace and server say that one only reads), and `mcp.servers`, which says what of them can be used.",
    '',
    '| tool | lanes | effect | default | fact references only | secrets in |',
    '| --- | --- | --- | --- | --- | --- |',
    ...tools.map((tool) => {
      const effect = tool.reads ? `${effectNames[tool.effect]}, or only reads` : effectNames[tool.effect];
      const places = (pointers: readonly string[] | undefined) => (pointers ?? []).map((pointer) => `\`${pointer}\``).join(', ');
      return `| [\`${tool.name}\`](#${tool.name.replaceAll(/[^a-z0-9_-]/g, '')}) | ${tool.lanes.join(', ')} | ${effect} | ${defaultOf(tool)} | ${places(tool.factOnly)} | ${places(tool.secrets)} |`;
    }),
    '',
    ...tools.flatMap((tool) => [`## ${tool.name}`, '', tool.description, '']),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** The documents that a coordinator writes as JSON, and whose shape its tools' arguments leave open. */
export function planDocumentPage(): string {
  const together = z.toJSONSchema(z.strictObject({ plan: planDocument, check: checkSpec, contract }), { io: 'input', unrepresentable: 'any', reused: 'ref' });
  const lines = [
    '# Plan documents and contracts',
    '',
    notice,
    '',
    'One JSON Schema with three properties: `plan` is what `plan_propose` takes as `document`, `check` one check as plans and contracts name it, `contract` what `goal_draft` and `goal.revise` take. What several parts share stands under `$defs`. Beyond the shape: keys are unique, `dependsOn` and `parent` together have no cycle, `covers` names criteria of the contract, items that may run at the same time have no exclusive output in common. What does not hold is refused as `plan_invalid`, every place at once.',
    '',
    '```json',
    // One line for each part: the whole is for programs, and for searching.
    JSON.stringify(together, null, 1)
      .replaceAll(/\n {4,}/g, ' ')
      .replaceAll(/\n {3}([}\]])/g, ' $1'),
    '```',
  ];
  return `${lines.join('\n')}\n`;
}

export const pages: { path: string; text: () => string }[] = [
  { path: join(import.meta.dirname, '../docs/commands.md'), text: commandsPage },
  { path: join(import.meta.dirname, '../docs/workspace-commands.md'), text: workspaceCommandsPage },
  { path: join(import.meta.dirname, '../docs/people-commands.md'), text: peopleCommandsPage },
  { path: join(import.meta.dirname, '../docs/refusals.md'), text: refusalsPage },
  { path: join(import.meta.dirname, '../docs/roles.md'), text: rolesPage },
  { path: join(import.meta.dirname, '../docs/tools.md'), text: toolsPage },
  { path: join(import.meta.dirname, '../docs/plan-document.md'), text: planDocumentPage },
];

if (import.meta.main) {
  if (!process.argv.includes('--check')) await writeClient();
  for (const page of pages) {
    if (!process.argv.includes('--check')) writeFileSync(page.path, page.text());
    else if (readFileSync(page.path, 'utf8') !== page.text()) {
      console.error(`${page.path} is not what scripts/generate-docs.ts writes; run it.`);
      process.exitCode = 1;
    }
  }
}
