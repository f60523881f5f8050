/** What one is written of, chats, read-only pages of goals, and what signed links open. */
import type { NoticeAct, Notifications, OutletType, ProgressShown, ProgressLink } from '../api/types.ts';
import { type Answer, ask, workspace } from '../api/client.ts';
import { type Asked, ask as askPlain } from '../account/account.ts';
import type { Json } from '../api/types.ts';

const base = `/v1/workspaces/${encodeURIComponent(workspace)}`;

export const readNotifications = async (): Promise<Answer<Notifications>> => (await ask(`${base}/notifications`)) as unknown as Answer<Notifications>;
export const readProgressLinks = async (): Promise<Answer<{ data: ProgressLink[] }>> => (await ask(`${base}/progress-links`)) as unknown as Answer<{ data: ProgressLink[] }>;

export interface MailRequest {
  kinds: OutletType[] | null;
}
export const chooseMail = (commandId: string, payload: MailRequest): Promise<Answer<Json>> =>
  ask(`${base}/people/commands`, { method: 'POST', body: JSON.stringify({ type: 'member.setMail', commandId, payload }) });

export interface ChatTest {
  ok: boolean;
  status: number | null;
  fault: string | null;
}
export const testChat = async (name: string): Promise<Answer<ChatTest>> =>
  (await ask(`${base}/chats/${encodeURIComponent(name)}/test`, { method: 'POST', body: '{}' })) as unknown as Answer<ChatTest>;

/** What stands behind `#` in the address of a link: the workspace and what was signed. */
export interface LinkText {
  workspace: string;
  text: string;
}
export function linkTextOf(hash: string): LinkText | null {
  const [, of = '', text = ''] = /^#?([A-Za-z0-9_-]{1,64})\/([A-Za-z0-9_.-]{1,2100})$/.exec(hash) ?? [];
  return text === '' ? null : { workspace: of, text };
}

export const openDecision = (link: LinkText, commandId: string): Promise<Asked<{ goal: string; ref: string; act: NoticeAct | null }>> =>
  askPlain(`/v1/workspaces/${encodeURIComponent(link.workspace)}/links/open`, { link: link.text, commandId });
export const readProgress = (link: LinkText): Promise<Asked<ProgressShown>> => askPlain(`/v1/progress/${encodeURIComponent(link.workspace)}/${encodeURIComponent(link.text)}`);
