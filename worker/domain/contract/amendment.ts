/**
 * An amendment: the next version of the contract as a coordinator proposes it from what a person said. It changes nothing until a person decides, and only what was said under the
 * version in force counts: an old remark is never obeyed over a newer version.
 */
import type { z } from 'zod';
import type { Handlers } from '../handler.ts';
import { contractInForce } from '../record.ts';
import { type Problem, refuse } from '../refusals.ts';
import { nine } from '../rows.ts';
import type { Json } from '../values.ts';
import { type amendment, type Contract, contract as contractSchema } from './contract.ts';
import { withPatch } from './limits-patch.ts';
import { contractProblems } from './lean.ts';
import { impactIn, revise } from './revise.ts';

type Change = z.output<typeof amendment>;

export const amendmentHandlers: Handlers<'goal.amend' | 'amendment.decide'> = {
  'goal.amend': (turn, who, payload) => {
    const { state } = turn;
    const before = contractInForce(state, turn.lookup);
    if (!before || state.mode === 'graph_only') return refuse('invalid_transition', { detail: 'there is no contract to amend', current: { mode: state.mode } });
    const message = turn.data('message', nine(payload.message));
    if (!message) return refuse('not_found', { detail: `no message ${payload.message}` });
    if (!message.by.startsWith('person:')) return refuse('forbidden', { detail: 'only what a person said changes the goal', current: { by: message.by } });
    const said = message.goalVersion ?? 1;
    if (said !== state.goalVersion)
      return refuse('goal_version_stale', { detail: 'said under an older version, which counts no more', current: { said, goalVersion: state.goalVersion } });
    if (payload.message <= state.messages.handled) return refuse('invalid_transition', { detail: 'that message was handled', current: { handled: state.messages.handled } });
    // Limits may have been raised since the version was made.
    const now = contractSchema.parse({ ...before, limits: withPatch(state.limits, {}) });
    const after = amended(now, payload.change);
    const errors: Problem[] = contractProblems(after, state.mode).map((problem) => ({ ...problem, pointer: problem.pointer.replace('/payload/contract', '/payload/change') }));
    if (errors.length > 0) return refuse('schema_invalid', { errors });
    if (turn.digest(after as unknown as Json) === turn.digest(now as unknown as Json))
      return refuse('invalid_transition', { detail: 'that is the contract in force already', current: { goalVersion: state.goalVersion } });
    if (state.amendment) turn.emit(who, { type: 'amendment.closed', amendment: state.amendment.id, how: 'superseded' });
    const id = turn.id('amd');
    turn.emit(who, {
      type: 'amendment.proposed',
      amendment: {
        id,
        message: payload.message,
        basedOn: state.goalVersion,
        by: who.principal,
        body: turn.body({ contract: after, why: payload.why } as unknown as Json),
      },
    });
    return { amendment: id, ...impactIn(turn, after) } as unknown as Json;
  },
  'amendment.decide': (turn, who, payload) => {
    const open = turn.state.amendment;
    if (open?.id !== payload.amendment) return refuse('not_found', { detail: `no open amendment ${payload.amendment}`, current: { amendment: open?.id ?? null } });
    if (who.kind !== 'person') return refuse('forbidden', { detail: 'a person decides what the goal is' });
    if (payload.decision === 'rejected') {
      turn.emit(who, { type: 'amendment.closed', amendment: open.id, how: 'rejected' });
      return { amendment: open.id };
    }
    const body = turn.lookup.body(open.body) as unknown as { contract: Contract; why: string } | undefined;
    if (!body) return refuse('not_found', { detail: 'what it proposed was erased' });
    turn.emit(who, { type: 'amendment.closed', amendment: open.id, how: 'confirmed' });
    return revise(turn, who, { contract: contractSchema.parse(body.contract), message: open.message }, body.why);
  },
};

/** Parts that the change leaves out stay. */
function amended(before: Contract, { limits, ...parts }: Change): Contract {
  const given = Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined));
  return contractSchema.parse({ ...before, ...given, limits: withPatch(before.limits, limits ?? {}) });
}
