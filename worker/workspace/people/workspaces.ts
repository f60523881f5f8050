/** Workspaces. Their ids are made here, so that choosing one tells nobody which others exist. */
import { hashOf } from '../../auth/secret-text.ts';
import { refuse } from '../../domain/refusals.ts';
import { erasureIdOf, readErasure } from '../erasing/erasures.ts';
import { again, type Committed, commit, type Entry, keptOf, sql } from './change.ts';

/** Workspaces that one person may make. */
const workspacesAtMost = 20;

/** From who makes it by which command: making twice is making once, under whatever name. */
const workspaceIdOf = (person: string, commandId: string): string => `ws-${hashOf(JSON.stringify(['workspace', person, commandId])).slice(0, 20)}`;

export async function createWorkspace(db: D1Database, person: string, asked: { name: string; commandId: string }, address: string | null, now: number): Promise<Committed> {
  const id = workspaceIdOf(person, asked.commandId);
  const entry: Entry = {
    workspace: id,
    principal: `person:${person}`,
    commandId: asked.commandId,
    type: 'workspace.create',
    body: { name: asked.name },
    address,
  };
  if (await readErasure(db, erasureIdOf('workspace', id))) return { outcome: 'rejected', refusal: refuse('workspace_erased') };
  const kept = await keptOf(db, entry);
  if (kept) return again(kept, entry);
  const made = await db.prepare('SELECT count(*) AS n FROM workspaces WHERE created_by = ?').bind(entry.principal).first<{ n: number }>();
  if ((made?.n ?? 0) >= workspacesAtMost) return { outcome: 'rejected', refusal: refuse('limit_exceeded', { current: { limit: 'workspaces', allowed: workspacesAtMost } }) };
  return commit(
    db,
    entry,
    {
      statements: [
        sql('INSERT INTO workspaces (id, name, created_at, created_by) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING', id, asked.name, now, entry.principal),
        sql("INSERT INTO members (workspace_id, person_id, role, since) VALUES (?, ?, 'owner', ?) ON CONFLICT DO NOTHING", id, person, now),
      ],
      holds: [sql('EXISTS (SELECT 1 FROM workspaces WHERE id = ? AND created_by = ?)', id, entry.principal)],
      before: null,
      after: { workspace: id, name: asked.name },
    },
    now,
  );
}
