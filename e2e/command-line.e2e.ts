/** `longhaul` as people and programs run it, against a real local Worker: signed in with tokens, a goal from its creation to its end, and how commands end. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inRoot } from '../scripts/repository.ts';
import { type Longhaul, startLonghaul } from './harness.ts';

let longhaul: Longhaul;
let dir: string;
let author: string;
let reviewer: string;

interface Ended {
  code: number | null;
  out: string;
  errors: string;
}

/** `home`: whose user it is; what they sign in with is kept there. */
function run(home: string, args: readonly string[], input = '', env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [inRoot('cli/longhaul.mjs'), ...args], {
      cwd: dir,
      env: { ...process.env, XDG_CONFIG_HOME: join(dir, home), LONGHAUL_URL: longhaul.url, LONGHAUL_TOKEN: '', LONGHAUL_WORKSPACE: undefined, ...env },
    });
    let out = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out, errors }));
    child.stdin.end(input);
  });
}
async function done(home: string, args: readonly string[], input = ''): Promise<string> {
  const { code, out, errors } = await run(home, args, input);
  expect({ args, code }, errors).toEqual({ args, code: 0 });
  return out.trim();
}
async function json<T>(home: string, args: readonly string[]): Promise<T> {
  return JSON.parse(await done(home, ['--json', ...args])) as T;
}

