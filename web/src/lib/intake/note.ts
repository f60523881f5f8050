/** What an intake says beside its contract, read from the record as data. */
import type { Json } from '../api/types.ts';

export function textsOf(value: Json): { why: string; questions: string[] } {
  const note = value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
  return {
    why: typeof note.why === 'string' ? note.why : '',
    questions: Array.isArray(note.questions) ? note.questions.filter((question): question is string => typeof question === 'string') : [],
  };
}
