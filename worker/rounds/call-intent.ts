/**
 * A call before the host is asked for it: whether its arguments are what the tool takes, and what of it goes on record. Pure: nothing is sent or read here.
 */
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { CallIntent } from '../domain/commands.ts';
import type { Problem } from '../domain/refusals.ts';
import type { Json } from '../domain/values.ts';
import type { Tool, ToolEnv } from '../tools/tool.ts';

/** An argument larger than this many characters of JSON is kept on record as its digest, where the tool allows it. */
export const BULK_CHARACTERS = 4096;

/**
 * What `step` is asked, and how the resolved arguments get back what was too large for the record. `timeout`: milliseconds that one send may take.
 * `said`: text as it goes on record.
 */
export function intentOf(
  tool: Tool,
  args: Json,
  { timeout, services, said }: { timeout: number; services: ToolEnv['services']; said(text: string): string },
): { intent: CallIntent; restore(resolved: Json): Json } {
  const bulk = setAside(tool, args);
  const effect = judged(() => tool.reads?.(args), false) ? 'none' : tool.effect;
  const probe = effect === 'outside' ? judged<Json | undefined>(() => tool.probe?.(args as never, services), undefined) : undefined;
  const { policy } = tool;
  const otherwise = typeof policy === 'function' ? judged(() => policy(args), 'ask') : policy;
  return {
    intent: {
      tool: tool.name,
      args: bulk.args,
      subject: said(judged(() => tool.subject(args), tool.name)),
      effect,
      factOnly: [...(tool.factOnly ?? [])],
      ...(effect === 'outside' ? { timeoutMs: timeout } : {}),
      ...(probe === undefined ? {} : { probe }),
      ...(otherwise && otherwise !== 'allow' ? { otherwise } : {}),
    },
    restore: bulk.restore,
  };
}

/** Checks the arguments. A place where a fact reference stands is checked after the host has resolved it. */
export function readArgs(tool: Tool, raw: Json): { args: Json } | { errors: Problem[] } {
  const parsed = tool.input.safeParse(raw);
  if (parsed.success) return { args: JSON.parse(JSON.stringify(parsed.data)) as Json };
  const open = factPlaces(raw, '');
  const errors = problemsOf(parsed.error).filter((problem) => !open.some((place) => problem.pointer === place || problem.pointer.startsWith(`${place}/`)));
  return errors.length > 0 ? { errors } : { args: raw };
}

export function problemsOf(error: z.ZodError): Problem[] {
  return error.issues.slice(0, 100).map((issue) => ({
    pointer: `/${issue.path.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`.replace(/^\/$/, ''),
    code: issue.code ?? 'invalid',
    detail: issue.message.slice(0, 300),
  }));
}

function factPlaces(value: Json, at: string): string[] {
  if (value === null || typeof value !== 'object') return [];
  if (!Array.isArray(value) && Object.hasOwn(value, '$fact')) return [at];
  return Object.entries(value).flatMap(([key, each]) => factPlaces(each, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`));
}

/** What a tool's own function says of the arguments; with references that are not resolved yet they are not what it expects. */
function judged<T>(ask: () => T | undefined, otherwise: T): T {
  try {
    return ask() || otherwise;
  } catch {
    return otherwise;
  }
}

/** Takes large arguments out of what goes on record and puts them back into what the tool is given. */
function setAside(tool: Tool, args: Json): { args: Json; restore(resolved: Json): Json } {
  if (!tool.bulk || tool.effect === 'outside' || args === null || typeof args !== 'object' || Array.isArray(args)) return { args, restore: (resolved) => resolved };
  const kept: { [name: string]: Json } = {};
  const shown: { [name: string]: Json } = { ...args };
  for (const name of tool.bulk) {
    const value = args[name];
    if (value === undefined) continue;
    const text = JSON.stringify(value);
    if (text.length <= (tool.bulkOver ?? BULK_CHARACTERS)) continue;
    kept[name] = value;
    shown[name] = { bulk: createHash('sha256').update(text).digest('hex'), characters: text.length };
  }
  return { args: shown, restore: (resolved) => ({ ...(resolved as { [name: string]: Json }), ...kept }) };
}
