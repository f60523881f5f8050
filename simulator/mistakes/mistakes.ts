/** Mistakes that somebody could make in the Worker. Each must be found by the simulator. */
export interface Mistake {
  name: string;
  /** A seed that is known to show it; only a beginning. */
  seed?: number;
  changes: { file: string; from: string; to: string }[];
}
export const mistakes: readonly Mistake[] = [];
