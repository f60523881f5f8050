/** What one is told, and what an installation can tell. */
import type { MailWay } from '../../auth/mail-way.ts';
import type { OutletType } from './outlets.ts';

/** What somebody reads of their own. `kinds` null: they chose nothing, and `byDefault` holds. `address` null: there is none. */
export interface NotificationsView {
  mail: { way: MailWay; address: string | null; confirmed: boolean; kinds: OutletType[] | null; byDefault: OutletType[] };
  chat: { byDefault: OutletType[] };
  kinds: OutletType[];
}
