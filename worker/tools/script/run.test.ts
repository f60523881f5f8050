import { expect, it } from 'vitest';
import type { Json } from '../../domain/values.ts';
import { fakeEnv, MemoryFiles, use, workerContext } from '../testing/fake-env.ts';
import type { ScriptOutcome, Tool, ToolEnv } from '../tool.ts';
import { scriptRun } from './run.ts';

const files = new MemoryFiles();
function envWith(outcome: ScriptOutcome, seen: unknown[] = [], lane: 'worker' | 'reviewer' = 'worker') {
  const runScript: NonNullable<ToolEnv['runScript']> = async (...given) => {
    seen.push(given);
    return outcome;
  };
  return Object.assign(fakeEnv({ files, context: workerContext({ lane, sources: [files.source('a.csv', 'x,y')] }) }), { runScript });
}
const run = (args: Json, env: ToolEnv) => use(scriptRun as unknown as Tool, args, env);

it('hands over input and files, and gives back what is returned', async () => {
  const seen: unknown[] = [];
  const env = envWith({ kind: 'returned', value: { n: 3 } }, seen);
  expect(await run({ code: 'export default (i) => i', input: { a: 1 }, files: ['a.csv'] }, env)).toMatchObject({ ok: true, value: { result: { n: 3 } } });
  expect(seen).toEqual([['export default (i) => i', { a: 1, files: { 'a.csv': 'x,y' } }, 30_000]]);
});
it('stores the result where it is asked to', async () => {
  const env = envWith({ kind: 'returned', value: 'a,b\n' });
  expect(await run({ code: 'x', saveAs: 'out.csv' }, env)).toMatchObject({ ok: true, value: { path: 'out.csv', size: 4 } });
  expect(env.commands).toMatchObject([{ type: 'artifact.put', payload: { role: 'working', artifact: { path: 'out.csv' } } }]);
  expect(await run({ code: 'x', saveAs: 'out.csv' }, envWith({ kind: 'returned', value: 1 }, [], 'reviewer'))).toMatchObject({ ok: false, refusal: { code: 'forbidden' } });
});
it.each<[string, ScriptOutcome, object]>([
  ['that throws says what', { kind: 'threw', message: 'RangeError: row 7' }, { ok: true, value: { threw: 'RangeError: row 7' } }],
  ['that does not end is stopped', { kind: 'stopped' }, { ok: false, refusal: { code: 'limit_exceeded' } }],
  ['that cannot run here is told why', { kind: 'refused', reason: 'no loader' }, { ok: false, refusal: { code: 'unavailable', detail: 'no loader' } }],
  ['that returns too much is refused', { kind: 'returned', value: 'x'.repeat(300_000) }, { ok: false, refusal: { code: 'limit_exceeded' } }],
])('a script %s', async (_what, outcome, expected) => expect(await run({ code: 'x' }, envWith(outcome))).toMatchObject(expected));
it('wants an object where files stand beside it, files that are there, and a sandbox', async () => {
  expect(await run({ code: 'x', input: [1], files: ['a.csv'] }, envWith({ kind: 'stopped' }))).toMatchObject({ ok: false, refusal: { code: 'schema_invalid' } });
  expect(await run({ code: 'x', files: ['b.csv'] }, envWith({ kind: 'stopped' }))).toMatchObject({ ok: false, refusal: { code: 'not_found' } });
  expect(await run({ code: 'x' }, fakeEnv())).toMatchObject({ ok: false, refusal: { code: 'unavailable' } });
});
