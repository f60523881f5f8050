/** Evidence that a claim names must exist, be live, and belong to this Attempt or to accepted inputs. */
import { refuse, type Problem, type Refusal } from '../refusals.ts';
import type { Item } from '../state.ts';
import type { Turn } from '../turn.ts';
import type { Artifact } from '../values.ts';
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
  switch (kind) {
    case 'artifact':
      if (artifacts.some((artifact) => artifact.digest === id)) return 'fine';
      if (Object.values(turn.state.sources).some((source) => source.digest === id)) return 'fine';
      return upstreamArtifacts(turn, item).some((artifact) => artifact.digest === id) ? 'fine' : 'evidence_missing';
    case 'file':
      if (turn.state.sources[id] || artifacts.some((artifact) => artifact.path === id)) return 'fine';
      return upstreamArtifacts(turn, item).some((artifact) => artifact.path === id) ? 'fine' : 'evidence_missing';
    case 'call': {
      const row = turn.lookup.row('call', id);
      if (!row) return 'evidence_missing';
      return row.attempt === attempt ? 'fine' : 'evidence_foreign';
    }
    case 'submission': {
      const row = turn.lookup.row('submission', id);
      if (!row) return 'evidence_missing';
      const upstream = item.spec.dependsOn.map((dep) => turn.state.items[dep.key]);
      return upstream.some((other) => other && isAccepted(other) && other.submission?.id === id) ? 'fine' : 'evidence_foreign';
    }
    case 'acceptance':
      return Object.values(turn.state.items).some((other) => isAccepted(other) && other.verdict?.id === id) ? 'fine' : 'evidence_missing';
    case 'receipt':
      return turn.lookup.row('receipt', id) ? 'fine' : 'evidence_missing';
    case 'fact':
      return turn.lookup.row('fact', id) ? 'fine' : 'evidence_missing';
    case 'ledger':
      return turn.lookup.row('ledger', id) ? 'fine' : 'evidence_missing';
    case 'attestation':
      return turn.state.attestations[id] ? 'fine' : 'evidence_missing';
    default:
      return 'evidence_missing';
  }
}

function upstreamArtifacts(turn: Turn, item: Item): Artifact[] {
  return item.spec.dependsOn.flatMap((dep) => {
    const other = turn.state.items[dep.key];
    return other && isAccepted(other) ? (other.submission?.artifacts ?? []) : [];
  });
}
