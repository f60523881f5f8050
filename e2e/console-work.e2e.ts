/** What people do in the console, on a real local Worker: a goal from a sentence to its end without a model, decisions from the inbox, the models page, an intake by a model. */
import AxeBuilder from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../scripts/client.ts';
import { buildConsole } from '../scripts/prepare.ts';
import { startMcpServer } from '../testing/mcp-server/server.ts';
import { call, passesTest, type Script, use } from '../testing/model-server/script.ts';
import { openingOf } from '../testing/model-server/scripts/agent.ts';
import { scripts } from '../testing/model-server/scripts/index.ts';
import { planner } from '../testing/model-server/scripts/notes-agent.ts';
import { report } from '../testing/model-server/scripts/report.ts';
import { seenOf, stepwise } from '../testing/model-server/scripts/stepwise.ts';
import { type ModelServer, startModelServer } from '../testing/model-server/server.ts';
import { launchChromium } from './console-bench.ts';
import { type Longhaul, startLonghaul } from './harness.ts';

const key = 'sk-canary-7Jq2mVx9KzTt41Lw';
let longhaul: Longhaul;
let browser: Browser;
let client: Client;
let server: ModelServer;
const problems: string[] = [];

/** What the agent of the facts writes first. Its answer goes no further until the test has read it on the page. */
const thought = 'First I read what is known of the facts. Then I write down each of them with the place where it stands, so that somebody else can judge it.';
let read = () => {};
const wasRead = new Promise<void>((resolve) => {
  read = resolve;
});

const reports: Script = async (turn) => {
  const answer = await report(turn);
  const opening = openingOf(turn);
  const first = opening?.lane === 'worker' && (opening.data.item as { key?: string } | undefined)?.key === 'facts' && turn.answers === 0;
  if (!first || answer.kind !== 'message') return answer;
  let events = 0;
  // The head and the text as one event; then it waits.
  return { ...answer, text: thought, chunk: 1000, between: async () => (++events > 2 ? wasRead : undefined) };
};

/** Proposes a contract; asked again, another one. Then carries the goal to its end. */
/** Plans a note that a script writes; of what a person says it proposes a date, and another time a signature. */
const amends = stepwise({
  coordinator: (seen) => {
    if (seen.purpose !== 'amend') return planner({ mode: 'bound', items: [{ ...note, covers: ['written'] }] })(seen);
    const { criteria } = seen.data('contract') as { criteria: { id: string; text: string; verify: string }[] };
    const next = criteria.some(({ id }) => id === 'dated') ? 'signed' : 'dated';
    const change = { criteria: [...criteria, { id: next, text: `The note is ${next}`, verify: 'attest' }] };
    return [use(call('goal_amend', { message: seen.goalVersion, change, why: `The note must be ${next}, as was said.` })), use(call('hand_back', {}))];
  },
});

const drafts: Script = (turn) => {
  if (seenOf(turn).opening.includes('To be amended')) return amends(turn);
  if (openingOf(turn)?.purpose !== 'intake') return reports(turn);
  const shorter = JSON.stringify(turn.request.messages).includes('make it shorter');
  return use(
    call('goal_draft', {
      contract: {
        title: shorter ? 'Invoices' : 'Invoices of October, checked',
        objective: 'Every invoice is compared with its purchase order.',
        criteria: [{ id: 'all', text: 'All 200 invoices were compared', verify: 'review' }],
        nonGoals: [{ id: 'no-bank', text: 'Nothing is paid', forbids: [{ tool: 'bank.*' }] }],
      },
      shape: 'graph',
      because: ['independent_review', 'many_sessions'],
      why: 'Somebody else has to judge the findings.',
      questions: ['Which tolerance counts as a difference?'],
    }),
    { text: 'I read the sentence and propose a contract.' },
  );
};

beforeAll(async () => {
  await buildConsole();
  server = await startModelServer({ scripts: { ...scripts, drafts: passesTest(drafts) }, key });
  longhaul = await startLonghaul();
  client = new Client(longhaul.url, 'local');
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await longhaul?.stop();
  await server?.close();
});

