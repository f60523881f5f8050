import { expect, it } from 'vitest';
import { parameterSchema } from '../../../../worker/domain/template/parameters.ts';
import type { Json } from '../api/types.ts';
import { textOf, readValue, wrongWith } from './parameters.ts';

const schema = (given: object) => parameterSchema.parse(given);

it('what is typed becomes a value of the declared type, and back', () => {
  const cases: [object, string, Json][] = [
    [{ type: 'string' }, ' as it is ', ' as it is '],
    [{ type: 'integer' }, '-12', -12],
    [{ type: 'number' }, '1.5', 1.5],
    [{ type: 'boolean' }, 'false', false],
    [{ type: 'array', items: { type: 'string' } }, 'a\nb c', ['a', 'b c']],
    [{ type: 'array', items: { type: 'integer' } }, '1\n2', [1, 2]],
  ];
  for (const [given, text, value] of cases) {
    expect(readValue(schema(given), text)).toEqual({ value });
    expect(textOf(value)).toBe(text);
  }
});
it('an empty one is not given: the default holds, or it is asked for', () => {
  expect(wrongWith(schema({ type: 'integer', default: 3 }), ' ')).toBeNull();
  for (const type of ['string', 'integer', 'boolean']) expect(wrongWith(schema({ type }), '')).toBe('required');
});
it('what is no such value is said, and not guessed', () => {
  expect(wrongWith(schema({ type: 'integer' }), '1.5')).toBe('invalid');
  expect(wrongWith(schema({ type: 'number' }), 'many')).toBe('invalid');
  expect(wrongWith(schema({ type: 'array', items: { type: 'integer' } }), '1\nx')).toBe('invalid');
});
