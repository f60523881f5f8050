/**
 * The goals of the workspace, read once for the whole console: the list, the badge at the top and the inbox show the same answer. Read again while the page is looked at, soon after
 * a decision was sent from here, and at once after navigation and when the page comes back into view. Where a goal is followed over its socket nothing is read on a timer: what that goal
 * needs comes with its frames, also after a decision.
 */
import { type GoalSummary, listGoals, type Problem } from '../api/client.ts';

/** How often, milliseconds: where the list is what one looks at, and where only the badge is. */
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
    this.goals = [...newest.value.goals, ...(waiting?.ok ? waiting.value.goals.filter((goal) => !known.has(goal.goal)) : [])];
    this.truncated = newest.value.truncated;
    this.readAt = Date.now();
    this.problem = null;
  }

  /** Keeps reading while the caller's component lives. `watch`: the list itself is looked at. */
  run(watch: boolean): () => void {
    if (watch) this.#watchers += 1;
    this.#next(0);
    const seen = () => {
      if (document.visibilityState === 'visible') this.#next(0);
    };
    document.addEventListener('visibilitychange', seen);
    return () => {
      document.removeEventListener('visibilitychange', seen);
      if (watch) this.#watchers -= 1;
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
    clearTimeout(this.#timer);
    this.#timer = setTimeout(async () => {
      this.#timer = undefined;
      if (byClock && this.#followed) return;
      if (document.visibilityState === 'visible') await this.load();
      if (this.#timer === undefined && !this.#followed) this.#rest();
    }, ms);
  }
}

export const goalsList = new GoalsList();
