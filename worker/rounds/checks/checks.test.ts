import { describe, expect, it } from 'vitest';
import { type ArtifactRef, checkSpec, type SetRef } from '../../domain/planes/check-spec.ts';
import { factName, fileName, setName } from '../../domain/planes/checks.ts';
import { refuse } from '../../domain/refusals.ts';
import type { Artifact, Json } from '../../domain/values.ts';
import type { CheckJob } from '../../goal/rpc.ts';
import { closedRules } from '../../outgoing/address.ts';
import { fixedWorld } from '../../outgoing/world.ts';
import { MemoryFiles, workerContext } from '../../tools/testing/fake-env.ts';
import type { Sandbox, ScriptJob, ScriptResult } from '../sandbox/sandbox.ts';
import { FakeGoal } from '../testing/fake-goal.ts';
import { type CheckPorts, runCheck } from './run-check.ts';

type Outcome = { pass: boolean | null; scene?: { summary: string; missing?: string[]; extra?: string[]; findings?: object[] }; inputs: Record<string, string>; checker: string };

async function judge(
  spec: object,
  given: {
    files?: [ArtifactRef, string | Uint8Array | null][];
    sets?: [SetRef, string[]][];
    facts?: Record<string, Json>;
    probe?: typeof fetch;
    script?: (job: ScriptJob) => Promise<ScriptResult>;
  } = {},
): Promise<Outcome> {
  const files = new MemoryFiles();
  const stand: Record<string, Artifact | null> = {};
  for (const [ref, content] of given.files ?? []) stand[fileName(ref)] = content === null ? null : files.source('source' in ref ? ref.source : ref.path, content);
  const job: CheckJob = {
    check: 'chk1',
    fence: 3,
    spec: checkSpec.parse({ key: 'k', ...spec }),
    asOf: 9,
    files: stand,
    facts: Object.fromEntries(Object.entries(given.facts ?? {}).map(([key, value]) => [factName(key), value])),
    sets: Object.fromEntries((given.sets ?? []).map(([ref, ids]) => [setName(ref), ids])),
  };
  const goal = new FakeGoal(workerContext());
  goal.onRead = (query) => (query.what === 'check' && query.check === 'chk1' && query.fence === 3 ? (job as unknown as Json) : undefined);
  const sandbox: Sandbox = { run: given.script ?? (async () => ({ kind: 'threw', message: 'no script' })) };
  const ports: CheckPorts = { goal: goal.calls(), files, sandbox, world: fixedWorld(closedRules, { send: given.probe ?? (async () => new Response()) }) };
  expect(await runCheck({ check: 'chk1', fence: 3 }, ports)).toEqual({ kind: 'done', why: 'recorded' });
  expect(goal.commands).toMatchObject([{ actor: { kind: 'host' }, envelope: { type: 'check.record', commandId: 'check:chk1:3', payload: { check: 'chk1', fence: 3 } } }]);
  return goal.commands[0]?.envelope.payload as unknown as Outcome;
}

const source: ArtifactRef = { source: 'a.csv' };
const own: ArtifactRef = { path: 'out.json' };

