/** `longhaul`: a thin client of /v1. The payload alone goes to standard output, everything else to standard error; how it ends is in `exit.ts`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { accountCommands } from './commands/account.ts';
import { decisionCommands } from './commands/decisions.ts';
import { fileCommands } from './commands/files.ts';
import { goalCommands } from './commands/goals.ts';
import { triggerCommands } from './commands/triggers.ts';
import { workCommand } from './commands/work.ts';
import { workspaceCommands } from './commands/workspace.ts';
import { exit, exitOf, wordsOf } from './exit.ts';
import { note } from './session.ts';

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as { version: string };

function programOf(): Command {
  const program = new Command('longhaul')
    .description('Long tasks of agents, from the command line.')
    .version(version)
    .option('--url <url>', 'where Longhaul is (LONGHAUL_URL; else where you signed in; else this machine)')
    .option('--workspace <id>', 'the workspace (LONGHAUL_WORKSPACE; else that of the token)')
    .option('--json', 'the whole answer as one line of JSON')
    .showHelpAfterError('(--help shows how)')
    .exitOverride();
  accountCommands(program);
  goalCommands(program);
  decisionCommands(program);
  fileCommands(program);
  triggerCommands(program);
  workspaceCommands(program);
  workCommand(program);
  for (const command of allOf(program)) command.exitOverride();
  return program;
}

function allOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allOf)];
}

/** `argv`: as the process has it. The code to end with. */
export async function run(argv: readonly string[]): Promise<number> {
  try {
    await programOf().parseAsync(argv);
    return exit.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exit.done : exit.usage;
    note(`longhaul: ${wordsOf(error)}`);
    return exitOf(error);
  }
}
