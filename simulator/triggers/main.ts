/** `node simulator/triggers/main.ts --runs N --seed S [--trace] [--mistake NAME]`: histories of triggers. Prints what failed first, with what happened, and gives 1. */
import { parseArgs } from 'node:util';
import { plant } from '../mistakes/plant.ts';
import { triggerMistakes } from './mistakes.ts';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' }, trace: { type: 'boolean', default: false }, mistake: { type: 'string' } },
});
process.removeAllListeners('warning');
if (values.mistake !== undefined) plant(values.mistake, triggerMistakes);
// What goes wrong in a history is what it is about, and is no line of a log.
console.warn = () => {};
const { playTriggers } = await import('./history.ts');
const happened: Record<string, number> = {};
const known = triggerMistakes.find(({ name }) => name === values.mistake)?.seed;
const seeds = [...(known === undefined ? [] : [known]), ...Array.from({ length: Number(values.runs) }, (_, n) => Number(values.seed) + n)];
for (const seed of seeds) {
  const trace: string[] = [];
  const told = await playTriggers(seed, trace);
  for (const [name, count] of Object.entries(told.happened)) happened[name] = (happened[name] ?? 0) + count;
  if (values.trace || (told.wrong && values.mistake === undefined)) console.log(trace.join('\n'));
  if (told.wrong) {
    console.log(`seed ${seed}: ${told.wrong}`);
    process.exitCode = 1;
    break;
  }
}
console.log(JSON.stringify(happened));
