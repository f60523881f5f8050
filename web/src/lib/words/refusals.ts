/** What went wrong with a command, in words: what happened, and what it means. */
import { m } from '../paraglide/messages.js';

const words: Record<string, () => string> = {
  goal_version_stale: m.refusal_goal_version_stale,
  plan_revision_stale: m.refusal_goal_version_stale,
  item_version_stale: m.refusal_item_version_stale,
  invalid_transition: m.refusal_invalid_transition,
  goal_not_active: m.refusal_goal_not_active,
  forbidden: m.refusal_forbidden,
  scope_missing: m.refusal_forbidden,
  self_review: m.refusal_self_review,
  schema_invalid: m.refusal_schema_invalid,
  submission_superseded: m.refusal_submission_superseded,
  not_found: m.refusal_not_found,
  quota_exceeded: m.refusal_quota_exceeded,
  workspace_erased: m.refusal_workspace_erased,
  unavailable: m.refusal_unavailable,
  unreachable: m.refusal_unreachable,
};

export const refusalWords = (code: string): string => words[code]?.() ?? m.refusal_other({ code });
