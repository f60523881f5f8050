/** A signed link from a mail and from a chat: it opens its decision once, for its person; and a page of progress that needs no account. */
import { applyD1Migrations } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Env } from '../env.ts';
import { goalStub } from '../goal/goal-stub.ts';
import { ask, type Browser, freshId, joins, mailTo, newPerson, newToken, newWorkspace } from './testing/people.ts';

const env = bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };
let ann: Browser;
let bob: Browser;
let workspace: string;
let goal: string;

interface Body {
  code: string;
  goal: string;
  ref: string;
  act: string;
  current: Record<string, unknown>;
}
const command = (browser: Browser, at: string, type: string, payload: unknown) =>
  browser.ask<Record<string, unknown>>(`/v1/workspaces/${workspace}${at}/commands`, { body: { type, commandId: freshId(), payload } });
const open = (browser: Browser, link: string, commandId = freshId()) => browser.ask<Body>(`/v1/workspaces/${workspace}/links/open`, { body: { link, commandId } });
const textOf = (mail: string) => /\/link#([^/\s]+)\/(\S+)/.exec(mail)?.[2] ?? '';

async function asks(key: string): Promise<string> {
  expect(await command(ann, `/goals/${goal}`, 'goal.block', { key, reason: 'Which account? A secret question.', form: { type: 'string' } })).toMatchObject({ status: 200 });
  await goalStub(env, workspace, goal).drain({ v: 1, workspace, goal });
  return key;
}

beforeAll(async () => {
  await applyD1Migrations(env.DB, env.MIGRATIONS);
  ann = await newPerson(env, 'Ann');
  bob = await newPerson(env, 'Bob');
  workspace = await newWorkspace(ann, 'Acme');
  await joins(ann, workspace, bob, 'admin');
  const contract = { title: 'Invoices of May', objective: 'A secret objective', criteria: [{ id: 'a', text: 'A secret criterion', verify: 'attest' }] };
  const lanes = { coordinator: { kind: 'person', principal: `person:${ann.id}` } };
  goal = (
    await ann.ask<{ goal: string }>(`/v1/workspaces/${workspace}/goals`, {
      body: { type: 'goal.create', commandId: freshId(), payload: { mode: 'goal_only', confirmed: true, contract, lanes } },
    })
  ).body.goal;
}, 120_000);

describe('a link to a decision', () => {
  it('comes by mail to whom it waits for, and opens it once, as they are', async () => {
    await asks('account');
    const mail = await mailTo(env, ann.email, 'A question waits');
    expect(mail).toContain('Invoices of May');
    expect(mail).not.toContain('secret');
    const link = textOf(mail);
    expect(link).not.toBe('');
    // Without a session: sign in first. As somebody else: not theirs, whoever they are.
    expect((await ask(env, `/v1/workspaces/${workspace}/links/open`, { body: { link, commandId: freshId() } })).status).toBe(401);
    expect(await open(bob, link)).toMatchObject({ status: 403, body: { code: 'link_not_yours' } });
    expect(await open(ann, `${link.slice(0, -2)}xx`)).toMatchObject({ status: 404, body: { code: 'link_unknown' } });
    const once = freshId();
    const opened = await open(ann, link, once);
    expect(opened).toMatchObject({ status: 200, body: { goal, act: 'answer' } });
    expect(opened.body.ref).toMatch(/^blocker:/);
    // An answer that was lost is asked for again; anything else is another use.
    expect((await open(ann, link, once)).body).toEqual(opened.body);
    expect(await open(ann, link)).toMatchObject({ status: 410, body: { code: 'link_used', current: { goal } } });
    // It opened the decision and took nothing of it: that is given as any other.
    const blocker = opened.body.ref.slice('blocker:'.length);
    expect(await command(ann, `/goals/${goal}`, 'blocker.resolve', { blocker, answer: 'main' })).toMatchObject({ status: 200 });
  });

  it('of two at once one is used', async () => {
    await asks('other');
    const link = textOf(await mailOfSecond(1));
    const both = await Promise.all([open(ann, link), open(ann, link)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 410]);
  });

  it('of what was decided meanwhile says so, and is not used', async () => {
    await asks('third');
    const link = textOf(await mailOfSecond(2));
    const { body } = await ann.ask<{ who: { ref: string; act: string }[] }>(`/v1/workspaces/${workspace}/goals/${goal}/next`);
    for (const { ref } of body.who.filter(({ act }) => act === 'answer'))
      expect(await command(ann, `/goals/${goal}`, 'blocker.resolve', { blocker: ref.slice('blocker:'.length), answer: 'main' })).toMatchObject({ status: 200 });
    expect(await open(ann, link)).toMatchObject({ status: 410, body: { code: 'link_gone' } });
    expect(await open(ann, link)).toMatchObject({ status: 410, body: { code: 'link_gone' } });
  });

  it('is not written to whoever chose otherwise', async () => {
    expect((await ann.ask<{ mail: unknown }>(`/v1/workspaces/${workspace}/notifications`)).body.mail).toMatchObject({
      way: 'mailbox',
      address: ann.email,
      confirmed: true,
      kinds: null,
    });
    expect(await command(ann, '/people', 'member.setMail', { kinds: ['goal.cancelled'] })).toMatchObject({ status: 200 });
    expect((await ann.ask<{ mail: unknown }>(`/v1/workspaces/${workspace}/notifications`)).body.mail).toMatchObject({ kinds: ['goal.cancelled'] });
    await asks('fourth');
    await command(ann, `/goals/${goal}`, 'goal.cancel', {});
    await goalStub(env, workspace, goal).drain({ v: 1, workspace, goal });
    expect(await mailTo(env, ann.email, 'A goal was cancelled')).toContain('Invoices of May');
    expect(await questions()).toBe(3);
  });
});

