/** Facts, milestones, ledger, needs-review list, evidence and tasks: what is known and how far it went. */
import type { FactEntry } from '../commands.ts';
import type { Handlers } from '../handler.ts';
import { MILESTONES } from '../limits.ts';
import { type Problem, refuse } from '../refusals.ts';
import { subjectId } from '../rows.ts';
import type { Turn, Who } from '../turn.ts';
import type { Json } from '../values.ts';
import { isAccepted } from '../work/derive.ts';
import { evidenceExists } from '../work/evidence.ts';
import { relockDownstream } from '../work/verdict.ts';
import { countSubject, membersOf } from './counting.ts';
import { recordFact, takeTarget } from './record-fact.ts';
import { hasFallen, restingOn, sourcesOf, wholeOf } from './resting.ts';

type PlaneCommands = 'fact.record' | 'milestone.define' | 'ledger.record' | 'review_list.add' | 'review_list.resolve' | 'evidence.invalidate' | 'tasks.set';

/** Puts a subject on the needs-review list. Parking never sets the reason of an item, only that a person is asked. */
export function setAside(
  turn: Turn,
  who: Who,
  entry: { subject: string; milestone?: string; note: string },
  how: 'agent' | 'drift',
  members: Set<string> | null | undefined,
): boolean {
  const before = turn.data('review_list', subjectId(entry.milestone, entry.subject));
  if (before) return false;
  turn.emit(who, {
    type: 'review_list.added',
    subject: entry.subject,
    ...(entry.milestone ? { milestone: entry.milestone } : {}),
    noteBody: turn.body(entry.note),
    how,
    ...(who.via ? { round: who.via } : {}),
    again: false,
  });
  if (entry.milestone) countSubject(turn, who, entry.milestone, entry.subject, 'parked', members);
  return true;
}

/** The milestone whose counted set a subject belongs to. */
export function milestoneOfSubject(turn: Turn, subject: string): string | undefined {
  return turn.state.contract?.milestones.find((milestone) => typeof milestone.target === 'object' && membersOf(turn, milestone.key)?.has(subject))?.key;
}

function unknownMilestones(turn: Turn, entries: readonly { milestone?: string | undefined }[]): Problem[] {
  return entries.flatMap((entry, index) =>
    entry.milestone !== undefined && !turn.state.milestones[entry.milestone]
      ? [{ pointer: `/payload/entries/${index}/milestone`, code: 'unknown_key', detail: entry.milestone }]
      : [],
  );
}

/** A fact that is recorded with the decision counts by what it is taken from now. */
function restsOnFallen(turn: Turn, ref: string, facts: readonly FactEntry[]): boolean {
  const taken = facts.find((fact) => wholeOf(ref) === `fact:${fact.key}`);
  return taken ? sourcesOf(taken.provenance).some((source) => hasFallen(turn.lookup, source)) : hasFallen(turn.lookup, ref);
}

