/**
 * The one logger: a JSON line each, with ids and no content. What people or models wrote, facts, files and arguments never get here: fields are ids, codes and
 * numbers, and what an error says goes through `errorOf`, which takes out whatever it quotes. Keys that are known by their shape are taken out of every field.
 */
import type { Json } from '../domain/values.ts';
import { jsonWithoutKeys } from './redactor.ts';

export interface LogFields {
  workspace?: string;
  goal?: string;
  round?: string;
  /** A check that runs outside. */
  check?: string;
  /** Type and id of a command. */
  command?: string;
  commandId?: string;
  fence?: number;
  requestId?: string;
  [more: string]: string | number | boolean | null | undefined;
}

/** `code` is stable: what an operator searches for. */
export function log(level: 'info' | 'warn' | 'error', at: string, code: string, fields: LogFields = {}): void {
  const line = JSON.stringify(jsonWithoutKeys({ at, level, code, ...fields } as unknown as Json));
  if (level === 'error') console.error(line);
  else if (level === 'warn') console.warn(line);
  else console.log(line);
}

/** Characters of an error's message. */
const longest = 300;

/** Name and message, without what it quotes: a parser's message shows what it could not read. */
export function errorOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return withoutQuotes(text).slice(0, longest);
}

export function withoutQuotes(text: string): string {
  return text.replace(/"[^"]*"|`[^`]*`|'[^'\n]*'|“[^”]*”|\{[^{}]*\}|\[[^[\]]*\]/g, '…');
}
