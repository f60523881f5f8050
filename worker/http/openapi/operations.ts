/** Every route of the contract. A route without a line here fails a test, and so does a line without a route. */
import { z } from 'zod';
import type { RefusalCode } from '../../domain/refusals.ts';
import { historyNames } from '../history-names.ts';
import { attemptTokenBody } from '../attempts.ts';
import { authRoutes } from '../auth.ts';
import { quotaOverride } from '../../workspace/core/quotas.ts';
import { erasureBody } from '../erasures.ts';
import { linkQuery } from '../file-links.ts';
import { catalogueQuery, testBody } from '../models.ts';
import { templateOrder } from '../templates.ts';
import { triggerTrial } from '../triggers.ts';
import {
  askedRead,
  auditExport,
  auditList,
  deadLetterList,
  eventList,
  evidenceRead,
  goalList,
  graphRead,
  historyList,
  ledgerList,
  outboxList,
  packetRead,
  pageOf,
  planImport,
  rebuildList,
  recordList,
  resumeAt,
  templateRead,
  triggerEntries,
  usageRead,
} from '../parameters.ts';
import { invitationSecret, newWorkspace, peopleLogCursor } from '../people.ts';
import * as answers from './answers.ts';
import { examples } from './examples.ts';
import type { Operation, Operations } from './operation.ts';
import * as views from './views.ts';

const ws = '/v1/workspaces/:workspace';
const goal = `${ws}/goals/:goal`;

/** What a command may be refused with; which of them, `docs/commands.md` and the catalogue of refusals say. */
const commandRefusals: readonly RefusalCode[] = [
  'goal_version_stale',
  'plan_revision_stale',
  'item_version_stale',
  'version_required',
  'fence_stale',
  'lease_lost',
  'round_superseded',
  'goal_paused',
  'goal_not_active',
  'invalid_transition',
  'dependency_not_accepted',
  'output_taken',
  'plan_invalid',
  'evidence_missing',
  'evidence_foreign',
  'self_review',
  'submission_superseded',
  'digest_mismatch',
  'criterion_unproven',
  'graph_open',
  'effect_unknown',
  'needs_rework',
  'fact_unknown',
  'approval_mismatch',
  'budget_exceeded',
  'limit_exceeded',
  'already_claimed',
  'command_reused',
  'goal_erased',
];
const settingRefusals: readonly RefusalCode[] = [
  'template_invalid',
  'template_unconfirmed',
  'invalid_transition',
  'setting_missing',
  'setting_stale',
  'setting_in_use',
  'sealing_unavailable',
  'version_required',
  'command_reused',
  'limit_exceeded',
];
const peopleRefusals: readonly RefusalCode[] = ['command_reused', 'invalid_transition', 'limit_exceeded'];
const idempotent = ['Idempotency-Key'] as const;
const versioned = ['Idempotency-Key', 'If-Match'] as const;

const alias = (id: string, command: string): Operation => ({
  id,
  tag: 'goals',
  description: `The command \`${command}\` without a payload. The body may hold \`expected\`, \`reason\`, \`commandId\` and \`dryRun\`.`,
  body: z.strictObject({
    commandId: z.string().min(1).max(200).optional(),
    expected: z.strictObject({ goalVersion: z.int().optional() }).optional(),
    reason: z.string().max(2000).optional(),
    dryRun: z.boolean().optional(),
  }),
  bodyOptional: true,
  headers: versioned,
  answers: { 200: answers.applied },
  sends: ['ETag'],
  refusals: commandRefusals,
});

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const histories: Operations = Object.fromEntries(
  Object.keys(historyNames).flatMap((name): [string, Operation][] => [
    [`GET ${goal}/${name}`, { id: `listGoal${capital(name)}`, tag: 'lists', query: historyList, answers: { 200: answers.history } }],
    [`GET ${ws}/${name}`, { id: `list${capital(name)}`, tag: 'lists', query: historyList, answers: { 200: answers.history } }],
  ]),
);

