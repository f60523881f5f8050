/** What the main thread and the others say to each other. */
import type { Exhausted } from './exhaust.ts';
import type { Script } from './faults.ts';
import type { Outcome } from './history.ts';

export type Job =
  | { do: 'play'; seeds: number[] }
  | { do: 'shrink'; seed: number; wrong: string; shrink: boolean }
  /** Every crash point whose number is `part` modulo `parts`. */
  | { do: 'exhaust'; history: number; part: number; parts: number };

export type Report =
  | { kind: 'idle' }
  | ({ kind: 'played'; seed: number } & Outcome)
  | { kind: 'shrunk'; script: Script; trace: string[]; wrong: string | undefined }
  | ({ kind: 'exhausted' } & Exhausted);
