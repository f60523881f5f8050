/** "What moves this next, and who?": exactly one answer for every Goal that is not terminal. Derived from the state, never stored. */
import { auditClass, auditIsCurrent, completionProblems } from '../contract/audit.ts';
import { probeTimes } from '../effects/probe.ts';
import { BAR_WAITS, COORDINATOR_GRANTS, SIGNAL_KEPT_MS } from '../limits.ts';
import type { GrantState, Held, Round, State, WaitKind } from '../state.ts';
import { type PrincipalId, principalOf } from '../values.ts';
import type { Next, Remains, Why } from '../views/types.ts';
import { itemState, openThings } from '../work/derive.ts';
import { budgetStop, deadlineOf, deadlineReached, passes, type Spending } from './budget.ts';
import { ANOTHER_PERSON, type Candidate, candidates, ownerMayJudge, personJudges, startOf } from './candidates.ts';
import { waitsForGrant } from './grants.ts';
import { intakeStanding } from './intake.ts';
import type { Carriers } from './lane-standing.ts';

type Mover = Next['who'][number];

/** Whoever may change the settings of the workspace. */
export const WHO_SETS = 'person:admin';

export function nextOf(state: State, now: number, carriers: Carriers): Next {
  const { why, who } = standing(state, now, carriers);
  return { goalVersion: state.goalVersion, seq: state.seq, why, who };
}

function standing(state: State, now: number, carriers: Carriers): { why: Why; who: Mover[] } {
  const { owner } = state;
  if (state.status === 'completed' || state.status === 'cancelled') return { why: { kind: 'terminal', status: state.status }, who: [] };
  if (state.status === 'draft') return { why: { kind: 'draft' }, who: draftMovers(state, now, carriers) };
  const people = awaited(state, now, carriers);
  if (state.status === 'paused') return { why: { kind: 'paused' }, who: [{ mover: owner, act: 'resume', ref: 'goal' }, ...people.map((entry) => entry.mover)] };

  const found = candidates(state, now, carriers);
  const wanting = found.start.filter((candidate): candidate is Candidate & { do: 'assign' | 'round' } => candidate.do === 'assign' || candidate.do === 'round');
  const stops = wanting.map((candidate) => budgetStop(state, startOf(state, candidate)));
  // What only waits for calls in flight needs nobody's decision.
  const lacking = stops.filter((stop): stop is Spending => stop !== null && !passes(stop));
  const raise = [...new Set(lacking.map(limitRef))].map((ref): Mover => ({ mover: owner, act: 'raise_limit', ref }));
  const [first] = lacking;
  if (first && stops.every((stop) => stop !== null) && Object.keys(state.rounds).length === 0)
    return { why: budgetWhy(state, first, now), who: [...raise, ...people.map((entry) => entry.mover)] };
  if (deadlineReached(state, now) && (wanting.length > 0 || Object.keys(state.rounds).length > 0 || people.length === 0))
    return { why: { kind: 'deadline', at: deadlineOf(state) ?? 0 }, who: [{ mover: owner, act: 'raise_limit', ref: 'wallTimeMs' }, ...people.map((entry) => entry.mover)] };

  const rounds = Object.values(state.rounds);
  const view = (list: typeof rounds) => list.map(({ id, lane, item }) => ({ id, lane, ...(item ? { item } : {}) }));
  const started = rounds.filter((round) => round.phase === 'started');
  // Several rounds may need the same to be set right: it is asked for once.
  const runners = rounds.flatMap((round) => runnerOf(round, owner)).filter((mover, at, all) => all.findIndex((each) => each.act === mover.act && each.ref === mover.ref) === at);
  const all = [...runners, ...raise, ...people.map((entry) => entry.mover)];
  if (started.length > 0) return { why: { kind: 'running', rounds: view(started) }, who: all };
  // What somebody has to set right comes before what passes by itself.
  const [held] = rounds.flatMap((round) => (round.grant?.state === 'held' ? [round.grant] : [])).sort((a, b) => Number(asksForHelp(b)) - Number(asksForHelp(a)));
  if (held && rounds.every((round) => round.grant?.state === 'held')) return { why: queuedWhy(state, held, view(rounds), now), who: all };
  if (rounds.length > 0) return { why: { kind: 'ready', rounds: view(rounds) }, who: all };

  const checks = Object.values(state.checks);
  if (checks.length > 0)
    return {
      why: { kind: 'checking', checks: checks.map((check) => check.key) },
      who: [...checks.map((check): Mover => ({ mover: 'host', act: 'check', ref: `check:${check.id}`, due: check.dueBy })), ...all],
    };
  const kinds = new Set(people.map((entry) => entry.kind));
  const waitKinds = [...kinds].filter((kind): kind is WaitKind => kind !== 'blocker' && kind !== 'stop');
  if (waitKinds.length > 0) return { why: { kind: 'waiting', kinds: [...waitKinds, ...(kinds.has('blocker') && !kinds.has('input') ? (['input'] as const) : [])] }, who: all };
  if (kinds.has('blocker')) return { why: { kind: 'blocked', blockers: Object.keys(state.blockers) }, who: all };
  const stopped = Object.values(state.items).filter((item) => item.stop && item.stored === 'open');
  if (state.stop?.kind === 'errors' || stopped.some((item) => item.stop?.kind === 'errors')) {
    return {
      why: { kind: 'suspended', detail: state.stop?.detail ?? Object.fromEntries(stopped.map((item) => [item.key, item.stop?.detail ?? ''])) },
      who: [{ mover: owner, act: 'resume', ref: 'goal' }, ...all],
    };
  }
  if (state.stop || stopped.length > 0)
    return { why: { kind: 'no_progress', items: stopped.map((item) => item.key) }, who: [{ mover: owner, act: 'resume', ref: 'goal' }, ...all] };
  // Reaching this is a defect; even then a person is named.
  return {
    why: { kind: 'suspended', detail: { defect: 'nothing moves this goal', open: openThings(state), completion: state.contract ? completionProblems(state, now) : [] } },
    who: [{ mover: owner, act: 'resume', ref: 'goal' }],
  };
}

