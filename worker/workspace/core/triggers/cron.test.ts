import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dueWithin, MINUTE, nextAfter, occurrenceOf, type Schedule, scheduleProblem, upcoming } from './cron.ts';
import { look, type Missed, ON_TIME_MS, REPLAYED_AT_MOST } from './missed.ts';

const at = (text: string) => Date.parse(text);
const iso = (times: number[]) => times.map((time) => new Date(time).toISOString().replace(':00.000Z', 'Z'));
const zones = ['UTC', 'Europe/Berlin', 'America/Chicago', 'America/Havana', 'Australia/Lord_Howe', 'Asia/Shanghai', 'America/Sao_Paulo', 'Africa/Casablanca', 'Asia/Kathmandu'];

/** What a clock on the wall of that zone shows. */
const wall = (zone: string, time: number) => {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(time);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  return { day: `${part('year')}-${part('month')}-${part('day')}`, time: `${part('hour')}:${part('minute')}` };
};

function walked(schedule: Schedule, from: number, to: number): number[] {
  const all: number[] = [];
  for (let next = nextAfter(schedule, from); next !== null && next <= to; next = nextAfter(schedule, next)) all.push(next);
  return all;
}

describe('due times', () => {
  it('B45: the days around a change of the clocks are due like any other', () => {
    expect(iso(upcoming({ cron: '0 10 * * *', zone: 'America/Chicago' }, at('2027-03-13T15:00Z'), 3))).toEqual(['2027-03-13T16:00Z', '2027-03-14T15:00Z', '2027-03-15T15:00Z']);
    expect(iso(upcoming({ cron: '0 12 * * 0', zone: 'Europe/Berlin' }, at('2027-03-25T00:00Z'), 1))).toEqual(['2027-03-28T10:00Z']);
  });

  it('a time that is skipped is due when the clocks go forward, once; one that comes twice at the first', () => {
    expect(iso(upcoming({ cron: '30 2 * * *', zone: 'Europe/Berlin' }, at('2027-03-27T12:00Z'), 2))).toEqual(['2027-03-28T01:00Z', '2027-03-29T00:30Z']);
    expect(iso(upcoming({ cron: '10,50 2 * * *', zone: 'Europe/Berlin' }, at('2027-03-28T00:00Z'), 2))).toEqual(['2027-03-28T01:00Z', '2027-03-29T00:10Z']);
    expect(iso(upcoming({ cron: '30 2 * * *', zone: 'Europe/Berlin' }, at('2027-10-30T12:00Z'), 2))).toEqual(['2027-10-31T00:30Z', '2027-11-01T01:30Z']);
    // Elapsed time knows no such hours.
    expect(iso(upcoming({ cron: '*/30 * * * *', zone: 'Europe/Berlin' }, at('2027-10-31T00:00Z'), 4))).toEqual([
      '2027-10-31T00:30Z',
      '2027-10-31T01:00Z',
      '2027-10-31T01:30Z',
      '2027-10-31T02:00Z',
    ]);
  });

  it('of a time of day: every day of every zone once, at that time where it exists', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.nat(23), fc.nat(59), fc.nat(365 * 3), (zone, hour, minute, day) => {
        const schedule = { cron: `${minute} ${hour} * * *`, zone };
        const from = Date.UTC(2026, 0, 1) + day * 86_400_000;
        const times = upcoming(schedule, from, 8);
        const shown = times.map((time) => wall(zone, time));
        // Eight times are eight days, one after another.
        expect(new Set(shown.map((each) => each.day)).size).toBe(8);
        const days = shown.map((each) => Date.parse(each.day) / 86_400_000);
        for (const [n, each] of days.entries()) if (n > 0) expect(each - (days[n - 1] ?? 0)).toBe(1);
        const wanted = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
        for (const [n, each] of shown.entries()) {
          if (each.time === wanted) {
            // The first of the two.
            for (const before of [30, 60, 120]) expect(wall(zone, (times[n] ?? 0) - before * MINUTE)).not.toEqual(each);
          } else {
            // It does not exist on that day: the minute before, the clocks show a time before it.
            expect(wall(zone, (times[n] ?? 0) - MINUTE).time < wanted || hour === 0).toBe(true);
            expect(each.time > wanted).toBe(true);
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  it('looking back finds what looking forward found', () => {
    const cron = fc.constantFrom('*/5 * * * *', '30 2 * * *', '0 0 1 * *', '15 */6 * * 1-5', '0 12 * * 0', '59 23 L * *', '* 1 * * *');
    fc.assert(
      fc.property(cron, fc.constantFrom(...zones), fc.nat(3 * 365 * 1440), fc.nat(2 * 1440), fc.integer({ min: 1, max: 30 }), (text, zone, start, length, most) => {
        const schedule = { cron: text, zone };
        const from = Date.UTC(2026, 0, 1) + start * MINUTE;
        const to = from + length * MINUTE;
        const all = walked(schedule, from, to);
        expect(dueWithin(schedule, from, to, most)).toEqual({ times: all.slice(-most), more: all.length > most });
      }),
      { numRuns: 60 },
    );
  });

  it('a schedule that means nothing is refused with what is wrong', () => {
    const problem = (cron: string, zone = 'UTC') => scheduleProblem({ cron, zone })?.code ?? null;
    expect([problem('0 10 * * *'), problem('0 10 * * MON-FRI', 'Asia/Shanghai')]).toEqual([null, null]);
    expect([problem('61 * * * *'), problem('* * * * * *'), problem('@daily'), problem(''), problem('0 0 * * * 2027')]).toEqual(Array(5).fill('invalid_cron'));
    expect([problem('0 0 31 2 *')]).toEqual(['never']);
    expect([problem('0 0 * * *', 'Mars/Olympus'), problem('0 0 * * *', '+02:00'), problem('0 0 * * *', '')]).toEqual(Array(3).fill('invalid_zone'));
  });
});

describe('what was missed', () => {
  const hourly: Schedule = { cron: '0 * * * *', zone: 'UTC' };
  const from = at('2027-01-05T00:30Z');
  const away = at('2027-01-05T05:30Z');
  const names = (looked: ReturnType<typeof look>) => looked.fire.map(({ occurrence, standsFor }) => `${occurrence} ${standsFor}`);

  it('B41: an alarm that comes early and again fires the occurrence once, under its own name', () => {
    const daily = { cron: '10 12 * * *', zone: 'UTC' };
    const rule: Missed = { rule: 'coalesce' };
    const early = look(daily, rule, at('2027-01-05T00:00Z'), at('2027-01-05T12:09:40Z'));
    expect(early.fire).toEqual([]);
    const onTime = look(daily, rule, early.through, at('2027-01-05T12:10:00Z'));
    expect(onTime.fire).toEqual([{ occurrence: '2027-01-05T12:10Z', due: at('2027-01-05T12:10Z'), standsFor: 1 }]);
    expect(look(daily, rule, onTime.through, at('2027-01-05T12:10:01Z')).fire).toEqual([]);
    expect(nextAfter(daily, onTime.through)).toBe(at('2027-01-06T12:10Z'));
  });

  it('is one firing, none, or the newest so many', () => {
    expect(names(look(hourly, { rule: 'coalesce' }, from, away))).toEqual(['2027-01-05T05:00Z 5']);
    expect(look(hourly, { rule: 'skip' }, from, away)).toEqual({
      fire: [],
      missed: { occurrence: '2027-01-05T05:00Z', due: at('2027-01-05T05:00Z'), standsFor: 5 },
      through: away,
    });
    expect(names(look(hourly, { rule: 'skip' }, from, at('2027-01-05T03:01Z')))).toEqual(['2027-01-05T03:00Z 1']);
    const replayed = look(hourly, { rule: 'replay', most: 2 }, from, away);
    expect(names(replayed)).toEqual(['2027-01-05T04:00Z 1', '2027-01-05T05:00Z 1']);
    expect(replayed.missed).toMatchObject({ occurrence: '2027-01-05T03:00Z', standsFor: 3 });
  });

  it('after a month away is looked through in no time', () => {
    const looked = look({ cron: '* * * * *', zone: 'Europe/Berlin' }, { rule: 'coalesce' }, from, from + 31 * 86_400_000);
    expect(looked.fire).toMatchObject([{ standsFor: REPLAYED_AT_MOST, more: true }]);
  });

  it('whenever somebody looks, and however the clock jumps: no occurrence fires twice, and with `replay` none is lost within the cap', () => {
    const looks = fc.array(fc.integer({ min: -600, max: 600 }), { minLength: 1, maxLength: 25 });
    const rules = fc.constantFrom<Missed>({ rule: 'skip' }, { rule: 'coalesce' }, { rule: 'replay', most: 100 });
    fc.assert(
      fc.property(
        fc.constantFrom('*/20 * * * *', '30 2 * * *', '0 */2 * * *'),
        fc.constantFrom('Europe/Berlin', 'Australia/Lord_Howe', 'UTC'),
        rules,
        looks,
        (cron, zone, rule, jumps) => {
          const schedule = { cron, zone };
          const start = at('2027-03-27T20:07Z');
          let [through, now] = [start, start];
          const fired: string[] = [];
          let counted = 0;
          for (const jump of jumps) {
            now += jump * MINUTE;
            const looked = look(schedule, rule, through, now);
            expect(looked.through).toBeGreaterThanOrEqual(through);
            through = looked.through;
            for (const each of looked.fire) {
              fired.push(each.occurrence);
              counted += each.standsFor;
              expect(each.due).toBeLessThanOrEqual(now);
              if (rule.rule === 'skip') expect(now - each.due).toBeLessThanOrEqual(ON_TIME_MS);
            }
            counted += looked.missed?.standsFor ?? 0;
          }
          expect(new Set(fired).size).toBe(fired.length);
          expect([...fired].sort()).toEqual(fired);
          const due = walked(schedule, start, through);
          // Each due time is told of once, as fired, stood for or missed.
          expect(counted).toBe(due.length);
          if (rule.rule === 'replay') expect(fired).toEqual(due.map(occurrenceOf));
        },
      ),
      { numRuns: 120 },
    );
  });
});
