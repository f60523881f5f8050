/** Where a workspace tells what happens in it: webhooks for programs, chat rooms and mails for people. Addresses of chat rooms are keys themselves, so they are sealed as secrets. */
import { z } from 'zod';
import { needTypes, type NoticeType, noticeTypes } from '../../domain/notices/notices.ts';
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

export const chatFormats = ['slack', 'feishu', 'dingtalk', 'wecom', 'discord', 'teams'] as const;
export type ChatFormat = (typeof chatFormats)[number];

export const chat = z.strictObject({
  name: slug,
  format: z.enum(chatFormats),
  /** Name of the secret that holds the room's incoming address. */
  secret: slug,
  ...filters,
});
export type Chat = z.infer<typeof chat>;

/** What an outlet hears of. Programs hear of everything unless they say otherwise, people of what needs them. */
export function hears(outlet: Webhook | Chat, type: OutletType, goal: string): boolean {
  const events: readonly OutletType[] = outlet.events ?? ('url' in outlet ? outletTypes : [...needTypes, 'endpoint.disabled']);
  return events.includes(type) && (outlet.goals === undefined || outlet.goals.includes(goal));
}

/** A person's own choice: mails about what needs them. Nobody gets any who did not ask for it. */
export const mailChoice = z.strictObject({ mail: z.boolean() });
export type MailChoice = z.infer<typeof mailChoice>;
