/** From a row of the record to the columns of its table. Kinds that are not here stay in the Goal's object. */
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Row, RowKind } from '../domain/context.ts';
import type { RowData } from '../domain/row-data.ts';
import * as schema from './schema.ts';

type Shared = 'workspaceId' | 'goalId' | 'executionId' | 'id' | 'item' | 'attempt' | 'seq' | 'data';
type Columns<T extends SQLiteTable> = Omit<Required<T['$inferInsert']>, Shared>;

export interface Projection {
  table: SQLiteTable;
  /** Columns of the table beside the shared ones, by property. */
  columns(data: never, row: Row): Record<string, string | number | null>;
  /** Bodies that readers of the book see. */
  bodies(data: never): (string | null | undefined)[];
}

function projection<K extends RowKind & keyof RowData, T extends SQLiteTable>(
  _kind: K,
  table: T,
  columns: (data: RowData[K], row: Row) => Columns<T>,
  bodies: (data: RowData[K]) => (string | null | undefined)[] = () => [],
): Projection {
  return { table, columns: columns as Projection['columns'], bodies: bodies as Projection['bodies'] };
}

export const projections: Partial<Record<RowKind, Projection>> = {
  goal_version: projection(
    'goal_version',
    schema.goalVersions,
    (d) => ({ at: d.at, goalVersion: d.goalVersion, title: d.title, contractBody: d.contractBody, reason: d.reason, by: d.by, completedAt: d.completedAt ?? null }),
    (d) => [d.contractBody],
  ),
  proposal: projection(
    'proposal',
    schema.planProposals,
    (d) => ({ at: d.at, digest: d.digest, documentBody: d.documentBody, status: d.status, by: d.by, basedOn: d.basedOn }),
    (d) => [d.documentBody],
  ),
  revision: projection(
    'revision',
    schema.planRevisions,
    (d) => ({ at: d.at, revision: d.revision, proposal: d.proposal, digest: d.digest, documentBody: d.documentBody, by: d.by, goalVersion: d.goalVersion }),
    (d) => [d.documentBody],
  ),
  assignment: projection('assignment', schema.assignments, (d) => ({ at: d.at, owner: d.owner, fence: d.fence, releasedAt: d.releasedAt ?? null, why: d.why ?? null })),
  attempt: projection('attempt', schema.attempts, (d) => ({
    at: d.openedAt,
    number: d.number,
    assignment: d.assignment,
    fence: d.fence,
    state: d.state,
    by: d.by,
    specDigest: d.specDigest,
    goalVersion: d.goalVersion,
    startedAt: d.startedAt ?? null,
    endedAt: d.endedAt ?? null,
    why: d.why ?? null,
  })),
  submission: projection(
    'submission',
    schema.submissions,
    (d) => ({
      at: d.at,
      number: d.number,
      digest: d.digest,
      by: d.by,
      specDigest: d.specDigest,
      goalVersion: d.goalVersion,
      planRevision: d.planRevision,
      inputsDigest: d.inputsDigest,
      summaryBody: d.summaryBody,
      supersededBy: d.supersededBy ?? null,
    }),
    (d) => [d.summaryBody],
  ),
  review: projection(
    'review',
    schema.reviews,
    (d) => ({ at: d.at, submission: d.submission, by: d.by, verdict: d.verdict, stage: d.stage, sceneBody: d.sceneBody }),
    (d) => [d.sceneBody],
  ),
  acceptance: projection(
    'acceptance',
    schema.acceptances,
    (d) => ({
      at: d.at,
      submission: d.submission,
      submissionDigest: d.submissionDigest,
      verdict: d.verdict,
      by: d.by,
      goalVersion: d.goalVersion,
      planRevision: d.planRevision,
      sceneBody: d.sceneBody,
      live: d.live ? 1 : 0,
      invalidatedAt: d.invalidated?.at ?? null,
      invalidatedBy: d.invalidated?.by ?? null,
      invalidatedSceneBody: d.invalidated?.sceneBody ?? null,
    }),
    (d) => [d.sceneBody, d.invalidated?.sceneBody],
  ),
  round: projection('round', schema.rounds, (d) => ({
    at: d.scheduledAt,
    lane: d.lane,
    target: d.target,
    phase: d.phase,
    outcome: d.outcome ?? null,
    why: d.why ?? null,
    principal: d.principal,
    fence: d.fence,
    goalVersion: d.goalVersion,
    planRevision: d.planRevision,
    claimedAt: d.claimedAt ?? null,
    startedAt: d.startedAt ?? null,
    endedAt: d.endedAt ?? null,
    steps: d.steps,
  })),
  blocker: projection(
    'blocker',
    schema.blockers,
    (d) => ({
      at: d.raisedAt,
      reason: d.reason,
      owner: d.owner,
      state: d.state,
      count: d.count,
      answerBody: d.answerBody ?? null,
      resolvedBy: d.resolvedBy ?? null,
      resolvedAt: d.resolvedAt ?? null,
    }),
    (d) => [d.answerBody],
  ),
  ledger: projection(
    'ledger',
    schema.ledger,
    (d) => ({
      at: d.at,
      subject: d.subject,
      milestone: d.milestone ?? null,
      verdict: d.verdict,
      reasonBody: d.reasonBody,
      by: d.by,
      round: d.round ?? null,
      flagged: d.flagged ?? null,
      replacedBy: d.replacedBy ?? null,
    }),
    (d) => [d.reasonBody],
  ),
  // It has no time of its own: cut by the order of the record.
  evidence_use: projection('evidence_use', schema.evidenceUses, (d, row) => ({ at: row.seq, evidence: d.evidence, used: d.used, kind: d.kind })),
  wait: projection('wait', schema.waits, (d) => ({
    at: d.armedAt,
    kind: d.kind,
    owner: d.owner,
    reason: d.reason,
    generation: d.generation,
    due: d.due ?? null,
    state: d.state,
    endedAt: d.endedAt ?? null,
  })),
  approval: projection(
    'approval',
    schema.approvals,
    (d) => ({
      at: d.askedAt,
      state: d.state,
      round: d.round,
      tool: d.tool,
      callDigest: d.callDigest,
      callBody: d.callBody,
      expiresAt: d.expiresAt,
      decidedBy: d.decidedBy ?? null,
      decidedAt: d.decidedAt ?? null,
    }),
    (d) => [d.callBody],
  ),
  usage: projection('usage', schema.usage, (d) => ({
    at: d.at,
    round: d.round,
    lane: d.lane ?? null,
    subagent: d.subagent ?? null,
    profile: d.profile ?? null,
    model: d.model ?? null,
    tokens: d.tokens,
    money: d.money,
    cacheRead: d.cacheRead ?? 0,
    cacheWrite: d.cacheWrite ?? 0,
    assumed: d.assumed ? 1 : 0,
  })),
  effect: projection('effect', schema.effects, (d) => ({
    at: d.plannedAt,
    tool: d.tool,
    key: d.key,
    callDigest: d.callDigest,
    round: d.round,
    state: d.state,
    outcome: d.outcome ?? null,
    settledAt: d.settledAt ?? null,
  })),
};

/** Digests of the bodies that the book shows with this row: the lane sends these along. Empty for kinds that the book does not hold. */
export function bodiesOf(row: Row): string[] {
  const found = projections[row.kind]?.bodies(row.data as never) ?? [];
  return found.filter((digest): digest is string => typeof digest === 'string');
}
