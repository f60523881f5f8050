/** The console's states and keys in a real browser, over an API in the test's hands. What the real Worker does with it: `console.e2e.ts`. */
import { gzipSync } from 'node:zlib';
import AxeBuilder from '@axe-core/playwright';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as fixture from '../web/src/lib/testing/csv-goal.ts';
import type { Json } from '../worker/domain/values.ts';
import type { ReadQuery } from '../worker/goal/rpc.ts';
import { launchChromium, type MockApi, type MockPage, mockPage, serveConsole } from './console-bench.ts';

let site: Awaited<ReturnType<typeof serveConsole>>;
let browser: Browser;
const open: MockPage[] = [];

beforeAll(async () => {
  site = await serveConsole();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  site?.close();
});
afterEach(async () => {
  for (const mock of open.splice(0)) {
    expect(mock.problems).toEqual([]);
    await mock.page.context().close();
  }
});

const goalPath = `/goals/${fixture.goalId}`;
const read = (query: ReadQuery) =>
  query.what === 'item'
    ? { outcome: 'found' as const, seq: 1, value: (query.item === 'server' ? fixture.serverItem : fixture.plainItem(query.item)) as unknown as Json }
    : { outcome: 'refused' as const, refusal: { refused: true as const, code: 'not_found' as const } };
const whole: MockApi = { snapshot: fixture.snapshot, goals: fixture.goals, read };
const withQuestion: MockApi = { ...whole, snapshot: { ...fixture.snapshot, bar: { ...fixture.snapshot.bar, blockers: [fixture.question] } } };

async function visit(path: string, api: MockApi, options: BrowserContextOptions = {}): Promise<MockPage> {
  const mock = await mockPage(browser, api, options);
  open.push(mock);
  await mock.page.goto(site.url + path);
  return mock;
}
async function drawn(mock: MockPage): Promise<void> {
  await mock.page.locator('.svelte-flow__node').nth(5).waitFor();
}
const card = (mock: MockPage, key: string) => mock.page.locator(`.svelte-flow__node[data-id=${key}]`);

describe('the list of goals', () => {
  it('puts what needs a person first', async () => {
    const { page } = await visit('/', whole);
    await page.getByRole('heading', { name: 'Needs you 1' }).waitFor();
    expect(await page.locator('[data-row]').allTextContents()).toHaveLength(4);
    expect(await page.locator('[data-row]').first().textContent()).toContain('Batch CSV export');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(/inv1$/);
  });
  it('searches from the keyboard and says when nothing matches', async () => {
    const { page } = await visit('/', whole);
    await page.locator('[data-row]').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('nothing like it');
    await page.getByText('Nothing matches').waitFor();
    await page.getByRole('button', { name: 'Clear search' }).click();
    expect(await page.locator('[data-row]').count()).toBe(4);
  });
  it('says why it is empty and what to do', async () => {
    const { page } = await visit('/', { goals: 'empty' });
    await page.getByText('No goal yet').waitFor();
  });
  it('shows what went wrong, what it means and the request', async () => {
    const { page } = await visit('/', { goals: 'broken' });
    const alert = page.getByRole('alert');
    await alert.getByText('What is recorded is safe').waitFor();
    expect(await alert.textContent()).toContain('req_7f3');
  });
});

describe('given-up hand-overs', () => {
  const letter = { goal: fixture.goalId, id: 'm1', kind: 'round', ref: 'rnd_1', fence: 3, sentAt: Date.UTC(2026, 0, 5, 8), at: Date.UTC(2026, 0, 5, 9) };
  const listed = (data: unknown[], total = data.length) => ({ 'dead-letters': { status: 200, body: { data, nextCursor: null, total } } });

  it('name the goal, what was handed over and when, and lead there', async () => {
    const { page } = await visit('/settings', { ...whole, lists: listed([letter]) });
    await page.getByRole('link', { name: /hand-overs/ }).click();
    const row = page.locator('[data-hand-overs] li');
    await row.getByRole('link', { name: 'Batch CSV export' }).waitFor();
    expect(await row.textContent()).toContain('rnd_1');
    expect(await row.getByRole('link').getAttribute('href')).toBe(goalPath);
    const { violations } = await new AxeBuilder({ page: page as never }).analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
  });
  it('say when there are none, and what went wrong when they cannot be read', async () => {
    const { page } = await visit('/settings/hand-overs', { ...whole, lists: listed([]) });
    await page.getByText('Every hand-over has arrived').waitFor();
    const broken = await visit('/settings/hand-overs', {
      ...whole,
      lists: { 'dead-letters': { status: 503, body: { code: 'unavailable', requestId: 'req_7f5', effect: 'none' } } },
    });
    await broken.page.getByRole('alert').getByText('req_7f5').waitFor();
  });
});

