/**
 * Wrong input, as a program or a person sends it to a real Worker. Each is refused with a code, the place, what is current and what to do, and changes nothing.
 * What a single command or file may look like is tested beside the API; here it is that all of it arrives in one answer.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generate, writeData } from '../samples/invoices/generate.ts';
import { sample as invoices } from '../samples/invoices/sample.ts';
import { Client, type CommandBody, Refused } from '../scripts/client.ts';
import { placeSample } from '../scripts/samples.ts';
import type { ContractInput } from '../worker/domain/contract/contract.ts';
import type { PlanDocumentInput } from '../worker/domain/plan/document.ts';
import { refusalTable } from '../worker/domain/refusals.ts';
import type { ProblemBody } from '../worker/http/problem.ts';
import { runCommand } from './command.ts';
import { type Longhaul, startLonghaul } from './harness.ts';

type PlanItemInput = PlanDocumentInput['items'][number];
const item = (key: string, more: Partial<PlanItemInput> = {}): PlanItemInput => ({ key, title: `Item ${key}`, executor: { kind: 'person' }, review: [{ by: 'person' }], ...more });
const on = (...keys: string[]) => ({ dependsOn: keys.map((key) => ({ key })) });
const contract: ContractInput = { title: 'Refused', objective: 'Nothing of this happens.', criteria: [{ id: 'seen', text: 'Somebody saw it', verify: 'attest' }] };

let worker: Longhaul;
let client: Client;
let dir: string;
/** Confirmed, with nobody to plan it: nothing moves it while the tests look. */
let goal: string;
let count = 0;
const commandId = () => `refused-${++count}`;
const command = (body: Omit<CommandBody, 'commandId'>, id = commandId()) => client.command(goal, { commandId: id, ...body });

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'longhaul-refusals-'));
  worker = await startLonghaul();
  client = new Client(worker.url, 'local');
  goal = (await client.create('refusals', { mode: 'bound', contract, confirmed: true })).goal;
});
afterAll(async () => {
  await worker?.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** The problem that `ask` was answered with. Fails when it was not refused, or when anything of the goal moved. */
async function refused(ask: () => Promise<unknown>, of = goal): Promise<ProblemBody> {
  const before = await client.bar(of);
  const error = await ask().then(
    (answer) => {
      throw new Error(`it was taken: ${JSON.stringify(answer)}`);
    },
    (reason: unknown) => reason,
  );
  if (!(error instanceof Refused)) throw error;
  const problem = error.problem as ProblemBody;
  expect(problem).toMatchObject({ status: error.status, effect: 'none', todo: refusalTable[problem.code].todo });
  expect(problem.status).toBe(refusalTable[problem.code].status);
  const after = await client.bar(of);
  expect({ seq: after.seq, status: after.status }).toEqual({ seq: before.seq, status: before.status });
  return problem;
}

describe('a plan', () => {
  const propose = (...items: PlanItemInput[]) => refused(() => command({ type: 'plan.propose', expected: { planRevision: 0 }, payload: { document: { mode: 'bound', items } } }));

  test.each([
    ['a cycle of dependencies', [item('a', on('b')), item('b', on('c')), item('c', on('a'))], '/items/0', 'cycle', 'a -> b -> c -> a'],
    [
      'a cycle through a parent and dependencies together',
      [item('a', on('x')), item('x', on('g')), item('g'), item('v', { parent: 'g', ...on('a') })],
      '/items/0',
      'cycle',
      'a -> x -> g -> v -> a',
    ],
    ['an unknown key', [item('a', on('ghost'))], '/items/0/dependsOn/0/key', 'unknown_key', 'ghost'],
    ['nothing in it', [], '/items', 'empty_plan', undefined],
    [
      'one exclusive output for two that run at once',
      [item('a', { outputs: [{ scope: 'file:x.md' }] }), item('b', { outputs: [{ scope: 'file:x.md' }] })],
      '/items/1/outputs/0',
      'output_conflict',
      expect.stringContaining('a'),
    ],
  ] as const)('with %s', async (_, items, pointer, code, detail) => {
    const problem = await propose(...items);
    expect(problem).toMatchObject({ status: 422, code: 'plan_invalid' });
    expect(problem.errors).toContainEqual(expect.objectContaining({ pointer, code, ...(detail === undefined ? {} : { detail }) }));
    expect((await client.sample(goal).rows('proposal')).length).toBe(0);
  });

  test('with all of it wrong names every place at once', async () => {
    const problem = await refused(() =>
      command({
        type: 'plan.propose',
        expected: { planRevision: 0 },
        payload: { document: { mode: 'bound', items: [{ ...item('a', on('b', 'ghost')), colour: 'red' }, item('b', on('a')), item('b')] } },
      }),
    );
    expect(problem.errors.map((error) => `${error.pointer} ${error.code}`)).toEqual(
      expect.arrayContaining(['/items/0/colour unknown_field', '/items/0/dependsOn/1/key unknown_key', '/items/0 cycle', '/items/2/key duplicate_key']),
    );
  });
});

describe('a command', () => {
  test('decided on a version that is not the current one', async () => {
    expect(await refused(() => command({ type: 'goal.revise', expected: { goalVersion: 7 }, reason: 'late', payload: { contract } }))).toMatchObject({
      status: 412,
      code: 'goal_version_stale',
      current: { goalVersion: 1 },
    });
    expect(await refused(() => command({ type: 'plan.propose', expected: { planRevision: 3 }, payload: { document: { mode: 'bound', items: [item('a')] } } }))).toMatchObject({
      status: 412,
      code: 'plan_revision_stale',
      current: { planRevision: 0 },
    });
  });

  test('whose id came before with another body; the same body gets the same answer', async () => {
    const id = commandId();
    const first = await command({ type: 'message.post', payload: { text: 'one' } }, id);
    expect(await refused(() => command({ type: 'message.post', payload: { text: 'two' } }, id))).toMatchObject({ status: 409, code: 'command_reused' });
    expect(await command({ type: 'message.post', payload: { text: 'one' } }, id)).toMatchObject({ replayed: true, seq: first.seq, result: first.result });
  });

  test('under a fence that a newer claim has passed', async () => {
    const document: PlanDocumentInput = { mode: 'graph_only', items: [item('a')] };
    const { goal: own } = await client.create('fences', { mode: 'graph_only', title: 'Fences', confirmed: true });
    const give = async (type: string, payload: object, more: object = {}) =>
      (await client.command(own, { type, commandId: commandId(), payload, ...more })).result as Record<string, unknown>;
    const { proposal } = await give('plan.propose', { document }, { expected: { planRevision: 0 } });
    await give('plan.adopt', { proposal }, { expected: { planRevision: 0 } });
    const { fence: old } = await give('work.claim', { item: 'a' });
    await give('work.release', { item: 'a' });
    const { fence } = await give('work.claim', { item: 'a' });
    expect(Number(fence)).toBeGreaterThan(Number(old));
    for (const [type, payload] of [
      ['attempt.start', { item: 'a', fence: old }],
      ['attempt.heartbeat', { item: 'a', fence: old }],
      ['submission.submit', { item: 'a', fence: old, artifacts: [], summary: 'from before' }],
    ] as const) {
      expect(await refused(() => give(type, payload), own), type).toMatchObject({ status: 409, code: 'fence_stale', current: { fence } });
    }
    await give('attempt.start', { item: 'a', fence });
  });
});

describe('a data file of the invoice sample', () => {
  const bytes = (...parts: (string | number[])[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  test.each([
    ['cut off', 'invoices.json', bytes('[{"invoice_id":"INV-1","amount":'), 'truncated', { offset: 32 }],
    ['not UTF-8', 'purchase-orders.json', bytes('[{"po_number":"', [0xb7, 0xa2], '"}]'), 'not_utf8', { offset: 15, line: 1 }],
    ['a CSV whose lines end in CR alone', 'suppliers.csv', bytes('supplier_id,name\rS-1,One\r'), 'cr_line_end', { offset: 16, line: 1 }],
    ['a CSV with __proto__ as a header', 'suppliers.csv', bytes('supplier_id,__proto__\nS-1,One\n'), 'csv_header_forbidden', { line: 1, column: 2 }],
  ])('%s is refused with its place; the goal stays a draft', async (name, file, content, code, current) => {
    const data = join(dir, code);
    writeData(data, generate({ seed: 7, count: 25 }));
    writeFileSync(join(data, file), content);
    const sample = { ...invoices, name: `invoices-${code}` };
    const error = await placeSample(client, sample, data).catch((reason: unknown) => reason);
    expect(error, name).toBeInstanceOf(Refused);
    const problem = (error as Refused).problem as ProblemBody;
    expect(problem).toMatchObject({ status: 422, code: 'malformed_data', effect: 'none', errors: [{ code }], current, todo: refusalTable.malformed_data.todo });
    const { goal: draft } = await client.create(`sample:${sample.name}`, (await sample.create(data)).payload);
    expect(await client.bar(draft)).toMatchObject({ status: 'draft', budget: { rounds: { used: 0 } } });
    const stored = (await client.sample(draft).rows('artifact')).map((row) => row.id);
    expect(stored.some((id) => id.startsWith(`${file}@`))).toBe(false);
  });

  test('on the command line is told in one sentence, and the exit code is 1', async () => {
    const ended = await runCommand('sample', ['invoices', '--data', join(dir, 'cr_line_end'), '--json']);
    expect(ended.code).toBe(1);
    expect(ended.errors).toContain('suppliers.csv: malformed_data - Line 1 ends in a carriage return alone');
    expect(JSON.parse(ended.out.at(-1) ?? '')).toMatchObject({ result: { sample: 'invoices', exit: 1, error: expect.stringContaining('malformed_data') } });
  });
});
