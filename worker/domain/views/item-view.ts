/** Everything about one Work Item, from the record: every Attempt, every Submission with every verdict. Nothing is dropped; what was erased is empty. */
import type { Lookup } from '../context.ts';
import { hasFallen } from '../planes/resting.ts';
import { dataOf, everyRow, sceneOf, specTexts, type TypedKind, textOf } from '../record.ts';
import type { RowData } from '../row-data.ts';
import type { ItemSpec, State } from '../state.ts';
import { graphNode } from './graph-view.ts';
import type { ItemView } from './types.ts';

type SubmissionView = ItemView['submissions'][number];

/** Also of an item that the active revision no longer has. Throws for a key that no item ever had: ask `state.items` first. */
export function itemView(state: State, key: string, lookup: Lookup): ItemView {
  const item = Object.hasOwn(state.items, key) ? state.items[key] : undefined;
  const node = graphNode(state, key, lookup);
  if (!item || !node) throw new Error(`no item ${key}`);
  const texts = specTexts(lookup, item.specDigest);
  const all = <K extends TypedKind>(kind: K): RowData[K][] => [...everyRow(lookup, kind, { item: key })].map((row) => dataOf(kind, row));
  const acceptances = all('acceptance').sort((a, b) => a.at - b.at);
  const reviews = all('review').sort((a, b) => a.at - b.at);
  const receipts = all('receipt').sort((a, b) => a.at - b.at);
  const titles = new Map(item.spec.checks.map((check) => [check.key, check.title]));
  return {
    seq: state.seq,
    node,
    specDigest: item.specDigest,
    spec: { ...item.spec, objective: texts.objective, deliverable: texts.deliverable, acceptanceTexts: texts.acceptance, inputs: texts.inputs },
    attempts: all('attempt')
      .sort((a, b) => a.number - b.number)
      .map(({ id, number, state: stands, by, fence, startedAt, endedAt, why }) => ({
        id,
        number,
        state: stands,
        by,
        fence,
        ...(startedAt === undefined ? {} : { startedAt }),
        ...(endedAt === undefined ? {} : { endedAt }),
        ...(why === undefined ? {} : { reason: why }),
      })),
    submissions: all('submission')
      .sort((a, b) => a.number - b.number)
      .map(({ id, number, digest, attempt, by, at, artifacts, claims, summaryBody }) => ({
        id,
        number,
        digest,
        attempt,
        by,
        at,
        summary: textOf(lookup, summaryBody),
        artifacts,
        claims,
        fallen: fallenOf(lookup, claims),
        verdicts: verdictsOf(id, acceptances, reviews, lookup),
        checks: checksOf(id, receipts, titles, lookup),
      })),
  };
}

/** Evidence of the claims that was found to be wrong since, each once. */
export function fallenOf(lookup: Lookup, claims: RowData['submission']['claims']): string[] {
  return [...new Set(claims.flatMap((claim) => claim.evidence))].filter((ref) => hasFallen(lookup, ref));
}

/** What stands or stood, and the votes that came to nothing more: one of several in a stage, or `cannot_judge`. A vote that became the verdict is shown once. */
function verdictsOf(submission: string, acceptances: RowData['acceptance'][], reviews: RowData['review'][], lookup: Lookup): SubmissionView['verdicts'] {
  const verdicts: SubmissionView['verdicts'] = acceptances
    .filter((verdict) => verdict.submission === submission)
    .map((verdict) => {
      const scene = sceneOf(lookup, verdict.invalidated?.sceneBody ?? verdict.sceneBody);
      return {
        id: verdict.id,
        verdict: verdict.verdict,
        by: verdict.by,
        at: verdict.at,
        live: verdict.live,
        ...(scene ? { scene } : {}),
        ...(verdict.invalidated ? { invalidated: verdict.invalidated.from ?? verdict.invalidated.by } : {}),
      };
    });
  const votes = reviews
    .filter((vote) => vote.submission === submission && !verdicts.some((verdict) => verdict.by === vote.by && verdict.verdict === vote.verdict && verdict.at === vote.at))
    .map((vote): SubmissionView['verdicts'][number] => {
      const scene = sceneOf(lookup, vote.sceneBody);
      return { id: `${vote.submission}/${vote.stage}/${vote.by}`, verdict: vote.verdict, by: vote.by, at: vote.at, live: false, ...(scene ? { scene } : {}) };
    });
  return [...verdicts, ...votes].sort((a, b) => a.at - b.at);
}

function checksOf(submission: string, receipts: RowData['receipt'][], titles: Map<string, ItemSpec['checks'][number]['title']>, lookup: Lookup): SubmissionView['checks'] {
  return receipts
    .filter((receipt) => receipt.submission === submission)
    .map((receipt) => {
      const scene = sceneOf(lookup, receipt.sceneBody);
      const title = titles.get(receipt.key);
      return { key: receipt.key, pass: receipt.pass, at: receipt.at, ...(title === undefined ? {} : { title }), ...(scene ? { scene } : {}) };
    });
}
