/** One mail to one member: whether they still are one, and want it, is looked up when it is sent. Never throws; no address is in any answer or log. */
import { type Mailer, mailerOf } from '../auth/mail.ts';
import type { Env } from '../env.ts';
import { sha256 } from '../goal/sha256.ts';
import { errorOf, log } from '../observe/log.ts';
import type { OpenedLinks } from '../workspace/rpc.ts';
import { addressOf } from './core/addresses.ts';
import { chosenMail, isWrittenTo, mailOf, type Recipient } from './core/mail.ts';
import type { Happening } from './core/message.ts';
import { consoleOrigin } from './origin.ts';
import { knownTitle } from './send-chat.ts';
import type { Tried } from './send-delivery.ts';

/** Members of one workspace that are asked whether they want mail. */
const membersAtMost = 1000;

export async function recipientsOf(db: D1Database, workspace: string): Promise<Recipient[]> {
  const { results } = await db
    .prepare('SELECT person_id AS person, role, mail FROM members WHERE workspace_id = ? ORDER BY since, person_id LIMIT ?')
    .bind(workspace, membersAtMost)
    .all<{ person: string; role: Recipient['role']; mail: string | null }>();
  return results.map(({ person, role, mail }) => ({ person, role, mail: chosenMail(mail) }));
}

export async function sendMail(
  env: Env,
  workspace: string,
  links: OpenedLinks | null,
  person: string,
  { id, body }: { id: string; body: string },
  mailer: Mailer = mailerOf(env),
): Promise<Tried> {
  try {
    const happening = JSON.parse(body) as Happening;
    const row = await env.DB.prepare(
      'SELECT m.role, m.mail, p.email, p.emailVerified AS verified FROM members m JOIN person p ON p.id = m.person_id WHERE m.workspace_id = ? AND m.person_id = ?',
    )
      .bind(workspace, person)
      .first<{ role: Recipient['role']; mail: string | null; email: string; verified: number }>();
    // Left, chose otherwise since, or never confirmed the address.
    if (row?.verified !== 1 || !isWrittenTo({ person, role: row.role, mail: chosenMail(row.mail) }, happening)) return { judged: { is: 'gone' }, status: null };
    const title = await knownTitle(env, workspace, happening.goal);
    const url = addressOf({ workspace, origin: consoleOrigin(env), links, sha256 }, happening, `person:${person}`, `mail/${id}`);
    const taken = await mailer.send(mailOf(row.email, happening, { ...(title === undefined ? {} : { title }), url }));
    return { judged: taken ? { is: 'delivered' } : { is: 'again', fault: 'mail_refused' }, status: null };
  } catch (error) {
    log('warn', 'notify', 'mail.away', { workspace, error: errorOf(error) });
    return { judged: { is: 'again', fault: 'mail_away' }, status: null };
  }
}
