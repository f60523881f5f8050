/**
 * The responsibility graph as people see it, with what happened joined to each node by its ids. A projection: dragging a node changes nothing.
 * Items of the active revision only; what an earlier one had is in the record.
 */
import type { Lookup } from '../context.ts';
import { NODE_RETURNS, NODE_SUMMARY_CHARS, PROCESS_EDGES } from '../limits.ts';
import { setsOf } from '../planes/checks.ts';
import { dataOf, sceneOf } from '../record.ts';
import type { RowData } from '../row-data.ts';
import type { Item, Round, State } from '../state.ts';
import { dependents, isAccepted, itemState, missingInputs } from '../work/derive.ts';
import { clip } from './clip.ts';
import type { GraphEdge, GraphNode, GraphView } from './types.ts';

/** Verdicts of one item that are looked through for what sent it back, newest first. */
const verdictsRead = 100;

export function graphView(state: State, lookup: Lookup): GraphView {
  const keys = (state.plan?.order ?? []).filter((key) => state.items[key] !== undefined);
  const joined = joinByItem(state);
  const process: GraphView['process'] = [];
  const nodes = keys.map((key) => nodeOf(state, state.items[key] as Item, lookup, joined));
  for (const key of keys) process.push(...processOf(state, state.items[key] as Item, lookup));
  process.sort((a, b) => a.at - b.at);
  return {
    seq: state.seq,
    revision: state.plan?.revision ?? 0,
    nodes,
    edges: edgesOf(state, keys),
    // The newest stay: what goes on now is what one looks for.
    process: process.slice(-PROCESS_EDGES),
    truncated: process.length > PROCESS_EDGES,
  };
}

/** One node, for the item panel. Undefined for a key that no item has. */
export function graphNode(state: State, key: string, lookup: Lookup): GraphNode | undefined {
  const item = Object.hasOwn(state.items, key) ? state.items[key] : undefined;
  return item ? nodeOf(state, item, lookup, joinByItem(state)) : undefined;
}

/** What the working set says of each item, gathered once for all nodes. */
interface Joined {
  rounds: Map<string, Round>;
  blockers: Map<string, string>;
  children: Map<string, GraphNode['children']>;
}

function joinByItem(state: State): Joined {
  const joined: Joined = { rounds: new Map(), blockers: new Map(), children: new Map() };
  for (const round of Object.values(state.rounds)) {
    if (round.item === undefined || round.subagent !== undefined) continue;
    const other = joined.rounds.get(round.item);
    // The worker's round is the item's own; a reviewer's shows where there is none.
    if (!other || (other.lane !== 'worker' && round.lane === 'worker')) joined.rounds.set(round.item, round);
  }
  for (const blocker of Object.values(state.blockers)) if (blocker.item !== undefined && !joined.blockers.has(blocker.item)) joined.blockers.set(blocker.item, blocker.id);
  for (const child of Object.values(state.subagents)) {
    const list = joined.children.get(child.item) ?? [];
    list.push({ id: child.id, name: child.name, state: child.state });
    joined.children.set(child.item, list);
  }
  return joined;
}

function nodeOf(state: State, item: Item, lookup: Lookup, joined: Joined): GraphNode {
  const { spec, key } = item;
  const hard = spec.dependsOn.filter((dependency) => dependency.kind === 'hard').length;
  const missing = missingInputs(state, key);
  const round = joined.rounds.get(key);
  const blocker = joined.blockers.get(key);
  const milestone = milestoneOf(state, item);
  return {
    key,
    title: spec.title,
    kind: spec.kind,
    ...(spec.parent === undefined ? {} : { parent: spec.parent }),
    required: spec.required,
    state: itemState(state, key),
    version: item.version,
    inputs: { accepted: hard - missing.length, of: hard, missing },
    unlocks: [...dependents(state, key)],
    attempts: item.attempts,
    submissions: item.submissions,
    returns: returnsOf(item, lookup).slice(-NODE_RETURNS),
    ...(spec.executor === undefined ? {} : { executor: spec.executor }),
    ...(item.assignment ? { owner: item.assignment.owner } : {}),
    ...(round ? { round: { id: round.id, lane: round.lane, phase: round.phase, steps: round.steps, drift: round.drift } } : {}),
    ...(blocker === undefined ? {} : { blocker }),
    ...(item.stop ? { stop: item.stop.kind } : {}),
    ...(milestone ? { milestone } : {}),
    children: joined.children.get(key) ?? [],
    ...(item.reaffirm ? { reaffirm: item.reaffirm.why } : {}),
  };
}

