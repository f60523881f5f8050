/** The honest agent of small goals: an item whose input is `{path, text}` is written to that path and submitted; a coordinator proposes the plan it is given and audits; a reviewer reads what it judges. */
import { call, type JsonValue, say, type ToolCall, use } from '../script.ts';
import { type Seen, type Step, type Steps, stepwise } from './stepwise.ts';

type Input = { path: string; text: string };

export const writeNote = (seen: Seen): ToolCall => {
  const { path, text } = (seen.data('item') as { input: Input }).input;
  return call('files_write', { path, text });
};

export const submitNote: Step = (turn, seen) => {
  const item = seen.data('item') as { input: Input; acceptance: { id: string }[] };
  const written = turn.history.findLast((result) => result.name === 'files_write')?.value as { value?: { digest: string } } | undefined;
  return use(
    call('submit', {
      artifacts: [item.input.path],
      summary: `${item.input.path} is written.`,
      claims: item.acceptance.map(({ id }) => ({ criterion: id, evidence: [`artifact:${written?.value?.digest ?? ''}`] })),
    }),
  );
};

export const worker: Step[] = [(_turn, seen) => use(writeNote(seen)), submitNote];

export const adopt: Step = (turn) => {
  const proposed = turn.results[0]?.value as { value?: { proposal: string } } | undefined;
  return use(call('plan_adopt', { proposal: proposed?.value?.proposal ?? '' }));
};

/** Classes every criterion as proven by nothing in particular: the host looks itself. */
const audit: Step = (_turn, seen) => {
  const contract = seen.data('contract') as { criteria: { id: string }[] } | undefined;
  return use(call('goal_audit', { classes: (contract?.criteria ?? []).map(({ id }) => ({ criterion: id, class: 'proven', evidence: [] })) }));
};

export const planner =
  (document: JsonValue) =>
  (seen: Seen): Step[] => {
    if (['plan', 'replan', 'uncovered'].includes(seen.purpose)) return [use(call('plan_propose', { document })), adopt, use(call('hand_back', {})), say('Done.')];
    if (seen.purpose === 'audit') return [audit, use(call('hand_back', {})), say('Done.')];
    return [use(call('hand_back', { note: `left to the owner: ${seen.purpose}` }))];
  };

/** Accepts what it can read; the first submission of an item named `picky` is sent back. */
export const reviewer: Steps = (seen) => {
  const submission = seen.data('submission') as { item: string; number: number; criteria: { id: string }[]; artifacts: { path: string }[] } | undefined;
  if (!submission) return [use(call('hand_back', {}))];
  const look = use(call('files_read', { path: submission.artifacts[0]?.path ?? '' }));
  const back = submission.item.startsWith('picky') && submission.number === 1;
  const verdict = back
    ? call('review_record', { verdict: 'changes_requested', scene: { summary: 'It lacks a second look.', findings: [{ where: 'line 1', expected: 'more' }] } })
    : call('review_record', { verdict: 'accepted', criteria: submission.criteria.map(({ id }) => ({ id, met: true })) });
  return [look, use(verdict), use(call('hand_back', {}))];
};

export const honest = (document: JsonValue) => stepwise({ coordinator: planner(document), worker, reviewer });
