/** What the Goals of the simulator are about: contracts and plans by shape and seed. */
import type { Json } from '../../worker/domain/values.ts';
import type { Script } from '../faults.ts';
import { below, chance } from '../kernel/random.ts';

const skill = (script: string) => ({ kind: 'skill' as const, skill: 'sim', script });
/** Where models carry, a lane and most items have a profile of their own in the place of a script. */
const carrier = (script: Script, name: string) => (script.shape.models && chance(75, script.seed, 'model', name) ? { kind: 'agent' as const, profile: name } : skill(`${name}.js`));
export const lanesOf = (script: Script) => ({ coordinator: carrier(script, 'coordinate'), reviewers: [carrier(script, 'review-a'), carrier(script, 'review-b')] });

/** What one item's work consists of, the same in every Attempt. */
export interface Task {
  children: boolean;
  asks: boolean;
  /** It waits for a signal from outside. */
  waits: boolean;
  effect: 'supplier' | 'none';
}

export function taskOf(script: Script, key: string): Task {
  const { seed } = script;
  return {
    children: chance(14, seed, 'children', key),
    asks: chance(14, seed, 'asks', key),
    waits: chance(14, seed, 'waits', key),
    effect: script.shape.effects || chance(40, seed, 'effect', key) ? 'supplier' : 'none',
  };
}

/** Money in cents. */
export function spendable({ shape }: Script): { tokens?: number; money?: { amount: number; currency: string } } {
  return shape.models ? { tokens: shape.models.tokens, money: { amount: Math.max(20, Math.floor(shape.models.tokens / 5000)), currency: 'USD' } } : {};
}

export function contractOf(script: Script, version: number): Json {
  const { seed, shape } = script;
  const review = shape.mode === 'bound';
  return {
    title: `Goal of ${seed}`,
    objective: `Deliver ${version}`,
    criteria: [
      ...(review ? [{ id: 'c1', text: `judged ${version % 2}`, verify: 'review' }] : []),
      ...(chance(40, seed, 'attest') || !review ? [{ id: 'c2', text: 'a person says so', verify: 'attest' }] : []),
      ...(chance(50, seed, 'checked') ? [{ id: 'c3', text: 'counted', verify: 'check', checks: ['counted'] }] : []),
    ],
    checks: chance(50, seed, 'checked') ? [{ key: 'counted', kind: 'count', of: { from: 'ledger', milestone: 'm' }, min: 1 }] : [],
    milestones: [{ key: 'm', title: 'Subjects', target: 3 }],
    nonGoals: [{ id: 'no-bank', text: 'No transfers', forbids: [{ tool: 'bank.*' }] }],
    policies: [{ tool: 'supplier.update', then: shape.effects === 'asked' || (!shape.effects && chance(45, seed, 'ask')) ? 'ask' : 'allow' }],
    planPolicy: chance(8, seed, 'confirm') ? 'confirm' : 'auto',
    limits: { rounds: shape.rounds, stepsPerRound: 60, drift: { window: 4, stride: 5 }, parallelRounds: 2, ...spendable(script) },
  };
}

/** `spec` grows where the plan is made anew: another task in the place of one that was given up. */
export function planOf(script: Script, spec: number): Json {
  const { seed, shape } = script;
  const stages = [[{ by: 'checks' }], [{ by: 'checks' }, { by: 'agent' }], [{ by: 'agent' }], [{ by: 'agent', count: 2 }], [{ by: 'person' }]];
  const items = Array.from({ length: shape.items }, (_, n) => {
    const key = `i${n}`;
    const up = [...Array(n).keys()].filter((other) => chance(50, seed, 'edge', n, other)).slice(0, 2);
    const covered = n === 0 && shape.mode === 'bound';
    const review = stages[below(stages.length, seed, 'review', n)];
    const judges = covered && review?.length === 1 && review[0]?.by === 'checks' ? stages[2] : review;
    // Where two reviewers must agree, neither of the two there are may carry it.
    const own = chance(20, seed, 'own', n) && !judges?.some((stage) => 'count' in stage);
    return {
      key,
      title: `Item ${n}`,
      kind: up.length > 0 && chance(35, seed, 'kind', n) ? 'verify' : 'produce',
      objective: `task ${n} ${spec}`,
      covers: covered ? ['c1'] : [],
      executor: chance(8, seed, 'by person', n) ? { kind: 'person' } : carrier(script, own ? 'review-a' : `work-${key}`),
      ...(shape.models && chance(25, seed, 'item tokens', n) ? { limits: { tokens: 30_000 } } : {}),
      review: judges,
      checks: chance(35, seed, 'file check', n) ? [{ key: 'good', kind: 'matches', file: { path: `${key}.txt` }, pattern: '^good' }] : [],
      outputs: chance(30, seed, 'output', n) ? [{ scope: `file:${key}.txt` }] : [],
      dependsOn: up.map((other) => ({ key: `i${other}`, kind: chance(85, seed, 'hard', n, other) ? 'hard' : 'soft' })),
    };
  });
  return { mode: shape.mode === 'graph_only' ? 'graph_only' : 'bound', items } as unknown as Json;
}
