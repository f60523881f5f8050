/** A model with the script of a `ScriptedModel` behind a server of its own: pinned as a workspace's would be, asked through the real provider package over real HTTP. */
import { type Answer, type CompletionRequest, call, use } from '../../../../testing/model-server/script.ts';
import { type ModelServer, startModelServer } from '../../../../testing/model-server/server.ts';
import { promptTokens } from '../../../../testing/model-server/wire.ts';
import { isRefusal } from '../../../domain/refusals.ts';
import type { Json } from '../../../domain/values.ts';
import { pinOpened } from '../../../models/models-of.ts';
import type { PinnedModel } from '../../../models/pinned-model.ts';
import type { Asked, Said } from './scripted-model.ts';

export class ServedModel {
  readonly asked: Asked[];
  readonly pinned: PinnedModel;
  readonly server: ModelServer;

  private constructor(asked: Asked[], pinned: PinnedModel, server: ModelServer) {
    this.asked = asked;
    this.pinned = pinned;
    this.server = server;
  }

  /** `window`, tokens: what the profile says and what the server holds to: a longer prompt is refused there. */
  static async open(profile: string, script: (asked: Asked, n: number) => Said, { window, output }: { window: number; output: number }): Promise<ServedModel> {
    const asked: Asked[] = [];
    const server = await startModelServer({
      window,
      script: ({ request }) => {
        asked.push(request as unknown as Asked);
        return answerOf(script(request as unknown as Asked, asked.length - 1));
      },
    });
    const pinned = await pinOpened(
      {},
      { provider: { name: 'served', kind: 'openai-compatible', baseUrl: server.url }, profile: { name: profile, model: 'm', window, output } },
      fetch,
    );
    if (isRefusal(pinned)) throw new Error(pinned.detail);
    return new ServedModel(asked, pinned, server);
  }

  /** Requests that the server did not take: too long for its window, or such as hosted models refuse. */
  get refused(): string[] {
    return this.server.seen
      .filter(({ answer }) => answer === 'refused')
      .map(({ status, body }) => {
        const request = JSON.parse(body) as CompletionRequest;
        return `${status}: ${promptTokens(request)} tokens and ${request.max_tokens} for the answer, ${request.messages.length} messages, tools ${request.tools?.map((tool) => tool.function.name).join(' ')}`;
      });
  }
}

function answerOf(said: Said): Answer {
  if ('status' in said) return { kind: 'error', status: said.status, message: said.body ?? 'scripted', ...(said.headers ? { headers: said.headers } : {}) };
  if ('dropped' in said) return use(call(said.dropped[0], said.dropped[1]), { drop: { at: 'call', quiet: true } });
  return {
    kind: 'message',
    ...(said.text === undefined ? {} : { text: said.text }),
    calls: (said.calls ?? []).map(([name, args]) => call(name, args as Json)),
    ...(said.finish === undefined ? {} : { finish: said.finish }),
    ...(said.usage ? { usage: { input: said.usage.prompt_tokens, output: said.usage.completion_tokens } } : {}),
  };
}
