import { expect, it } from 'vitest';
import { parameters } from '../../../../worker/domain/template/parameters.ts';
import { triggerDefinition } from '../../../../worker/workspace/core/triggers/definition.ts';
import type { Trigger } from '../api/types.ts';
import { definitionOf, typedOf, wrongIn } from './trigger-form.ts';

const goal = 'goal_6fsysnsfdebsftkbjzam980mfzzds5f4';
const declared = parameters.parse({ whom: { type: 'string' }, count: { type: 'integer', default: 1 }, list: { type: 'array', items: { type: 'string' }, default: [] } });
const trigger = (definition: object): Trigger => ({ ...triggerDefinition.parse(definition), id: 'x.1', hook: null });

it('a trigger that is opened and saved unchanged is the same, whatever it is', () => {
  const all = [
    {
      name: 'nightly',
      title: 'Every night',
      source: { kind: 'cron', cron: '10 12 * * *', zone: 'Europe/Berlin', missed: { rule: 'replay', most: 3 } },
      does: { kind: 'goal', template: 'greeting', parameters: { whom: { from: 'due' }, count: { value: 3 }, list: { value: ['a', 'b'] } }, ends: 'command' },
      overlap: { rule: 'queue', withinMinutes: 30 },
      paused: true,
    },
    { name: 'odd', source: { kind: 'cron', cron: '0 8 * * 1#2', zone: 'UTC' }, does: { kind: 'message', goal: { value: goal }, text: { from: 'data.text' } } },
    {
      name: 'hook',
      source: { kind: 'webhook', style: 'github', secrets: ['a', 'b'], toleranceSeconds: 60, filter: "data.kind == 'order'" },
      does: { kind: 'signal', goal: { from: 'data.goal' }, correlation: { value: 'order-7' }, payload: { value: { a: [1] } } },
      overlap: { rule: 'replay', most: 2, withinMinutes: 5 },
    },
    { name: 'back', source: { kind: 'api' }, does: { kind: 'answer', round: { from: 'data.round' }, correlation: { from: 'data.c' }, generation: { from: 'data.n' } } },
  ].map(trigger);
  for (const each of all) {
    const typed = typedOf(each, 'UTC');
    expect(wrongIn(typed, declared, [])).toEqual({});
    const { id: _id, hook: _hook, ...definition } = each;
    expect(triggerDefinition.parse(definitionOf(typed, declared, each.paused))).toEqual(definition);
  }
});

it('a new one says what is missing, and does not choose what completes its rounds', () => {
  const typed = { ...typedOf(undefined, 'Asia/Shanghai'), name: 'Nightly!', plain: { ...typedOf(undefined, 'UTC').plain, time: '' } };
  expect(wrongIn(typed, declared, [])).toEqual({ name: 'invalid', cron: 'required', template: 'required', ends: 'required', 'parameter:whom': 'required' });
  expect(wrongIn({ ...typed, name: 'a', kind: 'webhook', tolerance: 5, does: 'message', overlap: 'queue', within: 0.5 }, {}, ['a'])).toEqual({
    name: 'taken',
    secret: 'required',
    tolerance: 'invalid',
    'mapped:goal': 'required',
    'mapped:text': 'required',
    within: 'invalid',
  });
});

it('knows a goal, a number and JSON from what is not', () => {
  const base = { ...typedOf(undefined, 'UTC'), name: 'a', kind: 'api' as const, does: 'signal' as const };
  const value = (text: string) => ({ how: 'value' as const, text });
  const mapped = { ...base.mapped, goal: value('goal_1'), correlation: value('c'), generation: value('0'), payload: value('{') };
  expect(wrongIn({ ...base, mapped }, {}, [])).toEqual({ 'mapped:goal': 'invalid', 'mapped:generation': 'invalid', 'mapped:payload': 'invalid' });
  const asked = { how: 'from' as const, text: '' };
  expect(wrongIn({ ...base, mapped: { ...mapped, goal: value(goal), generation: asked, payload: asked } }, {}, [])).toEqual({
    'mapped:generation': 'required',
    'mapped:payload': 'required',
  });
});
