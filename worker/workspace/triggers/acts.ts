/** What a firing comes to do, in the words of the commands that Goals take. Named by the firing, so that doing it twice is doing it once. Pure. */
import type { Envelope } from '../../domain/commands.ts';
import { isRefusal, type Problem, type Refusal, refuse } from '../../domain/refusals.ts';
import type { Json } from '../../domain/values.ts';
import { goalIdPattern } from '../../goal/goal-id.ts';
import type { Mapped } from '../core/triggers/definition.ts';
import { mappedValue } from '../core/triggers/expressions.ts';
import type { BusinessRound } from '../core/triggers/rounds.ts';
import type { Carried } from './trigger-store.ts';

export type Act =
  /** `goal`: its id, from the trigger and the firing. */
  | { kind: 'create'; goal: string; envelope: Envelope }
  | { kind: 'tell'; goal: string; by: string; envelope: Envelope }
  | { kind: 'answer'; goal: null; by: string; round: string; correlation: string; generation: number; payload?: Json };

/** What `goal.create` takes, and the id of the goal: from the trigger and the firing, so that it is one. */
export interface Made {
  payload: Json;
  goal: string;
}

export function actOf(round: BusinessRound, carried: Carried, instance: (round: BusinessRound, carried: Carried) => Made | Refusal): Act | Refusal {
  const { does, known } = carried;
  const errors: Problem[] = [];
  const read = <T>(name: string, mapped: Mapped, taken: (value: Json) => T | undefined): T | undefined => {
    const asked = mappedValue(mapped, known);
    const value = asked.ok ? taken(asked.value) : undefined;
    if (value === undefined) errors.push({ pointer: `/does/${name}`, code: asked.ok ? 'invalid_value' : 'expression_failed', ...(asked.ok ? {} : { detail: asked.detail }) });
    return value;
  };
  const words = (value: Json) => (typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined);
  const goalId = (value: Json) => (typeof value === 'string' && goalIdPattern.test(value) ? value : undefined);
  const count = (value: Json) => {
    const number = typeof value === 'string' ? Number(value) : value;
    return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined;
  };
  const anything = (mapped: Mapped | undefined) => (mapped === undefined ? undefined : read('payload', mapped, (value) => ({ value })));
  const envelope = (type: Envelope['type'], payload: Json): Envelope => ({ type, commandId: `firing:${round.id}`, expected: {}, payload, dryRun: false });
  const wrong = () => refuse('schema_invalid', { detail: 'what the firing knows does not give what its trigger needs', errors });

  switch (does.kind) {
    case 'goal': {
      const made = instance(round, carried);
      return isRefusal(made) ? made : { kind: 'create', goal: made.goal, envelope: envelope('goal.create', made.payload) };
    }
    case 'signal': {
      const goal = read('goal', does.goal, goalId);
      const correlation = read('correlation', does.correlation, words);
      const generation = read('generation', does.generation, count);
      const payload = anything(does.payload);
      if (goal === undefined || correlation === undefined || generation === undefined || errors.length > 0) return wrong();
      return { kind: 'tell', goal, by: round.name, envelope: envelope('wait.signal', { correlation, generation, ...(payload ? { payload: payload.value } : {}) }) };
    }
    case 'message': {
      const goal = read('goal', does.goal, goalId);
      const text = read('text', does.text, words);
      if (goal === undefined || text === undefined) return wrong();
      return { kind: 'tell', goal, by: round.name, envelope: envelope('message.post', { text }) };
    }
    case 'answer': {
      const target = read('round', does.round, words);
      const correlation = read('correlation', does.correlation, words);
      const generation = read('generation', does.generation, count);
      const payload = anything(does.payload);
      if (target === undefined || correlation === undefined || generation === undefined || errors.length > 0) return wrong();
      return { kind: 'answer', goal: null, by: round.name, round: target, correlation, generation, ...(payload ? { payload: payload.value } : {}) };
    }
    default:
      return does satisfies never;
  }
}
