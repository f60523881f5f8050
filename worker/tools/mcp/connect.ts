/**
 * The workspace's MCP servers for one round: each is connected to and asked for its tools before the round begins, so that a server that does not
 * answer is known before anything is spent on it. Only tools on the workspace's list are offered.
 */
import type { MCPClient } from '@ai-sdk/mcp';
import { z } from 'zod';
import type { Refusal } from '../../domain/refusals.ts';
import type { Json } from '../../domain/values.ts';
import type { OutgoingRules } from '../../outgoing/address.ts';
import { admit, fetchUnder } from '../../outgoing/guard.ts';
import type { OpenedMcpServer } from '../../workspace/rpc.ts';
import { done } from '../answers.ts';
import type { Tool } from '../tool.ts';
import { Deadline } from './deadline.ts';
import { ofRefusal, problemOf, type ServerProblem, saidBy } from './problem.ts';
import { type RemoteDefinition, remoteTool } from './remote-tool.ts';

/** Milliseconds until a server counts as not answering. */
const CONNECT_TIMEOUT = 10_000;
/** Milliseconds for the workspace's answers, all servers and all their pages together: no lease runs out while a round waits for them. */
const ALL_CONNECTED = 20_000;
export const connectDeadline = (): Deadline => new Deadline(ALL_CONNECTED);
/** An open stream of a server lives as long as a round at most. */
const STREAM_TIMEOUT = 14 * 60_000;
const PAGES = 20;

export interface RemoteTools {
  tools: Tool[];
  close(): Promise<void>;
}

interface ServerState {
  server: string;
  /** Absent: it answers. */
  problem?: ServerProblem;
  tools: string[];
  /** Listed by the workspace, and not offered: why. */
  missing: { [tool: string]: string };
}

/** A server that has not given its tools at the deadline counts as not answering. */
export async function connectServers(servers: readonly OpenedMcpServer[], rules: OutgoingRules, send?: typeof fetch, deadline = connectDeadline()): Promise<RemoteTools> {
  const connected = await Promise.all(servers.map((each) => connectWithin(each, rules, send, deadline)));
  const states = connected.map((each) => each.state);
  return {
    tools: servers.length === 0 ? [] : [...connected.flatMap((each) => each.tools), overview(states)],
    close: async () => void (await Promise.allSettled(connected.map((each) => each.client?.close()))),
  };
}

/** None of the workspace's servers can be used in this round, for a reason that lies here and not with them. */
export function noServers(refusal: Refusal): RemoteTools {
  return { tools: [overview([], saidBy(refusal))], close: async () => {} };
}

/** `usable`: tools of the list that could be called. `missing`: those that could not, and why. */
export interface Inspected {
  problem?: ServerProblem;
  offered: { name: string; description: string; readOnly: boolean }[];
  usable: string[];
  missing: { [tool: string]: string };
}

/** What a server offers, for who sets up its list. Nothing is called. */
export async function inspectServer(opened: OpenedMcpServer, rules: OutgoingRules, deadline = connectDeadline()): Promise<Inspected> {
  const { state, client, offered } = await connectWithin(opened, rules, undefined, deadline);
  await client?.close().catch(() => {});
  return {
    ...(state.problem === undefined ? {} : { problem: state.problem }),
    offered: offered.map(({ name, description, annotations }) => ({ name, description: (description ?? '').slice(0, 500), readOnly: annotations?.readOnlyHint === true })),
    usable: state.tools,
    missing: state.missing,
  };
}

interface Connected {
  offered: readonly RemoteDefinition[];
  state: ServerState;
  tools: Tool[];
  client?: MCPClient;
}

function unusable(server: OpenedMcpServer['server'], problem: ServerProblem, client?: MCPClient): Connected {
  return {
    state: { server: server.name, problem, tools: [], missing: Object.fromEntries(server.tools.map((name) => [name, 'the server cannot be used'])) },
    tools: [],
    offered: [],
    ...(client ? { client } : {}),
  };
}

