/** Everything a round starts from. Identity and scope are those of the round; the texts come from the record. */

import type { Lookup } from '../context.ts';
import { COORDINATOR_INPUTS, WORKING_FILES } from '../limits.ts';
import { contractInForce, dataOf, everyRow, recordOf, specTexts, textOf } from '../record.ts';
import type { RowData } from '../row-data.ts';
import { six } from '../rows.ts';
import type { Item, Round, State } from '../state.ts';
import type { Artifact, Json } from '../values.ts';
import { isAccepted } from '../work/derive.ts';
import { decidedCalls } from './decided-calls.ts';
import { blockerView } from './goal-bar.ts';
import { fallenOf } from './item-view.ts';
import { resumePacket } from './resume-packet.ts';
import type { RoundContext } from './types.ts';

/** `leaseMs`: how long the lease that was just given stands, a duration. Throws for a round that is not open: a claim has found it before. */
export function roundContext(state: State, roundId: string, lookup: Lookup, leaseMs: number): RoundContext {
  const round = state.rounds[roundId];
  if (!round) throw new Error(`no open round ${roundId}`);
  const item = round.item === undefined ? undefined : state.items[round.item];
  const contract = contractInForce(state, lookup);
  const context: RoundContext = {
    round: round.id,
    fence: round.fence,
    lane: round.lane,
    target: round.target,
    principal: round.principal,
    executor: round.executor,
    goalVersion: round.goalVersion,
    planRevision: round.planRevision,
    leaseMs,
    stepsPerRound: item?.spec.limits.stepsPerRound ?? state.limits.stepsPerRound,
    contract,
    packet: resumePacket(state, lookup, { round: roundId }),
    sources: Object.values(state.sources),
    upstream: item ? upstreamOf(state, item, lookup) : round.lane === 'coordinator' ? acceptedOf(state, lookup) : [],
    working: workingFiles(lookup, item?.key),
    children: round.attempt !== undefined && round.subagent === undefined ? childrenOf(lookup, round.item, round.attempt) : {},
  };
  const { trigger } = state.origin ?? {};
  if (trigger) context.firing = { round: trigger.firing, trigger: trigger.name };
  if (round.purpose !== undefined) context.purpose = round.purpose;
  const question = round.blocker && state.blockers[round.blocker.id];
  if (question) context.question = { ...blockerView(question), raisedBy: question.raisedBy, asked: question.generation };
  if (item && round.attempt !== undefined && round.lane === 'worker') context.item = itemPart(item, round.attempt, lookup);
  if (item && round.submission !== undefined) context.submission = submissionPart(item, round.submission, context.contract, lookup);
  const decided = decidedCalls(state, lookup, round);
  if (decided.length > 0) context.decided = decided;
  if (round.purpose === 'intake') context.intake = intakePart(state, lookup);
  if (round.subagent !== undefined) context.brief = briefOf(state, round, round.subagent, lookup);
  return context;
}

export function itemPart(item: Item, attempt: string, lookup: Lookup): NonNullable<RoundContext['item']> {
  const texts = specTexts(lookup, item.specDigest);
  const { spec } = item;
  const executorInput = spec.executor?.kind === 'skill' ? spec.executor.input : undefined;
  return {
    key: spec.key,
    title: spec.title,
    objective: texts.objective,
    deliverable: texts.deliverable,
    acceptance: texts.acceptance,
    covers: spec.covers,
    inputs: texts.inputs,
    input: texts.input ?? executorInput ?? null,
    attempt,
    attemptNumber: item.attempt?.id === attempt ? item.attempt.number : (recordOf(lookup, 'attempt', attempt)?.number ?? item.attempts),
    specDigest: item.specDigest,
  };
}

/** What the reviewer judges: the item's own criteria, and those of the Goal that it covers. */
function submissionPart(item: Item, id: string, contract: RoundContext['contract'], lookup: Lookup): RoundContext['submission'] {
  const submission = recordOf(lookup, 'submission', id);
  if (!submission) return undefined;
  const covered = (contract?.criteria ?? []).filter((criterion) => item.spec.covers.includes(criterion.id)).map(({ id: criterion, text }) => ({ id: criterion, text }));
  const { digest, number, by, artifacts, claims, summaryBody } = submission;
  return {
    id,
    digest,
    number,
    item: item.key,
    by,
    summary: textOf(lookup, summaryBody),
    artifacts,
    claims,
    ...fallenPart(lookup, claims),
    criteria: [...specTexts(lookup, item.specDigest).acceptance, ...covered],
  };
}

