/** The examples of the documentation run as they stand there. */
import { applyD1Migrations } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import evidenceGuide from '../../docs/evidence.md?raw';
import type { Env } from '../env.ts';
import { checkedApp } from './testing/conformity.ts';
import { requestsOf } from './testing/guide.ts';

const env = { ...(bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] }), LONGHAUL_DEV_WORKSPACES: 'local' };
beforeAll(() => applyD1Migrations(env.DB, env.MIGRATIONS));

/** Asks all that a page shows; every answer has to be a good one. */
// biome-ignore lint/suspicious/noExplicitAny: answers of many routes
async function followed(markdown: string): Promise<any[]> {
  const names: Record<string, string> = { ws: 'local' };
  const answers = [];
  for (const { method, path, body } of requestsOf(markdown)) {
    const asked = path.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? name);
    const response = await checkedApp.fetch(new Request(`http://127.0.0.1:8787${asked}`, { method, ...(body === undefined ? {} : { body }) }), env);
    const answer = (await response.json()) as { goal?: string };
    expect({ asked, status: response.status, answer }).toMatchObject({ status: response.status < 300 ? response.status : 200 });
    if (answer.goal !== undefined) names.goal = answer.goal;
    answers.push(answer);
  }
  return answers;
}

it('evidence that falls: what rests on it is listed, waits, and is decided anew', async () => {
  const [, first, rests, marked, asked, second] = await followed(evidenceGuide);
  const [entry] = first.result.entries;
  expect(rests).toMatchObject({ fallen: false, decisions: [{ id: entry, subject: 'offer-7', verdict: 'too high' }], counts: { decisions: 1, acceptances: 0 } });
  expect(marked.result).toEqual({ facts: [], decisions: [entry], acceptances: [], downstream: [] });
  expect(asked).toMatchObject({ count: 1, data: [{ id: entry, fallen: ['fact:rate/2027'], asked: true }] });
  expect(second.result.entries).not.toEqual([entry]);
});