export const planeHandlers: Handlers<PlaneCommands> = {
  'fact.record': (turn, who, payload) => {
    const facts: Record<string, number> = {};
    for (const entry of payload.facts) facts[entry.key] = recordFact(turn, who, entry).version;
    return { facts };
  },
  'milestone.define': (turn, who, payload) => {
    if (!turn.state.contract) return refuse('invalid_transition', { detail: 'a graph-only run has no contract' });
    if (turn.state.milestones[payload.milestone.key]) return refuse('invalid_transition', { detail: 'a milestone of that key stands', current: { key: payload.milestone.key } });
    if (turn.state.contract.milestones.length >= MILESTONES) return refuse('limit_exceeded', { detail: 'milestones', current: { limit: MILESTONES } });
    turn.emit(who, { type: 'milestone.defined', milestone: payload.milestone });
    takeTarget(turn, who, payload.milestone);
    return { milestone: payload.milestone.key };
  },
  'ledger.record': (turn, who, payload) => {
    const errors = unknownMilestones(turn, payload.entries);
    payload.entries.forEach((entry, index) => {
      const keys = entry.facts.map((fact) => fact.key);
      entry.evidence.forEach((ref, n) => {
        const pointer = `/payload/entries/${index}/evidence/${n}`;
        if (!evidenceExists(turn, ref, keys)) errors.push({ pointer, code: 'evidence_missing', detail: ref });
        else if (restsOnFallen(turn, ref, entry.facts)) errors.push({ pointer, code: 'evidence_missing', detail: `${ref} was found to be wrong` });
      });
    });
    if (errors.length > 0) return refuse(errors.some((error) => error.code === 'evidence_missing') ? 'evidence_missing' : 'schema_invalid', { errors });
    const members = new Map<string, Set<string> | null | undefined>();
    const entries: Json[] = [];
    for (const entry of payload.entries) {
      const { subject, milestone, verdict, reason, evidence } = entry;
      const changed = entry.facts.filter((fact) => recordFact(turn, who, fact).changed).map((fact) => fact.key);
      const stands = turn.data('ledger_subject', subjectId(milestone, subject));
      const before = stands && turn.data('ledger', stands.entry);
      const reasonBody = turn.body(reason);
      // The same decision again is no second entry: a repeat after a crash changes nothing.
      if (before && before.asked === undefined && before.verdict === verdict && before.reasonBody === reasonBody && changed.length === 0) {
        entries.push(before.id);
        continue;
      }
      const id = turn.id('led');
      turn.emit(who, {
        type: 'ledger.recorded',
        entry: id,
        subject,
        ...(milestone ? { milestone } : {}),
        verdict,
        reasonBody,
        evidence,
        facts: changed,
        ...(who.via ? { round: who.via } : {}),
        ...(who.round?.item ? { item: who.round.item } : {}),
        ...(who.round?.attempt ? { attempt: who.round.attempt } : {}),
        ...(before ? { replaces: before.id } : {}),
        ...(before?.asked ? { answers: true as const } : {}),
      });
      entries.push(id);
      if (milestone) {
        if (!members.has(milestone)) members.set(milestone, membersOf(turn, milestone));
        countSubject(turn, who, milestone, subject, 'decided', members.get(milestone));
      }
    }
    return { entries };
  },
  'review_list.add': (turn, who, payload) => {
    const errors = unknownMilestones(turn, payload.entries);
    if (errors.length > 0) return refuse('schema_invalid', { errors });
    let added = 0;
    const members = new Map<string, Set<string> | null | undefined>();
    for (const entry of payload.entries) {
      if (entry.milestone && !members.has(entry.milestone)) members.set(entry.milestone, membersOf(turn, entry.milestone));
      if (setAside(turn, who, entry, 'agent', entry.milestone ? members.get(entry.milestone) : undefined)) added += 1;
    }
    return { added };
  },
  'review_list.resolve': (turn, who, payload) => {
    const row = turn.data('review_list', subjectId(payload.milestone, payload.subject));
    if (!row) return refuse('not_found', { detail: `${payload.subject} is not on the needs-review list` });
    if (row.state !== 'open') return refuse('invalid_transition', { current: { state: row.state } });
    turn.emit(who, {
      type: 'review_list.resolved',
      subject: payload.subject,
      ...(payload.milestone ? { milestone: payload.milestone } : {}),
      resolutionBody: turn.body(payload.resolution),
    });
    return {};
  },
  'evidence.invalidate': (turn, who, payload, command) => {
    const { evidence } = payload;
    const versions = new Map(Object.values(turn.state.items).map((item) => [item.key, item.version]));
    const rests = restingOn(turn.state, turn.lookup, evidence);
    if (Object.values(rests).every((list) => list.length === 0) && !evidenceExists(turn, evidence)) return refuse('not_found', { detail: 'nothing rests on that evidence' });
    const decisions = rests.decisions.filter((id) => turn.data('ledger', id)?.flagged === undefined);
    const acceptances = rests.items.flatMap((key) => turn.state.items[key]?.verdict?.id ?? []);
    turn.emit(who, {
      v: 2,
      type: 'evidence.invalidated',
      evidence,
      reasonBody: command.reason === undefined ? null : turn.body(command.reason),
      facts: rests.facts,
      decisions,
      acceptances,
      asks: true,
    });
    for (const key of rests.items) {
      // What lies upstream of it may have put it up already.
      const item = turn.state.items[key];
      if (!item || !isAccepted(item)) continue;
      turn.emit(who, { type: 'item.reaffirmed', item: key, why: 'evidence_invalidated', detail: evidence });
      relockDownstream(turn, who, key);
    }
    const downstream = Object.values(turn.state.items).filter(({ key, reaffirm, version }) => reaffirm?.why === 'upstream_invalidated' && version !== versions.get(key));
    return { facts: rests.facts, decisions, acceptances, downstream: downstream.map((item) => item.key) };
  },
  'tasks.set': (turn, who, payload) => {
    turn.emit(who, {
      type: 'tasks.set',
      round: who.via ?? '',
      tasksBody: turn.body(payload.tasks as unknown as Json),
      done: payload.tasks.filter((task) => task.done).length,
      total: payload.tasks.length,
    });
    return {};
  },
};
