/** One goal followed by a component: its connection lives as long as the component shows that goal. Call it while the component is set up. */
import { GoalLive } from './goal-live.svelte.ts';

export function followed(goal: () => string) {
  // Derived from the id alone: what else of the goal a caller holds may be another object with every read.
  const id = $derived(goal());
  const live = $derived(new GoalLive(id));
  $effect(() => {
    const current = live;
    current.start();
    return () => current.stop();
  });
  const shown = $derived(live.state);
  const record = $derived(shown.phase === 'live' || shown.phase === 'reconnecting' ? shown.record : null);
  return {
    get live() {
      return live;
    },
    get shown() {
      return shown;
    },
    /** As last confirmed; null before the first snapshot and when there is none to be had. */
    get record() {
      return record;
    },
  };
}
