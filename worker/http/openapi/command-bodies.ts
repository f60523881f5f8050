/** The bodies of the command routes: one for each command of a catalogue, told apart by `type`. */
import { z } from 'zod';
import { type CommandType, catalogue, commandTypes, envelope, expected, type Givers } from '../../domain/commands.ts';
import { contract } from '../../domain/contract/contract.ts';
import { planDocument } from '../../domain/plan/document.ts';
import { artifactRef, checkSpec, setRef } from '../../domain/planes/check-spec.ts';
import { artifact, executor, foreignJson } from '../../domain/values.ts';
import { workspaceCatalogue, workspaceCommandTypes, workspaceEnvelope } from '../../workspace/core/catalogue.ts';
import { peopleCatalogue, peopleCommandTypes, peopleEnvelope } from '../../workspace/people/catalogue.ts';
import { sent } from './parts.ts';

export interface CommandBody {
  /** Name of its schema. */
  id: string;
  type: string;
  summary: string;
  schema: z.ZodType;
  /** Who may give it, as the catalogue says. */
  by: unknown;
}

/** `work.takeOver` is `WorkTakeOver`. */
export const schemaName = (type: string): string => type.replaceAll(/(^|[._])([a-z])/g, (_, __, letter: string) => letter.toUpperCase());

sent('Json', foreignJson);
sent('ContractInput', contract);
sent('CheckInput', checkSpec);
sent('ExecutorInput', executor);
sent('FileInput', artifact);
sent('FileOrDeliverableInput', artifactRef);
sent('SetInput', setRef);
sent('PlanDocumentInput', planDocument);
sent('Expected', expected);

/** The id comes in the body or as `Idempotency-Key`. */
const commandId = z.string().min(1).max(200).optional();

/** Payloads whose catalogue entry leaves open what is checked later, where the domain has a schema of it. */
const closer: Partial<Record<CommandType, z.ZodType>> = { 'plan.propose': z.strictObject({ document: planDocument }) };

function body(outer: z.ZodObject, type: string, summary: string, payload: z.ZodType, by: unknown): CommandBody {
  const id = schemaName(type);
  // An empty payload may be left out.
  const within = payload.safeParse({}).success ? payload.optional() : payload;
  return { id, type, summary, by, schema: sent(id, outer.extend({ type: z.literal(type), commandId, payload: within })) };
}

export const goalCommands = commandTypes.map((type) => {
  const { summary, by, payload }: { summary: string; by: Givers; payload: z.ZodType } = catalogue[type];
  return body(envelope, type, summary, closer[type] ?? payload, by);
});
export const creationTypes: ReadonlySet<string> = new Set<CommandType>(['goal.create', 'goal.propose']);
export const workspaceCommands = workspaceCommandTypes.map((type) => {
  const { summary, scope, payload } = workspaceCatalogue[type];
  return body(workspaceEnvelope, type, summary, payload, { scope });
});
export const peopleCommands = peopleCommandTypes.map((type) => {
  const { summary, scope, payload } = peopleCatalogue[type];
  return body(peopleEnvelope, type, summary, payload, { scope });
});
/** `POST .../goals` also takes a payload alone. */
export const creationPayloads = [sent('NewGoal', catalogue['goal.create'].payload), sent('NewGoalFromSentence', catalogue['goal.propose'].payload)];
