/** Templates: what there is, and a goal from one. The rules are those of `worker/workspace/core/templates.ts`. */
import { z } from 'zod';
import { type Refusal, refuse } from '../domain/refusals.ts';
import type { Envelope } from '../domain/commands.ts';
import { type Json, json, slug } from '../domain/values.ts';
import { templateFigures } from '../book/queries/template-figures.ts';
import { schemaProblems } from '../domain/problems.ts';
import { extractTemplate, type Structure } from '../domain/template/extract.ts';
import { template, templateProblems } from '../domain/template/template.ts';
import { goalIdOf } from '../goal/goal-id.ts';
import { readWorkspace } from '../workspace/client.ts';
import { readJsonObject } from './body.ts';
import { answerOf, withCommandId } from './commands.ts';
import { giveCommand, readGoal } from './goals.ts';
import { nothing, parameters, templateDraftRead, templateRead } from './parameters.ts';
import { schemaRefusal } from './problem.ts';
import { answer, type Call } from './route.ts';

type Handler = (call: Call) => Promise<Response | Refusal>;

export const templatesRoute: Handler = async (call) => {
  const given = parameters(nothing, call.query);
  if (!given.ok) return given.refusal;
  const found = await readWorkspace(call.env, { v: 1, workspace: call.workspace, query: { what: 'templates' } });
  return found.outcome === 'found' ? answer(found.value) : found.refusal;
};

/** One template with all its versions, and the document of one of them. */
export const templateRoute: Handler = async (call) => {
  const given = parameters(templateRead, call.query);
  if (!given.ok) return given.refusal;
  const name = slug.safeParse(call.params.name);
  if (!name.success) return refuse('not_found');
  const { version } = given.value;
  const found = await readWorkspace(call.env, { v: 1, workspace: call.workspace, query: { what: 'template', name: name.data, ...(version === undefined ? {} : { version }) } });
  return found.outcome === 'found' ? answer(found.value) : found.refusal;
};

/** A draft from a finished goal, with what was found to be of the case and everything that is wrong with it as it stands. Nothing is kept: `template.put` makes a version of it. */
export const templateDraftRoute: Handler = async (call) => {
  const given = parameters(templateDraftRead, call.query);
  if (!given.ok) return given.refusal;
  const { name, against } = given.value;
  const { goals } = call.member;
  if (against !== undefined && goals !== null && !goals.has(against)) return refuse('not_found');
  const structures: Structure[] = [];
  for (const goal of [call.params.goal ?? '', ...(against === undefined ? [] : [against])]) {
    const found = await readGoal(call.env, call.workspace, goal, { what: 'structure' });
    if (!found.ok) return found.refusal;
    const structure = found.value.value as unknown as Structure | null;
    if (structure === null) return refuse('invalid_transition', { detail: 'A template is made of a finished graph.', current: { goal } });
    structures.push(structure);
  }
  const [of, other] = structures as [Structure, Structure | undefined];
  const draft = extractTemplate(name, of, other);
  const parsed = template.safeParse(draft.template);
  const problems = parsed.success ? templateProblems(parsed.data) : schemaProblems(parsed.error);
  return answer({ ...draft, problems });
};

/** How each item went in the goals that were made of it. */
export const templateFiguresRoute: Handler = async (call) => {
  const given = parameters(templateRead, call.query);
  if (!given.ok) return given.refusal;
  const name = slug.safeParse(call.params.name);
  if (!name.success) return refuse('not_found');
  const known = await readWorkspace(call.env, { v: 1, workspace: call.workspace, query: { what: 'template', name: name.data } });
  if (known.outcome !== 'found') return known.refusal;
  return answer(await templateFigures(call.env.DB, call.workspace, name.data, given.value.version));
};

export const templateOrder = z.strictObject({
  commandId: z.string().min(1).max(200),
  /** Absent: the confirmed version, else the newest. */
  version: z.int().min(1).optional(),
  parameters: z.record(z.string().max(64), json).default({}),
  /** The work starts at once: whoever asks confirms the contract that comes out. */
  confirmed: z.boolean().default(false),
  dryRun: z.boolean().default(false),
});

/** `POST .../templates/{name}/goals`: the same command id again is the same goal. A dry run answers what `goal.create` would be given. */
export const goalFromTemplateRoute: Handler = async (call) => {
  const body = await readJsonObject(call.request);
  if (!body.ok) return body.refusal;
  const named = withCommandId(call.request, body.value);
  if (!named.ok) return named.refusal;
  const parsed = templateOrder.safeParse(named.value);
  if (!parsed.success) return schemaRefusal(parsed.error);
  const name = slug.safeParse(call.params.name);
  if (!name.success) return refuse('not_found');
  const { commandId, version, parameters: values, confirmed, dryRun } = parsed.data;
  const made = await readWorkspace(call.env, {
    v: 1,
    workspace: call.workspace,
    query: { what: 'instance', name: name.data, ...(version === undefined ? {} : { version }), parameters: values, by: call.member.principal, confirmed },
  });
  if (made.outcome === 'refused') return made.refusal;
  const { payload, version: used } = made.value as { payload: Json; version: number };
  if (dryRun) return answer({ version: used, payload, dryRun: true });
  const goal = goalIdOf(call.workspace, [call.member.principal, commandId]);
  const envelope: Envelope = { type: 'goal.create', commandId: `template:${commandId}`, expected: {}, payload, dryRun: false };
  const given = await giveCommand(call.env, { v: 1, workspace: call.workspace, goal, actor: { kind: 'host' }, envelope });
  return answerOf(given, goal, call, 201, { location: `/v1/workspaces/${call.workspace}/goals/${goal}` });
};
