/** What a process that is gone answers: nothing, for good. */
export function never(): Promise<never> {
  return new Promise(() => {});
}
