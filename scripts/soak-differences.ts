/** What a run under kills gave otherwise than the run that nothing disturbed. */

export interface Outcome {
  /** Why it did not complete; null when it did. */
  broken: string | null;
  /** Of the accepted files, by name. */
  digests: Record<string, string>;
  /** Counts and verdicts, a line each, in an order that does not depend on who was first. */
  facts: readonly string[];
  /** What went wrong on the way, though the run completed. */
  faults: readonly string[];
}

/** A line each; none: all is the same. `what` was run, for a person. */
export function differences(what: string, one: Outcome, calm: Outcome): string[] {
  const faults = one.faults.map((fault) => `${what}: ${fault}`);
  if (one.broken !== null) return [`${what}: ${one.broken}`, ...faults];
  const names = [...new Set([...Object.keys(one.digests), ...Object.keys(calm.digests)])];
  const files = names.filter((name) => one.digests[name] !== calm.digests[name]).map((name) => `${what}: ${name} is not what it is without kills`);
  return [
    ...files,
    ...more(one.facts, calm.facts).map((fact) => `${what}: only with kills: ${fact}`),
    ...more(calm.facts, one.facts).map((fact) => `${what}: only without kills: ${fact}`),
    ...faults,
  ];
}

/** What `these` hold more often than `those`. */
function more(these: readonly string[], those: readonly string[]): string[] {
  const left = [...those];
  return these.filter((each) => {
    const at = left.indexOf(each);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
