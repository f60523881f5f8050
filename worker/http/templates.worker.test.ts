/** Templates over HTTP: versions that never change, a person's confirmation, and goals that come of them. */
import { applyD1Migrations } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Env } from '../env.ts';
import { goalStub } from '../goal/goal-stub.ts';
import { ask, type Browser, freshId, joins, newPerson, newToken, newWorkspace } from './testing/people.ts';

const env = bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };

const document = {
  name: 'greeting',
  title: 'A greeting',
  parameters: { whom: { type: 'string', maxLength: 40 } },
  contract: { title: 'Greet {{whom}}', objective: 'Say hello to {{whom}}.', criteria: [{ id: 'said', text: 'It was said', verify: 'attest' }] },
  plan: { mode: 'bound', items: [{ key: 'say', title: 'Say hello to {{whom}}', covers: ['said'], executor: { kind: 'person' } }] },
};

let ann: Browser;
let workspace: string;
let token: Record<string, string>;
const path = (rest: string) => `/v1/workspaces/${workspace}/${rest}`;
const give = (type: string, payload: unknown, more: object = {}) => ann.ask(path('commands'), { body: { type, commandId: freshId(), payload, ...more } });

beforeAll(async () => {
  await applyD1Migrations(env.DB, env.MIGRATIONS);
  ann = await newPerson(env, 'Ann');
  workspace = await newWorkspace(ann, 'Acme');
  token = (await newToken(ann, workspace, ['goals:read', 'goals:write'])).headers;
}, 60_000);

describe('a template over HTTP', () => {
  it('has versions that stay as they are; a person confirms one, a token does not', async () => {
    expect(await give('template.put', document)).toMatchObject({ status: 200 });
    expect(await give('template.put', document)).toMatchObject({ status: 200 });
    expect(await give('template.put', { ...document, title: 'A kind greeting' }, { expected: { version: 1 } })).toMatchObject({ status: 412, body: { code: 'setting_stale' } });
    expect(await give('template.put', { ...document, title: 'A kind greeting' })).toMatchObject({ status: 200 });
    const confirm = { type: 'template.confirm', commandId: freshId(), payload: { name: 'greeting', version: 2 } };
    expect(await ann.ask(path('commands'), { body: { ...confirm, payload: { name: 'greeting', version: 3 } } })).toMatchObject({ status: 404 });
    expect((await ask(env, path('commands'), { body: confirm, headers: token })).body).toMatchObject({ code: 'forbidden' });
    expect(await ann.ask(path('commands'), { body: confirm })).toMatchObject({ status: 200 });
    expect((await ann.ask(path('templates'))).body).toMatchObject({ data: [{ value: { name: 'greeting', latest: 2, confirmed: 2, retired: false } }] });
    expect((await ann.ask(path('templates/greeting?version=1'))).body).toMatchObject({
      shown: 1,
      document: { title: 'A greeting' },
      versions: [
        { version: 2, confirmed: { by: expect.stringMatching(/^person:/) } },
        { version: 1, confirmed: null },
      ],
    });
    expect(await ann.ask(path('templates/other'))).toMatchObject({ status: 404 });
  });

  it('says everything that is wrong with it, and nothing is kept', async () => {
    const refused = await give('template.put', { ...document, name: 'wrong', contract: { ...document.contract, objective: '{{who}}', nonsense: 1 }, plan: undefined });
    expect(refused).toMatchObject({ status: 422, body: { code: 'template_invalid', errors: [{ pointer: '/payload/contract/objective', code: 'unknown_parameter' }] } });
    expect(await ann.ask(path('templates/wrong'))).toMatchObject({ status: 404 });
  });

  it('becomes a goal once, with its parameters on record and its plan at work', async () => {
    const order = { commandId: freshId(), parameters: { whom: 'the world' }, confirmed: true };
    expect(await ann.ask(path('templates/greeting/goals'), { body: { ...order, parameters: { whom: 7, more: 1 } } })).toMatchObject({
      status: 422,
      body: { code: 'schema_invalid', errors: [{ pointer: '/parameters/more' }, { pointer: '/parameters/whom', code: 'wrong_type' }] },
    });
    expect((await ann.ask(path('templates/greeting/goals'), { body: { ...order, dryRun: true } })).body).toMatchObject({
      version: 2,
      payload: { contract: { title: 'Greet the world' } },
    });
    const made = await ann.ask<{ goal: string }>(path('templates/greeting/goals'), { body: order });
    expect(made).toMatchObject({ status: 201, body: { outcome: 'applied', replayed: false } });
    const again = await ann.ask<{ goal: string }>(path('templates/greeting/goals'), { body: order });
    expect(again).toMatchObject({ status: 200, body: { goal: made.body.goal, replayed: true } });
    expect(await ann.ask(path('templates/greeting/goals'), { body: { ...order, parameters: { whom: 'another' } } })).toMatchObject({
      status: 409,
      body: { code: 'command_reused' },
    });
    const { goal } = made.body;
    expect((await ann.ask(path(`goals/${goal}`))).body).toMatchObject({
      bar: { title: 'Greet the world', status: 'active', planRevision: 1, origin: { template: { name: 'greeting', version: 2 }, by: `person:${ann.id}` } },
    });
    const door = { v: 1 as const, workspace, goal };
    const events = await goalStub(env, workspace, goal).read({ ...door, query: { what: 'events', after: 0, limit: 10 } });
    expect(JSON.stringify(events)).toContain('plan.adopted');
  });

  it('that was retired starts nothing; of another workspace it is not there', async () => {
    await give('template.retire', { name: 'greeting' });
    expect(await ann.ask(path('templates/greeting/goals'), { body: { commandId: freshId(), parameters: { whom: 'x' } } })).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition' },
    });
    const bob = await newPerson(env, 'Bob');
    expect(await bob.ask(path('templates'))).toMatchObject({ status: 404 });
    await joins(ann, workspace, bob, 'reviewer');
    expect(await bob.ask(path('templates/greeting/goals'), { body: { commandId: freshId() } })).toMatchObject({ status: 403, body: { code: 'scope_missing' } });
  });
});
