/**
 * What a round starts from, beside the contract. Every list has a fixed length and every text a fixed width (`RESUME` in `limits.ts`), so that its size does
 * not grow with history: at most RESUME_PACKET_BYTES of JSON. `rest` names the reads that give what was left out.
 */
import type { Lookup, RowKind } from '../context.ts';
import { RESUME, RESUME_PACKET_BYTES } from '../limits.ts';
import { factsOf } from '../planes/checks.ts';
import { dataOf, sceneOf, textOf } from '../record.ts';
import type { State } from '../state.ts';
import { itemState } from '../work/derive.ts';
import { clip, clipScene } from './clip.ts';
import { milestonesOf } from './goal-bar.ts';
import type { ItemState, ResumePacket } from './types.ts';

/** Rows that are looked through for the few that fit, so that one packet costs the same with any history. */
const rowsRead = 200;
const idWidth = (text: string) => clip(text, RESUME.idChars);

/** `round`: the packet of that round (its item, what came before it); `item`: of an item, for people. Neither: of the Goal. */
export function resumePacket(state: State, lookup: Lookup, { item: given, round: roundId }: { item?: string; round?: string } = {}): ResumePacket {
  const round = roundId === undefined ? undefined : state.rounds[roundId];
  const item = given ?? round?.item;
  const packet: ResumePacket = {
    goalVersion: state.goalVersion,
    planRevision: state.plan?.revision ?? 0,
    seq: state.seq,
    milestones: milestonesOf(state)
      .slice(0, RESUME.milestones)
      .map(({ key, title, count, target }) => ({ key, title: clip(title, RESUME.titleChars), count, target })),
    next: nextItems(state),
    decisions: decisionsOf(lookup),
    reviewList: reviewListOf(state, lookup),
    effects: Object.values(state.effects)
      .slice(0, RESUME.effects)
      .map((effect) => ({ id: idWidth(effect.id), tool: idWidth(effect.tool), state: effect.state })),
    approvals: Object.values(state.approvals)
      .filter((approval) => item === undefined || approval.item === undefined || approval.item === item)
      .slice(0, RESUME.approvals)
      .map((approval) => ({ id: idWidth(approval.id), tool: idWidth(approval.tool), state: approval.state })),
    children: Object.values(state.subagents)
      .filter((child) => item === undefined || child.item === item)
      .slice(-RESUME.children)
      .map((child) => ({ id: idWidth(child.id), name: idWidth(child.name), state: child.state })),
    facts: factKeys(state, lookup, item),
    feedback: item === undefined ? [] : feedbackOf(item, lookup),
    before: beforeOf(lookup, round?.target ?? (item === undefined ? 'goal' : `item:${item}`), roundId, item),
    recovery: round?.recovery ?? false,
    rest: restOf(item),
  };
  return fitted(packet);
}

function nextItems(state: State): ResumePacket['next'] {
  const next: ResumePacket['next'] = { ready: [], blocked: [], submitted: [], counts: {} };
  const add = (list: string[], key: string) => {
    if (list.length < RESUME.items) list.push(key);
  };
  for (const key of state.plan?.order ?? []) {
    const current: ItemState = itemState(state, key);
    next.counts[current] = (next.counts[current] ?? 0) + 1;
    if (current === 'ready' || current === 'changes_requested') add(next.ready, key);
    if (current === 'blocked') add(next.blocked, key);
    if (current === 'submitted') add(next.submitted, key);
  }
  return next;
}

/** The newest decisions that stand, newest first. */
function decisionsOf(lookup: Lookup): ResumePacket['decisions'] {
  return lookup
    .rows('ledger', { newestFirst: true, limit: RESUME.decisions * 2 })
    .map((row) => dataOf('ledger', row))
    .filter((entry) => entry.replacedBy === undefined)
    .slice(0, RESUME.decisions)
    .map((entry) => ({ subject: idWidth(entry.subject), verdict: idWidth(entry.verdict), reason: clip(textOf(lookup, entry.reasonBody), RESUME.reasonChars) }));
}

