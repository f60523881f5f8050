/** A lane alone, on a clock and timers of the test. */
import { describe, expect, it } from 'vitest';
import type { Json } from '../../domain/values.ts';
import { Counters } from '../counters.ts';
import type { ProtocolPorts } from '../protocol-ports.ts';
import { Lane, type Turn } from './lane.ts';

class OneLane extends Lane {
  readonly name = 'one';
  delivered = 0;
  fails = false;
  undelivered = true;

  pending(): boolean {
    return this.undelivered;
  }

  protected async turn(): Promise<Turn> {
    if (this.fails) throw new Error('nobody there');
    this.delivered++;
    this.undelivered = false;
    return 'done';
  }

  protected pace(): number {
    return 0;
  }

  protected details(): { [key: string]: Json } {
    return {};
  }
}

function laneAt(began: number) {
  const clock = { at: began, now: () => clock.at };
  const armed: { ms: number; work: () => void }[] = [];
  const ports = {
    clock,
    timers: {
      after: (ms: number, work: () => void) => {
        armed.push({ ms, work });
        return () => {};
      },
    },
    counters: new Counters(),
    log: { warn: () => {} },
    random: () => 1,
  } as unknown as ProtocolPorts;
  return { lane: new OneLane(ports), clock, armed };
}

describe('a lane', () => {
  it('waits for its back-off', async () => {
    const { lane, clock } = laneAt(1_000_000);
    lane.fails = true;
    await lane.run();
    lane.fails = false;
    await lane.run();
    expect(lane.delivered).toBe(0);
    expect(lane.wakeAt()).toBeLessThanOrEqual(1_001_000);
    clock.at += 500;
    await lane.run();
    expect(lane.delivered).toBe(1);
  });

  it('does not wait for a time that its clock reckoned before it went back', async () => {
    const { lane, clock, armed } = laneAt(1_000_000);
    await lane.run();
    clock.at -= 54_000;
    lane.undelivered = true;
    lane.kick();
    expect(armed.map(({ ms }) => ms)).toEqual([0]);
    expect(lane.wakeAt()).toBe(clock.at + 1000);
    await lane.run();
    expect(lane.delivered).toBe(2);
  });
});
