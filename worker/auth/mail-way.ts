/** How mails leave an installation. `mailbox`: into the mailbox of a development build. `service`: over HTTP. `cloudflare`: by the binding `MAIL`. `none`: they do not. */
export type MailWay = 'mailbox' | 'service' | 'cloudflare' | 'none';
