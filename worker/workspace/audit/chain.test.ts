/** The chain over rows, and what tampering with an export shows: each kind is found and named. */
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../goal/sha256.ts';
import { type AuditFact, type AuditHead, type AuditRow, chainedRow, noHead } from './chain.ts';
import { checkExport, exportEndLine, exportHeadLine } from './export.ts';

const workspace = 'acme';
const fact = (n: number): AuditFact => ({
  at: 1000 + n,
  by: n % 2 === 0 ? 'person:a' : 'person:b',
  type: n % 3 === 0 ? 'policy.set' : 'mcp.put',
  subject: `s${n}`,
  before: null,
  after: { n, inside: { b: 1, a: 2 } },
  source: 'workspace',
  number: null,
  held: { salt: `salt${n}`, from: '192.0.2.7', reason: `because ${n}` },
});

function chainOf(count: number): { rows: AuditRow[]; head: AuditHead } {
  const rows: AuditRow[] = [];
  for (let n = 1; n <= count; n++) rows.push(chainedRow(sha256, workspace, rows.at(-1) ?? noHead, fact(n)));
  return { rows, head: rows.at(-1) ?? noHead };
}
const { rows, head } = chainOf(6);
const file = (changed: readonly AuditRow[], end: string | null = exportEndLine(head, changed.length), filter = {}) =>
  `${exportHeadLine(workspace, filter, 9)}${changed.map((row) => `${JSON.stringify(row)}\n`).join('')}${end ?? ''}`.split('\n');
const codes = async (lines: string[], known: AuditHead[] = []) => {
  const read = await checkExport(sha256, lines, known);
  return read.ok ? read.checked.problems.map(({ seq, code }) => `${code} ${seq}`) : `line ${read.line}: ${read.detail}`;
};
const at = (index: number): AuditRow => rows[index] as AuditRow;
const put = (index: number, changed: Partial<AuditRow>) => rows.map((row, each) => (each === index ? { ...row, ...changed } : row));

describe('an export of the audit', () => {
  it('that nobody touched is whole, whatever the order of keys', async () => {
    const shuffled = rows.map((row) => Object.fromEntries(Object.entries(row).reverse()) as unknown as AuditRow);
    for (const each of [rows, shuffled]) {
      const read = await checkExport(sha256, file(each));
      expect(read).toMatchObject({ ok: true, checked: { ok: true, whole: true, workspace, rows: 6, head: { seq: 6, digest: head.digest }, problems: [] } });
    }
    expect(await codes(file([], exportEndLine(noHead, 0)))).toEqual([]);
  });

  it('shows a row that was altered in any field', async () => {
    for (const changed of [
      { at: 1 },
      { by: 'person:c' },
      { type: 'policy.raise' },
      { subject: null },
      { before: {} },
      { after: { n: 3 } },
      { source: 'people' },
      { number: 4 },
    ] as Partial<AuditRow>[])
      expect(await codes(file(put(2, changed))), JSON.stringify(changed)).toEqual(['altered 3']);
    expect(await codes(file(put(2, { held: { salt: 'salt3', from: '192.0.2.8', reason: 'because 3' } })))).toEqual(['held_altered 3']);
  });

  it('shows a row that was made anew after it was altered', async () => {
    const anew = chainedRow(sha256, workspace, at(1), { ...fact(3), by: 'person:c' });
    expect(await codes(file(put(2, anew)))).toEqual(['unlinked 4']);
  });

  it('shows rows that were removed, moved and cut off', async () => {
    expect(await codes(file(rows.filter((row) => row.seq !== 3)))).toEqual(['removed 4']);
    expect(await codes(file(rows.filter((row) => row.seq > 2)))).toEqual(['removed 3']);
    expect(await codes(file([at(0), at(2), at(1), ...rows.slice(3)]))).toEqual(['removed 3', 'reordered 2']);
    expect(await codes(file([...rows, at(5)]))).toEqual(['reordered 6']);
    expect(await codes(file(rows.slice(0, 4)))).toEqual(['cut 5']);
    expect(await codes(file(rows, null))).toEqual(['cut 7', 'head 6']);
    expect(await codes(file(rows, exportEndLine(head, 8)))).toEqual(['cut 6']);
  });

  it('that was made anew as a whole does not fit a head that was written down before', async () => {
    const shorter = chainOf(4);
    expect(await codes(file(shorter.rows, exportEndLine(shorter.head, 4)), [{ seq: 6, digest: head.digest }])).toEqual(['cut 5']);
    expect(await codes(file(rows), [{ seq: 4, digest: head.digest }])).toEqual(['head 4']);
    expect(await codes(file(rows), [{ seq: 4, digest: at(3).digest }])).toEqual([]);
  });

  it('of another workspace is no row of this one', async () => {
    const lines = file(rows);
    lines[0] = (lines[0] ?? '').replace('"acme"', '"other"');
    expect(await codes(lines)).toEqual(rows.map((row) => `altered ${row.seq}`));
  });

  it('keeps fitting after an address and a reason were erased', async () => {
    const read = await checkExport(sha256, file(put(2, { held: null })));
    expect(read).toMatchObject({ ok: true, checked: { ok: true, erased: 1 } });
    expect(JSON.stringify(put(2, { held: null })[2])).not.toContain('192.0.2.7');
  });

  it('of a filter is checked row by row', async () => {
    const some = rows.filter((row) => row.by === 'person:a');
    expect(await codes(file(some, undefined, { by: 'person:a' }))).toEqual([]);
    expect(
      await codes(
        file(
          some.map((row) => ({ ...row, type: 'x' })),
          undefined,
          { by: 'person:a' },
        ),
      ),
    ).toEqual(['altered 2', 'altered 4', 'altered 6']);
  });

  it('that is no such file is said with its line', async () => {
    expect(await codes(['{"a":1}'])).toMatch(/^line 1/);
    expect(await codes([...file(rows).slice(0, 3), '{"seq":'])).toMatch(/^line 4: not JSON/);
    expect(await codes([])).toMatch(/nothing/);
  });
});