function reviewListOf(state: State, lookup: Lookup): ResumePacket['reviewList'] {
  const head = lookup
    .rows('review_list', { limit: rowsRead })
    .map((row) => dataOf('review_list', row))
    .filter((entry) => entry.state === 'open')
    .slice(0, RESUME.reviewList)
    .map((entry) => idWidth(entry.subject));
  return { count: state.reviewList.open, head };
}

/** First the facts that the item's checks read, as far as they stand; then the first of the record. */
function factKeys(state: State, lookup: Lookup, item: string | undefined): ResumePacket['facts'] {
  const keys = new Set<string>();
  for (const key of (item === undefined ? [] : (state.items[item]?.spec.checks ?? [])).flatMap(factsOf)) if (lookup.row('fact', key)) keys.add(key);
  for (const row of lookup.rows('fact', { limit: RESUME.facts })) keys.add(row.id);
  return { count: state.facts.keys, keys: [...keys].slice(0, RESUME.facts).map(idWidth) };
}

/** The verdicts that sent the item back, newest first. What was accepted and stands is none. */
function feedbackOf(item: string, lookup: Lookup): ResumePacket['feedback'] {
  const widths = { ids: RESUME.sceneIds, findings: RESUME.sceneFindings, idChars: RESUME.idChars, summaryChars: RESUME.summaryChars, findingChars: RESUME.findingChars };
  return lookup
    .rows('acceptance', { item, newestFirst: true, limit: rowsRead })
    .map((row) => dataOf('acceptance', row))
    .filter((verdict) => verdict.verdict !== 'accepted' || verdict.invalidated !== undefined)
    .sort((a, b) => (b.invalidated?.at ?? b.at) - (a.invalidated?.at ?? a.at))
    .slice(0, RESUME.feedback)
    .map((verdict) => {
      const scene = sceneOf(lookup, verdict.invalidated?.sceneBody ?? verdict.sceneBody);
      return {
        submission: idWidth(verdict.submission),
        by: verdict.invalidated?.by ?? verdict.by,
        verdict: verdict.invalidated ? 'invalidated' : verdict.verdict,
        scene: scene ? clipScene(scene, widths) : null,
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
    ...(item === undefined ? {} : { feedback: `item?item=${item}`, attempts: rows('attempt', `&item=${item}`), rounds: rows('round', `&item=${item}`) }),
  };
}

/**
 * The widths above count characters; a character can take up to six bytes in JSON. Texts that are mostly such shrink further: lists are halved from the least needed
 * one on, until it fits. Feedback goes last.
 */
function fitted(packet: ResumePacket): ResumePacket {
  let cut = packet;
  const shrink: ((from: ResumePacket) => ResumePacket)[] = [
    (from) => ({ ...from, facts: { ...from.facts, keys: half(from.facts.keys) } }),
    (from) => ({ ...from, reviewList: { ...from.reviewList, head: half(from.reviewList.head) } }),
    (from) => ({ ...from, decisions: half(from.decisions) }),
    (from) => ({ ...from, children: half(from.children) }),
    (from) => ({ ...from, milestones: half(from.milestones) }),
    (from) => ({ ...from, effects: half(from.effects), approvals: half(from.approvals) }),
    (from) => ({ ...from, next: { ...from.next, ready: half(from.next.ready), blocked: half(from.next.blocked), submitted: half(from.next.submitted) } }),
  ];
  for (let step = 0; bytesOf(cut) > RESUME_PACKET_BYTES && step < shrink.length * 6; step++) cut = (shrink[step % shrink.length] as (from: ResumePacket) => ResumePacket)(cut);
  for (let ids: number = RESUME.sceneIds; bytesOf(cut) > RESUME_PACKET_BYTES && ids > 0; ids = Math.floor(ids / 2)) {
    const widths = { ids: Math.floor(ids / 2), findings: Math.floor(ids / 10), idChars: RESUME.idChars, summaryChars: RESUME.summaryChars, findingChars: 60 };
    cut = { ...cut, feedback: cut.feedback.map((entry) => ({ ...entry, scene: entry.scene ? clipScene(entry.scene, widths) : null })) };
  }
  return cut;
}

function half<T>(list: T[]): T[] {
  return list.slice(0, Math.floor(list.length / 2));
}

function bytesOf(packet: ResumePacket): number {
  return new TextEncoder().encode(JSON.stringify(packet)).length;
}
