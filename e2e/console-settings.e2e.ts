/** The pages of a workspace's settings on a real local Worker: what a person sets there and sees of it, in both themes and languages, on a desk and on a phone. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import AxeBuilder from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildConsole } from '../scripts/prepare.ts';
import { launchChromium } from './console-bench.ts';
import { type Longhaul, startLonghaul } from './harness.ts';

let longhaul: Longhaul;
let browser: Browser;
/** As a desk in English by day, and as a phone in Chinese by night. */
let desk: BrowserContext;
let phone: BrowserContext;
const problems: string[] = [];

beforeAll(async () => {
  await buildConsole();
  longhaul = await startLonghaul();
  browser = await launchChromium();
  const common = { reducedMotion: 'reduce', timezoneId: 'UTC' } as const;
  desk = await browser.newContext({ ...common, locale: 'en-GB', colorScheme: 'light', viewport: { width: 1440, height: 900 } });
  phone = await browser.newContext({ ...common, locale: 'zh-CN', colorScheme: 'dark', viewport: { width: 390, height: 844 } });
});
afterAll(async () => {
  await browser?.close();
  await longhaul?.stop();
});

async function open(path: string, context = desk): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on('pageerror', (error) => problems.push(`${path}: ${error.message}`));
  await page.goto(longhaul.url + path);
  return page;
}
const violations = async (page: Page) => (await new AxeBuilder({ page: page as never }).analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.target.join(' ')}`);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Everybody can use it: neither view of a page has a violation, and the narrow one does not scroll sideways. */
async function walk(path: string, there: string): Promise<void> {
  for (const context of [desk, phone]) {
    const page = await open(path, context);
    await page.locator(there).first().waitFor();
    expect(await violations(page), path).toEqual([]);
    if (context === phone) expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(390);
    await page.close();
  }
}

async function ask(path: string, body?: object): Promise<Record<string, unknown>> {
  const init = body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(`${longhaul.url}/v1/workspaces/local${path}`, init);
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  return answer;
}
const command = (type: string, payload: object) => ask('/commands', { type, commandId: crypto.randomUUID(), payload });

describe('triggers', () => {
  const template = {
    name: 'greeting',
    title: 'A greeting',
    mode: 'goal_only',
    parameters: { whom: { type: 'string', title: 'Whom to greet', maxLength: 100 }, times: { type: 'integer', default: 1 } },
    contract: { title: 'Greet {{whom}}', objective: 'Say hello to {{whom}}, {{times}} times.', criteria: [{ id: 'said', text: 'It was said', verify: 'attest' }] },
  };

  it('a schedule in plain words: its next five times are seen before it is saved, its rounds are waited for and completed by word', async () => {
    await command('template.put', template);
    await command('template.confirm', { name: 'greeting', version: 1 });
    const page = await open('/settings');
    await page.getByRole('link', { name: /^Triggers/ }).click();
    await page.getByText('No trigger yet.').waitFor();
    await button(page, 'Add a trigger').click();
    const next = page.locator('[data-next] li');
    await page.getByLabel('How often').selectOption('Monday to Friday');
    await page.getByLabel('At', { exact: true }).fill('09:30');
    await page.getByLabel('Time zone', { exact: true }).fill('Asia/Shanghai');
    await expect.poll(async () => (await next.allTextContents()).filter((text) => text.includes('09:30 GMT+8') && text.includes('01:30')).length).toBe(5);
    await button(page, 'As a cron expression').click();
    await page.getByLabel('As a cron expression', { exact: true }).fill('30 9 31 2 *');
    await page.getByText('No such time ever comes.').waitFor();
    await button(page, 'In plain words').click();

    await button(page, 'Save').click();
    expect(await page.getByText('Needs an answer.').count()).toBeGreaterThan(1);
    await page.getByLabel('Name', { exact: true }).fill('nightly');
    await page.getByLabel('Template', { exact: true }).selectOption('greeting');
    await page.getByLabel('Whom to greet: where the value comes from').selectOption('Asked of what came in');
    await page.getByLabel('Whom to greet', { exact: true }).fill('due');
    await page.getByLabel('Only somebody’s word').check();
    await button(page, 'See what it would come to').click();
    await page.locator('[data-tried=ok]').getByText('T01:30:00.000Z').waitFor();
    expect(await violations(page)).toEqual([]);
    await button(page, 'Save').click();
    await page.waitForURL(/\/settings\/triggers\/nightly$/);
    await page.getByText('It has not fired yet.').waitFor();
    expect((await ask('/triggers/nightly')).value).toMatchObject({
      source: { cron: '30 9 * * 1-5', zone: 'Asia/Shanghai', missed: { rule: 'coalesce' } },
      does: { template: 'greeting', parameters: { whom: { from: 'due' } }, ends: 'command' },
    });

    await button(page, 'Fire now').click();
    await page.getByRole('form', { name: 'Fire now' }).getByRole('button', { name: 'Fire now' }).click();
    const round = page.locator('[data-round]');
    await round.getByText('Running').waitFor();
    await round.getByRole('button', { name: 'It waits for something' }).click();
    await round.getByLabel(/^It waits for/).selectOption('a receipt');
    await round.getByLabel('Correlation').fill('parcel-7');
    await round.getByLabel('Why, for people').fill('The carrier has to confirm');
    await round.getByRole('button', { name: 'Say that it waits' }).click();
    await round.getByText('Waits for a receipt').waitFor();
    const id = await round.getAttribute('data-round');
    await command('business_round.answer', { round: id, correlation: 'parcel-7', generation: 9, payload: { signed: 'Ada' } });
    await page.reload();
    await round.locator('[data-late]').getByText('1 came late').waitFor();
    expect(await round.getAttribute('data-state')).toBe('waiting');
    await round.getByText('Details').click();
    await round.getByText('for another wait').waitFor();
    await round.getByText('"signed": "Ada"').waitFor();
    expect(await violations(page)).toEqual([]);

    const list = await open('/settings/triggers');
    const standing = list.locator('[data-trigger=nightly]');
    await standing.getByText('The carrier has to confirm').waitFor();
    expect(await standing.textContent()).toContain('parcel-7');
    await list.close();

    await round.getByRole('button', { name: 'It is done' }).click();
    await round.getByLabel('What was done').fill('Called them');
    await round.getByRole('button', { name: 'Complete the round' }).click();
    await round.getByText('Called them').waitFor();
    expect(await round.getAttribute('data-state')).toBe('completed');
    await page.close();
  });

  it('a webhook with a key that is made there: what is signed with it fires, what came is fired again, and it is paused and removed', async () => {
    const page = await open('/settings/triggers');
    await button(page, 'Add a trigger').click();
    await page.getByLabel('Name', { exact: true }).first().fill('orders');
    await page.getByRole('radio', { name: /^Webhook/ }).check();
    await page.getByLabel('Secret that signatures are checked with').selectOption('A new one …');
    const fresh = page.getByRole('group', { name: 'A new one …' });
    await fresh.getByLabel('Name').fill('orders-key');
    await fresh.getByRole('button', { name: 'Make one' }).click();
    const key = await fresh.getByLabel('Value').inputValue();
    await page.getByLabel('Filter (optional)').fill("data.kind == 'order'");
    await page.getByLabel('Template', { exact: true }).selectOption('greeting');
    await page.locator('[data-parameter=whom] input').fill('Cy');
    await page.getByLabel('The end of its goal').check();
    await page.getByLabel('A payload to try it with').fill('{ "kind": "note" }');
    await button(page, 'See what it would come to').click();
    await page.getByText('it would be on record and fire nothing').waitFor();
    expect(await violations(page)).toEqual([]);
    await button(page, 'Save').click();
    const address = (await page.locator('[data-address]').textContent()) ?? '';
    expect(await page.content()).not.toContain(key);

    const deliver = (id: string, data: object, signedWith = key) => {
      const [body, time] = [JSON.stringify(data), String(Math.floor(Date.now() / 1000))];
      const mac = createHmac('sha256', Buffer.from(signedWith.slice(6), 'base64'))
        .update(`${id}.${time}.${body}`)
        .digest('base64');
      return fetch(address, { method: 'POST', body, headers: { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${mac}` } });
    };
    expect((await deliver('d-1', { kind: 'order' })).status).toBe(202);
    expect((await deliver('d-2', { kind: 'note' })).status).toBe(202);
    expect((await deliver('d-3', {}, `whsec_${Buffer.alloc(32, 7).toString('base64')}`)).status).toBe(401);
    await page.reload();
    const deliveries = page.locator('[data-deliveries] li');
    await deliveries.filter({ hasText: 'd-1' }).getByText('Fired').waitFor();
    await deliveries.filter({ hasText: 'd-2' }).getByText('Filtered out').waitFor();
    await page.getByText('1 delivery was refused').waitFor();
    await deliveries.filter({ hasText: 'd-2' }).getByRole('button', { name: 'Fire again' }).click();
    await page.locator('[data-round][data-state=skipped]').getByText('A delivery again').waitFor();
    expect(await violations(page)).toEqual([]);

    await button(page, 'Pause').click();
    await page.getByText('It fires no more; what was fired goes on. What is due').waitFor();
    expect(await button(page, 'Fire now').isDisabled()).toBe(true);
    await button(page, 'Remove').click();
    await button(page, 'Remove the trigger').click();
    await page.waitForURL(/\/settings\/triggers$/);
    await page.locator('[data-trigger=nightly]').waitFor();
    expect(await page.locator('[data-trigger=orders]').count()).toBe(0);
    await page.close();
  });
});

