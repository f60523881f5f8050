/**
 * The built console in a real browser against an API in the hands of the test: for states that a real Worker reaches only by breaking.
 * The real Worker has its own test (`console.e2e.ts`).
 */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page, type WebSocketRoute } from 'playwright-core';
import { buildConsole } from '../scripts/prepare.ts';
import type { GoalSummary } from '../web/src/lib/api/client.ts';
import type { Frame } from '../worker/domain/views/types.ts';
import type { ReadAnswer, ReadQuery, SocketMessage } from '../worker/goal/rpc.ts';

export const chromiumFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
export const launchChromium = (): Promise<Browser> => chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: chromiumFlags });

const types: Record<string, string> = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json' };

/** Serves `web/build` as the Worker's assets do: what is no file is the one page. */
export async function serveConsole(): Promise<{ url: string; close(): void }> {
  await buildConsole();
  const folder = join(import.meta.dirname, '../web/build');
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://x').pathname);
    readFile(join(folder, path)).then(
      (bytes) => response.setHeader('content-type', types[extname(path)] ?? 'application/octet-stream').end(bytes),
      async () => response.setHeader('content-type', 'text/html; charset=utf-8').end(await readFile(join(folder, 'index.html'))),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export interface MockApi {
  goals?: GoalSummary[] | 'broken' | 'empty' | 'hanging';
  /** Sent on connecting; null: the goal is not there. */
  snapshot?: Extract<Frame, { kind: 'snapshot' }> | null;
  read?(query: ReadQuery): ReadAnswer;
  /** Answers to other reads, by the last segment of their path. */
  lists?: Record<string, { status: number; body: unknown }>;
  command?(body: { type: string; commandId: string }): { status: number; body: unknown } | 'lost';
}

export interface MockPage {
  page: Page;
  /** Sends a frame to the open socket. */
  push(frame: Frame): void;
  /** Cuts the connection; while `down`, new ones are cut too. */
  cut(down: boolean): Promise<void>;
  commands: { type: string; commandId: string; expected: unknown; payload: unknown }[];
  /** `after` of every connection, in order. */
  connections: number[];
  /** Requests since the start. */
  requests: string[];
  problems: string[];
}

export async function mockPage(browser: Browser, api: MockApi, options: BrowserContextOptions = {}): Promise<MockPage> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  const mock: MockPage = {
    page,
    commands: [],
    connections: [],
    requests: [],
    problems: [],
    push: (frame) => socket?.send(JSON.stringify(frame)),
    async cut(isDown) {
      down = isDown;
      await socket?.close({ code: 1012 });
    },
  };
  let socket: WebSocketRoute | undefined;
  let down = false;
  page.on('pageerror', (error) => mock.problems.push(error.message));
  page.on('request', (request) => {
    mock.requests.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  await page.routeWebSocket(/\/socket\?/, async (route) => {
    mock.connections.push(Number(new URL(route.url()).searchParams.get('after')));
    if (down) return route.close({ code: 1012 });
    socket = route;
    const { snapshot } = api;
    if (snapshot === null) {
      route.send(JSON.stringify({ kind: 'error', code: 'not_found' }));
      return route.close({ code: 4004 });
    }
    route.onMessage((message) => {
      const said = JSON.parse(String(message)) as SocketMessage;
      if (said.kind === 'read')
        route.send(JSON.stringify({ kind: 'read', id: said.id, answer: api.read?.(said.query) ?? { outcome: 'refused', refusal: { refused: true, code: 'not_found' } } }));
    });
    if (snapshot && mock.connections.at(-1) === 0) route.send(JSON.stringify(snapshot));
  });
  // The lists of the workspace.
  await page.routeWebSocket(/\/workspaces\/[^/]+\/socket/, (route) => {
    if (down) return void route.close({ code: 1012 });
    const goals = api.goals === 'empty' ? [] : (api.goals ?? []);
    if (typeof goals !== 'string') route.send(JSON.stringify({ kind: 'snapshot', seq: 1, goals, truncated: false }));
  });
  await page.route(/\/v1\//, async (route) => {
    const request = route.request();
    const path = new URL(request.url()).pathname;
    if (path.endsWith('/commands')) {
      const body = request.postDataJSON() as MockPage['commands'][number];
      mock.commands.push(body);
      const answer = api.command?.(body) ?? { status: 200, body: { outcome: 'applied' } };
      return answer === 'lost' ? route.abort('connectionreset') : route.fulfill({ status: answer.status, json: answer.body });
    }
    if (path.endsWith('/goals')) {
      if (api.goals === 'hanging') return;
      if (api.goals === 'broken') return route.fulfill({ status: 503, json: { code: 'unavailable', requestId: 'req_7f3', effect: 'none' } });
      return route.fulfill({ json: { data: api.goals === 'empty' ? [] : (api.goals ?? []), nextCursor: null } });
    }
    if (path.endsWith('/names')) return route.fulfill({ json: { data: [] } });
    const listed = api.lists?.[path.split('/').at(-1) ?? ''];
    if (listed) return route.fulfill({ status: listed.status, json: listed.body });
    return route.fulfill(api.snapshot === undefined ? { status: 503, json: { code: 'unavailable', requestId: 'req_7f4', effect: 'none' } } : { json: {} });
  });
  return mock;
}
