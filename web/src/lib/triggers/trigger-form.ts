/** What is typed about a trigger, and the definition it makes. */
import type { DeclaredParameters, HookStyle, Json, Mapped, Trigger, TriggerDefinition } from '../api/types.ts';
import { readValue, textOf, wrongWith } from '../templates/parameters.ts';
import { jsonOf } from '../words/json.ts';
import { cronOf, type Plain, plainOf, plainStart } from './schedule.ts';

/** A value as it stands, or an expression that is asked of what came in. */
export interface TypedMapped {
  how: 'value' | 'from';
  text: string;
}
/** Fields of the actions that start no goal; `generation` is a whole number, `payload` JSON, the others are texts. */
export const mappedFields = ['goal', 'round', 'correlation', 'generation', 'text', 'payload'] as const;
export type MappedField = (typeof mappedFields)[number];

export interface Typed {
  name: string;
  title: string;
  kind: 'cron' | 'webhook' | 'api';
  said: 'plain' | 'expression';
  plain: Plain;
  expression: string;
  zone: string;
  missed: 'coalesce' | 'skip' | 'replay';
  missedMost: number;
  style: HookStyle;
  /** Names of secrets; the second may be empty. */
  secrets: [string, string];
  tolerance: number;
  filter: string;
  does: 'goal' | 'signal' | 'message' | 'answer';
  template: string;
  parameters: Record<string, TypedMapped>;
  ends: '' | 'goal' | 'command';
  mapped: Record<MappedField, TypedMapped>;
  overlap: 'skip' | 'queue' | 'replay';
  within: number;
  most: number;
}

/** Of each action: what it needs, and what it may have. */
export const fieldsOf: Record<Exclude<Typed['does'], 'goal'>, readonly MappedField[]> = {
  signal: ['goal', 'correlation', 'generation', 'payload'],
  message: ['goal', 'text'],
  answer: ['round', 'correlation', 'generation', 'payload'],
};
export const isOptional = (does: Typed['does'], field: MappedField): boolean => field === 'payload' || (field === 'generation' && does === 'signal');

const empty = (): TypedMapped => ({ how: 'value', text: '' });
const typedMapped = (mapped: Mapped | undefined): TypedMapped =>
  mapped === undefined ? empty() : 'from' in mapped ? { how: 'from', text: mapped.from } : { how: 'value', text: textOf(mapped.value) };
const typedPayload = (mapped: Mapped | undefined): TypedMapped =>
  mapped === undefined ? empty() : 'from' in mapped ? { how: 'from', text: mapped.from } : { how: 'value', text: JSON.stringify(mapped.value, null, 1) };

/** `zone`: where the reader is, for a new one. */
export function typedOf(trigger: Trigger | undefined, zone: string): Typed {
  const { source, does, overlap } = trigger ?? {};
  const cron = source?.kind === 'cron' ? source : undefined;
  const hook = source?.kind === 'webhook' ? source : undefined;
  const plain = cron ? plainOf(cron.cron) : plainStart;
  const missed = cron?.missed ?? { rule: 'coalesce' };
  const parts: Partial<Record<MappedField, Mapped>> = does && does.kind !== 'goal' ? does : {};
  return {
    name: trigger?.name ?? '',
    title: trigger?.title ?? '',
    kind: source?.kind ?? 'cron',
    said: plain ? 'plain' : 'expression',
    plain: { ...(plain ?? plainStart) },
    expression: cron?.cron ?? cronOf(plainStart) ?? '',
    zone: cron?.zone ?? zone,
    missed: missed.rule,
    missedMost: missed.rule === 'replay' ? missed.most : 10,
    style: hook?.style ?? 'standard',
    secrets: [hook?.secrets[0] ?? '', hook?.secrets[1] ?? ''],
    tolerance: hook?.toleranceSeconds ?? 300,
    filter: hook?.filter ?? '',
    does: does?.kind ?? 'goal',
    template: does?.kind === 'goal' ? does.template : '',
    parameters: does?.kind === 'goal' ? Object.fromEntries(Object.entries(does.parameters).map(([name, mapped]) => [name, typedMapped(mapped)])) : {},
    ends: does?.kind === 'goal' ? does.ends : '',
    mapped: {
      goal: typedMapped(parts.goal),
      round: typedMapped(parts.round),
      correlation: typedMapped(parts.correlation),
      generation: typedMapped(parts.generation),
      text: typedMapped(parts.text),
      payload: typedPayload(parts.payload),
    },
    overlap: overlap?.rule ?? 'skip',
    within: overlap && overlap.rule !== 'skip' ? overlap.withinMinutes : 60,
    most: overlap?.rule === 'replay' ? overlap.most : 20,
  };
}

/** The five fields that are meant; null while something is not filled in. */
export const cronIn = (typed: Typed): string | null => (typed.said === 'plain' ? cronOf(typed.plain) : typed.expression.trim() || null);

export type Wrong = 'required' | 'invalid' | 'taken';
const whole = (value: unknown, from: number, to: number) => typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to;

