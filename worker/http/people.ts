/** People and tokens over HTTP: who belongs to a workspace, who is invited, which tokens it has, what was changed; and the commands that change it. */
import { waitUntil } from 'cloudflare:workers';
import { z } from 'zod';
import { mailerOf } from '../auth/mail.ts';
import { invitationMail } from '../auth/mails.ts';
import { publicOrigin } from '../auth/settings.ts';
import { type Refusal, refuse } from '../domain/refusals.ts';
import { nameOf } from '../domain/values.ts';
import { credentialsChanged, peopleChanged, startErasing } from '../workspace/client.ts';
import { type PeopleEnvelope, peopleEnvelope } from '../workspace/people/catalogue.ts';
import type { Committed } from '../workspace/people/change.ts';
import { affectedBy, givePeopleCommand } from '../workspace/people/command.ts';
import { acceptInvitation } from '../workspace/people/invitations.ts';
import { listInvitations, listMembers, listNames, listPeopleLog, listTokens } from '../workspace/people/reads.ts';
import { createWorkspace } from '../workspace/people/workspaces.ts';
import { readJsonObject } from './body.ts';
import { withCommandId } from './commands.ts';
import { addressOf } from './identity.ts';
import { nothing, pageOf, parameters } from './parameters.ts';
import { problemResponse, schemaRefusal } from './problem.ts';
import { answer, type Call, type CallerCall } from './route.ts';

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const field = (value: unknown, name: string): unknown => (value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[name] : undefined);

/** `POST .../people/commands` */
export async function peopleCommandRoute(call: Call): Promise<Response | Refusal> {
  const body = await readJsonObject(call.request);
  if (!body.ok) return body.refusal;
  const named = withCommandId(call.request, body.value);
  if (!named.ok) return named.refusal;
  const envelope = peopleEnvelope.safeParse(named.value);
  if (!envelope.success) return schemaRefusal(envelope.error);
  const { member, workspace, env } = call;
  const giver = { principal: member.principal, person: member.person?.id ?? null, role: member.role, scopes: member.scopes };
  const given = await givePeopleCommand(env.DB, { workspace, giver, kind: member.kind, envelope: envelope.data, address: addressOf(call.request) }, Date.now());
  if (given.outcome === 'would_apply') return answer({ outcome: 'applied', dryRun: true });
  if (given.outcome !== 'applied') return settled(given, call);
  const erasure = text(field(given.result, 'erasure'));
  if (erasure !== undefined) await startErasing(env, workspace, erasure);
  else if (!given.replayed) await peopleChanged(env, workspace);
  // Also for a repeated command: whoever sends it again may not know whether the first was heard of.
  const affected = affectedBy(envelope.data.type, given.result);
  if (affected !== null) waitUntil(credentialsChanged(env, workspace, affected));
  const secret = text(field(given.once, 'secret'));
  const shown = secret === undefined ? {} : envelope.data.type === 'member.invite' ? await sendInvitation(call, envelope.data, secret) : { secret };
  return answer({ outcome: 'applied', result: given.result, ...shown, replayed: given.replayed, dryRun: false }, { status: secret === undefined ? 200 : 201 });
}

/** The part after `#` is not sent to any server, and is in no log on the way. */
async function sendInvitation(call: Call, envelope: PeopleEnvelope, secret: string): Promise<{ link: string; mailed: boolean }> {
  const link = `${publicOrigin(call.env, call.request)}/invitation#${secret}`;
  const to = (text(field(envelope.payload, 'email')) ?? '').toLowerCase();
  const row = await call.env.DB.prepare('SELECT name FROM workspaces WHERE id = ?').bind(call.workspace).first<{ name: string }>();
  return { link, mailed: await mailerOf(call.env).send(invitationMail(to, row?.name ?? call.workspace, link)) };
}

function settled(given: Exclude<Committed, { outcome: 'applied' }>, call: { requestId: string }): Response {
  return given.outcome === 'rejected'
    ? problemResponse(given.refusal, { requestId: call.requestId })
    : problemResponse(refuse('unavailable', { detail: given.detail }), { requestId: call.requestId, effect: 'unknown' });
}

/** `GET .../members`: e-mail addresses are for admins. */
export async function membersRoute(call: Call): Promise<Response | Refusal> {
  const given = parameters(nothing, call.query);
  if (!given.ok) return given.refusal;
  return answer({ data: await listMembers(call.env.DB, call.workspace, call.member.scopes.includes('admin')) });
}

