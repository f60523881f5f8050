/** `npm run simulate -- --runs N --seed S [--trace] [--exhaustive [--history H]] [--mistakes]`: see docs/reliability.md. */
import { parseArgs } from 'node:util';
import { command } from './command.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    trace: { type: 'boolean', default: false },
    exhaustive: { type: 'boolean', default: false },
    mistakes: { type: 'boolean', default: false },
    history: { type: 'string' },
    threads: { type: 'string', default: '2' },
  },
});
process.exitCode = await command({
  ...values,
  runs: Number(values.runs),
  seed: Number(values.seed),
  threads: Number(values.threads),
  history: values.history === undefined ? undefined : Number(values.history),
});
