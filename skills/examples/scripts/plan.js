/** Coordinator: proposes the plan document that its input holds, and adopts it. What else wants judgement is left to the owner. */
import { must } from './lib-must.js';

export default async function run(host, input) {
  if (!['plan', 'replan', 'uncovered', 'upstream'].includes(input.purpose)) return must(host, 'hand_back', { note: `left to the owner: ${input.purpose}` });
  const { proposal } = await must(host, 'plan.propose', { document: input.executor.input.document });
  await must(host, 'plan.adopt', { proposal });
}
