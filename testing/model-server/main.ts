/**
 * The scripted model server as a process: `node testing/model-server/main.ts --script NAME --port N [--key KEY] [--window TOKENS]`.
 * Prints one line of JSON with its address, then a line for each request. Ends with SIGTERM or SIGINT.
 */
import { parseArgs } from 'node:util';
import { scripts } from './scripts/index.ts';
import { startModelServer } from './server.ts';

const { values } = parseArgs({ options: { script: { type: 'string' }, port: { type: 'string' }, key: { type: 'string' }, window: { type: 'string' } } });
const script = values.script === undefined ? undefined : scripts[values.script];
if (values.script !== undefined && !script) {
  console.error(`No script ${values.script}. There are: ${Object.keys(scripts).join(', ')}`);
  process.exit(2);
}
const server = await startModelServer({
  scripts,
  ...(script && values.script ? { script, model: values.script } : {}),
  ...(values.port === undefined ? {} : { port: Number(values.port) }),
  ...(values.key === undefined ? {} : { key: values.key }),
  ...(values.window === undefined ? {} : { window: Number(values.window) }),
});
console.log(JSON.stringify({ url: server.url }));
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void server.close().then(() => process.exit(0)));