describe('sets of rows', () => {
  const selected = { from: 'rows', file: source, id: 'id', where: [{ field: 'status', equals: 'pending' }] } as const;
  const manual = { from: 'rows', file: own, id: 'id', where: [] } as const;
  const csv = 'id,status\n1,pending\n2,done\n3,pending\n';
  it('are read from the file as the rule selects', async () => {
    const decided: SetRef = { from: 'ledger', milestone: 'm' };
    const spec = { kind: 'set_equal', left: decided, right: selected };
    expect(await judge(spec, { files: [[source, csv]], sets: [[decided, ['1', '3']]] })).toMatchObject({ pass: true });
    expect(await judge(spec, { files: [[source, csv]], sets: [[decided, ['1', '2']]] })).toMatchObject({ pass: false, scene: { missing: ['3'], extra: ['2'] } });
  });
  it('come from JSON and JSON Lines too', async () => {
    const spec = { kind: 'set_covers', superset: manual, subset: selected };
    expect(
      await judge(spec, {
        files: [
          [source, csv],
          [own, '[{"id":"1"}]'],
        ],
      }),
    ).toMatchObject({ pass: false, scene: { missing: ['3'] } });
    const lines = { ...manual, file: { path: 'out.jsonl' } };
    expect(
      await judge(
        { ...spec, superset: lines },
        {
          files: [
            [source, csv],
            [{ path: 'out.jsonl' }, '{"id":"1"}\n{"id":"3"}\n'],
          ],
        },
      ),
    ).toMatchObject({ pass: true });
  });
  it('a file that nobody delivered, or that is cut off, fails the work with the reason', async () => {
    const spec = { kind: 'count', of: manual, equals: 1 };
    expect(await judge(spec, { files: [[own, null]] })).toMatchObject({ pass: false, scene: { summary: expect.stringContaining('out.json') } });
    expect(await judge(spec, { files: [[own, '[{"id":']] })).toMatchObject({ pass: false, scene: { summary: expect.stringContaining('line 1') } });
  });
  it('says by digest what it read', async () => {
    const { inputs, checker } = await judge({ kind: 'count', of: selected, equals: 2 }, { files: [[source, csv]] });
    expect(inputs).toEqual({ [fileName(source)]: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(checker).toBe('outside/1');
  });
});

describe('json_schema', () => {
  const spec = {
    kind: 'json_schema',
    file: own,
    schema: { type: 'object', properties: { total: { type: 'string' }, lines: { type: 'array', items: { type: 'object', required: ['id'] } } }, required: ['total'] },
  };
  it('passes and fails with the place', async () => {
    expect(await judge(spec, { files: [[own, '{"total":"1.00"}']] })).toMatchObject({ pass: true });
    expect(await judge(spec, { files: [[own, '{"total":1,"lines":[{}]}']] })).toMatchObject({
      pass: false,
      scene: { findings: [{ where: '/total', actual: '1' }, { where: '/lines/0/id' }] },
    });
    expect(await judge(spec, { files: [[own, '{']] })).toMatchObject({ pass: false });
  });
});

describe('a schema that leaves things unsaid', () => {
  it.each([
    [{ required: ['id'] }, {}],
    [{ properties: { id: { minLength: 2 } } }, { id: 'a' }],
    [{ items: { maximum: 3 } }, [9]],
    [{ allOf: [{ properties: { a: { type: 'string' } } }, { required: ['b'] }] }, { a: 'x' }],
    [{ $defs: { row: { required: ['id'] } }, type: 'array', items: { $ref: '#/$defs/row' } }, [{}]],
  ])('%j does not pass %j', async (schema, value) => {
    expect(await judge({ kind: 'json_schema', file: own, schema }, { files: [[own, JSON.stringify(value)]] })).toMatchObject({ pass: false });
  });
  it('that cannot be used could not run', async () => {
    expect(await judge({ kind: 'json_schema', file: own, schema: { if: { const: 1 }, then: { const: 2 } } }, { files: [[own, '1']] })).toMatchObject({ pass: null });
  });
});

describe('csv', () => {
  const rules = { kind: 'csv', file: source, columns: ['id', 'b'], bom: true, lineEnd: 'crlf', minRows: 2, uniqueBy: 'id' };
  it('passes what keeps every rule', async () => expect(await judge(rules, { files: [[source, '\uFEFFid,b\r\n1,"x\ny"\r\n2,z\r\n']] })).toMatchObject({ pass: true }));
  it('names every rule that is broken', async () => {
    const { pass, scene } = await judge(rules, { files: [[source, 'b,id\n1,7\n']] });
    expect([pass, scene?.findings?.map((each) => (each as { where: string }).where)]).toEqual([false, ['header', 'byte order mark', 'line ends', 'rows']]);
    expect(await judge(rules, { files: [[source, '\uFEFFid,b\r\n1,x\r\n1,y\r\n']] })).toMatchObject({ pass: false, scene: { findings: [{ where: 'row 2', actual: '1' }] } });
  });
  it('quotes where the file is no CSV', async () =>
    expect(await judge(rules, { files: [[source, 'id,b\r1,2\r']] })).toMatchObject({ pass: false, scene: { summary: expect.stringContaining('CR') } }));
});

describe('matches', () => {
  it('looks in the text', async () => {
    expect(await judge({ kind: 'matches', file: own, pattern: '^total: \\d+$' }, { files: [[own, 'a\ntotal: 12\n']] })).toMatchObject({ pass: true });
    expect(await judge({ kind: 'matches', file: own, pattern: 'nothing' }, { files: [[own, 'a']] })).toMatchObject({ pass: false });
  });
  it.each(['(a+)+$', '(', '(.*,)*x'])('could not run %j', async (pattern) => {
    expect(await judge({ kind: 'matches', file: own, pattern }, { files: [[own, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!']] })).toMatchObject({ pass: null });
  });
});

it('file_exists and digest look at what stands', async () => {
  expect(await judge({ kind: 'file_exists', file: own }, { files: [[own, 'x']] })).toMatchObject({ pass: true });
  expect(await judge({ kind: 'file_exists', file: own }, { files: [[own, null]] })).toMatchObject({ pass: false, scene: { missing: ['out.json'] } });
  expect(await judge({ kind: 'digest', file: own, digest: '0'.repeat(64) }, { files: [[own, 'x']] })).toMatchObject({ pass: false });
});

it('http_probe tells another status from no answer', async () => {
  const spec = { kind: 'http_probe', url: 'https://example.test/x', status: 204 };
  expect(await judge(spec, { probe: async () => new Response(null, { status: 204 }) })).toMatchObject({ pass: true });
  expect(await judge(spec, { probe: async () => new Response('no', { status: 500 }) })).toMatchObject({ pass: false, scene: { findings: [{ expected: '204', actual: '500' }] } });
  const away = async () => {
    throw new TypeError('connection refused');
  };
  expect(await judge(spec, { probe: away })).toMatchObject({ pass: null });
});

describe('script', () => {
  const spec = { kind: 'script', skill: 's', script: 'c.js', files: [own, source], facts: ['program'], input: { a: 1 } };
  const given = {
    files: [
      [own, 'hi'],
      [source, null],
    ] as [ArtifactRef, string | null][],
    facts: { program: 'wps' },
  };
  it('is given bytes, facts and its input, and no tool', async () => {
    let seen: Json = null;
    let tool: Json = null;
    await judge(spec, {
      ...given,
      script: async (job) => {
        seen = job.input;
        tool = await job.call('files.read', {});
        return { kind: 'returned', value: { pass: true } };
      },
    });
    expect(seen).toEqual({ files: { 'out.json': { base64: 'aGk=', size: 2 }, 'a.csv': null }, facts: { program: 'wps' }, input: { a: 1 } });
    expect(tool).toMatchObject({ refusal: { code: 'forbidden' } });
  });
  it('answers with its scene', async () => {
    const value = { pass: false, scene: { summary: 'B2', findings: [{ where: 'B2', actual: 'é€—' }] }, missing: ['7'] };
    expect(await judge(spec, { ...given, script: async () => ({ kind: 'returned', value }) })).toMatchObject({
      pass: false,
      scene: { summary: 'B2', findings: value.scene.findings, missing: ['7'] },
    });
  });
  it.each<ScriptResult>([{ kind: 'threw', message: 'x' }, { kind: 'refused', reason: 'x' }, { kind: 'returned', value: 'yes' }, { kind: 'stopped' }])(
    'that %j could not run',
    async (result) => {
      expect(await judge(spec, { ...given, script: async () => result })).toMatchObject({ pass: null, scene: { summary: expect.any(String) } });
    },
  );
});

it('is done with a check that nobody asks for any more', async () => {
  const goal = new FakeGoal(workerContext());
  const ports: CheckPorts = { goal: goal.calls(), files: new MemoryFiles(), sandbox: { run: async () => ({ kind: 'stopped' }) }, world: fixedWorld(closedRules) };
  expect(await runCheck({ check: 'chk1', fence: 3 }, ports)).toMatchObject({ kind: 'done' });
  expect(goal.commands).toEqual([]);
});

it('an answer that is stale is dropped', async () => {
  const goal = new FakeGoal(workerContext());
  goal.onRead = () =>
    ({ check: 'chk1', fence: 3, spec: checkSpec.parse({ key: 'k', kind: 'file_exists', file: own }), asOf: 1, files: {}, facts: {}, sets: {} }) as unknown as Json;
  goal.onCommand = () => ({ outcome: 'rejected', refusal: refuse('fence_stale'), seq: 1 });
  expect(
    await runCheck(
      { check: 'chk1', fence: 3 },
      { goal: goal.calls(), files: new MemoryFiles(), sandbox: { run: async () => ({ kind: 'stopped' }) }, world: fixedWorld(closedRules) },
    ),
  ).toEqual({
    kind: 'done',
    why: 'fence_stale',
  });
});
