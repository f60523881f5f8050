import { describe, expect, it } from 'vitest';
import { graphNode, graphView } from './graph-view.ts';
import { Scenario } from './views.test-data.ts';

describe('the graph view', () => {
  it('says of each node where it stands, what it waits for and what it unlocks', () => {
    const given = new Scenario();
    given.accepted({ key: 'a' });
    given.item({ key: 'b' });
    given.item({
      key: 'c',
      dependsOn: [
        { key: 'a', kind: 'hard' },
        { key: 'b', kind: 'hard' },
      ],
    });
    given.item({ key: 'd', dependsOn: [{ key: 'b', kind: 'soft' }] });
    const view = graphView(given.state, given.lookup);
    expect(view.nodes.map((node) => [node.key, node.state])).toEqual([
      ['a', 'accepted'],
      ['b', 'ready'],
      ['c', 'locked'],
      ['d', 'ready'],
    ]);
    expect(view.nodes[2]?.inputs).toEqual({ accepted: 1, of: 2, missing: ['b'] });
    expect(view.nodes[1]?.unlocks).toEqual(['c']);
    expect(view.edges).toEqual([
      { from: 'a', to: 'c', kind: 'hard', satisfied: true },
      { from: 'b', to: 'c', kind: 'hard', satisfied: false },
      { from: 'b', to: 'd', kind: 'soft', satisfied: false },
    ]);
    expect(view.truncated).toBe(false);
  });

  it('joins what happened by ids: rounds, children, blockers, milestones, returns and retries', () => {
    const given = new Scenario();
    const item = given.item({ key: 'a', checks: [{ key: 'k', kind: 'count', of: { from: 'ledger', milestone: 'reviewed' }, min: 1 }] });
    given.attempt(item, { state: 'lost' });
    given.attempt(item);
    given.submission(item);
    given.verdict(item, 'changes_requested', 'three are missing');
    given.attempt(item, { state: 'running' });
    given.round({ id: 'r_rev', lane: 'reviewer', target: 'submission:sub_a_1', item: 'a' });
    given.round({ id: 'r_work', item: 'a', steps: 4, drift: 'watch' });
    given.round({ id: 'r_child', item: 'a', target: 'subagent:c1', subagent: 'c1' });
    given.state.subagents.c1 = { id: 'c1', name: 'encoding', parent: 'att_a_3', item: 'a', state: 'open', executor: { kind: 'agent', profile: 'worker' }, attempts: 1 };
    given.state.milestones.reviewed = { target: 200, count: 130, moved: 1 };
    given.state.blockers.q = { id: 'q', item: 'a', reason: 'which', form: {}, owner: 'person:owner', raisedBy: 'host', raisedAt: 1, count: 1, generation: 1 };
    const view = graphView(given.state, given.lookup);
    expect(view.nodes[0]).toMatchObject({
      state: 'running',
      round: { id: 'r_work', lane: 'worker', phase: 'started', steps: 4, drift: 'watch' },
      children: [{ id: 'c1', name: 'encoding', state: 'open' }],
      blocker: 'q',
      milestone: { key: 'reviewed', count: 130, target: 200 },
      returns: [{ submission: 1, by: 'agent:reviewer', summary: 'three are missing' }],
    });
    expect(view.process).toEqual([
      { kind: 'retry', from: 'a', to: 'a', label: 'att_a_1', at: 2 },
      { kind: 'loop_back', from: 'a', to: 'a', label: 'sub_a_1', at: 15 },
    ]);
    expect(graphNode(given.state, 'a', given.lookup)).toEqual(view.nodes[0]);
    expect(graphNode(given.state, 'constructor', given.lookup)).toBeUndefined();
  });

  it('an acceptance that fell points from the item that found it', () => {
    const given = new Scenario();
    const item = given.accepted({ key: 'server' });
    given.item({ key: 'verify', dependsOn: [{ key: 'server', kind: 'hard' }] });
    const row = given.lookup.row('acceptance', 'acc_sub_server_1');
    given.lookup.put([
      {
        ...(row as NonNullable<typeof row>),
        data: {
          ...(row?.data as object),
          live: false,
          invalidated: { at: 99, by: 'skill:csv/verify', from: 'verify', sceneBody: given.body({ summary: 'B2 is garbled' }), evidence: [] },
        },
      },
    ]);
    item.verdict = { ...(item.verdict as NonNullable<typeof item.verdict>), verdict: 'changes_requested' };
    const view = graphView(given.state, given.lookup);
    expect(view.process).toEqual([{ kind: 'guard', from: 'verify', to: 'server', label: 'acc_sub_server_1', at: 99 }]);
    expect(view.nodes[0]?.returns).toEqual([{ submission: 1, by: 'skill:csv/verify', summary: 'B2 is garbled', from: 'verify' }]);
  });

  it('a goal without a plan is an empty graph', () => {
    const given = new Scenario();
    expect(graphView(given.state, given.lookup)).toEqual({ seq: 1, revision: 0, nodes: [], edges: [], process: [], truncated: false });
  });
});
