/**
 * The goals of the workspace, read once for the whole console: the list, the badge at the top and the inbox show the same answer. Read again while the page is looked at, soon after
 * a decision was sent from here, and at once when the page comes back into view.
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
  #watchers = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reading = false;

  /** Goals that wait for a person, those that need most first. */
  get waiting(): GoalSummary[] {
    return (this.goals ?? []).filter((goal) => goal.needsYou > 0 && goal.status !== 'completed' && goal.status !== 'cancelled');
  }
  /** How many things wait for a person. */
  get needs(): number {
    return this.waiting.reduce((sum, goal) => sum + goal.needsYou, 0);
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

  /** Something was decided here. */
  soon(): void {
    this.#next(soonMs);
  }

  #next(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(async () => {
      if (document.visibilityState === 'visible') await this.load();
      this.#next(this.#watchers > 0 ? watchedMs : badgeMs);
    }, ms);
  }
}

export const goalsList = new GoalsList();