/** While an intake works on the contract, there is nothing to confirm; else the owner confirms it, or writes it first. */
function draftMovers(state: State, now: number, carriers: Carriers): Mover[] {
  const confirm: Mover = { mover: state.owner, act: 'confirm', ref: 'goal' };
  const standing = intakeStanding(state, now, carriers);
  const runners = Object.values(state.rounds).flatMap((round) => runnerOf(round, state.owner));
  if (runners.length > 0) return runners;
  return standing.kind === 'later' ? [{ mover: 'host', act: 'time', ref: 'coordinator:goal', due: standing.until }, confirm] : [confirm];
}

const asksForHelp = (held: Held): boolean => held.by === 'budget' || held.connection?.person === true;

/** Who moves an open round: its Runner; while its workspace has no place, no budget or no tested connection for it, time, and who raises that budget or may change that setting. */
function runnerOf(round: Round, owner: PrincipalId): Mover[] {
  const ref = `round:${round.id}`;
  if (round.grant?.state === 'held') {
    const again: Mover = { mover: 'host', act: 'time', ref, due: round.grant.retryAt };
    const { by, limit, connection } = round.grant;
    if (by === 'budget') return [{ mover: owner, act: 'raise_limit', ref: `workspace/${limit ?? 'tokens'}` }, again];
    return connection?.person ? [{ mover: WHO_SETS, act: 'set_connection', ref: connection.setting }, again] : [again];
  }
  if (waitsForGrant(round)) return [{ mover: 'host', act: 'run', ref }];
  return [{ mover: round.principal, act: 'run', ref, ...(round.phase === 'started' ? {} : { due: round.dueBy }) }];
}

/** What `goal.setLimits` raises: `tokens`, or `item:<key>/tokens` for one of an item's. */
function limitRef(stop: Spending): string {
  return stop.limit !== 'rounds' && stop.scope === 'item' ? `item:${stop.item}/${stop.limit}` : stop.limit;
}

/** Open rounds that their workspace holds back. Where a budget of it is spent only a person moves on: it says how that stands, and what remains to be done. */
function queuedWhy(state: State, held: Extract<GrantState, { state: 'held' }>, rounds: Extract<Why, { kind: 'queued' }>['rounds'], now: number): Why {
  const { by, limit, spent, connection, least } = held;
  if (by !== 'budget') return { kind: 'queued', by, ...(limit ? { limit } : {}), ...(connection ? { connection } : {}), rounds };
  const needed = limit && least ? least[limit] : 0;
  return { kind: 'queued', by, ...(limit ? { limit } : {}), ...(spent ? { spent } : {}), ...(needed > 0 ? { needed } : {}), rounds, remains: remainsOf(state, now) };
}

/** Required items that are not accepted, and criteria not proven: the first of each by name. */
function remainsOf(state: State, now: number): Remains {
  const items = (state.plan?.order ?? []).filter((key) => state.items[key]?.spec.required && !['accepted', 'superseded', 'cancelled'].includes(itemState(state, key)));
  const criteria = (state.contract?.criteria ?? []).filter((criterion) => auditClass(state, criterion, now).class !== 'proven').map(({ id }) => id);
  return { items: { count: items.length, head: items.slice(0, BAR_WAITS) }, criteria: { count: criteria.length, head: criteria.slice(0, BAR_WAITS) } };
}

