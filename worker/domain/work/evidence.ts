/** Evidence that a claim names must exist, be live, and belong to this Attempt or to accepted inputs. */
import { type Problem, type Refusal, refuse } from '../refusals.ts';
import { hasFallen } from '../planes/resting.ts';
import type { RowData } from '../row-data.ts';
import type { Item } from '../state.ts';
import type { Turn } from '../turn.ts';
import type { Artifact, Json } from '../values.ts';
import { isAccepted } from './derive.ts';

type Finding = 'fine' | 'evidence_missing' | 'evidence_foreign';

export function checkEvidence(turn: Turn, item: Item, artifacts: readonly Artifact[], refs: readonly { ref: string; pointer: string }[]): Refusal | null {
  const errors: Problem[] = [];
  for (const { ref, pointer } of refs) {
    const finding = findEvidence(turn, item, artifacts, ref);
    if (finding !== 'fine') errors.push({ pointer, code: finding, detail: ref });
  }
  if (errors.length === 0) return null;
  return refuse(errors.some((error) => error.code === 'evidence_missing') ? 'evidence_missing' : 'evidence_foreign', { errors });
}

function findEvidence(turn: Turn, item: Item, artifacts: readonly Artifact[], ref: string): Finding {
  const [kind, rest = ''] = [ref.slice(0, ref.indexOf(':')), ref.slice(ref.indexOf(':') + 1)];
  const id = rest.split('#')[0] ?? '';
  const attempt = item.attempt?.id;
  const upstream = (key: string | undefined) =>
    key !== undefined && item.spec.dependsOn.some((dep) => dep.key === key) && turn.state.items[key] !== undefined && isAccepted(turn.state.items[key] as Item);
  if (hasFallen(turn.lookup, ref)) return 'evidence_missing';
  switch (kind) {
    case 'artifact':
      if (artifacts.some((artifact) => artifact.digest === id)) return 'fine';
      if (Object.values(turn.state.sources).some((source) => source.digest === id)) return 'fine';
      return upstreamArtifacts(turn, item).some((artifact) => artifact.digest === id) ? 'fine' : 'evidence_missing';
    case 'file':
      if (Object.hasOwn(turn.state.sources, id) || artifacts.some((artifact) => artifact.path === id)) return 'fine';
      return upstreamArtifacts(turn, item).some((artifact) => artifact.path === id) ? 'fine' : 'evidence_missing';
    case 'call': {
      const row = turn.lookup.row('call', id);
      // A call that was refused was never made.
      if (!row || (row.data as { refused?: Json }).refused !== undefined) return 'evidence_missing';
      return row.attempt === attempt ? 'fine' : 'evidence_foreign';
    }
    case 'submission': {
      const row = turn.lookup.row('submission', id);
      if (!row) return 'evidence_missing';
      return item.spec.dependsOn.some((dep) => upstream(dep.key) && turn.state.items[dep.key]?.submission?.id === id) ? 'fine' : 'evidence_foreign';
    }
    case 'acceptance': {
      const of = Object.values(turn.state.items).find((other) => isAccepted(other) && other.verdict?.id === id);
      return of ? (upstream(of.key) ? 'fine' : 'evidence_foreign') : 'evidence_missing';
    }
    case 'receipt': {
      // Of the Goal's own checks, or of an accepted input.
      const receipt = turn.data('receipt', id);
      return receipt ? (receipt.item === null || upstream(receipt.item) ? 'fine' : 'evidence_foreign') : 'evidence_missing';
    }
    case 'fact':
      return turn.lookup.row('fact', id) ? 'fine' : 'evidence_missing';
    case 'ledger': {
      // Decisions of earlier Attempts of the same item are taken up, not made again.
      const entry = turn.data('ledger', id);
      if (!entry || entry.replacedBy !== undefined) return 'evidence_missing';
      return entry.item === undefined || entry.item === item.key || upstream(entry.item) ? 'fine' : 'evidence_foreign';
    }
    case 'attestation':
      return Object.hasOwn(turn.state.attestations, id) ? 'fine' : 'evidence_missing';
    default:
      return 'evidence_missing';
  }
}

function upstreamArtifacts(turn: Turn, item: Item): Artifact[] {
  return item.spec.dependsOn.flatMap((dep) => {
    const other = turn.state.items[dep.key];
    return other && isAccepted(other) ? (turn.data('submission', other.submission?.id ?? '')?.artifacts ?? []) : [];
  });
}

/** Evidence of a decision must at least exist: a file of the goal, a stored artifact, a part of the contract, a call, a fact, a receipt, a submission. */
export function evidenceExists(turn: Turn, ref: string, withFacts: readonly string[] = []): boolean {
  const kind = ref.slice(0, ref.indexOf(':'));
  const id = ref.slice(kind.length + 1).split('#')[0] ?? '';
  switch (kind) {
    case 'file':
      return Object.hasOwn(turn.state.sources, id) || turn.lookup.rows('artifact', { prefix: `${id}@`, limit: 1 }).length > 0;
    case 'artifact':
      return (
        Object.values(turn.state.sources).some((source) => source.digest === id) ||
        Object.values(turn.state.items).some((item) => turn.data('submission', item.submission?.id ?? '')?.artifacts.some((artifact) => artifact.digest === id)) ||
        hasArtifact(turn, id)
      );
    case 'fact':
      return withFacts.includes(id) || turn.lookup.row('fact', id) !== undefined;
    case 'contract': {
      // The objective, or a criterion, non-goal, check or milestone by its id.
      const { contract } = turn.state;
      return (
        contract !== null &&
        (id === 'objective' ||
          [...contract.criteria, ...contract.nonGoals].some((part) => part.id === id) ||
          [...contract.checks, ...contract.milestones].some((part) => part.key === id))
      );
    }
    case 'call':
    case 'receipt':
    case 'submission':
    case 'acceptance':
    case 'ledger':
    case 'attestation':
      return turn.lookup.row(kind, id) !== undefined;
    default:
      return false;
  }
}

function hasArtifact(turn: Turn, digest: string): boolean {
  return turn.lookup.rows('artifact', { limit: 5000 }).some((row) => (row.data as unknown as RowData['artifact']).artifact.digest === digest);
}
