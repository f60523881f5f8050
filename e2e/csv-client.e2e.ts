/** The page that the client item delivers, in a real browser against a small export server: selection, empty, cancel, failure, and the file that is saved. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ExportRun, scriptModule } from '../samples/csv-export/testing/export-run.ts';
import type { Json } from '../worker/domain/values.ts';

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const data = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, '../samples/csv-export/data', name), 'utf8')) as Json;

interface Rules {
  bom: boolean;
  lineEnd: string;
  quote: string[];
  keep: string[];
}
interface RulesModule {
  plainRules(): Rules;
  withRules(rules: Rules, asked: string[]): Rules;
  encodeHead(columns: string[], rules: Rules): string;
  encodeRow(values: (string | null)[], rules: Rules): string;
  textIn(record: object, column: string): string | null;
}

/** How the server answers the next exports. `held`: the head and one chunk, and no more until the test lets it go or the client leaves. */
type Mode = 'whole' | 'held' | 'refused' | 'cut_off';

let server: Server;
let browser: Browser;
let page: Page;
let mode: Mode;
let asked: { ids: string[]; columns: string[] }[];
/** Resolves when a client left before its export was over. */
let left: Promise<void>;
let sawLeave: () => void;
let outside: string[];
let problems: string[];
let total: number;

beforeAll(async () => {
  const source = { records: data('records.json'), selection: data('selection.json') };
  const run = new ExportRun(source, { large: { rows: 500, chunkRows: 100, inFlight: 4 } });
  expect(await run.toEnd({ spreadsheet_program: { program: 'excel-zh' } })).toEqual({ end: 'done' });
  const html = run.text('client', 'index.html');
  const records = source.records as { id: string }[];
  total = records.length;
  const { plainRules, withRules, encodeHead, encodeRow, textIn } = await scriptModule<RulesModule>('lib-rules.js');
  const rules = withRules(plainRules(), (run.json('server', 'manifest.json') as { rules: string[] }).rules);

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === '/') {
      response.setHeader('content-type', 'text/html; charset=utf-8').end(html);
      return;
    }
    if (request.url !== '/export' || request.method !== 'POST') {
      response.writeHead(404).end();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const wanted = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { ids: string[]; columns: string[] };
    asked.push(wanted);
    if (mode === 'refused') {
      response.writeHead(503, { 'content-type': 'application/problem+json' }).end(JSON.stringify({ code: 'unavailable', detail: 'the export store is full' }));
      return;
    }
    const picked = wanted.ids.flatMap((id) => records.filter((record) => record.id === id));
    const body = Buffer.from(
      encodeHead(wanted.columns, rules) +
        picked
          .map((record) =>
            encodeRow(
              wanted.columns.map((column) => textIn(record, column)),
              rules,
            ),
          )
          .join(''),
    );
    response.setHeader('content-type', 'text/csv; charset=utf-8').setHeader('content-length', body.length);
    if (mode === 'whole') {
      response.end(body);
      return;
    }
    response.on('close', () => sawLeave());
    response.write(body.subarray(0, body.length >> 1), () => {
      if (mode === 'cut_off') response.destroy();
    });
  };
  server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: flags });
});
afterAll(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
});

beforeEach(async () => {
  mode = 'whole';
  asked = [];
  outside = [];
  problems = [];
  left = new Promise((resolve) => {
    sawLeave = resolve;
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  page = await browser.newPage({ locale: 'en-GB', acceptDownloads: true });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !/^(blob|data):/.test(request.url())) outside.push(request.url());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(origin);
});
afterEach(async () => {
  expect(outside).toEqual([]);
  expect(problems).toEqual([]);
  await page.close();
});

const feedback = (state: string) => page.locator(`#feedback[data-state=${state}]`);

describe('the client page', () => {
  it('starts with the requested selection and shows every record, texts as texts', async () => {
    expect(await page.locator('#rows tr').count()).toBe(total);
    expect(await page.locator('#count').textContent()).toBe(`58 of ${total} selected`);
    expect(await page.locator('#rows b').count()).toBe(0);
    expect(await page.getByText('<b>粗体</b>').count()).toBeGreaterThan(0);
    expect(await page.locator('#save').isVisible()).toBe(false);
  });

  it('exports the selected records and columns in their order, and saves them', async () => {
    await page.locator('input[data-id="R-000002"]').uncheck();
    await page.locator('input[data-column="owner"]').uncheck();
    await page.locator('#export').click();
    await feedback('done').waitFor();
    expect(asked).toHaveLength(1);
    expect(asked[0]?.ids).toHaveLength(57);
    expect(asked[0]?.ids).not.toContain('R-000002');
    expect(asked[0]?.columns).toEqual(['id', 'title', 'status', 'amount', 'created_at', 'note']);
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#save').click()]);
    expect(download.suggestedFilename()).toBe('export.csv');
    const bytes = readFileSync(await download.path());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(bytes.toString('utf8')).toContain('R-000001,"逗号,在中间"');
    // A changed selection is another export: the old file can no longer be saved.
    await page.locator('input[data-id="R-000002"]').check();
    expect(await page.locator('#save').isVisible()).toBe(false);
  });

  it('says so when nothing is selected, and asks the server nothing', async () => {
    await page.locator('#all').check();
    await page.locator('#all').uncheck();
    expect(await page.locator('#count').textContent()).toBe(`0 of ${total} selected`);
    await page.locator('#export').click();
    await feedback('empty_selection').waitFor();
    expect(await page.locator('#feedback').textContent()).toContain('Nothing is selected');
    expect(await page.locator('#save').isVisible()).toBe(false);
    expect(asked).toEqual([]);
  });

  it('cancels: the connection goes, nothing can be saved, the selection stays', async () => {
    mode = 'held';
    await page.locator('#export').click();
    await feedback('running').waitFor();
    expect(await page.locator('#export').isDisabled()).toBe(true);
    await page.locator('#cancel').click();
    await feedback('cancelled').waitFor();
    await left;
    expect(await page.locator('#feedback').textContent()).toContain('No file was saved');
    expect(await page.locator('#save').isVisible()).toBe(false);
    expect(await page.locator('#cancel').isVisible()).toBe(false);
    expect(await page.locator('#count').textContent()).toBe(`58 of ${total} selected`);
    mode = 'whole';
    await page.locator('#export').click();
    await feedback('done').waitFor();
  });

  it.each([
    ['refused', 'the export store is full'],
    ['cut_off', 'the connection ended too early'],
  ] as const)('says why an export failed (%s), saves nothing and lets it be tried again', async (how, why) => {
    mode = how;
    await page.locator('#export').click();
    await feedback('failed').waitFor();
    expect(await page.locator('#feedback').textContent()).toContain(why);
    expect(await page.locator('#save').isVisible()).toBe(false);
    mode = 'whole';
    await page.locator('#export').click();
    await feedback('done').waitFor();
    expect(asked).toHaveLength(2);
  });

  it('speaks Chinese to a Chinese browser', async () => {
    const chinese = await browser.newPage({ locale: 'zh-CN' });
    await chinese.goto(page.url());
    expect(await chinese.locator('#export').textContent()).toBe('导出');
    expect(await chinese.locator('html').getAttribute('lang')).toBe('zh-Hans');
    await chinese.close();
  });
});
