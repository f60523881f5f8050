/** One tool of the MCP server, and the inputs that many share. */
import { z } from 'zod';
import type { Desk, Told } from './desk.ts';

export interface McpTool {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject;
  /** Changes nothing. */
  reads: boolean;
  call(desk: Desk, args: Record<string, unknown>): Promise<Told>;
}

export function tool<S extends z.ZodObject>(
  name: string,
  title: string,
  description: string,
  input: S,
  call: (desk: Desk, args: z.output<S>) => Promise<Told>,
  { reads = false }: { reads?: boolean } = {},
): McpTool {
  return { name, title, description, input, reads, call: (desk, args) => call(desk, args as z.output<S>) };
}

export const goal = z.string().min(1).max(100).describe('Id of the goal');
export const item = z.string().min(1).max(100).describe('Key of the work item');
export const fence = z.int().describe('The fence that work_claim gave');
export const commandId = z.string().min(1).max(200).optional().describe('Choose one to be able to send the same call again: the same id is done once. Left out: a new one');
export const cursor = z.string().min(1).max(2000).optional().describe('nextCursor of the page before');
