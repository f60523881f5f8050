/**
 * A person erased: account, sessions, ways to sign in, memberships, invitations, in one batch of D1; then the addresses and reasons of what they did, in the audit of each workspace they were in. What they did stays under their id.
 * A workspace would be left without an owner: then nothing is erased, and the refusal says which.
 */
import { type Refusal, refuse } from '../../domain/refusals.ts';
import type { PrincipalId } from '../../domain/values.ts';
import type { Env } from '../../env.ts';
import { sha256 } from '../../goal/sha256.ts';
import { errorOf, log } from '../../observe/log.ts';
import { workspaceStub } from '../workspace-stub.ts';
import { type Sql, sql } from '../people/change.ts';
import { beginning, type Erasure, erasureIdOf, finish, keepProgress, readErasure } from './erasures.ts';
import { receiptOf } from './receipt.ts';

const soleOwner = `FROM members m WHERE m.person_id = ? AND m.role = 'owner' AND NOT EXISTS (SELECT 1 FROM members o WHERE o.workspace_id = m.workspace_id AND o.role = 'owner' AND o.person_id <> m.person_id)`;

export type PersonErased = { outcome: 'erased'; erasure: Erasure } | { outcome: 'rejected'; refusal: Refusal } | { outcome: 'unknown'; detail: string };

/** `email`: repeated by who asks, so that a slip erases nobody. */
export async function erasePerson(env: Pick<Env, 'DB' | 'WORKSPACES'>, person: string, askedBy: PrincipalId, email: string, now: number): Promise<PersonErased> {
  const rejected = (refusal: Refusal): PersonErased => ({ outcome: 'rejected', refusal });
  const row = await env.DB.prepare('SELECT email FROM person WHERE id = ?').bind(person).first<{ email: string }>();
  if (!row) return rejected(refuse('not_found'));
  if (row.email.toLowerCase() !== email.toLowerCase())
    return rejected(
      refuse('schema_invalid', { errors: [{ pointer: '/email', code: 'not_the_address', detail: 'repeat the e-mail address of the account exactly: nothing brings it back' }] }),
    );
  const owned = await env.DB.prepare(`SELECT m.workspace_id AS id, (SELECT name FROM workspaces w WHERE w.id = m.workspace_id) AS name ${soleOwner} ORDER BY 1`)
    .bind(person)
    .all<{ id: string; name: string | null }>();
  if (owned.results.length > 0) return rejected(lastOwner(owned.results));

  const id = erasureIdOf('person', person);
  const principal: PrincipalId = `person:${person}`;
  const begun = sql('EXISTS (SELECT 1 FROM erasures WHERE id = ?)', id);
  const gone = (table: string, where: string, ...values: string[]): Sql => sql(`DELETE FROM ${table} WHERE ${where} AND ${begun.sql}`, ...values, ...begun.values);
  const statements = [
    beginning({ id, kind: 'person', subject: person, askedBy, askedAt: now }, counts(person, principal, row.email), sql(`NOT EXISTS (SELECT 1 ${soleOwner})`, person)),
    gone('members', 'person_id = ?', person),
    gone('invitations', 'lower(email) = lower(?)', row.email),
    gone('person_verification', '(value = ? OR instr(lower(identifier), lower(?)) > 0 OR instr(lower(value), lower(?)) > 0)', person, row.email, row.email),
    gone('person_session', 'userId = ?', person),
    gone('person_passkey', 'person_id = ?', person),
    gone('person_account', 'userId = ?', person),
    gone('person', 'id = ?', person),
    sql(`UPDATE people_log SET address = NULL, reason = NULL WHERE principal = ? AND ${begun.sql}`, principal, ...begun.values),
  ];
  try {
    await env.DB.batch(statements.map((each) => env.DB.prepare(each.sql).bind(...each.values)));
    const erasure = await readErasure(env.DB, id);
    // Somebody made them the last owner of one meanwhile.
    if (!erasure) return rejected(lastOwner([]));
    return { outcome: 'erased', erasure: await goOn(env, erasure) };
  } catch (error) {
    log('error', 'people', 'erasure.failed', { error: errorOf(error) });
    return { outcome: 'unknown', detail: 'The book does not answer. What has begun goes on by itself; ask again to learn what became of it.' };
  }
}

function lastOwner(workspaces: readonly { id: string; name: string | null }[]): Refusal {
  return refuse('invalid_transition', {
    detail: 'Some workspaces have no other owner. Make another member the owner of each, or erase it.',
    current: { onlyOwnerOf: workspaces.map(({ id, name }) => ({ id, name: name ?? id })) },
  });
}

function counts(person: string, principal: string, email: string): Sql {
  return sql(
    `json_object('erased', json_object('accounts', 1, 'memberships', (SELECT count(*) FROM members WHERE person_id = ?), 'sessions', (SELECT count(*) FROM person_session WHERE userId = ?),
     'waysToSignIn', (SELECT count(*) FROM person_account WHERE userId = ?), 'passkeys', (SELECT count(*) FROM person_passkey WHERE person_id = ?), 'invitations', (SELECT count(*) FROM invitations WHERE lower(email) = lower(?))),
     'workspaces', (SELECT json_group_array(id) FROM (SELECT workspace_id AS id FROM members WHERE person_id = ? UNION SELECT workspace_id FROM people_log WHERE principal = ? ORDER BY 1)))`,
    person,
    person,
    person,
    person,
    email,
    person,
    principal,
  );
}

/** The workspaces that were not told yet, one after the other; what is left goes on with the next sweep. */
export async function goOn(env: Pick<Env, 'DB' | 'WORKSPACES'>, erasure: Erasure): Promise<Erasure> {
  let { progress } = erasure;
  if (erasure.receipt) return erasure;
  for (const workspace of progress.workspaces ?? []) {
    const told = await workspaceStub(env, workspace).erasePerson({ v: 1, workspace, principal: `person:${erasure.subject}`, askedBy: erasure.askedBy });
    // A workspace that was erased meanwhile has nothing of them left.
    if (told.outcome === 'refused' && told.refusal.code !== 'workspace_erased') throw new Error(`workspace ${workspace}: ${told.refusal.code}`);
    const rows = told.outcome === 'erased' ? told.rows : 0;
    progress = {
      erased: { ...progress.erased, auditAddresses: (progress.erased.auditAddresses ?? 0) + rows },
      workspaces: (progress.workspaces ?? []).filter((each) => each !== workspace),
    };
    await keepProgress(env.DB, erasure.id, progress);
  }
  const { kind, subject, askedBy, askedAt } = erasure;
  const receipt = receiptOf(sha256, { kind, subject, askedBy, askedAt, doneAt: Date.now(), erased: progress.erased, kept: ['audit_ids', 'record_ids', 'receipt'] });
  await finish(env.DB, erasure.id, receipt);
  return (await readErasure(env.DB, erasure.id)) ?? { ...erasure, receipt };
}