describe('webhooks out', () => {
  it('an endpoint is told of a goal, its key is changed, and once it said that it is gone a person sees why and makes it live again', async () => {
    let answer = 204;
    const got: { id: string; signatures: number; body: { type: string } }[] = [];
    const receiver = createServer((request, response) => {
      let text = '';
      request.on('data', (part) => (text += String(part)));
      request.on('end', () => {
        const signatures = String(request.headers['webhook-signature']).split(' ').length;
        got.push({ id: String(request.headers['webhook-id']), signatures, body: JSON.parse(text) as { type: string } });
        response.writeHead(answer).end();
      });
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;

    const page = await open('/settings/webhooks');
    await page.getByText('No endpoint yet.').waitFor();
    await button(page, 'Add an endpoint').click();
    await button(page, 'Save').click();
    await page.getByText('Needs an address like').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('main');
    await page.getByLabel('Address', { exact: true }).fill(url);
    await page.getByLabel('Key that signs').selectOption('A new one …');
    const fresh = page.getByRole('group', { name: 'A new one …' });
    await fresh.getByLabel('Name').fill('main-key');
    await fresh.getByRole('button', { name: 'Make one' }).click();
    await page.getByLabel('Only this').check();
    await page.getByLabel(/^A goal is cancelled/).check();
    expect(await violations(page)).toEqual([]);
    await button(page, 'Save').click();
    const card = page.locator('[data-webhook=main]');
    await card.getByText('Hears of: A goal is cancelled. Of all goals.').waitFor();

    const end = async (title: string) => {
      const { goal } = await ask('/goals', { type: 'goal.create', commandId: title, payload: { mode: 'graph_only', title } });
      await ask(`/goals/${String(goal)}/commands`, { type: 'goal.cancel', commandId: `end:${title}`, expected: {}, payload: {}, reason: 'enough' });
    };
    await end('First');
    const sent = page.locator('[data-sent="goal.cancelled"]');
    await sent.getByText('Taken', { exact: true }).waitFor();
    expect(got.map(({ signatures, body }) => [signatures, body.type])).toEqual([[1, 'goal.cancelled']]);

    await button(page, 'Change the key').click();
    expect(await page.locator('[data-secret]').textContent()).toMatch(/^whsec_/);
    await button(page, 'Sign with both').click();
    await card.getByText('Signed with main-key-2 and main-key').waitFor();
    await sent.getByRole('button', { name: 'Send again' }).click();
    await expect.poll(() => got.length).toBe(2);
    expect(got[1]).toMatchObject({ id: got[0]?.id, signatures: 2 });
    await button(page, 'Take out main-key').click();
    await card.getByText('Signed with main-key-2', { exact: true }).waitFor();
    expect(((await ask('/secrets')).data as { name: string }[]).map(({ name }) => name)).not.toContain('main-key');

    answer = 410;
    await end('Second');
    await card.locator('[data-disabled=gone]').getByText('It answered that it is gone (410).').waitFor();
    await sent.filter({ hasText: 'Second' }).getByText('Given up').waitFor();
    expect(await violations(page)).toEqual([]);
    answer = 204;
    await button(page, 'Make it live again').click();
    await card.locator('[data-disabled]').waitFor({ state: 'detached' });
    await sent.filter({ hasText: 'Second' }).getByRole('button', { name: 'Send again' }).click();
    await sent.filter({ hasText: 'Second' }).getByText('Taken', { exact: true }).waitFor();
    expect(got).toHaveLength(4);
    await page.locator('[data-webhook=main][data-standing=live]').waitFor();
    await page.close();
    receiver.close();
  });
});

describe('templates', () => {
  it('a template is put as its document, read, confirmed, and a goal starts from it with values', async () => {
    const page = await open('/settings/templates');
    await button(page, 'Add a template').click();
    const document = page.getByLabel('The template as JSON');
    const made = JSON.parse(await document.inputValue()) as { contract: { title: string } };
    await document.fill(JSON.stringify({ ...made, contract: { ...made.contract, title: '{{month}}' } }));
    await button(page, 'Save').click();
    await page.getByText('/payload/contract/title unknown_parameter').waitFor();
    await document.fill(JSON.stringify(made));
    await button(page, 'Save').click();
    await page.waitForURL(/\/settings\/templates\/weekly-report$/);
    await page.getByText('Nobody has confirmed a version').waitFor();
    await page.locator('[data-declared=week]').getByText('Has to be given').waitFor();
    await button(page, 'Confirm version 1').click();
    await page.getByText('Version 1 is confirmed').waitFor();
    await button(page, 'New version').click();
    await document.fill(JSON.stringify({ ...made, description: 'Every Monday' }));
    await button(page, 'Save').click();
    await page.locator('[data-version="2"]').getByText('Every Monday', { exact: true }).waitFor();
    await page.getByText('Version 1 is confirmed, 2 is the newest').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: /^Version 1/ }).click();
    await page.locator('[data-version="1"]').waitFor();

    await page.getByRole('link', { name: 'Start a goal' }).click();
    await page.getByRole('heading', { name: 'A goal from a template' }).waitFor();
    await button(page, 'Make the draft').click();
    await page.getByText('Needs an answer.').waitFor();
    await page.locator('[data-parameter=week] input').fill('week 49');
    expect(await violations(page)).toEqual([]);
    await button(page, 'Make the draft').click();
    await page.waitForURL(/\/goals\/goal_/);
    await page.getByText('Report of week 49').first().waitFor();
    const goal = page.url().split('/').at(-1) ?? '';
    expect((await ask(`/goals/${goal}`)).bar).toMatchObject({ status: 'draft', title: 'Report of week 49' });
    await page.close();
  });
});

