/** What a workspace has beside its goals: templates to start from, and what it told others. */
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { answered, type Schemas } from '../../client/index.ts';
import { collect, fieldsFrom, type Given, given, jsonFrom, note, type Options, pages, Session, whole } from '../session.ts';

export function workspaceCommands(program: Command): void {
  given(program.command('workspace-command <type> [payload]').description('any command on the settings of the workspace; its payload as JSON, @FILE or -'))
    .option('--expect <n>', 'version of the setting that it was decided on', whole)
    .action(async (type: string, payload: string | undefined, options: Given & { expect?: number }, command: Command) => {
      const session = new Session(command.optsWithGlobals<Options>());
      await session.set(type, payload === undefined ? {} : await jsonFrom(payload), options);
    });
  templateCommands(program.command('templates').description('what goals are started from'));
  webhookCommands(program.command('webhooks').description('what this workspace told its endpoints'));
}

function templateCommands(templates: Command): void {
  templates
    .command('list')
    .description('templates, their newest version and the one that was confirmed')
    .action(async (_options, command: Command) => {
      const session = new Session(command.optsWithGlobals<Options>());
      const { data } = await answered(session.client.GET('/v1/workspaces/{workspace}/templates', { params: { path: { workspace: await session.workspace() } } }));
      session.out(data, (list) =>
        list
          .map(
            ({ value: { name, latest, confirmed, retired, title } }) =>
              `${name}  version ${latest}  ${retired ? 'retired' : confirmed === null ? 'not confirmed' : `confirmed ${confirmed}`}  ${title}`,
          )
          .join('\n'),
      );
    });
  templates
    .command('show <name>')
    .description('one template: its versions, and the document of one')
    .option('--template-version <n>', 'that version', whole)
    .action(async (name: string, { templateVersion: version }: { templateVersion?: number }, command: Command) => {
      const session = new Session(command.optsWithGlobals<Options>());
      const query = version === undefined ? {} : { version };
      session.out(await answered(session.client.GET('/v1/workspaces/{workspace}/templates/{name}', { params: { path: { workspace: await session.workspace(), name }, query } })));
    });
  templates
    .command('use <name>')
    .description('create a goal from a template')
    .option('--parameter <name=value>', 'what fills it; may be repeated', collect, [])
    .option('--template-version <n>', 'that version; default: the confirmed one, else the newest', whole)
    .option('--confirmed', 'the work starts at once: you confirm the contract that comes out')
    .option('--id <id>', 'command id: the same id is the same goal')
    .option('--dry-run', 'say what the goal would be created with, and change nothing')
    .action(async (name: string, options: { parameter: string[]; templateVersion?: number; confirmed?: true; id?: string; dryRun?: true }, command: Command) => {
      const session = new Session(command.optsWithGlobals<Options>());
      const commandId = options.id ?? randomUUID();
      if (options.id === undefined) note(`command id ${commandId}`);
      const body = {
        commandId,
        parameters: fieldsFrom(options.parameter) as Schemas['CreateGoalFromTemplateBody']['parameters'],
        confirmed: options.confirmed === true,
        dryRun: options.dryRun === true,
        ...(options.templateVersion === undefined ? {} : { version: options.templateVersion }),
      };
      const path = { workspace: await session.workspace(), name };
      const made = await answered(session.client.POST('/v1/workspaces/{workspace}/templates/{name}/goals', { params: { path }, body }));
      session.out(made, (value) => ('goal' in value ? value.goal : JSON.stringify(value, null, 2)));
    });
}

function webhookCommands(webhooks: Command): void {
  webhooks
    .command('deliveries')
    .description('what was sent, or is to be, newest first')
    .option('--endpoint <name>', 'to that endpoint alone')
    .option('--limit <n>', 'at most so many', whole, 50)
    .action(async ({ endpoint, limit }: { endpoint?: string; limit: number }, command: Command) => {
      const session = new Session(command.optsWithGlobals<Options>());
      const path = { workspace: await session.workspace() };
      const found = await pages(limit, (page) =>
        answered(session.client.GET('/v1/workspaces/{workspace}/webhook-deliveries', { params: { path, query: { ...page, ...(endpoint === undefined ? {} : { endpoint }) } } })),
      );
      session.out(found, (list) =>
        list.map((each) => `${each.seq}  ${each.endpoint}  ${each.state.padEnd(9)}  ${each.type}  ${each.goal}  ${each.tries} tries  ${each.id}`).join('\n'),
      );
    });
  webhooks
    .command('replay <seq>')
    .description('send one again, under the id it had')
    .action(async (seq: string, _options, command: Command) => {
      const session = new Session(command.optsWithGlobals<Options>());
      const path = { workspace: await session.workspace(), seq: whole(seq) };
      session.out(await answered(session.client.POST('/v1/workspaces/{workspace}/webhook-deliveries/{seq}/replay', { params: { path: path as never } })), ({ id }) => id);
    });
}