/** A stop for budget, with what remains to be done. Money in millionths of the main unit. */
function budgetWhy(state: State, stop: Spending, now: number): Why {
  const { limit, used, of } = stop;
  return {
    kind: 'budget',
    limit,
    used,
    of,
    ...(stop.limit === 'rounds'
      ? {}
      : {
          scope: stop.scope,
          reserved: stop.reserved,
          ...(stop.item === undefined ? {} : { item: stop.item }),
          ...(stop.needed[stop.limit] > 0 ? { needed: stop.needed[stop.limit] } : {}),
        }),
    remains: remainsOf(state, now),
  };
}

interface Awaited {
  kind: WaitKind | 'blocker' | 'stop';
  mover: Mover;
}

/** Everything that is awaited from people, programs and time. */
export function awaited(state: State, now: number, carriers: Carriers): Awaited[] {
  const { owner } = state;
  const list: Awaited[] = [];
  const add = (kind: Awaited['kind'], mover: Mover) => list.push({ kind, mover });

  for (const wait of Object.values(state.waits)) {
    const due = wait.due === undefined ? {} : { due: wait.due };
    switch (wait.kind) {
      case 'approval':
        add('approval', { mover: wait.owner, act: 'decide', ref: wait.correlation, ...due });
        break;
      case 'reconcile':
        add('reconcile', { mover: wait.owner, act: 'reconcile', ref: wait.correlation });
        break;
      case 'timer':
        add('timer', { mover: 'host', act: 'time', ref: wait.correlation, ...due });
        break;
      case 'subagent':
        add('subagent', { mover: 'host', act: 'run', ref: wait.correlation });
        break;
      case 'external':
        add('external', { mover: wait.owner, act: wait.correlation.startsWith('offer:') ? 'carry' : 'signal', ref: wait.correlation, ...due });
        break;
      case 'input':
      case 'review':
        add(wait.kind, { mover: wait.owner, act: wait.kind === 'review' ? 'review' : 'answer', ref: wait.correlation, ...due });
        break;
    }
  }
  // In flight: settled by its round, or unknown at its horizon.
  for (const effect of Object.values(state.effects))
    if (effect.state !== 'unknown') add('external', { mover: 'host', act: 'time', ref: `effect:${effect.id}`, due: effect.horizon });
  // While a coordinator is to look at it, nobody is asked.
  for (const blocker of Object.values(state.blockers)) if (blocker.route !== 'coordinator') add('blocker', { mover: blocker.owner, act: 'answer', ref: `blocker:${blocker.id}` });
  for (const proposal of Object.values(state.proposals)) {
    if (proposal.status === 'sealed' && (proposal.needsPerson || !state.lanes.coordinator)) add('input', { mover: owner, act: 'decide', ref: `proposal:${proposal.id}` });
  }
  if (state.decisionsAsked > 0) add('input', { mover: owner, act: 'decide', ref: 'decisions' });
  if (state.amendment) add('input', { mover: owner, act: 'decide', ref: `amendment:${state.amendment.id}` });
  for (const key of state.plan?.order ?? []) {
    const item = state.items[key];
    if (!item) continue;
    const derived = itemState(state, key);
    const retry = [...Object.values(item.submission?.receipts ?? {})].flatMap((receipt) => (receipt.retryAt !== undefined && receipt.retryAt > now ? [receipt.retryAt] : []));
    if (derived === 'submitted' && retry.length > 0) add('timer', { mover: 'host', act: 'time', ref: `item:${key}`, due: Math.min(...retry) });
    if (derived === 'submitted' && personJudges(state, key, now))
      add('review', { mover: ownerMayJudge(state, item) ? owner : ANOTHER_PERSON, act: 'review', ref: `submission:${item.submission?.id}` });
    if (derived === 'rejected' && !item.stop && item.grants >= COORDINATOR_GRANTS) add('input', { mover: owner, act: 'decide', ref: `item:${key}` });
    if (item.stop && item.stored === 'open' && derived !== 'accepted' && (item.stop.kind === 'errors' || item.grants >= COORDINATOR_GRANTS))
      add('stop', { mover: owner, act: 'resume', ref: `item:${key}` });
  }
  for (const [key, streak] of Object.entries(state.streaks))
    if (streak.retryAt !== undefined && streak.retryAt > now) add('timer', { mover: 'host', act: 'time', ref: key, due: streak.retryAt });
  for (const receipt of Object.values(state.receipts))
    if (receipt.unknown && receipt.retryAt !== undefined && receipt.retryAt > now) add('timer', { mover: 'host', act: 'time', ref: `check:${receipt.key}`, due: receipt.retryAt });
  if (state.execution && state.execution.status !== 'open' && state.mode !== 'graph_only') add('input', { mover: owner, act: 'decide', ref: 'execution' });
  if (state.stop === null) {
    for (const { lane, target, executor } of candidates(state, now, carriers).uncarried) {
      // A wanted carrier that is a person or program is an offer; one that this installation lacks is the owner's to give or to do.
      add('input', {
        mover: executor.kind === 'person' ? (executor.principal ?? owner) : owner,
        act: 'carry',
        ref: `${lane}:${target}`,
        ...(executor.kind === 'person' ? {} : { missing: principalOf(executor) }),
      });
    }
  }
  const closed = state.mode === 'goal_only' ? state.finishAsked : state.plan !== null && openThings(state).length === 0;
  if (closed && auditIsCurrent(state)) {
    for (const criterion of state.contract?.criteria ?? []) {
      if (criterion.verify === 'attest' && state.audit?.classes[criterion.id]?.class === 'missing') add('input', { mover: owner, act: 'attest', ref: `criterion:${criterion.id}` });
    }
    for (const milestone of state.contract?.milestones ?? [])
      if (milestone.confirm && !state.milestones[milestone.key]?.confirmedBy) add('input', { mover: owner, act: 'attest', ref: `milestone:${milestone.key}` });
  }
  if (closed)
    for (const spec of state.contract?.checks ?? []) {
      const receipt = state.receipts[spec.key];
      // Asked and answered otherwise than by another try: the owner changes the check.
      if (receipt?.unknown && receipt.retryAt === undefined && receipt.goalVersion === state.goalVersion && !state.blockers[contractCheckQuestion(spec.key)])
        add('input', { mover: owner, act: 'decide', ref: `check:${spec.key}` });
    }
  // An adoption that waits for something which nobody else is named for: it can be withdrawn. Where the goal itself stands still, that is lifted first.
  if (list.length === 0 && state.stop === null)
    for (const proposal of Object.values(state.proposals)) if (proposal.status === 'pending') add('input', { mover: owner, act: 'decide', ref: `proposal:${proposal.id}` });
  return list;
}

