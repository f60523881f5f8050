/** Every route, who may ask for it, and what answers. The order is that of the chain. */

import { readMailbox } from '../auth/mail.ts';
import { sweepAll } from '../triggers/sweep.ts';
import { eraseRoute, exportRoute, importRoute } from './archives.ts';
import { assignmentRoute, attemptTokenRoute } from './attempts.ts';
import { auditExportRoute, auditRoute, auditVerifyRoute } from './audit.ts';
import { authRoutes } from './auth.ts';
import { aliasRoute, commandRoute, createRoute } from './commands.ts';
import { fileLinkRoute, linkedFileRoute } from './file-links.ts';
import { eraseMeRoute, erasePersonRoute, erasureRoute, erasuresRoute } from './erasures.ts';
import { artifactRoute, putFileRoute } from './files.ts';
import { goalsRoute, goalUsageRoute, historyRoute, itemHistoryRoute, ledgerRoute } from './lists.ts';
import { historyNames } from './history-names.ts';
import { testServerRoute } from './mcp.ts';
import { mcpRoute } from './mcp-server/route.ts';
import { catalogueRoute, localModelsRoute, testProviderRoute } from './models.ts';
import { openApiRoute } from './openapi/serve.ts';
import { planImportRoute } from './plan-import.ts';
import { openLinkRoute, progressLinksRoute, progressRoute } from './links.ts';
import { notificationsRoute } from './notifications.ts';
import { replayDeliveryRoute, testChatRoute, webhookDeliveriesRoute } from './outbox.ts';
import { compareRoute, countersRoute, deadLettersRoute, quotasRoute, rebuildRoute, rebuildWorkspaceRoute } from './operators.ts';
import { acceptInvitationRoute, createWorkspaceRoute, invitationsRoute, membersRoute, meRoute, namesRoute, peopleCommandRoute, peopleLogRoute, tokensRoute } from './people.ts';
import { goalPostRoute } from './posts.ts';
import {
  askedDecisionsRoute,
  bodyRoute,
  doctorRoute,
  eventsRoute,
  evidenceRoute,
  factRoute,
  goalRoute,
  graphRoute,
  itemRoute,
  nextRoute,
  packetRoute,
  recordRoute,
} from './reads.ts';
import { answer, type Route, type WorkspaceRoute } from './route.ts';
import { hookRoute } from './hooks.ts';
import { goalsSocketRoute, socketRoute } from './socket.ts';
import { goalsStreamRoute, streamRoute } from './stream.ts';
import { businessRoundRoute, businessRoundsRoute, deliveriesRoute, testTriggerRoute, triggerRoute, triggersRoute } from './triggers.ts';
import { goalFromTemplateRoute, templateDraftRoute, templateFiguresRoute, templateRoute, templatesRoute } from './templates.ts';
import { secretsRoute, settingsRoute, usageRoute, workspaceCommandRoute } from './workspace.ts';
import { exportWorkspaceRoute } from './workspace-export.ts';

/** Evaluated when somebody asks for it: most isolates never speak A2A. */
const a2a = () => import('./a2a/route.ts');

const workspace = '/v1/workspaces/:workspace';
const goal = `${workspace}/goals/:goal`;

function get(path: string, summary: string, handle: WorkspaceRoute['handle']): WorkspaceRoute {
  return { method: 'GET', path, may: 'goals:read', summary, handle };
}

const histories = Object.entries(historyNames).flatMap(([name, kind]) => [
  get(`${goal}/${name}`, `History of ${name} of a goal, newest first`, historyRoute(kind)),
  get(`${workspace}/${name}`, `History of ${name} of the workspace, newest first`, historyRoute(kind)),
]);

/** Not in a production build, and no part of the contract. */
export const developmentRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/workspaces/:workspace/models/local',
    may: 'goals:read',
    summary: 'Development: model servers that answer on this machine',
    handle: localModelsRoute,
  },
  {
    method: 'POST',
    path: '/v1/dev/sweep',
    may: 'operator',
    summary: 'Development: run the sweep that the cron runs elsewhere',
    handle: async ({ env }) => answer(await sweepAll(env, Date.now())),
  },
  {
    method: 'GET',
    path: '/v1/dev/mail',
    may: 'operator',
    summary: 'Development: the local mailbox, newest first',
    handle: async ({ env }) => answer({ data: await readMailbox(env, 50) }),
  },
];

