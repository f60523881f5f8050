/** What is typed about an MCP server, and the setting it makes. */
import type { McpServer } from '../api/types.ts';

export interface Typed {
  name: string;
  url: string;
  /** Name of a secret; empty: none. */
  secret: string;
  header: string;
  prefix: string;
  tools: string;
  readOnly: string;
}
export type Wrong = { [K in 'name' | 'url' | 'header']?: true } & { readOnly?: string[] };

/** One name a line. */
export const namesIn = (text: string): string[] => [...new Set(text.split(/[\n,]/).map((name) => name.trim()))].filter((name) => name !== '');

export function typedOf(server: McpServer | undefined): Typed {
  const { name = '', url = '', header, tools = [], readOnly = [] } = server ?? {};
  return {
    name,
    url,
    secret: header?.secret ?? '',
    header: header?.name ?? 'authorization',
    prefix: header ? header.prefix : 'Bearer ',
    tools: tools.join('\n'),
    readOnly: readOnly.join('\n'),
  };
}

/** `readOnly`: names that are not on the list of tools. The server checks the same, and what it alone knows. */
export function wrongIn(typed: Typed, taken: readonly string[]): Wrong {
  const url = URL.canParse(typed.url.trim()) ? new URL(typed.url.trim()) : undefined;
  const tools = namesIn(typed.tools);
  const strange = namesIn(typed.readOnly).filter((name) => !tools.includes(name));
  return {
    ...(/^[a-z0-9][a-z0-9_-]{0,63}$/.test(typed.name.trim()) && !taken.includes(typed.name.trim()) ? {} : { name: true }),
    ...(url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.hash === '' ? {} : { url: true }),
    ...(typed.secret === '' || /^[A-Za-z0-9-]{1,64}$/.test(typed.header.trim()) ? {} : { header: true }),
    ...(strange.length === 0 ? {} : { readOnly: strange }),
  };
}

export function serverOf(typed: Typed): McpServer {
  const readOnly = namesIn(typed.readOnly);
  return {
    name: typed.name.trim(),
    url: typed.url.trim(),
    ...(typed.secret === '' ? {} : { header: { name: typed.header.trim(), prefix: typed.prefix, secret: typed.secret } }),
    tools: namesIn(typed.tools),
    ...(readOnly.length === 0 ? {} : { readOnly }),
  };
}
