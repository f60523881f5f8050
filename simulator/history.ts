/** One history from its beginning to its end, and what must be true then. */
import { isDeepStrictEqual } from 'node:util';
import { scopes } from '../worker/domain/context.ts';
import { nextOf } from '../worker/domain/continuation/next.ts';
import { tenantViolations } from '../worker/domain/invariants.ts';
import { type Coverage, emptyCoverage } from './coverage.ts';
import { describe, type Script, type Step, troubleMs } from './faults.ts';
import { bind } from './kernel/globals.ts';
import { chance } from './kernel/random.ts';
import type { Database } from './parts/database.ts';
import type { GoalHost } from './parts/goal-host.ts';
import { People } from './people.ts';
import { difference } from './watch.ts';
import { World } from './world.ts';

export interface Outcome {
  wrong: string | undefined;
  coverage: Coverage;
  events: number;
  /** Steps of the event loop. */
  steps: number;
  /** Crash points met. */
  points: number;
  crashes: number;
  status: string;
  /** What the record says, without times and ids of rounds: equal where the same was delivered. */
  delivered: string;
}

/** Times that the owner is asked, once faults have ceased, until everything is done. */
const honestTurns = 500;
/** The last of these turns before which there may be a deploy. */
const lastDeployTurn = 30;
const stepsPerTurn = 400;
const stepsInTrouble = 20_000;

export async function playHistory(script: Script, database: Database, options: { trace?: string[]; crashAt?: number | undefined; journal?: unknown[] } = {}): Promise<Outcome> {
  const coverage = emptyCoverage();
  const world = new World(script, database, coverage, options);
  const workspace = `tenant-a-${script.seed}`;
  const neighbourhood = `tenant-b-${script.seed}`;
  bind({ loop: world.loop, fetch: (url, init) => world.outside.fetch(url, init) });
  try {
    const host = world.addGoal(workspace, 'goal_1');
    const neighbour = script.shape.neighbour ? world.addGoal(neighbourhood, 'goal_1') : undefined;
    const people = new People(world, host);
    world.person = (act) => people.act(act, 1, false);
    const others = neighbour && new People(world, neighbour);
    for (const step of script.steps) world.loop.after(step.at, null, () => take(world, host, neighbour, people, step));
    void people.create();
    void others?.create();
    const quiet = script.steps.length > 0 || script.shape.bad > 0 ? troubleMs : 0;
    for (let n = 0; n < stepsInTrouble && !world.wrong; n++) if (!(await world.loop.step(world.began + quiet))) break;
    await finish(world, host, people);
    if (neighbour && others) await finish(world, neighbour, others);
    // What follows asks how it ended: no process dies in the asking.
    const points = world.points;
    options.crashAt = undefined;
    await atRest(world, host);
    for (const each of world.hosts) {
      const watch = world.watchOf(each);
      for (const wrong of each.wrongPlaces(watch.state.budget.tokens)) if (!world.wrong) watch.fail(wrong);
    }
    if (neighbour) apart(world, host, neighbour);
    for (const each of world.hosts) if (!world.wrong) world.watchOf(each).end();
    options.journal?.push(...host.disk.events(0, 100_000));
    const delivered = deliveredBy(host);
    if (!world.wrong && chance(15, script.seed, 'erased')) await erased(world, host);
    return {
      wrong: world.wrong,
      coverage,
      events: world.watchOf(host).events.length,
      steps: world.loop.ran,
      points,
      crashes: world.crashes,
      status: world.watchOf(host).state.status,
      delivered,
    };
  } catch (error) {
    return {
      wrong: `simulator: ${error instanceof Error ? error.stack : String(error)}`,
      coverage,
      events: 0,
      steps: world.loop.ran,
      points: world.points,
      crashes: world.crashes,
      status: '',
      delivered: '',
    };
  } finally {
    world.over = true;
    bind(undefined);
    database.clear(workspace);
    if (script.shape.neighbour) database.clear(neighbourhood);
  }
}