/** Somebody who signed up, with a workspace and two of its tokens. */
async function tokens(): Promise<[string, string]> {
  const asked = async (path: string, body?: object, cookie = '') => {
    const response = await fetch(`${longhaul.url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { origin: longhaul.url, 'content-type': 'application/json', ...(cookie ? { cookie } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const account = { email: 'terminal@people.example', password: 'a long enough password' };
  await asked('/auth/sign-up/email', { ...account, name: 'Terminal' });
  let link: string | undefined;
  for (let tries = 0; link === undefined && tries < 300; tries++) {
    const { data } = (await (await asked('/v1/dev/mail')).json()) as { data: { text: string }[] };
    link = data.flatMap(({ text }) => text.match(/https?:\/\/\S+verify-email\S+/g) ?? [])[0];
    if (link === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await fetch(link ?? '', { redirect: 'manual' });
  const cookie = (await asked('/auth/sign-in/email', account)).headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  const made = (await (await asked('/v1/workspaces', { name: 'Terminals', commandId: 'ws' }, cookie)).json()) as { result: { workspace: string } };
  const issue = async (name: string, scopes: string[]) => {
    const answer = await asked(`/v1/workspaces/${made.result.workspace}/people/commands`, { type: 'token.issue', commandId: name, payload: { name, scopes } }, cookie);
    return ((await answer.json()) as { secret: string }).secret;
  };
  return [await issue('author', ['goals:read', 'goals:write', 'work:submit', 'triggers:manage', 'admin']), await issue('reviewer', ['goals:read', 'work:review'])];
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'longhaul-terminal-'));
  longhaul = await startLonghaul();
  [author, reviewer] = await tokens();
});
afterAll(async () => {
  await longhaul?.stop();
  rmSync(dir, { recursive: true, force: true });
});

it('keeps a token for its user alone, and shows it nowhere', async () => {
  const bad = await run('ann', ['sign-in'], `${author.slice(0, -1)}${author.endsWith('0') ? '1' : '0'}\n`);
  expect(bad).toMatchObject({ code: 5, out: '' });
  const good = await run('ann', ['sign-in'], `${author}\n`);
  expect(good).toMatchObject({ code: 0 });
  expect(good.out + good.errors).not.toContain(author);
  const path = join(dir, 'ann', 'longhaul', 'credentials.json');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ url: longhaul.url, token: author });
  await done('bob', ['sign-in'], reviewer);
  expect(await done('ann', ['whoami'])).toContain('goals:write');
  // A token is for the address it was put in for.
  expect((await run('ann', ['whoami'], '', { LONGHAUL_URL: longhaul.url.replace('127.0.0.1', 'localhost') })).out).not.toContain('token:');
});

/** Reads its brief, and leaves a file and a summary. */
const worker = `
let text = '';
for await (const chunk of process.stdin) text += chunk;
const brief = JSON.parse(text);
const { readFileSync, writeFileSync } = await import('node:fs');
if (brief.item.key !== process.env.LONGHAUL_ITEM || !process.env.LONGHAUL_TOKEN.startsWith('lha_')) process.exit(9);
if (process.env.FAIL_ONCE && brief.item.attemptNumber === 1) process.exit(3);
console.log('this is not the payload');
const back = brief.packet.feedback.map((each) => each.scene?.summary).join(' ');
writeFileSync('out/names.txt', readFileSync('inputs/source.txt', 'utf8').toUpperCase() + back);
writeFileSync('summary.txt', 'In capitals, attempt ' + brief.item.attemptNumber);
`;

it('takes a goal from its creation to its end: a question, an executor outside, a return, an acceptance, every event on the way', async () => {
  writeFileSync(join(dir, 'worker.mjs'), worker);
  writeFileSync(join(dir, 'source.txt'), 'ada\n');
  const contract = { title: 'Names', objective: 'Names in capitals.', criteria: [{ id: 'capitals', text: 'In capitals', verify: 'review' }] };
  writeFileSync(join(dir, 'goal.json'), JSON.stringify({ mode: 'bound', confirmed: true, contract }));
  const goal = await done('ann', ['goals', 'create', '@goal.json', '--id', 'names']);
  // The same id is the same goal.
  expect(await done('ann', ['goals', 'create', '@goal.json', '--id', 'names'])).toBe(goal);
  const watched = run('bob', ['watch', goal, '--after', '0']);

  expect(await done('ann', ['put', goal, 'source.txt'])).toBe('source.txt');
  const form = { type: 'object', properties: { case: { enum: ['upper', 'lower'] } }, required: ['case'] };
  await done('ann', ['command', goal, 'goal.block', JSON.stringify({ key: 'case', reason: 'Which case?', form })]);
  const { bar } = await json<{ bar: { blockers: { id: string }[] } }>('ann', ['goals', 'show', goal]);
  const question = bar.blockers[0]?.id ?? '';
  // An answer that does not fit its form is refused, with the place.
  const refused = await run('ann', ['answer', goal, question, '--field', 'case=middle']);
  expect(refused).toMatchObject({ code: 3, out: '', errors: expect.stringContaining('schema_invalid') });
  await done('ann', ['answer', goal, question, '--field', 'case=upper']);

  const item = { key: 'names', title: 'The names', executor: { kind: 'external', name: 'shouter' }, covers: ['capitals'], review: [{ by: 'agent' }] };
  const proposed = await json<{ result: { proposal: string } }>('ann', [
    'command',
    goal,
    'plan.propose',
    JSON.stringify({ document: { mode: 'bound', items: [item] } }),
    '--expect',
    'planRevision=0',
  ]);
  await done('ann', ['command', goal, 'plan.adopt', JSON.stringify({ proposal: proposed.result.proposal }), '--expect', 'planRevision=0']);

  const work = (...more: string[]) => ['work', '--goal', goal, '--item-filter', 'na*', ...more, '--', process.execPath, join(dir, 'worker.mjs')];
  expect(await run('ann', ['work', '--once', '--executor', 'somebody-else', '--', 'false'])).toMatchObject({ code: 0, out: '' });
  const first = await run('ann', work('--once'));
  expect(first, first.errors).toMatchObject({ code: 0 });
  expect(JSON.parse(first.out)).toMatchObject({ goal, item: 'names', outcome: 'submitted', files: [{ path: 'names.txt', size: 4 }] });
  expect(first.errors).toContain('this is not the payload');

  // Who submitted does not judge it.
  expect(await run('ann', ['review', goal, 'names', 'accepted'])).toMatchObject({ code: 5, out: '' });
  await done('bob', ['review', goal, 'names', 'changes_requested', '--summary', 'And Grace.']);
  // Without --once it waits until the item comes back.
  const second = await run('ann', work('--max', '1'));
  expect(second, second.errors).toMatchObject({ code: 0 });
  expect(JSON.parse(second.out)).toMatchObject({ outcome: 'submitted', files: [{ size: 14 }] });
  await done('bob', ['review', goal, 'names', 'accepted', '--all-met']);
  // Nobody carries its coordinator here: who owns it asks for the audit, and the host completes what is proven.
  await done('ann', ['command', goal, 'goal.audit', '{"classes":[]}']);

  const { code, out, errors } = await watched;
  expect(code, errors).toBe(0);
  const events = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { seq: number; type: string });
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
  expect(events.filter(({ type }) => type === 'submission.received')).toHaveLength(2);
  expect(await json<{ goal: string; status: string }[]>('ann', ['goals', 'list'])).toMatchObject([{ goal, status: 'completed' }]);

  await done('ann', ['export', goal, '--out', 'names.tar']);
  expect(await json('ann', ['import', 'names.tar'])).toMatchObject({ goal, added: 0 });
  expect(await json('ann', ['audit', 'verify'])).toMatchObject({ ok: true });
});

it('starts a goal from a template, fires a trigger, brings a plan in, and reads what was told outside', async () => {
  const greeting = {
    name: 'greeting',
    title: 'Greet {{whom}}',
    parameters: { whom: { type: 'string' } },
    contract: { title: 'Greet {{whom}}', objective: 'Greet {{whom}}.', criteria: [{ id: 'greeted', text: 'Greeted', verify: 'attest' }] },
  };
  await done('ann', ['workspace-command', 'template.put', JSON.stringify(greeting)]);
  expect(await done('ann', ['templates', 'list'])).toMatch(/^greeting +version 1 +not confirmed/);
  expect(await json('ann', ['templates', 'show', 'greeting', '--template-version', '1'])).toMatchObject({ shown: 1, document: { parameters: { whom: {} } } });
  const use = ['templates', 'use', 'greeting', '--parameter', 'whom=Ada'];
  expect(await json('ann', [...use, '--dry-run'])).toMatchObject({ version: 1, payload: { contract: { title: 'Greet Ada' } } });
  const goal = await done('ann', [...use, '--id', 'greet-ada', '--confirmed']);
  expect(await done('ann', [...use, '--id', 'greet-ada', '--confirmed'])).toBe(goal);
  expect(await run('ann', ['templates', 'use', 'greeting'])).toMatchObject({ code: 3, out: '' });

  const notes = { name: 'notes', source: { kind: 'api' }, does: { kind: 'message', goal: { from: 'data.goal' }, text: { from: 'data.text' } } };
  writeFileSync(join(dir, 'notes.json'), JSON.stringify(notes));
  await done('ann', ['triggers', 'put', '@notes.json', '--expect', '0']);
  // Somebody else set it meanwhile.
  expect(await run('ann', ['triggers', 'put', '@notes.json', '--expect', '0'])).toMatchObject({ code: 3, out: '' });
  expect(await done('ann', ['triggers', 'list'])).toMatch(/^notes +api/);
  expect(await json('ann', ['triggers', 'test', '@notes.json', '--data', '{}'])).toMatchObject({ refusal: expect.anything() });
  await done('ann', ['triggers', 'fire', 'notes', '--data', JSON.stringify({ goal, text: 'The office is closed.' }), '--id', 'note-1']);
  const [round] = await json<{ id: string; trigger: string }[]>('ann', ['triggers', 'rounds', 'notes']);
  expect(await json('ann', ['business-rounds', 'show', round?.id ?? ''])).toMatchObject({ round: { id: round?.id, source: 'fire' } });
  expect(await json('ann', ['triggers', 'deliveries', 'notes'])).toEqual([]);
  // A person does it; whose token this is does not matter.
  expect(await run('ann', ['triggers', 'replay', 'notes', 'msg_1'])).toMatchObject({ code: 5, out: '' });
  expect(await run('bob', ['triggers', 'fire', 'notes'])).toMatchObject({ code: 5, out: '' });
  expect(await run('ann', ['triggers', 'show', 'unheard-of'])).toMatchObject({ code: 4, out: '' });

  writeFileSync(join(dir, 'plan.md'), '- [ ] Look the name up\n- [x] Write the card\n');
  const read = await json<{ document: object; items: number }>('ann', ['import-plan', goal, 'plan.md']);
  expect(read).toMatchObject({ items: 2, planRevision: 0 });
  const proposal = await done('ann', ['import-plan', goal, 'plan.md', '--propose', '--id', 'plan-1']);
  expect(await done('ann', ['import-plan', goal, 'plan.md', '--propose', '--id', 'plan-1'])).toBe(proposal);
  expect(await run('ann', ['import-plan', goal, 'plan.md', '--format', 'taskmaster'])).toMatchObject({ code: 3, out: '' });

  expect(await json('ann', ['webhooks', 'deliveries'])).toEqual([]);
  expect(await run('ann', ['webhooks', 'replay', '1'])).toMatchObject({ code: 4, out: '' });
  expect(await run('ann', ['webhooks', 'replay', 'first'])).toMatchObject({ code: 2, out: '' });
});

it('ends as it is written down', async () => {
  const nothing = 'goal_00000000000000000000000000000000';
  const ends = async (args: string[], env: NodeJS.ProcessEnv = {}) => {
    const { code, out } = await run('ann', args, '', env);
    return { code, out };
  };
  expect(await ends(['goals', 'lst'])).toEqual({ code: 2, out: '' });
  expect(await ends(['goals', 'create', '{"title"'])).toEqual({ code: 2, out: '' });
  expect(await ends(['goals', 'show', nothing])).toEqual({ code: 4, out: '' });
  expect(await ends(['watch', nothing])).toEqual({ code: 4, out: '' });
  expect(await ends(['workspace-command', 'secret.put', '{"name":"key","value":"a long enough value"}'])).toEqual({ code: 5, out: '' });
  expect(await ends(['goals', 'list'], { LONGHAUL_URL: 'http://127.0.0.1:1' })).toEqual({ code: 6, out: '' });
});
