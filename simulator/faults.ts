/**
 * The steps of a history: what goes wrong, and what people do, each at a virtual time. A history is its shape and its steps; what agents do is derived
 * from the seed. Leaving out a step leaves the others as they are, which is what shrinking does.
 */
import { below, chance, oneOf } from './kernel/random.ts';

/** Where a crash may fall: before and after every write, send and acknowledgement. */
export const points = ['goal.write', 'goal.dispatch', 'goal.book', 'runner.write', 'runner.ack', 'runner.call', 'runner.effect', 'runner.file'] as const;
/** In the middle of a model's call, and of the one that writes a compaction's snapshot; met by histories with models alone. */
export const modelPoints = ['runner.model', 'runner.compaction'] as const;
export type Point = (typeof points)[number] | (typeof modelPoints)[number];
export const sides = ['before', 'after'] as const;
export type Side = (typeof sides)[number];

/** One-off faults, the next thing of the kind meets it: first what chance draws from. */
const drawn = [
  'request lost',
  'reply lost',
  'call doubled',
  'two instances',
  'message lost',
  'message doubled',
  'message late',
  'queue down',
  'alarm lost',
  'book down',
  'book slow',
  'book hangs',
  'book unknown',
  'book batch late',
  'book refuses a row',
  'runner stalls',
  'clock ahead',
  'clock back',
  'permit held',
  'effect timeout',
  'effect lost',
  'approval at once',
  'policy asks',
  'policy denies',
  'foreign snapshot',
  'other code',
  'deploy',
  'other workspace',
] as const;
/** What comes by steering alone. */
const steered = [
  'crash',
  'older code',
  'grant lost',
  'grant unanswered',
  'ring lost',
  'connection untested',
  'model answer lost',
  'model limited',
  'model down',
  'model window full',
] as const;
export const faultNames = [...drawn, ...steered] as const;
export type FaultName = (typeof faultNames)[number];

const personActs = [
  'pause',
  'resume',
  'revise',
  'cancel',
  'raise budget',
  'cut budget',
  'answer',
  'withdraw',
  'approve',
  'refuse',
  'attest',
  'reconcile',
  'judge',
  'judge own',
  'send back',
  'claim',
  'take over',
  'release',
  'cancel item',
  'work resume',
  'message',
  'new plan',
  'invalidate',
  'invalidate evidence',
  'signal',
  'resolve parked',
  'forged',
] as const;
export type PersonAct = (typeof personActs)[number];

export type Step =
  | { at: number; fault: 'crash'; point: Point; side: Side; skip: number }
  | { at: number; fault: Exclude<FaultName, 'crash'>; n: number }
  | { at: number; act: PersonAct; n: number; stale: boolean };

interface Shape {
  mode: 'bound' | 'goal_only' | 'graph_only';
  /** Work Items, 1 to 4. */
  items: number;
  /** The second workspace has a Goal of the same id. */
  neighbour: boolean;
  /** Percent of Attempts that a bad agent carries. */
  bad: number;
  rounds: number;
  /** Every task has an effect outside, and a policy may ask about it. */
  effects?: 'all' | 'asked';
  /** Releases go on once faults have ceased, a bounded number of them. */
  deploys?: boolean;
  /** Rounds ask their workspace for a place first; so many there are. Absent: nobody is asked. */
  places?: number;
  /** Agents with models carry lanes and most items; so many tokens and so much money they have in all. */
  models?: { tokens: number };
}

export interface Script {
  seed: number;
  shape: Shape;
  steps: Step[];
}

/** Milliseconds in which faults fall; after it everything works and everybody is honest. */
export const troubleMs = 240_000;

const rare = new Set<FaultName>(['permit held', 'effect timeout', 'effect lost', 'approval at once']);

const common: readonly PersonAct[] = ['answer', 'approve', 'judge', 'attest', 'reconcile', 'resume', 'message', 'answer', 'judge', 'signal', 'judge own', 'revise'];

export function scriptOf(seed: number): Script {
  const shape: Shape = {
    mode: chance(78, seed, 'mode') ? 'bound' : chance(50, seed, 'which') ? 'goal_only' : 'graph_only',
    items: 1 + below(4, seed, 'items'),
    neighbour: chance(6, seed, 'neighbour'),
    bad: oneOf([0, 0, 25, 50], seed, 'bad'),
    rounds: chance(8, seed, 'poor') ? 6 : 150,
  };
  const steps: Step[] = [];
  const faults = below(9, seed, 'faults');
  for (let n = 0; n < faults; n++) {
    const at = whenOf(seed, 'fault', n);
    if (chance(40, seed, 'crash', n)) {
      steps.push({ at, fault: 'crash', point: oneOf(points, seed, 'point', n), side: oneOf(sides, seed, 'side', n), skip: below(4, seed, 'skip', n) });
    } else {
      const fault = oneOf(drawn, seed, 'name', n);
      // What waits for an effect or an approval is there before the first.
      steps.push({ at: rare.has(fault) ? at % 200 : at, fault, n: below(1000, seed, 'value', n) });
    }
  }
  const acts = below(6, seed, 'acts');
  for (let n = 0; n < acts; n++) {
    const act = chance(55, seed, 'usual', n) ? oneOf(common, seed, 'act', n) : oneOf(personActs, seed, 'act', n);
    steps.push({ at: whenOf(seed, 'act', n), act, n: below(1000, seed, 'pick', n), stale: chance(12, seed, 'stale', n) });
  }
  if (seed % steeredEvery === steeredEvery - 3) steer(seed, shape, steps);
  if (seed % modelsEvery === modelsEvery - 1) withModels(seed, shape, steps);
  return { seed, shape, steps: steps.sort((a, b) => a.at - b.at) };
}