/** The milestone that the item's checks count by. */
function milestoneOf(state: State, item: Item): GraphNode['milestone'] {
  for (const ref of item.spec.checks.flatMap(setsOf)) {
    if (ref.from !== 'ledger' && ref.from !== 'review_list') continue;
    const counted = Object.hasOwn(state.milestones, ref.milestone) ? state.milestones[ref.milestone] : undefined;
    if (counted) return { key: ref.milestone, count: counted.count, target: counted.target };
  }
  return undefined;
}

/** Nothing was returned while there is one Submission and nothing speaks against it: saves the look-up for most nodes. */
function neverReturned(item: Item): boolean {
  return item.submissions === 0 || (item.submissions === 1 && isAccepted(item) && item.failures === 0);
}

function verdictsAgainst(item: Item, lookup: Lookup): RowData['acceptance'][] {
  if (neverReturned(item)) return [];
  return lookup
    .rows('acceptance', { item: item.key, newestFirst: true, limit: verdictsRead })
    .map((row) => dataOf('acceptance', row))
    .filter((verdict) => verdict.verdict !== 'accepted' || verdict.invalidated !== undefined)
    .sort((a, b) => a.at - b.at);
}

/** Oldest first. `from`: the item whose work brought it to light. */
function returnsOf(item: Item, lookup: Lookup): GraphNode['returns'] {
  return verdictsAgainst(item, lookup).map((verdict) => {
    const submission = lookup.row('submission', verdict.submission);
    const scene = sceneOf(lookup, verdict.invalidated?.sceneBody ?? verdict.sceneBody);
    return {
      submission: submission ? dataOf('submission', submission).number : 0,
      by: verdict.invalidated?.by ?? verdict.by,
      summary: clip(scene?.summary ?? '', NODE_SUMMARY_CHARS),
      ...(verdict.invalidated?.from ? { from: verdict.invalidated.from } : {}),
    };
  });
}

/**
 * What happened on the way: `loop_back` for a verdict that sent the item back, `guard` for an acceptance that fell (from the item that found it), `retry` for an Attempt
 * after one that ended without a Submission. Labels are ids.
 */
function processOf(state: State, item: Item, lookup: Lookup): GraphView['process'] {
  const edges: GraphView['process'] = verdictsAgainst(item, lookup).map((verdict) => {
    const { invalidated } = verdict;
    if (!invalidated) return { kind: 'loop_back', from: item.key, to: item.key, label: verdict.submission, at: verdict.at };
    const from = invalidated.from && state.items[invalidated.from] ? invalidated.from : item.key;
    return { kind: 'guard', from, to: item.key, label: verdict.id ?? verdict.submission, at: invalidated.at };
  });
  if (item.attempts > item.submissions && item.attempts > 1) {
    for (const row of lookup.rows('attempt', { item: item.key, newestFirst: true, limit: verdictsRead })) {
      const attempt = dataOf('attempt', row);
      const broken = attempt.state === 'failed' || attempt.state === 'interrupted' || attempt.state === 'lost' || attempt.state === 'cancelled';
      if (broken && attempt.number < item.attempts) edges.push({ kind: 'retry', from: item.key, to: item.key, label: attempt.id, at: attempt.endedAt ?? attempt.openedAt });
    }
  }
  return edges;
}

function edgesOf(state: State, keys: readonly string[]): GraphEdge[] {
  const shown = new Set(keys);
  return keys.flatMap((to) =>
    (state.items[to] as Item).spec.dependsOn.flatMap((dependency): GraphEdge[] => {
      const upstream = state.items[dependency.key];
      return upstream && shown.has(dependency.key) ? [{ from: dependency.key, to, kind: dependency.kind, satisfied: isAccepted(upstream) }] : [];
    }),
  );
}
