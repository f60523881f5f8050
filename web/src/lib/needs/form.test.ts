import { describe, expect, it } from 'vitest';
import { type Form, fill, formOf, inputOf } from './form.ts';
import { worded } from './host-questions.ts';

function fields(form: Form): Extract<Form, { kind: 'fields' }> {
  if (form.kind !== 'fields') throw new Error('expected fields');
  return form;
}

const program = {
  type: 'object',
  properties: { program: { type: 'string', title: 'Program', enum: ['excel-zh', 'libreoffice', 'wps'] } },
  required: ['program'],
  additionalProperties: false,
};

describe('a form from a schema', () => {
  it('offers the choices of an enum, with what is recommended, and chooses nothing itself', () => {
    const form = fields(formOf(program, { program: 'excel-zh' }));
    expect(form.fields[0]).toMatchObject({ name: 'program', label: 'Program', kind: 'enum', required: true, recommended: 'excel-zh' });
    expect(fill(form, {})).toEqual({ ok: false, errors: { program: 'required' } });
    expect(fill(form, { program: '2' })).toEqual({ ok: true, value: { program: 'wps' } });
  });
  it('keeps types: numbers, integers within bounds, booleans, and leaves out what is optional and empty', () => {
    const form = fields(
      formOf({
        type: 'object',
        properties: { limit: { type: 'integer', minimum: 1, maximum: 9 }, rate: { type: 'number' }, strict: { type: 'boolean' }, note: { type: 'string' } },
        required: ['limit', 'strict'],
      }),
    );
    expect(fill(form, { limit: '7', rate: '0.5', strict: 'false', note: ' ' })).toEqual({ ok: true, value: { limit: 7, rate: 0.5, strict: false } });
    expect(fill(form, { limit: '7.5', strict: 'true' })).toEqual({ ok: false, errors: { limit: 'number' } });
    expect(fill(form, { limit: '10', strict: 'true' })).toEqual({ ok: false, errors: { limit: 'number' } });
  });
  it('reads titled choices', () => {
    const form = fields(
      formOf(
        {
          oneOf: [
            { const: 'retry', title: 'Try again' },
            { const: 'person', title: 'A person judges' },
          ],
        },
        'person',
      ),
    );
    expect(form.single).toBe(true);
    expect(form.fields[0]?.options.map((option) => option.label)).toEqual(['Try again', 'A person judges']);
    expect(fill(form, { '': '1' })).toEqual({ ok: true, value: 'person' });
  });
  it('asks for JSON where a flat form would lose something', () => {
    expect(formOf({ type: 'object', properties: { rows: { type: 'array', items: { type: 'string' } } } }).kind).toBe('json');
    expect(formOf(true).kind).toBe('json');
  });
  it('puts a recommended value back as its input', () => {
    const form = fields(formOf({ type: 'object', properties: { program: { enum: ['a', 'b'] }, on: { type: 'boolean' } } }));
    const [choice, on] = form.fields;
    expect(choice && inputOf(choice, 'b')).toBe('1');
    expect(on && inputOf(on, true)).toBe('true');
  });
});

it('the host’s own choices are worded; those of anybody else stay as they were given', () => {
  const decision = (...values: string[]) => worded(formOf({ type: 'object', properties: { decision: { enum: values } }, required: ['decision'] }));
  const labels = (form: Form) => (form.kind === 'fields' ? form.fields[0]?.options.map(({ label }) => label) : []);
  expect(labels(decision('try_again', 'person_judges'))).not.toContain('try_again');
  expect(labels(decision('try_again', 'something_else'))).toEqual(['try_again', 'something_else']);
  expect(labels(worded(formOf(program)))).toEqual(['excel-zh', 'libreoffice', 'wps']);
});
