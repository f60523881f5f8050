/**
 * The closed catalogue of the workspace: the only way to change its settings. Each entry has its payload and the scope that a person or token needs; rounds and
 * the host give none of them. `docs/workspace-commands.md` is generated from it.
 */
import { z } from 'zod';
import type { Scope } from '../../domain/context.ts';
import { policyRule } from '../../domain/contract/contract.ts';
import { template } from '../../domain/template/template.ts';
import { awaitedKinds, json, nameOf, slug } from '../../domain/values.ts';
import { SHORTEST_SECRET } from '../../observe/redactor.ts';
import { outgoingSettings } from '../../outgoing/policy.ts';
import { triggerDefinition } from './triggers/definition.ts';
import { chat, webhook } from './outlets.ts';
import { progress } from './progress.ts';
import { mcpServer, profile, provider, workspaceBudget } from '../settings.ts';

interface WorkspaceCommandSpec<P extends z.ZodType> {
  summary: string;
  scope: Scope;
  payload: P;
  /** A person says it; no token does. */
  person?: true;
  /** Needed beside it, as what is set up here will act with it. */
  also?: Scope;
}

function command<P extends z.ZodType>(summary: string, scope: Scope, payload: P, more: { person?: true; also?: Scope } = {}): WorkspaceCommandSpec<P> {
  return { summary, scope, payload, ...more };
}

const named = z.strictObject({ name: slug });
const amounts = z.strictObject({ tokens: z.int().min(0).optional(), micros: z.int().min(0).optional() });

/** Characters of a secret's value: room for a private key or a signed token, far under what a row holds. */
export const SECRET_CHARS = 16_000;

/** What is sealed is what is opened: a lone surrogate would be replaced on its way into bytes. */
const secretValue = z
  .string()
  .min(SHORTEST_SECRET, `at least ${SHORTEST_SECRET} characters: a shorter value could not be kept out of texts`)
  .max(SECRET_CHARS)
  .refine((text) => text.isWellFormed() && !text.includes('\0'), { message: 'well-formed text without NUL', params: { code: 'invalid_value' } });

export const workspaceCatalogue = {
  'provider.put': command('Set a provider of models, whole', 'admin', provider),
  'provider.remove': command('Remove a provider that no profile uses', 'admin', named),
  'profile.put': command('Set an agent profile, whole', 'admin', profile),
  'profile.remove': command('Remove a profile; a built-in one goes back to `default`', 'admin', named),
  'secret.put': command('Seal a value under a name. It can be used and replaced, never read', 'secrets:write', z.strictObject({ name: slug, value: secretValue })),
  'secret.remove': command('Delete a secret that no setting uses', 'secrets:write', named),
  'outgoing.set': command('Which hosts may be reached', 'admin', outgoingSettings),
  'mcp.put': command('Set a remote MCP server, whole', 'admin', mcpServer),
  'mcp.remove': command('Remove an MCP server', 'admin', named),
  'webhook.put': command('Set an endpoint that is told what happens, whole; one that was disabled is live again', 'admin', webhook),
  'webhook.remove': command('Remove an endpoint; nothing more is sent to it', 'admin', named),
  'chat.put': command('Set a chat that is told what happens, whole; one that was disabled is live again', 'admin', chat),
  'chat.remove': command('Remove a chat; nothing more is posted there', 'admin', named),
  'progress.put': command('Give out a read-only page of a goal: whoever has its link reads it, until it runs out. Put again it has another link', 'goals:write', progress),
  'progress.remove': command('Take a read-only page back: its link opens nothing any more', 'goals:write', named),
  'policy.set': command('Rules for calls, in force beside those of each contract: deny beats ask beats allow', 'admin', z.strictObject({ rules: z.array(policyRule).max(200) })),
  'template.put': command('A new version of a template; nothing starts from it by itself before a person confirmed it', 'goals:write', template),
  'template.confirm': command('A person confirms a version: triggers start goals from it', 'goals:write', named.extend({ version: z.int().min(1) }), { person: true }),
  'template.retire': command('Start nothing more from a template that no trigger uses; its versions stay', 'goals:write', named),
  'trigger.put': command('Set a trigger, whole: what makes it fire, what a firing does', 'triggers:manage', triggerDefinition, { also: 'goals:write' }),
  'trigger.pause': command('Fire no more; what was fired goes on', 'triggers:manage', named),
  'trigger.resume': command('Fire again; what was due meanwhile is not made up for', 'triggers:manage', named),
  'trigger.remove': command('Remove a trigger; its business rounds and deliveries stay on record', 'triggers:manage', named),
  'trigger.fire': command('Fire a trigger now; the same command id is the same firing', 'triggers:manage', named.extend({ data: json.optional() })),
  'delivery.replay': command('A person fires a trigger again with a delivery that is kept', 'triggers:manage', named.extend({ delivery: nameOf(128) }), { person: true }),
  'business_round.wait': command(
    'A business round waits, for exactly this',
    'goals:write',
    z.strictObject({ round: nameOf(300), kind: z.enum(awaitedKinds), correlation: nameOf(300), reason: z.string().min(1).max(1000) }),
  ),
  'business_round.answer': command(
    'What a business round waits for came; for an earlier generation or a closed round it is recorded as late',
    'goals:write',
    z.strictObject({ round: nameOf(300), correlation: nameOf(300), generation: z.int().min(1), payload: json.optional() }),
  ),
  'business_round.complete': command(
    'A business round is done; the next of its trigger may begin',
    'goals:write',
    z.strictObject({ round: nameOf(300), note: z.string().max(1000).optional() }),
  ),
  'budget.set': command('What all goals together may use, whole', 'admin', workspaceBudget),
  'budget.raise': command(
    'Raise limits that are set; goals that wait for it go on',
    'admin',
    z.strictObject({ period: amounts.optional(), total: amounts.optional(), parallelRounds: z.int().min(1).max(1000).optional() }),
  ),
} as const satisfies Record<string, WorkspaceCommandSpec<z.ZodType>>;

export type WorkspaceCommandType = keyof typeof workspaceCatalogue;
export const workspaceCommandTypes = Object.keys(workspaceCatalogue) as WorkspaceCommandType[];
export type WorkspacePayload<T extends WorkspaceCommandType> = z.output<(typeof workspaceCatalogue)[T]['payload']>;

/** The envelope, as it comes from outside. `expected.version` is that of the one setting that the command changes, as a read gave it; 0: it is not there. */
export const workspaceEnvelope = z.strictObject({
  type: z.enum(workspaceCommandTypes as [WorkspaceCommandType, ...WorkspaceCommandType[]]),
  commandId: z.string().min(1).max(200),
  expected: z.strictObject({ version: z.int().min(0).optional() }).default({}),
  payload: json.default({}),
  reason: z.string().max(2000).optional(),
  dryRun: z.boolean().default(false),
});
export type WorkspaceEnvelope = z.infer<typeof workspaceEnvelope>;

/** A command whose payload was parsed. */
export type WorkspaceCommand = { [T in WorkspaceCommandType]: { type: T; expected: WorkspaceEnvelope['expected']; payload: WorkspacePayload<T> } }[WorkspaceCommandType];
