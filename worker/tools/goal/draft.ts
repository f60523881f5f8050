import { catalogue } from '../../domain/commands.ts';
import { done } from '../answers.ts';
import { tool } from '../tool.ts';

export const goalDraft = tool({
  name: 'goal.draft',
  description:
    'Only in a round of purpose `intake`: proposes the contract of the draft and ends the round. A person adjusts and confirms it; nothing starts before. `contract`: title, objective, criteria (each `verify`: "check" with keys of `checks`, "review" by another principal, or "attest" by a named person), nonGoals, checks, milestones, policies, planPolicy; limits but for tokens and money, which are the person\'s. `shape`: "graph" only for one of parallel_owners, hard_dependencies, independent_review, many_sessions, outside_release; "trigger" for recurring work, "skill" for a known_method; else "goal_only" with one_owner (no criterion by review then). `why` in the language of the person; `questions`: what only the person can answer.',
  lanes: ['coordinator'],
  input: catalogue['goal.draft'].payload,
  effect: 'record',
  bulk: ['contract'],
  subject: () => 'contract',
  async run(args, env) {
    const answer = await env.command('goal.draft', JSON.parse(JSON.stringify(args)));
    if (!answer.ok) return answer;
    // The command has ended the round on record.
    env.end('handed_back', 'contract proposed', { said: true });
    return done(answer.result, `contract proposed: ${args.contract.title} (${args.shape})`);
  },
});
