import { describe, expect, it } from 'vitest';
import { acceptedFrames, snapshot } from '../testing/csv-goal.ts';
import { applyFrame, keptEvents, mergeEvents } from './record.ts';

const start = applyFrame(null, snapshot);
const [submitted, accepted] = acceptedFrames();
if (!start || !submitted || !accepted) throw new Error('fixture');

describe('frames', () => {
  it('patches the nodes it names and leaves the rest as they were', () => {
    const next = applyFrame(start, submitted);
    expect(next?.graph.nodes.map((node) => node.state)).toEqual(['accepted', 'submitted', 'accepted', 'locked', 'locked', 'locked']);
    expect(next?.graph.nodes[0]).toBe(start.graph.nodes[0]);
    expect(next?.graph.edges).toBe(start.graph.edges);
    expect(next?.events).toHaveLength(start.events.length + 1);
  });
  it('replaces the edges where they changed, so that the unlocking shows', () => {
    const next = applyFrame(applyFrame(start, submitted), accepted);
    expect(next?.graph.edges.filter((edge) => edge.from === 'server').every((edge) => edge.satisfied)).toBe(true);
  });
  it('ignores what comes twice or late', () => {
    const next = applyFrame(start, accepted);
    expect(applyFrame(next, accepted)).toBe(next);
    expect(applyFrame(next, submitted)).toBe(next);
    expect(applyFrame(next, snapshot)).toBe(next);
  });
  it('shows nothing from an update without a snapshot', () => {
    expect(applyFrame(null, submitted)).toBeNull();
  });
  it('takes a new plan revision whole', () => {
    const replanned = applyFrame(start, { ...submitted, graph: { ...start.graph, revision: 2, nodes: start.graph.nodes.slice(0, 2) } });
    expect(replanned?.graph.nodes).toHaveLength(2);
  });
  it('keeps the contract unless the frame says otherwise', () => {
    expect(applyFrame(start, submitted)?.contract).toBe(start.contract);
    expect(applyFrame(start, { ...submitted, contract: null })?.contract).toBeNull();
  });
});

describe('events', () => {
  const event = (seq: number) => ({ seq, at: seq, type: 'goal.paused', by: 'host', data: {} });
  it('puts what was read before in front, without doubles', () => {
    expect(mergeEvents([event(5), event(6)], [event(3), event(4), event(5)]).map(({ seq }) => seq)).toEqual([3, 4, 5, 6]);
  });
  it('holds a bounded number, the newest', () => {
    const many = Array.from({ length: keptEvents }, (_, index) => event(index + 1));
    const merged = mergeEvents(many, [event(keptEvents + 1)]);
    expect(merged).toHaveLength(keptEvents);
    expect(merged[0]?.seq).toBe(2);
  });
});
