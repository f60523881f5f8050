/** The honest coordinator and reviewer of the CSV export. The items are carried by the scripts of its skill, as the plan says: a deterministic step costs no token. */
import { permissions } from '../../../samples/csv-export/sample.ts';
import plan from '../../../skills/csv-export/scripts/plan.js';
import review from '../../../skills/csv-export/scripts/review.js';
import type { JsonValue, Script } from '../script.ts';
import { agentScript } from './agent.ts';
import { bySkill } from './by-skill.ts';

export const csvExport: Script = agentScript({
  coordinator: (opening) => bySkill(plan, opening, { permissions } as unknown as JsonValue),
  reviewer: (opening) => bySkill(review, opening),
});
