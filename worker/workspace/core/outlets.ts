/** Where a workspace tells programs and people what happens in it. */
import { z } from 'zod';
import { type NoticeType, noticeTypes } from '../../domain/notices/notices.ts';
import { slug } from '../../domain/values.ts';
import { serviceUrl } from '../settings.ts';

/** `endpoint.disabled` is told by the outbox itself. */
export const outletTypes = [...noticeTypes, 'endpoint.disabled'] as const;
export type OutletType = NoticeType | 'endpoint.disabled';

const filters = {
  events: z.array(z.enum(outletTypes)).min(1).max(outletTypes.length).optional(),
  /** Goals by id. Absent: all. */
  goals: z.array(z.string().min(1).max(80)).min(1).max(200).optional(),
};

export const webhook = z.strictObject({
  name: slug,
  url: serviceUrl,
  /** Names of the secrets that sign, each `whsec_` and the base64 of 24 to 64 bytes. While two are named, each delivery carries both signatures. */
  secrets: z.array(slug).min(1).max(2),
  ...filters,
});
export type Webhook = z.infer<typeof webhook>;

/** Chats whose incoming webhooks are understood. `feishu` is Lark too. */
export const chatKinds = ['slack', 'feishu', 'dingtalk', 'wecom', 'discord', 'teams'] as const;
export type ChatKind = (typeof chatKinds)[number];
export const chatLanguages = ['en', 'zh'] as const;
export type ChatLanguage = (typeof chatLanguages)[number];

/** What a chat hears of where it says nothing: what ended or stopped, and what waits for a person. */
export const chatTypes = outletTypes.filter((type) => type !== 'item.accepted' && type !== 'item.returned' && type !== 'trigger.fired');

export const chat = z.strictObject({
  name: slug,
  kind: z.enum(chatKinds),
  /** Name of the secret that is the whole address: whoever knows it can post there. */
  address: slug,
  /** Name of the secret that signs, for Feishu and DingTalk. */
  signing: slug.optional(),
  language: z.enum(chatLanguages).default('en'),
  ...filters,
});
export type Chat = z.infer<typeof chat>;

/** What an outlet hears of. A webhook of everything and a chat of `chatTypes`, unless it says otherwise. */
export function hears(outlet: Webhook | Chat, type: OutletType, goal: string): boolean {
  const events: readonly OutletType[] = outlet.events ?? ('kind' in outlet ? chatTypes : outletTypes);
  return events.includes(type) && (outlet.goals === undefined || outlet.goals.includes(goal));
}
