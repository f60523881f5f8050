/**
 * `POST .../plan-imports`: a plan of another tool, as its file, becomes a plan document beside the plan that the goal has: whose items stay as they are, and come first.
 * Nothing is changed, unless `propose` asks for it: then the document is proposed as the caller would by hand, judged by the same rules, and adopted by nobody.
 */
import type { PlanDocument } from '../domain/plan/document.ts';
import { type Refusal, refuse } from '../domain/refusals.ts';
import type { Json } from '../domain/values.ts';
import type { ReadValues } from '../goal/rpc.ts';
import { type ImportNote, noteCodes } from '../imports/imported.ts';
import { importPlan } from '../imports/import-plan.ts';
import { readBytes } from './body.ts';
import { utf8 } from './data-file.ts';
import { giveCommand, readGoal } from './goals.ts';
import { actorOf } from './identity.ts';
import { bad, good, type Outcome } from './outcome.ts';
import { parameters, planImport } from './parameters.ts';
import { problemResponse } from './problem.ts';
import { answer, type Call } from './route.ts';

/** Of a file, bytes: plans that are in use hold a few hundred tasks with long texts. */
const maxBytes = 5_000_000;

export async function planImportRoute(call: Call): Promise<Response | Refusal> {
  const given = parameters(planImport, call.query);
  if (!given.ok) return given.refusal;
  const { propose, format, tag } = given.value;
  const plan = await planOf(call);
  if (!plan.ok) return plan.refusal;
  const body = await readBytes(call.request, maxBytes);
  if (!body.ok) return body.refusal;
  const source = utf8(body.value);
  if (typeof source !== 'string') return source;
  const { mode, planRevision, kept } = plan.value;
  const imported = importPlan({ source, mode, kept, ...(format === undefined ? {} : { format }), ...(tag === undefined ? {} : { tag }) });
  if (!imported.ok) return refuse('schema_invalid', { errors: [{ pointer: '', code: imported.code, detail: [imported.where, imported.detail].filter(Boolean).join(': ') }] });
  const report = { format: imported.format, planRevision, kept: kept.length, items: imported.document.items.length - kept.length, notes: imported.notes.map(worded) };
  if (!propose) return answer({ ...report, document: imported.document });
  const commandId = call.request.headers.get('idempotency-key');
  if (commandId === null) return refuse('schema_invalid', { errors: [{ pointer: '/commandId', code: 'required', detail: 'Send the header Idempotency-Key.' }] });
  const proposed = await giveCommand(call.env, {
    v: 1,
    workspace: call.workspace,
    goal: call.params.goal ?? '',
    actor: actorOf(call.member),
    envelope: { type: 'plan.propose', commandId, expected: { planRevision }, payload: { document: imported.document as unknown as Json }, dryRun: false },
  });
  if (proposed.outcome === 'rejected') return problemResponse(proposed.refusal, { requestId: call.requestId });
  if (proposed.outcome === 'unknown') return problemResponse(refuse('unavailable', { detail: proposed.detail }), { requestId: call.requestId, effect: 'unknown' });
  return answer({ ...report, ...(proposed.result as { proposal: string; digest: string; warnings: Json }) }, { status: proposed.replayed ? 200 : 201 });
}

const worded = (note: ImportNote) => ({ ...note, means: noteCodes[note.code] });

/** Of the goal: its mode, the revision in force and its items as they were written. */
async function planOf({ env, workspace, params, member }: Call): Promise<Outcome<{ mode: PlanDocument['mode']; planRevision: number; kept: PlanDocument['items'] }>> {
  const goal = params.goal ?? '';
  const read = await readGoal(env, workspace, goal, { what: 'goal' }, member.attempt);
  if (!read.ok) return read;
  const { bar } = read.value.value as unknown as ReadValues['goal'];
  if (bar.mode === 'goal_only') return bad(refuse('invalid_transition', { detail: 'a goal-only run has no graph' }));
  if (bar.planRevision === 0) return good({ mode: bar.mode, planRevision: 0, kept: [] });
  const rows = await readGoal(env, workspace, goal, { what: 'rows', kind: 'revision', limit: 1, newestFirst: true });
  if (!rows.ok) return rows;
  const [revision] = (rows.value.value as unknown as ReadValues['rows']).data;
  const document = await readGoal(env, workspace, goal, { what: 'body', digest: (revision?.data as { documentBody?: string } | undefined)?.documentBody ?? '' });
  if (!document.ok) return document;
  return good({ mode: bar.mode, planRevision: bar.planRevision, kept: (document.value.value as unknown as PlanDocument).items });
}
