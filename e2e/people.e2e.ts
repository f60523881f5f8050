/** Two people in two workspaces and one in both, each in a browser of their own, on a real local Worker; and what the browser is told about scripts and frames. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildConsole } from '../scripts/prepare.ts';
import { launchChromium } from './console-bench.ts';
import { type Longhaul, startLonghaul } from './harness.ts';

let longhaul: Longhaul;
let browser: Browser;
const problems: string[] = [];
const password = 'a long enough password';

beforeAll(async () => {
  await buildConsole();
  longhaul = await startLonghaul();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await longhaul?.stop();
});

/** The link of the newest mail to this address with that part in it. The development sign-in reads the mailbox; people's browsers hold sessions of their own. */
async function linkTo(address: string, part: string): Promise<string> {
  for (let tries = 0; tries < 300; tries++) {
    const { data } = (await (await fetch(`${longhaul.url}/v1/dev/mail`)).json()) as { data: { to: string; text: string }[] };
    const link = data
      .filter(({ to }) => to === address)
      .flatMap(({ text }) => text.match(/https?:\/\/\S+/g) ?? [])
      .find((each) => each.includes(part));
    if (link) return link;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no mail with ${part}`);
}

interface Person {
  context: BrowserContext;
  page: Page;
  email: string;
}

async function person(name: string, home = longhaul.url): Promise<Person> {
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) problems.push(message.text());
  });
  const email = `${name.toLowerCase()}@people.example`;
  await page.goto(`${home}/sign-in`);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByText('a mail is on its way').waitFor();
  await page.goto(await linkTo(email, 'verify-email'));
  await page.getByText('The address is confirmed').waitFor();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText(`, ${email}.`).waitFor();
  return { context, page, email };
}

async function makes({ page }: Person, workspace: string): Promise<void> {
  await page.goto(`${longhaul.url}/account`);
  await page.getByLabel('New workspace').fill(workspace);
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.waitForURL(`${longhaul.url}/`);
}

async function invites(owner: Person, guest: Person, role: string): Promise<void> {
  await owner.page.goto(`${longhaul.url}/settings/members`);
  await owner.page.getByLabel('E-mail').fill(guest.email);
  await owner.page.locator('form select').selectOption({ label: role });
  await owner.page.getByRole('button', { name: 'Invite' }).click();
  await owner.page.getByText('The invitation was sent').waitFor();
  await guest.page.goto(`${await linkTo(guest.email, '/invitation#')}`);
  await guest.page.getByRole('button', { name: 'Accept the invitation' }).click();
  await guest.page.waitForURL(`${longhaul.url}/`);
}

/** As the page itself asks: with the cookie, from this origin. */
const asked = ({ page }: Person, path: string, body?: unknown) =>
  page.evaluate(
    async ([to, text]) => {
      const response = await fetch(to as string, text === undefined ? {} : { method: 'POST', body: text as string, headers: { 'content-type': 'application/json' } });
      return { status: response.status, body: await response.text() };
    },
    [path, body === undefined ? undefined : JSON.stringify(body)] as const,
  );
const workspaceOf = ({ page }: Person) => page.evaluate(() => localStorage.getItem('workspace') ?? '');

describe('people', () => {
  it('see their own workspaces, switch between them, and find nothing of others', async () => {
    const [ann, bob, cleo] = [await person('Ann'), await person('Bob'), await person('Cleo')];
    await makes(ann, 'Acme');
    await makes(bob, 'Bobs');
    const [acme, bobs] = [await workspaceOf(ann), await workspaceOf(bob)];
    const contract = { title: 'Kanarienvogel', objective: 'Sing.', criteria: [{ id: 'sung', text: 'It sang', verify: 'attest' }] };
    const made = await asked(ann, `/v1/workspaces/${acme}/goals`, { type: 'goal.create', commandId: 'g', payload: { contract } });
    expect(made.status).toBe(201);
    const { goal } = JSON.parse(made.body) as { goal: string };

    await invites(ann, cleo, 'Viewer');
    await invites(bob, cleo, 'Operator');
    await cleo.page.goto(`${longhaul.url}/account`);
    expect(await cleo.page.locator('li', { hasText: 'Bobs' }).textContent()).toContain('You are here');
    await cleo.page.goto(longhaul.url);
    await cleo.page.goto(`${longhaul.url}/goals/${goal}`);
    await cleo.page.getByText(goal).or(cleo.page.getByRole('heading')).first().waitFor();
    expect(await cleo.page.textContent('body')).not.toContain('Kanarienvogel');
    await cleo.page.goto(`${longhaul.url}/account`);
    await cleo.page.locator('li', { hasText: 'Acme' }).getByRole('button', { name: 'Switch' }).click();
    await cleo.page.waitForURL(`${longhaul.url}/`);
    await cleo.page.getByText('Kanarienvogel').first().waitFor();
    expect((await asked(cleo, `/v1/workspaces/${acme}/goals/${goal}/cancel`, { commandId: 'c' })).status).toBe(403);
    expect((await asked(cleo, `/v1/workspaces/${bobs}/goals/${goal}`)).status).toBe(404);

    for (const path of [`/v1/workspaces/${acme}/goals`, `/v1/workspaces/${acme}/goals/${goal}`, `/v1/workspaces/${bobs}/goals/${goal}`]) {
      const answer = await asked(bob, path);
      expect([answer.status, answer.body.includes('Kanarienvogel')], path).toEqual([404, false]);
    }

    // The token is on the page once.
    await ann.page.goto(`${longhaul.url}/settings/tokens`);
    await ann.page.getByLabel('Name').fill('ci');
    await ann.page.getByRole('button', { name: 'Issue a token' }).click();
    const secret = (await ann.page.locator('[data-secret]').textContent()) ?? '';
    const token = (path: string) => fetch(`${longhaul.url}${path}`, { headers: { authorization: `Bearer ${secret}` } });
    expect((await token(`/v1/workspaces/${acme}/goals`)).status).toBe(200);
    expect((await token(`/v1/workspaces/${bobs}/goals`)).status).toBe(404);
    await ann.page.reload();
    await ann.page.getByText(secret.slice(0, 16)).waitFor();
    expect(await ann.page.content()).not.toContain(secret);
    await ann.page.getByRole('button', { name: 'Revoke' }).click();
    await ann.page.getByText('Revoked', { exact: true }).waitFor();
    expect((await token(`/v1/workspaces/${acme}/goals`)).status).toBe(401);

    await cleo.page.goto(`${longhaul.url}/account`);
    await cleo.page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await cleo.page.waitForURL(`${longhaul.url}/sign-in`);
    const cookies = await cleo.context.cookies();
    expect(cookies.filter(({ name, value }) => name.includes('session_token') && value !== '')).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('sign in with a passkey that they added, with nothing typed, and not with one that they removed', async () => {
    // No browser knows passkeys for an address of numbers.
    const home = longhaul.url.replace('127.0.0.1', 'localhost');
    const { page, context, email } = await person('Dora', home);
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const has = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true } as const;
    await devtools.send('WebAuthn.addVirtualAuthenticator', { options: has });
    const out = async () => {
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await page.waitForURL(`${home}/sign-in`);
    };
    await page.goto(`${home}/account`);
    await page.getByLabel('Name of a new passkey').fill('Laptop');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('not used yet').waitFor();
    await out();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText(`, ${email}.`).waitFor();
    await page.getByText('last used').waitFor();
    await page.getByRole('button', { name: 'Remove Laptop' }).click();
    await page.getByText('None yet.').waitFor();
    await out();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('This passkey does not open an account here.').waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  it('run no script that somebody put into a page, and are framed by nobody', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const response = await page.goto(longhaul.url);
    const headers = response?.headers() ?? {};
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect([headers['x-frame-options'], headers['x-content-type-options'], headers['referrer-policy']]).toEqual(['DENY', 'nosniff', 'no-referrer']);
    const page_ = (await response?.text()) ?? '';
    expect(page_).toContain('http-equiv="content-security-policy"');
    expect(/script-src[^;]*/.exec(page_)?.[0]).not.toMatch(/unsafe|\*|data:|http/);
    const ran = await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.ran = true';
      document.head.append(script);
      const box = document.createElement('div');
      box.innerHTML = '<img src="data:," onerror="window.ran = true">';
      document.body.append(box);
      return new Promise((resolve) => setTimeout(() => resolve('ran' in window), 200));
    });
    expect(ran).toBe(false);
    const outside = await context.newPage();
    await outside.setContent(`<iframe src="${longhaul.url}/"></iframe>`);
    const frame = outside.frames()[1];
    await frame?.waitForLoadState();
    expect(await frame?.locator('body').textContent()).not.toContain('Longhaul');
    await context.close();
  });

  it('read the reference of the API and make a call by hand, with nothing from elsewhere', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const outside: string[] = [];
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(longhaul.url)) outside.push(request.url());
    });
    const blocked: string[] = [];
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) blocked.push(message.text());
    });
    // By its address: of so many operations only those in view are drawn. It is open then.
    const response = await page.goto(`${longhaul.url}/docs#/people/getMe`);
    expect(response?.headers()['content-security-policy']).toMatch(/script-src 'self'(;|$)/);
    const me = page.locator('[id$="-getMe"]');
    await me.getByRole('button', { name: 'Execute' }).click();
    await me.locator('.live-responses-table').getByText('person:local').first().waitFor();
    expect({ outside, blocked }).toEqual({ outside: [], blocked: [] });
    await context.close();
  });
});
