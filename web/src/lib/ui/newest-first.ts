/** A long list, newest first, whose newest part is read again while older parts are asked for. */
export interface Page<T> {
  data: T[];
  nextCursor: string | null;
}

/** What is read again stands in place of what was read before; what is older stays. */
export function readAgain<T extends { seq: number }>(newest: T[], before: readonly T[]): T[] {
  const last = newest.at(-1)?.seq;
  return last === undefined ? newest : [...newest, ...before.filter((each) => each.seq < last)];
}
