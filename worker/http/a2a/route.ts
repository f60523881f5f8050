/** The two addresses of A2A: the card, and JSON-RPC in the versions 1.0 and 0.3. What a caller may do there is what they may do over the API. */
import { A2A_VERSION_HEADER, AgentCard } from '@a2a-js/sdk';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { JsonRpcTransportHandler, ServerCallContext, validateVersion } from '@a2a-js/sdk/server';
import { publicOrigin } from '../../auth/settings.ts';
import { type Refusal, refuse } from '../../domain/refusals.ts';
import type { Json } from '../../domain/values.ts';
import { readJsonObject } from '../body.ts';
import { identify, memberOf } from '../identity.ts';
import { bad, good, type Outcome } from '../outcome.ts';
import { answer, type CallerCall, type OpenCall } from '../route.ts';
import { type Caller, GoalAgent } from './agent.ts';
import { agentCard } from './card.ts';

/** Milliseconds. A line now and then keeps what lies between from closing a quiet connection. */
const keepAliveMs = 20_000;

/** `GET /.well-known/agent-card.json` */
export async function agentCardRoute({ env, request }: OpenCall): Promise<Response> {
  return answer(AgentCard.toJSON(agentCard(publicOrigin(env, request))));
}

/** `POST /a2a` */
export async function a2aRoute(call: CallerCall): Promise<Response | Refusal> {
  const body = await readJsonObject(call.request);
  if (!body.ok) return body.refusal;
  const caller = callerIn(call, body.value.params);
  if (!caller.ok) return caller.refusal;
  const card = agentCard(caller.value.origin);
  const agent = new GoalAgent(caller.value, card);
  // Who names no version speaks 0.3.
  const requestedVersion = call.request.headers.get(A2A_VERSION_HEADER) ?? '0.3';
  const old = requestedVersion === '0.3';
  const errorBody = (error: unknown) => ({
    jsonrpc: '2.0',
    id: body.value.id ?? null,
    error: old ? LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(error) : JsonRpcTransportHandler.mapToJSONRPCError(error),
  });
  try {
    validateVersion(requestedVersion, card, 'JSONRPC');
  } catch (error) {
    return answer(errorBody(error));
  }
  const transport = old ? new LegacyJsonRpcTransportHandler(agent) : new JsonRpcTransportHandler(agent);
  const given: object = await transport.handle(body.value, new ServerCallContext({ requestedVersion }));
  return isStream(given) ? events(given, errorBody) : answer(given);
}

const isStream = (given: object): given is AsyncGenerator<object, void, undefined> => Symbol.asyncIterator in given;

/** An error before the first event is a plain answer; after it, the last event. Who reads no further stops the work. */
async function events(stream: AsyncGenerator<object, void, undefined>, errorBody: (error: unknown) => object): Promise<Response> {
  let next: IteratorResult<object, void>;
  try {
    next = await stream.next();
  } catch (error) {
    return answer(errorBody(error));
  }
  const encoder = new TextEncoder();
  let quiet: ReturnType<typeof setInterval> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      quiet = setInterval(() => controller.enqueue(encoder.encode(': \n\n')), keepAliveMs);
    },
    async pull(controller) {
      if (next.done) {
        clearInterval(quiet);
        controller.close();
        return;
      }
      controller.enqueue(encoder.encode(`data: ${JSON.stringify(next.value)}\n\n`));
      try {
        next = await stream.next();
      } catch (error) {
        controller.enqueue(encoder.encode(`event: error\ndata: ${JSON.stringify(errorBody(error))}\n\n`));
        next = { done: true, value: undefined };
      }
    },
    async cancel() {
      clearInterval(quiet);
      await stream.return();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } });
}

/** The workspace is that of the credential; somebody who is in several names one as `tenant`. One that they are no member of does not exist for them. */
function callerIn({ caller, request, env, requestId, query }: CallerCall, params: Json | undefined): Outcome<Caller> {
  if (caller.attempt) return bad(refuse('forbidden', { detail: 'This token is for one attempt.' }));
  const tenant = params !== null && typeof params === 'object' && !Array.isArray(params) && typeof params.tenant === 'string' ? params.tenant : '';
  const [only] = caller.memberships.size === 1 ? caller.memberships.keys() : [];
  const workspace = tenant || only;
  if (workspace === undefined)
    return bad(refuse('schema_invalid', { errors: [{ pointer: '/params/tenant', code: 'required', detail: 'You are in several workspaces, or in none: name one.' }] }));
  const member = memberOf(caller, workspace);
  if (!member) return bad(refuse('not_found'));
  return good({
    call: { request, env, requestId, query, params: {}, member, workspace },
    goals: caller.goals,
    origin: publicOrigin(env, request),
    async still() {
      const now = await identify(request, env);
      return !('refused' in now) && now.credential === caller.credential && memberOf(now, workspace)?.scopes.includes('goals:read') === true;
    },
  });
}
