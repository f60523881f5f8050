import { describe, expect, it } from 'vitest';
import type { Json } from '../values.ts';
import { extractTemplate, type Structure } from './extract.ts';
import { instantiate, template, templateProblems } from './template.ts';

const goal = (month: string, count: number, supplier: string): Structure => ({
  title: `Invoices ${month}`,
  mode: 'bound',
  contract: {
    title: `Invoices ${month}`,
    objective: `Check the ${count} invoices of ${supplier} for ${month}.`,
    criteria: [{ id: 'counted', text: `All ${count} are decided`, verify: 'check', checks: ['all'] }],
    checks: [{ key: 'all', kind: 'count', of: { from: 'ledger', milestone: 'decided' }, equals: count }],
    milestones: [{ key: 'decided', title: 'Decided', target: count }],
  } as Json,
  plan: {
    mode: 'bound',
    items: [
      { key: 'check', title: `Check ${month}`, covers: ['counted'], outputs: [{ scope: `file:${month}.csv` }], executor: { kind: 'person', principal: 'person:ada' } },
      { key: 'report', title: 'Report', objective: 'Say {{what}} was found', dependsOn: [{ key: 'check' }], executor: { kind: 'skill', skill: 'demo', script: 'report.js' } },
    ],
  } as Json,
  lanes: { coordinator: { kind: 'skill', skill: 'demo', script: 'plan.js' } } as Json,
  limits: null,
  parameters: null,
});
const mine = goal('2027-01', 200, 'Nordwind');

describe('a draft from a finished goal', () => {
  it('finds what was of the case: months and counts, each one parameter wherever it stands, and the template fits', () => {
    const { template: draft, found, left } = extractTemplate('invoices', mine);
    expect(found.map(({ name, type, value, why }) => ({ name, type, value, why }))).toEqual([
      { name: 'month', type: 'string', value: '2027-01', why: 'of_the_case' },
      { name: 'invoices', type: 'integer', value: 200, why: 'of_the_case' },
    ]);
    expect(found[1]?.places).toEqual(['/contract/objective', '/contract/criteria/0/text', '/contract/checks/0/equals', '/contract/milestones/0/target']);
    expect(draft).toMatchObject({
      title: 'Invoices {{month}}',
      contract: { objective: 'Check the {{invoices}} invoices of Nordwind for {{month}}.', checks: [{ equals: '{{invoices}}' }], milestones: [{ target: '{{invoices}}' }] },
      plan: { items: [{ title: 'Check {{month}}', outputs: [{ scope: 'file:{{month}}.csv' }], executor: { kind: 'person' } }, { objective: 'Say \\{{what}} was found' }] },
    });
    // Nobody is named in it, and that is said.
    expect(JSON.stringify(draft)).not.toContain('person:ada');
    expect(left).toEqual([{ pointer: '/plan/items/0/executor/principal', code: 'identity_removed', detail: 'person:ada' }]);
  });

  it('compared with another goal of the same structure it finds what no form gives away, and makes either of them again', () => {
    const other = goal('2027-02', 180, 'Süd Handel');
    const { template: draft, found } = extractTemplate('invoices', mine, other);
    expect(found.map(({ value, other: theirs, why }) => [value, theirs, why])).toEqual([
      ['Nordwind', 'Süd Handel', 'differs'],
      ['2027-01', '2027-02', 'differs'],
      [200, '180', 'differs'],
    ]);
    const parsed = template.parse(draft);
    expect(templateProblems(parsed)).toEqual([]);
    const values = Object.fromEntries(found.map((finding) => [finding.name, finding.type === 'integer' ? Number(finding.other) : String(finding.other)]));
    const made = instantiate(parsed, values, '');
    if (!made.ok) throw new Error(JSON.stringify(made.errors));
    expect(made.instance.contract).toMatchObject(other.contract as object);
    expect(made.instance.plan).toMatchObject({ items: [{ title: 'Check 2027-02' }, { objective: 'Say {{what}} was found' }] });
  });

  it('a goal made from a template gives its parameters back under their names; what is in a name stays, and is said', () => {
    const plan = { mode: 'bound', items: [{ key: 'check-2027-01', title: 'Check 2027-01' }] } as Json;
    const { found, left, template: draft } = extractTemplate('again', { ...mine, plan, parameters: { period: '2027-01', big: [1] } });
    expect(found[0]).toMatchObject({ name: 'period', value: '2027-01', why: 'filled' });
    expect(left).toContainEqual({ pointer: '/plan/items/0/key', code: 'case_in_name', detail: '2027-01' });
    expect(draft.plan).toMatchObject({ items: [{ key: 'check-2027-01', title: 'Check {{period}}' }] });
  });
});
