/** A program that knows the contract and nothing else: it creates a goal, answers its question, delivers, has it judged by another, and reads the result. */
import { applyD1Migrations } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { answered, type Client, createClient, Lost, Refused, type Schemas } from '../../client/index.ts';
import type { Env } from '../env.ts';
import { checkedApp } from './testing/conformity.ts';
import { ContractProgram } from './testing/contract-program.ts';
import { newPerson, newToken, newWorkspace, origin } from './testing/people.ts';

const env = bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };

let workspace: string;
let author: Client;
let reviewer: Client;
const tokens = { author: '', reviewer: '' };
beforeAll(async () => {
  await applyD1Migrations(env.DB, env.MIGRATIONS);
  const owner = await newPerson(env, 'Client');
  workspace = await newWorkspace(owner, 'Clients');
  const client = async (name: keyof typeof tokens, scopes: readonly string[]) => {
    const { secret } = await newToken(owner, workspace, scopes);
    tokens[name] = secret;
    return createClient({ url: origin, token: secret, fetch: (request) => checkedApp.fetch(request as Request, env) });
  };
  author = await client('author', ['goals:read', 'goals:write', 'work:submit']);
  reviewer = await client('reviewer', ['goals:read', 'work:review']);
});

let commands = 0;
const commandId = () => `client-${++commands}`;
const commandsOf = '/v1/workspaces/{workspace}/goals/{goal}/commands' as const;

it('carries a goal from its creation to an accepted delivery', async () => {
  const created = await answered(
    author.POST('/v1/workspaces/{workspace}/goals', {
      params: { path: { workspace } },
      body: {
        type: 'goal.create',
        commandId: commandId(),
        payload: {
          mode: 'bound',
          confirmed: true,
          contract: { title: 'A list', objective: 'A list of names.', criteria: [{ id: 'complete', text: 'Every name is there', verify: 'review' }] },
        },
      },
    }),
  );
  const path = { workspace, goal: created.goal };
  const give = <
    T extends
      | Schemas['GoalBlock']
      | Schemas['BlockerResolve']
      | Schemas['PlanPropose']
      | Schemas['PlanAdopt']
      | Schemas['WorkClaim']
      | Schemas['AttemptStart']
      | Schemas['SubmissionSubmit'],
  >(
    body: T,
  ) => answered(author.POST(commandsOf, { params: { path }, body: { ...body, commandId: commandId() } }));

  await give({
    type: 'goal.block',
    payload: { key: 'which', reason: 'Which names?', form: { type: 'object', properties: { names: { enum: ['first', 'last'] } }, required: ['names'] } },
  });
  const asked = await answered(author.GET('/v1/workspaces/{workspace}/goals/{goal}', { params: { path } }));
  const [question] = asked.bar.blockers;
  expect(question).toMatchObject({ reason: 'Which names?' });
  await give({ type: 'blocker.resolve', payload: { blocker: question?.id ?? '', answer: { names: 'last' } } });

  const item = { key: 'list', title: 'The list', executor: { kind: 'person' as const }, covers: ['complete'], review: [{ by: 'agent' as const }] };
  const proposed = await give({ type: 'plan.propose', expected: { planRevision: 0 }, payload: { document: { mode: 'bound', items: [item] } } });
  const { proposal } = proposed.result as { proposal: string };
  await give({ type: 'plan.adopt', expected: { planRevision: 0 }, payload: { proposal } });

  await give({ type: 'work.claim', payload: { item: 'list' } });
  const { fence } = await answered(author.GET('/v1/workspaces/{workspace}/goals/{goal}/items/{key}/assignment', { params: { path: { ...path, key: 'list' } } }));
  await give({ type: 'attempt.start', payload: { item: 'list', fence } });
  const bytes = new TextEncoder().encode('Lovelace\nHopper\n');
  await answered(
    author.PUT('/v1/workspaces/{workspace}/goals/{goal}/files/{path}', {
      params: { path: { ...path, path: 'lists/names.txt' } },
      body: bytes as unknown as string,
      bodySerializer: (body) => body as unknown as BodyInit,
    }),
  );
  const digest = createHash('sha256').update(bytes).digest('hex');
  await give({
    type: 'submission.submit',
    payload: { item: 'list', fence, summary: 'Asked at the desk.', artifacts: [{ path: 'lists/names.txt', digest, size: bytes.byteLength }] },
  });

  const read = () => answered(reviewer.GET('/v1/workspaces/{workspace}/goals/{goal}/items/{key}', { params: { path: { ...path, key: 'list' } } }));
  const [submission] = (await read()).submissions;
  if (!submission) throw new Error('nothing was submitted');
  await answered(
    reviewer.POST(commandsOf, {
      params: { path },
      body: {
        type: 'review.record',
        commandId: commandId(),
        payload: { submission: submission.id, digest: submission.digest, verdict: 'accepted', criteria: [{ id: 'complete', met: true }] },
      },
    }),
  );
  const judged = await read();
  expect(judged.node.state).toBe('accepted');
  expect(judged.submissions[0]?.verdicts).toMatchObject([{ verdict: 'accepted', live: true }]);
  const file = await answered(reviewer.GET('/v1/workspaces/{workspace}/goals/{goal}/artifacts/{digest}', { params: { path: { ...path, digest } }, parseAs: 'text' }));
  expect(file).toBe('Lovelace\nHopper\n');
});

