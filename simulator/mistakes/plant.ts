/** Plants a mistake: the source of one real module is changed as it is loaded. A text that is not there exactly once is an error, not a mistake not found. */
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Mistake, mistakes } from './mistakes.ts';

export function plant(name: string, known: readonly Mistake[] = mistakes): void {
  const mistake = known.find((each) => each.name === name);
  if (!mistake) throw new Error(`no mistake is called ${name}`);
  const changed = new Map<string, string>();
  for (const { file, from, to } of mistake.changes) {
    const url = new URL(`../../worker/${file}`, import.meta.url).href;
    const source = changed.get(url) ?? readFileSync(fileURLToPath(url), 'utf8');
    const times = source.split(from).length - 1;
    if (times !== 1) throw new Error(`the mistake "${name}" does not fit worker/${file} any more: its text is there ${times} times`);
    changed.set(
      url,
      source.replace(from, () => to),
    );
  }
  registerHooks({
    load(url, context, next) {
      const source = changed.get(url.split('?')[0] ?? url);
      return source === undefined ? next(url, context) : { format: 'module', source: stripTypeScriptTypes(source), shortCircuit: true };
    },
  });
}
