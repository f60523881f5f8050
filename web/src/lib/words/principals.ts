/** Who acted, in words. Ids are opaque but for their kind, and but for whoever reads this. */
import { ownPrincipal } from '../account/chosen.ts';
import type { PrincipalId } from '../api/types.ts';
import { nameOf } from './names.ts';
import { m } from '../paraglide/messages.js';

/** Another person signs in by a page loaded anew. */
const me: PrincipalId = ownPrincipal();

export const isMe = (principal: PrincipalId): boolean => principal === me;

export function who(principal: PrincipalId): string {
  if (principal === 'host') return m.who_host();
  if (principal === me) return m.who_you();
  if (principal === 'person:owner') return m.who_owner();
  if (principal === 'person:admin') return m.who_admin();
  const cut = principal.indexOf(':');
  const name = nameOf(principal) ?? principal.slice(cut + 1).replace(/\/[^/]*$/, (script) => ` · ${script.slice(1)}`);
  switch (principal.slice(0, cut)) {
    case 'skill':
      return m.who_skill({ name });
    case 'agent':
      return m.who_agent({ name });
    case 'external':
      return m.who_external({ name });
    case 'token':
      return m.who_token({ name });
    case 'trigger':
      return m.who_trigger({ name });
    default:
      return m.who_person({ name });
  }
}

/** Short: the name alone, for narrow columns. */
export function whoShort(principal: PrincipalId): string {
  if (principal === 'host' || principal === me || principal === 'person:owner' || principal === 'person:admin') return who(principal);
  return nameOf(principal) ?? principal.slice(principal.indexOf(':') + 1);
}
