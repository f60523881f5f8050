/** One ticking `now` for everything that ages on the page. */
class PageClock {
  now = $state(Date.now());

  /** Runs while the caller's component lives. */
  run(everyMs: number): () => void {
    const timer = setInterval(() => {
      this.now = Date.now();
    }, everyMs);
    return () => clearInterval(timer);
  }
}
export const pageClock = new PageClock();
