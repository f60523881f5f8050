import { describe, expect, it } from 'vitest';
import { roundContext } from './round-context.ts';
import { digest, Scenario } from './views.test-data.ts';

describe('what a round starts from', () => {
  it('a worker gets its item, the accepted inputs, what it left behind and its children', () => {
    const given = new Scenario();
    given.accepted({ key: 'up' }, ['scope.json']);
    const late = given.item({ key: 'late' });
    given.attempt(late);
    given.submission(late, ['draft.md']);
    const item = given.item({
      key: 'mine',
      objective: 'Do it',
      input: { n: 1 },
      dependsOn: [
        { key: 'up', kind: 'hard' },
        { key: 'late', kind: 'soft' },
      ],
      limits: { stepsPerRound: 50 },
    });
    given.attempt(item, { state: 'lost' });
    const attempt = given.attempt(item, { state: 'running' });
    given.state.sources['in.csv'] = { path: 'in.csv', digest: digest(1), size: 3 };
    const file = (path: string, n: number) => ({ artifact: { path, digest: digest(n), size: n }, role: 'working' as const, at: n, by: 'agent:worker' });
    given.row('artifact', 'a.txt@000000001', file('a.txt', 1), { item: 'mine', attempt: 'att_mine_1' });
    given.row('artifact', 'a.txt@000000009', file('a.txt', 9), { item: 'mine', attempt: 'att_mine_2' });
    given.row('artifact', 'other.txt@000000002', file('other.txt', 2), { item: 'late' });
    for (const [name, parent, result] of [
      ['one', attempt.id, { found: 1 }],
      ['old', 'att_mine_1', null],
    ] as const) {
      given.row(
        'subagent',
        `c_${name}`,
        {
          id: `c_${name}`,
          name,
          parent,
          item: 'mine',
          state: 'returned',
          executor: { kind: 'agent', profile: 'worker' },
          briefBody: '',
          ok: true,
          resultBody: given.body(result),
          at: 1,
        },
        { item: 'mine' },
      );
    }
    given.round({ id: 'r1', item: 'mine', attempt: attempt.id });
    const context = roundContext(given.state, 'r1', given.lookup, 30_000);
    expect(context.item).toMatchObject({ key: 'mine', objective: 'Do it', input: { n: 1 }, attempt: attempt.id, attemptNumber: 2 });
    expect(context.upstream).toEqual([{ item: 'up', submission: 'sub_up_1', artifacts: [{ path: 'scope.json', digest: digest('scope.json-1'), size: 1 }], summary: 'done' }]);
    expect(context.working).toEqual([{ path: 'a.txt', digest: digest(9), size: 9 }]);
    expect(context.children).toEqual({ one: { state: 'returned', ok: true, result: { found: 1 } } });
    expect(context.sources.map((source) => source.path)).toEqual(['in.csv']);
    expect(context).toMatchObject({ leaseMs: 30_000, stepsPerRound: 50, contract: null });
    expect(context.submission).toBeUndefined();
    expect(context.brief).toBeUndefined();
  });

  it("a reviewer gets the one submission, with the item's criteria and those of the goal that it covers", () => {
    const given = new Scenario();
    const contract = {
      title: 'G',
      objective: 'O',
      criteria: [
        { id: 'c1', text: 'is right' },
        { id: 'c2', text: 'is not its own' },
      ],
    };
    given.row('goal_version', '000001', { goalVersion: 1, title: 'G', contractBody: given.body(contract), at: 1, by: 'host', reason: '', impact: null });
    given.state.contract = { digest: '', criteria: [], nonGoals: [], checks: [], milestones: [], policies: [], planPolicy: 'auto' };
    const item = given.item({ key: 'mine', acceptance: [{ id: 'x', text: 'is x' }], covers: ['c1'] });
    given.attempt(item);
    const submission = given.submission(item, ['f'], 'look');
    given.round({ id: 'r2', lane: 'reviewer', item: 'mine', target: `submission:${submission.id}`, submission: submission.id });
    const context = roundContext(given.state, 'r2', given.lookup, 1);
    expect(context.submission).toMatchObject({
      id: submission.id,
      digest: submission.digest,
      summary: 'look',
      criteria: [
        { id: 'x', text: 'is x' },
        { id: 'c1', text: 'is right' },
      ],
    });
    expect(context.item).toBeUndefined();
    expect(context.contract).toMatchObject({ objective: 'O' });
  });

  it("a child gets its brief and no results of its siblings; a coordinator the goal's own files", () => {
    const given = new Scenario();
    const item = given.item({ key: 'mine' });
    const attempt = given.attempt(item, { state: 'running' });
    given.row(
      'subagent',
      'c1',
      {
        id: 'c1',
        name: 'encoding',
        parent: attempt.id,
        item: 'mine',
        state: 'open',
        executor: { kind: 'agent', profile: 'worker' },
        briefBody: given.body({ look: 'at encoding' }),
        at: 1,
      },
      { item: 'mine' },
    );
    given.row('artifact', 'plan.md@000000001', { artifact: { path: 'plan.md', digest: digest(4), size: 1 }, role: 'deliverable', at: 1, by: 'host' });
    given.row('artifact', 'its.md@000000001', { artifact: { path: 'its.md', digest: digest(5), size: 1 }, role: 'working', at: 1, by: 'host' }, { item: 'mine' });
    given.round({ id: 'r3', item: 'mine', target: 'subagent:c1', subagent: 'c1', attempt: attempt.id });
    given.round({ id: 'r4', lane: 'coordinator', purpose: 'plan' });
    const child = roundContext(given.state, 'r3', given.lookup, 1);
    expect(child.brief).toEqual({ subagent: 'c1', name: 'encoding', item: 'mine', value: { look: 'at encoding' } });
    expect(child.children).toEqual({});
    const coordinator = roundContext(given.state, 'r4', given.lookup, 1);
    expect(coordinator.working.map((file) => file.path)).toEqual(['plan.md']);
    expect(coordinator.purpose).toBe('plan');
  });
});
