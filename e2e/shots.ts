/**
 * `npm run shots [-- --out DIR] [--only NAME]`: pictures of every screen of the console on a real Worker, for a person to look through: empty, with both samples at work, and when they are done;
 * light and dark, English and 简体中文, and on a phone. Prints what a page complained of and where one is wider than its window; then it ends with 1.
 * Files are `<screen>.<state>.<language>.<theme>[.phone].png` in DIR (`.longhaul/shots`).
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { startLoopback } from '../samples/services/loopback.ts';
import { provideChromium } from '../scripts/chromium.ts';
import { Client } from '../scripts/client.ts';
import { startLonghaul } from '../scripts/longhaul.ts';
import { buildConsole } from '../scripts/prepare.ts';
import { inRoot } from '../scripts/repository.ts';
import { defaultData, loadSample, placeSample } from '../scripts/samples.ts';
import { launchChromium } from './console-bench.ts';

interface Screen {
  name: string;
  path: string;
}

const settings = ['', 'mcp', 'members', 'tokens', 'usage', 'audit', 'data', 'hand-overs', 'triggers', 'webhooks', 'templates', 'notifications', 'memory'];
const fixed: Screen[] = [
  { name: 'home', path: '/' },
  { name: 'inbox', path: '/inbox' },
  { name: 'new', path: '/new' },
  { name: 'models', path: '/models' },
  { name: 'account', path: '/account' },
  { name: 'nothing-here', path: '/no-such-page' },
  ...settings.map((name) => ({ name: name ? `settings-${name}` : 'settings', path: `/settings${name ? `/${name}` : ''}` })),
];
const looks = [
  { language: 'en', locale: 'en-GB', theme: 'light', size: { width: 1440, height: 900 }, suffix: '' },
  { language: 'zh', locale: 'zh-CN', theme: 'dark', size: { width: 1440, height: 900 }, suffix: '' },
  { language: 'en', locale: 'en-GB', theme: 'dark', size: { width: 1440, height: 900 }, suffix: '' },
  { language: 'zh', locale: 'zh-CN', theme: 'light', size: { width: 1440, height: 900 }, suffix: '' },
  { language: 'en', locale: 'en-GB', theme: 'light', size: { width: 390, height: 844 }, suffix: '.phone' },
  { language: 'zh', locale: 'zh-CN', theme: 'dark', size: { width: 390, height: 844 }, suffix: '.phone' },
] as const;

const { values } = parseArgs({ options: { out: { type: 'string' }, only: { type: 'string' } } });
const out = values.out ?? inRoot('.longhaul/shots');
const complaints: string[] = [];

/** Its texts and, where it has one, its graph are drawn. */
async function drawn(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  if (page.url().includes('/goals/')) await page.locator('.svelte-flow__node, [data-tree]').first().waitFor();
  await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null && document.getAnimations().every((each) => each.playState !== 'running'));
}

async function shoot(browser: Browser, url: string, state: string, screens: readonly Screen[]): Promise<number> {
  let count = 0;
  for (const { language, locale, theme, size, suffix } of looks) {
    const context = await browser.newContext({ locale, colorScheme: theme, viewport: size, reducedMotion: 'reduce' });
    const page = await context.newPage();
    let where = '';
    page.on('pageerror', (error) => complaints.push(`${where}: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of 404/.test(message.text())) complaints.push(`${where}: ${message.text()}`);
    });
    for (const screen of screens.filter(({ name }) => !values.only || name.includes(values.only))) {
      const file = `${screen.name}.${state}.${language}.${theme}${suffix}.png`;
      where = file;
      await page.goto(url + screen.path);
      await drawn(page).catch((error: unknown) => complaints.push(`${file}: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`));
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      if (wider > 0) complaints.push(`${file}: ${wider} px wider than its window`);
      await page.screenshot({ path: join(out, file), fullPage: !screen.path.startsWith('/goals/') });
      count++;
    }
    await context.close();
  }
  return count;
}

const chromium = await provideChromium();
if ('missing' in chromium) {
  console.error(chromium.missing);
  process.exit(1);
}
process.env.CHROMIUM_PATH = chromium.path;
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await buildConsole(() => console.error('Building the console ...'));
const services = await startLoopback();
const longhaul = await startLonghaul({ vars: { LONGHAUL_SUPPLIER_URL: services.supplierUrl, LONGHAUL_BANK_URL: services.bankUrl } });
const browser = await launchChromium();
try {
  const client = new Client(longhaul.url, 'local');
  let count = await shoot(browser, longhaul.url, 'empty', fixed);
  const names = ['csv-export', 'invoices'];
  const goals = await Promise.all(names.map(async (name) => placeSample(client, await loadSample(name), defaultData(name))));
  const [csv = ''] = goals;
  const pages = names.map((name, at) => ({ name: `goal-${name}`, path: `/goals/${goals[at]}` }));
  const until = async (goal: string, holds: (bar: Awaited<ReturnType<Client['bar']>>) => boolean) => {
    for (let bar = await client.bar(goal); !holds(bar); bar = await client.bar(goal)) await client.events(goal, bar.seq, 5);
  };
  await until(csv, (bar) => bar.blockers.length > 0);
  count += await shoot(browser, longhaul.url, 'working', [...fixed, ...pages]);
  await client.command(csv, { type: 'blocker.resolve', commandId: 'answer', payload: { blocker: 'spreadsheet_program', answer: { program: 'excel-zh' } } });
  await Promise.all(goals.map((goal) => until(goal, (bar) => bar.status === 'completed')));
  count += await shoot(browser, longhaul.url, 'done', [
    { name: 'home', path: '/' },
    ...pages,
    { name: 'settings-usage', path: '/settings/usage' },
    { name: 'settings-audit', path: '/settings/audit' },
  ]);
  console.log(`${count} pictures in ${out}`);
} finally {
  await browser.close();
  await longhaul.stop();
  await services.close();
}
for (const complaint of complaints) console.error(complaint);
process.exitCode = complaints.length === 0 ? 0 : 1;
