/** Commands per second on one Goal and over fifty, each beside a bare object in the same process, with D1 following all the while. */
import { commandsPath, createGoal, noteCommand } from './goal.ts';
import { LagWatch } from './lag.ts';
import { type Answer, Connection, drive, type Load, median, openConnections, type Prepared, rounded } from './load.ts';
import { startRuntime, type Workplace } from './runtime.ts';

/** Requests in flight. */
const connectionsOf = { one: 16, many: 50 };
const manyGoals = 50;
/** Requests before measuring, and seconds that they may take. */
const warmRequests = 3000;
const mostWarming = 8;
const lagMs = 4000;

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

    const run = async (to: Connection[], count: number, paths: readonly string[], prefix: string, length = ms, onAnswer?: (answer: Answer, at: number) => void): Promise<Run> => {
      const before = runtime.cpuSeconds();
      const load = await drive(to.slice(0, count), length, cycle(paths, prefix), onAnswer);
      const after = runtime.cpuSeconds();
      return { ...load, cpuMs: before === null || after === null ? null : ((after - before) * 1000) / load.count };
    };
    // Compiling and first touches are not what is measured: a path is warm after some thousands of requests, not after some time.
    const warm = async (to: Connection[], count: number, paths: readonly string[], prefix: string) => {
      let requests = 0;
      for (let n = 0; n < mostWarming && requests < warmRequests; n++) requests += (await run(to, count, paths, `${prefix}-${n}`, 1000)).count;
    };
    console.error('warming up');
    await warm(toApp, connectionsOf.one, one, 'warm');
    await warm(toBare, connectionsOf.one, bareOne, 'warm');
    await warm(toApp, connectionsOf.many, many, 'warm50');
    await warm(toBare, connectionsOf.many, bareMany, 'warm50');

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
    // The watcher's own questions cost something, so the ratios are measured without it.
    const observer = await Connection.open(runtime.app);
    connections.push(observer);
    const lagOf = async (count: number, paths: readonly string[], prefix: string, watched: string) => {
      const watch = new LagWatch();
      const load = run(toApp, count, paths, prefix, lagMs, (answer, at) => {
        const { goal, seq } = JSON.parse(answer.body) as { goal: string; seq: number };
        if (goal === watched) watch.answered(seq, at);
      });
      await Promise.all([load, watch.watch(observer, watched, load)]);
      return watch.result();
    };
    const [firstGoal = ''] = goals;
    const lag = { one: await lagOf(connectionsOf.one, one, 'lag', firstGoal), fifty: await lagOf(connectionsOf.many, many, 'lag50', firstGoal) };

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
      /** Of D1, while commands come as fast as they are taken. */
      lag,
      one: { goal: shown((round) => round.goal), bare: shown((round) => round.bare) },
      fifty: { goal: shown((round) => round.goal50), bare: shown((round) => round.bare50) },
    };
  } finally {
    for (const connection of connections) connection.close();
    await runtime.stop();
  }
}