/** `GET .../names`: what people and tokens are called. Never an address. */
export async function namesRoute(call: Call): Promise<Response | Refusal> {
  const given = parameters(nothing, call.query);
  if (!given.ok) return given.refusal;
  return answer({ data: await listNames(call.env.DB, call.workspace) });
}

export async function invitationsRoute(call: Call): Promise<Response | Refusal> {
  const given = parameters(nothing, call.query);
  if (!given.ok) return given.refusal;
  return answer({ data: await listInvitations(call.env.DB, call.workspace, Date.now()) });
}

export async function tokensRoute(call: Call): Promise<Response | Refusal> {
  const given = parameters(nothing, call.query);
  if (!given.ok) return given.refusal;
  return answer({ data: await listTokens(call.env.DB, call.workspace, Date.now()) });
}

/** `<at>:<row>` of the last entry of a page. */
export const peopleLogCursor = /^\d{1,15}:\d{1,15}$/;

/** `GET .../people/log`: newest first. */
export async function peopleLogRoute(call: Call): Promise<Response | Refusal> {
  const given = parameters(pageOf(peopleLogCursor), call.query);
  if (!given.ok) return given.refusal;
  const [at, row] = given.value.cursor?.split(':').map(Number) ?? [];
  const found = await listPeopleLog(call.env.DB, call.workspace, given.value.limit, at === undefined || row === undefined ? undefined : { at, row });
  return answer({ data: found.data, nextCursor: found.next === null ? null : `${found.next.at}:${found.next.row}` });
}

/** `GET /v1/me` */
export async function meRoute({ caller }: CallerCall): Promise<Response | Refusal> {
  return answer({
    principal: caller.principal,
    kind: caller.kind,
    operator: caller.operator,
    ...(caller.person ? { name: caller.person.name, email: caller.person.email, emailVerified: caller.person.emailVerified } : {}),
    ...(caller.goals === null ? {} : { goals: [...caller.goals] }),
    ...(caller.attempt === null ? {} : { attempt: caller.attempt }),
    workspaces: [...caller.memberships].map(([id, { name, role, scopes }]) => ({ id, name, role, scopes })),
  });
}

const personsOnly = () => refuse('forbidden', { detail: 'Only a person who signed in with an account does this.' });

export const newWorkspace = z.strictObject({ name: z.string().trim().min(1).max(80), commandId: nameOf(200) });
export const invitationSecret = z.strictObject({ secret: z.string().min(1).max(200) });

/** `POST /v1/workspaces`: whoever makes one owns it. */
export async function createWorkspaceRoute(call: CallerCall): Promise<Response | Refusal> {
  const { person } = call.caller;
  if (person === null) return personsOnly();
  if (!person.emailVerified) return refuse('forbidden', { detail: 'Confirm your e-mail address first.' });
  const body = await readJsonObject(call.request);
  if (!body.ok) return body.refusal;
  const named = withCommandId(call.request, body.value);
  if (!named.ok) return named.refusal;
  const asked = newWorkspace.safeParse(named.value);
  if (!asked.success) return schemaRefusal(asked.error);
  const given = await createWorkspace(call.env.DB, person.id, asked.data, addressOf(call.request), Date.now());
  if (given.outcome !== 'applied') return settled(given, call);
  await changedIn(call, given.result);
  return answer({ outcome: 'applied', result: given.result, replayed: given.replayed }, { status: given.replayed ? 200 : 201 });
}

/** `POST /v1/invitations/accept` */
export async function acceptInvitationRoute(call: CallerCall): Promise<Response | Refusal> {
  const { person } = call.caller;
  if (person === null) return personsOnly();
  const body = await readJsonObject(call.request);
  if (!body.ok) return body.refusal;
  const asked = invitationSecret.safeParse(body.value);
  if (!asked.success) return schemaRefusal(asked.error);
  const given = await acceptInvitation(call.env.DB, person, asked.data.secret, addressOf(call.request), Date.now());
  if (given.outcome !== 'applied') return settled(given, call);
  await changedIn(call, given.result);
  return answer({ outcome: 'applied', result: given.result, replayed: given.replayed });
}

/** Into the audit of the workspace that the result names. */
async function changedIn({ env }: CallerCall, result: unknown): Promise<void> {
  const workspace = text(field(result, 'workspace'));
  if (workspace !== undefined) await peopleChanged(env, workspace);
}
