/**
 * A whole workspace erased. The command's batch in D1 takes every member, token and invitation out, so that nobody gets in; then the workspace's object shuts its door and goes on by its alarm, one bounded step a ring:
 * goals (each object, its rows, its files), what is left in the bucket, rows of D1, its own tables, the receipt. The step that is due is on record in the object, each step may be repeated, and the door stays shut for good.
 */
import { eraseWorkspaceRows, goalsAfter } from '../../book/erase-workspace.ts';
import { type Refusal, refuse } from '../../domain/refusals.ts';
import type { Env } from '../../env.ts';
import { filesRoot, indexPrefix } from '../../goal/file-key.ts';
import { goalStub } from '../../goal/goal-stub.ts';
import { sha256 } from '../../goal/sha256.ts';
import { outboxStub } from '../../notify/outbox-stub.ts';
import type { AuditHead } from '../audit/chain.ts';
import { type Change, type Giver, type Sql, sql } from '../people/change.ts';
import { beginning, erasureIdOf, finish, readErasure } from './erasures.ts';
import { receiptOf } from './receipt.ts';

/** Goals erased in one step, and at once. */
const goalsAtOnce = 40;
const goalsInParallel = 6;
/** Keys that the bucket lists and deletes in one call. */
const keysAtOnce = 1000;

const counted = (workspace: string): Sql =>
  sql(
    `json_object('erased', json_object('members', (SELECT count(*) FROM members WHERE workspace_id = ?), 'tokens', (SELECT count(*) FROM tokens WHERE workspace_id = ?),
     'invitations', (SELECT count(*) FROM invitations WHERE workspace_id = ?)))`,
    workspace,
    workspace,
    workspace,
  );

/** `name` must be that of the workspace: what is gone cannot be brought back. An owner alone decides it. */
export async function eraseWorkspace(db: D1Database, workspace: string, giver: Giver, name: string, now: number): Promise<Change | Refusal> {
  if (giver.role !== 'owner' || giver.person === null) return refuse('forbidden', { detail: 'An owner of the workspace alone erases it.', current: { role: 'owner' } });
  const row = await db.prepare('SELECT name FROM workspaces WHERE id = ?').bind(workspace).first<{ name: string }>();
  if (!row) return refuse('not_found');
  if (row.name !== name)
    return refuse('schema_invalid', { errors: [{ pointer: '/payload/name', code: 'not_the_name', detail: 'repeat the name of the workspace exactly: nothing brings it back' }] });
  const id = erasureIdOf('workspace', workspace);
  const owner = sql("EXISTS (SELECT 1 FROM members WHERE workspace_id = ? AND person_id = ? AND role = 'owner')", workspace, giver.person);
  return {
    statements: [
      beginning({ id, kind: 'workspace', subject: workspace, askedBy: giver.principal, askedAt: now }, counted(workspace), owner),
      ...['members', 'tokens', 'invitations'].map((table) => sql(`DELETE FROM ${table} WHERE workspace_id = ? AND EXISTS (SELECT 1 FROM erasures WHERE id = ?)`, workspace, id)),
    ],
    holds: [sql('EXISTS (SELECT 1 FROM erasures WHERE id = ?)', id)],
    before: null,
    after: { workspace, erasure: id },
  };
}

export const steps = ['goals', 'files', 'rows', 'own', 'done'] as const;
export interface Erasing {
  erasure: string;
  step: (typeof steps)[number];
  /** Last goal of those that were erased so far. */
  after: string;
  erased: Record<string, number>;
  auditHead: AuditHead;
}

/** What the object gives: what it keeps of its own. */
export interface OwnRows {
  goals(after: string, limit: number): string[];
  /** Deletes everything but the mark that it is erased. Rows, by table. */
  counts(): Record<string, number>;
}

type Bound = Pick<Env, 'DB' | 'FILES' | 'GOALS' | 'OUTBOXES'>;

/** One step; what comes back is kept before the next one. What it throws is tried again. */
export async function eraseStep(env: Bound, workspace: string, at: Erasing, own: OwnRows): Promise<Erasing> {
  switch (at.step) {
    case 'goals': {
      const goals = await nextGoals(env, workspace, at.after, own);
      if (goals.length === 0) return { ...at, step: 'files' };
      const waiting = [...goals];
      const lane = async () => {
        for (let goal = waiting.shift(); goal !== undefined; goal = waiting.shift()) {
          const erased = await goalStub(env, workspace, goal).erase({ v: 1, workspace, goal, unborn: true });
          if (erased.outcome !== 'found' || !erased.value.done) throw new Error(`goal ${goal} is not erased yet`);
        }
      };
      await Promise.all(Array.from({ length: goalsInParallel }, lane));
      return { ...at, after: goals.at(-1) ?? at.after, erased: plus(at.erased, { goals: goals.length }) };
    }
    case 'files': {
      for (const prefix of [`${filesRoot}${workspace}/`, `staging/${workspace}/`, indexPrefix(workspace)]) {
        const { objects } = await env.FILES.list({ prefix, limit: keysAtOnce });
        if (objects.length === 0) continue;
        await env.FILES.delete(objects.map(({ key }) => key));
        return { ...at, erased: plus(at.erased, { leftFiles: objects.length }) };
      }
      return { ...at, step: 'rows' };
    }
    case 'rows':
      await outboxStub(env, workspace).erase({ v: 1, workspace });
      return { ...at, step: 'own', erased: plus(at.erased, await eraseWorkspaceRows(env.DB, workspace)) };
    case 'own': {
      const erasure = await readErasure(env.DB, at.erasure);
      if (!erasure) throw new Error('the erasure is not on record');
      const { kind, subject, askedBy, askedAt, progress } = erasure;
      const erased = plus(plus(at.erased, progress.erased), own.counts());
      await finish(
        env.DB,
        at.erasure,
        receiptOf(sha256, { kind, subject, askedBy, askedAt, doneAt: Date.now(), erased, kept: ['goal_marks', 'receipt'], auditHead: at.auditHead }),
      );
      return { ...at, step: 'done' };
    }
    case 'done':
      return at;
    default:
      return at.step satisfies never;
  }
}

/** From the object's own count, from the book and from the names in the bucket: one of them may have lost some. In the order of their ids. */
async function nextGoals(env: Bound, workspace: string, after: string, own: OwnRows): Promise<string[]> {
  const prefix = indexPrefix(workspace);
  const [inBook, named] = await Promise.all([
    goalsAfter(env.DB, workspace, after, goalsAtOnce),
    env.FILES.list({ prefix, limit: goalsAtOnce, ...(after === '' ? {} : { startAfter: `${prefix}${after}` }) }),
  ]);
  return [...new Set([...own.goals(after, goalsAtOnce), ...inBook, ...named.objects.map(({ key }) => key.slice(prefix.length))])].sort().slice(0, goalsAtOnce);
}

function plus(counts: Record<string, number>, more: Record<string, number>): Record<string, number> {
  const sum = { ...counts };
  for (const [what, count] of Object.entries(more)) sum[what] = (sum[what] ?? 0) + count;
  return sum;
}
