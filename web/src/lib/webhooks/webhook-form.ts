/** What is typed about an endpoint, and the setting it makes. */
import type { OutletType, Webhook } from '../api/types.ts';

export interface Typed {
  name: string;
  url: string;
  /** Everything, or the types of `events`. */
  all: boolean;
  events: OutletType[];
  /** Goals by id; empty: all. */
  goals: string[];
}
export type Wrong = { [K in 'name' | 'url' | 'events']?: true };

export function typedOf(webhook: Webhook | undefined): Typed {
  const { name = '', url = '', events, goals = [] } = webhook ?? {};
  return { name, url, all: events === undefined, events: [...(events ?? [])], goals: [...goals] };
}

/** The server checks the same, and what it alone knows: whether the address may be called. */
export function wrongIn({ name, url, all, events }: Typed, taken: readonly string[]): Wrong {
  const parsed = URL.canParse(url.trim()) ? new URL(url.trim()) : undefined;
  return {
    ...(/^[a-z0-9][a-z0-9_-]{0,63}$/.test(name.trim()) && !taken.includes(name.trim()) ? {} : { name: true }),
    ...(parsed && /^https?:$/.test(parsed.protocol) && parsed.username === '' && parsed.password === '' && parsed.hash === '' ? {} : { url: true }),
    ...(all || events.length > 0 ? {} : { events: true }),
  };
}

/** `secrets`: newest first. */
export function webhookOf({ name, url, all, events, goals }: Typed, secrets: readonly string[]): Webhook {
  return { name: name.trim(), url: url.trim(), secrets: [...secrets], ...(all ? {} : { events }), ...(goals.length === 0 ? {} : { goals }) };
}

/** A name for the next key of an endpoint that no secret has. */
export function nextKeyName(webhook: string, taken: readonly string[]): string {
  const stem = `${webhook.slice(0, 56)}-key`;
  for (let n = 1; ; n++) {
    const name = n === 1 ? stem : `${stem}-${n}`;
    if (!taken.includes(name)) return name;
  }
}
