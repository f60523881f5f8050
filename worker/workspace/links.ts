/** The signed links of one workspace: whose a decision link is and whether it was used; which goal a progress link shows. */
import { type Refusal, refuse } from '../domain/refusals.ts';
import type { PrincipalId } from '../domain/values.ts';
import { type DecisionLink, readDecision, readProgress, signProgress } from '../notify/core/links.ts';
import { progressEnd } from './core/progress.ts';
import type { WorkspaceState } from './core/state.ts';

type SqlValue = string | number | null | ArrayBuffer;

/** Links that were used, until they would have run out. */
export const linksSchema = [
  'CREATE TABLE used_links (id TEXT PRIMARY KEY, command_id TEXT NOT NULL, at INTEGER NOT NULL, expires_at INTEGER NOT NULL) WITHOUT ROWID',
  'CREATE INDEX used_links_by_end ON used_links (expires_at)',
];

/** Rows forgotten at once. */
const forgottenAtOnce = 200;

export class LinkStore {
  readonly #sql: SqlStorage;
  readonly #ready: () => boolean;
  constructor(sql: SqlStorage, ready: () => boolean) {
    this.#sql = sql;
    this.#ready = ready;
  }
  used(id: string): { commandId: string; at: number } | undefined {
    if (!this.#ready()) return undefined;
    const [row] = this.#sql.exec<{ command_id: string; at: number } & Record<string, SqlValue>>('SELECT command_id, at FROM used_links WHERE id = ?', id).toArray();
    return row && { commandId: row.command_id, at: row.at };
  }
  /** Within a transaction. */
  use(link: DecisionLink, commandId: string, at: number): void {
    this.#sql.exec('INSERT INTO used_links (id, command_id, at, expires_at) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING', link.id, commandId, at, link.expiresAt);
    this.#sql.exec('DELETE FROM used_links WHERE id IN (SELECT id FROM used_links WHERE expires_at < ? LIMIT ?)', at, forgottenAtOnce);
  }
}

/** The link, where it is good for this person now; the same command id finds it good again. */
export function judgeDecision(
  key: string,
  workspace: string,
  text: string,
  asking: { principal: PrincipalId; commandId: string; now: number },
  used: LinkStore['used'],
): DecisionLink | Refusal {
  const link = readDecision(key, workspace, text);
  if (!link) return refuse('link_unknown');
  // Whose it is comes first: nobody else learns what became of it.
  if (link.person !== asking.principal) return refuse('link_not_yours');
  if (link.expiresAt <= asking.now) return refuse('link_ended', { current: { expiresAt: link.expiresAt } });
  const before = used(link.id);
  if (before && before.commandId !== asking.commandId) return refuse('link_used', { current: { at: before.at, goal: link.goal } });
  return link;
}

export function judgeProgress(key: string, workspace: string, text: string, state: WorkspaceState, now: number): { goal: string; until: number } | Refusal {
  const read = readProgress(key, workspace, text);
  const kept = read && state.settings.progress.get(read.name);
  // Taken back, put again, altered: one answer.
  if (!kept || kept.version !== read.version || progressEnd(kept) <= now) return refuse('link_unknown');
  return { goal: kept.value.goal, until: progressEnd(kept) };
}

/** Of every goal that has one: the progress link that lasts longest. */
export function progressByGoal(key: string, workspace: string, state: WorkspaceState, now: number): Record<string, string> {
  const live = [...state.settings.progress.values()].filter((kept) => progressEnd(kept) > now).sort((a, b) => progressEnd(a) - progressEnd(b));
  return Object.fromEntries(live.map((kept) => [kept.value.goal, signProgress(key, workspace, { name: kept.value.name, version: kept.version })]));
}
