/** Where a workspace tells programs what happens in it. */
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

/** What an outlet hears of. Everything, unless it says otherwise. */
export function hears(outlet: Webhook, type: OutletType, goal: string): boolean {
  const events: readonly OutletType[] = outlet.events ?? outletTypes;
  return events.includes(type) && (outlet.goals === undefined || outlet.goals.includes(goal));
}
