/** An MCP server on the loopback address over streamable HTTP, with the tools that a test gives it. It keeps what it was called with. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

export interface ScriptedTool {
  name: string;
  description?: string;
  inputSchema: object;
  annotations?: { readOnlyHint?: boolean };
  /** Text is a text answer; `{error}` a tool's own failure; `never` no answer at all. Throws: an error of the protocol. */
  answer(args: Record<string, unknown>): string | { structured: Record<string, unknown> } | { error: string } | 'never';
}

export interface McpServer {
  url: string;
  calls: { name: string; args: Record<string, unknown>; authorization: string | undefined }[];
  /** Requests of any kind. */
  requests: number;
  close(): Promise<void>;
}

/** `pageSize`: tools per page of the list. `key`: what `authorization` must be. */
export async function startMcpServer(tools: readonly ScriptedTool[], options: { pageSize?: number; key?: string } = {}): Promise<McpServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const seen: McpServer = { url: '', calls: [], requests: 0, close: async () => {} };
  const pageSize = options.pageSize ?? 100;

  async function open(): Promise<StreamableHTTPServerTransport> {
    const server = new Server({ name: 'scripted', version: '1.0.0' }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, async (request) => {
      const from = Number(request.params?.cursor ?? 0);
      const page = tools.slice(from, from + pageSize).map(({ answer: _, ...definition }) => definition);
      return { tools: page as never, ...(from + pageSize < tools.length ? { nextCursor: String(from + pageSize) } : {}) };
    });
    server.setRequestHandler(CallToolRequestSchema, async (request, extra) => {
      const { name, arguments: args = {} } = request.params;
      const header = extra.requestInfo?.headers.authorization;
      seen.calls.push({ name, args, authorization: typeof header === 'string' ? header : undefined });
      const found = tools.find((each) => each.name === name);
      if (!found) throw new Error(`no tool ${name}`);
      const answer = found.answer(args);
      if (answer === 'never') return new Promise<never>(() => {});
      if (typeof answer === 'string') return { content: [{ type: 'text', text: answer }] };
      if ('error' in answer) return { isError: true, content: [{ type: 'text', text: answer.error }] };
      return { content: [{ type: 'text', text: JSON.stringify(answer.structured) }], structuredContent: answer.structured };
    });
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID(), onsessioninitialized: (id) => void sessions.set(id, transport) });
    await server.connect(transport as Parameters<Server['connect']>[0]);
    return transport;
  }

  const http = createServer((request, response) => {
    seen.requests++;
    const handle = async () => {
      if (options.key !== undefined && request.headers.authorization !== options.key) return void response.writeHead(401).end();
      const id = request.headers['mcp-session-id'];
      const transport = (typeof id === 'string' ? sessions.get(id) : undefined) ?? (await open());
      await transport.handleRequest(request, response);
    };
    handle().catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  seen.url = `http://127.0.0.1:${address.port}/mcp`;
  seen.close = async () => {
    for (const transport of sessions.values()) await transport.close();
    http.closeAllConnections();
    await new Promise<void>((resolve) => http.close(() => resolve()));
  };
  return seen;
}
