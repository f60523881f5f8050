import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../refusals.ts';
import { ok, person, World } from '../testing/world.ts';
import type { Json } from '../values.ts';
import { filledIn, instantiate, type Template, template, templateProblems } from './template.ts';

const invoices: Template = template.parse({
  name: 'monthly-invoices',
  title: 'Invoices of a month',
  parameters: {
    month: { type: 'string', maxLength: 7, default: '2027-01' },
    count: { type: 'integer', minimum: 1, maximum: 500 },
    suppliers: { type: 'array', items: { type: 'string' }, default: [] },
  },
  contract: {
    title: 'Invoices {{month}}',
    objective: 'Check the {{count}} invoices of {{month}} from {{suppliers}}.',
    criteria: [{ id: 'counted', text: 'All {{count}} are decided', verify: 'check', checks: ['all'] }],
    checks: [{ key: 'all', kind: 'count', of: { from: 'ledger', milestone: 'decided' }, equals: '{{count}}' }],
    milestones: [{ key: 'decided', title: 'Decided', target: '{{count}}' }],
  },
  plan: {
    mode: 'bound',
    items: [
      {
        key: 'check',
        title: 'Check {{month}}',
        covers: ['counted'],
        executor: { kind: 'skill', skill: 'demo', script: 'work.js', input: { month: '{{month}}', count: '{{count}}' } },
      },
      { key: 'report', title: 'Report', dependsOn: [{ key: 'check' }], executor: { kind: 'skill', skill: 'demo', script: 'report.js' } },
    ],
  },
  lanes: { coordinator: { kind: 'skill', skill: 'demo', script: 'plan.js' } },
});
const with_ = (change: object): Template => template.parse({ ...invoices, ...change });
const codes = (from: Template) => templateProblems(from).map(({ pointer, code }) => `${pointer} ${code}`);

describe('a template', () => {
  it('is tried out with sample values, and says everything that is wrong at once', () => {
    expect(templateProblems(invoices)).toEqual([]);
    const plan = invoices.plan as { items: Json[] } & { [key: string]: Json };
    expect(codes(with_({ plan: { ...plan, items: [...plan.items, { key: 'check', title: 'x', nonsense: 1, dependsOn: [{ key: 'nobody' }] }] } }))).toEqual([
      '/plan/items/2/nonsense unknown_field',
      '/plan/items/2/key duplicate_key',
      '/plan/items/2/dependsOn/0/key unknown_key',
    ]);
    expect(codes(with_({ contract: { title: '{{year}}', objective: 'x', criteria: [] } }))).toEqual(['/contract/title unknown_parameter']);
    expect(codes(with_({ parameters: { ...invoices.parameters, month: { type: 'string', maxLength: 3, default: '2027-01' } } }))).toContain(
      '/parameters/month/default default_does_not_fit',
    );
    expect(codes(with_({ mode: 'goal_only' }))).toContain('/plan/plan no_plan_in_goal_only'.replace('/plan/plan', '/plan'));
  });

  it('holds no person, and lets no parameter decide who works, what is forbidden or what things are called', () => {
    const item = (change: object) => with_({ plan: { mode: 'bound', items: [{ key: 'check', title: 'x', ...change }] } });
    expect(codes(item({ executor: { kind: 'person', principal: 'person:ada' } }))).toContain('/plan/items/0/executor/principal identity_in_template');
    expect(codes(item({ executor: { kind: 'agent', profile: '{{month}}' } }))).toContain('/plan/items/0/executor/profile no_parameter_here');
    expect(codes(item({ key: '{{month}}' }))).toContain('/plan/items/0/key no_parameter_here');
    const contract = invoices.contract as { [key: string]: Json };
    expect(codes(with_({ contract: { ...contract, policies: [{ tool: '{{month}}', then: 'allow' }] } }))).toContain('/contract/policies/0/tool no_parameter_here');
    expect(codes(with_({ contract: { ...contract, limits: { rounds: '{{count}}' } } }))).toContain('/contract/limits/rounds no_parameter_here');
    expect(template.safeParse({ ...invoices, evidence: [] }).success).toBe(false);
  });

  it('becomes a goal with values of their own type; what does not fit is named', () => {
    const made = instantiate(invoices, { count: 3, suppliers: ['a', 'b'] }, '/parameters');
    if (!made.ok) throw new Error(JSON.stringify(made.errors));
    expect(made.values).toEqual({ month: '2027-01', count: 3, suppliers: ['a', 'b'] });
    expect(made.instance.contract).toMatchObject({
      title: 'Invoices 2027-01',
      objective: 'Check the 3 invoices of 2027-01 from a, b.',
      checks: [{ equals: 3 }],
      milestones: [{ target: 3 }],
    });
    expect(made.instance.plan).toMatchObject({ items: [{ executor: { input: { month: '2027-01', count: 3 } } }, {}] });
    const bad = instantiate(invoices, { count: 0, month: 7, other: 1 }, '/parameters');
    expect(bad).toMatchObject({
      ok: false,
      errors: [
        { pointer: '/parameters/other', code: 'unknown_parameter' },
        { pointer: '/parameters/month', code: 'wrong_type' },
        { pointer: '/parameters/count', code: 'too_small' },
      ],
    });
    expect(instantiate(invoices, {}, '/parameters')).toMatchObject({ errors: [{ pointer: '/parameters/count', code: 'required' }] });
  });

  it('reads no place in what a value holds, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        const values = { a: `{{b}}${a}`, b };
        expect(filledIn('{{a}}', values)).toBe(values.a);
        expect(filledIn('<{{a}}|{{b}}|\\{{a}}|{{none}}>', values)).toBe(`<${values.a}|${b}|{{a}}|{{none}}>`);
      }),
    );
    expect(filledIn({ '{{a}}': ['{{n}}', { x: '{{n}}' }] }, { a: 'z', n: 5 })).toEqual({ '{{a}}': [5, { x: 5 }] });
  });
});

