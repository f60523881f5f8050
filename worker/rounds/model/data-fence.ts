/** Texts of records, files, tools and strangers within a message: as JSON in a fence that nothing inside can close. */
import type { Json } from '../../domain/values.ts';

/** One block. `name` says what it is; the content is data, whatever it says. */
export function fenced(name: string, value: Json): string {
  return `<data name="${name}">\n${jsonInFence(value)}\n</data>`;
}

/** JSON in which no tag can stand: `<` is written as its escape, which every JSON reader takes back. */
export function jsonInFence(value: Json): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