function fallenPart(lookup: Lookup, claims: RowData['submission']['claims']): { fallen?: string[] } {
  const fallen = fallenOf(lookup, claims);
  return fallen.length === 0 ? {} : { fallen };
}

/** The first version's objective is the sentence as it was said, whatever the contract has become since. */
function intakePart(state: State, lookup: Lookup): NonNullable<RoundContext['intake']> {
  const first = recordOf(lookup, 'goal_version', six(1));
  const said = first?.contractBody ? (lookup.body(first.contractBody) as { objective?: string } | undefined) : undefined;
  const proposal = state.intake?.proposal ?? null;
  const note = proposal ? (lookup.body(proposal.noteBody) as { why?: string; questions?: string[] } | undefined) : undefined;
  return {
    sentence: said?.objective ?? state.title,
    proposal: proposal && { shape: proposal.shape, because: proposal.because, why: note?.why ?? '', questions: note?.questions ?? [] },
  };
}

function briefOf(state: State, round: Round, id: string, lookup: Lookup): NonNullable<RoundContext['brief']> {
  const row = recordOf(lookup, 'subagent', id);
  const value: Json = (row ? lookup.body(row.briefBody) : undefined) ?? null;
  return { subagent: id, name: row?.name ?? state.subagents[id]?.name ?? '', item: row?.item ?? round.item ?? '', value, ...(row?.briefFile ? { file: row.briefFile } : {}) };
}

/** Accepted deliveries of the items that this one depends on, hard and soft, in the order of its spec. */
export function upstreamOf(state: State, item: Item, lookup: Lookup): RoundContext['upstream'] {
  return item.spec.dependsOn.flatMap(({ key }) => {
    const upstream = state.items[key];
    if (!upstream?.submission || !isAccepted(upstream)) return [];
    const { id } = upstream.submission;
    const row = recordOf(lookup, 'submission', id);
    return [{ item: key, submission: id, artifacts: row?.artifacts ?? [], summary: textOf(lookup, row?.summaryBody) }];
  });
}

/** For whoever audits or plans anew: what is accepted, in the order of the plan. */
function acceptedOf(state: State, lookup: Lookup): RoundContext['upstream'] {
  const accepted: RoundContext['upstream'] = [];
  for (const key of state.plan?.order ?? []) {
    const item = state.items[key];
    if (!item?.submission || !isAccepted(item)) continue;
    if (accepted.length >= COORDINATOR_INPUTS) break;
    const row = recordOf(lookup, 'submission', item.submission.id);
    accepted.push({ item: key, submission: item.submission.id, artifacts: row?.artifacts ?? [], summary: textOf(lookup, row?.summaryBody) });
  }
  return accepted;
}

/**
 * The newest file of each path that this item's Attempts stored, or, without an item, that belongs to none. Files of a Submission that came back are among them: the
 * rework begins with them. At most WORKING_FILES, in order of path.
 */
export function workingFiles(lookup: Lookup, item: string | undefined): Artifact[] {
  const newest = new Map<string, Artifact>();
  for (const row of everyRow(lookup, 'artifact', item === undefined ? {} : { item })) {
    const { artifact, role } = dataOf('artifact', row);
    if (role === 'source' || (item === undefined && row.item !== undefined)) continue;
    if (newest.size >= WORKING_FILES && !newest.has(artifact.path)) break;
    newest.set(artifact.path, artifact);
  }
  return [...newest.values()];
}

/** Children of this Attempt, by name, each with its result as it was returned. */
function childrenOf(lookup: Lookup, item: string | undefined, attempt: string): RoundContext['children'] {
  const children: [string, RoundContext['children'][string]][] = [];
  for (const row of everyRow(lookup, 'subagent', item === undefined ? {} : { item })) {
    const child = dataOf('subagent', row);
    if (child.parent !== attempt) continue;
    const result = child.resultBody === undefined ? undefined : lookup.body(child.resultBody);
    children.push([child.name, { state: child.state, ...(child.ok === undefined ? {} : { ok: child.ok }), ...(result === undefined ? {} : { result }) }]);
  }
  return Object.fromEntries(children);
}
