/**
 * The goals of the workspace, once for the whole console: the list, the badge at the top and the inbox show the same answer. Read when the console opens, and told over one socket from
 * then on. Only while that socket is not open they are read again: while the page is looked at, soon after a decision was sent from here, and at once after navigation and when the page
 * comes back into view. What a goal needs that is followed over its own socket comes with its frames.
 */
import { type GoalSummary, listGoals, type Problem, workspace } from '../api/client.ts';
import type { LiveSocket } from './connection.ts';
import { type KnownGoals, type ListFrame, withChanges, withList } from './goals.ts';
import { openSocket } from './socket.ts';

/** How often without a socket, milliseconds: where the list is what one looks at, and where only the badge is. */
const watchedMs = 3000;
const badgeMs = 10_000;
/** What was just decided is in the book about then. */
const soonMs = 700;

class GoalsList {
  goals = $state.raw<GoalSummary[] | null>(null);
  truncated = $state(false);
  problem = $state.raw<Problem | null>(null);
  readAt = $state(0);
  /** The goal whose page is open and live, as its frames have it; newer than the list. */
  #followed = $state.raw<{ goal: string; needsYou: number } | null>(null);
  #watchers = 0;
  #running = 0;
  #socket: LiveSocket | undefined;
  /** The last frame that came. */
  #seq: number | undefined;
  /** What changes comes by itself. */
  #told = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reading = false;

  /** Goals that wait for a person, those that need most first. */
  get waiting(): GoalSummary[] {
    return (this.goals ?? []).filter((goal) => goal.needsYou > 0 && goal.status !== 'completed' && goal.status !== 'cancelled');
  }
  /** How many things wait for a person. */
  get needs(): number {
    const followed = this.#followed;
    return this.waiting.reduce((sum, goal) => (goal.goal === followed?.goal ? sum : sum + goal.needsYou), followed?.needsYou ?? 0);
  }

  async load(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    const newest = await listGoals();
    // With more goals than one page holds, an old one may wait for somebody too.
    const waiting = newest.ok && newest.value.truncated ? await listGoals('needsYou') : undefined;
    this.#reading = false;
    if (!newest.ok) {
      this.problem = newest.problem;
      return;
    }
    const known = new Set(newest.value.goals.map((goal) => goal.goal));
    const others = waiting?.ok ? waiting.value.goals.filter((goal) => !known.has(goal.goal)) : [];
    this.#show(withList(this.#known, { goals: [...newest.value.goals, ...others], truncated: newest.value.truncated }));
  }

  get #known(): KnownGoals | null {
    return this.goals === null ? null : { goals: this.goals, truncated: this.truncated };
  }

  #show(known: KnownGoals): void {
    this.goals = [...known.goals];
    this.truncated = known.truncated;
    this.readAt = Date.now();
    this.problem = null;
  }

  #open(): LiveSocket {
    return openSocket(() => `/v1/workspaces/${workspace}/socket${this.#seq === undefined ? '' : `?after=${this.#seq}`}`, {
      onopen: () => {},
      onmessage: (text) => this.#received(JSON.parse(text) as ListFrame),
      onclose: (code, reason) => {
        this.#told = false;
        // Final: what is read over HTTP from now on says why.
        if (code === 4003 || (code === 4001 && reason === 'credential_ended')) {
          this.#socket?.close();
          this.#socket = undefined;
        }
        if (this.#running > 0 && this.#timer === undefined) this.#rest();
      },
    });
  }

  #received(frame: ListFrame): void {
    if (frame.kind === 'snapshot') this.#show(withList(this.#known, frame));
    else if (frame.kind === 'update' && this.#known) this.#show(withChanges(this.#known, frame.goals, frame.gone));
    else return;
    this.#seq = frame.seq;
    this.#told = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Keeps reading while the caller's component lives. `watch`: the list itself is looked at. */
  run(watch: boolean): () => void {
    if (watch) this.#watchers += 1;
    this.#running += 1;
    this.#socket ??= this.#open();
    this.#next(0);
    const seen = () => {
      if (document.visibilityState === 'visible') this.#next(0);
    };
    document.addEventListener('visibilitychange', seen);
    return () => {
      document.removeEventListener('visibilitychange', seen);
      if (watch) this.#watchers -= 1;
      this.#running -= 1;
      if (this.#running > 0) return;
      this.#socket?.close();
      this.#socket = undefined;
      this.#told = false;
    };
  }

  /** At once: another page is shown. */
  now(): void {
    this.#next(0);
  }

  /** Something was decided in this goal. */
  soon(goal: string): void {
    if (this.#followed?.goal !== goal) this.#next(soonMs);
  }

  /** A live page tells what its goal needs, until it is left or tells anew. */
  follow(goal: string, needsYou: number): () => void {
    this.#followed = { goal, needsYou };
    return () => {
      this.#followed = null;
      // The list keeps what was told until it is read again.
      this.goals = this.goals?.map((each) => (each.goal === goal ? { ...each, needsYou } : each)) ?? null;
      if (this.#timer === undefined) this.#rest();
    };
  }

  /** The next read by the clock; it falls away where a goal is followed by then. */
  #rest(): void {
    this.#next(this.#watchers > 0 ? watchedMs : badgeMs, true);
  }

  #next(ms: number, byClock = false): void {
    if (this.#told) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(async () => {
      this.#timer = undefined;
      if (this.#told || (byClock && this.#followed)) return;
      if (document.visibilityState === 'visible') await this.load();
      if (this.#running > 0 && this.#timer === undefined && !this.#followed) this.#rest();
    }, ms);
  }
}

export const goalsList = new GoalsList();
