/** Goals: listed, shown, created, followed. */
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { answered, type paths, type Schemas } from '../../client/index.ts';
import { followGoal } from '../../client/stream.ts';
import { Usage } from '../exit.ts';
import { type Given, jsonFrom, more, note, type Options, Session } from '../session.ts';

type Creation = paths['/v1/workspaces/{workspace}/goals']['post']['requestBody']['content']['application/json'];

const line = (goal: Schemas['GoalSummary']) =>
  `${goal.goal}  ${goal.status.padEnd(9)}  ${goal.why.padEnd(11)}  ${String(goal.needsYou).padStart(2)} for you  ${goal.accepted}/${goal.requiredItems}  ${goal.title}`;

function shown({ id, bar }: Schemas['Goal']): string {
  const { next } = bar;
  return [
    bar.title,
    `  ${id}  ${bar.status}, version ${bar.goalVersion}, plan ${bar.planRevision}, ${bar.items.accepted} of ${bar.items.required} items accepted`,
    `  why: ${next.why.kind}`,
    ...next.who.map(({ mover, act, ref }) => `  next: ${mover} ${act} ${ref}`),
    ...bar.criteria.map((criterion) => `  criterion ${criterion.id}: ${criterion.class}`),
    ...bar.milestones.map(({ key, count, target }) => `  milestone ${key}: ${count}${target === null ? '' : ` of ${target}`}`),
    ...bar.blockers.map((blocker) => `  question ${blocker.id}: ${blocker.reason}\n    ${JSON.stringify(blocker.form)}`),
  ].join('\n');
}

export function goalCommands(program: Command): void {
  const goals = program.command('goals').description('list, show and create goals');
  goals
    .command('list')
    .description('goals, newest first')
    .option('--status <status>', 'draft, active, paused, completed or cancelled')
    .option('--needs-you', 'only those that wait for somebody')
    .option('--limit <n>', 'at most so many', Number, 50)
    .action(async (options: { status?: Schemas['GoalSummary']['status']; needsYou?: true; limit: number }, command: Command) => {
      if (!Number.isInteger(options.limit) || options.limit < 1) throw new Usage('--limit takes a number from 1 on.');
      const session = new Session(command.optsWithGlobals<Options>());
      const path = { workspace: await session.workspace() };
      const found: Schemas['GoalSummary'][] = [];
      let cursor: string | undefined;
      do {
        const query = {
          limit: Math.min(200, options.limit - found.length),
          ...(options.status === undefined ? {} : { status: options.status as 'active' }),
          ...(options.needsYou ? { needsYou: true } : {}),
          ...(cursor === undefined ? {} : { cursor }),
        };
        const page = await answered(session.client.GET('/v1/workspaces/{workspace}/goals', { params: { path, query } }));
        found.push(...page.data);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined && found.length < options.limit);
      session.out(found, (list) => list.map(line).join('\n'));
    });
  goals
    .command('show <goal>')
    .description('how one goal stands, and what moves it next')
    .action(async (goal: string, _options, command: Command) => {
      const session = new Session(command.optsWithGlobals<Options>());
      session.out(await answered(session.client.GET('/v1/workspaces/{workspace}/goals/{goal}', { params: { path: await session.path(goal) } })), shown);
    });
  goals
    .command('create [payload]')
    .description('create a goal: the payload of goal.create as JSON, @FILE or -; or a sentence, for a contract that is proposed to you')
    .option('--sentence <text>', 'what you want, in your own words')
    .option('--type <type>', 'goal.create or goal.propose: whose payload it is', 'goal.create')
    .option('--id <id>', 'command id: the same id is the same goal')
    .option('--reason <text>', 'why, for the record')
    .option('--dry-run', 'decide, and change nothing')
    .action(async (payload: string | undefined, options: { sentence?: string; type: string } & Given, command: Command) => {
      if ((payload === undefined) === (options.sentence === undefined)) throw new Usage('Give a payload or a --sentence.');
      const session = new Session(command.optsWithGlobals<Options>());
      const commandId = options.id ?? randomUUID();
      if (options.id === undefined) note(`command id ${commandId}`);
      const asked = payload === undefined ? { type: 'goal.propose', payload: { sentence: options.sentence } } : { type: options.type, payload: await jsonFrom(payload) };
      const body = { ...asked, commandId, ...more(options) };
      const path = { workspace: await session.workspace() };
      session.out(await answered(session.client.POST('/v1/workspaces/{workspace}/goals', { params: { path }, body: body as Creation })), ({ goal }) => goal);
    });
  program
    .command('watch <goal>')
    .description('events of a goal as they happen, one JSON object a line, until it is completed or cancelled')
    .option('--after <seq>', 'from the event after this one on; 0: from the first. Default: from now on', Number)
    .option('--frames', 'the frames themselves, with the projections of the server')
    .action(async (goal: string, options: { after?: number; frames?: true }, command: Command) => {
      if (options.after !== undefined && !(Number.isInteger(options.after) && options.after >= 0)) throw new Usage('--after takes the number of an event.');
      await watch(new Session(command.optsWithGlobals<Options>()), goal, options);
    });
}

/** Every event once and in order, whatever breaks on the way: what a frame leaves out is read. */
async function watch(session: Session, goal: string, options: { after?: number; frames?: true }): Promise<void> {
  const path = await session.path(goal);
  const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);
  let last = options.after;
  const read = async (upTo: number) => {
    while (last !== undefined && last < upTo) {
      const page = await answered(session.client.GET('/v1/workspaces/{workspace}/goals/{goal}/events', { params: { path, query: { after: last, limit: 1000 } } }));
      for (const event of page.data) {
        say(event);
        last = event.seq;
      }
      if (page.data.length === 0) return;
    }
  };
  for await (const frame of followGoal(path.workspace, goal, {
    ...session.credentials,
    onLost: (error) => note(`connection lost, trying again: ${error instanceof Error ? error.message : error}`),
  })) {
    if (options.frames) say(frame);
    if (frame.kind !== 'snapshot' && frame.kind !== 'update') continue;
    last ??= frame.seq;
    if (!options.frames) {
      const fresh = frame.events.filter((event) => event.seq > (last ?? 0));
      // Whole: nothing between what was printed and what came.
      if (fresh.length > 0 && fresh[0]?.seq === last + 1) {
        for (const event of fresh) say(event);
        last = frame.seq;
      }
      await read(frame.seq);
    }
    if (frame.bar.status === 'completed' || frame.bar.status === 'cancelled') return;
  }
}
