/** What a coordinator sees of the plan at the start: each item in a line, the open questions with their forms, and what the host finds for each criterion. */
import type { Json } from '../../domain/values.ts';
import type { GoalBar, GraphView } from '../../domain/views/types.ts';
import type { ReadQuery, RoundContext } from '../../goal/rpc.ts';

/** Lines; `work_list` gives the others. Those that are done come last. */
const ITEMS = 60;
const QUESTIONS = 10;

export async function graphFor(context: Pick<RoundContext, 'lane' | 'purpose' | 'brief'>, read: (query: ReadQuery) => Promise<Json | undefined>): Promise<Json | undefined> {
  if (context.lane !== 'coordinator' || context.purpose === 'intake' || context.brief) return undefined;
  const [graph, goal] = (await Promise.all([read({ what: 'graph' }), read({ what: 'goal' })])) as unknown as [GraphView | undefined, { bar: GoalBar } | undefined];
  const nodes = graph?.nodes ?? [];
  const open = nodes.filter((node) => node.state !== 'accepted' && node.state !== 'superseded');
  const shown = [...open, ...nodes.filter((node) => !open.includes(node))].slice(0, ITEMS);
  const dependsOn = (key: string) => (graph?.edges ?? []).filter((edge) => edge.to === key).map((edge) => (edge.kind === 'soft' ? `${edge.from} (soft)` : edge.from));
  return {
    ...(nodes.length > 0
      ? {
          items: shown.map((node) => {
            const after = dependsOn(node.key);
            return {
              key: node.key,
              title: node.title.slice(0, 80),
              state: node.state,
              ...(after.length > 0 ? { dependsOn: after } : {}),
              ...(node.required ? {} : { required: false }),
              ...(node.stop ? { stop: node.stop } : {}),
              ...(node.blocker ? { blocker: node.blocker } : {}),
              ...(node.returns.length > 0 ? { returns: node.returns.length, lastReturn: node.returns.at(-1)?.summary.slice(0, 160) ?? '' } : {}),
            };
          }),
          ...(shown.length < nodes.length ? { more: `${nodes.length - shown.length} items, mostly accepted: work_list` } : {}),
        }
      : {}),
    ...(goal && goal.bar.blockers.length > 0
      ? {
          questions: goal.bar.blockers
            .slice(0, QUESTIONS)
            .map(({ id, item, reason, form }) => ({ blocker: id, ...(item === undefined ? {} : { item }), reason: reason.slice(0, 300), form })),
        }
      : {}),
    ...(goal && (context.purpose === 'audit' || context.purpose === 'uncovered') ? { criteria: goal.bar.criteria as unknown as Json } : {}),
  };
}
