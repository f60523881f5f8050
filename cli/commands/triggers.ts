/** Triggers and their business rounds: what makes goals by itself. */
import type { Command } from 'commander';
import { answered, type Schemas } from '../../client/index.ts';
import { Usage } from '../exit.ts';
import { type Given, given, jsonFrom, type Options, pages, Session, whole } from '../session.ts';

const time = (at: number) => new Date(at).toISOString();
const oneRound = ({ id, state, source, due, goal, awaits }: Schemas['BusinessRound']) =>
  `${id}  ${state.padEnd(9)}  ${source.padEnd(7)}  due ${time(due)}${goal === null ? '' : `  ${goal}`}${awaits === null ? '' : `  waits for ${awaits.kind} ${awaits.correlation}, generation ${awaits.generation}`}`;
const oneTrigger = ({ value: { name, paused, source }, next, unfinished }: Schemas['TriggerView']) =>
  `${name}  ${paused ? 'paused' : source.kind}${next[0] === undefined ? '' : `  next ${time(next[0])}`}${unfinished === null ? '' : `  unfinished: ${unfinished.id} ${unfinished.state}`}`;

export function triggerCommands(program: Command): void {
  const triggers = program.command('triggers').description('what makes goals by itself: schedules, webhooks, calls');
  reading(triggers);
  changing(triggers);
  roundCommands(program.command('business-rounds').description('what one firing of a trigger is about, until it is done'));
}

function reading(triggers: Command): void {
  triggers
    .command('list')
    .description('triggers, when each is due next, and what is unfinished')
    .action(async (_options, command: Command) => {
      const session = new Session(command.optsWithGlobals<Options>());
      const { data } = await answered(session.client.GET('/v1/workspaces/{workspace}/triggers', { params: { path: { workspace: await session.workspace() } } }));
      session.out(data, (list) => list.map(oneTrigger).join('\n'));
    });
  triggers
    .command('show <name>')
    .description('one trigger, as it is set')
    .action(async (name: string, _options, command: Command) => {
      const session = new Session(command.optsWithGlobals<Options>());
      session.out(await answered(session.client.GET('/v1/workspaces/{workspace}/triggers/{name}', { params: { path: { workspace: await session.workspace(), name } } })));
    });
  triggers
    .command('rounds <name>')
    .description('business rounds of a trigger, newest first')
    .option('--limit <n>', 'at most so many', whole, 50)
    .action(async (name: string, { limit }: { limit: number }, command: Command) => {
      const session = new Session(command.optsWithGlobals<Options>());
      const path = { workspace: await session.workspace(), name };
      const found = await pages(limit, (query) => answered(session.client.GET('/v1/workspaces/{workspace}/triggers/{name}/rounds', { params: { path, query } })));
      session.out(found, (list) => list.map(oneRound).join('\n'));
    });
  triggers
    .command('deliveries <name>')
    .description('what came to a webhook, newest first')
    .option('--limit <n>', 'at most so many', whole, 50)
    .action(async (name: string, { limit }: { limit: number }, command: Command) => {
      const session = new Session(command.optsWithGlobals<Options>());
      const path = { workspace: await session.workspace(), name };
      const found = await pages(limit, (query) => answered(session.client.GET('/v1/workspaces/{workspace}/triggers/{name}/deliveries', { params: { path, query } })));
      session.out(found, (list) =>
        list
          .map(
            ({ delivery, state, at, repeats, kept, detail }) =>
              `${delivery}  ${state.padEnd(8)}  ${time(at)}  again ${repeats}${kept ? '' : '  not kept'}${detail === null ? '' : `  ${detail}`}`,
          )
          .join('\n'),
      );
    });
  triggers
    .command('test <definition>')
    .description('try a definition and a payload: next times, filter, what it would start from; nothing fires')
    .option('--data <json>', 'what comes with the firing: JSON, @FILE or -')
    .action(async (definition: string, options: { data?: string }, command: Command) => {
      const session = new Session(command.optsWithGlobals<Options>());
      const body = { definition: await jsonFrom(definition), ...(options.data === undefined ? {} : { data: await jsonFrom(options.data) }) } as never;
      session.out(await answered(session.client.POST('/v1/workspaces/{workspace}/trigger-tests', { params: { path: { workspace: await session.workspace() } }, body })));
    });
}

