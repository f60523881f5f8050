/** The two shapes a tool answers with. */

import type { CommandType } from '../domain/commands.ts';
import { type Refusal, type RefusalCode, refuse } from '../domain/refusals.ts';
import type { Json } from '../domain/values.ts';
import type { ToolAnswer, ToolEnv } from './tool.ts';

export function done(value: Json, summary: string): ToolAnswer {
  return { ok: true, value, summary };
}

/** Thrown by what a tool is given where the host refuses, so that the tool's answer is that refusal. */
export class RefusedByHost extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

export function no(code: RefusalCode, more: Omit<Refusal, 'refused' | 'code'> = {}): ToolAnswer {
  return { ok: false, refusal: refuse(code, more) };
}

/** A tool that is one command: its result is the command's. */
export async function byCommand(env: ToolEnv, type: CommandType, payload: Json, summary: (result: Json) => string): Promise<ToolAnswer> {
  const answer = await env.command(type, payload);
  return answer.ok ? done(answer.result, summary(answer.result)) : answer;
}

/** Leaves out what is undefined, so that a value is JSON. */
export function plain(value: Record<string, Json | undefined>): { [key: string]: Json } {
  const out: { [key: string]: Json } = {};
  for (const [key, each] of Object.entries(value)) if (each !== undefined) out[key] = each;
  return out;
}
