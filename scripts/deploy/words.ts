/** A plan in words, one line a step. */
import type { Plan, Step } from './plan.ts';

const from = { environment: 'from the environment', kept: 'as made by an earlier run', generated: 'made here', asked: 'to be asked for' } as const;

export function planLines({ steps, blockers, done }: Plan): string[] {
  const lines = steps.map((step) => {
    const [act, what] = wordsOf(step);
    return `  ${act.padEnd(8)} ${what}`;
  });
  return [...lines, ...blockers.map((each) => `  blocked  ${each}`), ...(done ? ['Nothing to do.'] : [])];
}

function wordsOf(step: Step): [string, string] {
  switch (step.kind) {
    case 'resource':
      return [step.act, `${step.what} ${step.name}`];
    case 'secret':
      return [step.act, `secret ${step.name}${step.source === null ? '' : `, ${from[step.source]}`}`];
    case 'migrations': {
      const ahead = step.ahead.length === 0 ? '' : ` (the database is ahead of this checkout by ${step.ahead.join(', ')})`;
      return [step.act, `database: ${step.pending.length === 0 ? 'no migration is due' : step.pending.map(({ name }) => name).join(', ')}${ahead}`];
    }
    case 'objects':
      return [step.act, `objects: ${step.tags.length === 0 ? 'no migration is due' : `${step.tags.join(', ')}, with the code`}`];
    case 'code':
      return [
        step.act,
        {
          first: 'code: the first',
          changed: 'code',
          unfinished: 'code, again: the last run did not see its end',
          consumers: 'code, again: the queues have no consumer',
          same: 'code: the same runs',
        }[step.why],
      ];
    case 'crons':
      return [step.act, `crons ${step.crons.join(', ')}${step.act === 'change' ? ', with the code' : ''}`];
    default:
      return step satisfies never;
  }
}
