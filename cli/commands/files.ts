/** Files of a goal, deliveries, archives, and the audit. */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { answered } from '../../client/index.ts';
import { Attempt } from '../attempt.ts';
import { Failed, Usage } from '../exit.ts';
import { fileBytes, note, type Options, Session } from '../session.ts';

export function fileCommands(program: Command): void {
  program
    .command('put <goal> <file>')
    .description('store a file as a source of the goal')
    .option('--as <path>', 'its path in the goal')
    .action(async (goal: string, file: string, options: { as?: string }, command: Command) => {
      const session = new Session(command.optsWithGlobals<Options>());
      const bytes = fileBytes(file);
      const digest = createHash('sha256').update(bytes).digest('base64');
      const path = { ...(await session.path(goal)), path: options.as ?? basename(file) };
      const stored = await answered(
        session.client.PUT('/v1/workspaces/{workspace}/goals/{goal}/files/{path}', {
          params: { path, header: { 'Content-Digest': `sha-256=:${digest}:` } },
          body: bytes as unknown as string,
          bodySerializer: (body) => body as unknown as BodyInit,
          headers: { 'content-type': 'application/octet-stream' },
        }),
      );
      session.out(stored, () => path.path);
    });
  program
    .command('import-plan <goal> <file>')
    .description('a plan of another tool (Taskmaster, beads, spec-kit, check list) as a plan document, with a report; changes nothing unless --propose')
    .option('--format <format>', 'taskmaster, beads, spec_kit or check_list; default: found from the text')
    .option('--tag <tag>', 'of Taskmaster: one list of several')
    .option('--propose', 'propose it; adopting it is a step of its own')
    .option('--id <id>', 'command id of the proposal: the same id is the same proposal')
    .action(async (goal: string, file: string, { format, tag, propose, id }: { format?: string; tag?: string; propose?: true; id?: string }, command: Command) => {
      if (id !== undefined && !propose) throw new Usage('--id is that of a proposal: add --propose.');
      const session = new Session(command.optsWithGlobals<Options>());
      const bytes = fileBytes(file);
      const commandId = id ?? randomUUID();
      if (propose && id === undefined) note(`command id ${commandId}`);
      const query = { ...(format === undefined ? {} : { format: format as 'beads' }), ...(tag === undefined ? {} : { tag }), ...(propose ? { propose } : {}) };
      const imported = await answered(
        session.client.POST('/v1/workspaces/{workspace}/goals/{goal}/plan-imports', {
          params: { path: await session.path(goal), query, header: propose ? { 'Idempotency-Key': commandId } : {} },
          body: bytes as unknown as string,
          bodySerializer: (body) => body as unknown as BodyInit,
          headers: { 'content-type': 'application/octet-stream' },
        }),
      );
      for (const each of imported.notes) note(`${each.code}: ${[each.where, each.key].filter((part) => part !== undefined).join(' ')}: ${each.means}`);
      // The document is what plan.propose takes.
      session.out(imported, (value) => ('proposal' in value && value.proposal !== undefined ? String(value.proposal) : JSON.stringify({ document: value.document }, null, 2)));
    });
  program
    .command('submit <goal> <item> <files...>')
    .description('deliver files for an item: it is claimed unless you hold it')
    .requiredOption('--summary <text>', 'what was done, for whoever judges it')
    .action(async (goal: string, item: string, files: string[], options: { summary: string }, command: Command) => {
      const session = new Session(command.optsWithGlobals<Options>());
      const own = files.map((path) => ({ path: basename(path), bytes: fileBytes(path) }));
      const attempt = await Attempt.begin(session, goal, item);
      session.out(await attempt.submit(own, options.summary), ({ submission }) => submission);
    });
  program
    .command('export <goal>')
    .description('a goal as one archive, to standard output or to a file')
    .option('--out <file>', 'where to')
    .action(async (goal: string, options: { out?: string }, command: Command) => {
      const session = new Session(command.optsWithGlobals<Options>());
      const body = await answered(session.slow.GET('/v1/workspaces/{workspace}/goals/{goal}/export', { params: { path: await session.path(goal) }, parseAs: 'stream' }));
      await write(body as unknown as ReadableStream<Uint8Array>, options.out);
    });
  program
    .command('import <file>')
    .description('bring an archive in; it keeps its id and its history')
    .action(async (file: string, _options, command: Command) => {
      const session = new Session(command.optsWithGlobals<Options>());
      fileBytes(file);
      const imported = await answered(
        session.slow.POST('/v1/workspaces/{workspace}/goals/import', {
          params: { path: { workspace: await session.workspace() } },
          body: '' as string,
          bodySerializer: () => Readable.toWeb(createReadStream(file)) as unknown as BodyInit,
          headers: { 'content-type': 'application/x-tar' },
          duplex: 'half',
        } as never),
      );
      session.out(imported as { goal: string; added: number }, ({ goal, added }) => `${goal}: ${added} events`);
    });

  const audit = program.command('audit').description('the log of changes of the workspace');
  audit
    .command('verify')
    .description('every row against the chain, and its head against the one that is kept apart; ends with 1 where it is not whole')
    .action(async (_options, command: Command) => {
      const session = new Session(command.optsWithGlobals<Options>());
      const found = await answered(session.client.GET('/v1/workspaces/{workspace}/audit/verify', { params: { path: { workspace: await session.workspace() } } }));
      session.out(found, ({ rows, head, ok, problems }) =>
        [`${ok ? 'whole' : 'NOT WHOLE'}: ${rows} rows, head ${head.seq} ${head.digest}`, ...problems.map((each) => `  ${each.seq}: ${each.code}: ${each.detail}`)].join('\n'),
      );
      if (!found.ok) throw new Failed('the audit is not whole');
    });
  audit
    .command('export')
    .description('the audit as NDJSON, which can be verified anywhere, or as CSV')
    .option('--format <format>', 'ndjson or csv', 'ndjson')
    .option('--out <file>', 'where to')
    .action(async (options: { format: string; out?: string }, command: Command) => {
      const session = new Session(command.optsWithGlobals<Options>());
      const body = await answered(
        session.slow.GET('/v1/workspaces/{workspace}/audit/export', {
          params: { path: { workspace: await session.workspace() }, query: { format: options.format as 'ndjson' } },
          parseAs: 'stream',
        }),
      );
      await write(body as unknown as ReadableStream<Uint8Array>, options.out);
    });
}

async function write(body: ReadableStream<Uint8Array>, out: string | undefined): Promise<void> {
  const from = Readable.fromWeb(body as unknown as Parameters<typeof Readable.fromWeb>[0]);
  await pipeline(from, out === undefined ? process.stdout : createWriteStream(out), { end: out !== undefined });
  if (out !== undefined) note(`written to ${out}`);
}
