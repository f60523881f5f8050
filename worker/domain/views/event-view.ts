/**
 * One event as people and programs read it: names, ids and parameters. Texts stay bodies, named by digest; long lists are cut and their length is
 * given beside them as `<name>Count`, so that one event never fills a frame.
 */

import type { Event } from '../events.ts';
import { EVENT_LIST } from '../limits.ts';
import type { Json } from '../values.ts';
import type { EventView } from './types.ts';

const envelope = new Set(['type', 'v', 'seq', 'at', 'by', 'via']);
/** Parts of an event that hold such ids of their own. */
const parts = ['round', 'submission', 'blocker', 'effect', 'approval', 'wait', 'subagent', 'check', 'verdict'];
const joining = ['item', 'attempt', 'round', 'submission'] as const;

export function eventView(event: Event): EventView {
  const fields = event as unknown as Record<string, Json | undefined>;
  const data: Record<string, Json> = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined && !envelope.has(name)) for (const [shownName, shownValue] of shown(name, value)) data[shownName] = shownValue;
  }
  return { seq: event.seq, at: event.at, type: event.type, by: event.by, ...joined(event, fields), data };
}

/** Ids that join an event to the chain, wherever its shape has them. */
function joined(event: Event, fields: Record<string, Json | undefined>): Pick<EventView, (typeof joining)[number]> {
  const ids: Pick<EventView, (typeof joining)[number]> = {};
  for (const name of joining) {
    const id = named(fields, name) ?? (name === 'round' ? event.via : undefined);
    if (id !== undefined) ids[name] = id;
  }
  return ids;
}

function named(fields: Record<string, Json | undefined>, name: string): string | undefined {
  const own = fields[name];
  if (typeof own === 'string') return own;
  if (isObject(own) && typeof own.id === 'string') return own.id;
  for (const part of parts) {
    const inner = fields[part];
    const id = isObject(inner) ? inner[name] : undefined;
    if (typeof id === 'string') return id;
  }
  return undefined;
}

const isObject = (value: Json | undefined): value is { [key: string]: Json } => typeof value === 'object' && value !== null && !Array.isArray(value);

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
