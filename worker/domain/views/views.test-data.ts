/** States and rows for the tests of views, made by hand: what is tested is the projection, not how the state came to be. */

import type { Row, RowKind } from '../context.ts';
import { defaultLimits } from '../contract/contract.ts';
import { specOf } from '../plan/digest.ts';
import { type PlanItem, planItem } from '../plan/document.ts';
import type { RowData } from '../row-data.ts';
import { type Attempt, emptyState, type Item, type Round, type State, type Submission, type Verdict } from '../state.ts';
import { MemoryLookup } from '../testing/memory-lookup.ts';
import type { Json } from '../values.ts';

export const digest = (n: number | string): string => String(n).padStart(64, '0');

export class Scenario {
  readonly state: State = {
    ...emptyState(structuredClone(defaultLimits)),
    seq: 1,
    at: 1,
    status: 'active',
    goalVersion: 1,
    owner: 'person:owner',
    title: 'A goal',
    confirmedAt: 1000,
  };
  readonly lookup = new MemoryLookup();
  #bodies = 0;

  row<K extends RowKind & keyof RowData>(kind: K, id: string, data: RowData[K], owner: { item?: string; attempt?: string } = {}): void {
    const row: Row = { kind, id, seq: this.state.seq, ...owner, data: data as unknown as Json };
    this.lookup.put([row]);
  }

  body(value: Json): string {
    this.#bodies += 1;
    const name = digest(`b${this.#bodies}`);
    this.lookup.putBodies({ [name]: value });
    return name;
  }

  item(input: Partial<PlanItem> & { key: string }, more: Partial<Item> = {}): Item {
    const parsed = planItem.parse({ title: input.key, ...input });
    const { spec, body } = specOf(parsed);
    const specDigest = digest(`s-${spec.key}`);
    const item: Item = {
      key: spec.key,
      version: 1,
      specDigest,
      spec,
      stored: 'open',
      stop: null,
      assignment: null,
      attempt: null,
      attempts: 0,
      failures: 0,
      grants: 0,
      submission: null,
      submissions: 0,
      verdict: null,
      reaffirm: null,
      ...more,
    };
    this.state.items[item.key] = item;
    const order = [...(this.state.plan?.order ?? []), item.key];
    this.state.plan = { revision: 1, proposal: 'prop_1', digest: digest('p'), order };
    this.row('item_spec', specDigest, { key: item.key, spec, specBody: this.body(body) }, { item: item.key });
    return item;
  }

  attempt(item: Item, more: Partial<Attempt> = {}): Attempt {
    const number = item.attempts + 1;
    const attempt: Attempt = {
      id: `att_${item.key}_${number}`,
      number,
      fence: number,
      state: 'succeeded',
      by: 'agent:worker',
      goalVersion: 1,
      submitted: false,
      ...more,
    };
    item.attempt = attempt;
    item.attempts = number;
    item.assignment = { id: `asg_${item.key}`, owner: attempt.by, executor: item.spec.executor ?? { kind: 'agent', profile: 'worker' }, fence: attempt.fence };
    const { id, state, by, fence, goalVersion } = attempt;
    this.row(
      'attempt',
      id,
      {
        id,
        item: item.key,
        number,
        assignment: `asg_${item.key}`,
        fence,
        state,
        by,
        specDigest: item.specDigest,
        goalVersion,
        openedAt: number,
        ...(state === 'running' || state === 'pending' ? {} : { endedAt: number + 1 }),
      },
      { item: item.key, attempt: id },
    );
    return attempt;
  }

  submission(item: Item, paths: string[] = [], summary = 'done'): Submission {
    const number = item.submissions + 1;
    const id = `sub_${item.key}_${number}`;
    const submission: Submission = {
      id,
      number,
      digest: digest(id),
      attempt: item.attempt?.id ?? '',
      by: 'agent:worker',
      goalVersion: 1,
      planRevision: 1,
      inputsDigest: '',
      stage: 0,
      votes: [],
      cannot: [],
      receipts: {},
    };
    item.submission = submission;
    item.submissions = number;
    item.verdict = null;
    this.row(
      'submission',
      id,
      {
        ...submission,
        specDigest: item.specDigest,
        artifacts: paths.map((path) => ({ path, digest: digest(`${path}-${number}`), size: 1 })),
        claims: [],
        item: item.key,
        at: 10 * number,
        summaryBody: this.body(summary),
      },
      { item: item.key, attempt: submission.attempt },
    );
    return submission;
  }

  verdict(item: Item, verdict: Verdict['verdict'], summary = 'said no'): Verdict {
    const submission = item.submission as Submission;
    const standing: Verdict = {
      id: `acc_${submission.id}`,
      verdict,
      by: 'agent:reviewer',
      submission: submission.id,
      submissionDigest: submission.digest,
      specDigest: item.specDigest,
      goalVersion: 1,
      planRevision: 1,
      criteria: [],
      at: 10 * submission.number + 5,
    };
    item.verdict = standing;
    if (verdict !== 'accepted') item.failures += 1;
    const { id, by, submissionDigest, goalVersion, planRevision, criteria, at } = standing;
    this.row(
      'acceptance',
      id,
      {
        id,
        item: item.key,
        submission: submission.id,
        submissionDigest,
        verdict,
        by,
        specDigest: item.specDigest,
        goalVersion,
        planRevision,
        criteria,
        sceneBody: verdict === 'accepted' ? null : this.body({ summary, missing: ['m1'] }),
        at,
        live: true,
      },
      { item: item.key },
    );
    return standing;
  }

  accepted(input: Partial<PlanItem> & { key: string }, paths: string[] = []): Item {
    const item = this.item(input);
    this.attempt(item);
    this.submission(item, paths);
    this.verdict(item, 'accepted');
    return item;
  }

  round(more: Partial<Round> & { id: string }): Round {
    const round: Round = {
      lane: 'worker',
      target: more.item === undefined ? 'goal' : `item:${more.item}`,
      fence: 1,
      phase: 'started',
      principal: 'agent:worker',
      executor: { kind: 'agent', profile: 'worker' },
      goalVersion: 1,
      planRevision: 1,
      scheduledAt: 1,
      dueBy: 2,
      recovery: false,
      steps: 0,
      recent: [],
      movedAtStep: 0,
      drift: 'none',
      progress: 0,
      ...more,
    };
    this.state.rounds[round.id] = round;
    return round;
  }
}
