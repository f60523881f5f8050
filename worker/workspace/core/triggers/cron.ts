/**
 * When a schedule is due: five fields of cron in an IANA time zone. Pure: the same schedule and time give the same answer, and no answer depends on the one before.
 *
 * A time of day that does not exist (the clocks go forward) is due at the moment they do, once, however many such times there are. One that comes twice (the clocks go back) is due at the
 * first of the two, once. A schedule with a `*` or steps in its minutes or hours means elapsed time, and is due in both hours.
 */
import { Cron } from 'croner';

export interface Schedule {
  /** Minute, hour, day of the month, month, day of the week; `L`, `#` and names of days and months are known. */
  cron: string;
  zone: string;
}

/** Minutes are the finest; a firing is named by its own. */
export const MINUTE = 60_000;

const parsed = new Map<string, Cron>();
/** Schedules kept ready in an isolate. */
const kept = 500;

function cronOf({ cron, zone }: Schedule): Cron {
  const key = `${zone} ${cron}`;
  const known = parsed.get(key);
  if (known) return known;
  const made = new Cron(cron, { mode: '5-part', fixedTimeRule: 'no-wildcard', timezone: zone, paused: true });
  if (parsed.size >= kept) parsed.clear();
  parsed.set(key, made);
  return made;
}

/** Whether the schedule and the zone mean something; `cron` or `zone` says which does not, and `never` that it comes to no time at all. */
export function scheduleProblem(schedule: Schedule): { field: 'cron' | 'zone'; code: 'invalid_cron' | 'invalid_zone' | 'never'; detail: string } | null {
  const worded = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 300);
  if (/[^A-Za-z0-9_+\-/]/.test(schedule.zone) || /^[+-]/.test(schedule.zone)) return { field: 'zone', code: 'invalid_zone', detail: schedule.zone };
  try {
    new Intl.DateTimeFormat('en', { timeZone: schedule.zone });
  } catch (error) {
    return { field: 'zone', code: 'invalid_zone', detail: worded(error) };
  }
  // `@daily` and the like are other words for five fields; seconds and years are not known here.
  if (schedule.cron.trim().split(/\s+/).length !== 5) return { field: 'cron', code: 'invalid_cron', detail: 'five fields: minute, hour, day of the month, month, day of the week' };
  try {
    return nextAfter(schedule, Date.UTC(2027, 0, 1)) === null ? { field: 'cron', code: 'never', detail: 'no such day comes' } : null;
  } catch (error) {
    return { field: 'cron', code: 'invalid_cron', detail: worded(error) };
  }
}

/** The first time it is due after `at`, milliseconds; null: never again. */
export function nextAfter(schedule: Schedule, at: number): number | null {
  return cronOf(schedule).nextRun(new Date(at))?.getTime() ?? null;
}

/** The next `count` times. */
export function upcoming(schedule: Schedule, at: number, count: number): number[] {
  const times: number[] = [];
  for (let next = nextAfter(schedule, at); next !== null && times.length < count; next = nextAfter(schedule, next)) times.push(next);
  return times;
}

export interface Due {
  /** In order: the newest of those due after `from` and by `to`, as many as were asked for. */
  times: number[];
  /** There were older ones, which are not counted. */
  more: boolean;
}

/** What was due in (from, to]. After a long time away the oldest are not walked through one by one. */
export function dueWithin(schedule: Schedule, from: number, to: number, most: number): Due {
  const first = nextAfter(schedule, from);
  if (first === null || first > to) return { times: [], more: false };
  const second = nextAfter(schedule, first);
  if (second === null || second > to) return { times: [first], more: false };
  // A run in the same second as the reference counts as one before it.
  const newest = cronOf(schedule)
    .previousRuns(most + 1, new Date(to + 1))
    .map((time) => time.getTime())
    .filter((time) => time > from && time <= to)
    .reverse();
  return { times: newest.slice(-most), more: newest.length > most };
}

/** A firing of a schedule is named by the minute it was due: `2027-01-05T12:10Z`. The same due time is the same firing, whenever it is handled. */
export function occurrenceOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16)}Z`;
}
