import { describe, expect, it } from 'vitest';
import { namesOf } from './environment.ts';
import { type Found, planOf, type Wanted } from './plan.ts';
import { planLines } from './words.ts';

const names = namesOf('production');
const wanted: Wanted = {
  names,
  migrations: [
    { name: '0001_a.sql', sql: 'CREATE TABLE a (x INTEGER);' },
    { name: '0002_b.sql', sql: 'ALTER TABLE a ADD y TEXT;' },
  ],
  objectTags: ['v1', 'v2'],
  crons: ['* * * * *'],
  build: 'b1',
  secrets: [
    { name: 'LONGHAUL_AUTH_SECRET', source: 'generated', needed: true, replace: false },
    { name: 'LONGHAUL_MAIL_KEY', source: 'environment', needed: true, replace: false },
  ],
  remove: [],
  unfinished: false,
  contract: false,
};
const nothing: Found = { database: null, applied: [], queues: new Map(), bucket: false, secrets: null, live: null };
const whole: Found = {
  database: { id: 'd' },
  applied: ['0001_a.sql', '0002_b.sql'],
  queues: new Map([
    [names.work, { consumers: ['longhaul'] }],
    [names.dead, { consumers: ['longhaul'] }],
  ]),
  bucket: true,
  secrets: ['LONGHAUL_AUTH_SECRET', 'LONGHAUL_MAIL_KEY'],
  live: { build: 'b1', objects: 'v2' },
};
const acts = (of: Wanted, found: Found) => planOf(of, found).steps.map((step) => `${step.kind} ${step.act}`);

describe('a plan', () => {
  it('for an empty account makes everything', () => {
    const plan = planOf(wanted, nothing);
    expect(plan).toMatchObject({ done: false, blockers: [] });
    expect(planLines(plan)).toEqual([
      '  create   database longhaul',
      '  create   queue longhaul-work',
      '  create   queue longhaul-dead',
      '  create   bucket longhaul-files',
      '  put      secret LONGHAUL_AUTH_SECRET, made here',
      '  put      secret LONGHAUL_MAIL_KEY, from the environment',
      '  migrate  database: 0001_a.sql, 0002_b.sql',
      '  migrate  objects: v1, v2, with the code',
      '  create   code: the first',
      '  change   crons * * * * *, with the code',
    ]);
  });

  it('for what is as it should be does nothing, also with secrets at hand', () => {
    expect(planOf(wanted, whole)).toMatchObject({ done: true, blockers: [] });
    expect(planLines(planOf(wanted, whole)).at(-1)).toBe('Nothing to do.');
  });

  it('does what is left of a run that broke off', () => {
    const left = acts(wanted, { ...whole, queues: new Map([[names.work, { consumers: [] }]]), bucket: false, live: null });
    expect(left).toEqual([
      'resource exists',
      'resource exists',
      'resource create',
      'resource create',
      'secret set',
      'secret set',
      'migrations exists',
      'objects migrate',
      'code create',
      'crons change',
    ]);
  });

  it('deploys again where the code is there and its triggers may not be', () => {
    expect(acts({ ...wanted, unfinished: true }, whole)).toContain('code change');
    expect(acts(wanted, { ...whole, queues: new Map([...whole.queues, [names.dead, { consumers: ['other'] }]]) })).toContain('code change');
  });

  it('changes the code alone where only that differs, and names the migrations that are due', () => {
    const plan = planOf({ ...wanted, build: 'b2', objectTags: ['v1', 'v2', 'v3'], migrations: [...wanted.migrations, { name: '0003_c.sql', sql: 'CREATE TABLE c (x);' }] }, whole);
    expect(plan.steps.filter(({ act }) => act !== 'exists' && act !== 'set')).toEqual([
      { kind: 'migrations', act: 'migrate', pending: [{ name: '0003_c.sql', contracts: [] }], ahead: [] },
      { kind: 'objects', act: 'migrate', tags: ['v3'] },
      { kind: 'code', act: 'change', why: 'changed' },
      { kind: 'crons', act: 'change', crons: ['* * * * *'] },
    ]);
    expect(plan.blockers).toEqual([]);
  });

  it('code that something else put there is not taken for ours', () => {
    expect(acts(wanted, { ...whole, live: { build: null, objects: null } })).toContain('code create');
  });

  it('is blocked by a secret that nobody gives, and names it', () => {
    const plan = planOf({ ...wanted, secrets: [{ name: 'LONGHAUL_MAIL_KEY', source: null, needed: true, replace: false }] }, nothing);
    expect(plan.blockers).toEqual(['LONGHAUL_MAIL_KEY is missing: set it in the environment of this command']);
  });

  it('replaces and takes away secrets where that was said, and only then', () => {
    const plan = planOf(
      {
        ...wanted,
        secrets: wanted.secrets.map((each) => ({ ...each, replace: each.name === 'LONGHAUL_AUTH_SECRET' })),
        remove: ['LONGHAUL_MASTER_KEY_1', 'LONGHAUL_GOOGLE_SECRET'],
      },
      { ...whole, secrets: [...(whole.secrets ?? []), 'LONGHAUL_MASTER_KEY_1'] },
    );
    expect(plan.steps.filter(({ kind }) => kind === 'secret')).toEqual([
      { kind: 'secret', name: 'LONGHAUL_AUTH_SECRET', act: 'replace', source: 'generated' },
      { kind: 'secret', name: 'LONGHAUL_MAIL_KEY', act: 'set', source: null },
      { kind: 'secret', name: 'LONGHAUL_MASTER_KEY_1', act: 'remove', source: null },
    ]);
  });

  it('does not hurt the code that runs: what a migration takes away waits for a later release, or for a word', () => {
    const dropping = { ...wanted, migrations: [...wanted.migrations, { name: '0003_c.sql', sql: 'ALTER TABLE a DROP COLUMN x;' }] };
    expect(planOf(dropping, whole).blockers).toEqual([expect.stringContaining('0003_c.sql drops the column x')]);
    expect(planOf({ ...dropping, contract: true }, whole).blockers).toEqual([]);
    // Nobody runs yet.
    expect(planOf(dropping, nothing).blockers).toEqual([]);
  });

  it('of an older checkout goes back over tables that are ahead, never over objects that are', () => {
    expect(planOf({ ...wanted, build: 'b0', migrations: wanted.migrations.slice(0, 1) }, whole)).toMatchObject({ blockers: [] });
    expect(planLines(planOf({ ...wanted, migrations: wanted.migrations.slice(0, 1) }, whole)).join('\n')).toContain('ahead of this checkout by 0002_b.sql');
    expect(planOf({ ...wanted, objectTags: ['v1'] }, whole).blockers).toEqual([expect.stringContaining('object migration v2')]);
  });
});
