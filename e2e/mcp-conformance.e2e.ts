/**
 * The conformance suite of the Model Context Protocol against a whole local Worker, in both revisions, with a token of a workspace. Twice: `/mcp` as it is, and `/v1/mcp-fixtures`, the same door and
 * transport with the tools and resources that the suite asks for by name (`testing/mcp-conformance`). What fails is what Longhaul does not offer, listed here with the reason; a scenario that
 * is on no list, that fails elsewhere, or that no longer fails, fails the test.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Found, runScenario, runSuite, withToken } from '../testing/mcp-conformance/suite.ts';
import { type Longhaul, startLonghaul } from './harness.ts';

const revisions = ['2025-11-25', '2026-07-28'] as const;
type Revision = (typeof revisions)[number];

/** What `/mcp` itself passes. */
const asItIs: { [revision in Revision]: string[] } = {
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'resources-list'],
  '2026-07-28': ['tools-list', 'resources-list', 'sep-2164-resource-not-found', 'http-header-validation', 'server-sse-multiple-streams'],
};

/** What it passes once there is something to call and to read. */
const withFixtures: { [revision in Revision]: string[] } = {
  '2025-11-25': [],
  '2026-07-28': ['server-stateless'],
};
const carried = [
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
  'tools-call-with-progress',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
];

/** By the reason. Each fails. */
const notOffered: { [reason: string]: { [revision in Revision]?: string[] } } = {
  'There are no prompts; of the lists with caching hints theirs alone is missing.': {
    '2025-11-25': ['prompts-list', 'prompts-get-simple', 'prompts-get-with-args', 'prompts-get-embedded-resource', 'prompts-get-with-image'],
    '2026-07-28': ['prompts-list', 'prompts-get-simple', 'prompts-get-with-args', 'prompts-get-embedded-resource', 'prompts-get-with-image', 'caching'],
  },
  'Nothing is completed while it is typed.': { '2025-11-25': ['completion-complete'], '2026-07-28': ['completion-complete'] },
  'There is no log for clients.': { '2025-11-25': ['logging-set-level', 'tools-call-with-logging'] },
  'Resources are read, not followed: changes are events of the goal.': { '2025-11-25': ['resources-subscribe', 'resources-unsubscribe'] },
  'A tool asks nothing of the client: questions are blockers, which people answer.': {
    '2025-11-25': ['tools-call-sampling', 'tools-call-elicitation', 'elicitation-sep1034-defaults', 'elicitation-sep1330-enums'],
    '2026-07-28': ['basic-elicitation', 'basic-sampling', 'basic-list-roots', 'request-state', 'multiple-input-requests', 'multi-round', 'non-tool-request']
      .concat(['result-type', 'tampered-state', 'capability-check'])
      .map((name) => `input-required-result-${name}`),
  },
  'An extension: tasks.': {
    '2026-07-28': ['lifecycle', 'capability-negotiation', 'wire-fields', 'request-state-removal', 'mrtr-input', 'request-headers', 'dispatch-and-envelope', 'required-task-error']
      .concat(['mrtr-composition'])
      .map((name) => `tasks-${name}`),
  },
  'Not part of the revision yet: about a tool with a schema, and one with headers, that no tool here has.': {
    '2025-11-25': ['json-schema-2020-12'],
    '2026-07-28': ['json-schema-2020-12', 'http-custom-header-server-validation'],
  },
  'Asked without a token, below: a page that was led here by a false name has none.': { '2025-11-25': ['dns-rebinding-protection'], '2026-07-28': ['dns-rebinding-protection'] },
};

/** They find nothing to look at, and so nothing wrong: there are no sessions, no streams to come back to, and no questions to the client. */
const empty: { [revision in Revision]: string[] } = {
  '2025-11-25': ['server-session-lifecycle', 'server-sse-multiple-streams', 'server-sse-polling'],
  '2026-07-28': ['missing-input-response', 'unsupported-methods', 'ignore-extra-params', 'validate-input']
    .map((name) => `input-required-result-${name}`)
    .concat(['tasks-status-notifications']),
};

const missing = (revision: Revision) => Object.values(notOffered).flatMap((each) => each[revision] ?? []);
const failures = (found: Found) =>
  Object.fromEntries(
    Object.entries(found).flatMap(([name, checks]) => {
      const failed = checks.filter(({ status }) => status === 'FAILURE').map(({ id, errorMessage }) => `${id}: ${errorMessage}`);
      return failed.length === 0 ? [] : [[name, failed]];
    }),
  );
const passed = (found: Found, name: string) => found[name]?.some(({ status }) => status === 'SUCCESS') === true && failures(found)[name] === undefined;

let longhaul: Longhaul;
let door: Awaited<ReturnType<typeof withToken>>;

beforeAll(async () => {
  longhaul = await startLonghaul({ installation: { main: 'testing/mcp-conformance/worker.ts' } });
  const ask = async <T>(path: string, body: object) => {
    const answer = await fetch(`${longhaul.url}/v1/workspaces/local/${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const { secret } = await ask<{ secret: string }>('people/commands', {
    type: 'token.issue',
    commandId: 'suite',
    payload: { name: 'suite', scopes: ['goals:read', 'work:submit'] },
  });
  const contract = { title: 'Names', objective: 'Names in capitals.', criteria: [{ id: 'capitals', text: 'In capitals', verify: 'review' }] };
  await ask('goals', { type: 'goal.create', commandId: 'names', payload: { mode: 'bound', contract } });
  door = await withToken(longhaul.url, secret);
});
afterAll(async () => {
  door?.close();
  await longhaul?.stop();
});

it.each(revisions)('holds the revision %s', async (revision) => {
  const [own, fixtures] = await Promise.all([runSuite(`${door.url}/mcp`, revision), runSuite(`${door.url}/v1/mcp-fixtures`, revision)]);
  expect(asItIs[revision].filter((name) => !passed(own, name))).toEqual([]);
  // A server with prompts would have one check more of this one.
  if (revision === '2026-07-28') expect(failures(own).caching).toEqual([expect.stringContaining('sep-2549-prompts-list-caching-hints')]);

  const wanted = [...asItIs[revision], ...withFixtures[revision], ...carried];
  expect(wanted.filter((name) => !passed(fixtures, name)).map((name) => [name, failures(fixtures)[name]])).toEqual([]);
  expect(Object.keys(failures(fixtures)).sort()).toEqual(missing(revision).sort());
  expect(Object.keys(fixtures).sort()).toEqual([...wanted, ...missing(revision), ...empty[revision]].sort());
});

it.each(revisions)('lets nobody in by a false name of this machine, %s', async (revision) => {
  const found = await runScenario(`${longhaul.url}/mcp`, 'dns-rebinding-protection', revision);
  expect(failures(found)).toEqual({});
  expect(passed(found, 'dns-rebinding-protection')).toBe(true);
});
