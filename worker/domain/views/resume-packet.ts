/**
 * What a round starts from, beside the contract. Every list has a length and a budget (`RESUME` in `limits.ts`), so that its size does not grow with
 * history: at most RESUME_PACKET_BYTES of JSON. The feedback gets what the others leave. `rest` names the reads that give what was left out.
 */
import type { Lookup, RowKind } from '../context.ts';
import { RESUME, RESUME_PACKET_BYTES } from '../limits.ts';
import { factsOf } from '../planes/checks.ts';
import { dataOf, recordOf, sceneOf, textOf } from '../record.ts';
import type { RowData } from '../row-data.ts';
import type { State } from '../state.ts';
import { itemState, mayStart } from '../work/derive.ts';
import { clip, clipScene, headOf, jsonBytes } from './clip.ts';
import { askedDecisions } from './evidence-view.ts';
import { milestonesOf } from './milestones.ts';
import { openMessages } from './open-messages.ts';
import type { ItemState, ResumePacket } from './types.ts';

/** Rows that are looked through for the few that fit, so that one packet costs the same with any history. */
const rowsRead = 200;

/** `round`: the packet of that round (its item, what came before it); `item`: of an item, for people. Neither: of the Goal. */
export function resumePacket(state: State, lookup: Lookup, { item: given, round: roundId }: { item?: string; round?: string } = {}): ResumePacket {
  const round = roundId === undefined ? undefined : state.rounds[roundId];
  const item = given ?? round?.item;
  const packet: ResumePacket = {
    goalVersion: state.goalVersion,
    planRevision: state.plan?.revision ?? 0,
    seq: state.seq,
    milestones: headOf(
      milestonesOf(state).map(({ key, title, count, target }) => ({ key, title: clip(title, RESUME.titleChars), count, target })),
      RESUME.milestones,
    ),
    next: nextItems(state),
    decisions: decisionsOf(lookup, round?.principal, item),
    ...fallenOf(state, lookup),
    reviewList: reviewListOf(state, lookup),
    effects: headOf(
      Object.values(state.effects).map(({ id, tool, state: stands }) => ({ id, tool, state: stands })),
      RESUME.effects,
    ),
    approvals: headOf(
      Object.values(state.approvals)
        .filter((approval) => item === undefined || approval.item === undefined || approval.item === item)
        .map(({ id, tool, state: stands }) => ({ id, tool, state: stands })),
      RESUME.approvals,
    ),
    children: childrenOf(state, item),
    facts: factKeys(state, lookup, item),
    messages: messagesOf(state, lookup, roundId),
    feedback: [],
    before: beforeOf(lookup, round?.target ?? (item === undefined ? 'goal' : `item:${item}`), roundId, item),
    recovery: round?.recovery ?? false,
    rest: restOf(item),
  };
  return item === undefined ? packet : { ...packet, feedback: feedbackOf(item, lookup, Math.min(RESUME.feedback.bytes, RESUME_PACKET_BYTES - jsonBytes(packet))) };
}

/** The newest children; those of one Attempt are the newest of its item. */
function childrenOf(state: State, item: string | undefined): ResumePacket['children'] {
  const newest = Object.values(state.subagents)
    .filter((child) => item === undefined || child.item === item)
    .map(({ id, name, state: stands }) => ({ id, name, state: stands }))
    .reverse();
  return headOf(newest, RESUME.children).reverse();
}

function nextItems(state: State): ResumePacket['next'] {
  const keys: Record<'ready' | 'blocked' | 'submitted', string[]> = { ready: [], blocked: [], submitted: [] };
  const counts: Record<string, number> = {};
  for (const key of state.plan?.order ?? []) {
    const current: ItemState = itemState(state, key);
    counts[current] = (counts[current] ?? 0) + 1;
    if (mayStart(state, key)) keys.ready.push(key);
    if (current === 'blocked') keys.blocked.push(key);
    if (current === 'submitted') keys.submitted.push(key);
  }
  return { ready: headOf(keys.ready, RESUME.items), blocked: headOf(keys.blocked, RESUME.items), submitted: headOf(keys.submitted, RESUME.items), counts };
}

/** The newest decisions that stand, newest first. `you`: who reads it, and on which item. */
function decisionsOf(lookup: Lookup, you: string | undefined, item: string | undefined): ResumePacket['decisions'] {
  const standing = lookup
    .rows('ledger', { newestFirst: true, limit: RESUME.decisions.entries * 2 })
    .map((row) => dataOf('ledger', row))
    .filter((entry) => entry.replacedBy === undefined)
    .map((entry) => ({
      subject: clip(entry.subject, RESUME.idChars),
      verdict: entry.verdict,
      reason: clip(textOf(lookup, entry.reasonBody), RESUME.reasonChars),
      done: doneBy(lookup, entry, you, item),
    }));
  return headOf(standing, RESUME.decisions);
}