describe('plans of other tools', () => {
  it('a check list is read, what was ambiguous is said, and it becomes the plan once it is proposed and adopted; what the plan has stays', async () => {
    const { goal } = await ask('/goals', { type: 'goal.create', commandId: 'to-be-planned', payload: { mode: 'graph_only', title: 'A release', confirmed: true } });
    const page = await open(`/goals/${String(goal)}`);
    await button(page, 'Bring in a plan').click();
    const text = page.getByLabel('The file, pasted or dropped here');
    await text.fill('nothing of the kind');
    await button(page, 'See what it comes to').click();
    await page.locator('[data-refused]').getByText('neither a tasks.json').waitFor();
    await page
      .locator('[data-import] input[type=file]')
      .setInputFiles({ name: 'tasks.md', mimeType: 'text/markdown', buffer: Buffer.from('- [x] Write the notes\n- [ ] Publish them\n') });
    await page.getByText('Markdown check list: 2 new items').waitFor();
    await page.locator('[data-notes]').getByText('it starts as open all the same').waitFor();
    expect(await violations(page)).toEqual([]);
    await button(page, 'Propose it').click();
    await page.locator('[data-proposed]').waitFor();
    expect((await ask(`/goals/${String(goal)}`)).bar).toMatchObject({ planRevision: 0 });
    await page.locator('[data-proposed]').getByRole('button', { name: 'Adopt the plan' }).click();
    await page.locator('.svelte-flow__node').nth(1).waitFor();

    await button(page, 'Bring in a plan').click();
    await text.fill('- [ ] Write the notes\n- [ ] Tell everybody\n');
    await button(page, 'See what it comes to').click();
    await page.getByText('Markdown check list: 1 new item', { exact: true }).waitFor();
    await page.getByText('2 items of the plan stay as they are.').waitFor();
    await page.locator('[data-notes]').getByText('The plan has an item of this key: it stays as it is.').waitFor();
    await page.close();
    await walk(`/goals/${String(goal)}?plan=file`, '[data-import]');
  });
});

