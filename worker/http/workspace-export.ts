/**
 * Everything a workspace has as one tar, streamed:
 *
 *     longhaul-workspace.json   what it is: format, workspace, name, time
 *     settings.json             providers, profiles, MCP servers, hosts, rules, budget; secrets by name alone
 *     members.json, invitations.json, tokens.json   who belongs to it; of a token what it may do, nothing that opens anything
 *     usage.json                what was used, by day and goal, and quotas
 *     templates/<name>/<version>.json   every version of every template
 *     audit.ndjson              the whole audit, which `npm run doctor -- --audit` verifies
 *     goals/<goal>/...          each goal's archive, as a folder: put into a tar of its own it can be brought in elsewhere
 *     seal.json                 last: every entry with size and digest, and goals that could not be read
 */
import { createTarPacker } from 'modern-tar';
import { goalsAfter } from '../book/erase-workspace.ts';
import type { Refusal } from '../domain/refusals.ts';
import { readWorkspace } from '../workspace/client.ts';
import { listInvitations, listMembers, listTokens } from '../workspace/people/reads.ts';
import type { TemplateHead } from '../workspace/core/templates.ts';
import type { SettingView, TemplateView } from '../workspace/reads.ts';
import type { WorkspaceReadQuery } from '../workspace/rpc.ts';
import { streamed, tarResponse, writeArchive } from './archives.ts';
import { auditLines } from './audit.ts';
import { readGoal } from './goals.ts';
import { nothing, parameters } from './parameters.ts';
import type { Call } from './route.ts';
import { SealedTar } from './sealed-tar.ts';

const goalsAtOnce = 100;
/** Days of use. */
const usageDays = 366;

/** `GET /v1/workspaces/{workspace}/export`. What fails on the way breaks it off: one without its seal is not whole. */
export async function exportWorkspaceRoute(call: Call): Promise<Response | Refusal> {
  const given = parameters(nothing, call.query);
  if (!given.ok) return given.refusal;
  const reached = await readWorkspace(call.env, { v: 1, workspace: call.workspace, query: { what: 'settings' } });
  if (reached.outcome === 'refused') return reached.refusal;
  const { readable, controller } = createTarPacker();
  void streamed(controller, writeWorkspace(call, new SealedTar(controller), Date.now()));
  return tarResponse(readable, call.workspace);
}

async function writeWorkspace(call: Call, tar: SealedTar, now: number): Promise<void> {
  const { env, workspace } = call;
  const json = (name: string, value: unknown) => tar.add(name, `${JSON.stringify(value, null, 2)}\n`);
  const read = async (query: WorkspaceReadQuery): Promise<unknown> => {
    const found = await readWorkspace(env, { v: 1, workspace, query });
    if (found.outcome === 'refused') throw new Error(`the workspace does not answer: ${found.refusal.code}`);
    return found.value;
  };
  const named = await env.DB.prepare('SELECT name FROM workspaces WHERE id = ?').bind(workspace).first<{ name: string }>();
  await json('longhaul-workspace.json', { format: 'longhaul-workspace', version: 1, workspace, name: named?.name ?? workspace, exportedAt: now });
  await json('settings.json', { settings: await read({ what: 'settings' }), secrets: await read({ what: 'secrets' }) });
  await json('members.json', await listMembers(env.DB, workspace, true));
  await json('invitations.json', await listInvitations(env.DB, workspace, now));
  await json('tokens.json', await listTokens(env.DB, workspace, now));
  await json('usage.json', await read({ what: 'usage', days: usageDays }));
  for (const { value } of ((await read({ what: 'templates' })) as { data: SettingView<TemplateHead>[] }).data) {
    const { name } = value;
    const { versions } = (await read({ what: 'template', name })) as TemplateView;
    for (const { version } of versions) await json(`templates/${name}/${version}.json`, ((await read({ what: 'template', name, version })) as TemplateView).document);
  }
  let audit = '';
  for await (const lines of auditLines(call, {}, now)) audit += lines;
  await tar.add('audit.ndjson', audit);
  const unread: string[] = [];
  for (let after = ''; ; ) {
    const goals = await goalsAfter(env.DB, workspace, after, goalsAtOnce);
    for (const goal of goals) {
      const there = await readGoal(env, workspace, goal, { what: 'next' });
      if (there.ok) await writeArchive(call, goal, there.value.seq, tar.within(`goals/${goal}/`));
      // An erased one is none; any other that does not answer is named, so that nobody takes this for all there is.
      else if (there.refusal.code !== 'not_found') unread.push(goal);
    }
    after = goals.at(-1) ?? after;
    if (goals.length < goalsAtOnce) break;
  }
  await tar.add('seal.json', `${JSON.stringify({ workspace, entries: [...tar.entries], unreadGoals: unread })}\n`);
}
