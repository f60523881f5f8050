/** Agents of small goals without a graph, for tests of what a round needs before it begins: a model with a key, a remote MCP server. */
import { call, type JsonValue, type Script, say, use } from '../script.ts';
import { type Seen, type Step, stepwise } from './stepwise.ts';

const answered: Step[] = [use(call('files_write', { path: 'answer.md', text: 'It is 42.\n' })), use(call('finish', { note: 'It is written.' })), use(call('hand_back', {}))];

/** The key that the server of `keyed-answer` takes. */
export const RIGHT_KEY = 'sk-right-key-5c1d';

/** Writes the answer, on a server that asks for a key. */
export const keyedAnswer: Script = (turn) =>
  turn.headers.authorization === `Bearer ${RIGHT_KEY}`
    ? writes(turn)
    : { kind: 'error', status: 401, type: 'invalid_request_error', code: 'invalid_api_key', message: `Incorrect API key provided: ${turn.headers.authorization ?? ''}` };
const writes = stepwise({ coordinator: answered });

/** Uses the tools of the MCP server `scripted`: one that reads, one that is not on the workspace's list, one that changes something; and once it was told of the decision, that call again and the answer. */
export const asksRemote: Script = stepwise({
  coordinator: (seen: Seen): Step[] => {
    const [decided] = (seen.data('decided_calls') as { args: JsonValue }[] | undefined) ?? [];
    if (decided) return [use(call('mcp_scripted_send', decided.args)), ...answered];
    return [
      use(call('mcp_scripted_look', { text: 'order 7' })),
      use(call('mcp_scripted_erase', { text: 'order 7' })),
      use(call('mcp_scripted_send', { text: 'hello' })),
      say('It waits.'),
    ];
  },
});
