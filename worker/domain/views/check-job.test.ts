import { describe, expect, it } from 'vitest';
import type { CheckSpec } from '../planes/check-spec.ts';
import { evaluateInside, fileName, setName, sourcesOfJob } from '../planes/checks.ts';
import { checkJob } from './check-job.ts';
import { digest, Scenario } from './views.test-data.ts';

const rows = { from: 'rows' as const, file: { source: 'in.csv' }, id: 'id', where: [] };
const ledger = { from: 'ledger' as const, milestone: 'm' };

function asked(checks: CheckSpec[], key: string): Scenario {
  const given = new Scenario();
  const item = given.item({ key: 'mine', checks });
  given.attempt(item);
  given.submission(item, ['out.csv']);
  given.state.checks.chk = {
    id: 'chk',
    key,
    submission: 'sub_mine_1',
    item: 'mine',
    goalVersion: 1,
    specDigest: item.specDigest,
    asOf: 7,
    fence: 3,
    askedAt: 1,
    dueBy: 2,
    tries: 0,
  };
  given.state.sources['in.csv'] = { path: 'in.csv', digest: digest(1), size: 3 };
  return given;
}

describe('a check job', () => {
  it('carries the files and the sets of the record, so that the outside can evaluate it alone', () => {
    const given = asked([{ key: 'k', kind: 'set_equal', left: ledger, right: rows }], 'k');
    given.row('ledger_subject', 'm/A', { entry: 'l', verdict: 'approved' });
    const job = checkJob(given.state, 'chk', 3, given.lookup);
    if (!job || 'refused' in job) throw new Error('no job');
    expect(job.files).toEqual({ [fileName(rows.file)]: { path: 'in.csv', digest: digest(1), size: 3 } });
    expect(job.sets).toEqual({ [setName(ledger)]: ['A'] });
    expect(job.asOf).toBe(7);
    const travelled = JSON.parse(JSON.stringify(job)) as typeof job;
    expect(
      evaluateInside(
        travelled.spec,
        sourcesOfJob(travelled, () => ['A', 'B']),
      ),
    ).toMatchObject({ pass: false, scene: { missing: ['B'] } });
  });

  it('carries of summed facts only the field', () => {
    const given = asked([{ key: 'k', kind: 'sum', over: rows, prefix: 'inv/', field: 'amount', max: '10' }], 'k');
    given.row('fact', 'inv/1', { key: 'inv/1', version: 1, valueBody: given.body({ amount: '4.50', account: 'secret' }), provenance: null, by: 'host', at: 1 });
    const job = checkJob(given.state, 'chk', 3, given.lookup);
    if (!job || 'refused' in job) throw new Error('no job');
    expect(job.facts).toEqual({ 'fact:inv/1': { amount: '4.50' } });
    expect(
      evaluateInside(
        job.spec,
        sourcesOfJob(job, () => ['1']),
      ).pass,
    ).toBe(true);
  });

  it('reads the judged submission, not a newer one', () => {
    const given = asked([{ key: 'k', kind: 'file_exists', file: { path: 'out.csv' } }], 'k');
    const item = given.state.items.mine as NonNullable<(typeof given.state.items)[string]>;
    given.submission(item, ['out.csv']);
    const job = checkJob(given.state, 'chk', 3, given.lookup);
    expect(job).toMatchObject({ files: { '{"path":"out.csv"}': { digest: digest('out.csv-1') } } });
  });

  it("a contract's check reads newest submissions, deliverables, else accepted files; what is not there is null", () => {
    const given = new Scenario();
    given.accepted({ key: 'a' }, ['out.csv', 'x.md']);
    given.state.deliverables['report.md'] = { path: 'report.md', digest: digest(8), size: 1 };
    const script: CheckSpec = {
      key: 'k',
      kind: 'script',
      skill: 's',
      script: 'a.js',
      files: [{ item: 'a', path: 'out.csv' }, { path: 'report.md' }, { path: 'x.md' }, { item: 'ghost', path: 'y' }, { source: 'toString' }],
      facts: ['program', 'none'],
    };
    given.state.contract = { digest: '', criteria: [], nonGoals: [], checks: [script], milestones: [], policies: [], planPolicy: 'auto' };
    given.row('fact', 'program', { key: 'program', version: 1, valueBody: given.body('wps'), provenance: null, by: 'host', at: 1 });
    given.state.checks.chk = { id: 'chk', key: 'k', submission: null, item: null, goalVersion: 1, specDigest: '', asOf: 1, fence: 1, askedAt: 1, dueBy: 2, tries: 0 };
    const job = checkJob(given.state, 'chk', 1, given.lookup);
    if (!job || 'refused' in job) throw new Error('no job');
    expect(Object.values(job.files).map((file) => file?.digest ?? null)).toEqual([digest('out.csv-1'), digest(8), digest('x.md-1'), null, null]);
    expect(job.facts).toEqual({ 'fact:program': 'wps' });
  });

  it('is refused under an old fence, and unknown when it is not open', () => {
    const given = asked([{ key: 'k', kind: 'file_exists', file: { path: 'out.csv' } }], 'k');
    expect(checkJob(given.state, 'chk', 2, given.lookup)).toMatchObject({ refused: true, code: 'fence_stale' });
    expect(checkJob(given.state, 'constructor', 2, given.lookup)).toBeUndefined();
  });
});
