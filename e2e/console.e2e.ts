/** The console against a real local Worker, with both samples on it: what a person sees and does, from the question to the audited goal. */
import AxeBuilder from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLoopback } from '../samples/services/loopback.ts';
import { Client } from '../scripts/client.ts';
import { buildConsole } from '../scripts/prepare.ts';
import { defaultData, loadSample, placeSample } from '../scripts/samples.ts';
import { launchChromium } from './console-bench.ts';
import { type Longhaul, startLonghaul } from './harness.ts';

let services: Awaited<ReturnType<typeof startLoopback>>;
let longhaul: Longhaul;
let browser: Browser;
let client: Client;
const goals: Record<string, string> = {};
const problems: string[] = [];

beforeAll(async () => {
  await buildConsole();
  services = await startLoopback();
  longhaul = await startLonghaul({ vars: { LONGHAUL_SUPPLIER_URL: services.supplierUrl, LONGHAUL_BANK_URL: services.bankUrl } });
  client = new Client(longhaul.url, 'local');
  for (const name of ['csv-export', 'invoices']) goals[name] = await placeSample(client, await loadSample(name), defaultData(name));
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await longhaul?.stop();
  await services?.close();
});

async function newPage(): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1440, height: 900 }, acceptDownloads: true });
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  page.on('pageerror', (error) => problems.push(error.message));
  return page;
}
const card = (page: Page, key: string) => page.locator(`.svelte-flow__node[data-id="${key}"]`);
const violations = async (page: Page) => (await new AxeBuilder({ page: page as never }).analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.target.join(' ')}`);
/** Total of the record, as the page counts it. */
const eventsSeen = async (page: Page) => Number(/of ([\d,]+) events/.exec((await page.locator('.record header').textContent()) ?? '')?.[1]?.replaceAll(',', ''));

describe('the console on the real engine', () => {
  it('lists both samples and says which one waits for a person', async () => {
    const page = await newPage();
    await page.goto(longhaul.url);
    const needs = page.getByRole('region', { name: /^Needs you/ });
    await needs.getByRole('link', { name: /Batch CSV export/ }).waitFor();
    expect(await violations(page)).toEqual([]);
    await needs.getByRole('link', { name: /Batch CSV export/ }).click();
    await page.waitForURL(new RegExp(goals['csv-export'] ?? 'missing'));
    await page.context().close();
  });

  it('answers the question, then shows the return, the second submission and the audited goal, over fifty events without a request', async () => {
    const page = await newPage();
    await Promise.all([page.waitForResponse((response) => new URL(response.url()).pathname.endsWith('/goals')), page.goto(`${longhaul.url}/goals/${goals['csv-export']}`)]);
    await card(page, 'requirements').waitFor();
    await page.locator('[data-badge]').waitFor();
    await page.getByText('Needs an answer.').waitFor();
    expect(await violations(page)).toEqual([]);
    const requests: string[] = [];
    page.on('request', (request) => {
      requests.push(`${request.method()} ${request.url()}`);
    });

    await page.getByRole('radio', { name: /excel/i }).check();
    await page.getByRole('button', { name: 'Send the answer' }).click();
    await card(page, 'requirements').getByText('Accepted').waitFor();
    expect(requests.map((request) => request.replace(/^.*\//, ''))).toEqual(['commands']);
    const from = await eventsSeen(page);
    await card(page, 'server').click();

    // The first delivery came back; its reason stands above the flow, its scene in the panel, and both stay.
    await page
      .locator('.graph')
      .getByText(/^returned: /)
      .waitFor();
    await page.getByText('Completed.').waitFor();
    await page.locator('[data-item=server] article').nth(1).waitFor();
    const submissions = page.locator('[data-item=server] article');
    expect(await submissions.locator('h4').allTextContents()).toEqual(['#2', '#1']);
    expect(await submissions.nth(0).locator('.pill').first().textContent()).toBe('Accepted');
    expect(await submissions.nth(1).locator('.pill').first().textContent()).toBe('Changes requested');
    expect(await submissions.nth(1).locator('dl').count()).toBeGreaterThan(0);
    expect(await page.locator('.lights .fam-ink').allTextContents()).toEqual(['Graph closed', 'Goal audited']);
    expect((await eventsSeen(page)) - from).toBeGreaterThan(50);
    expect(requests).toHaveLength(1);
    // The badge followed by the frames alone.
    expect(await page.locator('[data-badge]').count()).toBe(0);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('link', { name: /Download export\.csv/ })
        .first()
        .click(),
    ]);
    expect(download.suggestedFilename()).toBe('export.csv');
    await page.context().close();
  });

  it('shows the invoices counted, what is set aside, and folds the runs', async () => {
    const page = await newPage();
    await Promise.all([page.waitForResponse((response) => new URL(response.url()).pathname.endsWith('/goals')), page.goto(`${longhaul.url}/goals/${goals.invoices}`)]);
    await page.getByText('Completed.').waitFor();
    await page.getByText('200 of 200').first().waitFor();
    // Everything beyond the tail that came with the snapshot is read over the socket.
    const requests: string[] = [];
    page.on('request', (request) => {
      requests.push(request.url());
    });
    await page.getByRole('button', { name: 'Everything' }).click();
    const rows = page.locator('.record li[data-seq]');
    const before = await rows.count();
    await page.getByRole('button', { name: 'Load earlier events' }).click();
    await expect.poll(() => rows.count()).toBeGreaterThan(before);
    expect(requests.filter((url) => url.includes('/v1/'))).toEqual([]);
    await page.context().close();
  });

  it('keeps what was confirmed when the server is killed, and goes on when it is back', async () => {
    const page = await newPage();
    await page.goto(`${longhaul.url}/goals/${goals.invoices}`);
    await page.locator('[data-connection=live]').waitFor();
    await longhaul.kill();
    await page.locator('[data-connection=reconnecting]').waitFor();
    expect(await page.getByText('Completed.').count()).toBe(1);
    await longhaul.restart();
    await page.locator('[data-connection=live]').waitFor();
    await page.context().close();
  });

  it('says that nothing is at a wrong address', async () => {
    const page = await newPage();
    await page.goto(`${longhaul.url}/goals/goal_00000000000000000000000000000000`);
    await page.getByRole('heading', { name: 'Nothing is here' }).waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });
});
