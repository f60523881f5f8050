/** What this round may call: the registry's lane, less what the host would refuse this round anyway. */
import type { RoundContext } from '../../goal/rpc.ts';
import { toolsOf } from '../../tools/index.ts';
import type { Tool } from '../../tools/tool.ts';

/** A child delivers to its parent and to nobody else. */
const notForChildren = new Set(['submit', 'block', 'ask', 'subagents', 'acceptance.invalidate', 'hand_back', 'checks.list', 'message.handle']);

/** Before the contract is confirmed nothing is planned or made: the draft is read for, written, and handed to a person. */
const inIntake = new Set(['goal.draft', 'files.list', 'files.info', 'files.read', 'csv.read', 'json.read', 'result.read', 'message.post', 'hand_back']);

const notForRouting = new Set(['block', 'ask', 'finish', 'goal.audit', 'goal.amend']);
/** What was said is looked at; the work goes on elsewhere. */
const notForAmending = new Set(['block', 'ask', 'finish', 'goal.audit', 'blocker.pass']);

/** The business round is that of the whole goal. */
const ofBusinessRound = new Set(['business.read', 'business.wait', 'business.complete']);

export function toolsOfRound(context: Pick<RoundContext, 'lane' | 'brief' | 'purpose' | 'firing'>): Tool[] {
  return toolsOf(context.lane).filter(({ name }) => {
    if (ofBusinessRound.has(name) && (!context.firing || context.brief || context.purpose === 'intake')) return false;
    if (context.brief) return !notForChildren.has(name);
    if (name === 'return') return false;
    if (context.purpose === 'intake') return inIntake.has(name);
    if (name === 'goal.draft') return false;
    // Another question would be no answer to this one: it is passed on instead.
    if (context.purpose === 'blocker') return !notForRouting.has(name);
    if (context.purpose === 'amend') return !notForAmending.has(name);
    if (name === 'blocker.pass') return false;
    if (name === 'finish') return context.purpose === 'work';
    return true;
  });
}
