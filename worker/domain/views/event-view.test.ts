import { expect, it } from 'vitest';
import type { Event } from '../events.ts';
import { eventView } from './event-view.ts';
import { Scenario } from './views.test-data.ts';

const at = { v: 1, seq: 5, at: 9, by: 'host' } as const;

it('joins an event by its ids, wherever its shape has them', () => {
  const given = new Scenario();
  const item = given.item({ key: 'a' });
  given.attempt(item);
  const { receipts: _, stage: __, votes: ___, cannot: ____, ...submission } = given.submission(item, ['f']);
  const received: Event = {
    ...at,
    via: 'r1',
    type: 'submission.received',
    item: 'a',
    submission: { ...submission, specDigest: item.specDigest, artifacts: [], claims: [] },
    summaryBody: 'd',
    supersedes: null,
  };
  expect(eventView(received)).toMatchObject({
    seq: 5,
    at: 9,
    type: 'submission.received',
    by: 'host',
    item: 'a',
    submission: 'sub_a_1',
    attempt: 'att_a_1',
    round: 'r1',
    data: { summaryBody: 'd' },
  });
  const { phase: _p, steps: _s, recent: _r, movedAtStep: _m, drift: _d, progress: _g, ...round } = given.round({ id: 'r2', item: 'a', attempt: 'att_a_1' });
  expect(eventView({ ...at, type: 'round.scheduled', round })).toMatchObject({ round: 'r2', item: 'a', attempt: 'att_a_1' });
  expect(eventView({ ...at, type: 'goal.paused' })).toEqual({ seq: 5, at: 9, type: 'goal.paused', by: 'host', data: {} });
});

it('shows contracts by digest and specs by key, and cuts long lists', () => {
  const given = new Scenario();
  const specs = Array.from({ length: 1000 }, (_, n) => ({ spec: given.item({ key: `k${n}`, title: 't'.repeat(200) }).spec, specDigest: 'd', specBody: 'b' }));
  const adopted = eventView({
    ...at,
    type: 'plan.adopted',
    proposal: 'p',
    revision: 1,
    digest: 'd',
    order: specs.map((one) => one.spec.key),
    added: specs,
    changed: [],
    kept: [],
    keptSpecs: [],
    removed: [],
  });
  expect(adopted.data).toMatchObject({ addedCount: 1000, orderCount: 1000 });
  expect((adopted.data as { added: string[] }).added.slice(0, 2)).toEqual(['k0', 'k1']);
  expect(JSON.stringify(adopted).length).toBeLessThan(10_000);
  const confirmed = eventView({
    ...at,
    type: 'execution.promoted',
    contract: { digest: 'dd', criteria: [], nonGoals: [], checks: [], milestones: [], policies: [], planPolicy: 'auto' },
    contractBody: 'cb',
    limits: given.state.limits,
    title: 'T',
  });
  expect(confirmed.data).toMatchObject({ contractDigest: 'dd', contractBody: 'cb' });
  expect(confirmed.data).not.toHaveProperty('contract');
});