export const routes: readonly Route[] = [
  { method: 'GET', path: '/healthz', may: 'anyone', summary: 'Whether the Worker answers', handle: async () => answer({ ok: true }) },
  { method: 'GET', path: '/v1/openapi.json', may: 'anyone', summary: 'This contract', handle: openApiRoute(() => routes) },
  ...authRoutes,
  {
    method: 'GET',
    path: '/.well-known/agent-card.json',
    may: 'anyone',
    summary: 'A2A: what this agent is, and where it is asked',
    handle: async (call) => (await a2a()).agentCardRoute(call),
  },
  {
    method: 'POST',
    path: '/a2a',
    may: 'signed_in',
    summary: 'A2A over JSON-RPC, 1.0 and 0.3: goals as tasks ([a2a.md](a2a.md))',
    handle: async (call) => (await a2a()).a2aRoute(call),
  },
  { method: 'GET', path: '/v1/me', may: 'signed_in', summary: 'Who the credential says you are, and in which workspaces', handle: meRoute },
  { method: 'POST', path: '/mcp', may: 'signed_in', summary: 'Longhaul as an MCP server; each tool asks a route of this table for the same caller', handle: mcpRoute },
  // The protocol's way to say that no stream is offered.
  { method: 'GET', path: '/mcp', may: 'signed_in', summary: 'No stream: 405', handle: mcpRoute },
  { method: 'POST', path: '/v1/workspaces', may: 'signed_in', summary: 'Make a workspace and own it', handle: createWorkspaceRoute },
  { method: 'POST', path: '/v1/me/erase', may: 'signed_in', summary: 'Erase your account for good; the e-mail address is repeated', handle: eraseMeRoute },
  { method: 'GET', path: '/v1/erasures', may: 'signed_in', summary: 'Erasures that you asked for, with their receipts', handle: erasuresRoute },
  { method: 'GET', path: '/v1/erasures/:erasure', may: 'signed_in', summary: 'One erasure and its receipt', handle: erasureRoute },
  {
    method: 'POST',
    path: '/v1/operator/people/:person/erase',
    may: 'operator',
    summary: 'Erase a person on their behalf, for who runs the installation',
    handle: erasePersonRoute,
  },
  { method: 'POST', path: '/v1/invitations/accept', may: 'signed_in', summary: 'Accept the invitation of a link', handle: acceptInvitationRoute },
  { method: 'POST', path: `${workspace}/people/commands`, may: 'catalogue', summary: 'Give a command about people and tokens', handle: peopleCommandRoute },
  get(`${workspace}/members`, 'Members and their roles', membersRoute),
  get(`${workspace}/names`, 'What people and tokens are called; no address', namesRoute),
  { method: 'GET', path: `${workspace}/invitations`, may: 'admin', summary: 'Invitations that are open', handle: invitationsRoute },
  { method: 'GET', path: `${workspace}/tokens`, may: 'admin', summary: 'Tokens: what they may do, when they were last used', handle: tokensRoute },
  { method: 'GET', path: `${workspace}/people/log`, may: 'admin', summary: 'What was changed about people and tokens, newest first', handle: peopleLogRoute },
  { method: 'GET', path: '/v1/operator/counters', may: 'operator', summary: 'Counters, for who runs the installation', handle: countersRoute },
  {
    method: 'POST',
    path: '/v1/operator/workspaces/:workspace/quotas',
    may: 'operator',
    summary: 'Set quotas of one workspace, for who runs the installation',
    handle: quotasRoute,
  },
  { method: 'POST', path: `${workspace}/commands`, may: 'catalogue', summary: 'Give a command on the settings of the workspace', handle: workspaceCommandRoute },
  get(`${workspace}/settings`, 'Providers, profiles, MCP servers, outgoing hosts, policy, budget', settingsRoute),
  get(`${workspace}/secrets`, 'Names of secrets, when set and by whom; never a value', secretsRoute),
  {
    method: 'GET',
    path: `${workspace}/webhook-deliveries`,
    may: 'admin',
    summary: 'What was sent to endpoints, with every try, newest first; and how the endpoints stand',
    handle: webhookDeliveriesRoute,
  },
  {
    method: 'POST',
    path: `${workspace}/webhook-deliveries/:seq/replay`,
    may: 'admin',
    summary: 'Send a delivery again, under its id and with its body',
    handle: replayDeliveryRoute,
  },
  { method: 'GET', path: `${workspace}/audit`, may: 'admin', summary: 'Who changed what of the workspace, newest first', handle: auditRoute },
  { method: 'GET', path: `${workspace}/export`, may: 'admin', summary: 'Everything the workspace has as one tar; secrets by name alone', handle: exportWorkspaceRoute },
  { method: 'GET', path: `${workspace}/audit/verify`, may: 'admin', summary: 'Whether the audit is whole: every row against the chain', handle: auditVerifyRoute },
  { method: 'GET', path: `${workspace}/audit/export`, may: 'admin', summary: 'The audit as NDJSON, which can be verified anywhere, or as CSV', handle: auditExportRoute },
  { method: 'GET', path: `${workspace}/usage`, may: 'usage:read', summary: 'What was used of the budget, by day and goal', handle: usageRoute },
  get(`${workspace}/templates`, 'Templates: the newest version of each and the confirmed one', templatesRoute),
  get(`${workspace}/templates/:name`, 'One template: its versions, and the document of one', templateRoute),
  get(`${workspace}/templates/:name/figures`, 'How each item went in the goals made of it: returns, time, cost', templateFiguresRoute),
  { method: 'POST', path: `${workspace}/templates/:name/goals`, may: 'goals:write', summary: 'Create a goal from a template', handle: goalFromTemplateRoute },
  get(`${workspace}/triggers`, 'Triggers: next times, last business rounds, what is unfinished', triggersRoute),
  get(`${workspace}/triggers/:name`, 'One trigger', triggerRoute),
  get(`${workspace}/triggers/:name/rounds`, 'Business rounds of a trigger, newest first', businessRoundsRoute),
  get(`${workspace}/business-rounds/:round{.+}`, 'One business round: what it was fired with, what it waits for, what came late', businessRoundRoute),
  get(`${workspace}/triggers/:name/deliveries`, 'Deliveries of a webhook, newest first', deliveriesRoute),
  {
    method: 'POST',
    path: `${workspace}/trigger-tests`,
    may: 'triggers:manage',
    summary: 'Try a trigger and a payload: next times, filter, mapping; nothing fires',
    handle: testTriggerRoute,
  },
  { method: 'POST', path: '/hooks/:workspace/:hook', may: 'anyone', summary: 'A delivery of a webhook; its signature says whose', handle: hookRoute },
  { method: 'POST', path: `${workspace}/goals`, may: 'goals:write', summary: 'Create a goal, from a contract or from a sentence', handle: createRoute },
  get(`${workspace}/goals`, 'Goals, newest first', goalsRoute),
  get(goal, 'The goal bar and the contract', goalRoute),
  { method: 'POST', path: `${goal}/commands`, may: 'catalogue', attempt: true, summary: 'Give a command', handle: commandRoute },
  { method: 'POST', path: `${goal}/confirm`, may: 'catalogue', summary: 'goal.confirm', handle: aliasRoute('goal.confirm') },
  { method: 'POST', path: `${goal}/pause`, may: 'catalogue', summary: 'goal.pause', handle: aliasRoute('goal.pause') },
  { method: 'POST', path: `${goal}/resume`, may: 'catalogue', summary: 'goal.resume', handle: aliasRoute('goal.resume') },
  { method: 'POST', path: `${goal}/cancel`, may: 'catalogue', summary: 'goal.cancel', handle: aliasRoute('goal.cancel') },
  { method: 'POST', path: `${goal}/posts`, may: 'goals:write', summary: 'This goal says something to another of its workspace', handle: goalPostRoute },
  get(`${goal}/graph`, 'The graph view', graphRoute),
  {
    method: 'POST',
    path: `${goal}/plan-imports`,
    may: 'goals:write',
    summary: 'Read a plan of another tool (Taskmaster, beads, spec-kit, check list) as a plan document, with a report; with `propose` it is proposed',
    handle: planImportRoute,
  },
  get(`${goal}/items/:key`, 'One work item with every submission and verdict', itemRoute),
  { ...get(`${goal}/items/:key/assignment`, 'Who holds an item, until when, and what the work starts from', assignmentRoute), attempt: true },
  { method: 'POST', path: `${goal}/items/:key/token`, may: 'work:submit', summary: 'A token for the Attempt that one holds, for an agent outside', handle: attemptTokenRoute },
  get(`${goal}/items/:key/history`, 'How often it ran, what it delivered, why each delivery came back', itemHistoryRoute),
  get(`${goal}/events`, 'Events in order; `wait` holds the answer until there is one', eventsRoute),
  get(`${goal}/record`, 'Rows of the record of one kind', recordRoute),
  get(`${goal}/next`, 'What moves this next, and who?', nextRoute),
  { ...get(`${goal}/resume-packet`, 'What a new round starts from', packetRoute), attempt: true },
  get(`${goal}/doctor`, 'State, timers, lanes and the next mover', doctorRoute),
  { ...get(`${goal}/facts/:key{.+}`, 'One fact with its provenance', factRoute), attempt: true },
  get(`${goal}/template-draft`, 'A draft of a template from a finished goal, with what was of the case as parameters', templateDraftRoute),
  get(`${goal}/evidence`, 'What rests on a piece of evidence, however far', evidenceRoute),
  get(`${goal}/asked-decisions`, 'Decisions whose evidence fell, put up for a new verdict', askedDecisionsRoute),
  get(`${goal}/body/:digest`, 'A text or value that the record refers to by digest', bodyRoute),
  get(`${goal}/artifacts/:digest/link`, 'Sends a browser on to the address of a file that is for this once and knows nobody', fileLinkRoute),
  {
    method: 'GET',
    path: '/v1/files/:link/:name',
    may: 'anyone',
    summary: 'A file, by a link that was signed some minutes ago; no credential is looked at',
    handle: linkedFileRoute,
  },
  { ...get(`${goal}/artifacts/:digest`, 'The bytes of a file', artifactRoute), attempt: true },
  {
    method: 'PUT',
    path: `${goal}/files/:path{.+}`,
    may: 'goals:write',
    attempt: true,
    summary: 'Store a source file; by the token of an Attempt, a file that it may submit',
    handle: putFileRoute,
  },
  get(`${goal}/socket`, 'The live view over a WebSocket', socketRoute),
  get(`${goal}/stream`, 'The live view as server-sent events', streamRoute),
  get(`${workspace}/socket`, 'The lists of the workspace, live, over a WebSocket', goalsSocketRoute),
  get(`${workspace}/stream`, 'The lists of the workspace, live, as server-sent events', goalsStreamRoute),
  get(`${goal}/export`, 'The goal as one archive: journal, texts, files, sealed by digests', exportRoute),
  { method: 'POST', path: `${workspace}/goals/import`, may: 'admin', summary: 'Bring in an archive; a newer record is never overwritten', handle: importRoute },
  { method: 'POST', path: `${goal}/erase`, may: 'admin', summary: 'Delete a goal and all its content for good', handle: eraseRoute },
  { method: 'POST', path: `${goal}/rebuild`, may: 'admin', summary: 'Derive the record anew from the journal and send it to the book again', handle: rebuildRoute },
  { method: 'POST', path: `${workspace}/rebuild`, may: 'admin', summary: 'The same for all goals of the workspace, some at a time', handle: rebuildWorkspaceRoute },
  get(`${goal}/compare`, 'Whether the book has of the goal what its record says', compareRoute),
  get(`${workspace}/dead-letters`, 'Hand-overs of the queue that were given up', deadLettersRoute),
  { method: 'GET', path: `${goal}/usage`, may: 'usage:read', summary: 'What models used for a goal: tokens and money, by item, lane, profile and model', handle: goalUsageRoute },
  get(`${goal}/ledger`, 'Decisions of a goal; `evidence` gives those that rest on it', ledgerRoute),
  { method: 'POST', path: `${workspace}/providers/:name/test`, may: 'admin', summary: 'A test call to a provider of models, with a tool call', handle: testProviderRoute },
  {
    method: 'POST',
    path: `${workspace}/mcp/:name/test`,
    may: 'admin',
    summary: 'What a remote MCP server offers, and what of the list of its tools can be used',
    handle: testServerRoute,
  },
  get(`${workspace}/notifications`, 'What you are written of, and whether this installation can write', notificationsRoute),
  { method: 'POST', path: `${workspace}/links/open`, may: 'catalogue', summary: 'Open the decision of a signed link, once, as the person it is for', handle: openLinkRoute },
  { method: 'GET', path: `${workspace}/progress-links`, may: 'goals:write', summary: 'Read-only pages of goals that were given out, with their links', handle: progressLinksRoute },
  {
    method: 'GET',
    path: '/v1/progress/:workspace/:link',
    may: 'anyone',
    summary: 'How far a goal is, for whoever has its progress link; no credential is looked at',
    handle: progressRoute,
  },
  { method: 'POST', path: `${workspace}/chats/:name/test`, may: 'admin', summary: 'Post a test message to a chat, now', handle: testChatRoute },
  get(`${workspace}/models/catalogue`, 'Models of a provider: context window, longest output, prices', catalogueRoute),
  get(`${workspace}/ledger`, 'Decisions of the workspace', ledgerRoute),
  ...histories,
  ...(__LONGHAUL_DEV__ ? developmentRoutes : []),
];
