/**
 * An agent written as a list of messages per lane: the n-th request of a round is answered with the n-th step, the last one again and again. It keeps nothing, so a request
 * that is made again gets the same answer, and a conversation can go on with another server.
 */
import { type Answer, type JsonValue, passesTest, type Script, type Turn } from '../script.ts';

/** The opening message of a round, as far as these agents look at it. */
export interface Seen {
  lane: 'coordinator' | 'worker' | 'reviewer' | 'subagent' | 'none';
  purpose: string;
  /** Key of the work item at hand; empty where there is none. */
  item: string;
  attempt: number;
  goalVersion: number;
  opening: string;
  /** A `<data>` block by its name. */
  data(name: string): JsonValue | undefined;
}

export type Step = Answer | ((turn: Turn, seen: Seen) => Answer | Promise<Answer>);
export type Steps = Step[] | ((seen: Seen) => Step[]);

export function seenOf(turn: Turn): Seen {
  const first = turn.request.messages.find((message) => message.role === 'user');
  const opening = typeof first?.content === 'string' ? first.content : '';
  const lane = /^# (Coordinator|Worker|Reviewer|Subagent) round/m.exec(opening)?.[1]?.toLowerCase() as Seen['lane'] | undefined;
  const data = (name: string) => {
    const block = new RegExp(`<data name="${name}">\\n([\\s\\S]*?)\\n</data>`).exec(opening)?.[1];
    return block === undefined ? undefined : (JSON.parse(block) as JsonValue);
  };
  const item = data('item') as { key?: string; attemptNumber?: number } | undefined;
  return {
    lane: lane ?? 'none',
    purpose: /purpose: (\w+)/.exec(opening)?.[1] ?? '',
    item: item?.key ?? '',
    attempt: item?.attemptNumber ?? 0,
    goalVersion: Number(/Goal version (\d+)/.exec(opening)?.[1] ?? 0),
    opening,
    data,
  };
}

export function stepwise(lanes: Partial<Record<Seen['lane'], Steps>>): Script {
  return passesTest((turn) => {
    const seen = seenOf(turn);
    const given = lanes[seen.lane];
    const steps = typeof given === 'function' ? given(seen) : (given ?? []);
    const step = steps[Math.min(turn.answers, steps.length - 1)];
    if (step === undefined) return { kind: 'message', text: `I have nothing to do in the lane ${seen.lane}.` };
    return typeof step === 'function' ? step(turn, seen) : step;
  });
}

/** Another agent over a bad line: before its n-th request is let through, each answer of `faults` comes first, per agent and not per round. */
export function first(faults: readonly Answer[], agent: Script): Script {
  let made = 0;
  return (turn) => {
    const fault = faults[made];
    made += 1;
    return fault ?? agent(turn);
  };
}

/** Another agent over a line that fails again and again: a share of all requests gets one of the faults instead, by a seed. */
export function flaky(seed: number, share: number, faults: readonly Answer[], agent: Script): Script {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return (turn) => {
    const fault = next() < share ? faults[Math.floor(next() * faults.length)] : undefined;
    return fault ?? agent(turn);
  };
}
