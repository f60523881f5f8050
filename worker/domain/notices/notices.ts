/**
 * What of a Goal matters to somebody who does not watch it: it ended or stopped, a work item was judged, a person is needed. Ids and codes alone: what they are about stays with
 * the Goal. Pure. A notice has the same `key` however often it is derived, so that whoever passes it on twice makes one of it.
 */
import { canonical } from '../digest.ts';
import type { Event } from '../events.ts';
import type { State } from '../state.ts';
import type { Json, PrincipalId } from '../values.ts';
import type { Next } from '../views/types.ts';
import { needsPerson } from '../views/needs-you.ts';

/** What each means stands in `docs/webhooks-out.md`. */
export const noticeTypes = [
  'goal.completed',
  'goal.cancelled',
  'goal.stopped',
  'item.accepted',
  'item.returned',
  'trigger.fired',
  'blocker.raised',
  'approval.asked',
  'review.wanted',
  'budget.stopped',
  'person.needed',
] as const;
export type NoticeType = (typeof noticeTypes)[number];

export interface Notice {
  /** One per happening of a Goal, e.g. `event:41` or `answer:blocker:b1:2`. */
  key: string;
  type: NoticeType;
  /** Milliseconds since the epoch. */
  at: number;
  /** Of the Goal when it was noticed. */
  seq: number;
  item?: string;
  /** What a person decides or answers, as `Next` names it, e.g. `blocker:b1`. */
  ref?: string;
  act?: Next['who'][number]['act'];
  /** Who is asked: a person, `person:admin`, or `person:reviewer` for anybody else than who submitted. */
  who?: PrincipalId;
  /** A code, e.g. why it stopped or what the verdict was. */
  why?: string;
  due?: number;
  /** The trigger and its firing that the Goal comes from. */
  trigger?: { name: string; firing: string };
}

/** What happened longer ago is told to nobody any more: a Goal that was brought in has a past. */
export const NOTICE_MAX_AGE_MS = 3 * 86_400_000;

/** Of events that were committed, in their order. `state` is that after them. */
export function noticesOf(state: State, events: readonly Event[], now: number): Notice[] {
  const { origin } = state;
  const trigger = origin?.trigger ? { trigger: { name: origin.trigger.name, firing: origin.trigger.firing } } : {};
  return events.flatMap((event): Notice[] => {
    if (event.at < now - NOTICE_MAX_AGE_MS) return [];
    const said = happened(event);
    return said ? [{ key: `event:${event.seq}`, at: event.at, seq: event.seq, ...trigger, ...said }] : [];
  });
}

function happened(event: Event): Pick<Notice, 'type' | 'item' | 'why'> | undefined {
  switch (event.type) {
    case 'goal.created':
      return event.origin?.trigger ? { type: 'trigger.fired' } : undefined;
    case 'goal.completed':
    case 'goal.cancelled':
      return { type: event.type };
    case 'goal.stopped':
      return { type: 'goal.stopped', why: event.stop.kind };
    case 'item.stopped':
      return { type: 'goal.stopped', item: event.item, why: event.stop.kind };
    case 'acceptance.recorded':
      return { type: event.verdict.verdict === 'accepted' ? 'item.accepted' : 'item.returned', item: event.item, why: event.verdict.verdict };
    case 'acceptance.invalidated':
      return { type: 'item.returned', item: event.item, why: 'invalidated' };
    default:
      return undefined;
  }
}

/** What waits for a person now. What was answered before anybody asked for it is not among it. */
export function needsOf(state: State, next: Next): Notice[] {
  return needsPerson(next).map(({ mover, act, ref, due }): Notice => {
    const item = itemOf(state, ref);
    return {
      key: `${act}:${ref}:${again(state, act, ref)}`,
      type: needType(act, ref),
      at: state.at,
      seq: state.seq,
      act,
      ref,
      who: mover,
      ...(item === undefined ? {} : { item }),
      ...(due === undefined ? {} : { due }),
    };
  });
}

function needType(act: Next['who'][number]['act'], ref: string): NoticeType {
  if (act === 'answer') return 'blocker.raised';
  if (act === 'review') return 'review.wanted';
  if (act === 'raise_limit') return 'budget.stopped';
  return act === 'decide' && ref.startsWith('approval:') ? 'approval.asked' : 'person.needed';
}

function itemOf(state: State, ref: string): string | undefined {
  const [kind, id = ''] = cut(ref);
  if (kind === 'item') return id.split('/')[0];
  if (kind === 'blocker') return state.blockers[id]?.item;
  if (kind === 'submission') return Object.values(state.items).find((item) => item.submission?.id === id)?.key;
  return Object.values(state.waits).find((wait) => wait.correlation === ref)?.item;
}

/** Tells the second time that the same is asked for from the first. */
function again(state: State, act: Next['who'][number]['act'], ref: string): Json {
  const [kind, id = ''] = cut(ref);
  switch (act) {
    case 'answer':
      return (kind === 'blocker' ? state.blockers[id]?.generation : undefined) ?? state.generations[ref] ?? 0;
    case 'raise_limit':
      // A limit that was raised and is spent again is another stop; so is one of the workspace that holds another round back.
      return ref.startsWith('workspace/') ? heldRound(state) : canonical({ limits: state.limits, items: state.itemLimits } as unknown as Json);
    case 'resume':
      return `${state.goalVersion}/${state.plan?.revision ?? 0}/${state.stop?.at ?? state.items[id]?.grants ?? 0}/${state.items[id]?.attempt?.number ?? 0}`;
    case 'set_connection':
      return heldRound(state);
    default:
      return `${state.goalVersion}/${state.generations[ref] ?? 0}`;
  }
}

const heldRound = (state: State): string => Object.values(state.rounds).find((round) => round.grant?.state === 'held')?.id ?? '';

function cut(ref: string): [string, string?] {
  const at = ref.indexOf(':');
  return at < 0 ? [ref] : [ref.slice(0, at), ref.slice(at + 1)];
}
