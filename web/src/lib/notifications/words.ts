/** Chats, ways to write, what waits, and what became of a link, in words. */
import type { Chat, NoticeAct, Notifications, ProgressShown } from '../api/types.ts';
import { m } from '../paraglide/messages.js';
import { refusalWords } from '../words/refusals.ts';

export const chatWords: Record<Chat['kind'], () => string> = {
  slack: () => 'Slack',
  feishu: m.chat_feishu,
  dingtalk: m.chat_dingtalk,
  wecom: m.chat_wecom,
  discord: () => 'Discord',
  teams: () => 'Microsoft Teams',
};
export const chatKinds = Object.keys(chatWords) as Chat['kind'][];

export const wayWords: Record<Notifications['mail']['way'], () => string> = {
  mailbox: m.mail_way_mailbox,
  service: m.mail_way_service,
  cloudflare: m.mail_way_service,
  none: m.mail_way_none,
};

const links: Record<string, () => string> = {
  link_unknown: m.link_unknown,
  link_not_yours: m.link_not_yours,
  link_ended: m.link_ended,
  link_used: m.link_used,
  link_gone: m.link_gone,
  // Of a workspace that one is no member of.
  not_found: m.link_not_yours,
};
export const linkWords = (code: string): string => links[code]?.() ?? refusalWords(code);

const waits: Partial<Record<NoticeAct, (count: { count: number }) => string>> = {
  answer: m.waits_answer,
  decide: m.waits_decide,
  review: m.waits_review,
  attest: m.waits_attest,
  confirm: m.waits_confirm,
};
export const waitWords = ({ act, count }: ProgressShown['waits'][number]): string => (waits[act] ?? m.waits_other)({ count });

const why: Record<Exclude<ProgressShown['why'], 'terminal'>, () => string> = {
  draft: m.why_draft,
  paused: m.why_paused,
  budget: m.why_budget,
  deadline: m.why_deadline,
  running: m.why_running,
  ready: m.why_ready,
  queued: m.why_queued,
  checking: m.why_checking,
  waiting: m.why_waiting,
  blocked: m.why_blocked,
  no_progress: m.why_no_progress,
  suspended: m.why_suspended,
};
export const stateWords = ({ why: kind, status }: ProgressShown): string => (kind === 'terminal' ? (status === 'completed' ? m.why_completed() : m.why_cancelled()) : why[kind]());
