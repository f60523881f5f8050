/** A command from outside, whole: parsed, decided, folded, and advanced to a fixpoint. Pure and synchronous; the caller commits what it answers. */

import { type Command, catalogue, type Envelope } from './commands.ts';
import type { Bodies, Context, Row } from './context.ts';
import { advance } from './continuation/advance.ts';
import { isQuiet } from './continuation/quiet.ts';
import { decide, decideAsHost } from './decide.ts';
import type { Event } from './events.ts';
import { schemaProblems } from './problems.ts';
import { isRefusal, type Refusal, refuse } from './refusals.ts';
import type { State } from './state.ts';
import { Turn } from './turn.ts';
import type { Json } from './values.ts';

export interface Handled {
  state: State;
  events: Event[];
  rows: Row[];
  bodies: Bodies;
  result: Json;
  /** The command was refused, and that it came is itself on record (a plan that could not be sealed): commit, and answer with it. */
  refusal?: Refusal;
}

/** Checks the payload against the catalogue. Unknown fields are refused. */
export function parseCommand(envelope: Pick<Envelope, 'type' | 'expected' | 'payload' | 'reason'>): Command | Refusal {
  const parsed = catalogue[envelope.type].payload.safeParse(envelope.payload);
  if (!parsed.success) return refuse('schema_invalid', { errors: schemaProblems(parsed.error).map((problem) => ({ ...problem, pointer: `/payload${problem.pointer}` })) });
  return { type: envelope.type, expected: envelope.expected, payload: parsed.data, ...(envelope.reason === undefined ? {} : { reason: envelope.reason }) } as Command;
}

/** What a refused command leaves on record all the same. */
const recordedRefusals = new Set(['plan.refused', 'late.recorded']);

export function handle(state: State, command: Command, ctx: Context): Refusal | Handled {
  const turn = new Turn(state, ctx);
  const answer = decide(turn, command);
  if (isRefusal(answer)) {
    if (turn.events.length === 0 || !turn.events.every((event) => recordedRefusals.has(event.type))) return answer;
    advance(turn, decideAsHost);
    return { state: turn.state, events: turn.events, rows: turn.rows, bodies: turn.bodies, result: null, refusal: answer };
  }
  if (turn.oversize) {
    // Final: the same command never fits. Who gave it learns what is too large, and for what.
    const item =
      'item' in command.payload && typeof command.payload.item === 'string' ? command.payload.item : ctx.actor.kind === 'round' ? state.rounds[ctx.actor.round]?.item : undefined;
    return refuse('limit_exceeded', {
      detail: `${command.type}: a body of ${turn.oversize.bytes} bytes; store it as a file and pass its digest`,
      current: { limit: 'body', bytes: turn.oversize.bytes, of: turn.oversize.limit, ...(item ? { item } : {}) },
    });
  }
  if (!isQuiet(state, turn.events, ctx.now)) advance(turn, decideAsHost);
  return { state: turn.state, events: turn.events, rows: turn.rows, bodies: turn.bodies, result: JSON.parse(JSON.stringify(answer ?? null)) as Json };
}
