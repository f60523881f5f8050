/**
 * How opening a Goal grows with its journal, and its resume packet. The journals are made by commands, the opening is the first question to an object in a
 * process that has just started, with everything but that object warm.
 */
import { commandsPath, createGoal, goalPath, ledgerCommand, noteCommand, recordScope } from './goal.ts';
import { Connection, median, rounded } from './load.ts';
import { startRuntime, type Workplace } from './runtime.ts';

const sizes = [1000, 10_000, 50_000, 100_000];
/** Entries of one command while the journal is filled: two events each. */
const entriesPerCommand = 20;
/** The end of every journal: single commands, so that each has about as many events after its last snapshot. */
const tail = 250;
/** Processes in which each Goal is opened once. */
const starts = 7;

interface Filled {
  events: number;
  goal: string;
}

async function fill(connection: Connection, size: number): Promise<Filled> {
  const goal = await createGoal(connection, `opening-${size}`);
  await recordScope(connection, goal);
  const path = commandsPath(goal);
  const give = async (body: string) => {
    const answer = await connection.post({ path, body });
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body.slice(0, 500)}`);
    return (JSON.parse(answer.body) as { seq: number }).seq;
  };
  let seq = 0;
  for (let n = 0; seq + tail + entriesPerCommand * 2 < size; n++) seq = await give(ledgerCommand(`ledger-${n}`, n * entriesPerCommand, entriesPerCommand));
  for (let n = 0; seq < size; n++) seq = await give(noteCommand(`tail-${n}`));
  return { events: seq, goal };
}

export async function measureOpening(place: Workplace): Promise<object> {
  const filled: Filled[] = [];
  let warm = '';
  const first = await startRuntime(place);
  try {
    const connection = await Connection.open(first.app);
    warm = await createGoal(connection, 'opening-warm');
    for (const size of sizes) {
      console.error(`filling a journal of ${size} events`);
      filled.push(await fill(connection, size));
    }
    connection.close();
  } finally {
    await first.stop();
  }

  const opened = new Map<string, number[]>(filled.map(({ goal }) => [goal, []]));
  const again: number[] = [];
  const packets = new Map<string, number>();
  const folded = new Map<string, number>();
  for (let start = 0; start < starts; start++) {
    const runtime = await startRuntime(place);
    try {
      const connection = await Connection.open(runtime.app);
      const ask = async (path: string) => {
        const began = performance.now();
        const answer = await connection.get(path);
        if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.body.slice(0, 500)}`);
        return { ms: performance.now() - began, bytes: answer.body.length, text: answer.body };
      };
      for (let n = 0; n < 20; n++) await ask(`${goalPath(warm)}/next`);
      again.push((await ask(`${goalPath(warm)}/next`)).ms);
      // Each size is the first of the three in turn.
      for (let n = 0; n < filled.length; n++) {
        const one = filled[(n + start) % filled.length];
        if (!one) continue;
        opened.get(one.goal)?.push((await ask(`${goalPath(one.goal)}/next`)).ms);
        const report = JSON.parse((await ask(`${goalPath(one.goal)}/doctor`)).text) as { counters: { fold: { events: number } } };
        folded.set(one.goal, report.counters.fold.events);
        packets.set(one.goal, (await ask(`${goalPath(one.goal)}/resume-packet`)).bytes);
      }
      connection.close();
    } finally {
      await runtime.stop();
    }
  }

  const rows = filled.map(({ events, goal }) => ({
    events,
    openMs: rounded(median(opened.get(goal) ?? [])),
    folded: folded.get(goal) ?? 0,
    resumePacketBytes: packets.get(goal) ?? 0,
  }));
  const [small] = rows;
  const large = rows.at(-1);
  return {
    opening: {
      goals: rows,
      /** The same question to an object that is open. */
      openAlreadyMs: rounded(median(again)),
      /** Of the largest to the smallest. */
      growth: rounded((large?.openMs ?? 0) / (small?.openMs ?? 1)),
      packetGrowth: rounded((large?.resumePacketBytes ?? 0) / (small?.resumePacketBytes ?? 1)),
    },
  };
}
