/**
 * Tools and resources that the protocol's conformance suite asks a server for by name. They replace those of Longhaul on the server that Longhaul builds, so that what is shown is how its door and
 * its transport carry them. What Longhaul does not offer (prompts, completions, a log, questions to the client) has none here either.
 */
import { MissingRequiredClientCapabilityError, ProtocolError, ProtocolErrorCode, ResourceNotFoundError, type Server, type ServerContext } from '@modelcontextprotocol/server';

type Content =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: { uri: string; mimeType: string; text: string } };
type Result = {
  content: Content[];
  isError?: true;
};

/** One red pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** A WAV without samples. */
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';

const text = (words: string): Content => ({ type: 'text', text: words });
const image: Content = { type: 'image', data: png, mimeType: 'image/png' };
const embedded = (uri: string, mimeType: string, words: string): Content => ({ type: 'resource', resource: { uri, mimeType, text: words } });

async function progress(context: ServerContext): Promise<Result> {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken !== undefined)
    for (const each of [0, 50, 100]) await context.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: each, total: 100 } });
  return { content: [text('Done.')] };
}

const tools: { [name: string]: (context: ServerContext) => Promise<Result> | Result } = {
  test_simple_text: () => ({ content: [text('This is a simple text response for testing.')] }),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({ content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')] }),
  test_multiple_content_types: () => ({
    content: [text('Multiple content types test:'), image, embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}')],
  }),
  test_error_handling: () => ({ isError: true, content: [text('This tool intentionally returns an error for testing')] }),
  test_tool_with_progress: progress,
  // Nothing is said on the way, whatever the client asked to hear.
  test_logging_tool: () => ({ content: [text('Nothing to log.')] }),
  test_streaming_elicitation: progress,
  test_missing_capability: () => {
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  },
};

const resources: { [uri: string]: { mimeType: string } & ({ text: string } | { blob: string }) } = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: png },
};

export function withFixtures(server: Server): Server {
  server.setRequestHandler('tools/list', () => ({
    tools: Object.keys(tools).map((name) => ({ name, description: `${name} of the conformance suite`, inputSchema: { type: 'object' as const } })),
  }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const called = tools[params.name];
    if (!called) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    return called(context);
  });
  server.setRequestHandler('resources/list', () => ({ resources: Object.entries(resources).map(([uri, { mimeType }]) => ({ uri, name: uri, mimeType })) }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
    if (id !== undefined) return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }] };
    const found = resources[uri];
    if (!found) throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, ...found }] };
  });
  return server;
}
