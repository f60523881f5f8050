/** An executor outside: claims items that are offered to programs, hands each to a command of the user's, and submits what it leaves. */
import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { answered, Refused, type Schemas } from '../../client/index.ts';
import { followGoals } from '../../client/stream.ts';
import { Attempt } from '../attempt.ts';
import { Failed, Usage, wordsOf } from '../exit.ts';
import { note, type Options, Session } from '../session.ts';
import { WorkFolder } from '../work-folder.ts';

/** Milliseconds. The lease of a program is fifteen minutes; it is renewed often enough for a lost call or two. */
const heartbeatMs = 60_000;
/** Milliseconds that a command has to end after it was told to. */
const graceMs = 10_000;

interface WorkOptions {
  goal?: string;
  itemFilter?: string;
  executor?: string;
  once?: true;
  max?: number;
  keepFolder?: true;
}

/** `*` stands for any characters. */
const pattern = (glob: string) =>
  new RegExp(
    `^${glob
      .split('*')
      .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  );

export function workCommand(program: Command): void {
  program
    .command('work <command...>')
    .description('carry out items that are offered to programs: one command for each, its brief on standard input; what it leaves in out/ is submitted')
    .usage('[options] -- COMMAND [ARGUMENTS...]')
    .option('--goal <goal>', 'of this goal alone')
    .option('--item-filter <pattern>', 'items whose key fits; * stands for anything')
    .option('--executor <name>', 'items that name this executor; default: any program')
    .option('--once', 'what is ready now, and end')
    .option('--max <n>', 'end after so many items', Number)
    .option('--keep-folder', 'leave the folder of each item where it is')
    .action(async (argv: string[], options: WorkOptions, command: Command) => {
      if (options.max !== undefined && !(Number.isInteger(options.max) && options.max > 0)) throw new Usage('--max takes a number from 1 on.');
      await new Work(new Session(command.optsWithGlobals<Options>()), argv, options).run();
    });
}

class Work {
  readonly #session: Session;
  readonly #argv: readonly string[];
  readonly #options: WorkOptions;
  readonly #fits: (node: Schemas['GraphNode']) => boolean;
  readonly #stop = new AbortController();
  #done = 0;
  #failed = 0;
  #principal = '';

  constructor(session: Session, argv: readonly string[], options: WorkOptions) {
    this.#session = session;
    this.#argv = argv;
    this.#options = options;
    const key = pattern(options.itemFilter ?? '*');
    this.#fits = (node) =>
      key.test(node.key) && node.executor?.kind === 'external' && (options.executor === undefined || ('name' in node.executor && node.executor.name === options.executor));
  }

  get #full(): boolean {
    return this.#stop.signal.aborted || (this.#options.max !== undefined && this.#done + this.#failed >= this.#options.max);
  }

  async run(): Promise<void> {
    const stop = () => this.#stop.abort();
    process.once('SIGINT', stop).once('SIGTERM', stop);
    this.#principal = (await answered(this.#session.client.GET('/v1/me'))).principal;
    const workspace = await this.#session.workspace();
    if (this.#options.once) await this.#goThrough(await this.#goals(workspace));
    // A snapshot names the goals, an update those that changed: whatever becomes ready changes its goal.
    else
      for await (const frame of followGoals(workspace, { ...this.#session.credentials, signal: this.#stop.signal, onLost: (error) => note(wordsOf(error)) })) {
        if (frame.kind !== 'error') await this.#goThrough(frame.goals.filter(({ status }) => status === 'active').map(({ goal }) => goal));
        if (this.#full) break;
      }
    if (this.#failed > 0) throw new Failed(`${this.#failed} of ${this.#done + this.#failed} items failed`);
  }

  async #goals(workspace: string): Promise<string[]> {
    if (this.#options.goal !== undefined) return [this.#options.goal];
    const goals: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { status: 'active' as const, limit: 200, ...(cursor === undefined ? {} : { cursor }) };
      const page = await answered(this.#session.client.GET('/v1/workspaces/{workspace}/goals', { params: { path: { workspace }, query } }));
      goals.push(...page.data.map(({ goal }) => goal));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return goals;
  }

  async #goThrough(goals: readonly string[]): Promise<void> {
    for (const goal of goals) {
      if (this.#options.goal !== undefined && goal !== this.#options.goal) continue;
      // What failed is tried again when its goal changes next, not at once.
      const failed = new Set<string>();
      for (let item = await this.#ready(goal, failed); item !== undefined && !this.#full; item = await this.#ready(goal, failed))
        if (!(await this.#carry(goal, item))) failed.add(item);
    }
  }

  /** An item that is offered, or one that came back to this principal and nobody has taken up. */
  async #ready(goal: string, without: ReadonlySet<string>): Promise<string | undefined> {
    const { nodes } = await answered(this.#session.client.GET('/v1/workspaces/{workspace}/goals/{goal}/graph', { params: { path: await this.#session.path(goal) } }));
    return nodes.find(
      (node) =>
        this.#fits(node) &&
        !without.has(node.key) &&
        (node.state === 'ready' || ((node.state === 'assigned' || node.state === 'changes_requested') && node.owner === this.#principal)),
    )?.key;
  }

  /** False: somebody else was faster, it may not be taken, or it failed. */
  async #carry(goal: string, item: string): Promise<boolean> {
    let attempt: Attempt;
    try {
      attempt = await Attempt.begin(this.#session, goal, item);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      note(`${item} of ${goal}: ${wordsOf(error)}`);
      return false;
    }
    const folder = new WorkFolder();
    note(`${item} of ${goal}: attempt ${attempt.assignment.item.attemptNumber} in ${folder.path}`);
    try {
      await folder.fill(attempt);
      const ended = await this.#execute(attempt, folder);
      if (ended === 'done') {
        const submitted = await attempt.submit(folder.left(), folder.summary(`Carried out by ${this.#argv.join(' ')}`));
        this.#done++;
        process.stdout.write(`${JSON.stringify({ goal, item, attempt: attempt.assignment.item.attempt, outcome: 'submitted', ...submitted })}\n`);
      } else {
        if (ended !== 'lost') await attempt.end(ended);
        this.#failed++;
        process.stdout.write(`${JSON.stringify({ goal, item, attempt: attempt.assignment.item.attempt, outcome: ended })}\n`);
      }
      return ended === 'done';
    } catch (error) {
      this.#failed++;
      note(`${item} of ${goal}: ${wordsOf(error)}`);
      process.stdout.write(`${JSON.stringify({ goal, item, attempt: attempt.assignment.item.attempt, outcome: error instanceof Refused ? 'refused' : 'unknown' })}\n`);
      if (!(error instanceof Refused)) throw error;
      return false;
    } finally {
      if (!this.#options.keepFolder) folder.remove();
    }
  }

  /** Runs the command under heartbeats. `lost`: the Attempt is somebody else's by now, and nothing of it is handed in. */
  async #execute(attempt: Attempt, folder: WorkFolder): Promise<'done' | 'failed' | 'interrupted' | 'lost'> {
    const [file = '', ...args] = this.#argv;
    const child = spawn(file, args, {
      cwd: folder.path,
      // Its output is for people: what this command prints is the result.
      stdio: ['pipe', process.stderr, process.stderr],
      env: {
        ...process.env,
        LONGHAUL_URL: this.#session.credentials.url,
        LONGHAUL_TOKEN: attempt.token,
        LONGHAUL_WORKSPACE: attempt.workspace,
        LONGHAUL_GOAL: attempt.goal,
        LONGHAUL_ITEM: attempt.item,
        LONGHAUL_ATTEMPT: attempt.assignment.item.attempt,
        LONGHAUL_FENCE: String(attempt.assignment.fence),
        LONGHAUL_FOLDER: folder.path,
      },
    });
    let why: 'interrupted' | 'lost' | undefined;
    let grace: ReturnType<typeof setTimeout> | undefined;
    const end = (because: 'interrupted' | 'lost') => {
      why ??= because;
      child.kill('SIGTERM');
      grace ??= setTimeout(() => child.kill('SIGKILL'), graceMs);
    };
    const beat = setInterval(() => {
      attempt.heartbeat().catch((error: unknown) => {
        note(wordsOf(error));
        // An answer that got lost is no loss of the lease.
        if (error instanceof Refused && !error.problem.retryable) end('lost');
      });
    }, heartbeatMs);
    const interrupted = () => end('interrupted');
    this.#stop.signal.addEventListener('abort', interrupted);
    // A command that does not read its brief ends all the same.
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(attempt.assignment));
    try {
      const code = await new Promise<number | null>((resolve, reject) => {
        child.once('error', reject);
        child.once('close', resolve);
      });
      if (why) return why;
      if (code !== 0) note(`${file} ended with ${code}`);
      return code === 0 ? 'done' : 'failed';
    } catch (error) {
      note(wordsOf(error));
      return 'failed';
    } finally {
      clearInterval(beat);
      clearTimeout(grace);
      this.#stop.signal.removeEventListener('abort', interrupted);
    }
  }
}
