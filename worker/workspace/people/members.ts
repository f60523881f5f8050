/** Members and their roles. A workspace that has an owner keeps one. */
import { type Refusal, refuse } from '../../domain/refusals.ts';
import { type Role, roleTable } from '../../domain/roles.ts';
import type { PeoplePayload } from './catalogue.ts';
import { type Change, type Giver, giverHolds, type Sql, sql } from './change.ts';
import { chosenMail } from '../../notify/core/mail.ts';

const gives = (giver: Giver): readonly Role[] => (giver.role === null ? [] : roleTable[giver.role].gives);

/** Both what somebody has and what they get must be in the giver's hands. */
export function mayGive(giver: Giver, ...asked: Role[]): Refusal | null {
  const missing = asked.find((role) => !gives(giver).includes(role));
  return missing === undefined
    ? null
    : refuse('forbidden', { detail: `A member who is ${giver.role ?? 'none'} does not decide who is ${missing}.`, current: { gives: [...gives(giver)] } });
}

async function roleOf(db: D1Database, workspace: string, person: string): Promise<Role | null> {
  const row = await db.prepare('SELECT role FROM members WHERE workspace_id = ? AND person_id = ?').bind(workspace, person).first<{ role: Role }>();
  return row?.role ?? null;
}

const anOwner = (workspace: string): Sql => sql("EXISTS (SELECT 1 FROM members WHERE workspace_id = ? AND role = 'owner')", workspace);
const lastOwner = (workspace: string, db: D1Database, person: string) =>
  db
    .prepare("SELECT count(*) AS n FROM members WHERE workspace_id = ? AND role = 'owner' AND person_id <> ?")
    .bind(workspace, person)
    .first<{ n: number }>()
    .then((row) => (row?.n ?? 0) === 0);
const onlyOwner = () => refuse('invalid_transition', { detail: 'A workspace always has an owner. Make another member the owner first.' });

export async function setRole(db: D1Database, workspace: string, giver: Giver, { member, role }: PeoplePayload<'member.setRole'>): Promise<Change | Refusal> {
  const had = await roleOf(db, workspace, member);
  if (had === null) return refuse('not_found');
  const refused = mayGive(giver, had, role);
  if (refused) return refused;
  if (had === 'owner' && role !== 'owner' && (await lastOwner(workspace, db, member))) return onlyOwner();
  return {
    statements: [sql('UPDATE members SET role = ? WHERE workspace_id = ? AND person_id = ? AND role = ?', role, workspace, member, had)],
    holds: [
      sql('EXISTS (SELECT 1 FROM members WHERE workspace_id = ? AND person_id = ? AND role = ?)', workspace, member, role),
      ...(had === 'owner' ? [anOwner(workspace)] : []),
      // An owner who takes their own ownership away no longer holds it afterwards.
      ...(member === giver.person ? [] : giverHolds(workspace, giver)),
    ],
    before: { member, role: had },
    after: { member, role },
  };
}

export async function removeMember(db: D1Database, workspace: string, giver: Giver, member: string): Promise<Change | Refusal> {
  const had = await roleOf(db, workspace, member);
  if (had === null) return refuse('not_found');
  const self = member === giver.person;
  const refused = self ? null : mayGive(giver, had);
  if (refused) return refused;
  if (had === 'owner' && (await lastOwner(workspace, db, member))) return onlyOwner();
  return {
    statements: [sql('DELETE FROM members WHERE workspace_id = ? AND person_id = ? AND role = ?', workspace, member, had)],
    holds: [
      sql('NOT EXISTS (SELECT 1 FROM members WHERE workspace_id = ? AND person_id = ?)', workspace, member),
      ...(had === 'owner' ? [anOwner(workspace)] : []),
      ...(self ? [] : giverHolds(workspace, giver)),
    ],
    before: { member, role: had },
    after: { member, role: null },
  };
}

/** Kept with the membership, and gone with it. */
export async function setMail(db: D1Database, workspace: string, person: string, kinds: PeoplePayload<'member.setMail'>['kinds']): Promise<Change | Refusal> {
  const row = await db.prepare('SELECT mail FROM members WHERE workspace_id = ? AND person_id = ?').bind(workspace, person).first<{ mail: string | null }>();
  if (!row) return refuse('not_found');
  return {
    statements: [sql('UPDATE members SET mail = ? WHERE workspace_id = ? AND person_id = ?', kinds === null ? null : JSON.stringify(kinds), workspace, person)],
    holds: [sql('EXISTS (SELECT 1 FROM members WHERE workspace_id = ? AND person_id = ?)', workspace, person)],
    before: { person, mail: chosenMail(row.mail) },
    after: { person, mail: kinds },
  };
}
