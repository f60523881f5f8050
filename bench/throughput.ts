/** Commands per second on one Goal and over fifty, each beside a bare object in the same process, with D1 following all the while. */
import { commandsPath, createGoal, noteCommand } from './goal.ts';
import { type Connection, drive, type Load, median, openConnections, type Prepared, rounded } from './load.ts';
import { startRuntime, type Workplace } from './runtime.ts';

/** Requests in flight. */
const connectionsOf = { one: 16, many: 50 };
const manyGoals = 50;

/** `cpuMs`: processor time of workerd per request, the draining of D1 in it. It says the same on a busy machine. */
type Run = Load & { cpuMs: number | null };

interface Round {
  bare: Run;
  goal: Run;
  bare50: Run;
  goal50: Run;
}

function cycle(paths: readonly string[], prefix: string): () => Prepared {
  let n = 0;
  return () => {
    const path = paths[n % paths.length] ?? '';
    n++;
    return { path, body: noteCommand(`${prefix}-${n}`) };
  };
}

export async function measureThroughput(place: Workplace, { rounds, ms }: { rounds: number; ms: number }): Promise<object> {
  const runtime = await startRuntime(place);
  let connections: Connection[] = [];
  try {
    const toApp = await openConnections(runtime.app, connectionsOf.many);
    const toBare = await openConnections(runtime.bare, connectionsOf.many);
    connections = [...toApp, ...toBare];
    const [first] = toApp;
    if (!first) throw new Error('no connection');
    const goals: string[] = [];
    for (let n = 0; n < manyGoals; n++) goals.push(await createGoal(first, `throughput-${n}`));
    const one = goals.slice(0, 1).map(commandsPath);
    const many = goals.map(commandsPath);
    const bareOne = ['/one'];
    const bareMany = many;

    const run = async (to: Connection[], count: number, paths: readonly string[], prefix: string, length = ms): Promise<Run> => {
      const before = runtime.cpuSeconds();
      const load = await drive(to.slice(0, count), length, cycle(paths, prefix));
      const after = runtime.cpuSeconds();
      return { ...load, cpuMs: before === null || after === null ? null : ((after - before) * 1000) / load.count };
    };
    // Compiling and first touches are not what is measured.
    await run(toApp, connectionsOf.one, one, 'warm', 1500);
    await run(toBare, connectionsOf.one, bareOne, 'warm', 1000);
    await run(toApp, connectionsOf.many, many, 'warm50', 1500);
    await run(toBare, connectionsOf.many, bareMany, 'warm50', 1000);

    const done: Round[] = [];
    for (let n = 0; n < rounds; n++) {
      const bare = await run(toBare, connectionsOf.one, bareOne, `b${n}`);
      const goal = await run(toApp, connectionsOf.one, one, `g${n}`);
      const bare50 = await run(toBare, connectionsOf.many, bareMany, `bb${n}`);
      const goal50 = await run(toApp, connectionsOf.many, many, `gg${n}`);
      done.push({ bare, goal, bare50, goal50 });
      console.error(
        `round ${n + 1}/${rounds}: one ${goal.perSecond.toFixed(0)} / ${bare.perSecond.toFixed(0)} = ${(goal.perSecond / bare.perSecond).toFixed(2)}, fifty ${goal50.perSecond.toFixed(0)} / ${bare50.perSecond.toFixed(0)} = ${(goal50.perSecond / bare50.perSecond).toFixed(2)}`,
      );
    }
    const of = (pick: (round: Round) => number) => median(done.map(pick));
    const shown = (pick: (round: Round) => Run) => ({
      perSecond: rounded(
        of((round) => pick(round).perSecond),
        0,
      ),
      p50Ms: rounded(of((round) => pick(round).p50)),
      p99Ms: rounded(of((round) => pick(round).p99)),
      cpuMs: rounded(
        of((round) => pick(round).cpuMs ?? Number.NaN),
        3,
      ),
    });
    return {
      ratio: rounded(
        of((round) => round.goal.perSecond / round.bare.perSecond),
        3,
      ),
      ratio50: rounded(
        of((round) => round.goal50.perSecond / round.bare50.perSecond),
        3,
      ),
      rounds,
      one: { goal: shown((round) => round.goal), bare: shown((round) => round.bare) },
      fifty: { goal: shown((round) => round.goal50), bare: shown((round) => round.bare50) },
    };
  } finally {
    for (const connection of connections) connection.close();
    await runtime.stop();
  }
}
