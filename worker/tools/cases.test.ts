/** Cases of what tools read, write and take. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Json } from '../domain/values.ts';
import { csvEncode } from './csv/encode.ts';
import { guardFormula, unguardFormula } from './csv/options.ts';
import { csvRead } from './csv/read.ts';
import { csvWrite } from './csv/write.ts';
import { allTools } from './index.ts';
import { jsonRead } from './json/read.ts';
import { fakeEnv, MemoryFiles, use, workerContext } from './testing/fake-env.ts';
import type { Tool } from './tool.ts';

const tool = (each: unknown) => each as Tool;

describe('B97 a CSV export', () => {
  const cells = ['=1+1', '+cmd', '-12.50', '@x', '\t=2', '-1,234.50', '中文', "'=1+1", "''", "'-12.50", '-', '', '0'];

  async function exported(rows: string[][]) {
    const files = new MemoryFiles();
    const env = fakeEnv({ files, context: workerContext() });
    const written = await use(tool(csvWrite), { path: 'out.csv', columns: ['cell'], rows, options: { bom: true } }, env);
    if (!written.ok) throw new Error(JSON.stringify(written));
    const { digest } = written.value as { digest: string };
    return { files, bytes: (await files.get(digest)) ?? new Uint8Array() };
  }

  it('neutralizes what starts a formula, leaves numbers as they are, and is UTF-8 with its mark', async () => {
    const { bytes } = await exported(cells.map((cell) => [cell]));
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const lines = new TextDecoder().decode(bytes).split('\r\n');
    expect(lines.slice(0, 8)).toEqual(['cell', "'=1+1", "'+cmd", '-12.50', "'@x", "'\t=2", '"-1,234.50"', '中文']);
    const encoded = await use(tool(csvEncode), { columns: ['cell'], rows: [['-12.50']] }, fakeEnv());
    expect(encoded).toMatchObject({ ok: true, value: { text: 'cell\r\n-12.50\r\n' } });
  });

  it('gives back the very values when it is read again, also those that began with the apostrophe', async () => {
    const rows = cells.filter((cell) => cell !== '').map((cell) => [cell]);
    const { files, bytes } = await exported(rows);
    const env = fakeEnv({ files, context: workerContext({ sources: [files.source('in.csv', bytes)] }) });
    const read = await use(tool(csvRead), { path: 'in.csv', formulaGuard: true }, env);
    expect(read).toMatchObject({ ok: true, value: { bom: true, rows: rows.map(([cell]) => ({ cell })) } });
    // A file of somebody else is read as it stands.
    const plain = await use(tool(csvRead), { path: 'in.csv', limit: 1 }, env);
    expect(plain).toMatchObject({ ok: true, value: { rows: [{ cell: "'=1+1" }] } });
  });

  it('guarded, no text starts a formula, and the guard comes off again', () => {
    const text = fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '1', ',', '.', 'a', '\uFF1D', ' '), maxLength: 8 });
    fc.assert(
      fc.property(text, (cell) => {
        const guarded = guardFormula(cell);
        expect(unguardFormula(guarded)).toBe(cell);
        expect(/^[=+@\t\r\uFF1D]/.test(guarded)).toBe(false);
        if (guarded.startsWith('-')) expect(guarded).toMatch(/^-[\d,]+(\.\d+)?$/);
      }),
      { numRuns: 500 },
    );
  });
});

describe('B101 arguments', () => {
  const required = (each: Tool) => ((z.toJSONSchema(each.input, { io: 'input', unrepresentable: 'any' }) as { required?: string[] }).required ?? []).length > 0;

  it('of a tool that needs none may be empty; of one that needs some they are refused by its schema', () => {
    for (const each of allTools()) expect(each.input.safeParse({}).success, each.name).toBe(!required(each));
    expect(allTools().some(required)).toBe(true);
    expect(allTools().some((each) => !required(each))).toBe(true);
  });

  it('that nobody defined are refused by every tool', () => {
    for (const each of allTools()) {
      const parsed = each.input.safeParse({ not_a_parameter: 1 });
      expect(parsed.success, each.name).toBe(false);
    }
  });
});

it('B75 digits that a double cannot keep come out of a file as text', async () => {
  const files = new MemoryFiles();
  const env = fakeEnv({ files, context: workerContext({ sources: [files.source('i.json', '{"invoice_id":2512292042121000001,"amount":128000.10,"small":7}')] }) });
  expect(await use(tool(jsonRead), { path: 'i.json' } as Json, env)).toMatchObject({
    ok: true,
    value: { value: { invoice_id: '2512292042121000001', amount: 128000.1, small: 7 } },
  });
});