describe('the goal page', () => {
  it('is live from its socket alone and follows frames without a request', async () => {
    const mock = await visit(goalPath, whole);
    await drawn(mock);
    await card(mock, 'server').click();
    await mock.page.getByText('58 records in 7 columns').waitFor();
    const badge = mock.page.locator('[data-badge]');
    await badge.waitFor({ state: 'detached' });
    const before = mock.requests.length;
    const frames = fixture.acceptedFrames();
    for (const frame of frames) mock.push(frame);
    await card(mock, 'compatibility').getByText('Ready').waitFor();
    await card(mock, 'server').getByText('Accepted').waitFor();
    expect(await mock.page.locator('.satisfied').count()).toBe(5);
    // What needs a person comes with the frames too.
    const last = frames.at(-1);
    if (!last) throw new Error('no frame');
    mock.push({
      ...last,
      seq: last.seq + 1,
      events: [],
      bar: { ...last.bar, seq: last.seq + 1, next: { ...last.bar.next, who: [{ mover: 'person:local', act: 'attest', ref: 'criterion:pleasant' }] } },
    });
    expect(await badge.textContent()).toBe('1');
    expect(mock.requests.slice(before)).toEqual([]);
    // The list of goals, once, for the badge; and what people are called.
    expect(mock.requests.filter((request) => request.includes('/v1/')).sort()).toEqual(['GET /v1/workspaces/local/goals', 'GET /v1/workspaces/local/names']);
  });

  it('never shows a lost connection as a stopped goal, and resumes where it was', async () => {
    const mock = await visit(goalPath, whole);
    await drawn(mock);
    await mock.cut(true);
    await mock.page.locator('[data-connection=reconnecting]').waitFor();
    await mock.page.getByText('trying again').waitFor();
    expect(await mock.page.getByText('Running.').count()).toBe(1);
    expect(await mock.page.getByRole('button', { name: 'Pause' }).isDisabled()).toBe(true);
    await mock.cut(false);
    await mock.page.locator('[data-connection=live]').waitFor({ timeout: 20_000 });
    expect(mock.connections.at(-1)).toBe(fixture.snapshot.seq);
    expect(await mock.page.getByRole('button', { name: 'Pause' }).isEnabled()).toBe(true);
  });

  it('says that nothing is at an address', async () => {
    const { page } = await visit(goalPath, { snapshot: null });
    await page.getByRole('heading', { name: 'Nothing is here' }).waitFor();
  });

  it('walks the dependencies with arrow keys, opens with Enter, closes with Escape', async () => {
    const mock = await visit(goalPath, whole);
    await drawn(mock);
    const focused = () => mock.page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.id);
    await card(mock, 'requirements').focus();
    await mock.page.keyboard.press('ArrowRight');
    expect(['server', 'client']).toContain(await focused());
    await mock.page.keyboard.press('ArrowLeft');
    expect(await focused()).toBe('requirements');
    await mock.page.keyboard.press('Enter');
    await mock.page.locator('[data-item=requirements]').waitFor();
    await mock.page.keyboard.press(']');
    await mock.page.locator('[data-item=server]').waitFor();
    expect(new URL(mock.page.url()).searchParams.get('item')).toBe('server');
    await mock.page.keyboard.press('Escape');
    await mock.page.locator('[data-item]').waitFor({ state: 'detached' });
    await mock.page.keyboard.press('t');
    await mock.page.getByRole('table').waitFor();
    await mock.page.keyboard.press('?');
    await mock.page.getByRole('dialog').waitFor();
  });

  it('tells a return: reason above the flow, scene with what stood where', async () => {
    const mock = await visit(`${goalPath}?item=server`, whole);
    await drawn(mock);
    await mock.page.locator('.graph').getByText('returned: Opened as Excel would').waitFor();
    const submission = mock.page.locator('article', { hasText: '#1' }).last();
    expect(await submission.textContent()).toContain('B2');
    expect(await submission.textContent()).toContain('逗号,在中间');
    expect(await submission.getByRole('link', { name: 'Download export.csv' }).getAttribute('href')).toMatch(/\/artifacts\/c{64}\/link\?as=download$/);
  });

  it('finds the errors and the events of one item', async () => {
    const mock = await visit(`${goalPath}?item=server`, whole);
    const rows = mock.page.locator('.record li[data-seq]');
    await rows.first().waitFor();
    await mock.page.getByRole('button', { name: 'Errors only' }).click();
    expect(await rows.count()).toBe(3);
    await mock.page.getByRole('button', { name: 'Everything' }).click();
    const every = await rows.count();
    await mock.page.getByRole('button', { name: 'This item' }).click();
    expect(await rows.count()).toBeLessThan(every);
  });

  it('does not move a reader who scrolled up', async () => {
    const mock = await visit(goalPath, whole);
    const box = mock.page.locator('.record [role=group][tabindex]');
    await mock.page.getByRole('button', { name: 'Everything' }).click();
    await box.evaluate((element) => element.scrollTo(0, 0));
    await mock.page.getByRole('button', { name: 'Follow the newest' }).waitFor();
    for (const frame of fixture.acceptedFrames()) mock.push(frame);
    await mock.page.getByText('2 new below').waitFor();
    expect(await box.evaluate((element) => element.scrollTop)).toBe(0);
  });
});