describe('a goal that comes with a plan', () => {
  const made = instantiate(invoices, { count: 3 }, '');
  if (!made.ok) throw new Error('sample');
  const origin = {
    template: { name: 'monthly-invoices', version: 2, digest: 'a'.repeat(64) },
    parameters: made.values,
    by: 'person:ada',
    trigger: { name: 'nightly', id: 'nightly.7', firing: 'nightly.7/x' },
  };

  it('starts on it at once: no agent is asked to plan, and the record says where it comes from', () => {
    const world = new World();
    ok(world.host('goal.create', { ...made.instance, confirmed: true, origin }));
    expect(world.state.plan).toMatchObject({ revision: 1, order: ['check', 'report'] });
    expect(world.state.owner).toBe('person:ada');
    expect(world.state.origin).toMatchObject({ template: { name: 'monthly-invoices', version: 2 }, trigger: { firing: 'nightly.7/x' } });
    expect(world.lookup.body(world.state.origin?.parametersBody ?? '')).toEqual(made.values);
    expect(world.rounds().map(({ lane, target }) => `${lane} ${target}`)).toEqual(['worker item:check']);
  });

  it('as a draft it waits for its confirmation; a contract that it no longer fits is planned anew', () => {
    const world = new World();
    ok(world.host('goal.create', { ...made.instance, confirmed: false, origin }));
    expect(world.state.plan).toBeNull();
    ok(world.give(person('ada'), 'goal.confirm', {}, { expected: { goalVersion: 1 } }));
    expect(world.state.plan?.revision).toBe(1);

    const changed = new World();
    ok(changed.host('goal.create', { ...made.instance, confirmed: false, origin }));
    const contract = { title: 'Other', objective: 'x', criteria: [{ id: 'other', text: 'x', verify: 'attest' }] };
    ok(changed.give(person('ada'), 'goal.revise', { contract }, { expected: { goalVersion: 1 }, reason: 'something else' }));
    ok(changed.give(person('ada'), 'goal.confirm', {}, { expected: { goalVersion: 2 } }));
    expect(changed.state).toMatchObject({ plan: null, given: null, planRefusals: 0 });
    expect(changed.events.filter((event) => event.type === 'plan.refused')).toMatchObject([{ by: 'host' }]);
    expect(changed.rounds().map(({ lane, purpose }) => `${lane} ${purpose}`)).toEqual(['coordinator plan']);
  });

  it('only the host says what it comes from, and a plan that is wrong makes no goal', () => {
    const world = new World();
    expect(world.give(person('ada'), 'goal.create', { ...made.instance, origin })).toMatchObject({ code: 'forbidden', errors: [{ pointer: '/payload/origin' }] });
    expect(world.host('goal.create', made.instance)).toMatchObject({ code: 'schema_invalid', errors: [{ pointer: '/payload/origin', code: 'required' }] });
    const refused = world.host('goal.create', { ...made.instance, plan: { mode: 'bound', items: [{ key: 'a', title: 'x', covers: ['nothing'] }] }, origin });
    expect(refused).toMatchObject({ code: 'plan_invalid', errors: [{ pointer: '/payload/plan/items/0/covers/0', code: 'unknown_criterion' }] });
    expect(isRefusal(refused) && world.state.seq).toBe(0);
    ok(world.give(person('ada'), 'goal.create', { ...made.instance, confirmed: true }));
    expect(world.state).toMatchObject({ origin: null, plan: { revision: 1 } });
  });
});