it('can be done by a program that has read the OpenAPI document and nothing else', async () => {
  const program = await ContractProgram.read(`${origin}/v1/openapi.json`, async (request) => checkedApp.fetch(request, env));
  // Who one is, and where, the document says how to ask.
  const me = await program.call(tokens.author, program.answering('GET', { fields: ['principal', 'workspaces'] }, {}), {});
  const { workspaces } = await me.json<{ workspaces: { id: string }[] }>();
  const at = { workspace: workspaces[0]?.id ?? '' };
  const contract = { title: 'A list', objective: 'A list of names.', criteria: [{ id: 'complete', text: 'Every name is there', verify: 'review' }] };
  const created = await program.command(tokens.author, 'goal.create', at, { payload: { mode: 'bound', confirmed: true, contract } });
  const goal = { ...at, goal: String(created.goal) };
  const give = (type: string, payload: object, expected?: object) => program.command(tokens.author, type, goal, { payload, ...(expected ? { expected } : {}) });

  await give('goal.block', { key: 'which', reason: 'Which names?', form: { type: 'object', properties: { names: { enum: ['first', 'last'] } }, required: ['names'] } });
  const asked = await program.call(tokens.author, program.answering('GET', { fields: ['bar', 'contract'] }, goal), goal);
  const { bar } = await asked.json<{ bar: { blockers: { id: string; reason: string }[] } }>();
  expect(bar.blockers).toMatchObject([{ reason: 'Which names?' }]);
  await give('blocker.resolve', { blocker: bar.blockers[0]?.id ?? '', answer: { names: 'last' } });

  const items = [{ key: 'list', title: 'The list', executor: { kind: 'person' }, covers: ['complete'], review: [{ by: 'agent' }] }];
  const { result } = await give('plan.propose', { document: { mode: 'bound', items } }, { planRevision: 0 });
  await give('plan.adopt', { proposal: (result as { proposal: string }).proposal }, { planRevision: 0 });
  await give('work.claim', { item: 'list' });
  const item = { ...goal, key: 'list' };
  const held = await program.call(tokens.author, program.answering('GET', { fields: ['fence', 'leaseUntil', 'item'] }, item), item);
  const { fence } = await held.json<{ fence: number }>();
  await give('attempt.start', { item: 'list', fence });
  const file = { ...goal, path: 'names.txt' };
  await program.call(tokens.author, program.storing(file), file, { body: 'Hopper\n', type: 'application/octet-stream' });
  const digest = createHash('sha256').update('Hopper\n').digest('hex');
  await give('submission.submit', { item: 'list', fence, summary: 'Asked.', artifacts: [{ path: 'names.txt', digest, size: 7 }] });

  const seen = program.answering('GET', { fields: ['submissions', 'spec'] }, item);
  const submissions = async () =>
    (await (await program.call(tokens.reviewer, seen, item)).json<{ submissions: { id: string; digest: string; verdicts: object[]; artifacts: { digest: string }[] }[] }>())
      .submissions;
  const [submission] = await submissions();
  const judgement = { submission: submission?.id, digest: submission?.digest, verdict: 'accepted', criteria: [{ id: 'complete', met: true }] };
  await program.command(tokens.reviewer, 'review.record', goal, { payload: judgement });
  expect((await submissions())[0]?.verdicts).toMatchObject([{ verdict: 'accepted', live: true }]);
  const delivered = { ...goal, digest: submission?.artifacts[0]?.digest ?? '' };
  const bytes = await program.call(tokens.reviewer, program.answering('GET', { content: 'application/octet-stream' }, delivered), delivered);
  expect(await bytes.text()).toBe('Hopper\n');
});

describe('what the client makes of answers', () => {
  it('a refusal is thrown with its problem, and tells what is current', async () => {
    const asked = answered(author.GET('/v1/workspaces/{workspace}/audit', { params: { path: { workspace } } }));
    await expect(asked).rejects.toBeInstanceOf(Refused);
    await expect(asked).rejects.toMatchObject({ status: 403, problem: { code: 'scope_missing', current: { scope: 'admin' }, effect: 'none' } });
  });

  it('no answer, and one that is none of the API, is lost: whether it was done is not known', async () => {
    const cut = createClient({ url: origin, fetch: () => Promise.reject(new TypeError('cut off')) });
    await expect(answered(cut.GET('/v1/me'))).rejects.toBeInstanceOf(Lost);
    const page = createClient({ url: origin, fetch: async () => new Response('<html>', { status: 502 }) });
    await expect(answered(page.GET('/v1/me'))).rejects.toBeInstanceOf(Lost);
  });
});
