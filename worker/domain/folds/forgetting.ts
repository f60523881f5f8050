/** What the working set drops: it holds what deciding needs, and everything that is over is a row. */
import type { Draft } from '../draft.ts';
import { GENERATIONS_KEPT } from '../limits.ts';
import { lanes } from '../values.ts';
import { checkTarget, messageTarget, streakOf } from './names.ts';

/** What a person allowed an item, and what it lacked, were about its old spec. What was used stays used. */
export function forgetBudget(draft: Draft, item: string): void {
  if (draft.state.itemLimits[item]) delete draft.own('itemLimits')[item];
  if (draft.state.short[`item:${item}`]) delete draft.own('short')[`item:${item}`];
}

export function clearStreaks(draft: Draft, item: string): void {
  const s = draft.state;
  for (const target of [`item:${item}`, `submission:${s.items[item]?.submission?.id}`]) {
    for (const lane of lanes) if (s.streaks[streakOf(lane, target)]) delete draft.own('streaks')[streakOf(lane, target)];
  }
}

/** A round on it may still be open: then it is forgotten when that ends. */
export function forgetTarget(draft: Draft, target: string): void {
  const s = draft.state;
  if (s.fences[target] === undefined || Object.values(s.rounds).some((round) => round.target === target)) return;
  delete draft.own('fences')[target];
  if (s.short[target]) delete draft.own('short')[target];
  for (const lane of lanes) if (s.streaks[streakOf(lane, target)]) delete draft.own('streaks')[streakOf(lane, target)];
}

/** A Submission that another one stands for: no round and no check is asked for it again, so its fences need not be kept. */
export function forgetSubmission(draft: Draft, id: string | undefined): void {
  if (id === undefined) return;
  const s = draft.state;
  forgetTarget(draft, `submission:${id}`);
  const open = new Set(Object.values(s.checks).map(checkTarget));
  for (const target of Object.keys(s.fences)) if (target.startsWith(`check:${id}/`) && !open.has(target)) delete draft.own('fences')[target];
}

export function dropChild(draft: Draft, id: string): void {
  forgetTarget(draft, `subagent:${id}`);
  if (draft.state.spent[`subagent:${id}`]) delete draft.own('spent')[`subagent:${id}`];
  delete draft.own('subagents')[id];
}

/** A coordinator looked at the message that asks for another contract, or a version came that answers it. */
export function forgetChange(draft: Draft): void {
  const { changeAsked } = draft.state;
  if (changeAsked === undefined) return;
  delete draft.state.changeAsked;
  forgetTarget(draft, messageTarget(changeAsked));
}

/** Correlations of one use: the thing they name is over with the wait. */
const once = /^(effect|approval|attempt|children):/;

/** The generation of a closed wait or question is remembered for a bounded number of them, the oldest forgotten first. */
export function close(draft: Draft, correlation: string, seq: number): void {
  const s = draft.state;
  if (once.test(correlation)) {
    delete draft.own('generations')[correlation];
    return;
  }
  const closed = draft.own('closed');
  closed[correlation] = seq;
  const known = Object.entries(closed);
  if (known.length <= GENERATIONS_KEPT) return;
  const [oldest] = known.reduce((a, b) => (b[1] < a[1] || (b[1] === a[1] && b[0] < a[0]) ? b : a));
  delete closed[oldest];
  if (s.generations[oldest] !== undefined) delete draft.own('generations')[oldest];
}
