/** The outgoing mail port. A development build keeps mails in a local mailbox (`GET /v1/dev/mail`); a production build hands them to the mail service that is set, else to Cloudflare's `send_email`. */
import type { Env } from '../env.ts';
import { log } from '../observe/log.ts';
import type { MailWay } from './mail-way.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

export interface Mailer {
  /** False: it was not taken. What the mail says is in no log. */
  send(mail: Mail): Promise<boolean>;
}

/** Milliseconds that the mail service has. */
const mailTimeout = 10_000;

export function mailerOf(env: Env): Mailer {
  switch (mailWay(env)) {
    case 'mailbox':
      return localMailbox(env);
    case 'service':
      return mailService(env);
    case 'cloudflare':
      return cloudflareMail(env);
    case 'none':
      return { send: async () => false };
  }
}

export function mailWay(env: Env): MailWay {
  if (__LONGHAUL_DEV__) return 'mailbox';
  if (env.LONGHAUL_MAIL_URL) return 'service';
  return env.MAIL && env.LONGHAUL_MAIL_FROM ? 'cloudflare' : 'none';
}

/** Newest first by its keys. Kept beside the files, under a name that no workspace can have. */
const mailbox = 'mailbox/';

function localMailbox(env: Env): Mailer {
  return {
    send: async (mail) => {
      const at = Date.now();
      await env.FILES.put(`${mailbox}${1e15 - at}-${crypto.randomUUID()}`, JSON.stringify({ at, ...mail }));
      return true;
    },
  };
}

export async function readMailbox(env: Env, limit: number): Promise<(Mail & { at: number })[]> {
  const { objects } = await env.FILES.list({ prefix: mailbox, limit });
  const texts = await Promise.all(objects.map(async ({ key }) => (await env.FILES.get(key))?.text()));
  return texts.flatMap((text) => (text === undefined ? [] : [JSON.parse(text) as Mail & { at: number }]));
}

/** `POST {from, to, subject, text}` with a bearer key: what Resend and its like take. */
export function mailService(env: Pick<Env, 'LONGHAUL_MAIL_URL' | 'LONGHAUL_MAIL_KEY' | 'LONGHAUL_MAIL_FROM'>): Mailer {
  return {
    send: async (mail) => {
      try {
        const response = await fetch(env.LONGHAUL_MAIL_URL ?? '', {
          method: 'POST',
          headers: { authorization: `Bearer ${env.LONGHAUL_MAIL_KEY ?? ''}`, 'content-type': 'application/json' },
          body: JSON.stringify({ from: env.LONGHAUL_MAIL_FROM, to: [mail.to], subject: mail.subject, text: mail.text }),
          redirect: 'manual',
          signal: AbortSignal.timeout(mailTimeout),
        });
        await response.body?.cancel();
        if (!response.ok) log('error', 'auth', 'mail.refused', { status: response.status });
        return response.ok;
      } catch (error) {
        log('error', 'auth', 'mail.away', { error: error instanceof Error ? error.name : 'unknown' });
        return false;
      }
    },
  };
}

/** The binding `MAIL`: addresses that Cloudflare's Email Routing or Email Service lets this installation write to. */
export function cloudflareMail(env: Pick<Env, 'MAIL' | 'LONGHAUL_MAIL_FROM'>): Mailer {
  return {
    send: async ({ to, subject, text }) => {
      try {
        await env.MAIL?.send({ from: env.LONGHAUL_MAIL_FROM ?? '', to, subject, text });
        return env.MAIL !== undefined;
      } catch (error) {
        log('error', 'auth', 'mail.refused', { error: error instanceof Error ? error.name : 'unknown' });
        return false;
      }
    },
  };
}