/** Frames that any page got. */
const heard: string[] = [];
async function newPage(path: string): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => void heard.push(String(payload))));
  await page.goto(longhaul.url + path);
  return page;
}
const violations = async (page: Page) => (await new AxeBuilder({ page: page as never }).analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.target.join(' ')}`);
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });

const plan = (item: object) => ({ kind: 'skill', skill: 'examples', script: 'plan.js', input: { document: { mode: 'bound', items: [item] } } });
const note = { key: 'note', title: 'A note', executor: { kind: 'skill', skill: 'examples', script: 'note.js' }, input: { path: 'note.txt', text: 'Hello' } };
const contract = (title: string, more: object = {}) => ({
  title,
  objective: 'Write a note',
  criteria: [{ id: 'written', text: 'The note is written', verify: 'attest' }],
  ...more,
});
async function place(title: string, item: object, more: object = {}): Promise<string> {
  const made = await client.create(crypto.randomUUID(), { mode: 'bound', confirmed: true, lanes: { coordinator: plan(item) }, contract: contract(title, more) });
  return made.goal;
}
/** The goal's part of the inbox. */
const inInbox = (page: Page, goal: string) => page.locator(`[data-goal=${goal}]`);

describe('work by people', () => {
  it('carries a goal from a sentence to its end without a model', async () => {
    const page = await newPage('/new');
    await page.getByText('No model is set yet').waitFor();
    expect(await violations(page)).toEqual([]);
    await button(page, 'Write the contract').click();
    await page.getByText('Needs an answer.').waitFor();
    await page.getByRole('textbox', { name: 'What shall be delivered?' }).fill('Write down who may open the door');
    await button(page, 'Write the contract').click();
    await page.waitForURL(/\/goals\//);
    const goal = page.url().split('/').at(-1) ?? '';

    await page.getByRole('textbox', { name: 'Criterion 1' }).fill('The list names everybody');
    await button(page, 'Add something not to be touched').click();
    await button(page, 'Confirm and start').click();
    await page.getByText('1 place is not right yet').waitFor();
    await page.getByRole('textbox', { name: 'Not to be touched 1' }).fill('Nobody is written to');
    await page.getByRole('textbox', { name: 'Forbidden calls' }).fill('mail.*');
    expect(await violations(page)).toEqual([]);
    await button(page, 'Confirm and start').click();

    await button(page, 'Write the plan').click();
    await page.getByRole('textbox', { name: 'Item 1', exact: true }).fill('The list');
    expect(await violations(page)).toEqual([]);
    await button(page, 'Adopt the plan').click();
    await button(page, 'Take it').click();
    await page.getByRole('heading', { name: 'You carry this item' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.locator('input[type=file]').setInputFiles({ name: 'list.txt', mimeType: 'text/plain', buffer: Buffer.from('Ada\nBob\n') });
    await page.getByRole('textbox', { name: 'What you did' }).fill('Asked at the desk');
    await button(page, 'Hand it in').click();
    await page.locator('[data-item] article').first().waitFor();

    await page.goto(`${longhaul.url}/inbox`);
    const attest = inInbox(page, goal);
    await attest.getByRole('heading', { name: 'The list names everybody' }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.locator('[data-badge]').textContent()).toBe('1');
    await attest.getByRole('textbox').fill('I read it');
    // The list moves meanwhile, without a request; what was typed stays.
    const other = await client.create('moves-the-list', { mode: 'graph_only', title: 'Another one' });
    await expect.poll(() => heard.some((text) => text.startsWith('{"kind":"update"') && text.includes(`"goals":[{"goal":"${other.goal}"`)), { timeout: 20_000 }).toBe(true);
    expect(await attest.getByRole('textbox').inputValue()).toBe('I read it');
    await button(page, 'It holds').click();
    // A draft waits for whoever made it, until it is taken back.
    await client.command(other.goal, { type: 'goal.cancel', commandId: 'enough' });
    await page.getByText('Nothing waits for you.').waitFor();
    expect(await page.locator('[data-badge]').count()).toBe(0);
    const bar = await client.bar(goal);
    expect(bar).toMatchObject({ status: 'completed', goalVersion: 2, items: { accepted: 1 } });
    await page.context().close();
  });

  it('adopts a plan by its differences, and approves exactly one call', async () => {
    const goal = await place('Confirmed plan', note, { planPolicy: 'confirm', policies: [{ tool: 'files.write', then: 'ask' }] });
    const page = await newPage('/inbox');
    const mine = inInbox(page, goal);
    await mine.getByText('The first plan of this goal').waitFor();
    await mine.getByText('A note').waitFor();
    expect(await violations(page)).toEqual([]);
    await mine.getByRole('button', { name: 'Adopt the plan' }).click();

    await mine.getByRole('heading', { name: 'files.write' }).waitFor();
    // The exact arguments, and until when.
    await mine.getByText('note.txt').waitFor();
    await mine.getByText('Hello').waitFor();
    await mine.getByText(/A call waits for your decision · expires/).waitFor();
    expect(await violations(page)).toEqual([]);
    await mine.getByRole('button', { name: 'Approve this call' }).click();
    await mine.getByRole('heading', { name: 'The note is written' }).waitFor();
    expect(await client.bar(goal)).toMatchObject({ planRevision: 1, items: { accepted: 1 } });
    await client.command(goal, { type: 'goal.cancel', commandId: crypto.randomUUID() });
    await page.context().close();
  });

  it('shows what a revised plan adds, changes and removes, and what stays accepted', async () => {
    const say = (key: string, title: string, text: string) => ({
      key,
      title,
      executor: { kind: 'skill', skill: 'examples', script: 'note.js' },
      input: { path: `${key}.txt`, text },
    });
    const [first, second] = [
      [say('greeting', 'A greeting', 'Hello'), say('body', 'The body', 'Some words'), say('farewell', 'A farewell', 'Bye')],
      [say('greeting', 'A greeting', 'Hello'), say('body', 'The body', 'Other words'), { ...say('date', 'A date', 'Today'), dependsOn: [{ key: 'body' }] }],
    ].map((items) => ({ mode: 'bound', items }));
    const made = await client.create(crypto.randomUUID(), {
      mode: 'bound',
      confirmed: true,
      lanes: { coordinator: { kind: 'skill', skill: 'examples', script: 'plan.js', input: { document: first } } },
      contract: contract('Revised plan', { planPolicy: 'confirm' }),
    } as never);
    const page = await newPage('/inbox');
    const mine = inInbox(page, made.goal);
    await mine.getByText('The first plan of this goal').waitFor();
    await mine.getByRole('button', { name: 'Adopt the plan' }).click();
    await mine.getByRole('heading', { name: 'The note is written' }).waitFor();
    expect((await client.bar(made.goal)).items.accepted).toBe(3);

    await client.command(made.goal, { type: 'plan.propose', commandId: crypto.randomUUID(), expected: { planRevision: 1 }, payload: { document: second } } as never);
    await mine.getByText('Against plan revision 1').waitFor();
    for (const count of ['+ 1 new', '~ 1 changed', '− 1 removed', '= 1 unchanged']) await mine.getByText(count).waitFor();
    const item = (title: string) => mine.getByRole('listitem').filter({ has: page.getByText(title, { exact: true }) });
    await item('A date').getByText('Rests on: The body').waitFor();
    await item('The body').getByText('was accepted, and starts anew').waitFor();
    await item('The body').locator('del').getByText('Some words').waitFor();
    await item('The body').locator('ins').getByText('Other words').waitFor();
    await item('A farewell').getByText('removed').waitFor();
    await mine.locator('[data-kept]').getByText('A greeting').waitFor();
    await mine.locator('[data-kept]').getByText('stays accepted').waitFor();
    expect(await violations(page)).toEqual([]);
    await mine.getByRole('button', { name: 'Adopt the plan' }).click();
    await expect.poll(async () => (await client.bar(made.goal)).planRevision, { timeout: 30_000 }).toBe(2);
    await expect.poll(async () => (await client.bar(made.goal)).items.accepted, { timeout: 30_000 }).toBe(3);
    const kept = (await client.item(made.goal, 'greeting')) as unknown as { submissions: object[] };
    expect(kept.submissions).toHaveLength(1);
    await client.command(made.goal, { type: 'goal.cancel', commandId: crypto.randomUUID() });
    await page.context().close();
  });

  it('judges a submission from the inbox', async () => {
    const goal = await place('Reviewed by a person', { ...note, review: [{ by: 'person' }], acceptance: [{ id: 'reads-well', text: 'It reads well' }] });
    const page = await newPage('/inbox');
    await inInbox(page, goal).getByRole('button', { name: 'Open it to review' }).click();
    await page.getByRole('heading', { name: 'Submission 1 waits for your review' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'What fails, where' }).fill('It greets nobody');
    await button(page, 'Request changes').click();
    await page.getByRole('heading', { name: 'Submission 2 waits for your review' }).waitFor();
    await page.getByRole('checkbox', { name: 'It reads well' }).check();
    await button(page, 'Accept').click();
    await expect.poll(async () => (await client.bar(goal)).items.accepted, { timeout: 30_000 }).toBe(1);
    await client.command(goal, { type: 'goal.cancel', commandId: crypto.randomUUID() });
    await page.context().close();
  });

  it('marks evidence as wrong, decides anew what rested on it, and shows what a version did to the work', async () => {
    const goal = await place('Evidence that falls', { ...note, title: 'A note of 2027-01', input: { path: 'note.txt', text: 'Hello from 2027-01' }, covers: ['written'] });
    await expect.poll(async () => (await client.bar(goal)).items.accepted, { timeout: 30_000 }).toBe(1);
    const decided = { subject: 'offer-7', verdict: 'too high', reason: 'The rate is 3', evidence: ['fact:rate'] };
    const facts = [{ key: 'rate', value: 3, provenance: { from: 'person', principal: 'person:local' } }];
    await client.command(goal, { type: 'ledger.record', commandId: crypto.randomUUID(), payload: { entries: [{ ...decided, facts }] } } as never);
    const page = await newPage(`/goals/${goal}`);
    await page.getByRole('textbox', { name: 'What rests on this evidence?' }).fill('fact:rate');
    await button(page, 'Look up').click();
    const dialog = page.locator('[data-evidence]');
    await dialog.getByText('offer-7').waitFor();
    await dialog.getByRole('textbox', { name: 'What is wrong with it' }).fill('That was last year');
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Mark as wrong' }).click();
    await dialog.getByText('Marked as wrong. What rested on it waits for a new verdict.').waitFor();
    await dialog.getByText('That was last year').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('heading', { name: '1 decision to make anew' }).waitFor();
    const decision = page.locator('[data-decision=offer-7]');
    await decision.getByRole('button', { name: 'Decide anew' }).click();
    await decision.getByRole('textbox', { name: 'Verdict' }).fill('fine');
    await decision.getByRole('textbox', { name: 'Reason' }).fill('The rate is 4');
    expect(await violations(page)).toEqual([]);
    await decision.getByRole('button', { name: 'Decide', exact: true }).click();
    await page.getByRole('heading', { name: '1 decision to make anew' }).waitFor({ state: 'detached' });

    const { contract: terms } = (await (await fetch(`${longhaul.url}/v1/workspaces/local/goals/${goal}`)).json()) as { contract: { criteria: object[] } };
    const criteria = [...terms.criteria, { id: 'signed', text: 'The note is signed', verify: 'attest' }];
    const revised = {
      type: 'goal.revise',
      commandId: crypto.randomUUID(),
      expected: { goalVersion: 1 },
      reason: 'It has to be signed',
      payload: { contract: { ...terms, criteria } },
    };
    await client.command(goal, revised as never);
    await page.getByText('What version 2 did to the work').click();
    const change = page.locator('[data-version-impact]');
    await change.locator('[data-criterion=signed]').getByText('new').waitFor();
    await change.locator('[data-criterion=written]').getByText('A note').waitFor();
    expect(await violations(page)).toEqual([]);

    // Its graph is closed: a template is made of it.
    await page.getByRole('link', { name: 'Make a template from this graph' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('a-note');
    await page.locator('[data-parameter=month]').getByText('in 2 places').waitFor();
    await page.getByRole('textbox', { name: 'Called' }).fill('period');
    expect(await violations(page)).toEqual([]);
    await button(page, 'Save as a version').click();
    await page.locator('[data-saved="1"]').waitFor();
    await button(page, 'Confirm version 1').click();
    await page.getByText('Confirmed. Triggers may start from it.').waitFor();
    const kept = (await (await fetch(`${longhaul.url}/v1/workspaces/local/templates/a-note`)).json()) as { value: { confirmed: number }; document: { parameters: object } };
    expect(kept).toMatchObject({
      value: { confirmed: 1 },
      document: { parameters: { period: { type: 'string' } }, plan: { items: [{ key: 'note', input: { text: 'Hello from {{period}}' } }] } },
    });
    await page.context().close();
  });

  it('raises a limit that stopped it, and says what changes before a message changes the goal', async () => {
    const goal = await place('At its limit', note, { limits: { rounds: 2 } });
    const page = await newPage(`/goals/${goal}`);
    await page.getByText('Stopped at its limit').first().waitFor();
    expect(await violations(page)).toEqual([]);
    await button(page, 'Raise and go on').click();
    await page.getByRole('heading', { name: 'The note is written' }).waitFor();

    await button(page, 'Conversation').click();
    await page.getByRole('textbox', { name: 'Say something to the goal' }).fill('The note must be signed');
    await button(page, 'Say it').click();
    await page.locator('[data-message="1"]').waitFor();
    await page.getByRole('textbox', { name: 'Say something to the goal' }).fill('It must also be dated');
    await button(page, 'Change the contract by it').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add a criterion' }).click();
    await dialog.getByRole('textbox', { name: 'Criterion 2' }).fill('The note has a date');
    expect(await dialog.getByRole('button', { name: 'Make it version 2' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Show what it changes' }).click();
    await dialog.locator('[data-impact]').getByText('The note has a date').waitFor();
    await dialog.locator('[data-impact]').getByText('A note').waitFor();
    expect(await violations(page)).toEqual([]);
    expect((await client.bar(goal)).goalVersion).toBe(1);
    await dialog.getByRole('button', { name: 'Make it version 2' }).click();
    await page.getByText('became version 2').waitFor();
    // What was said before is marked as said under the version before.
    await page.locator('[data-message="1"]').getByText('said under version 1').waitFor();
    expect((await client.bar(goal)).criteria.map(({ id }) => id)).toEqual(['written', 'the-note-has-a-date']);
    expect(await violations(page)).toEqual([]);
    await page.context().close();
  });
});

describe('models', () => {
  it('takes a key once and never shows it again; a test call says whether the model can be used', async () => {
    const page = await newPage('/models');
    const bodies: string[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/v1/'))
        void response.text().then(
          (text) => bodies.push(text),
          () => {},
        );
    });
    await page.getByRole('heading', { name: 'Providers' }).waitFor();
    await button(page, 'Add a provider').click();
    await page.getByLabel('Kind').selectOption('openai-compatible');
    await page.getByLabel('Name', { exact: true }).fill('mine');
    await page.getByRole('textbox', { name: 'Address' }).fill(server.url);
    await page.locator('input[type=password]').fill(key);
    expect(await violations(page)).toEqual([]);
    await button(page, 'Save').first().click();
    const provider = page.locator('[data-provider=mine]');
    await provider.getByText('Key is set, never shown').waitFor();

    const everybody = page.locator('[data-profile=default]');
    await everybody.getByLabel('Provider').selectOption('mine');
    await everybody.getByLabel('Model', { exact: true }).fill('reads-back');
    await everybody.getByLabel('Context window, tokens').fill('32000');
    await everybody.getByText('The window is under 100,000 tokens').waitFor();
    await everybody.getByRole('button', { name: 'Save' }).click();
    await everybody.getByText('It counts from the next round.').waitFor();
    await provider.getByRole('button', { name: 'Test call' }).click();
    await provider.locator('[data-test=ok]').waitFor();
    await provider.getByRole('textbox', { name: 'Model to test' }).fill('talks');
    await provider.getByRole('button', { name: 'Test call' }).click();
    await provider.getByText('calls no tools').waitFor();
    expect(await violations(page)).toEqual([]);

    await page.reload();
    await provider.getByText('Key is set, never shown').waitFor();
    await provider.getByRole('button', { name: 'Change' }).click();
    expect(await page.locator('input[type=password]').inputValue()).toBe('');
    expect(await page.content()).not.toContain(key);
    expect(bodies.length).toBeGreaterThan(5);
    expect(bodies.filter((body) => body.includes(key))).toEqual([]);
    expect(longhaul.lines().filter((line) => line.includes(key))).toEqual([]);
    await page.context().close();
  });

  it('a model proposes the contract, the person asks for another one and confirms, and agents carry it to its audited end', async () => {
    await longhaul.restart({ LONGHAUL_MODEL_URL: server.url, LONGHAUL_MODEL_KEY: key });
    const page = await newPage('/models');
    const everybody = page.locator('[data-profile=default]');
    await everybody.getByLabel('Model', { exact: true }).fill('drafts');
    await everybody.getByLabel('Context window, tokens').fill('64000');
    await everybody.getByRole('button', { name: 'Save' }).click();
    await everybody.getByText('It counts from the next round.').waitFor();

    await page.goto(`${longhaul.url}/new`);
    await page.getByText('Agents with the model mine/drafts').waitFor();
    await page.getByRole('textbox', { name: 'What shall be delivered?' }).fill('Check the invoices of October');
    expect(await violations(page)).toEqual([]);
    await button(page, 'Propose a contract').click();
    await page.locator('[data-draft=drafted]').waitFor();
    await page.getByText('somebody else must judge the work').waitFor();
    await page.getByText('Which tolerance counts as a difference?').waitFor();
    expect(await page.getByRole('textbox', { name: 'Criterion 1' }).inputValue()).toBe('All 200 invoices were compared');
    expect(await page.getByLabel('Tokens of models').inputValue()).toBe('2000000');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'What should be different?' }).fill('make it shorter');
    await button(page, 'Propose again').click();
    await expect.poll(() => page.getByRole('textbox', { name: 'Title' }).inputValue(), { timeout: 60_000 }).toBe('Invoices');
    await button(page, 'Confirm and start').click();
    await page.locator('[data-draft]').waitFor({ state: 'detached' });
    const goal = page.url().split('/').at(-1) ?? '';
    expect(await client.bar(goal)).toMatchObject({ status: 'active', goalVersion: 3, mode: 'bound' });

    // What a running agent writes, while it writes it.
    await page.locator('figure pre').getByText('First I read what is known').waitFor({ timeout: 120_000 });
    expect(await violations(page)).toEqual([]);
    read();
    await page.getByText('Completed.').waitFor({ timeout: 180_000 });
    expect(await page.locator('figure pre').count()).toBe(0);
    expect(await page.locator('.lights .fam-ink').allTextContents()).toEqual(['Graph closed', 'Goal audited']);
    // The first report lacked a part, and came back.
    await page.locator('.svelte-flow__node[data-id=report]').click();
    const submissions = page.locator('[data-item=report] article');
    await submissions.nth(1).waitFor();
    expect(await submissions.nth(0).locator('.pill').first().textContent()).toBe('Accepted');
    expect(await submissions.nth(1).locator('.pill').first().textContent()).toBe('Changes requested');
    expect(await violations(page)).toEqual([]);
    expect(await client.bar(goal)).toMatchObject({ status: 'completed', goalVersion: 3, items: { accepted: 3 } });
    expect(server.faults).toEqual([]);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('an agent proposes a version of what a person says, with what it does to the work; only the person makes it one', async () => {
    const made = await client.create(crypto.randomUUID(), { mode: 'bound', confirmed: true, contract: contract('To be amended') } as never);
    const page = await newPage(`/goals/${made.goal}`);
    await page.getByRole('heading', { name: 'The note is written' }).waitFor({ timeout: 60_000 });
    const change = async (text: string) => {
      await page.getByRole('textbox', { name: 'Say something to the goal' }).fill(text);
      await button(page, 'Have the change proposed').click();
    };
    await button(page, 'Conversation').click();
    await change('The note must be dated');
    await page.getByRole('heading', { name: 'Version 2 of the contract is proposed' }).waitFor({ timeout: 60_000 });
    await page.locator('blockquote').getByText('The note must be dated').waitFor();
    const impact = page.locator('[data-impact]');
    await impact.getByText('The note is dated').waitFor();
    await impact.getByText('Accepted work that stays as it is').waitFor();
    await page.locator('[data-message="1"]').getByText('proposed as version 2').waitFor();
    expect(await violations(page)).toEqual([]);
    expect((await client.bar(made.goal)).goalVersion).toBe(1);
    await button(page, 'Make it version 2').click();
    await page.locator('[data-message="1"]').getByText('became version 2').waitFor();
    expect(await client.bar(made.goal)).toMatchObject({ goalVersion: 2, items: { accepted: 1 } });

    await change('And signed');
    await page.getByRole('heading', { name: 'Version 3 of the contract is proposed' }).waitFor({ timeout: 60_000 });
    await button(page, 'Leave the contract as it is').click();
    await page.getByRole('heading', { name: 'Version 3 of the contract is proposed' }).waitFor({ state: 'detached' });
    expect((await client.bar(made.goal)).criteria.map(({ id }) => id)).toEqual(['written', 'dated']);
    expect(server.faults).toEqual([]);
    await client.command(made.goal, { type: 'goal.cancel', commandId: crypto.randomUUID() });
    await page.context().close();
  });
});

describe('connections', () => {
  it('adds an MCP server with a secret by its name, tests it, allows a tool, and says what a test of a wrong address came to', async () => {
    const bearer = 'Bearer sk-canary-mcp-2b7f';
    const text = { type: 'object', properties: { text: { type: 'string' } } };
    const remote = await startMcpServer([{ name: 'look', description: 'Looks it up', inputSchema: text, annotations: { readOnlyHint: true }, answer: () => 'seen' }], {
      key: bearer,
    });
    const put = await fetch(`${longhaul.url}/v1/workspaces/local/commands`, {
      method: 'POST',
      body: JSON.stringify({ type: 'secret.put', commandId: crypto.randomUUID(), payload: { name: 'erp-key', value: bearer.slice('Bearer '.length) } }),
    });
    expect(put.status).toBe(200);
    const page = await newPage('/settings/mcp');
    await page.getByText('No server yet.').waitFor();
    expect(await violations(page)).toEqual([]);
    await button(page, 'Add a server').click();
    await page.getByLabel('Name', { exact: true }).fill('erp');
    await page.getByLabel('Address').fill('erp');
    await button(page, 'Save').click();
    await page.getByText('Needs an address like https://host/mcp').waitFor();
    await page.getByLabel('Address').fill(remote.url);
    await page.getByLabel('Tools that agents may call').fill('gone');
    expect(await violations(page)).toEqual([]);
    await button(page, 'Save').click();
    const server = page.locator('[data-server=erp]');
    // Without its secret the server refuses.
    await server.getByRole('button', { name: 'Test' }).click();
    await server.getByText('It refuses the key.').waitFor();
    await server.getByRole('button', { name: 'Change' }).click();
    await page.getByLabel('Secret').selectOption('erp-key');
    await button(page, 'Save').click();
    await server.getByText('Sends the secret erp-key').waitFor();
    await server.getByRole('button', { name: 'Test' }).click();
    await server.locator('[data-test=ok]').getByText('Looks it up').waitFor();
    await server.getByText('the server has no tool of that name').waitFor();
    expect(await violations(page)).toEqual([]);
    await server.getByRole('button', { name: 'Allow look' }).click();
    await server.getByText('look · asks first').waitFor();
    await server.getByRole('button', { name: 'Change' }).click();
    await page.getByLabel('Of those, tools that only read').fill('look');
    await button(page, 'Save').click();
    await server.getByText('look · reads').waitFor();
    expect(await page.content()).not.toContain(bearer.slice('Bearer '.length));
    await remote.close();
    await server.getByRole('button', { name: 'Test' }).click();
    await server.getByText('Nothing answers at this address.').waitFor();
    expect(await violations(page)).toEqual([]);
    await server.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No server yet.').waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('offers a model server that answers on a usual port of this machine, and one click makes it everybody’s model', async () => {
    const local = await onUsualPort();
    const page = await newPage('/models');
    const offer = page.locator(`[data-local="${local.url}"]`);
    await offer.getByText('Found on this machine').waitFor();
    expect(await violations(page)).toEqual([]);
    await offer.getByRole('button', { name: 'Use reads-back' }).click();
    await offer.waitFor({ state: 'detached' });
    const everybody = page.locator('[data-profile=default]');
    await expect.poll(() => everybody.getByLabel('Model', { exact: true }).inputValue()).toBe('reads-back');
    const name = await everybody.getByLabel('Provider').inputValue();
    const provider = page.locator(`[data-provider="${name}"]`);
    await provider.getByText(local.url).waitFor();
    await provider.getByText('No key').waitFor();
    await provider.getByRole('button', { name: 'Test call' }).click();
    await provider.locator('[data-test=ok]').waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
    await local.close();
  });
});

/** A scripted server where one of the usual ones would be; another program may hold the first of those ports. */
async function onUsualPort(): Promise<ModelServer> {
  for (const port of [1234, 11434, 8000, 8080]) {
    try {
      return await startModelServer({ scripts: { 'reads-back': scripts['reads-back'] as Script }, port });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
  throw new Error('every usual port is taken');
}