/** A server that is late is left: should it answer yet, its connection is closed. */
async function connectWithin(opened: OpenedMcpServer, rules: OutgoingRules, send: typeof fetch | undefined, deadline: Deadline): Promise<Connected> {
  const connecting = connect(opened, rules, send);
  const connected = await deadline.of(connecting);
  if (connected) return connected;
  void connecting.then(({ client }) => client?.close()).catch(() => {});
  return unusable(opened.server, { code: 'timeout', detail: `it does not answer: its tools were not there after ${deadline.within} ms`, passes: true });
}

async function connect({ server, headers, refusal }: OpenedMcpServer, rules: OutgoingRules, send: typeof fetch | undefined): Promise<Connected> {
  if (refusal) return unusable(server, ofRefusal(refusal));
  let client: MCPClient | undefined;
  try {
    // Evaluated where a workspace has a server, not at the start of every Worker.
    const { createMCPClient } = await import('@ai-sdk/mcp');
    client = await createMCPClient({
      clientName: 'longhaul',
      transport: {
        type: 'http',
        url: server.url,
        headers,
        redirect: 'error',
        fetch: fetchUnder(admit(rules, server.url), { timeoutMs: STREAM_TIMEOUT, ...(send ? { send } : {}) }),
      },
      initializationOptions: { timeout: CONNECT_TIMEOUT },
      // What a server says between calls is nobody's business here; a call that fails says so itself.
      onUncaughtError: () => {},
    });
    const offered = await listAll(client);
    return pick(server, offered, client);
  } catch (error) {
    return unusable(server, problemOf(error), client);
  }
}

async function listAll(client: MCPClient): Promise<RemoteDefinition[]> {
  const all: RemoteDefinition[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES; page++) {
    const listed = await client.listTools({ ...(cursor === undefined ? {} : { params: { cursor } }), options: { timeout: CONNECT_TIMEOUT } });
    all.push(...listed.tools);
    cursor = listed.nextCursor;
    if (cursor === undefined) break;
  }
  return all;
}

function pick(server: OpenedMcpServer['server'], offered: readonly RemoteDefinition[], client: MCPClient): Connected {
  const state: ServerState = { server: server.name, tools: [], missing: {} };
  const tools: Tool[] = [];
  for (const name of new Set(server.tools)) {
    const definition = offered.find((each) => each.name === name);
    const made = definition ? remoteTool(server.name, definition, client, server.readOnly?.includes(name) ?? false) : { wrong: 'the server has no tool of that name' };
    if ('wrong' in made) state.missing[name] = made.wrong;
    else {
      tools.push(made.tool);
      state.tools.push(made.tool.name);
    }
  }
  return { state, tools, offered, client };
}

/** So that an agent can tell a tool that is not there from one that cannot be used now, and ask for it. */
function overview(states: readonly ServerState[], problem?: string): Tool {
  const down = states.filter((each) => each.problem !== undefined).map((each) => each.server);
  const standing = problem === undefined ? (down.length > 0 ? `Not usable now: ${down.join(', ')}.` : 'All answered.') : `None is usable now: ${problem}`;
  return {
    name: 'mcp.servers',
    description: `The remote MCP servers of the workspace as they stood when this round began: which answer, which of their tools you have, and why others are missing. ${standing}`,
    lanes: ['worker', 'coordinator', 'reviewer'],
    input: z.strictObject({}),
    effect: 'none',
    subject: () => 'mcp.servers',
    run: async () =>
      done(
        {
          servers: states.map((state) => ({ ...state, ...(state.problem ? { problem: state.problem.detail } : {}) })) as unknown as Json,
          ...(problem === undefined ? {} : { problem }),
        },
        problem === undefined ? `${states.length} servers, ${down.length} not usable` : `none usable: ${problem}`,
      ),
  };
}