/** Id of the question about a contract check that cannot be run. */
export function contractCheckQuestion(key: string): string {
  return `check-${key}`.slice(0, 64);
}

/** Times at which the host has something to settle; the one alarm is set to the earliest. Leases are not among them. For a committed state only, not for one in the making. */
export function dueTimes(state: State): number[] {
  const times: number[] = [];
  for (const effect of Object.values(state.effects)) if (effect.state !== 'unknown') times.push(effect.horizon);
  times.push(...probeTimes(state));
  for (const signal of Object.values(state.signals)) times.push(signal.at + SIGNAL_KEPT_MS);
  if (state.status !== 'active' && state.status !== 'paused' && state.status !== 'draft') return times;
  for (const round of Object.values(state.rounds)) {
    if (round.grant?.state === 'held') times.push(round.grant.retryAt);
    else if (round.phase !== 'started' && !waitsForGrant(round)) times.push(round.dueBy);
  }
  for (const wait of Object.values(state.waits)) if (wait.due !== undefined) times.push(wait.due);
  for (const approval of Object.values(state.approvals)) times.push(approval.expiresAt);
  for (const check of Object.values(state.checks)) times.push(check.dueBy);
  for (const streak of Object.values(state.streaks)) if (streak.retryAt !== undefined) times.push(streak.retryAt);
  for (const receipt of Object.values(state.receipts)) if (receipt.unknown && receipt.retryAt !== undefined) times.push(receipt.retryAt);
  times.push(...retriesOf(state.items));
  const deadline = deadlineOf(state);
  if (state.status === 'active' && deadline !== null) times.push(deadline);
  return times;
}

const retriesOfItems = new WeakMap<State['items'], number[]>();

/** Kept with the items, which a committed state never changes: most commands touch none of them, and this is asked after each. */
function retriesOf(items: State['items']): number[] {
  let times = retriesOfItems.get(items);
  if (!times) {
    times = [];
    for (const key in items)
      for (const receipt of Object.values(items[key]?.submission?.receipts ?? {})) if (receipt.pass === null && receipt.retryAt !== undefined) times.push(receipt.retryAt);
    retriesOfItems.set(items, times);
  }
  return times;
}
