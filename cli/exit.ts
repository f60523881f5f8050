/** How a command ends. `docs/command-line.md` has the table. */
import { Lost, Refused } from '../client/index.ts';

export const exit = { done: 0, failed: 1, usage: 2, refused: 3, notFound: 4, noAccess: 5, unknown: 6, busy: 7 } as const;

/** The command line itself is wrong. Nothing was sent. */
export class Usage extends Error {}

/** It ran, and what it was to find or do did not come about. */
export class Failed extends Error {}

export function exitOf(error: unknown): number {
  if (error instanceof Usage) return exit.usage;
  if (error instanceof Lost) return exit.unknown;
  if (!(error instanceof Refused)) return exit.failed;
  if (error.status === 404 || error.status === 410) return exit.notFound;
  if (error.status === 401 || error.status === 403) return exit.noAccess;
  return error.status === 429 || error.status === 503 ? exit.busy : exit.refused;
}

/** What went wrong, for a person; of a refusal also the places, and what to do. */
export function wordsOf(error: unknown): string {
  if (error instanceof Refused) {
    const { code, detail, todo, errors, requestId } = error.problem;
    const places = errors.map((each) => `\n  ${each.pointer || '/'}: ${each.code}${each.detail === undefined ? '' : ` (${each.detail})`}`).join('');
    return `refused: ${code}: ${detail}${detail === todo ? '' : ` ${todo}`}${places}\n  request ${requestId}`;
  }
  if (error instanceof Lost) return `the answer was lost: ${error.message}. Whether it was done is not known; the same --id again is the same command.`;
  return error instanceof Error ? error.message : String(error);
}