/** One seed in so many is steered towards something that chance alone would seldom bring about; each of these comes in turn. */
const steeredEvery = 5;
type Steering = (shape: Shape, steps: Step[], seed: number) => void;
const beforeTheFirst = (seed: number) => below(40, seed, 'steered');
const toEffects =
  (...faults: (Extract<Step, { fault: 'crash' }>['side'] | Exclude<FaultName, 'crash'>)[]): Steering =>
  (shape, steps, seed) => {
    Object.assign(shape, { mode: 'bound', items: 2 + below(3, seed, 'items'), bad: 0, rounds: 150, effects: faults.includes('approval at once') ? 'asked' : 'all' });
    for (const [n, fault] of faults.entries()) {
      const at = beforeTheFirst(seed);
      if (fault === 'before' || fault === 'after') steps.push({ at, fault: 'crash', point: 'runner.effect', side: fault, skip: below(2, seed, 'steered skip', n) });
      else steps.push({ at, fault, n: below(1000, seed, 'steered value', n) });
    }
  };
const toFiles =
  (side: Side): Steering =>
  (_shape, steps, seed) =>
    void steps.push({ at: beforeTheFirst(seed), fault: 'crash', point: 'runner.file', side, skip: below(2, seed, 'steered skip') });
const steerings: readonly Steering[] = [
  toEffects('before'),
  toEffects('after'),
  toEffects('effect timeout', 'after'),
  toEffects('effect lost', 'before'),
  toEffects('permit held'),
  toEffects('approval at once'),
  toFiles('before'),
  toFiles('after'),
  // Long enough for a snapshot, and processes that go after it.
  (shape) => void Object.assign(shape, { mode: 'bound', items: 6, bad: 0, rounds: 150, deploys: true }),
  (_shape, steps, seed) => void steps.push({ at: 200 + below(1600, seed, 'steered'), act: 'cancel', n: 0, stale: false }),
  (shape, steps, seed) => {
    shape.neighbour = true;
    steps.push({ at: 200 + below(1600, seed, 'steered'), fault: 'other workspace', n: 0 });
  },
  ...(['grant lost', 'grant unanswered', 'ring lost', 'crash'] as const).map(
    (fault): Steering =>
      (shape, steps, seed) => {
        Object.assign(shape, { places: 1 + below(2, seed, 'places'), items: 2 + below(3, seed, 'items') });
        for (const n of [0, 1, 2]) {
          const at = below(n === 0 ? 10 : 1500, seed, 'steered', n);
          if (fault === 'crash') steps.push({ at, fault, point: 'goal.write', side: oneOf(sides, seed, 'steered side', n), skip: below(12, seed, 'steered skip', n) });
          else steps.push({ at, fault, n: 0 });
        }
      },
  ),
  // A release is taken back: to one that may not know what has been written since; in the second, another release comes and goes before it.
  (_shape, steps, seed) => void steps.push({ at: 20 + below(1800, seed, 'steered'), fault: 'older code', n: below(1000, seed, 'steered value') }),
  (_shape, steps, seed) => {
    const at = below(1200, seed, 'steered');
    steps.push({ at, fault: 'other code', n: 0 }, { at: at + 300, fault: 'older code', n: below(1000, seed, 'steered value') }, { at: at + 40_000, fault: 'older code', n: 0 });
  },
];

function steer(seed: number, shape: Shape, steps: Step[]): void {
  steerings[Math.floor(seed / steeredEvery) % steerings.length]?.(shape, steps, seed);
}

/** One seed in so many is carried by models, whatever else happens in it. None of them is steered otherwise. */
const modelsEvery = 40;
const modelFaults = ['model answer lost', 'model limited', 'model down', 'model answer lost', 'model window full', 'model down'] as const;

function withModels(seed: number, shape: Shape, steps: Step[]): void {
  shape.models = { tokens: chance(50, seed, 'tokens') ? 40_000 + below(200_000, seed, 'few tokens') : 10_000_000 };
  if (chance(40, seed, 'placed')) {
    shape.places = 1 + below(2, seed, 'places');
    steps.push({ at: below(1000, seed, 'untested'), fault: 'connection untested', n: 0 });
  }
  const faults = 2 + below(5, seed, 'model faults');
  for (let n = 0; n < faults; n++) {
    const at = below(n === 0 ? 3000 : 15_000, seed, 'model fault', n);
    if (n > 0 && chance(35, seed, 'model dies', n)) {
      steps.push({ at, fault: 'crash', point: 'runner.model', side: oneOf(sides, seed, 'model side', n), skip: below(3, seed, 'model skip', n) });
      continue;
    }
    const fault = n === 0 ? 'model window full' : oneOf(modelFaults, seed, 'model fault', n);
    steps.push({ at, fault, n: 0 });
    if (fault === 'model window full' && chance(60, seed, 'compaction dies', n))
      steps.push({ at, fault: 'crash', point: 'runner.compaction', side: oneOf(sides, seed, 'model side', n), skip: 0 });
  }
}

/** Most of a history is its beginning. */
function whenOf(seed: number, ...words: (string | number)[]): number {
  return chance(75, seed, ...words, 'early') ? below(1800, seed, ...words) : below(troubleMs - 60_000, seed, ...words);
}

export function describe(step: Step): string {
  if ('act' in step) return `${step.at} ms: a person: ${step.act} (${step.n}${step.stale ? ', stale' : ''})`;
  return step.fault === 'crash' ? `${step.at} ms: crash ${step.side} ${step.point}, after ${step.skip} of them` : `${step.at} ms: ${step.fault} (${step.n})`;
}