async function questions(): Promise<number> {
  const { objects } = await env.FILES.list({ prefix: 'mailbox/' });
  const texts = await Promise.all(objects.map(async ({ key }) => (await env.FILES.get(key))?.text()));
  return texts.filter((text) => text?.includes(ann.email) && text.includes('A question waits')).length;
}
/** The newest of them, when there are more than so many. */
async function mailOfSecond(more: number): Promise<string> {
  for (let tries = 0; tries < 500 && (await questions()) <= more; tries++) await scheduler.wait(10);
  return mailTo(env, ann.email, 'A question waits');
}

describe('a page of progress', () => {
  const put = () => command(ann, '', 'progress.put', { name: 'board', goal });
  const links = async () => (await ann.ask<{ data: { link: string; name: string }[] }>(`/v1/workspaces/${workspace}/progress-links`)).body.data;
  const read = (link: string) => ask<Record<string, unknown>>(env, `/v1/progress/${workspace}/${link}`);

  it('is there for whoever has the link, shows how far and nothing secret, and goes when it is taken back', async () => {
    expect(await command(ann, '', 'progress.put', { name: 'board', goal: 'goal_none' })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await put()).toMatchObject({ status: 200 });
    const [board] = await links();
    const shown = await read(board?.link ?? '');
    expect(shown).toMatchObject({ status: 200, body: { title: 'Invoices of May', status: 'cancelled', criteria: { proven: 0, of: 1 }, waits: [] } });
    expect(JSON.stringify(shown.body)).not.toMatch(/secret|person:|goal_/);
    expect(await read('no link')).toMatchObject({ status: 404, body: { code: 'link_unknown' } });
    expect(await ask(env, `/v1/progress/no-such-place/${board?.link}`)).toMatchObject({ status: 404, body: { code: 'link_unknown' } });

    await put();
    expect(await read(board?.link ?? '')).toMatchObject({ status: 404, body: { code: 'link_unknown' } });
    const [again] = await links();
    expect((await read(again?.link ?? '')).status).toBe(200);
    expect(await command(ann, '', 'progress.remove', { name: 'board' })).toMatchObject({ status: 200 });
    expect(await read(again?.link ?? '')).toMatchObject({ status: 404, body: { code: 'link_unknown' } });
  });
});

describe('a goal that posts to another', () => {
  const contract = { title: 'T', objective: 'O', criteria: [{ id: 'a', text: 'A', verify: 'attest' }] };
  const made = async (at: string) =>
    (
      await ann.ask<{ goal: string }>(`/v1/workspaces/${at}/goals`, {
        body: { type: 'goal.create', commandId: freshId(), payload: { confirmed: true, mode: 'goal_only', contract } },
      })
    ).body.goal;
  const post = (from: string, to: string, commandId = freshId()) =>
    ann.ask<Record<string, unknown>>(`/v1/workspaces/${workspace}/goals/${from}/posts`, { body: { to, text: 'The figures are there.', commandId } });

  it('is the source of the message; the same id is one message; another workspace is not reached', async () => {
    const [one, two, elsewhere] = [await made(workspace), await made(workspace), await made(await newWorkspace(ann, 'Elsewhere'))];
    const commandId = freshId();
    const posted = await post(one, two, commandId);
    expect(posted).toMatchObject({ status: 201, body: { goal: two, source: `goal:${one}`, message: 1 } });
    expect((await post(one, two, commandId)).body).toEqual(posted.body);
    const rows = await ann.ask<{ data: { data: { by: string } }[] }>(`/v1/workspaces/${workspace}/goals/${two}/record?kind=message`);
    expect(rows.body.data.map(({ data }) => data.by)).toEqual([`goal:${one}`]);
    expect(await post(one, one)).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    expect(await post(one, elsewhere)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await post(elsewhere, two)).toMatchObject({ status: 404 });
    const limited = await newToken(ann, workspace, ['goals:write'], { goals: [one] });
    const asked = { body: { to: two, text: 'x', commandId: freshId() }, headers: limited.headers };
    expect(await ask(env, `/v1/workspaces/${workspace}/goals/${one}/posts`, asked)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});
