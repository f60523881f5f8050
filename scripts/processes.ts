/** Child processes in their own process group, so that a whole tree can be ended, or killed as a power cut would. */
import { type ChildProcess, spawn } from 'node:child_process';

export interface Group {
  readonly pid: number;
  /** Resolves with the exit code, or null when a signal ended it. */
  readonly ended: Promise<number | null>;
  /** SIGTERM to the group, SIGKILL to what is left after `graceMs`. Resolves when the leader has ended. */
  stop(graceMs?: number): Promise<void>;
  /** SIGKILL to the group, at once. */
  kill(): Promise<void>;
}

const open = new Set<Group>();
let guarded = false;

/** Whatever ends this process takes the groups with it; a signal lets `onSignal` handlers of commands end them in order first. */
function guard() {
  if (guarded) return;
  guarded = true;
  process.on('exit', () => {
    for (const group of open) signalGroup(group.pid, 'SIGKILL');
  });
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone.
  }
}

/** `onLine` gets each line of its output. Rejects when it cannot be started. */
export async function startGroup(file: string, args: string[], options: { cwd: string; env?: NodeJS.ProcessEnv; onLine(line: string): void }): Promise<Group> {
  guard();
  const child: ChildProcess = spawn(file, args, { cwd: options.cwd, env: { ...process.env, ...options.env }, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${file} has no process id`);
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) options.onLine(line);
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const group: Group = {
    pid,
    ended,
    async stop(graceMs = 3000) {
      signalGroup(pid, 'SIGTERM');
      const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), graceMs);
      await ended;
      clearTimeout(timer);
      signalGroup(pid, 'SIGKILL');
      open.delete(group);
    },
    async kill() {
      signalGroup(pid, 'SIGKILL');
      await ended;
      open.delete(group);
    },
  };
  open.add(group);
  return group;
}

/** Runs a command to its end with its output on ours, or kept back and shown only when it fails. Throws with what it printed when it fails. */
export async function runToEnd(file: string, args: string[], options: { cwd: string; env?: NodeJS.ProcessEnv; show?: boolean }): Promise<string> {
  const lines: string[] = [];
  const group = await startGroup(file, args, {
    cwd: options.cwd,
    ...(options.env ? { env: options.env } : {}),
    onLine: (line) => {
      lines.push(line);
      if (options.show) console.error(line);
    },
  });
  const code = await group.ended;
  open.delete(group);
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${code ?? 'a signal'}\n${options.show ? '' : lines.slice(-60).join('\n')}`);
  return lines.join('\n');
}
