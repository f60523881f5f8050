/** The honest coordinator and reviewer of the CSV export. The items are carried by the scripts of its skill, as the plan says: a deterministic step costs no token. */
import { permissions } from '../../../samples/csv-export/sample.ts';
import plan from '../../../skills/csv-export/scripts/plan.js';
import review from '../../../skills/csv-export/scripts/review.js';
import type { JsonValue, Script } from '../script.ts';
import { agentScript } from './agent.ts';
import { bySkill, type SkillRun } from './by-skill.ts';

/** The script's own plan, judged by an agent where it names a script. */
const planned: SkillRun = (host, input) =>
  plan({ call: (tool: string, args?: JsonValue) => host.call(tool, tool === 'plan.propose' ? withAgentReviewers(args ?? {}) : args) }, input);

function withAgentReviewers(args: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(args), (key, value: unknown) => (key === 'reviewer' ? { kind: 'agent', profile: 'reviewer' } : value)) as JsonValue;
}

export const csvExport: Script = agentScript({
  coordinator: (opening) => bySkill(planned, opening, { permissions } as unknown as JsonValue),
  reviewer: (opening) => bySkill(review, opening),
});