/** better-auth answers, in its own form (`{code, message}` where it refuses). */
const auth = (id: string, body?: z.ZodType): Operation => ({
  id,
  tag: 'signing_in',
  ...(body ? { body } : {}),
  answers: { 200: answers.auth, '4XX': answers.auth },
  refusals: ['rate_limited', 'limit_exceeded'],
});
const anyForm = z.looseObject({});
const emailAndPassword = { email: z.email(), password: z.string() };
const describedAuth: Operations = {
  'POST /auth/sign-up/email': auth('signUp', z.object({ ...emailAndPassword, name: z.string() })),
  'POST /auth/sign-in/email': auth('signIn', z.object(emailAndPassword)),
  'POST /auth/sign-in/social': auth('signInElsewhere', z.object({ provider: z.string(), callbackURL: z.string().optional() })),
  'GET /auth/callback/:provider': auth('signedInElsewhere'),
  'GET /auth/error': auth('signingInFailed'),
  'POST /auth/sign-out': auth('signOut'),
  'GET /auth/get-session': auth('getSession'),
  'GET /auth/list-sessions': auth('listSessions'),
  'POST /auth/revoke-session': auth('revokeSession', z.object({ token: z.string() })),
  'POST /auth/revoke-other-sessions': auth('revokeOtherSessions'),
  'POST /auth/revoke-sessions': auth('revokeSessions'),
  'POST /auth/send-verification-email': auth('sendVerificationEmail', z.object({ email: z.email() })),
  'GET /auth/verify-email': auth('verifyEmail'),
  'POST /auth/request-password-reset': auth('requestPasswordReset', z.object({ email: z.email() })),
  'GET /auth/reset-password/:token': auth('openPasswordReset'),
  'POST /auth/reset-password': auth('resetPassword', z.object({ newPassword: z.string(), token: z.string() })),
  'POST /auth/change-password': auth('changePassword', z.object({ currentPassword: z.string(), newPassword: z.string(), revokeOtherSessions: z.boolean().optional() })),
  'POST /auth/update-user': auth('updateUser', z.object({ name: z.string() })),
};

/** `/auth/passkey/add-options` is `authPasskeyAddOptions`. */
const authId = (path: string) => path.slice(1).replaceAll(/[^a-z]+([a-z])/gi, (_, letter: string) => letter.toUpperCase());
const authOperations: Operations = Object.fromEntries(
  authRoutes.map(({ method, path }) => [`${method} ${path}`, describedAuth[`${method} ${path}`] ?? auth(authId(path), method === 'POST' ? anyForm : undefined)]),
);

