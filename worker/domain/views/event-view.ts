/**
 * One event as people and programs read it: names, ids and parameters. Texts stay bodies, named by digest; long lists are cut and their length is
 * given beside them as `<name>Count`, so that one event never fills a frame.
 */

import type { Event } from '../events.ts';
import { EVENT_LIST } from '../limits.ts';
import type { Json } from '../values.ts';
import type { EventView } from './types.ts';

const envelope = new Set(['type', 'v', 'seq', 'at', 'by', 'via']);

export function eventView(event: Event): EventView {
  const fields = Object.entries(event as unknown as Record<string, Json | undefined>).filter(([name, value]) => !envelope.has(name) && value !== undefined) as [string, Json][];
  return {
    seq: event.seq,
    at: event.at,
    type: event.type,
    by: event.by,
    ...joined(event, Object.fromEntries(fields)),
    data: Object.fromEntries(fields.flatMap(([name, value]) => shown(name, value))),
  };
}

/** Ids that join an event to the chain, wherever its shape has them. */
function joined(event: Event, data: Record<string, Json>): Pick<EventView, 'item' | 'attempt' | 'round' | 'submission'> {
  const within = ['round', 'submission', 'blocker', 'effect', 'approval', 'wait', 'subagent', 'check', 'verdict']
    .map((name) => data[name])
    .filter((part): part is { [key: string]: Json } => typeof part === 'object' && part !== null && !Array.isArray(part));
  const named = (name: 'item' | 'attempt' | 'round' | 'submission'): string | undefined => {
    const own = data[name];
    if (typeof own === 'string') return own;
    if (typeof own === 'object' && own !== null && !Array.isArray(own) && typeof own.id === 'string') return own.id;
    return within.map((part) => part[name]).find((value): value is string => typeof value === 'string');
  };
  const item = named('item');
  const attempt = named('attempt');
  const round = named('round') ?? event.via;
  const submission = named('submission');
  return {
    ...(item === undefined ? {} : { item }),
    ...(attempt === undefined ? {} : { attempt }),
    ...(round === undefined ? {} : { round }),
    ...(submission === undefined ? {} : { submission }),
  };
}

/** Contracts and specs are shown by digest and key: they have reads of their own. */
function shown(name: string, value: Json): [string, Json][] {
  if (name === 'contract' && typeof value === 'object' && value !== null && !Array.isArray(value)) return [['contractDigest', value.digest ?? null]];
  return fitted(name, isSpecs(value) ? value.map((entry) => entry.spec.key) : value);
}

function isSpecs(value: Json): value is { spec: { key: Json } }[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((entry) => typeof entry === 'object' && entry !== null && !Array.isArray(entry) && typeof entry.spec === 'object' && entry.spec !== null)
  );
}

function fitted(name: string, value: Json): [string, Json][] {
  if (Array.isArray(value)) {
    const head: [string, Json] = [name, value.slice(0, EVENT_LIST).map(inside)];
    return value.length > EVENT_LIST ? [head, [`${name}Count`, value.length]] : [head];
  }
  return [[name, inside(value)]];
}

function inside(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.slice(0, EVENT_LIST).map(inside);
  return Object.fromEntries(Object.entries(value).flatMap(([name, element]) => fitted(name, element)));
}
