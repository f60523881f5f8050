/** What people decide: answers, approvals, verdicts; and any command of the catalogue. */
import type { Command } from 'commander';
import { answered } from '../../client/index.ts';
import { Failed, Usage } from '../exit.ts';
import { collect, fieldsFrom, type Given, given, jsonFrom, more, note, type Options, Session } from '../session.ts';

const outcome = (applied: { outcome: string; seq: number; replayed: boolean; dryRun: boolean }) =>
  `${applied.dryRun ? 'would be applied' : applied.replayed ? 'was applied before' : 'applied'}, at ${applied.seq}`;

export function decisionCommands(program: Command): void {
  given(program.command('answer <goal> <question> [answer]').description('answer a question by its form: JSON, @FILE, - or --field'))
    .option('--field <name=value>', 'a field of the answer; may be repeated', collect, [])
    .option('--recommended', 'the answer that is recommended')
    .action(async (goal: string, question: string, answer: string | undefined, options: Given & { field: string[]; recommended?: true }, command: Command) => {
      const ways = [answer !== undefined, options.field.length > 0, options.recommended === true].filter(Boolean).length;
      if (ways !== 1) throw new Usage('Give the answer, or its fields, or --recommended.');
      const session = new Session(command.optsWithGlobals<Options>());
      const value = answer !== undefined ? await jsonFrom(answer) : options.recommended ? await recommended(session, goal, question) : fieldsFrom(options.field);
      session.out(await session.command(goal, { type: 'blocker.resolve', payload: { blocker: question, answer: value }, ...more(options) }, options.id), outcome);
    });

  for (const [name, decision, words] of [
    ['approve', 'approved', 'approve exactly the call that an approval asks for'],
    ['refuse', 'refused', 'refuse it; it does not run'],
  ] as const)
    given(program.command(`${name} <goal> <approval>`).description(words))
      .option('--digest <digest>', 'only if the call has this digest, as you saw it')
      .action(async (goal: string, approval: string, options: Given & { digest?: string }, command: Command) => {
        const session = new Session(command.optsWithGlobals<Options>());
        const callDigest = options.digest ?? (await askedCall(session, goal, approval));
        session.out(await session.command(goal, { type: 'approval.decide', payload: { approval, decision, callDigest }, ...more(options) }, options.id), outcome);
      });

  given(program.command('review <goal> <item> <verdict>').description('judge the newest submission of an item: accepted, changes_requested, rejected or cannot_judge'))
    .option('--summary <text>', 'what you saw; asked for where it goes back')
    .option('--met <criterion>', 'a criterion that holds; may be repeated. Acceptance asks for each', collect, [])
    .option('--unmet <criterion>', 'one that does not; may be repeated', collect, [])
    .option('--all-met', 'every criterion of the item holds')
    .option('--submission <id>', 'only if this is the newest one')
    .action(
      async (
        goal: string,
        item: string,
        verdict: string,
        options: Given & { summary?: string; submission?: string; met: string[]; unmet: string[]; allMet?: true },
        command: Command,
      ) => {
        const session = new Session(command.optsWithGlobals<Options>());
        const { spec, submissions } = await answered(
          session.client.GET('/v1/workspaces/{workspace}/goals/{goal}/items/{key}', { params: { path: { ...(await session.path(goal)), key: item } } }),
        );
        const newest = submissions.at(-1);
        if (!newest) throw new Failed(`${item} has no submission yet.`);
        if (options.submission !== undefined && options.submission !== newest.id) throw new Failed(`the newest submission is ${newest.id}`);
        const met = options.allMet ? [...new Set([...spec.covers, ...spec.acceptance])] : options.met;
        const criteria = [...met.map((id) => ({ id, met: true })), ...options.unmet.map((id) => ({ id, met: false }))];
        const scene = options.summary === undefined ? {} : { scene: { summary: options.summary } };
        session.out(
          await session.command(
            goal,
            { type: 'review.record', payload: { submission: newest.id, digest: newest.digest, verdict, criteria, ...scene }, ...more(options) },
            options.id,
          ),
          outcome,
        );
      },
    );

  given(program.command('command <goal> <type> [payload]').description('any command of the catalogue; its payload as JSON, @FILE or -'))
    .option('--expect <name=version>', 'goalVersion, planRevision, itemVersion or fence that it was decided on; may be repeated', collect, [])
    .action(async (goal: string, type: string, payload: string | undefined, options: Given & { expect: string[] }, command: Command) => {
      const session = new Session(command.optsWithGlobals<Options>());
      const body = { type, payload: payload === undefined ? {} : await jsonFrom(payload), expected: fieldsFrom(options.expect), ...more(options) };
      session.out(await session.command(goal, body, options.id), outcome);
    });
}

async function recommended(session: Session, goal: string, question: string): Promise<unknown> {
  const { bar } = await answered(session.client.GET('/v1/workspaces/{workspace}/goals/{goal}', { params: { path: await session.path(goal) } }));
  const blocker = bar.blockers.find(({ id }) => id === question);
  if (!blocker) throw new Failed(`${question} is not open; open are: ${bar.blockers.map(({ id }) => id).join(', ') || 'none'}`);
  if (blocker.recommended === undefined) throw new Failed(`no answer is recommended for ${question}`);
  return blocker.recommended;
}

/** The digest of the call, after it was shown. */
async function askedCall(session: Session, goal: string, approval: string): Promise<string> {
  const path = await session.path(goal);
  const { data } = await answered(session.client.GET('/v1/workspaces/{workspace}/goals/{goal}/record', { params: { path, query: { kind: 'approval', prefix: approval } } }));
  const row = data.find(({ id }) => id === approval)?.data as { tool: string; callDigest: string; callBody: string } | undefined;
  if (!row) throw new Failed(`there is no approval ${approval}`);
  const call = await answered(session.client.GET('/v1/workspaces/{workspace}/goals/{goal}/body/{digest}', { params: { path: { ...path, digest: row.callBody } } }));
  note(`${row.tool} ${JSON.stringify(call.value)}`);
  return row.callDigest;
}
