/** What the mails say, in both languages: whoever gets one may not have chosen a language yet. Names come from people and are shortened to one plain line. */
import type { Mail } from './mail.ts';

/** A name as text of a mail: no line breaks, no control characters, nothing that reads as a link. */
export function plain(name: string): string {
  return name
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/:\/\//g, ' ')
    .replace(/\bwww\./gi, '')
    .slice(0, 80)
    .trim();
}

export function verificationMail(to: string, url: string): Mail {
  return {
    to,
    subject: 'Confirm your e-mail address · 确认你的邮箱',
    text: `Open this link to confirm your e-mail address for Longhaul. If you did not sign up, do nothing.\n\n打开下面的链接，确认你在 Longhaul 使用的邮箱。如果不是你注册的，请忽略本邮件。\n\n${url}\n`,
  };
}

export function resetMail(to: string, url: string): Mail {
  return {
    to,
    subject: 'Set a new password · 重设密码',
    text: `Open this link within one hour to set a new password for Longhaul. It signs you out everywhere. If you did not ask for it, do nothing.\n\n请在一小时内打开下面的链接，重设 Longhaul 密码。重设后所有设备都会退出登录。如果不是你本人操作，请忽略本邮件。\n\n${url}\n`,
  };
}

export function existsMail(to: string, url: string): Mail {
  return {
    to,
    subject: 'You have an account already · 你已有账号',
    text: `Somebody, perhaps you, signed up for Longhaul with this address, which has an account. Sign in, or set a new password, here. If it was not you, do nothing.\n\n有人（也许是你）用这个邮箱注册 Longhaul，而它已有账号。请在下面登录或重设密码。如果不是你，请忽略本邮件。\n\n${url}\n`,
  };
}

export function invitationMail(to: string, workspace: string, url: string): Mail {
  const name = plain(workspace);
  return {
    to,
    subject: `Invitation to ${name} · 邀请加入 ${name}`,
    text: `You are invited to the workspace "${name}" on Longhaul. Sign in or sign up with this address, and open:\n\n你被邀请加入 Longhaul 工作区“${name}”。请用这个邮箱登录或注册，然后打开：\n\n${url}\n`,
  };
}
