/** From an acceptance to the first call of a worker that it unlocked: a sample goal on its own data, times as the journal has them. */
import { Client } from '../scripts/client.ts';
import { runSample } from '../scripts/run-sample.ts';
import { defaultData, loadSample } from '../scripts/samples.ts';
import type { EventView } from '../worker/domain/views/types.ts';
import { median, rounded } from './load.ts';
import { startRuntime, type Workplace } from './runtime.ts';

/** Milliseconds from each acceptance to the first authorized call of a worker round that was scheduled with it. */
export function waits(events: readonly EventView[]): number[] {
  const found: number[] = [];
  events.forEach((accepted, index) => {
    if (accepted.type !== 'acceptance.recorded') return;
    for (const event of events.slice(index + 1)) {
      // What is scheduled in the same commit was unlocked by it.
      if (event.at !== accepted.at) break;
      if (event.type !== 'round.scheduled' || event.item === undefined || event.item === accepted.item || event.round === undefined) continue;
      const call = events.find((each) => each.type === 'call.authorized' && each.round === event.round);
      if (call) found.push(call.at - accepted.at);
    }
  });
  return found;
}

export async function measureDownstream(place: Workplace): Promise<object> {
  const runtime = await startRuntime(place);
  try {
    console.error('running a sample goal');
    const events: EventView[] = [];
    const result = await runSample(new Client(runtime.app.origin, 'local'), await loadSample('csv-export'), {
      dataDir: defaultData('csv-export'),
      answers: { spreadsheet_program: { program: 'excel-zh' } },
      crash: async () => {},
      onEvent: (event) => events.push(event),
    });
    if (result.exit !== 0) throw new Error(`the sample goal did not complete: ${result.sentence}`);
    const ms = waits(events).sort((a, b) => a - b);
    return { downstream: { acceptances: ms.length, firstCallMs: { median: rounded(median(ms), 0), min: ms[0] ?? null, max: ms.at(-1) ?? null } } };
  } finally {
    await runtime.stop();
  }
}
