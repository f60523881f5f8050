/** Blockers: a question with a form and an owner. Waiting, not failure. */
import { endAttempt, endRound } from '../continuation/closing.ts';
import type { Handlers } from '../handler.ts';
import { recordFact } from '../planes/record-fact.ts';
import { type Refusal, refuse } from '../refusals.ts';
import type { Blocker } from '../state.ts';
import type { Turn, Who } from '../turn.ts';
import type { Json } from '../values.ts';
import { evidenceExists } from './evidence.ts';
import { type BlockerSubject, goesToCoordinator, onlyPeopleAnswer } from './routing.ts';

export interface BlockerRequest {
  key: string;
  reason: string;
  form: Json;
  recommended?: Json;
  owner?: string;
  fact?: string;
  about?: BlockerSubject | undefined;
}

/** A form that cannot be read could never be answered, nor one whose own recommendation does not fit it. */
export function formRefusal(turn: Turn, request: Pick<BlockerRequest, 'form' | 'recommended'>): Refusal | null {
  const unreadable = turn.ctx.form(request.form, null).filter((problem) => problem.code === 'form_unreadable');
  if (unreadable.length > 0) return refuse('schema_invalid', { errors: unreadable.map((problem) => ({ ...problem, pointer: '/payload/form' })) });
  const unfit = request.recommended === undefined ? [] : turn.ctx.form(request.form, request.recommended);
  return unfit.length > 0 ? refuse('schema_invalid', { errors: unfit.map((problem) => ({ ...problem, pointer: `/payload/recommended${problem.pointer}` })) }) : null;
}

/** The same key again is the same blocker. */
export function raiseBlocker(turn: Turn, who: Who, request: BlockerRequest, item?: string): Json {
  const { key, reason, form, recommended, fact, about } = request;
  const routed = item !== undefined && goesToCoordinator(turn.state, who, request, turn.ctx.carriers, turn.data('blocker', key)?.resolvedBy);
  turn.emit(who, {
    type: 'blocker.raised',
    blocker: {
      id: key,
      reason,
      form,
      owner: request.owner ?? turn.state.owner,
      raisedBy: who.principal,
      ...(item ? { item } : {}),
      ...(recommended === undefined ? {} : { recommended }),
      ...(fact ? { fact } : {}),
      ...(about === undefined || about === 'work' ? {} : { about }),
      ...(routed ? { route: 'coordinator' as const } : {}),
    },
  });
  return { blocker: key, generation: turn.state.blockers[key]?.generation ?? 1 };
}

/** A question that stops an item: its round and its Attempt end with it, and resuming revives neither. */
export function blockItem(turn: Turn, who: Who, request: BlockerRequest, item: string): Json {
  const answer = raiseBlocker(turn, who, request, item);
  const why = `blocked: ${request.key}`;
  for (const round of Object.values(turn.state.rounds)) {
    if (round.item === item && round.lane === 'worker' && !round.subagent) endRound(turn, who, round.id, round.id === who.via ? 'blocked' : 'cancelled', why);
  }
  const attempt = turn.state.items[item]?.attempt?.state;
  if (attempt === 'pending' || attempt === 'running') endAttempt(turn, who, item, 'interrupted', why, true);
  return answer;
}

/** What is a person's by its kind an agent leaves alone; the rest it answers only by evidence, and evidence is what is on record. */
function unfitForAgent(turn: Turn, blocker: Blocker, evidence: readonly string[], does: string): Refusal | null {
  if (onlyPeopleAnswer(blocker))
    return refuse('forbidden', { detail: 'only a person answers this', current: { about: blocker.about ?? 'work', owner: blocker.owner }, allowedNext: ['blocker.pass'] });
  if (evidence.length === 0) return refuse('evidence_missing', { detail: `an agent ${does} a blocker only by evidence` });
  const errors = evidence.flatMap((ref, index) => (evidenceExists(turn, ref) ? [] : [{ pointer: `/payload/evidence/${index}`, code: 'evidence_missing', detail: ref }]));
  return errors.length > 0 ? refuse('evidence_missing', { errors }) : null;
}

function reasonless(because: string | undefined): Refusal | null {
  return because ? null : refuse('schema_invalid', { errors: [{ pointer: '/payload/because', code: 'required', detail: 'why the record says so' }] });
}

export const blockerHandlers: Handlers<'blocker.resolve' | 'blocker.pass' | 'blocker.withdraw'> = {
  'blocker.resolve': (turn, who, payload) => {
    const blocker = turn.state.blockers[payload.blocker];
    if (!blocker) {
      const past = turn.data('blocker', payload.blocker);
      return past ? refuse('invalid_transition', { detail: 'already closed', current: { state: past.state } }) : refuse('not_found', { detail: `no blocker ${payload.blocker}` });
    }
    if (payload.generation !== undefined && payload.generation !== blocker.generation)
      return refuse('invalid_transition', { detail: 'the question was asked again since', current: { generation: blocker.generation } });
    const unproven = who.kind === 'round' ? (unfitForAgent(turn, blocker, payload.evidence, 'resolves') ?? reasonless(payload.because)) : null;
    if (unproven) return unproven;
    const errors = turn.ctx.form(blocker.form, payload.answer).map((problem) => ({ ...problem, pointer: `/payload/answer${problem.pointer}` }));
    if (errors.length > 0) return refuse('schema_invalid', { errors, current: { form: blocker.form } });
    const answerBody = turn.body(payload.answer);
    if (blocker.fact) {
      const provenance =
        who.kind === 'round' ? { from: 'blocker' as const, blocker: blocker.id, evidence: payload.evidence } : { from: 'person' as const, principal: who.principal };
      recordFact(turn, who, { key: blocker.fact, value: payload.answer, provenance });
    }
    turn.emit(who, {
      type: 'blocker.resolved',
      blocker: blocker.id,
      answerBody,
      by: who.principal,
      evidence: payload.evidence,
      ...(payload.because === undefined ? {} : { because: payload.because }),
    });
    return { blocker: blocker.id };
  },
  'blocker.pass': (turn, who, payload) => {
    const blocker = turn.state.blockers[payload.blocker];
    if (!blocker) return refuse('not_found', { detail: `no open blocker ${payload.blocker}` });
    if (blocker.route !== 'coordinator') return refuse('invalid_transition', { detail: 'it is with its owner already', current: { owner: blocker.owner } });
    const { why, question, recommended, owner } = payload;
    const unfit = formRefusal(turn, { form: blocker.form, ...(recommended === undefined ? {} : { recommended }) });
    if (unfit) return unfit;
    if (owner !== undefined && !owner.startsWith('person:')) return refuse('schema_invalid', { errors: [{ pointer: '/payload/owner', code: 'not_a_person' }] });
    turn.emit(who, {
      type: 'blocker.passed',
      blocker: blocker.id,
      why,
      ...(question === undefined ? {} : { question }),
      ...(recommended === undefined ? {} : { recommended }),
      ...(owner === undefined ? {} : { owner }),
    });
    return { blocker: blocker.id, owner: owner ?? blocker.owner };
  },
  'blocker.withdraw': (turn, who, payload) => {
    const blocker = turn.state.blockers[payload.blocker];
    if (!blocker) return refuse('not_found', { detail: `no open blocker ${payload.blocker}` });
    const unproven = who.kind === 'round' ? unfitForAgent(turn, blocker, payload.evidence, 'withdraws') : null;
    if (unproven) return unproven;
    turn.emit(who, { type: 'blocker.withdrawn', blocker: blocker.id, by: who.principal });
    return { blocker: blocker.id };
  },
};
