/** Everything that is told, as the outbox sees it: under which name deliveries go there, what it hears of, what is kept of a happening for it, and how one try is made. Members who are written to are outlets of their own. */
import type { Env } from '../env.ts';
import { hears } from '../workspace/core/outlets.ts';
import type { Opening } from '../workspace/rpc.ts';
import { isWrittenTo, type Recipient } from './core/mail.ts';
import { bodyOf, type Happening } from './core/message.ts';
import { consoleOrigin } from './origin.ts';
import type { Delivery } from './outbox-store.ts';
import { sendChat } from './send-chat.ts';
import { sendDelivery, type Tried } from './send-delivery.ts';
import { sendMail } from './send-mail.ts';

export type Outlets = Opening['outlets']['give'];

export interface Outlet {
  /** Of its deliveries: the name of a webhook, `chat:` and the name of a chat, or `mail:` and the id of a person. */
  endpoint: string;
  /** Of its setting; null: there is none that somebody could put again, and it is never disabled. */
  version: number | null;
  hears(happening: Happening): boolean;
  /** Kept until it is sent: ids and codes, nothing that a goal holds. */
  body(happening: Happening): string;
  send(delivery: Delivery, at: number, send: typeof fetch | undefined): Promise<Tried>;
}

export function outletsOf(env: Env, workspace: string, opened: Outlets): Outlet[] {
  const { policy } = opened;
  return [
    ...opened.webhooks.map(
      (webhook): Outlet => ({
        endpoint: webhook.webhook.name,
        version: webhook.version,
        hears: ({ type, goal }) => hears(webhook.webhook, type, goal),
        body: (happening) => bodyOf(workspace, happening, consoleOrigin(env)),
        send: (delivery, at, send) => sendDelivery(env, policy, webhook, delivery, at, send),
      }),
    ),
    ...opened.chats.map(
      (chat): Outlet => ({
        endpoint: `chat:${chat.chat.name}`,
        version: chat.version,
        hears: ({ type, goal }) => hears(chat.chat, type, goal),
        body: (happening) => JSON.stringify(happening),
        send: async (delivery, at, send) => sendChat({ env, workspace, policy, links: opened.links, chat, delivery }, at, send),
      }),
    ),
  ];
}

export function mailOutlet(env: Env, workspace: string, links: Outlets['links'], recipient: Recipient): Outlet {
  return {
    endpoint: `${mailPrefix}${recipient.person}`,
    version: null,
    hears: (happening) => isWrittenTo(recipient, happening),
    body: (happening) => JSON.stringify(happening),
    send: (delivery) => sendMail(env, workspace, links, recipient.person, delivery),
  };
}
export const mailPrefix = 'mail:';
