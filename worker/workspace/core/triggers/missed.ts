/** What becomes of the times at which a schedule was due, once somebody looks: those on time fire; for those that were missed the trigger says. Pure. */
import { dueWithin, occurrenceOf, type Schedule } from './cron.ts';

/** An alarm that comes this late is on time: milliseconds. */
export const ON_TIME_MS = 2 * 60_000;
/** Firings that one look may make up for. */
export const REPLAYED_AT_MOST = 100;

/** `skip`: they are on record and nothing more. `coalesce`: one firing stands for all. `replay`: the newest so many fire, in order. */
export type Missed = { rule: 'skip' } | { rule: 'coalesce' } | { rule: 'replay'; most: number };

export interface Occurrence {
  /** `2027-01-05T12:10Z`: the same due time is the same occurrence. */
  occurrence: string;
  due: number;
  /** How many due times it stands for, itself included. `more`: at least so many. */
  standsFor: number;
  more?: true;
}

export interface Looked {
  fire: Occurrence[];
  /** Recorded, and never fired: one entry for all of them. */
  missed: Occurrence | null;
  /** The next look begins here. Never goes back. */
  through: number;
}

/** Looks at (through, now]. A clock that went back finds nothing due, and what it found before is not found again. */
export function look(schedule: Schedule, rule: Missed, through: number, now: number): Looked {
  if (now <= through) return { fire: [], missed: null, through };
  const { times, more } = dueWithin(schedule, through, now, REPLAYED_AT_MOST);
  const one = (due: number, standsFor = 1, further = false): Occurrence => ({ occurrence: occurrenceOf(due), due, standsFor, ...(further ? { more: true } : {}) });
  const newest = times.at(-1);
  if (newest === undefined) return { fire: [], missed: null, through: now };
  switch (rule.rule) {
    case 'coalesce':
      return { fire: [one(newest, times.length, more)], missed: null, through: now };
    case 'skip': {
      const fire = times.filter((due) => now - due <= ON_TIME_MS);
      return { fire: fire.map((due) => one(due)), missed: together(times.slice(0, times.length - fire.length), more, one), through: now };
    }
    case 'replay': {
      const fire = times.slice(-rule.most);
      return { fire: fire.map((due) => one(due)), missed: together(times.slice(0, times.length - fire.length), more, one), through: now };
    }
    default:
      return rule satisfies never;
  }
}

function together(times: number[], more: boolean, one: (due: number, standsFor: number, further: boolean) => Occurrence): Occurrence | null {
  const newest = times.at(-1);
  return newest === undefined ? null : one(newest, times.length, more);
}
