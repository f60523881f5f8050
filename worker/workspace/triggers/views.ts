/** What people read of triggers. Times in milliseconds. */
import { isRefusal, type Problem, type Refusal } from '../../domain/refusals.ts';
import type { Values } from '../../domain/template/parameters.ts';
import { instantiate } from '../../domain/template/template.ts';
import type { Json, PrincipalId } from '../../domain/values.ts';
import type { Kept, WorkspaceState } from '../core/state.ts';
import type { TemplateLookup } from '../core/templates.ts';
import { scheduleProblem, upcoming } from '../core/triggers/cron.ts';
import type { Trigger, TriggerDefinition } from '../core/triggers/definition.ts';
import { expressionProblems, type Known, passes, valuesOf } from '../core/triggers/expressions.ts';
import { type BusinessRound, type LeftOpen, leftOpen } from '../core/triggers/rounds.ts';
import { actOf } from './acts.ts';
import type { LateView, Refusals, TriggerStore } from './trigger-store.ts';

export interface TriggerView {
  value: Trigger;
  version: number;
  at: number;
  by: PrincipalId;
  /** The next five times that its schedule is due; empty where it has none, or is paused. */
  next: number[];
  /** The one that is unfinished, and how many are owed. */
  unfinished: BusinessRound | null;
  owed: number;
  last: BusinessRound[];
  /** Deliveries whose signature did not fit. */
  refused: Refusals;
}
export interface RoundView extends BusinessRound {
  seq: number;
  /** How much came for it late: `RoundDetails` has it. */
  late: number;
}
export interface RoundDetails {
  round: BusinessRound;
  /** What was asked of its trigger's expressions. */
  known: Known;
  late: LateView[];
  /** The last one of its trigger that began before it; null: there is none. */
  before: RoundBefore | null;
}
export interface RoundBefore {
  round: BusinessRound;
  /** What it left open; null: nothing. */
  open: LeftOpen<LateView> | null;
  late: LateView[];
}

export function roundDetails(store: TriggerStore, id: string): RoundDetails | undefined {
  const round = store.round(id);
  const known = store.carried(id)?.known;
  if (!round || !known) return undefined;
  const last = store.before(id);
  const late = last ? store.lates(last.id) : [];
  return { round, known, late: store.lates(id), before: last ? { round: last, open: leftOpen(last, late), late } : null };
}

const shownRounds = 5;

function viewOf({ value, version, at, by }: Kept<Trigger>, store: TriggerStore, now: number): TriggerView {
  const standing = store.standing(value.id);
  return {
    value,
    version,
    at,
    by,
    next: value.source.kind === 'cron' && !value.paused ? upcoming(value.source, now, 5) : [],
    unfinished: standing.unfinished ?? null,
    owed: standing.owed.length,
    last: store.rounds(value.name, undefined, shownRounds).map((each) => each.round),
    refused: store.refusals(value.id),
  };
}

export function triggerList(state: WorkspaceState, store: TriggerStore, now: number): TriggerView[] {
  return [...state.settings.trigger.values()].sort((a, b) => (a.value.name < b.value.name ? -1 : 1)).map((kept) => viewOf(kept, store, now));
}

export function triggerView(state: WorkspaceState, store: TriggerStore, name: string, now: number): TriggerView | undefined {
  const kept = state.settings.trigger.get(name);
  return kept && viewOf(kept, store, now);
}

/** Tried out, with nothing fired: what a payload would come to. */
export interface TriggerTried {
  problems: Problem[];
  next: number[];
  /** Null: the filter could not be asked. */
  passes: boolean | null;
  /** Of a goal: the values of its template's parameters. Else what would be told, as a command. */
  values: Values | Json | null;
  refusal: Refusal | null;
}

export function tryTrigger(
  state: WorkspaceState,
  template: TemplateLookup,
  definition: TriggerDefinition,
  given: { data: Json; headers: Record<string, string> },
  now: number,
): TriggerTried {
  const { source, does } = definition;
  const schedule = source.kind === 'cron' ? scheduleProblem(source) : null;
  const problems: Problem[] = [
    ...(schedule ? [{ pointer: `/payload/source/${schedule.field}`, code: schedule.code, detail: schedule.detail }] : []),
    ...expressionProblems(definition),
  ];
  const next = source.kind === 'cron' && !schedule ? upcoming(source, now, 5) : [];
  if (problems.length > 0) return { problems, next, passes: null, values: null, refusal: null };
  const time = new Date(next[0] ?? now).toISOString();
  const known: Known = { ...given, trigger: definition.name, firing: `${definition.name}/test`, at: time, due: time };
  const passed = passes(source.kind === 'webhook' ? source.filter : undefined, known);
  const tried = { problems, next, passes: passed.ok ? passed.passes : null };
  if (does.kind === 'goal') {
    const values = valuesOf(does.parameters, known, '/does/parameters');
    if (isRefusal(values)) return { ...tried, values: null, refusal: values };
    const head = state.settings.template.get(does.template)?.value;
    const document = head && template(head.name, head.confirmed ?? head.latest)?.document;
    const made = document && instantiate(document, values, '/does/parameters');
    if (made && !made.ok) return { ...tried, problems: made.errors, values, refusal: null };
    return { ...tried, values: made?.ok ? made.values : values, refusal: null };
  }
  const round = { id: known.firing, name: definition.name } as BusinessRound;
  const act = actOf(round, { does, known, overlap: definition.overlap, by: 'host' }, () => ({ payload: null, goal: '' }));
  if (isRefusal(act)) return { ...tried, values: null, refusal: act };
  return { ...tried, values: act.kind === 'answer' ? (JSON.parse(JSON.stringify(act)) as Json) : act.envelope.payload, refusal: null };
}