describe('answering a question', () => {
  it('chooses nothing itself, then sends the answer with its generation', async () => {
    const mock = await visit(goalPath, withQuestion);
    await mock.page.getByRole('button', { name: 'Send the answer' }).click();
    await mock.page.getByText('Needs an answer.', { exact: true }).first().waitFor();
    expect(mock.commands).toEqual([]);
    await mock.page.getByLabel('Microsoft Excel (Chinese Windows)').check();
    await mock.page.getByRole('button', { name: 'Send the answer' }).click();
    await mock.page.getByText('The goal goes on by itself').waitFor();
    expect(mock.commands).toMatchObject([
      { type: 'blocker.resolve', expected: { goalVersion: 2 }, payload: { blocker: 'blk_program', answer: { program: 'excel-zh' }, generation: 1 } },
    ]);
  });

  it('where the answer was lost, says so and sends the same command again', async () => {
    let times = 0;
    const mock = await visit(goalPath, { ...withQuestion, command: () => (times++ === 0 ? 'lost' : { status: 200, body: { outcome: 'applied' } }) });
    await mock.page.getByLabel('WPS Office').check();
    await mock.page.getByRole('button', { name: 'Send the answer' }).click();
    await mock.page.getByText('Whether this was done is not known').waitFor();
    await mock.page.getByRole('button', { name: 'Send the same again' }).click();
    await mock.page.getByText('The goal goes on by itself').waitFor();
    expect(new Set(mock.commands.map((command) => command.commandId)).size).toBe(1);
    expect(mock.commands).toHaveLength(2);
  });

  it('words a refusal, says that nothing was changed, and takes a new decision as a new command', async () => {
    const mock = await visit(goalPath, { ...withQuestion, command: () => ({ status: 412, body: { code: 'goal_version_stale', requestId: 'req_9', effect: 'none', errors: [] } }) });
    await mock.page.getByLabel('WPS Office').check();
    const send = mock.page.getByRole('button', { name: 'Send the answer' });
    await send.click();
    await mock.page.getByText('Nothing was changed.').waitFor();
    await send.click();
    await expect.poll(() => new Set(mock.commands.map((command) => command.commandId)).size).toBe(2);
  });
});

describe('for everybody', () => {
  it.each([
    ['light', 'en-GB'],
    ['dark', 'zh-CN'],
  ] as const)('has no accessibility violation (%s, %s)', async (colorScheme, locale) => {
    for (const path of ['/', goalPath, `${goalPath}?item=server`, `${goalPath}?view=table`]) {
      const mock = await visit(path, withQuestion, { colorScheme, locale });
      if (path === '/') await mock.page.locator('[data-row]').first().waitFor();
      else if (path.includes('table')) await mock.page.getByRole('table').waitFor();
      else await drawn(mock);
      if (path.includes('item')) await mock.page.locator('[data-item] article').first().waitFor();
      const { violations } = await new AxeBuilder({ page: mock.page as never }).analyze();
      expect(
        violations.map(
          ({ id, nodes }) =>
            `${path} ${id}: ${nodes
              .map((node) => node.target.join(' '))
              .slice(0, 3)
              .join(' | ')}`,
        ),
      ).toEqual([]);
    }
  });

  it('speaks Chinese to a Chinese browser and keeps a chosen language', async () => {
    const { page } = await visit(goalPath, withQuestion, { locale: 'zh-CN' });
    await page.getByText('需要您处理').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByText('Needs you').waitFor();
    await page.reload();
    await page.getByText('Needs you').waitFor();
  });

  it('fits a phone: nothing scrolls sideways, an item is a sheet', async () => {
    const mock = await visit(goalPath, whole, { viewport: { width: 390, height: 844 } });
    await mock.page.getByRole('table').waitFor();
    expect(await mock.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await mock.page.getByRole('button', { name: 'Server export' }).first().click();
    await mock.page.getByText('58 records in 7 columns').waitFor();
    await mock.page.getByRole('button', { name: 'Close details' }).click();
    await mock.page.getByRole('table').waitFor();
  });

  it('asks for less than 200 kB of script before the graph', async () => {
    const mock = await mockPage(browser, { ...whole, snapshot: { ...fixture.snapshot, graph: { ...fixture.graph, nodes: [], edges: [] } } });
    open.push(mock);
    let bytes = 0;
    mock.page.on('response', (response) => {
      if (response.url().endsWith('.js')) void response.body().then((body) => (bytes += gzipSync(body).length));
    });
    await mock.page.goto(site.url + goalPath);
    await mock.page.getByText('No plan yet').waitFor();
    await mock.page.waitForLoadState('networkidle');
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(200_000);
  });
});
