import { expect, it } from 'vitest';
import type { Webhook } from '../api/types.ts';
import { nextKeyName, typedOf, webhookOf, wrongIn } from './webhook-form.ts';

const main: Webhook = { name: 'main', url: 'https://receiver.example/hook', secrets: ['a', 'b'], events: ['goal.completed'], goals: ['goal_1'] };

it('an endpoint that is opened and saved unchanged is the same', () => {
  expect(webhookOf(typedOf(main), main.secrets)).toEqual(main);
  const { events: _events, goals: _goals, ...plain } = main;
  expect(webhookOf(typedOf(plain), plain.secrets)).toEqual(plain);
  expect(wrongIn(typedOf(main), [])).toEqual({});
});
it('hearing of nothing, a wrong address and a name that is taken are said', () => {
  expect(wrongIn({ ...typedOf(main), all: false, events: [] }, ['main'])).toEqual({ name: true, events: true });
  for (const url of ['receiver.example', 'ftp://receiver.example', 'https://me:pw@receiver.example', '']) expect(wrongIn({ ...typedOf(main), url }, [])).toEqual({ url: true });
});
it('the next key has a name of its own', () => {
  expect(nextKeyName('main', [])).toBe('main-key');
  expect(nextKeyName('main', ['main-key', 'main-key-2'])).toBe('main-key-3');
  expect(nextKeyName('x'.repeat(64), ['x']).length).toBeLessThanOrEqual(64);
});
