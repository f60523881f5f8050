/** What is set and seen for a whole workspace, in the order of the page. A section without a page of its own is not listed. */
import { m } from '../paraglide/messages.js';

export interface Section {
  href: string;
  title(): string;
  /** What one does there, one sentence. */
  about(): string;
}

export const sections: readonly Section[] = [
  { href: '/models', title: m.nav_models, about: m.settings_models_about },
  { href: '/settings/mcp', title: m.mcp_title, about: m.settings_mcp_about },
  { href: '/settings/templates', title: m.templates_title, about: m.settings_templates_about },
  { href: '/settings/triggers', title: m.triggers_title, about: m.settings_triggers_about },
  { href: '/settings/webhooks', title: m.webhooks_title, about: m.settings_webhooks_about },
  { href: '/settings/notifications', title: m.notifications_title, about: m.settings_notifications_about },
  { href: '/settings/members', title: m.members_title, about: m.settings_members_about },
  { href: '/settings/tokens', title: m.tokens_title, about: m.settings_tokens_about },
  { href: '/settings/hand-overs', title: m.handovers_title, about: m.settings_handovers_about },
  { href: '/settings/usage', title: m.usage_title, about: m.settings_usage_about },
  { href: '/settings/audit', title: m.audit_title, about: m.settings_audit_about },
  { href: '/settings/data', title: m.data_title, about: m.settings_data_about },
];
