/** Who is written to, and what; and the mail port over HTTP. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { cloudflareMail, mailService, mailWay } from '../../auth/mail.ts';
import type { Env } from '../../env.ts';
import { outletTypes } from '../../workspace/core/outlets.ts';
import { addressOf } from './addresses.ts';
import { readDecision } from './links.ts';
import { chosenMail, defaultMail, isWrittenTo, mailOf, type Recipient } from './mail.ts';
import type { Happening } from './message.ts';

const ada: Recipient = { person: 'ada', role: 'operator', mail: null };
const happening: Happening = { goal: 'goal_1', key: 'k', type: 'blocker.raised', at: 0, seq: 1, ref: 'blocker:b1', act: 'answer', who: 'person:ada' };

describe('who is written to', () => {
  it('is whom it waits for, by name or by what they may do', () => {
    expect(isWrittenTo(ada, happening)).toBe(true);
    expect(isWrittenTo({ ...ada, person: 'eve' }, happening)).toBe(false);
    const admin = { ...happening, who: 'person:admin' } as const;
    expect([isWrittenTo(ada, admin), isWrittenTo({ ...ada, role: 'admin' }, admin)]).toEqual([false, true]);
    const reviewer = { ...happening, type: 'review.wanted', who: 'person:reviewer' } as const;
    expect([isWrittenTo(ada, reviewer), isWrittenTo({ ...ada, role: 'reviewer' }, reviewer)]).toEqual([false, true]);
  });
  it('is nobody for what nobody chose: without a choice only what waits for them', () => {
    const end: Happening = { goal: 'goal_1', key: 'k', type: 'goal.completed', at: 0, seq: 1 };
    expect(isWrittenTo(ada, end)).toBe(false);
    expect(isWrittenTo({ ...ada, mail: ['goal.completed'] }, end)).toBe(true);
    expect(isWrittenTo({ ...ada, mail: [] }, happening)).toBe(false);
    expect(outletTypes).toEqual(expect.arrayContaining([...defaultMail]));
    expect(chosenMail('["goal.completed","of another version"]')).toEqual(['goal.completed']);
    expect(chosenMail(null)).toBeNull();
  });
});

it('a mail says it in both languages; a title makes no line and no link', () => {
  const mail = mailOf('ada@example.com', happening, { title: 'Pay\nhttps://evil.example now', url: 'https://longhaul.example/link#x' });
  expect(mail).toEqual({
    to: 'ada@example.com',
    subject: 'A question waits for an answer · 有问题等待回答',
    text: 'A question waits for an answer\nGoal: Pay https evil.example now\n\n有问题等待回答\n目标：Pay https evil.example now\n\nhttps://longhaul.example/link#x\n',
  });
});

describe('where a message leads', () => {
  const from = { workspace: 'acme', origin: 'https://longhaul.example', links: { key: 'key', progress: { goal_1: 'shown' } }, sha256: (text: string) => `<${text}>` };
  it('is a link for that person alone, the progress page, or the console', () => {
    const [place = '', text = ''] = addressOf(from, happening, 'person:ada', 'd').split('#acme/');
    expect(place).toBe('https://longhaul.example/link');
    expect(readDecision('key', 'acme', text)).toMatchObject({ goal: 'goal_1', ref: 'blocker:b1', person: 'person:ada', expiresAt: 7 * 86_400_000 });
    expect(addressOf(from, happening, undefined, 'd')).toBe('https://longhaul.example/goals/goal_1?needs=blocker%3Ab1');
    expect(addressOf({ ...from, links: null }, happening, 'person:ada', 'd')).toBe('https://longhaul.example/goals/goal_1?needs=blocker%3Ab1');
    const { ref: _, ...end } = happening;
    expect(addressOf(from, end, undefined, 'd')).toBe('https://longhaul.example/progress#acme/shown');
  });
  it('is another link for another delivery of the same decision', () =>
    expect(addressOf(from, happening, 'person:ada', 'd')).not.toBe(addressOf(from, happening, 'person:ada', 'e')));
});

describe('the mail port', () => {
  it('hands a mail to a service over HTTP, and says whether it was taken', async () => {
    const got: { key: string | undefined; body: unknown }[] = [];
    let status = 200;
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (part) => (text += part));
      request.on('end', () => {
        got.push({ key: request.headers.authorization, body: JSON.parse(text) });
        response.writeHead(status).end();
      });
    });
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/emails`;
    const mailer = mailService({ LONGHAUL_MAIL_URL: url, LONGHAUL_MAIL_KEY: 'k', LONGHAUL_MAIL_FROM: 'longhaul@example.com' });
    const mail = { to: 'ada@example.com', subject: 's', text: 't' };
    expect(await mailer.send(mail)).toBe(true);
    expect(got).toEqual([{ key: 'Bearer k', body: { from: 'longhaul@example.com', to: ['ada@example.com'], subject: 's', text: 't' } }]);
    status = 422;
    expect(await mailer.send(mail)).toBe(false);
    await new Promise((done) => server.close(done));
    expect(await mailer.send(mail)).toBe(false);
  });
  it('hands one to the binding of Cloudflare where there is no service', async () => {
    const sent: unknown[] = [];
    const binding = { send: async (mail: unknown) => void sent.push(mail) } as unknown as SendEmail;
    expect(await cloudflareMail({ MAIL: binding, LONGHAUL_MAIL_FROM: 'longhaul@example.com' }).send({ to: 'a@example.com', subject: 's', text: 't' })).toBe(true);
    expect(sent).toEqual([{ from: 'longhaul@example.com', to: 'a@example.com', subject: 's', text: 't' }]);
    const refusing = { send: async () => Promise.reject(new Error('not allowed')) } as unknown as SendEmail;
    expect(await cloudflareMail({ MAIL: refusing, LONGHAUL_MAIL_FROM: 'longhaul@example.com' }).send({ to: 'a@example.com', subject: 's', text: 't' })).toBe(false);
  });
  it('is said to be missing where nothing is set', () => {
    vi.stubGlobal('__LONGHAUL_DEV__', false);
    const from = { LONGHAUL_MAIL_FROM: 'longhaul@example.com' };
    const ways = [{}, from, { ...from, MAIL: {} }, { ...from, MAIL: {}, LONGHAUL_MAIL_URL: 'https://mail.example' }].map((env) => mailWay(env as unknown as Env));
    expect(ways).toEqual(['none', 'none', 'cloudflare', 'service']);
    vi.unstubAllGlobals();
  });
});
