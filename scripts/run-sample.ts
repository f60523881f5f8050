/** Carries one sample goal from nothing to its end over /v1: what `npm run sample` does, apart from processes and the command line. */
import type { Sample, SampleClient, SampleExecutor } from '../samples/sample.ts';
import type { EventView, GoalBar } from '../worker/domain/views/types.ts';
import { type Client, Refused, Unreachable } from './client.ts';
import { placeSample } from './samples.ts';

export interface RunOptions {
  dataDir: string;
  executor?: SampleExecutor;
  /** By blocker key. */
  answers: Record<string, unknown>;
  killAt?: number | undefined;
  /** Kills the Worker and starts it again; resolves when it answers. Called at most once. */
  crash(): Promise<void>;
  onEvent(event: EventView): void;
}

export interface Question {
  key: string;
  reason: string;
  form: unknown;
  recommended?: unknown;
}

export interface SampleResult {
  sample: string;
  goal: string;
  exit: 0 | 1 | 3 | 4;
  status: GoalBar['status'];
  why: GoalBar['next']['why'];
  seq: number;
  /** What happened, for a person. */
  sentence: string;
  milestones: { key: string; count: number; target: number | null }[];
  rounds: number;
  /** Items whose delivery is accepted. */
  accepted: number;
  /** Where the Worker was killed: the count that was read just before, and the rounds that were at work. */
  killed: { at: number; seq: number; inFlight: string[] } | null;
  waitingFor: Question[];
  /** Output files by name; null unless the goal completed. */
  files: Record<string, string | Uint8Array> | null;
}

/** How long nothing may happen while the host says that it is its turn. */
const SILENCE_MS = 10 * 60_000;

export async function runSample(client: Client, sample: Sample, options: RunOptions): Promise<SampleResult> {
  const goal = await through(() => placeSample(client, sample, options.dataDir, options.executor));
  let after = 0;
  let killed: SampleResult['killed'] = null;
  let heard = Date.now();
  const answered = new Set<string>();
  /** Rounds that started and have not ended. */
  const inFlight = new Set<string>();

  for (;;) {
    const page = await through(() => client.events(goal, after, 5));
    for (const event of page.data) {
      options.onEvent(event);
      if (event.type === 'round.started' && event.round !== undefined) inFlight.add(event.round);
      if (event.type === 'round.ended' && event.round !== undefined) inFlight.delete(event.round);
      after = Math.max(after, event.seq);
      heard = Date.now();
    }
    const bar = await through(() => client.bar(goal));
    // Everything up to here is told before it is said that there is no more.
    if (bar.seq > after) continue;
    if (options.killAt !== undefined && killed === null) {
      const count = countOf(sample, bar);
      if (count >= options.killAt && inFlight.size > 0) {
        killed = { at: count, seq: bar.seq, inFlight: [...inFlight] };
        await options.crash();
        continue;
      }
    }

    let told = false;
    for (const blocker of bar.blockers) {
      const id = `${blocker.id}:${blocker.generation}`;
      // While a coordinator looks at it, nobody is asked.
      if (answered.has(id) || blocker.route === 'coordinator' || !Object.hasOwn(options.answers, blocker.id)) continue;
      answered.add(id);
      await through(() =>
        client.command(goal, {
          type: 'blocker.resolve',
          commandId: `answer:${id}`,
          payload: { blocker: blocker.id, answer: options.answers[blocker.id], generation: blocker.generation },
        }),
      );
      told = true;
      heard = Date.now();
    }
    // What was read is from before the answer.
    if (told) continue;

    const end = endOf(bar, answered);
    if (end !== null) return through(() => finish(client, sample, goal, bar, options, killed, end));
    if (Date.now() - heard > SILENCE_MS)
      return finish(client, sample, goal, bar, options, killed, { exit: 1, waitingFor: [], sentence: `Nothing happened for ${SILENCE_MS / 60_000} minutes.` });
  }
}

/** What `--kill-at` counts. */
function countOf(sample: Sample, bar: GoalBar): number {
  if (sample.milestone === undefined) return bar.items.accepted;
  return bar.milestones.find((milestone) => milestone.key === sample.milestone)?.count ?? 0;
}

type End = Pick<SampleResult, 'exit' | 'waitingFor' | 'sentence'>;

