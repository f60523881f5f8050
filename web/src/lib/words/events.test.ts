import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { versions } from '../../../../worker/domain/upcast.ts';

/** Read as text: the messages are generated, and need not be there when tests run. */
const source = readFileSync(new URL('events.ts', import.meta.url), 'utf8');
/** Shown with the call that it answers. */
const joined = ['call.recorded'];

it('has words for every event', () => {
  expect(Object.keys(versions).filter((type) => !source.includes(`case '${type}':`))).toEqual(joined);
});
