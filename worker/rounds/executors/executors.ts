/** Which executor a round gets. */
import type { Executor } from '../../domain/values.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Session } from '../session.ts';
import type { RoundExecutor } from './executor.ts';
import { SkillScriptExecutor } from './skill-script.ts';

export function executorFor(executor: Executor, ports: { sandbox: Sandbox }): RoundExecutor {
  switch (executor.kind) {
    case 'skill':
      return new SkillScriptExecutor(ports.sandbox, executor);
    case 'agent':
      return cannot(`the agent profile ${executor.profile} has no model in this installation`);
    case 'external':
    case 'person':
      // They claim work themselves; a round of theirs is never dispatched.
      return cannot(`a round of kind ${executor.kind} is not run here`);
  }
}

function cannot(why: string): RoundExecutor {
  return {
    async run(session: Session) {
      session.close('failed', why);
    },
  };
}
