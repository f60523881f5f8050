/** Signing in: a token is kept for this user. */
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { answered, createClient } from '../../client/index.ts';
import { credentials, forget, keep } from '../credentials.ts';
import { Usage } from '../exit.ts';
import { note, type Options, Session } from '../session.ts';

/** Asked for at a terminal, without showing it; else read from standard input. Nobody is asked where no terminal is. */
async function askToken(): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim();
  process.stderr.write('Token (lht_...): ');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await new Promise<string>((resolve) => lines.question('', resolve));
  } finally {
    lines.close();
    note('');
  }
}

export function accountCommands(program: Command): void {
  program
    .command('sign-in')
    .description('keep a token for this user: from the terminal, from standard input, or from LONGHAUL_TOKEN')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      const { url } = credentials(options);
      const token = process.env.LONGHAUL_TOKEN || (await askToken());
      if (token === '') throw new Usage('There is no token on standard input.');
      const me = await answered(createClient({ url, token }).GET('/v1/me'));
      const workspace = options.workspace ?? me.workspaces[0]?.id;
      if (workspace === undefined || !me.workspaces.some(({ id }) => id === workspace))
        throw new Usage(`This token is for ${me.workspaces.map(({ id }) => id).join(', ') || 'no workspace'}.`);
      note(`kept in ${keep({ url, token, workspace })}`);
      new Session({ ...options, url, workspace }).out(me, ({ principal, workspaces }) => `${principal} in ${workspaces.map(({ id }) => id).join(', ')}`);
    });
  program
    .command('sign-out')
    .description('forget the token that is kept here; revoking it is done in the workspace')
    .action(() => forget());
  program
    .command('whoami')
    .description('who the credential says you are, and what it may do')
    .action(async (_options, command: Command) => {
      const session = new Session(command.optsWithGlobals<Options>());
      session.out(await answered(session.client.GET('/v1/me')), ({ principal, workspaces }) =>
        [principal, ...workspaces.map(({ id, role, scopes }) => `  ${id}  ${role ?? 'token'}  ${scopes.join(' ')}`)].join('\n'),
      );
    });
}
