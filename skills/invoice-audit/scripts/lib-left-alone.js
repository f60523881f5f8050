/**
 * Steps that seem useful and that the contract may forbid. Each is tried once per Goal: a refusal is kept as the fact `left_alone/<step>`,
 * so that a later round or a rework does not try again.
 */
import { factsUnder, must } from './lib-reading.js';

export async function stepsLeftAlone(host) {
  const known = await factsUnder(host, 'left_alone/');
  return {
    /** `args`: a function, called only when the step is tried. `source`: the file that gave the occasion. Answers whether the call was made and allowed. */
    async attempt(step, tool, args, source) {
      if (known.has(step)) return false;
      const answer = await host.call(tool, args());
      const code = answer.refusal?.code;
      if (code === undefined) return true;
      if (code !== 'non_goal_forbidden' && code !== 'policy_denied') throw new Error(`${tool}: ${code}`);
      const value = { tool, code, refused_by: answer.refusal.detail ?? '' };
      known.set(step, value);
      await must(host, 'facts.record', { facts: [{ key: `left_alone/${step}`, value, provenance: { from: 'file', path: source } }], about: `left alone: ${step}` });
      return false;
    },
  };
}
