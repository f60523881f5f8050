/** The test of an MCP server over HTTP. */
import { env as bindings } from 'cloudflare:workers';
import { expect, inject, it } from 'vitest';
import type { Env } from '../env.ts';
import { checkedApp } from './testing/conformity.ts';

const env = bindings as unknown as Env;
const app = checkedApp;
const at = '/v1/workspaces/local';
async function ask(path: string, body: object) {
  const response = await app.fetch(new Request(`http://127.0.0.1:8787${path}`, { method: 'POST', body: JSON.stringify(body) }), env);
  const text = await response.text();
  expect(text).not.toContain('canary');
  return { status: response.status, body: JSON.parse(text) };
}
let count = 0;
const give = async (type: string, payload: object) => expect((await ask(`${at}/commands`, { type, commandId: `t${++count}`, payload })).status).toBe(200);

it('says what a server offers, what of the list can be used, and why it cannot be reached', async () => {
  await give('secret.put', { name: 'mcp-key', value: 'canary-mcp-key-0011' });
  await give('mcp.put', {
    name: 'scripted',
    url: inject('mcpServer'),
    header: { name: 'authorization', prefix: 'Bearer ', secret: 'mcp-key' },
    tools: ['look', 'gone'],
    readOnly: ['look'],
  });
  expect(await ask(`${at}/mcp/scripted/test`, {})).toMatchObject({
    status: 200,
    body: {
      ok: true,
      offered: [
        { name: 'look', readOnly: true },
        { name: 'send', readOnly: false },
        { name: 'erase', readOnly: false },
      ],
      usable: ['mcp.scripted.look'],
      missing: { gone: expect.any(String) },
    },
  });
  await give('mcp.put', { name: 'away', url: 'http://127.0.0.1:1/mcp', tools: ['x'] });
  expect(await ask(`${at}/mcp/away/test`, {})).toMatchObject({
    status: 200,
    body: { ok: false, problem: { code: 'network', detail: expect.stringContaining('does not answer') }, usable: [] },
  });
  expect(await ask(`${at}/mcp/none/test`, {})).toMatchObject({ status: 409, body: { code: 'setting_missing' } });
  for (const name of ['scripted', 'away']) await give('mcp.remove', { name });
});
