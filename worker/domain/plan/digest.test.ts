import { describe, expect, it } from 'vitest';
import { canonical } from '../digest.ts';
import { diffPlans, specIdentity, specOf } from './digest.ts';
import { type PlanItem, planItem } from './document.ts';

const base = planItem.parse({
  key: 'a',
  title: 'A',
  objective: 'Do it',
  acceptance: [{ id: 'x', text: 'is x' }],
  covers: ['c1', 'c2'],
  outputs: [{ scope: 'file:a' }, { scope: 'file:b' }],
  dependsOn: [{ key: 'up' }, { key: 'side', kind: 'soft' }],
  executor: { kind: 'skill', skill: 's', script: 'a.js', input: { n: 1 } },
  checks: [{ key: 'k', kind: 'file_exists', file: { path: 'a' } }],
});
const identity = (change: Partial<PlanItem>) => canonical(specIdentity({ ...base, ...change }));
const same = identity({});

describe('the spec digest', () => {
  it.each<[string, Partial<PlanItem>]>([
    ['objective', { objective: 'Do more' }],
    ['deliverable', { deliverable: 'A file' }],
    ['acceptance text', { acceptance: [{ id: 'x', text: 'is y' }] }],
    ['covers', { covers: ['c1'] }],
    ['outputs', { outputs: [] }],
    ['hard dependencies', { dependsOn: [{ key: 'side', kind: 'soft' }] }],
    ['checks', { checks: [] }],
    ['review', { review: [{ by: 'person', count: 1 }] }],
    ['kind', { kind: 'verify' }],
    ['inputs', { inputs: ['b.csv'] }],
    ['input', { input: { deep: true } }],
    ['input of a script', { executor: { kind: 'skill', skill: 's', script: 'a.js', input: { n: 2 } } }],
    ['key', { key: 'b' }],
  ])('changes with %s', (_, change) => {
    expect(identity(change)).not.toBe(same);
  });

  it.each<[string, Partial<PlanItem>]>([
    ['title', { title: 'Another' }],
    ['limits', { limits: { attempts: 3 } }],
    ['parent', { parent: 'g' }],
    ['required', { required: false }],
    ['soft dependencies', { dependsOn: [{ key: 'up', kind: 'hard' }] }],
    ['who carries it', { executor: { kind: 'skill', skill: 'other', script: 'b.js', input: { n: 1 } } }],
    ['the order of a set', { covers: ['c2', 'c1'], outputs: [...base.outputs].reverse(), dependsOn: [...base.dependsOn].reverse() }],
    ["a check's title", { checks: [{ key: 'k', title: 'There', kind: 'file_exists', file: { path: 'a' } }] }],
  ])('does not change with %s', (_, change) => {
    expect(identity(change)).toBe(same);
  });
});

it('the lean spec carries ids only, the body the texts', () => {
  const { spec, body } = specOf(base);
  expect(spec.acceptance).toEqual(['x']);
  expect(body).toEqual({ objective: 'Do it', deliverable: '', acceptance: [{ id: 'x', text: 'is x' }], inputs: [], input: null });
  expect(JSON.stringify(spec)).not.toContain('Do it');
});

it('a diff names added, changed, kept and removed, and what was only retouched', () => {
  const { spec } = specOf(base);
  const diff = diffPlans(
    { a: { specDigest: '1', spec }, b: { specDigest: '2', spec }, c: { specDigest: '3', spec }, d: { specDigest: '4', spec } },
    { e: { specDigest: '9', spec }, a: { specDigest: '1', spec }, b: { specDigest: '2x', spec }, c: { specDigest: '3', spec: { ...spec, title: 'New' } } },
  );
  expect(diff).toEqual({ added: ['e'], changed: ['b'], kept: ['a', 'c'], removed: ['d'], retouched: ['c'] });
  expect(diffPlans({}, { constructor: { specDigest: '1' } }).added).toEqual(['constructor']);
});