function take(world: World, host: GoalHost, neighbour: GoalHost | undefined, people: People, step: Step): void {
  if (world.calm) return;
  world.say(describe(step));
  if ('act' in step) return people.act(step.act, step.n, step.stale);
  const { fault } = step;
  switch (fault) {
    case 'crash':
      return world.trap(step.point, step.side, step.skip);
    case 'two instances':
      return void host.split();
    case 'clock ahead':
      world.cover('fault', fault);
      return host.setSkew(20_000 + step.n * 40);
    case 'clock back':
      world.cover('fault', fault);
      return host.setSkew(-step.n * 60);
    case 'policy asks':
    case 'policy denies':
      world.cover('fault', fault);
      world.policy = { version: world.policy.version + 1, rules: [{ tool: 'supplier.update', where: [], then: fault === 'policy asks' ? 'ask' : 'deny' }] };
      return void world.loop.after(30_000, null, () => {
        world.policy = { version: world.policy.version + 1, rules: [] };
      });
    case 'foreign snapshot':
      if (world.watchOf(host).state.seq === 0) return;
      world.cover('fault', fault);
      return host.plantSnapshot();
    case 'other code':
      world.cover('fault', fault);
      world.release = world.release === 'old' ? 'new' : 'old';
      return host.discard('another release');
    case 'older code':
      world.cover('fault', fault);
      world.release = 'older';
      host.discard('an older release');
      return void world.loop.after(3000 + step.n * 40, null, () => {
        if (world.release !== 'older') return;
        world.release = 'new';
        host.discard('the release before it again');
      });
    case 'deploy':
      return deploy(world);
    case 'runner stalls': {
      const running = [...world.runners.values()].map((runner) => runner.process).filter((process) => process !== undefined);
      const process = running[step.n % Math.max(1, running.length)];
      if (!process) return void world.loop.after(200, null, () => !world.calm && step.n > 0 && take(world, host, neighbour, people, { ...step, n: step.n - 1 }));
      world.cover('fault', fault);
      world.say(`${process.name} stands still`);
      process.stallsUntil = world.loop.now + 20_000 + step.n * 150;
      return;
    }
    case 'other workspace':
      if (!neighbour) return;
      world.cover('fault', fault);
      return void trespass(world, host, neighbour);
    default:
      return world.arm(fault, step.n);
  }
}

function deploy(world: World): void {
  world.cover('fault', 'deploy');
  for (const each of world.hosts) each.discard('a deploy');
  for (const runner of world.runners.values()) runner.kill('a deploy');
}

/** What is asked in the name of another workspace is not found, whatever is asked. */
async function trespass(world: World, host: GoalHost, neighbour: GoalHost): Promise<void> {
  const stub = host.stub(null);
  const actor = { kind: 'person' as const, principal: 'person:eve', scopes };
  const answers = await Promise.allSettled([
    stub.read({ ...neighbour.door, query: { what: 'goal' } }),
    stub.read({ ...neighbour.door, query: { what: 'events', after: 0, limit: 10 } }),
    stub.command({ ...neighbour.door, actor, envelope: { type: 'goal.pause', commandId: 'eve', expected: {}, payload: {}, dryRun: false } }),
  ]);
  for (const answer of answers) {
    if (answer.status === 'rejected') continue;
    const refusal = 'refusal' in answer.value ? answer.value.refusal.code : undefined;
    if (refusal !== 'not_found') world.watchOf(host).fail(`tenants: another workspace was answered ${JSON.stringify(answer.value).slice(0, 200)}`);
  }
}

/** Faults cease; who is asked does what is asked. In a bounded number of steps the Goal is at its end. */
async function finish(world: World, host: GoalHost, people: People): Promise<void> {
  if (!world.calm) {
    world.quiet();
    world.say('faults cease');
  }
  const watch = world.watchOf(host);
  for (let turn = 0; turn < honestTurns && !world.wrong; turn++) {
    const { state } = watch;
    if (state.status === 'completed' || state.status === 'cancelled') return;
    for (let n = 0; n < stepsPerTurn && !world.wrong; n++) if (!(await world.loop.step(world.loop.now + 1500))) break;
    if (state.seq === 0 && watch.state.seq === 0 && turn > 5) return watch.fail('liveness: the goal was never created');
    if (world.script.shape.deploys && turn > 0 && turn <= lastDeployTurn && turn % 3 === 0) deploy(world);
    const before = watch.state.seq;
    let done = false;
    void people.help(turn).then(() => {
      done = true;
    });
    for (let n = 0; n < 200 && !done && !world.wrong; n++) if (!(await world.loop.step(world.loop.now + 20_000))) break;
    // Nothing that a person could do moved it: time does.
    if (watch.state.seq === before) await world.loop.step(Number.POSITIVE_INFINITY);
  }
  if (world.wrong) return;
  const next = nextOf(watch.state, world.loop.now, world.carriers);
  watch.fail(`liveness: not at its end after ${honestTurns} turns of an honest owner: ${JSON.stringify(next).slice(0, 900)}`);
}

/** What is erased stays erased: a batch that was on its way, and a command that comes late, bring nothing back. */
async function erased(world: World, host: GoalHost): Promise<void> {
  let done = false;
  void host
    .stub(null)
    .erase(host.door)
    .then(
      () => {
        done = true;
      },
      () => {},
    );
  for (let n = 0; n < 1000 && !done; n++) await world.loop.step(Number.POSITIVE_INFINITY);
  world.database.batch(host.lastBatch);
  world.cover('fault', 'batch after erasure');
  const { goals, ...rest } = world.database.dump(host.workspace);
  const kept = goals?.length === 1 && (JSON.parse(goals[0] ?? '{}') as { erased?: number; title?: string });
  if (!done || Object.keys(rest).length > 0 || !kept || kept.erased !== 1 || kept.title !== '')
    world.watchOf(host).fail(`erasure: the book still holds ${JSON.stringify({ goals, ...rest }).slice(0, 400)}`);
}