function changing(triggers: Command): void {
  given(triggers.command('put <definition>').description('set a trigger, whole: JSON, @FILE or -'))
    .option('--expect <n>', 'only if the trigger still has this version; 0: only if there is none', whole)
    .action(async (definition: string, options: Given & { expect?: number }, command: Command) => {
      const session = new Session(command.optsWithGlobals<Options>());
      await session.set('trigger.put', await jsonFrom(definition), options);
    });
  for (const [name, words] of [
    ['pause', 'fire no more; what was fired goes on'],
    ['resume', 'fire again'],
    ['remove', 'remove a trigger; its rounds and deliveries stay on record'],
  ] as const)
    given(triggers.command(`${name} <name>`).description(words)).action(async (trigger: string, options: Given, command: Command) => {
      await new Session(command.optsWithGlobals<Options>()).set(`trigger.${name}`, { name: trigger }, options);
    });
  given(triggers.command('fire <name>').description('fire a trigger now; the same --id is the same firing'))
    .option('--data <json>', 'what it fires with: JSON, @FILE or -')
    .action(async (name: string, options: Given & { data?: string }, command: Command) => {
      const payload = { name, ...(options.data === undefined ? {} : { data: await jsonFrom(options.data) }) };
      await new Session(command.optsWithGlobals<Options>()).set('trigger.fire', payload, options);
    });
  given(triggers.command('replay <name> <delivery>').description('fire again with a delivery that is kept; a person does it, no token')).action(
    async (name: string, delivery: string, options: Given, command: Command) => {
      await new Session(command.optsWithGlobals<Options>()).set('delivery.replay', { name, delivery }, options);
    },
  );
}

function roundCommands(rounds: Command): void {
  rounds
    .command('show <round>')
    .description('one business round, and what came too late for it')
    .action(async (round: string, _options, command: Command) => {
      const session = new Session(command.optsWithGlobals<Options>());
      const found = await answered(session.client.GET('/v1/workspaces/{workspace}/business-rounds/{round}', { params: { path: { workspace: await session.workspace(), round } } }));
      session.out(found, ({ round: shown, late }) => [oneRound(shown), ...late.map(({ at, by, what, why }) => `  late ${time(at)} by ${by}: ${what}: ${why}`)].join('\n'));
    });
  given(rounds.command('wait <round>').description('it waits, for exactly this'))
    .requiredOption('--for <kind>', 'answer, receipt or result')
    .requiredOption('--correlation <text>', 'what the answer will name')
    .requiredOption('--why <text>', 'what is waited for, in words')
    .action(async (round: string, options: Given & { for: string; correlation: string; why: string }, command: Command) => {
      const payload = { round, kind: options.for, correlation: options.correlation, reason: options.why };
      await new Session(command.optsWithGlobals<Options>()).set('business_round.wait', payload, options);
    });
  given(rounds.command('answer <round> [payload]').description('what it waits for came: JSON, @FILE or -'))
    .requiredOption('--correlation <text>', 'as the round waits for it')
    .requiredOption('--generation <n>', 'of the round, as you saw it', whole)
    .action(async (round: string, payload: string | undefined, options: Given & { correlation: string; generation: number }, command: Command) => {
      const { correlation, generation } = options;
      const body = { round, correlation, generation, ...(payload === undefined ? {} : { payload: await jsonFrom(payload) }) };
      await new Session(command.optsWithGlobals<Options>()).set('business_round.answer', body, options);
    });
  given(rounds.command('complete <round>').description('it is done; the next of its trigger may begin'))
    .option('--note <text>', 'what came of it')
    .action(async (round: string, options: Given & { note?: string }, command: Command) => {
      if (options.note === '') throw new Usage('--note takes words.');
      await new Session(command.optsWithGlobals<Options>()).set('business_round.complete', { round, ...(options.note === undefined ? {} : { note: options.note }) }, options);
    });
}
