/** Questions that the host itself asks: it sends codes, and here they become words. */
import type { BlockerView } from '../api/types.ts';
import { m } from '../paraglide/messages.js';
import type { Form } from './form.ts';

const decisions: Record<string, () => string> = {
  try_again: m.host_try_again,
  person_judges: m.host_person_judges,
  change_the_check: m.host_change_the_check,
  offer_again: m.host_offer_again,
  ask_again: m.host_ask_again,
  leave_it: m.host_leave_it,
  plan: m.host_plan,
  attest: m.host_attest,
  revise: m.host_revise,
};

/** A form with the one field `decision` whose choices are all of the host's: with words. Any other form as it is. */
export function worded(form: Form): Form {
  if (form.kind !== 'fields' || form.fields.length !== 1) return form;
  const [field] = form.fields;
  if (field?.name !== 'decision' || field.kind !== 'enum' || !field.options.every((option) => option.label === option.value && Object.hasOwn(decisions, String(option.value))))
    return form;
  return {
    ...form,
    fields: [{ ...field, label: m.host_decision(), options: field.options.map(({ value }) => ({ value, label: decisions[String(value)]?.() ?? String(value) })) }],
  };
}

const titles: [RegExp, () => string][] = [
  [/^check-/, m.host_check],
  [/^plan-invalid$/, m.host_plan_invalid],
  [/^uncovered-/, m.host_uncovered],
  [/^offer-/, m.host_offer],
  [/^approval-/, m.host_approval],
];

/** What the host asks, in the reader's language; undefined where somebody else asks, in their own words. */
export function hostTitle(blocker: Pick<BlockerView, 'id' | 'form'>): string | undefined {
  const { form } = blocker;
  const properties = form !== null && typeof form === 'object' && !Array.isArray(form) ? form.properties : undefined;
  if (properties === null || typeof properties !== 'object' || Array.isArray(properties) || Object.keys(properties).join() !== 'decision') return undefined;
  return titles.find(([pattern]) => pattern.test(blocker.id))?.[1]();
}
