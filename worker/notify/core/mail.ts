/** Who is written to of a happening, and what. Pure. */
import type { Mail } from '../../auth/mail.ts';
import { type Role, roleTable } from '../../domain/roles.ts';
import { type OutletType, outletTypes } from '../../workspace/core/outlets.ts';
import { plain } from '../../auth/mails.ts';
import { type About, sayOf } from './chat/words.ts';
import type { Happening } from './message.ts';

/** What a member is written of who chose nothing: what waits for them. */
export const defaultMail: readonly OutletType[] = ['blocker.raised', 'approval.asked', 'review.wanted', 'budget.stopped', 'person.needed'];

export interface Recipient {
  person: string;
  role: Role;
  /** What they chose; null: nothing. */
  mail: readonly OutletType[] | null;
}

/** As it is kept with the member: a JSON list. Kinds that this version does not know are nothing. */
export function chosenMail(text: string | null): OutletType[] | null {
  if (text === null) return null;
  const kinds: unknown = JSON.parse(text);
  return Array.isArray(kinds) ? outletTypes.filter((type) => kinds.includes(type)) : null;
}

/** What waits for somebody goes to whom it waits for, all else to whoever chose it. */
export function isWrittenTo({ person, role, mail }: Recipient, { type, who }: Pick<Happening, 'type' | 'who'>): boolean {
  if (!(mail ?? defaultMail).includes(type) || !(role in roleTable)) return false;
  const { scopes } = roleTable[role];
  if (who === undefined) return true;
  if (who === 'person:admin') return scopes.includes('admin');
  if (who === 'person:reviewer') return scopes.includes('work:review');
  return who === `person:${person}`;
}

/** In both languages: a member has chosen none. Titles come from others and read as no link. */
export function mailOf(to: string, happening: Happening, { title, url }: About): Mail {
  const [en, zh] = (['en', 'zh'] as const).map((language) => sayOf(language, happening, { ...(title === undefined ? {} : { title: plain(title) }), url }));
  const said = (each: typeof en) => [each?.heading, ...(each?.lines ?? [])].join('\n');
  return { to, subject: `${en?.heading} · ${zh?.heading}`, text: `${said(en)}\n\n${said(zh)}\n\n${url}\n` };
}