/** Null: it goes on by itself. */
function endOf(bar: GoalBar, answered: ReadonlySet<string>): End | null {
  const { why } = bar.next;
  const questions: Question[] = [
    ...bar.blockers
      .filter((blocker) => !answered.has(`${blocker.id}:${blocker.generation}`))
      .map((blocker) => ({ key: blocker.id, reason: blocker.reason, form: blocker.form, ...(blocker.recommended === undefined ? {} : { recommended: blocker.recommended }) })),
    ...bar.waits
      .filter((wait) => wait.form !== undefined && !bar.blockers.some((blocker) => blocker.id === wait.correlation || blocker.id === wait.id))
      .map((wait) => ({ key: wait.correlation, reason: wait.reason, form: wait.form })),
  ];
  switch (why.kind) {
    case 'terminal':
      return why.status === 'completed' ? { exit: 0, waitingFor: [], sentence: 'Completed.' } : { exit: 1, waitingFor: [], sentence: 'The goal was cancelled.' };
    case 'running':
    case 'ready':
    case 'checking':
      return null;
    case 'waiting':
    case 'blocked':
      // An answer that was given a moment ago, a timer, a probe: the host moves by itself.
      if (questions.length === 0 && bar.next.who.every((who) => who.mover === 'host' || who.act === 'time' || who.act === 'run' || who.act === 'check')) return null;
      return {
        exit: 3,
        waitingFor: questions,
        sentence: questions.length > 0 ? 'The goal waits for input.' : `The goal waits for ${bar.next.who.map((who) => `${who.mover} to ${who.act} ${who.ref}`).join(', ')}.`,
      };
    case 'queued':
      if (why.connection?.person)
        return { exit: 1, waitingFor: [], sentence: `The goal waits for a connection: ${why.connection.setting} does not work (${why.connection.code}): ${why.connection.detail}` };
      // Its workspace has no place for it yet; that is not this goal's doing, and passes.
      return why.by === 'budget' ? { exit: 1, waitingFor: [], sentence: `The goal waits for the budget of its workspace: ${JSON.stringify(why)}` } : null;
    case 'draft':
    case 'paused':
    case 'budget':
    case 'deadline':
    case 'no_progress':
    case 'suspended':
      return { exit: 1, waitingFor: [], sentence: `The goal has stopped: ${JSON.stringify(why)}` };
    default:
      return why satisfies never;
  }
}

async function finish(client: Client, sample: Sample, goal: string, bar: GoalBar, options: RunOptions, killed: SampleResult['killed'], end: End): Promise<SampleResult> {
  const files = end.exit === 0 ? await outputsOf(client, sample, goal) : null;
  // A goal that waits is not over: its count may still be reached.
  const missed = options.killAt !== undefined && killed === null && end.exit !== 3;
  return {
    sample: sample.name,
    goal,
    exit: missed ? 4 : end.exit,
    status: bar.status,
    why: bar.next.why,
    seq: bar.seq,
    sentence: missed ? `${options.killAt} was never reached with a round in flight. ${end.sentence}` : end.sentence,
    milestones: bar.milestones.map(({ key, count, target }) => ({ key, count, target })),
    rounds: bar.budget.rounds.used,
    accepted: bar.items.accepted,
    killed,
    waitingFor: end.waitingFor,
    files,
  };
}

async function outputsOf(client: Client, sample: Sample, goal: string): Promise<Record<string, string | Uint8Array>> {
  const files: Record<string, string | Uint8Array> = {};
  const patient = patiently(client.sample(goal));
  for (const output of sample.outputs) {
    const artifact = (await patient.accepted(output.item)).find((each) => each.path === output.path);
    if (artifact) files[output.as] = await patient.bytes(artifact.digest);
    else if (output.required !== false) throw new Error(`The accepted delivery of ${output.item} has no file ${output.path}`);
  }
  return { ...files, ...(await sample.assemble?.(patient)) };
}

/** The same reads, each asked again by itself while nobody answers: a Worker that comes and goes lets them all through in the end. A text is read once. */
function patiently(client: SampleClient): SampleClient {
  const bodies = new Map<string, ReturnType<SampleClient['body']>>();
  return {
    goal: client.goal,
    bar: () => through(() => client.bar()),
    rows: (kind, options) => through(() => client.rows(kind, options)),
    body: (digest) => {
      const asked = bodies.get(digest) ?? through(() => client.body(digest));
      bodies.set(digest, asked);
      return asked;
    },
    fact: (key) => through(() => client.fact(key)),
    accepted: (item) => through(() => client.accepted(item)),
    bytes: (digest) => through(() => client.bytes(digest)),
  };
}

/** Asks again while nobody answers, up to three minutes: every request here may be repeated. Refusals are final, but for `unavailable`. */
async function through<T>(ask: () => Promise<T>): Promise<T> {
  const until = Date.now() + 180_000;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const passing = error instanceof Unreachable || (error instanceof Refused && (error.code === 'unavailable' || error.status >= 500));
      if (!passing || Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