export const operations: Operations = {
  'GET /healthz': { id: 'isUp', tag: 'operators', answers: { 200: z.strictObject({ ok: z.literal(true) }) } },
  'GET /v1/openapi.json': { id: 'getContract', tag: 'operators', answers: { 200: z.looseObject({ openapi: z.string() }) } },
  'GET /.well-known/agent-card.json': {
    id: 'getAgentCard',
    tag: 'operators',
    description: 'The card of A2A.',
    answers: {
      200: z.looseObject({ name: z.string(), supportedInterfaces: z.array(z.looseObject({ url: z.string(), protocolBinding: z.string(), protocolVersion: z.string() })) }),
    },
  },
  'POST /mcp': {
    id: 'callTool',
    tag: 'goals',
    description: 'MCP over streamable HTTP, without sessions. The messages are those of the protocol; the SDKs of MCP speak them. A refusal is the error of a tool.',
    body: z.union([z.looseObject({ jsonrpc: z.literal('2.0') }), z.array(z.looseObject({ jsonrpc: z.literal('2.0') }))]),
    answers: { 200: 'bytes', 202: 'bytes', '4XX': 'bytes' },
    refusals: ['forbidden'],
  },
  'GET /mcp': { id: 'noStream', tag: 'goals', answers: { 405: 'bytes' }, refusals: ['forbidden'] },
  'POST /a2a': {
    id: 'askAgent',
    tag: 'goals',
    description: 'A2A over JSON-RPC 2.0. The messages are those of the protocol; the SDKs of A2A speak them.',
    body: z.looseObject({ jsonrpc: z.literal('2.0'), method: z.string(), id: z.union([z.string(), z.int(), z.null()]).optional(), params: z.looseObject({}).optional() }),
    answers: { 200: z.looseObject({ jsonrpc: z.literal('2.0') }) },
    streams: true,
    refusals: ['not_found', 'forbidden'],
  },
  ...authOperations,
  'GET /v1/me': { id: 'getMe', tag: 'people', answers: { 200: answers.me }, example: examples.me },
  'POST /v1/workspaces': {
    id: 'createWorkspace',
    tag: 'people',
    body: newWorkspace,
    headers: idempotent,
    answers: { 200: answers.madeWorkspace, 201: answers.madeWorkspace },
    refusals: ['forbidden', 'command_reused', 'limit_exceeded', 'workspace_erased'],
  },
  'POST /v1/invitations/accept': {
    id: 'acceptInvitation',
    tag: 'people',
    body: invitationSecret,
    answers: { 200: answers.madeWorkspace },
    refusals: ['forbidden', 'not_found', 'invalid_transition', 'limit_exceeded'],
  },
  [`POST ${ws}/people/commands`]: {
    id: 'givePeopleCommand',
    tag: 'people',
    description: 'One command about people and tokens. Signed-in persons alone give these.',
    body: 'people_commands',
    headers: idempotent,
    answers: { 200: answers.peopleApplied, 201: answers.peopleApplied },
    refusals: peopleRefusals,
    example: examples.token,
  },
  'POST /v1/me/erase': {
    id: 'eraseMe',
    tag: 'people',
    description: 'For good. The own e-mail address is repeated.',
    body: erasureBody,
    answers: { 200: answers.erasureBegun },
    refusals: ['forbidden', 'invalid_transition', 'not_found'],
  },
  'GET /v1/erasures': { id: 'listErasures', tag: 'people', answers: { 200: answers.erasures }, refusals: ['schema_invalid'] },
  'GET /v1/erasures/:erasure': { id: 'getErasure', tag: 'people', answers: { 200: answers.erasure }, refusals: ['schema_invalid', 'not_found'] },
  'POST /v1/operator/people/:person/erase': {
    id: 'erasePerson',
    tag: 'operators',
    body: erasureBody,
    answers: { 200: answers.erasureBegun },
    refusals: ['forbidden', 'invalid_transition'],
  },
  'POST /v1/operator/workspaces/:workspace/quotas': {
    id: 'setQuotas',
    tag: 'operators',
    description: 'Null goes back to what holds for all. It is in the audit of the workspace.',
    body: quotaOverride,
    answers: { 200: answers.quotasSet },
  },
  [`GET ${ws}/names`]: { id: 'listNames', tag: 'people', answers: { 200: answers.names } },
  [`GET ${ws}/export`]: { id: 'exportWorkspace', tag: 'archives', answers: { 200: 'tar' } },
  [`POST ${goal}/plan-imports`]: {
    id: 'importPlan',
    tag: 'goals',
    description: 'The file of another tool as the body. With `propose` the plan document is proposed, under an `Idempotency-Key`; adopted it is by nobody.',
    query: planImport,
    body: 'bytes',
    headers: idempotent,
    answers: { 200: answers.planImport, 201: answers.planImport },
    refusals: commandRefusals,
  },
  [`GET ${ws}/members`]: { id: 'listMembers', tag: 'people', answers: { 200: answers.members } },
  [`GET ${ws}/invitations`]: { id: 'listInvitations', tag: 'people', answers: { 200: answers.invitations } },
  [`GET ${ws}/tokens`]: { id: 'listTokens', tag: 'people', answers: { 200: answers.tokens } },
  [`GET ${ws}/people/log`]: { id: 'listPeopleLog', tag: 'people', query: pageOf(peopleLogCursor), answers: { 200: answers.peopleLog } },
  'GET /v1/operator/counters': { id: 'getCounters', tag: 'operators', answers: { 200: answers.counters }, refusals: ['not_found'] },

  [`POST ${ws}/commands`]: {
    id: 'giveWorkspaceCommand',
    tag: 'workspace',
    description: 'One command on the settings of the workspace.',
    body: 'workspace_commands',
    headers: idempotent,
    answers: { 200: answers.workspaceApplied },
    refusals: [...settingRefusals, 'invalid_transition', 'template_invalid', 'template_unconfirmed', 'malformed_data'],
    example: examples.secret,
  },
  [`GET ${ws}/webhook-deliveries`]: { id: 'listWebhookDeliveries', tag: 'workspace', query: outboxList, answers: { 200: answers.webhookDeliveries } },
  [`POST ${ws}/webhook-deliveries/:seq/replay`]: { id: 'replayWebhookDelivery', tag: 'workspace', answers: { 200: answers.webhookReplayed }, refusals: ['setting_missing'] },
  [`GET ${ws}/settings`]: { id: 'getSettings', tag: 'workspace', answers: { 200: answers.settings } },
  [`GET ${ws}/secrets`]: { id: 'listSecrets', tag: 'workspace', answers: { 200: answers.secrets } },
  [`GET ${ws}/audit`]: { id: 'listAudit', tag: 'workspace', query: auditList, answers: { 200: answers.audit } },
  [`GET ${ws}/audit/verify`]: {
    id: 'verifyAudit',
    tag: 'workspace',
    description: 'Every row against the chain, and its head against the one that is kept apart. It answers 200 whatever it finds: `ok` says it.',
    answers: { 200: answers.auditVerified },
  },
  [`GET ${ws}/audit/export`]: { id: 'exportAudit', tag: 'workspace', query: auditExport, answers: { 200: 'rows' } },
  [`GET ${ws}/usage`]: { id: 'getUsage', tag: 'workspace', query: usageRead, answers: { 200: answers.usage } },

  [`POST ${ws}/goals`]: {
    id: 'createGoal',
    tag: 'goals',
    description: 'The envelope of `goal.create` or `goal.propose`, or the payload of one of them alone under an `Idempotency-Key`. The same command id again is the same goal.',
    body: 'goal_creation',
    headers: idempotent,
    answers: { 200: answers.applied, 201: answers.applied },
    sends: ['ETag', 'Location'],
    refusals: ['command_reused', 'limit_exceeded', 'quota_exceeded', 'goal_erased'],
    example: examples.create,
  },
  [`GET ${ws}/goals`]: { id: 'listGoals', tag: 'goals', query: goalList, answers: { 200: answers.goals } },
  [`GET ${ws}/templates`]: { id: 'listTemplates', tag: 'workspace', answers: { 200: answers.templates } },
  [`GET ${ws}/templates/:name`]: { id: 'getTemplate', tag: 'workspace', query: templateRead, answers: { 200: answers.templateView } },
  [`POST ${ws}/templates/:name/goals`]: {
    id: 'createGoalFromTemplate',
    tag: 'goals',
    description: 'The same command id again is the same goal. A dry run answers what `goal.create` would be given.',
    body: templateOrder,
    headers: idempotent,
    answers: { 200: answers.goalFromTemplate, 201: answers.goalFromTemplate },
    sends: ['ETag', 'Location'],
    refusals: ['template_invalid', 'template_unconfirmed', 'setting_missing', 'quota_exceeded', ...commandRefusals],
  },
  [`GET ${ws}/triggers`]: { id: 'listTriggers', tag: 'triggers', answers: { 200: answers.triggers } },
  [`GET ${ws}/triggers/:name`]: { id: 'getTrigger', tag: 'triggers', answers: { 200: answers.trigger } },
  [`GET ${ws}/triggers/:name/rounds`]: { id: 'listBusinessRounds', tag: 'triggers', query: triggerEntries, answers: { 200: answers.businessRounds } },
  [`GET ${ws}/business-rounds/:round{.+}`]: { id: 'getBusinessRound', tag: 'triggers', answers: { 200: answers.businessRoundDetails } },
  [`GET ${ws}/triggers/:name/deliveries`]: { id: 'listDeliveries', tag: 'triggers', query: triggerEntries, answers: { 200: answers.deliveries } },
  [`POST ${ws}/trigger-tests`]: { id: 'testTrigger', tag: 'triggers', body: triggerTrial, answers: { 200: answers.triggerTried } },
  'POST /hooks/:workspace/:hook': {
    id: 'deliver',
    tag: 'triggers',
    description: 'A delivery of a webhook: the raw body, signed as its trigger expects. 202 for one that is new, 200 for one that came before.',
    body: 'bytes',
    answers: { 200: answers.delivered, 202: answers.delivered },
    refusals: [
      'not_found',
      'signature_invalid',
      'delivery_reused',
      'malformed_data',
      'schema_invalid',
      'limit_exceeded',
      'sealing_unavailable',
      'workspace_erased',
      'rate_limited',
    ],
  },
  [`GET ${goal}`]: { id: 'getGoal', tag: 'goals', answers: { 200: answers.goal }, sends: ['ETag'] },
  [`POST ${goal}/commands`]: {
    id: 'giveCommand',
    tag: 'goals',
    description:
      'One command of the closed catalogue, told apart by `type`. Who may give which is in `x-by` of each: a scope of the caller; what only rounds or the host give is refused from outside as `forbidden`. A refusal changes nothing.',
    body: 'goal_commands',
    headers: versioned,
    answers: { 200: answers.applied },
    sends: ['ETag'],
    refusals: commandRefusals,
    example: examples.answer,
  },
  [`POST ${goal}/confirm`]: alias('confirmGoal', 'goal.confirm'),
  [`POST ${goal}/pause`]: alias('pauseGoal', 'goal.pause'),
  [`POST ${goal}/resume`]: alias('resumeGoal', 'goal.resume'),
  [`POST ${goal}/cancel`]: alias('cancelGoal', 'goal.cancel'),
  [`GET ${goal}/graph`]: { id: 'getGraph', tag: 'goals', query: graphRead, answers: { 200: views.graph } },
  [`GET ${goal}/items/:key`]: { id: 'getItem', tag: 'goals', answers: { 200: views.item }, sends: ['ETag'] },
  [`GET ${goal}/items/:key/assignment`]: {
    id: 'getAssignment',
    tag: 'goals',
    description: 'What an executor outside works from: who holds the item, under which fence and until when; the spec, the inputs, and why earlier deliveries came back.',
    answers: { 200: views.assignment },
    refusals: ['round_superseded', 'fence_stale', 'lease_lost'],
  },
  [`POST ${goal}/items/:key/token`]: {
    id: 'issueAttemptToken',
    tag: 'goals',
    description: 'For who holds the item: a token that may act for exactly this Attempt under exactly this fence. Asking again gives the same text.',
    body: attemptTokenBody,
    answers: { 200: answers.attemptToken, 201: answers.attemptToken },
    refusals: ['round_superseded', 'fence_stale', 'lease_lost'],
  },
  [`GET ${goal}/items/:key/history`]: { id: 'getItemHistory', tag: 'lists', answers: { 200: answers.itemHistory } },
  [`GET ${goal}/events`]: { id: 'listEvents', tag: 'record', query: eventList, answers: { 200: answers.events } },
  [`GET ${goal}/record`]: { id: 'listRecord', tag: 'record', query: recordList, answers: { 200: answers.record } },
  [`GET ${goal}/next`]: { id: 'getNext', tag: 'goals', answers: { 200: views.next } },
  [`GET ${goal}/resume-packet`]: { id: 'getResumePacket', tag: 'record', query: packetRead, answers: { 200: views.packet } },
  [`GET ${goal}/doctor`]: { id: 'getDoctor', tag: 'operators', answers: { 200: answers.doctor } },
  [`GET ${goal}/facts/:key{.+}`]: { id: 'getFact', tag: 'record', description: 'The key may hold slashes.', answers: { 200: answers.fact } },
  [`GET ${goal}/evidence`]: { id: 'getEvidence', tag: 'record', query: evidenceRead, answers: { 200: answers.evidence } },
  [`GET ${goal}/asked-decisions`]: { id: 'listAskedDecisions', tag: 'record', query: askedRead, answers: { 200: answers.askedDecisions } },
  [`GET ${goal}/body/:digest`]: { id: 'getBody', tag: 'record', answers: { 200: answers.body } },
  [`GET ${goal}/artifacts/:digest`]: { id: 'getFile', tag: 'files', answers: { 200: 'bytes' }, sends: ['ETag'] },
  [`GET ${goal}/artifacts/:digest/link`]: {
    id: 'linkFile',
    tag: 'files',
    description: 'For a browser: sends on to an address of the file that is good for some minutes and knows nobody.',
    query: linkQuery,
    answers: { 303: answers.fileLink },
    sends: ['Location'],
  },
  'GET /v1/files/:link/:name': { id: 'getLinkedFile', tag: 'files', answers: { 200: 'bytes' }, refusals: ['not_found'] },
  [`PUT ${goal}/files/:path{.+}`]: {
    id: 'putFile',
    tag: 'files',
    description: 'The path may hold slashes. At most 25 MB. `Content-Digest` is compared where it is sent.',
    body: 'bytes',
    headers: ['Idempotency-Key', 'Content-Digest'],
    answers: { 200: answers.applied, 201: answers.applied },
    sends: ['ETag', 'Location'],
    refusals: [...commandRefusals, 'malformed_data', 'quota_exceeded'],
  },
  [`GET ${goal}/socket`]: {
    id: 'watchGoal',
    tag: 'live',
    description: 'A snapshot first, or with `after` what happened since; then one update for each commit. `{"kind":"renew"}` within five minutes keeps it open.',
    query: resumeAt,
    answers: { 101: { frames: views.frame } },
  },
  [`GET ${goal}/stream`]: {
    id: 'streamGoal',
    tag: 'live',
    description:
      'The frames of the socket, each the `data` of one event whose `id` is its `seq`. Send the last one as `Last-Event-ID` to go on where it broke off; after too long a snapshot comes again.',
    query: resumeAt,
    headers: ['Last-Event-ID'],
    answers: { 200: { frames: views.frame } },
  },
  [`GET ${ws}/socket`]: {
    id: 'watchGoals',
    tag: 'live',
    description: 'The lists of the workspace: a snapshot of its goals first, or with `after` those that changed since; then those that change, several in one frame.',
    query: resumeAt,
    answers: { 101: { frames: views.goalsFrame } },
  },
  [`GET ${ws}/stream`]: {
    id: 'streamGoals',
    tag: 'live',
    description: 'The frames of the socket of the workspace as server-sent events.',
    query: resumeAt,
    headers: ['Last-Event-ID'],
    answers: { 200: { frames: views.goalsFrame } },
  },
  [`GET ${goal}/export`]: { id: 'exportGoal', tag: 'archives', answers: { 200: 'tar' } },
  [`POST ${ws}/goals/import`]: {
    id: 'importGoal',
    tag: 'archives',
    body: 'tar',
    answers: { 200: answers.imported, 201: answers.imported },
    sends: ['Location'],
    refusals: ['archive_invalid', 'record_newer', 'goal_erased', 'limit_exceeded', 'quota_exceeded'],
  },
  [`POST ${goal}/erase`]: { id: 'eraseGoal', tag: 'archives', answers: { 200: answers.erased } },
  [`POST ${goal}/rebuild`]: { id: 'rebuildGoal', tag: 'operators', answers: { 200: answers.rebuilt } },
  [`POST ${ws}/rebuild`]: { id: 'rebuildWorkspace', tag: 'operators', query: rebuildList, answers: { 200: answers.rebuiltAll } },
  [`GET ${goal}/compare`]: { id: 'compareGoal', tag: 'operators', answers: { 200: answers.comparison } },
  [`GET ${ws}/dead-letters`]: { id: 'listDeadLetters', tag: 'operators', query: deadLetterList, answers: { 200: answers.deadLetters } },
  [`GET ${goal}/usage`]: { id: 'getGoalUsage', tag: 'lists', answers: { 200: answers.goalUsage } },
  [`GET ${goal}/ledger`]: { id: 'listGoalLedger', tag: 'lists', query: ledgerList, answers: { 200: answers.ledger } },
  [`GET ${ws}/ledger`]: { id: 'listLedger', tag: 'lists', query: ledgerList, answers: { 200: answers.ledger } },
  [`POST ${ws}/providers/:name/test`]: {
    id: 'testProvider',
    tag: 'models',
    body: testBody,
    bodyOptional: true,
    answers: { 200: answers.providerTest },
    refusals: ['setting_missing', 'sealing_unavailable', 'address_refused'],
  },
  [`POST ${ws}/mcp/:name/test`]: { id: 'testServer', tag: 'models', answers: { 200: answers.serverTest }, refusals: ['setting_missing', 'sealing_unavailable'] },
  [`POST ${ws}/chats/:name/test`]: { id: 'testChat', tag: 'workspace', answers: { 200: answers.chatTested }, refusals: ['setting_missing', 'sealing_unavailable'] },
  [`GET ${ws}/models/catalogue`]: { id: 'listModels', tag: 'models', query: catalogueQuery, answers: { 200: answers.catalogue }, refusals: ['setting_missing'] },
  ...histories,
};
