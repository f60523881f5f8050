/** Reads of one Goal, answered by its object: what was committed is what is read. */
import { type Refusal, refuse } from '../domain/refusals.ts';
import { sha256Hex, slug } from '../domain/values.ts';
import type { ReadQuery, ReadValues } from '../goal/rpc.ts';
import { goalTag } from './commands.ts';
import { waitForEvent } from './events-wait.ts';
import { readGoal } from './goals.ts';
import { askedRead, eventList, evidenceRead, graphRead, nothing, packetRead, parameters, recordList } from './parameters.ts';
import { answer, type Call } from './route.ts';

type Read = (call: Call) => Promise<Response | Refusal>;

const goalOf = (call: Call) => call.params.goal ?? '';
const read = (call: Call, query: ReadQuery) => readGoal(call.env, call.workspace, goalOf(call), query, call.member.attempt);

/** A read without parameters whose value is the answer. */
function plain(query: ReadQuery): Read {
  return async (call) => {
    const given = parameters(nothing, call.query);
    if (!given.ok) return given.refusal;
    const found = await read(call, query);
    return found.ok ? answer(found.value.value) : found.refusal;
  };
}

export const nextRoute = plain({ what: 'next' });
export const doctorRoute = plain({ what: 'doctor' });

export const goalRoute: Read = async (call) => {
  const given = parameters(nothing, call.query);
  if (!given.ok) return given.refusal;
  const found = await read(call, { what: 'goal' });
  if (!found.ok) return found.refusal;
  const value = found.value.value as unknown as ReadValues['goal'];
  return answer(value, { headers: { etag: goalTag(value.bar.goalVersion, value.bar.planRevision, found.value.seq) } });
};

export const graphRoute: Read = async (call) => {
  const given = parameters(graphRead, call.query);
  if (!given.ok) return given.refusal;
  const found = await read(call, { what: 'graph', ...(given.value.revision === undefined ? {} : { revision: given.value.revision }) });
  return found.ok ? answer(found.value.value) : found.refusal;
};

export const itemRoute: Read = async (call) => {
  const given = parameters(nothing, call.query);
  if (!given.ok) return given.refusal;
  const key = slug.safeParse(call.params.key);
  if (!key.success) return refuse('not_found');
  const found = await read(call, { what: 'item', item: key.data });
  if (!found.ok) return found.refusal;
  const value = found.value.value as unknown as ReadValues['item'];
  return answer(value, { headers: { etag: `"i${value.node.version}.s${found.value.seq}"` } });
};

/** Events with `seq` > `after`, in order. `nextCursor` is the `after` of the next page, null at the end; `seq` is the Goal's last. */
export const eventsRoute: Read = async (call) => {
  const given = parameters(eventList, call.query);
  if (!given.ok) return given.refusal;
  const { after, limit, wait } = given.value;
  const query: ReadQuery = { what: 'events', after, limit };
  let found = await read(call, query);
  if (found.ok && wait > 0 && (found.value.value as unknown as ReadValues['events']).data.length === 0) {
    await waitForEvent(call, goalOf(call), after, wait * 1000);
    found = await read(call, query);
  }
  if (!found.ok) return found.refusal;
  const value = found.value.value as unknown as ReadValues['events'];
  return answer({ data: value.data, nextCursor: value.next === null ? null : String(value.next), seq: found.value.seq });
};

/** Rows of the record of one kind, in order of id. */
export const recordRoute: Read = async (call) => {
  const given = parameters(recordList, call.query);
  if (!given.ok) return given.refusal;
  const { kind, prefix, item, cursor, limit, newestFirst } = given.value;
  const found = await read(call, {
    what: 'rows',
    kind,
    limit,
    newestFirst,
    ...(prefix === undefined ? {} : { prefix }),
    ...(item === undefined ? {} : { item }),
    ...(cursor === undefined ? {} : { after: cursor }),
  });
  if (!found.ok) return found.refusal;
  const value = found.value.value as unknown as ReadValues['rows'];
  return answer({ data: value.data, nextCursor: value.next, seq: found.value.seq });
};

export const packetRoute: Read = async (call) => {
  const given = parameters(packetRead, call.query);
  if (!given.ok) return given.refusal;
  const found = await read(call, { what: 'resume_packet', ...(given.value.item === undefined ? {} : { item: given.value.item }) });
  return found.ok ? answer(found.value.value) : found.refusal;
};

/** The key is the rest of the path and may hold slashes: `/facts/invoice/0795/amount`. */
export const factRoute: Read = async (call) => {
  const key = call.params.key ?? '';
  const found = await read(call, { what: 'fact', key });
  return found.ok ? answer({ ...(found.value.value as object), seq: found.value.seq }) : found.refusal;
};

/** What rests on a piece of evidence, as its marking as wrong would find it. */
export const evidenceRoute: Read = async (call) => {
  const given = parameters(evidenceRead, call.query);
  if (!given.ok) return given.refusal;
  const found = await read(call, { what: 'evidence', evidence: given.value.evidence });
  return found.ok ? answer({ ...(found.value.value as object), seq: found.value.seq }) : found.refusal;
};

/** Decisions put up for a new verdict, oldest first. */
export const askedDecisionsRoute: Read = async (call) => {
  const given = parameters(askedRead, call.query);
  if (!given.ok) return given.refusal;
  const found = await read(call, { what: 'asked_decisions', limit: given.value.limit });
  return found.ok ? answer({ ...(found.value.value as object), seq: found.value.seq }) : found.refusal;
};

export const bodyRoute: Read = async (call) => {
  const digest = sha256Hex.safeParse(call.params.digest);
  if (!digest.success) return refuse('not_found');
  const found = await read(call, { what: 'body', digest: digest.data });
  return found.ok ? answer({ digest: digest.data, value: found.value.value, seq: found.value.seq }) : found.refusal;
};