describe('for everybody', () => {
  it.each([
    ['/settings', 'main a[href="/settings/triggers"]'],
    ['/settings/triggers', '[data-trigger=nightly]'],
    ['/settings/triggers/nightly', '[data-round]'],
    ['/settings/webhooks', '[data-log] li'],
    ['/settings/templates', '[data-template=weekly-report]'],
    ['/settings/templates/weekly-report', '[data-declared=week]'],
    ['/new?template=weekly-report', '[data-parameter=week]'],
    ['/settings/usage', '[data-usage] li'],
    ['/settings/audit', '[data-audit] li'],
    ['/settings/data', '#take'],
    ['/settings/hand-overs', 'main p'],
    ['/account', '#workspaces'],
  ])('%s has no violation in either theme and fits a phone', async (path, there) => {
    await walk(path, there);
    expect(problems).toEqual([]);
  });
});

describe('notifications', () => {
  const posted: Record<string, unknown>[] = [];
  const room = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => {
      text += part;
    });
    request.on('end', () => {
      posted.push(JSON.parse(text) as Record<string, unknown>);
      response.writeHead(200).end('ok');
    });
  });
  let goal = '';
  beforeAll(async () => {
    room.listen(0, '127.0.0.1');
    await once(room, 'listening');
  });
  afterAll(() => room.close());

  it('a chat is added and tested on its page; a decision is posted there, and its link opens it once', async () => {
    const page = await open('/settings/notifications');
    await button(page, 'Add a chat').click();
    const form = page.getByRole('form', { name: 'Add a chat' });
    await form.getByLabel('Name', { exact: true }).first().fill('team');
    await form.getByLabel('Address of the incoming webhook, as a secret').selectOption('+');
    const secret = form.getByRole('group');
    await secret.getByRole('textbox').first().fill('team-room');
    await secret.locator('input[type=password]').fill(`http://127.0.0.1:${(room.address() as AddressInfo).port}/room`);
    await button(page, 'Save').last().click();
    const card = page.locator('[data-chat=team]');
    await card.getByRole('button', { name: 'Send a test' }).click();
    await card.locator('[data-test=ok]').waitFor();
    expect(JSON.stringify(posted)).toContain('A test of this outlet');

    const contract = { title: 'Pay <!channel> in May', objective: 'o', criteria: [{ id: 'a', text: 'A secret criterion', verify: 'attest' }] };
    const lanes = { coordinator: { kind: 'person', principal: 'person:local' } };
    goal = String((await ask('/goals', { type: 'goal.create', commandId: 'n-1', payload: { mode: 'goal_only', confirmed: true, contract, lanes } })).goal);
    await ask(`/goals/${goal}/commands`, {
      type: 'goal.block',
      commandId: 'n-2',
      payload: { key: 'account', reason: 'Which account?', form: { type: 'string', title: 'Account' } },
    });
    const question = () => posted.map((each) => JSON.stringify(each)).find((text) => text.includes('A question waits'));
    await expect.poll(question, { timeout: 30_000 }).toBeDefined();
    expect(question()).toContain('Pay <!channel> in May');
    const hash = /\/link#[A-Za-z0-9_./-]+/.exec(question() ?? '')?.[0] ?? '';
    expect(hash).not.toBe('');

    const link = await open(hash);
    await link.getByRole('button', { name: 'Open the decision' }).waitFor();
    expect(await violations(link)).toEqual([]);
    await link.getByRole('button', { name: 'Open the decision' }).click();
    await link.waitForURL(/\/goals\/.*needs=/);
    await link.getByText('Which account?').first().waitFor();
    const again = await open(hash, phone);
    await again.getByRole('button', { name: '打开' }).click();
    await again.locator('[data-link=link_used]').waitFor();
    expect(await again.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    for (const each of [page, link, again]) await each.close();
  });

  it('a page of progress is given out, read without an account, and taken back', async () => {
    const page = await open('/settings/notifications');
    await page.getByLabel('Goal', { exact: true }).selectOption(goal);
    await button(page, 'Give out a page').click();
    const given = page.locator(`[data-progress="${goal}"]`);
    const address = new URL((await given.getByRole('link', { name: 'Look' }).getAttribute('href')) ?? '');
    for (const context of [desk, phone]) {
      const shown = await open(`/progress${address.hash}`, context);
      await shown.locator('[data-state]').waitFor();
      expect(await shown.locator('main').textContent()).toContain('Pay <!channel> in May');
      expect(await shown.locator('main').textContent()).not.toContain('secret');
      expect(await violations(shown)).toEqual([]);
      if (context === phone) expect(await shown.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
      await shown.close();
    }
    await walk('/settings/notifications', '[data-progress]');
    await given.getByRole('button', { name: 'Take back' }).click();
    await given.waitFor({ state: 'detached' });
    const gone = await open(`/progress${address.hash}`);
    await gone.locator('[data-link=link_unknown]').waitFor();
    await gone.close();
    await page.close();
  });
});
