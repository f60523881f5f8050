/** What a goal was made as, for a template of it: its contract and plan in force, who carries the lanes, and what filled the template that it came from. */
import type { Lookup } from '../context.ts';
import { contractInForce, recordOf } from '../record.ts';
import { six } from '../rows.ts';
import type { State } from '../state.ts';
import type { Structure } from '../template/extract.ts';
import type { Json } from '../values.ts';
import { openThings } from '../work/derive.ts';

/** Null: it is not finished. A graph is finished when it is closed, a goal without one when it is completed. */
export function structureOf(state: State, lookup: Lookup): Structure | null {
  const finished = state.status === 'completed' || (state.plan !== null && openThings(state).length === 0);
  if (!finished) return null;
  const filled = state.origin ? lookup.body(state.origin.parametersBody) : undefined;
  return {
    title: state.title,
    mode: state.mode,
    contract: contractInForce(state, lookup) as unknown as Json,
    plan: planOf(state, lookup),
    lanes: JSON.parse(JSON.stringify(state.lanes)) as Json,
    limits: JSON.parse(JSON.stringify(state.limits)) as Json,
    parameters: filled !== null && typeof filled === 'object' && !Array.isArray(filled) ? filled : null,
  };
}

/** The active revision's document, without items that were cancelled or no longer count. */
function planOf(state: State, lookup: Lookup): Json {
  const body = state.plan ? recordOf(lookup, 'revision', six(state.plan.revision))?.documentBody : undefined;
  const document = body === undefined ? undefined : (lookup.body(body) as { mode: Json; items: { [key: string]: Json }[] } | undefined);
  if (document === undefined) return null;
  const stays = (key: Json | undefined): boolean => typeof key === 'string' && state.items[key]?.stored === 'open';
  const items = document.items
    .filter((item) => stays(item.key))
    .map((item) => ({ ...item, dependsOn: Array.isArray(item.dependsOn) ? item.dependsOn.filter((dep) => stays((dep as { key?: Json }).key)) : [] }));
  return { mode: document.mode, items } as Json;
}
