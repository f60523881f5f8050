/** Names under which the working set keeps counts and questions of the host's own. */

/** Ids of the blockers that the host itself raises on the Goal. */
export const PLAN_INVALID = 'plan-invalid';
export const UNCOVERED = 'uncovered-';

export const streakOf = (lane: string, target: string): string => `${lane}:${target}`;

/** Where rounds count that make an amendment of a message. */
export const messageTarget = (message: number): string => `message:${message}`;

/** Where the fence of a check counts: one per check and what it judges. */
export function checkTarget(check: { key: string; submission: string | null }): string {
  return `check:${check.submission ?? 'goal'}/${check.key}`;
}
