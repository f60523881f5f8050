/** The examples of the documentation run as they stand there. */
import { applyD1Migrations } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import evidenceGuide from '../../docs/evidence.md?raw';
import templatesGuide from '../../docs/templates.md?raw';
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
    const put = (text: string) => text.replace(/(?<!\{)\{(\w+)\}(?!\})/g, (_, name: string) => names[name] ?? name);
    const asked = put(path);
    const response = await checkedApp.fetch(new Request(`http://127.0.0.1:8787${asked}`, { method, ...(body === undefined ? {} : { body: put(body) }) }), env);
    const answer = (await response.json()) as { goal?: string; result?: { fence?: number } };
    expect({ asked, status: response.status, answer }).toMatchObject({ status: response.status < 300 ? response.status : 200 });
    if (answer.goal !== undefined) names.goal = answer.goal;
    if (answer.result?.fence !== undefined) names.fence = String(answer.result.fence);
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

it('a template is drafted from a finished graph, put, confirmed and used, and says how its items did', async () => {
  const [first, , , , draft, , , second] = await followed(templatesGuide);
  expect(draft).toMatchObject({
    problems: [],
    left: [],
    found: [{ name: 'month', value: '2027-01', why: 'of_the_case', places: ['/plan/items/0/title', '/plan/items/0/outputs/0/scope'] }],
    template: { name: 'offers', mode: 'graph_only', plan: { items: [{ key: 'collect', title: 'Collect the offers of {{month}}' }] } },
  });
  const ask = async (path: string) => {
    const response = await checkedApp.fetch(new Request(`http://127.0.0.1:8787/v1/workspaces/local/${path}`), env);
    return { status: response.status, body: await response.json() };
  };
  // Of a goal at work there is none.
  expect(await ask(`goals/${second.goal}/template-draft?name=x`)).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
  expect(await ask(`goals/${first.goal}/template-draft?name=x&against=${second.goal}`)).toMatchObject({ status: 409, body: { current: { goal: second.goal } } });
  expect((await ask('templates/nobody/figures')).status).toBe(404);
  const give = async (type: string, payload: object) => {
    const request = { method: 'POST', body: JSON.stringify({ type, commandId: `done-${type}`, payload }) };
    return (await (await checkedApp.fetch(new Request(`http://127.0.0.1:8787/v1/workspaces/local/goals/${second.goal}/commands`, request), env)).json()) as {
      result: { fence: number };
    };
  };
  const { fence } = (await give('work.claim', { item: 'collect' })).result;
  await give('attempt.start', { item: 'collect', fence });
  await give('submission.submit', { item: 'collect', fence, artifacts: [], summary: 'Two came.' });
  // The book follows the goal.
  const figures = async (of: string) => (await ask(`templates/offers/figures${of}`)).body;
  await expect
    .poll(() => figures(''), { timeout: 20_000 })
    .toMatchObject({ goals: 1, data: [{ item: 'collect', goals: 1, attempts: 1, returns: 0, tokens: 0, money: {}, ms: expect.any(Number) }] });
  expect(await figures('?version=2')).toEqual({ goals: 0, data: [] });
});
