/** Progress for a person at a terminal: one line for what moves the work, null for the rest. */
import type { EventView } from '../worker/domain/views/types.ts';

export function describeEvent(event: EventView): string | null {
  const text = lineOf(event);
  return text === null ? null : `${String(event.seq).padStart(6)}  ${text}`;
}

function lineOf(event: EventView): string | null {
  const data = event.data !== null && typeof event.data === 'object' && !Array.isArray(event.data) ? event.data : {};
  const field = (name: string) => (typeof data[name] === 'string' || typeof data[name] === 'number' ? String(data[name]) : '');
  const item = event.item ?? field('item');
  switch (event.type) {
    case 'goal.created':
    case 'goal.confirmed':
    case 'goal.completed':
    case 'goal.audited':
    case 'goal.stopped':
    case 'goal.cancelled':
      return event.type;
    case 'plan.adopted':
      return `plan revision ${field('revision')} adopted`;
    case 'attempt.started':
      return `${item}: an attempt started (fence ${field('fence')})`;
    case 'attempt.ended':
      return `${item}: the attempt ended ${field('state')}${field('why') ? ` (${field('why')})` : ''}`;
    case 'submission.received':
      return `${item}: delivered`;
    case 'acceptance.recorded':
      return `${item}: ${verdictOf(data) ?? 'judged'} by ${event.by}`;
    case 'acceptance.invalidated':
      return `${item}: its acceptance fell`;
    case 'blocker.raised':
      return 'a question was raised';
    case 'blocker.resolved':
      return `the question ${field('blocker')} was answered`;
    case 'drift.noticed':
      return field('level') === 'none' ? null : `drift: ${field('subject')} (${field('level')})`;
    case 'call.refused':
      return `a call of ${field('tool')} was refused: ${field('code')} ${field('ref')}`;
    case 'round.pinned':
      return `${event.round ?? field('round')} runs on ${field('model')} as ${field('profile')}, skills: ${skillsOf(data).join(', ') || 'none'}`;
    case 'context.recorded':
      return compactionOf(field('phase'), event.round ?? field('round'), field('why'));
    case 'milestone.moved': {
      const count = Number(field('count'));
      return count === 1 || count % 25 === 0 ? `${field('milestone')}: ${count}` : null;
    }
    default:
      return null;
  }
}

function verdictOf(data: Record<string, unknown>): string | null {
  const { verdict } = data;
  if (typeof verdict === 'string') return verdict;
  return verdict !== null && typeof verdict === 'object' && 'verdict' in verdict && typeof verdict.verdict === 'string' ? verdict.verdict : null;
}

function skillsOf({ skills }: Record<string, unknown>): string[] {
  return (Array.isArray(skills) ? (skills as unknown[]) : []).flatMap((skill) =>
    skill !== null && typeof skill === 'object' && 'name' in skill && 'version' in skill ? [`${String(skill.name)} ${String(skill.version)}`] : [],
  );
}

/** Its end says all. */
function compactionOf(phase: string, round: string, why: string): string | null {
  if (phase === 'done') return `${round}: the conversation goes on from its summary`;
  return phase === 'undone' ? `${round}: the conversation goes on without a summary (${why})` : null;
}
