/** What the caller is written of, and whether this installation can write at all. */
import { mailWay } from '../auth/mail.ts';
import type { Refusal } from '../domain/refusals.ts';
import { chosenMail, defaultMail } from '../notify/core/mail.ts';
import type { NotificationsView } from '../workspace/core/notifications-view.ts';
import { chatTypes, outletTypes } from '../workspace/core/outlets.ts';
import { nothing, parameters } from './parameters.ts';
import { answer, type Call } from './route.ts';

/** `GET /v1/workspaces/{workspace}/notifications`: for a token, and for the sign-in of a development build, there is no address. */
export async function notificationsRoute({ env, query, workspace, member }: Call): Promise<Response | Refusal> {
  const given = parameters(nothing, query);
  if (!given.ok) return given.refusal;
  const { person } = member;
  const row = person && (await env.DB.prepare('SELECT mail FROM members WHERE workspace_id = ? AND person_id = ?').bind(workspace, person.id).first<{ mail: string | null }>());
  const view: NotificationsView = {
    mail: { way: mailWay(env), address: person?.email ?? null, confirmed: person?.emailVerified ?? false, kinds: chosenMail(row?.mail ?? null), byDefault: [...defaultMail] },
    chat: { byDefault: chatTypes },
    kinds: [...outletTypes],
  };
  return answer(view);
}
