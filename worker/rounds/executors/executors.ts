/** Which executor a round gets. */
import type { Executor } from '../../domain/values.ts';
import { type AgentPorts, AgentRound } from '../model/agent-round.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Session } from '../session.ts';
import type { RoundExecutor } from './executor.ts';
import { SkillScriptExecutor } from './skill-script.ts';

export function executorFor(executor: Executor, ports: { sandbox: Sandbox } & Omit<AgentPorts, 'models'> & Partial<Pick<AgentPorts, 'models'>>): RoundExecutor {
  switch (executor.kind) {
    case 'skill':
      return new SkillScriptExecutor(ports.sandbox, executor);
    case 'agent':
      if (!ports.models) return cannot(`the agent profile ${executor.profile} has no model in this installation`);
      return new AgentRound({ ...ports, models: ports.models }, executor);
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
