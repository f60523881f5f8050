/** `/name parameter=value other="two words"` in the conversation: a goal from a template. */
import type { DeclaredParameters, Json } from '../api/types.ts';
import { readValue } from '../templates/parameters.ts';

export interface Slash {
  name: string;
  given: Record<string, string>;
}

/** Undefined: it is no command, but words. `wrong`: what of it cannot be read. */
export function readSlash(text: string): (Slash & { wrong?: string }) | undefined {
  const found = /^\/([a-z0-9][a-z0-9_-]{0,63})(?:\s+([\s\S]*))?$/.exec(text.trim());
  if (!found?.[1]) return undefined;
  const given: Record<string, string> = {};
  let rest = (found[2] ?? '').trim();
  while (rest !== '') {
    const pair = /^([a-z0-9][a-z0-9_-]*)=(?:"([^"]*)"|(\S+))(?:\s+|$)/.exec(rest);
    if (!pair?.[1]) return { name: found[1], given, wrong: rest.split(/\s/)[0] ?? rest };
    given[pair[1]] = pair[2] ?? pair[3] ?? '';
    rest = rest.slice(pair[0].length);
  }
  return { name: found[1], given };
}

/** Values by their declared types; one that is none of its type stays the text, and the server says so. A list is written with commas. */
export function valuesOf(declared: DeclaredParameters, given: Record<string, string>): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(given).map(([name, text]) => {
      const schema = declared[name];
      const read = schema && readValue(schema, schema.type === 'array' ? text.replaceAll(',', '\n') : text);
      return [name, read?.value ?? text];
    }),
  );
}
