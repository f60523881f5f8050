import { expect, it } from 'vitest';
import { goalBar } from './goal-bar.ts';
import { Scenario } from './views.test-data.ts';

const carriers = { agent: false, skill: () => true };

it('counts items by state, and required ones by their acceptance', () => {
  const given = new Scenario();
  given.accepted({ key: 'a' });
  given.item({ key: 'b' });
  given.item({ key: 'c', required: false, dependsOn: [{ key: 'b', kind: 'hard' }] });
  const bar = goalBar(given.state, 5000, carriers);
  expect(bar.items).toEqual({ required: 2, accepted: 1, total: 3, byState: { accepted: 1, ready: 1, locked: 1 } });
  expect(bar.graphClosed).toBe(false);
  expect(bar.budget.rounds).toEqual({ used: 0, of: 200 });
  expect(bar.budget.time).toEqual({ startedAt: 1000, until: 1000 + 7 * 86_400_000 });
  expect(bar.next.seq).toBe(given.state.seq);
});

it('says what was used, what is set aside and what the next call may cost; money in millionths', () => {
  const given = new Scenario();
  given.state.limits = { ...given.state.limits, tokens: 1000, money: { amount: 250, currency: 'EUR' } };
  given.state.budget = { ...given.state.budget, tokens: 400, reservedTokens: 100, money: 3_000_000, reservedMoney: 0 };
  expect(goalBar(given.state, 5000, carriers).budget).toMatchObject({
    tokens: { used: 400, reserved: 100, of: 1000, remaining: 500 },
    // Past the limit by what calls used beyond their reservation: nothing remains, not less.
    money: { used: 3_000_000, reserved: 0, of: 2_500_000, remaining: 0, currency: 'EUR' },
  });
});

it('takes classes from an audit of this version only; a graph is closed when nothing is open', () => {
  const given = new Scenario();
  given.accepted({ key: 'a' });
  given.state.contract = {
    digest: '',
    criteria: [{ id: 'c1', verify: 'check', checks: [], digest: 'x' }],
    nonGoals: [],
    checks: [],
    milestones: [{ key: 'm', title: 'Reviewed', target: 200, confirm: false }],
    policies: [],
    planPolicy: 'auto',
  };
  given.state.milestones.m = { target: 200, count: 130, moved: 1 };
  given.state.audit = { goalVersion: 1, at: 1, seq: 1, by: 'host', classes: { c1: { class: 'proven', evidence: [] } } };
  const bar = goalBar(given.state, 5000, carriers);
  expect(bar).toMatchObject({
    graphClosed: true,
    goalAudited: true,
    criteria: [{ id: 'c1', verify: 'check', class: 'proven' }],
    milestones: [{ key: 'm', title: 'Reviewed', count: 130, target: 200 }],
  });
  given.state.touched.acceptances = 2;
  expect(goalBar(given.state, 5000, carriers).goalAudited).toBe(false);
  given.state.touched.acceptances = 0;
  given.state.goalVersion = 2;
  expect(goalBar(given.state, 5000, carriers)).toMatchObject({ goalAudited: false, criteria: [{ class: 'open' }] });
  given.state.effects.e = { id: 'e', tool: 't', key: 'k', callDigest: '', round: 'r', state: 'unknown', nonce: '', sendWithin: 1, timeout: 1, horizon: 1 };
  expect(goalBar(given.state, 5000, carriers).graphClosed).toBe(false);
});