/** What is wrong with each field, by its name; parameters as `parameter:<name>`, fields of an action as `mapped:<name>`. The server checks the same, and what it alone knows. */
export function wrongIn(typed: Typed, declared: DeclaredParameters, taken: readonly string[]): Record<string, Wrong> {
  const wrong: Record<string, Wrong> = {};
  const name = typed.name.trim();
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(name)) wrong.name = 'invalid';
  else if (taken.includes(name)) wrong.name = 'taken';
  if (typed.kind === 'cron') {
    if (cronIn(typed) === null) wrong.cron = 'required';
    if (typed.zone.trim() === '') wrong.zone = 'required';
    if (typed.missed === 'replay' && !whole(typed.missedMost, 1, 100)) wrong.missedMost = 'invalid';
  }
  if (typed.kind === 'webhook') {
    if (typed.secrets[0] === '') wrong.secret = 'required';
    if (!whole(typed.tolerance, 30, 3600)) wrong.tolerance = 'invalid';
  }
  if (typed.does === 'goal') {
    if (typed.template === '') wrong.template = 'required';
    if (typed.ends === '') wrong.ends = 'required';
    for (const [parameter, schema] of Object.entries(declared)) {
      const given = typed.parameters[parameter] ?? empty();
      const found = given.how === 'from' ? (given.text.trim() === '' ? 'required' : null) : wrongWith(schema, given.text);
      if (found) wrong[`parameter:${parameter}`] = found;
    }
  } else {
    for (const field of fieldsOf[typed.does]) {
      const found = wrongMapped(typed.does, field, typed.mapped[field]);
      if (found) wrong[`mapped:${field}`] = found;
    }
  }
  if (typed.overlap !== 'skip' && !whole(typed.within, 1, 7 * 1440)) wrong.within = 'invalid';
  if (typed.overlap === 'replay' && !whole(typed.most, 1, 100)) wrong.most = 'invalid';
  return wrong;
}

function wrongMapped(does: Typed['does'], field: MappedField, { how, text }: TypedMapped): Wrong | null {
  if (text.trim() === '') return how === 'value' && isOptional(does, field) ? null : 'required';
  if (how === 'from') return null;
  if (field === 'goal') return /^goal_[0-9a-z]{32}$/.test(text.trim()) ? null : 'invalid';
  if (field === 'generation') return whole(Number(text), 1, Number.MAX_SAFE_INTEGER) ? null : 'invalid';
  return field === 'payload' && jsonOf(text) === undefined ? 'invalid' : null;
}

function mappedOf(field: MappedField, { how, text }: TypedMapped): Mapped | undefined {
  if (text.trim() === '') return undefined;
  if (how === 'from') return { from: text.trim() };
  if (field === 'payload') return { value: jsonOf(text) ?? null };
  if (field === 'generation') return { value: Number(text) };
  return { value: field === 'text' ? text : text.trim() };
}

/** Of what is not wrong. `paused` stays as it is: pausing is a command of its own. */
export function definitionOf(typed: Typed, declared: DeclaredParameters, paused: boolean): Json {
  const definition = { name: typed.name.trim(), title: typed.title.trim(), source: sourceOf(typed), does: doesOf(typed, declared), overlap: overlapOf(typed), paused };
  return definition as unknown as Json;
}

function sourceOf(typed: Typed): TriggerDefinition['source'] {
  switch (typed.kind) {
    case 'cron': {
      const missed = typed.missed === 'replay' ? { rule: typed.missed, most: typed.missedMost } : { rule: typed.missed };
      return { kind: 'cron', cron: cronIn(typed) ?? '', zone: typed.zone.trim(), missed };
    }
    case 'webhook': {
      const filter = typed.filter.trim();
      const secrets = [...new Set(typed.secrets)].filter((name) => name !== '');
      return { kind: 'webhook', style: typed.style, secrets, toleranceSeconds: typed.tolerance, ...(filter === '' ? {} : { filter }) };
    }
    case 'api':
      return { kind: 'api' };
    default:
      return typed.kind satisfies never;
  }
}

function doesOf(typed: Typed, declared: DeclaredParameters): object {
  if (typed.does !== 'goal') {
    const parts = fieldsOf[typed.does].flatMap((field) => {
      const mapped = mappedOf(field, typed.mapped[field]);
      return mapped === undefined ? [] : [[field, mapped] as const];
    });
    return { kind: typed.does, ...Object.fromEntries(parts) };
  }
  const parameters: Record<string, Mapped> = {};
  for (const [name, schema] of Object.entries(declared)) {
    const given = typed.parameters[name] ?? empty();
    if (given.how === 'from') parameters[name] = { from: given.text.trim() };
    else {
      const value = readValue(schema, given.text)?.value;
      if (value !== undefined) parameters[name] = { value };
    }
  }
  return { kind: 'goal', template: typed.template, parameters, ends: typed.ends };
}

function overlapOf({ overlap, within, most }: Typed): TriggerDefinition['overlap'] {
  if (overlap === 'skip') return { rule: overlap };
  return overlap === 'queue' ? { rule: overlap, withinMinutes: within } : { rule: overlap, most, withinMinutes: within };
}