/** What is to be decided anew, by other evidence. */
function fallenOf(state: State, lookup: Lookup): Pick<ResumePacket, 'fallen'> {
  const { count, data } = askedDecisions(state, lookup, RESUME.fallen.entries);
  if (count === 0) return {};
  const head = data.map(({ id, subject, verdict, fallen }) => ({ id, subject: clip(subject, RESUME.idChars), verdict, evidence: clip(fallen[0] ?? '', RESUME.idChars) }));
  return { fallen: { count, head: headOf(head, RESUME.fallen) } };
}

/** So that whoever takes work up knows its own work again. Attempts are named by their number, as the item's are. */
function doneBy(lookup: Lookup, entry: RowData['ledger'], you: string | undefined, item: string | undefined): string {
  const by = entry.by === you ? 'you' : clip(entry.by, RESUME.idChars);
  const attempt = entry.attempt === undefined ? undefined : recordOf(lookup, 'attempt', entry.attempt);
  return `done by ${by}${attempt ? ` in a${attempt.number}` : ''}${entry.item === undefined || entry.item === item ? '' : ` of item ${entry.item}`}`;
}

function messagesOf(state: State, lookup: Lookup, round: string | undefined): ResumePacket['messages'] {
  const open = openMessages(state, lookup, { limit: RESUME.messages.entries, ...(round === undefined ? {} : { not: round }) });
  return {
    count: state.messages.posted - state.messages.handled,
    head: headOf(
      open.map(({ message, by, text, goalVersion, older }) => ({ message, by, text: clip(text, RESUME.messages.textBytes), goalVersion, older })),
      RESUME.messages,
    ),
  };
}

function reviewListOf(state: State, lookup: Lookup): ResumePacket['reviewList'] {
  const open = lookup
    .rows('review_list', { limit: rowsRead })
    .map((row) => dataOf('review_list', row))
    .filter((entry) => entry.state === 'open')
    .map((entry) => entry.subject);
  return { count: state.reviewList.open, head: headOf(open, RESUME.reviewList) };
}

/** First the facts that the item's checks read, as far as they stand; then the first of the record. */
function factKeys(state: State, lookup: Lookup, item: string | undefined): ResumePacket['facts'] {
  const keys = new Set<string>();
  for (const key of (item === undefined ? [] : (state.items[item]?.spec.checks ?? [])).flatMap(factsOf)) if (lookup.row('fact', key)) keys.add(key);
  for (const row of lookup.rows('fact', { limit: RESUME.facts.entries })) keys.add(row.id);
  return { count: state.facts.keys, keys: headOf([...keys], RESUME.facts) };
}

/** Names and punctuation of one entry of the feedback, its ids and principal included. */
const feedbackFrame = 250;

/** The verdicts that sent the item back, newest first, within `bytes`. What was accepted and stands is none. */
function feedbackOf(item: string, lookup: Lookup, bytes: number): ResumePacket['feedback'] {
  const against = lookup
    .rows('acceptance', { item, newestFirst: true, limit: rowsRead })
    .map((row) => dataOf('acceptance', row))
    .filter((verdict) => verdict.verdict !== 'accepted' || verdict.invalidated !== undefined)
    .sort((a, b) => (b.invalidated?.at ?? b.at) - (a.invalidated?.at ?? a.at))
    .slice(0, RESUME.feedback.entries);
  const widths = { summaryBytes: RESUME.feedback.summaryBytes, findingChars: RESUME.findingChars, idChars: RESUME.idChars };
  const older = RESUME.feedback.olderBytes * (against.length - 1);
  return against.map((verdict, index) => {
    const scene = sceneOf(lookup, verdict.invalidated?.sceneBody ?? verdict.sceneBody);
    const room = (index === 0 ? bytes - older : RESUME.feedback.olderBytes) - feedbackFrame;
    return {
      submission: verdict.submission,
      by: verdict.invalidated?.by ?? verdict.by,
      verdict: verdict.invalidated ? 'invalidated' : verdict.verdict,
      scene: scene ? clipScene(scene, room, widths) : null,
    };
  });
}

/** The newest ended round on the same target. */
function beforeOf(lookup: Lookup, target: string, self: string | undefined, item: string | undefined): ResumePacket['before'] {
  const ended = lookup
    .rows('round', { newestFirst: true, limit: rowsRead, ...(item === undefined ? {} : { item }) })
    .map((row) => dataOf('round', row))
    .find((round) => round.target === target && round.id !== self && round.phase === 'ended');
  return ended ? { round: ended.id, outcome: ended.outcome ?? 'lost', at: ended.endedAt ?? ended.scheduledAt } : null;
}

/** Names of record kinds to read the rest of each list from. */
function restOf(item: string | undefined): Record<string, string> {
  const rows = (kind: RowKind, more = '') => `rows?kind=${kind}${more}`;
  return {
    items: 'graph',
    decisions: rows('ledger'),
    reviewList: rows('review_list'),
    facts: rows('fact'),
    effects: rows('effect'),
    approvals: rows('approval'),
    messages: rows('message'),
    ...(item === undefined ? {} : { feedback: `item?item=${item}`, attempts: rows('attempt', `&item=${item}`), rounds: rows('round', `&item=${item}`) }),
  };
}