interface Status {
  lane: string;
  behind?: number;
}

/** What follows is delivered, and the book holds what a rebuild gives. */
async function atRest(world: World, host: GoalHost): Promise<void> {
  if (world.wrong) return;
  world.say('at rest');
  const drained = async (method: 'drain' | 'rebuild') => {
    let done = false;
    void host
      .stub(null)
      [method](host.door)
      .then(
        (answer) => {
          done = true;
          const said = answer as unknown as Status[] | { lanes: Status[]; record: { rowsSame?: boolean; stateSame?: boolean } };
          const book = (Array.isArray(said) ? said : said.lanes).find((each) => each.lane === 'book');
          if (!Array.isArray(said) && !(said.record.rowsSame && said.record.stateSame)) world.watchOf(host).fail(`record: a rebuild found ${JSON.stringify(said.record)}`);
          if (book?.behind !== 0) world.watchOf(host).fail(`book: after ${method} it is ${book?.behind ?? '?'} events behind`);
        },
        (error: unknown) => world.watchOf(host).fail(`book: ${method} threw ${String(error)}`),
      );
    for (let n = 0; n < 3000 && !done && !world.wrong; n++) if (!(await world.loop.step(Number.POSITIVE_INFINITY))) break;
    if (!done) world.watchOf(host).fail(`book: ${method} did not end`);
  };
  // Batches that the lane gave up on and that are still under way.
  for (let n = 0; n < 3000 && (world.loop.nextAt() ?? Number.POSITIVE_INFINITY) < world.loop.now + 60_000; n++) await world.loop.step(world.loop.now + 60_000);
  await drained('drain');
  const followed = world.database.dump(host.workspace);
  world.database.clear(host.workspace);
  await drained('rebuild');
  const rebuilt = world.database.dump(host.workspace);
  if (world.wrong || isDeepStrictEqual(followed, rebuilt)) return;
  for (const table of new Set([...Object.keys(followed), ...Object.keys(rebuilt)])) {
    const [one, two] = [byKey(followed[table] ?? []), byKey(rebuilt[table] ?? [])];
    for (const key of new Set([...one.keys(), ...two.keys()])) {
      const [was, is] = [one.get(key), two.get(key)];
      if (isDeepStrictEqual(was, is)) continue;
      // A text that only an earlier image of a row named stays until it is erased.
      if (table === 'bodies' && is === undefined) continue;
      // What the book refused for good stayed behind, and comes with the rebuild.
      if (world.quarantined && is !== undefined) continue;
      return world.watchOf(host).fail(`book: ${table} ${key} followed is another row than rebuilt: ${was && is ? difference(was, is) : was ? 'only followed' : 'only rebuilt'}`);
    }
  }
}

/** Images of items and executions bear the number of the summary that brought them, which is another one in a rebuild. */
function byKey(rows: string[]): Map<string, Record<string, unknown>> {
  return new Map(
    rows.map((text) => {
      const row = JSON.parse(text) as Record<string, unknown>;
      const key = String(row.id ?? row.digest ?? row.goal_id);
      if ('spec_digest' in row && !('goal_version' in row)) delete row.seq;
      if (Object.hasOwn(row, 'status') && key.startsWith('exec_')) delete row.seq;
      return [key, row];
    }),
  );
}

/** Neither of two workspaces can read a word of the other. */
function apart(world: World, host: GoalHost, neighbour: GoalHost): void {
  for (const [mine, other] of [
    [host, neighbour],
    [neighbour, host],
  ] as const) {
    const texts = [JSON.stringify(mine.disk.allRows()), JSON.stringify(mine.disk.journal()), JSON.stringify(world.database.dump(mine.workspace))];
    for (const wrong of tenantViolations(texts, [other.workspace])) world.watchOf(mine).fail(wrong);
  }
}

/** What was delivered and judged, by item, without times. */
function deliveredBy(host: GoalHost): string {
  const rows = (kind: string) => host.disk.rows(kind, {}).map((row) => row.data as Record<string, unknown>);
  return JSON.stringify({
    accepted: rows('acceptance')
      .filter((row) => row.live && row.verdict === 'accepted')
      .map((row) => row.item)
      .sort(),
    ledger: rows('ledger')
      .filter((row) => !row.replacedBy)
      .map((row) => [row.subject, row.verdict])
      .sort(),
    effects: [
      ...new Set(
        rows('effect')
          .filter((row) => row.outcome === 'succeeded')
          .map((row) => row.key),
      ),
    ].length,
  });
}
