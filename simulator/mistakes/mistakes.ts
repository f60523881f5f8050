/** Mistakes that somebody could make in the Worker, each a change to the text of a real module. Each must be found by the simulator. */
export interface Mistake {
  name: string;
  /** A seed that is known to show it: tried first, so that a run is quick. Others would find it too. */
  seed?: number;
  changes: { file: string; from: string; to: string }[];
}

export const mistakes: readonly Mistake[] = [
  {
    name: 'the fence is not checked',
    seed: 11,
    changes: [
      {
        file: 'domain/authority.ts',
        from: "if (round.fence !== actor.fence || round.runner !== actor.runner || round.phase === 'scheduled') {",
        to: "if (round.phase === 'scheduled') {",
      },
    ],
  },
  {
    name: 'an effect is settled before it is sent',
    changes: [
      {
        file: 'tools/outside.ts',
        from: '  let outcome: Outcome;\n',
        to: "  await settle(env, 'succeeded', {});\n  let outcome: Outcome;\n",
      },
    ],
  },
  {
    name: "a wait's generation is ignored",
    seed: 40,
    changes: [
      { file: 'domain/continuation/handlers.ts', from: 'entry.correlation === correlation && entry.generation === generation && (', to: 'entry.correlation === correlation && (' },
    ],
  },
  {
    name: 'a submission unlocks what depends on it',
    changes: [
      {
        file: 'domain/work/derive.ts',
        from: "dep.kind === 'hard' && !(state.items[dep.key] && isAccepted(state.items[dep.key] as Item))",
        to: "dep.kind === 'hard' && !state.items[dep.key]?.submission",
      },
    ],
  },
  {
    name: 'who submitted may accept',
    seed: 18,
    changes: [{ file: 'domain/work/delivery.ts', from: "    if (who.principal === submission.by) return refuse('self_review');\n", to: '' }],
  },
  {
    name: 'a lost round is not ended',
    changes: [{ file: 'domain/continuation/handlers.ts', from: "      endRound(turn, who, id, 'lost', 'lease over');\n", to: '' }],
  },
  {
    name: 'the goalVersion of a round is not checked',
    seed: 590,
    changes: [
      {
        file: 'domain/authority.ts',
        from: "if (who.kind === 'round' && who.round && who.round.goalVersion !== state.goalVersion &&",
        to: "if (who.kind === 'person' && who.round && who.round.goalVersion !== state.goalVersion &&",
      },
    ],
  },
  {
    name: 'refusals are remembered',
    seed: 15,
    changes: [
      {
        file: 'goal/apply.ts',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a program
        from: 'const commandId = refusal ? `${envelope.commandId}#refused@${handled.state.seq}` : envelope.commandId;',
        to: 'const commandId = envelope.commandId;',
      },
    ],
  },
  {
    name: 'the book is acknowledged before it has taken the batch',
    changes: [
      {
        file: 'goal/lanes/book-lane.ts',
        from: 'await withTimeout(this.ports.timers, sendTimeoutMs, this.ports.book.apply(batch));',
        to: 'void this.ports.book.apply(batch).catch(() => {});',
      },
    ],
  },
  {
    name: 'a goal completes without its audit',
    changes: [
      {
        file: 'domain/contract/audit.ts',
        from: "if (found?.class !== 'proven' || auditClass(state, criterion, now).class !== 'proven') problems.push(",
        to: "if (found?.class === 'contradicted') problems.push(",
      },
    ],
  },
  {
    name: 'a subject is counted twice',
    changes: [{ file: 'domain/planes/counting.ts', from: " || turn.lookup.row('counted', subjectId(milestone, subject))", to: '' }],
  },
  {
    name: 'a round is dispatched again under the same fence',
    seed: 4,
    changes: [{ file: 'domain/continuation/advance.ts', from: 'fence: turn.nextFence(round.target),', to: 'fence: round.fence,' }],
  },
  {
    name: 'a command id takes any body',
    seed: 25,
    changes: [{ file: 'goal/apply.ts', from: 'kept.bodyDigest === bodyDigest ?', to: 'kept !== undefined ?' }],
  },
  {
    name: 'a permit never runs out',
    seed: 18,
    changes: [{ file: 'tools/outside.ts', from: 'Date.now() - (env.permittedAt ?? 0) <= env.permit.sendWithin', to: 'env.permit.sendWithin > 0' }],
  },
  {
    name: 'a policy that asks is not heeded',
    seed: 3,
    changes: [{ file: 'domain/continuation/step.ts', from: "if (policy === 'ask') {", to: "if (policy === 'ask' && turn.now < 0) {" }],
  },
  {
    name: 'a snapshot holds the state before its last commit',
    seed: 73,
    changes: [
      {
        file: 'goal/apply.ts',
        from: 'store.putSnapshot(core.foldVersion, commit.seq, handled.state as unknown as Json)',
        to: 'store.putSnapshot(core.foldVersion, commit.seq, { ...live.state, seq: commit.seq } as unknown as Json)',
      },
    ],
  },
  {
    name: 'a snapshot of another fold is used',
    changes: [{ file: 'goal/working-set.ts', from: 'kept && kept.foldVersion === this.#core.foldVersion', to: 'kept !== undefined' }],
  },
  {
    name: 'time goes back with the clock',
    seed: 63,
    changes: [
      {
        file: 'goal/apply.ts',
        from: 'const now = Math.max(this.#ports.clock.now(), live.state.at);\n    const command',
        to: 'const now = this.#ports.clock.now();\n    const command',
      },
    ],
  },
  {
    name: 'an unknown effect may be repeated',
    seed: 6,
    changes: [{ file: 'domain/effects/handlers.ts', from: 'if (effect.key === key)', to: "if (effect.key === key && effect.state !== 'unknown')" }],
  },
  {
    name: 'an event that is not known is passed over',
    seed: 167,
    changes: [
      {
        file: 'domain/upcast.ts',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a program
        from: 'throw new Error(`event ${event.seq} of type ${event.type} version ${event.v} is not known here`);',
        to: 'return event;',
      },
    ],
  },
  {
    name: 'late word of what a round used does not reach its workspace',
    seed: 57,
    changes: [{ file: 'domain/continuation/handlers.ts', from: '      ...(open || !row ? {} : owed(row, used)),\n', to: '' }],
  },
  {
    name: 'a model call in flight is forgotten when its round ends',
    seed: 39,
    changes: [{ file: 'domain/continuation/closing.ts', from: '  chargeOpenCall(turn, round);\n', to: '' }],
  },
  {
    name: 'a model call is made whether it can be paid or not',
    seed: 199,
    changes: [{ file: 'domain/continuation/spending.ts', from: 'return next.reserve ? shortfall(turn.state, round, next.reserve) : null;', to: 'return null;' }],
  },
  {
    name: 'late word of a model call is counted beside what was assumed',
    seed: 359,
    changes: [{ file: 'domain/continuation/spending.ts', from: '    ...(counted ? { instead: { tokens: counted.tokens, money: counted.money } } : {}),\n', to: '' }],
  },
  {
    name: 'a compaction outlives its round',
    seed: 279,
    changes: [{ file: 'domain/continuation/closing.ts', from: '  settleCompaction(turn, id);\n', to: '' }],
  },
];
