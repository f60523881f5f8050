/** Mistakes are changes to the text of real modules: each must still fit. Whether each is found takes minutes and is in `simulate.test.ts` and `../triggers/triggers.test.ts`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { triggerMistakes } from '../triggers/mistakes.ts';
import { mistakes } from './mistakes.ts';

test.each([...mistakes, ...triggerMistakes])('$name: its text is in the module, once', ({ changes }) => {
  for (const { file, from } of changes) expect(readFileSync(join(import.meta.dirname, '../../worker', file), 'utf8').split(from)).toHaveLength(2);
});
