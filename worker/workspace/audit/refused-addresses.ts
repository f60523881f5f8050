/** Which refused addresses are written into the audit: each once an hour, and no more than a hundred an hour, so that an agent that tries thousands fills nothing. */
const hourMs = 3_600_000;
const mostAnHour = 100;

export class RefusedAddresses {
  #seen = new Set<string>();
  #since = 0;

  /** Whether this one is new in its hour. After an eviction of the object it may be written once more. */
  take(key: string, now: number): boolean {
    if (now - this.#since >= hourMs) {
      this.#since = now;
      this.#seen = new Set();
    }
    if (this.#seen.has(key) || this.#seen.size >= mostAnHour) return false;
    this.#seen.add(key);
    return true;
  }
}
