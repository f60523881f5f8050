/** Words for roles, scopes and what went wrong while signing in. */
import { m } from '../paraglide/messages.js';
import { refusalWords } from '../words/refusals.ts';
import type { Role, Scope } from './account.ts';

export const roleWords: Record<Role, () => string> = { owner: m.role_owner, admin: m.role_admin, operator: m.role_operator, reviewer: m.role_reviewer, viewer: m.role_viewer };

export const scopeWords: Record<Scope, () => string> = {
  'goals:read': m.scope_goals_read,
  'goals:write': m.scope_goals_write,
  'work:submit': m.scope_work_submit,
  'work:review': m.scope_work_review,
  'approvals:decide': m.scope_approvals_decide,
  'triggers:manage': m.scope_triggers_manage,
  'secrets:write': m.scope_secrets_write,
  'usage:read': m.scope_usage_read,
  admin: m.scope_admin,
};

const signing: Record<string, () => string> = {
  INVALID_EMAIL_OR_PASSWORD: m.sign_wrong,
  EMAIL_NOT_VERIFIED: m.sign_unconfirmed,
  PASSWORD_TOO_SHORT: m.sign_short,
  PASSWORD_TOO_LONG: m.sign_long,
  INVALID_EMAIL: m.sign_email,
  INVALID_TOKEN: m.sign_link,
  rate_limited: m.sign_often,
  SESSION_NOT_FRESH: m.sign_not_fresh,
  PASSKEY_REFUSED: m.passkey_refused,
  PASSKEY_AGAIN: m.passkey_again,
  PASSKEY_NOT_GIVEN: m.passkey_not_given,
  PASSKEY_HERE_ALREADY: m.passkey_here_already,
  PASSKEY_LIMIT: m.passkey_limit,
  elsewhere: m.sign_elsewhere_failed,
};

export const accountWords = (code: string): string => signing[code]?.() ?? refusalWords(code);
