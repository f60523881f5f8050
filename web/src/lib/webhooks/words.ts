/** What is sent, and what became of it, in words. */
import type { DeliveryView, OutletType } from '../api/types.ts';
import { m } from '../paraglide/messages.js';
import type { Family } from '../words/states.ts';

/** In the order of a choice. */
export const typeWords: Record<OutletType, () => string> = {
  'goal.completed': m.outlet_goal_completed,
  'goal.cancelled': m.outlet_goal_cancelled,
  'goal.stopped': m.outlet_goal_stopped,
  'item.accepted': m.outlet_item_accepted,
  'item.returned': m.outlet_item_returned,
  'trigger.fired': m.outlet_trigger_fired,
  'blocker.raised': m.outlet_blocker_raised,
  'approval.asked': m.outlet_approval_asked,
  'review.wanted': m.outlet_review_wanted,
  'budget.stopped': m.outlet_budget_stopped,
  'person.needed': m.outlet_person_needed,
  'endpoint.disabled': m.outlet_endpoint_disabled,
};
export const outletTypes = Object.keys(typeWords) as OutletType[];
export const wordsOfType = (type: string): string => (typeWords as Record<string, () => string>)[type]?.() ?? type;

export const deliveryLook: Record<DeliveryView['state'], { family: Family; word: () => string }> = {
  pending: { family: 'attention', word: m.sent_pending },
  delivered: { family: 'done', word: m.sent_delivered },
  failed: { family: 'stop', word: m.sent_failed },
};
const faults: Record<string, () => string> = {
  gone: m.fault_gone,
  network: m.fault_network,
  too_slow: m.fault_timeout,
  signing_key_unfit: m.fault_key,
  sealing_unavailable: m.fault_secret,
  setting_missing: m.fault_secret,
};
/** Of one try; null: it was taken. */
export function attemptWords({ status, fault }: DeliveryView['attempts'][number]): string {
  if (fault === null) return m.fault_none({ status: status ?? '' });
  return faults[fault]?.() ?? (status === null ? m.fault_other({ code: fault }) : m.fault_status({ status }));
}
