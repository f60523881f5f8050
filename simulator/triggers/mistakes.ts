/** Mistakes that somebody could make with triggers and business rounds. Each must be found by these histories. */
import type { Mistake } from '../mistakes/mistakes.ts';

export const triggerMistakes: readonly Mistake[] = [
  {
    name: 'a goal is named by the time of its making',
    changes: [
      {
        file: 'workspace/triggers/desk-of.ts',
        from: "goalIdOf(workspace, ['trigger', round.trigger, round.id])",
        to: "goalIdOf(workspace, ['trigger', round.trigger, round.id, String(now())])",
      },
    ],
  },
  {
    name: 'a command without an answer counts as done',
    changes: [{ file: 'workspace/triggers/desk-of.ts', from: "      return { is: 'again' };\n", to: "      return { is: 'done' };\n" }],
  },
  {
    name: 'an answer to an earlier wait is taken',
    seed: 10,
    changes: [{ file: 'workspace/core/triggers/rounds.ts', from: "  if (awaits.generation !== answer.generation) return { late: 'other_generation' };\n", to: '' }],
  },
  {
    name: 'what came late is not kept',
    seed: 2,
    changes: [
      {
        file: 'workspace/triggers/round-commands.ts',
        from: "write: () => store.late(round.id, now, by, 'answer', came.late, { correlation, generation, payload }),",
        to: 'write: () => {},',
      },
    ],
  },
  {
    name: 'an unfinished round does not block the next',
    changes: [{ file: 'workspace/core/triggers/rounds.ts', from: 'const blocker = unfinished?.id ?? owed[0]?.id ?? null;', to: 'const blocker = owed[0]?.id ?? null;' }],
  },
  {
    name: 'what is owed begins while another round waits',
    changes: [{ file: 'workspace/core/triggers/rounds.ts', from: 'standing.unfinished ? [] : standing.owed', to: "standing.unfinished?.state === 'running' ? [] : standing.owed" }],
  },
  {
    name: 'missed firings are not counted with the one that stands for them',
    seed: 2,
    changes: [{ file: 'workspace/core/triggers/missed.ts', from: 'one(newest, times.length, more)], missed: null', to: 'one(newest, 1, more)], missed: null' }],
  },
];
