/** Checks: asked for by the host, answered inside where the record is enough, outside where bytes or the world are needed. */
import { isFresh } from '../contract/audit.ts';
import { checkTarget } from '../folds/names.ts';
import type { Handlers } from '../handler.ts';
import { CHECK_RETRIES_MS, CHECK_WITHIN_MS } from '../limits.ts';
import { refuse } from '../refusals.ts';
import type { Item, State } from '../state.ts';
import type { Turn, Who } from '../turn.ts';
import type { Json } from '../values.ts';
import type { CheckSpec, Scene } from './check-spec.ts';
import { evaluateInside, readsOutside, sourcesOf } from './checks.ts';

/** Contract checks that must be asked for now. */
export function contractChecksDue(turn: { state: State; now: number }): CheckSpec[] {
  const open = new Set(
    Object.values(turn.state.checks)
      .filter((check) => check.submission === null)
      .map((check) => check.key),
  );
  return (turn.state.contract?.checks ?? []).filter((spec) => {
    if (open.has(spec.key)) return false;
    const receipt = turn.state.receipts[spec.key];
    if (!isFresh(turn.state, spec, receipt, turn.now)) return true;
    return receipt.unknown === true && receipt.retryAt !== undefined && receipt.retryAt <= turn.now;
  });
}

/** Checks of an item that its Submission still needs under the current version. */
export function itemChecksDue(turn: { state: State; now: number }, item: Item): CheckSpec[] {
  const { submission } = item;
  if (!submission) return [];
  const open = new Set(
    Object.values(turn.state.checks)
      .filter((check) => check.submission === submission.id)
      .map((check) => check.key),
  );
  return item.spec.checks.filter((spec) => {
    if (open.has(spec.key)) return false;
    const receipt = submission.receipts[spec.key];
    if (!receipt || receipt.goalVersion !== turn.state.goalVersion) return true;
    return receipt.pass === null && receipt.retryAt !== undefined && receipt.retryAt <= turn.now;
  });
}

/** `fresh` starts the count of tries anew. */
export function ask(turn: Turn, who: Who, spec: CheckSpec, item: Item | null, fresh = false): void {
  const submission = item?.submission?.id ?? null;
  const tries = fresh ? 0 : ((submission ? item?.submission?.receipts[spec.key]?.tries : turn.state.receipts[spec.key]?.unknown ? turn.state.receipts[spec.key]?.tries : 0) ?? 0);
  const id = turn.id('chk');
  const outside = readsOutside(spec);
  turn.emit(who, {
    type: 'check.requested',
    outside,
    tries: tries + 1,
    check: {
      id,
      key: spec.key,
      submission,
      item: item?.key ?? null,
      goalVersion: turn.state.goalVersion,
      specDigest: turn.digest(spec as unknown as Json),
      asOf: turn.state.seq,
      fence: turn.nextFence(checkTarget({ key: spec.key, submission })),
      dueBy: turn.now + CHECK_WITHIN_MS,
    },
  });
  if (outside) return;
  const result = evaluateInside(spec, sourcesOf(turn.lookup));
  answer(
    turn,
    who,
    { id, key: spec.key, submission, item: item?.key ?? null, checkDigest: turn.digest(spec as unknown as Json), asOf: turn.state.seq - 1, tries: tries + 1 },
    spec,
    result.pass,
    result.scene,
    {},
    'record/1',
  );
}

interface Asked {
  id: string;
  key: string;
  submission: string | null;
  item: string | null;
  checkDigest: string;
  asOf: number;
  tries: number;
}

function answer(turn: Turn, who: Who, asked: Asked, spec: CheckSpec, pass: boolean | null, scene: Scene | undefined, inputs: Record<string, string>, checker: string): void {
  const pause = pass === null ? CHECK_RETRIES_MS[asked.tries - 1] : undefined;
  turn.emit(who, {
    type: 'check.recorded',
    check: asked.id,
    key: asked.key,
    submission: asked.submission,
    item: asked.item,
    pass,
    sceneBody: scene ? turn.body(scene as unknown as Json) : null,
    inputs,
    checker,
    ...(pause === undefined ? {} : { retryAt: turn.now + pause }),
    receipt: {
      id: turn.id('rcp'),
      key: asked.key,
      checkDigest: asked.checkDigest,
      pass: pass === true,
      goalVersion: turn.state.goalVersion,
      asOf: asked.asOf,
      tries: asked.tries,
      ...(spec.kind === 'http_probe' && pass ? { holdsUntil: turn.now + spec.holdsMs } : {}),
    },
  });
}

export const checkHandlers: Handlers<'check.request' | 'check.record'> = {
  'check.request': (turn, who, payload) => {
    if (payload.submission === undefined) {
      const due = contractChecksDue(turn);
      for (const spec of due) ask(turn, who, spec, null);
      return { checks: due.map((spec) => spec.key) };
    }
    const item = Object.values(turn.state.items).find((candidate) => candidate.submission?.id === payload.submission);
    if (!item) return refuse('not_found', { detail: `no current submission ${payload.submission}` });
    const due = itemChecksDue(turn, item);
    for (const spec of due) {
      const current = turn.state.items[item.key];
      if (current) ask(turn, who, spec, current);
    }
    return { checks: due.map((spec) => spec.key) };
  },
  'check.record': (turn, who, payload) => {
    const open = turn.state.checks[payload.check];
    if (!open) return refuse('round_superseded', { detail: 'the check was answered or is no longer asked' });
    if (open.fence !== payload.fence) return refuse('fence_stale', { current: { fence: open.fence } });
    const item = open.item ? turn.state.items[open.item] : undefined;
    const spec = open.submission ? item?.spec.checks.find((check) => check.key === open.key) : turn.state.contract?.checks.find((check) => check.key === open.key);
    // Asked under another version, or of a submission that is no longer judged: recorded, and it proves nothing.
    if (!spec || open.goalVersion !== turn.state.goalVersion || turn.digest(spec as unknown as Json) !== open.specDigest) {
      turn.emit(who, {
        type: 'check.recorded',
        check: open.id,
        key: open.key,
        submission: null,
        item: null,
        pass: null,
        sceneBody: null,
        inputs: payload.inputs,
        checker: payload.checker,
        receipt: { id: turn.id('rcp'), key: open.key, checkDigest: open.specDigest, pass: false, goalVersion: open.goalVersion, asOf: open.asOf, tries: open.tries },
      });
      return { late: true };
    }
    answer(
      turn,
      who,
      { id: open.id, key: open.key, submission: open.submission, item: open.item, checkDigest: open.specDigest, asOf: open.asOf, tries: open.tries },
      spec,
      payload.pass,
      payload.scene,
      payload.inputs,
      payload.checker,
    );
    return { pass: payload.pass };
  },
};
