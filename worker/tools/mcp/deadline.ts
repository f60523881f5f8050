/** One time for several waits after one another: what each may take is what is left. */
export class Deadline {
  readonly #within: number;
  readonly #at: number;

  /** `within`: milliseconds from now. */
  constructor(within: number) {
    this.#within = within;
    this.#at = Date.now() + within;
  }

  /** Milliseconds of the whole. */
  get within(): number {
    return this.#within;
  }

  /** What the work comes to; undefined where it is not there in time. The work goes on: who began it takes care of what comes late. */
  async of<T>(work: Promise<T>): Promise<T | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), Math.max(0, this.#at - Date.now()));
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
      work.catch(() => {});
    }
  }
}
