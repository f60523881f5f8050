/**
 * Derives the record's rows from events. A row is the latest image of one thing; folding the journal from zero gives the same rows.
 * `lookup` sees the rows as they were before the event.
 */
import type { Lookup, Row, RowKind } from './context.ts';
import type { Event, EventOf } from './events.ts';
import { MODEL_CALL } from './model-call.ts';
import type { RowData } from './row-data.ts';
import type { State } from './state.ts';
import type { Json } from './values.ts';

export const six = (n: number) => String(n).padStart(6, '0');
export const nine = (n: number) => String(n).padStart(9, '0');
/** The row that says that nothing may rest on this evidence any more. */
export const invalidatedId = (evidence: string) => `${evidence}|!`;
export const subjectId = (milestone: string | undefined, subject: string) => `${milestone ?? '-'}/${subject}`;

/** `state` is the working set after the event. */
export function rowsOf(event: Event, state: State, lookup: Lookup): Row[] {
  const rows: Row[] = [];
  const { seq, at } = event;

  function put<K extends RowKind & keyof RowData>(kind: K, id: string, data: RowData[K], owner: { item?: string; attempt?: string } = {}): void {
    rows.push({ kind, id, seq, ...(owner.item ? { item: owner.item } : {}), ...(owner.attempt ? { attempt: owner.attempt } : {}), data: data as unknown as Json });
  }
  function change<K extends RowKind & keyof RowData>(kind: K, id: string, patch: Partial<RowData[K]>): void {
    const before = rows.findLast((row) => row.kind === kind && row.id === id) ?? lookup.row(kind, id);
    if (before) rows.push({ ...before, seq, data: { ...(before.data as object), ...patch } as Json });
  }
  const roundRow = (id: string) => (rows.findLast((row) => row.kind === 'round' && row.id === id) ?? lookup.row('round', id))?.data as unknown as RowData['round'] | undefined;
  const modelCallsOf = (id: string) => roundRow(id)?.modelCalls ?? 0;
  function recordUsage(event: EventOf<'usage.recorded'>): void {
    const round = event.round === null ? undefined : roundRow(event.round);
    const { tokens, money, late, call, item, subagent, cacheRead, cacheWrite, assumed, instead } = event;
    // What is corrected keeps its time.
    const before = instead && call !== undefined ? (lookup.row('usage', call)?.data as unknown as RowData['usage'] | undefined) : undefined;
    put(
      'usage',
      call ?? nine(seq),
      {
        round: event.round,
        tokens,
        money,
        late,
        at: before?.at ?? at,
        ...(call === undefined ? {} : { call }),
        ...(item === undefined ? {} : { item }),
        ...(subagent === undefined ? {} : { subagent }),
        ...(round ? { lane: round.lane, profile: round.principal } : {}),
        ...(round?.model === undefined ? {} : { model: round.model }),
        ...(cacheRead === undefined ? {} : { cacheRead }),
        ...(cacheWrite === undefined ? {} : { cacheWrite }),
        ...(assumed ? { assumed } : {}),
      },
      item === undefined ? {} : { item },
    );
    if (!round) return;
    const more = (before: number | undefined, change: number | undefined, name: 'cacheRead' | 'cacheWrite') => (change === undefined ? {} : { [name]: (before ?? 0) + change });
    const guesses = (round.assumed ?? 0) + (assumed ? 1 : 0) - (instead ? 1 : 0);
    change('round', round.id, {
      tokens: (round.tokens ?? 0) + tokens - (instead?.tokens ?? 0),
      money: (round.money ?? 0) + money - (instead?.money ?? 0),
      ...more(round.cacheRead, cacheRead, 'cacheRead'),
      ...more(round.cacheWrite, cacheWrite, 'cacheWrite'),
      ...(guesses > 0 || round.assumed !== undefined ? { assumed: guesses } : {}),
    });
  }
  const uses = (used: string, kind: 'ledger' | 'submission' | 'acceptance', evidence: string[]) => {
    for (const ref of evidence) put('evidence_use', `${ref}|${used}`, { evidence: ref, used, kind });
  };

  switch (event.type) {
    case 'goal.created':
      put('goal_version', six(1), { goalVersion: 1, title: event.title, contractBody: event.contractBody, at, by: event.by, reason: 'created', impact: null });
      break;
    case 'goal.drafted':
      put('goal_version', six(event.goalVersion), {
        goalVersion: event.goalVersion,
        title: event.title,
        contractBody: event.contractBody,
        at,
        by: event.by,
        reason: 'drafted',
        impact: null,
        draft: { shape: event.shape, because: event.because, noteBody: event.noteBody },
      });
      break;
    case 'execution.promoted':
      put('goal_version', six(state.goalVersion), {
        goalVersion: state.goalVersion,
        title: event.title,
        contractBody: event.contractBody,
        at,
        by: event.by,
        reason: 'promoted',
        impact: null,
      });
      break;
    case 'goal.revised':
      put('goal_version', six(event.goalVersion), {
        goalVersion: event.goalVersion,
        title: event.title,
        contractBody: event.contractBody,
        at,
        by: event.by,
        reason: event.reason,
        impact: event.impact,
        ...(event.byCriterion === undefined ? {} : { byCriterion: event.byCriterion }),
        ...(event.message === undefined ? {} : { message: event.message }),
      });
      if (event.message !== undefined) change('message', nine(event.message), { became: event.goalVersion });
      break;
    case 'goal.completed':
      change('goal_version', six(event.goalVersion), { completedAt: at });
      break;
    case 'goal.audited':
      put('audit', nine(seq), { goalVersion: event.audit.goalVersion, by: event.audit.by, at, classes: event.audit.classes, notesBody: event.notesBody });
      break;
    case 'criterion.attested':
      put('attestation', event.attestation.criterion, {
        criterion: event.attestation.criterion,
        holds: event.attestation.holds,
        by: event.attestation.by,
        at,
        goalVersion: event.attestation.goalVersion,
        statementBody: event.statementBody,
      });
      break;

    case 'plan.proposed': {
      const { id, digest, status, by, basedOn } = event.proposal;
      put('proposal', id, { id, digest, documentBody: event.documentBody, status, by, at, basedOn });
      break;
    }
    case 'plan.pended':
      change('proposal', event.proposal, { status: 'pending' });
      break;
    case 'plan.rejected':
      change('proposal', event.proposal, { status: event.status });
      break;
    case 'plan.adopted': {
      change('proposal', event.proposal, { status: 'adopted' });
      const proposal = lookup.row('proposal', event.proposal)?.data as unknown as RowData['proposal'] | undefined;
      put('revision', six(event.revision), {
        revision: event.revision,
        proposal: event.proposal,
        digest: event.digest,
        documentBody: proposal?.documentBody ?? '',
        order: event.order,
        added: event.added.map((item) => item.spec.key),
        changed: event.changed.map((item) => item.spec.key),
        kept: event.kept,
        removed: event.removed,
        at,
        by: event.by,
        goalVersion: state.goalVersion,
      });
      for (const { spec, specDigest, specBody } of [...event.added, ...event.changed, ...event.keptSpecs])
        put('item_spec', specDigest, { key: spec.key, spec, specBody }, { item: spec.key });
      break;
    }
    case 'assignment.made':
      put('assignment', event.assignment, { id: event.assignment, item: event.item, owner: event.owner, fence: event.fence, at }, { item: event.item });
      break;
    case 'assignment.released':
      change('assignment', event.assignment, { releasedAt: at, why: event.why });
      break;
    case 'attempt.opened':
      put(
        'attempt',
        event.attempt,
        {
          id: event.attempt,
          item: event.item,
          number: event.number,
          assignment: event.assignment,
          fence: event.fence,
          state: 'pending',
          by: event.executor,
          specDigest: event.specDigest,
          goalVersion: event.goalVersion,
          openedAt: at,
        },
        { item: event.item, attempt: event.attempt },
      );
      break;
    case 'attempt.started':
      change('attempt', event.attempt, { state: 'running', startedAt: at, fence: event.fence });
      break;
    case 'attempt.ended':
      change('attempt', event.attempt, { state: event.state, endedAt: at, why: event.why });
      break;
    case 'artifact.stored':
      put('artifact', `${event.artifact.path}@${nine(seq)}`, { artifact: event.artifact, role: event.role, at, by: event.by }, event);
      break;
    case 'submission.received': {
      const { submission, supersedes } = event;
      if (supersedes) change('submission', supersedes, { supersededBy: submission.id });
      const { id, number, digest, attempt, by, specDigest, goalVersion, planRevision, artifacts, inputsDigest, claims } = submission;
      put(
        'submission',
        id,
        { id, item: event.item, number, digest, attempt, by, at, specDigest, goalVersion, planRevision, artifacts, inputsDigest, claims, summaryBody: event.summaryBody },
        { item: event.item, attempt },
      );
      uses(id, 'submission', [...new Set(claims.flatMap((claim) => claim.evidence))]);
      break;
    }
    case 'review.recorded':
      put(
        'review',
        `${event.submission}/${nine(seq)}`,
        { submission: event.submission, item: event.item, by: event.by, verdict: event.verdict, criteria: event.criteria, stage: event.stage, sceneBody: event.sceneBody, at },
        { item: event.item },
      );
      break;
    case 'acceptance.recorded': {
      const { id, submission, submissionDigest, verdict, by, specDigest, goalVersion, planRevision, criteria } = event.verdict;
      for (const row of lookup.rows('acceptance', { item: event.item, limit: 1000 }))
        if ((row.data as unknown as RowData['acceptance']).live) change('acceptance', row.id, { live: false });
      put(
        'acceptance',
        id,
        { id, item: event.item, submission, submissionDigest, verdict, by, specDigest, goalVersion, planRevision, criteria, sceneBody: event.sceneDigest, at, live: true },
        { item: event.item },
      );
      if (verdict === 'accepted') uses(id, 'acceptance', [`submission:${submission}`]);
      break;
    }
    case 'acceptance.invalidated':
      change('acceptance', event.acceptance, { live: false, invalidated: { at, by: event.by, from: event.from, sceneBody: event.sceneBody, evidence: event.evidence } });
      break;
    case 'item.reaffirmed': {
      const verdict = state.items[event.item]?.verdict;
      if (verdict) change('acceptance', verdict.id, { live: false });
      break;
    }

    case 'blocker.raised': {
      const blocker = state.blockers[event.blocker.id];
      if (!blocker) break;
      put('blocker', blocker.id, { ...blocker, state: 'open' }, blocker);
      break;
    }
    case 'blocker.passed': {
      const blocker = state.blockers[event.blocker];
      if (blocker) put('blocker', blocker.id, { ...blocker, state: 'open' }, blocker);
      break;
    }
    case 'blocker.resolved':
      change('blocker', event.blocker, {
        state: 'resolved',
        answerBody: event.answerBody,
        resolvedBy: event.by,
        resolvedAt: at,
        ...(event.evidence.length > 0 ? { evidence: event.evidence } : {}),
        ...(event.because === undefined ? {} : { because: event.because }),
      });
      break;
    case 'blocker.withdrawn':
      change('blocker', event.blocker, { state: 'withdrawn', resolvedBy: event.by, resolvedAt: at });
      break;
    case 'fact.recorded': {
      const data = {
        key: event.key,
        version: event.version,
        valueBody: event.valueBody,
        provenance: event.provenance,
        by: event.by,
        ...(event.round ? { round: event.round } : {}),
        at,
      };
      put('fact', event.key, data);
      put('fact_version', `${event.key}@${six(event.version)}`, data);
      break;
    }
    case 'milestone.moved':
      put('counted', subjectId(event.milestone, event.subject), { milestone: event.milestone, subject: event.subject, how: event.how });
      break;
    case 'ledger.recorded': {
      if (event.replaces) change('ledger', event.replaces, { replacedBy: event.entry });
      const { entry, subject, milestone, verdict, reasonBody, evidence, facts, by, round, item, attempt } = event;
      put(
        'ledger',
        entry,
        {
          id: entry,
          subject,
          verdict,
          reasonBody,
          evidence,
          facts,
          by,
          at,
          ...(milestone ? { milestone } : {}),
          ...(round ? { round } : {}),
          ...(item ? { item } : {}),
          ...(attempt ? { attempt } : {}),
        },
        event,
      );
      put('ledger_subject', subjectId(milestone, subject), { entry, verdict });
      uses(entry, 'ledger', evidence);
      break;
    }
    case 'review_list.added':
      put('review_list', subjectId(event.milestone, event.subject), {
        subject: event.subject,
        ...(event.milestone ? { milestone: event.milestone } : {}),
        noteBody: event.noteBody,
        how: event.how,
        by: event.by,
        at,
        state: 'open',
      });
      break;
    case 'review_list.resolved':
      change('review_list', subjectId(event.milestone, event.subject), { state: 'resolved', resolutionBody: event.resolutionBody });
      break;
    case 'evidence.invalidated':
      put('evidence_use', invalidatedId(event.evidence), {
        evidence: event.evidence,
        used: '',
        kind: 'invalidated',
        ...(event.asks ? { at, by: event.by, ...(event.reasonBody === null ? {} : { reasonBody: event.reasonBody }) } : {}),
      });
      for (const entry of event.decisions) change('ledger', entry, { flagged: event.evidence, ...(event.asks ? { asked: true as const } : {}) });
      break;
    case 'tasks.set':
      put('tasks', event.round, { round: event.round, tasksBody: event.tasksBody, at });
      break;

    case 'effect.planned': {
      const { id, tool, key, callDigest, item, attempt, round } = event.effect;
      put('effect', id, { id, tool, key, callDigest, ...(item ? { item } : {}), ...(attempt ? { attempt } : {}), round, state: 'planned', plannedAt: at }, event.effect);
      put('effect_key', key, { effect: id });
      break;
    }
    case 'effect.settled':
      change('effect', event.effect, { state: event.outcome, outcome: event.outcome, resultBody: event.resultBody, late: event.late, settledAt: at });
      break;
    case 'effect.probe_asked':
      change('effect', event.effect, { probes: event.tries });
      break;
    case 'effect.probed':
      change('effect', event.effect, { probed: event.found, probeBody: event.evidenceBody, probedAt: at });
      break;
    case 'effect.reconciled':
      change('effect', event.effect, { state: 'reconciled', outcome: event.outcome, reconciledBy: event.by, evidenceBody: event.evidenceBody });
      break;
    case 'approval.asked': {
      const { id, round, item, tool, callDigest, askedAt, expiresAt } = event.approval;
      put('approval', id, { id, state: 'asked', round, ...(item ? { item } : {}), tool, callDigest, callBody: event.callBody, askedAt, expiresAt }, event.approval);
      break;
    }
    case 'approval.decided':
      change('approval', event.approval, { state: event.decision, decidedBy: event.by, decidedAt: at });
      break;
    case 'approval.used':
      change('approval', event.approval, { state: 'used' });
      break;
    case 'approval.expired':
      change('approval', event.approval, { state: 'expired' });
      break;
    case 'wait.armed': {
      const { id, kind, correlation, generation, item, owner, reason, due } = event.wait;
      put(
        'wait',
        id,
        { id, kind, correlation, generation, ...(item ? { item } : {}), owner, reason, armedAt: at, ...(due === undefined ? {} : { due }), state: 'armed' },
        event.wait,
      );
      break;
    }
    case 'wait.released':
      change('wait', event.wait, { state: event.how, endedAt: at, ...(event.payloadBody ? { payloadBody: event.payloadBody } : {}) });
      break;

    case 'subagent.spawned': {
      const { id, name, parent, item, executor } = event.subagent;
      put(
        'subagent',
        id,
        { id, name, parent, item, state: 'open', executor, briefBody: event.briefBody, ...(event.briefFile ? { briefFile: event.briefFile } : {}), at },
        { item, attempt: parent },
      );
      break;
    }
    case 'subagent.adopted':
      change('subagent', event.subagent, { parent: event.attempt });
      break;
    case 'subagent.returned':
      change(
        'subagent',
        event.subagent,
        event.late ? { resultBody: event.resultBody, ok: event.ok } : { state: event.ok ? 'returned' : 'failed', ok: event.ok, resultBody: event.resultBody, endedAt: at },
      );
      break;
    case 'subagent.ended':
      change('subagent', event.subagent, { state: event.state, endedAt: at });
      break;

    case 'round.scheduled': {
      const { id, lane, target, item, attempt, submission, subagent, purpose, fence, principal, executor, goalVersion, planRevision, scheduledAt, recovery } = event.round;
      put(
        'round',
        id,
        {
          id,
          lane,
          target,
          ...(item ? { item } : {}),
          ...(attempt ? { attempt } : {}),
          ...(submission ? { submission } : {}),
          ...(subagent ? { subagent } : {}),
          ...(purpose ? { purpose } : {}),
          fence,
          phase: 'scheduled',
          principal,
          executor,
          goalVersion,
          planRevision,
          scheduledAt,
          steps: 0,
          recovery,
        },
        event.round,
      );
      break;
    }
    case 'round.redispatched':
      change('round', event.round, { phase: 'scheduled', fence: event.fence });
      break;
    case 'round.granted':
      change('round', event.round, { granted: true });
      break;
    case 'round.claimed':
      change('round', event.round, { phase: 'claimed', runner: event.runner, claimedAt: at });
      break;
    case 'round.started':
      change('round', event.round, { phase: 'started', startedAt: at, ...(event.model === undefined ? {} : { model: event.model }) });
      break;
    case 'round.pinned':
      change('round', event.round, { model: event.model, profile: event.profile, window: event.window, skills: event.skills });
      break;
    case 'context.recorded': {
      const id = `${event.round}/${six(event.n)}`;
      const { round, n, phase, fence, tokens, schema, basis, snapshotBody, why } = event;
      const place = lookup.row('round', round);
      if (phase === 'begun') {
        const data = place?.data as unknown as RowData['round'] | undefined;
        put('context', id, { round, n, phase, fence, target: data?.target ?? '', lane: data?.lane ?? 'worker', before: tokens ?? 0, begunAt: at }, place);
        break;
      }
      change('context', id, {
        phase,
        ...(phase === 'written' ? { schema, basis, snapshotBody, writtenAt: at } : { endedAt: at }),
        ...(phase === 'done' ? { after: tokens } : {}),
        ...(why === undefined ? {} : { why }),
      });
      break;
    }
    case 'round.ended': {
      const last = lookup.rows('call', { prefix: `${event.round}/`, newestFirst: true, limit: 1 })[0];
      change('round', event.round, {
        phase: 'ended',
        outcome: event.outcome,
        why: event.why,
        endedAt: at,
        progress: event.progress,
        steps: (last ? Number(last.id.slice(event.round.length + 1)) : 0) - modelCallsOf(event.round),
      });
      break;
    }
    case 'call.authorized':
      put(
        'call',
        event.call,
        {
          id: event.call,
          round: event.round,
          tool: event.tool,
          argsBody: event.argsBody,
          argsDigest: event.argsDigest,
          subject: event.subject,
          ...(event.effect ? { effect: event.effect } : {}),
          at,
        },
        state.rounds[event.round],
      );
      if (event.tool === MODEL_CALL) change('round', event.round, { modelCalls: modelCallsOf(event.round) + 1 });
      break;
    case 'call.refused':
      put(
        'call',
        event.call,
        {
          id: event.call,
          round: event.round,
          tool: event.tool,
          argsBody: event.argsBody,
          argsDigest: '',
          subject: event.subject,
          at,
          ok: false,
          refused: { code: event.code, ref: event.ref },
          endedAt: at,
        },
        state.rounds[event.round],
      );
      if (event.tool === MODEL_CALL) change('round', event.round, { modelCalls: modelCallsOf(event.round) + 1 });
      break;
    case 'call.recorded':
      change('call', event.call, {
        ok: event.ok,
        summaryBody: event.summaryBody,
        endedAt: at,
        ...(event.ms === undefined ? {} : { ms: event.ms }),
        ...(event.kept ? { kept: event.kept } : {}),
      });
      break;
    case 'message.posted':
      put('message', nine(event.message), {
        message: event.message,
        by: event.by,
        textBody: event.textBody,
        at,
        ...(event.round ? { round: event.round } : {}),
        ...(event.goalVersion === undefined ? {} : { goalVersion: event.goalVersion }),
        ...(event.asks === 'nothing' ? {} : { asks: event.asks }),
      });
      break;
    case 'message.handled':
      for (const row of lookup.rows('message', { after: nine(event.from), limit: event.upTo - event.from })) change('message', row.id, { handledBy: event.round });
      break;
    case 'note.revised':
      put('note', `${event.topic}/r${six(event.revision)}`, { topic: event.topic, n: event.revision, kind: 'revision', textBody: event.textBody, by: event.by, at });
      break;
    case 'note.appended':
      put('note', `${event.topic}/e${six(event.entry)}`, { topic: event.topic, n: event.entry, kind: 'entry', textBody: event.textBody, by: event.by, at });
      break;
    case 'check.requested':
      put(
        'check',
        event.check.id,
        {
          id: event.check.id,
          key: event.check.key,
          submission: event.check.submission,
          item: event.check.item,
          goalVersion: event.check.goalVersion,
          outside: event.outside,
          askedAt: at,
          tries: event.tries,
        },
        event.check.item ? { item: event.check.item } : {},
      );
      break;
    case 'check.recorded': {
      change('check', event.check, { answeredAt: at, pass: event.pass });
      const { id, key, checkDigest, goalVersion, asOf, holdsUntil } = event.receipt;
      put(
        'receipt',
        id,
        {
          id,
          key,
          submission: event.submission,
          item: event.item,
          pass: event.pass,
          checkDigest,
          goalVersion,
          asOf,
          at,
          sceneBody: event.sceneBody,
          inputs: event.inputs,
          checker: event.checker,
          ...(holdsUntil === undefined ? {} : { holdsUntil }),
        },
        event.item ? { item: event.item } : {},
      );
      break;
    }
    case 'usage.recorded':
      recordUsage(event);
      break;
    case 'late.recorded':
      put('late', nine(seq), { command: event.command, round: event.round, attempt: event.attempt, by: event.by, at });
      break;
    default:
      break;
  }
  return rows;
}
