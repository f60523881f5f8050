/** For tests inside the Workers runtime: one MCP server for the run. `inject('mcpServer')` gives its address. */
import type { TestProject } from 'vitest/node';
import { startMcpServer } from './server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    mcpServer: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
  const server = await startMcpServer([
    { name: 'look', inputSchema: text, annotations: { readOnlyHint: true }, answer: (args) => `seen ${String(args.text)}` },
    { name: 'send', inputSchema: text, answer: (args) => `sent ${String(args.text)}` },
    { name: 'erase', inputSchema: text, answer: (args) => `erased ${String(args.text)}` },
  ]);
  project.provide('mcpServer', server.url);
  return () => server.close();
}
