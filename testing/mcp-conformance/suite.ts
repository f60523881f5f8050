/** Runs the server scenarios that a revision of the protocol requires, and reads what each of their checks found. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inRoot } from '../../scripts/repository.ts';

export interface Check {
  id: string;
  status: string;
  errorMessage?: string;
}
/** By the name of the scenario. */
export type Found = { [scenario: string]: Check[] };

/** Every scenario that the revision requires, as it was released. */
export const runSuite = (url: string, revision: string) => run(['--url', url, '--requirements', revision]);
export const runScenario = (url: string, scenario: string, revision: string) => run(['--url', url, '--scenario', scenario, '--spec-version', revision]);

async function run(asked: readonly string[]): Promise<Found> {
  const dir = mkdtempSync(join(tmpdir(), 'longhaul-conformance-'));
  try {
    const args = [inRoot('node_modules/@modelcontextprotocol/conformance/dist/index.js'), 'server', ...asked, '-o', dir];
    let said = '';
    // It ends with 1 where anything failed, which is judged by the checks.
    const code = await new Promise<number | null>((resolve, reject) => {
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (text: Buffer) => {
          said += text;
        });
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (readdirSync(dir).length === 0) throw new Error(`the suite ended with ${code}:\n${said.slice(-2000)}`);
    return Object.fromEntries(
      readdirSync(dir)
        // A scenario that did not come to its checks leaves an empty folder.
        .filter((name) => existsSync(join(dir, name, 'checks.json')))
        .map((name) => [name.replace(/^server-(.*)-\d{4}-\d{2}-\d{2}T.*$/, '$1'), JSON.parse(readFileSync(join(dir, name, 'checks.json'), 'utf8')) as Check[]]),
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The suite sends no credential: this adds one on the way, and changes nothing else. */
export async function withToken(target: string, token: string): Promise<{ url: string; close(): void }> {
  const to = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const passed = request(
      { host: to.hostname, port: to.port, path: incoming.url, method: incoming.method, headers: { ...incoming.headers, authorization: `Bearer ${token}` } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        outgoing.flushHeaders();
        answer.pipe(outgoing);
      },
    );
    passed.on('error', (error) => outgoing.destroy(error));
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
