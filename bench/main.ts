/** `npm run bench -- <name>`: what can be measured. Progress goes to standard error, the result as JSON to standard output. */
import { parseArgs } from 'node:util';
import { generate } from '../scripts/prepare.ts';
import { type CommandsOptions, measureCommands } from './commands.ts';

const usage = `npm run bench -- commands [--rounds N] [--ms N] [--only throughput,opening,downstream] [--state DIR]

npm run bench -- context

  commands       throughput, opening, downstream
  context        tokens of the host's own text in a round, at 10 and 10,000 events

  --rounds N     interleaved rounds of the throughput part (default 9)
  --ms N         milliseconds of each run in a round (default 1500)
  --only LIST    parts to measure (default: all)
  --state DIR    where the state is kept while measuring; its disk is part of what is measured (default: the folder for temporary files)`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string' }, ms: { type: 'string' }, only: { type: 'string' }, state: { type: 'string' }, help: { type: 'boolean' } },
});

const [name] = positionals;
if ((name !== 'commands' && name !== 'context') || values.help) {
  console.error(usage);
  process.exit(values.help ? 0 : 2);
}
if (name === 'context') {
  await generate();
  // The skills' texts are generated: what reads them is loaded after that.
  const { measureContext } = await import('./context.ts');
  const measured = await measureContext();
  console.log(JSON.stringify(measured, null, 2));
  process.exit(measured.withinLimit ? 0 : 1);
}
const parts = new Set((values.only ?? 'throughput,opening,downstream').split(','));
const options: CommandsOptions = { rounds: Number(values.rounds ?? 9), ms: Number(values.ms ?? 1500), parts, state: values.state };
const result = await measureCommands(options);
console.log(JSON.stringify(result, null, 2));
process.exit(0);
