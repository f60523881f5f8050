import { expect, it } from 'vitest';
import { linkTextOf } from './notifications.ts';

it('a link names its workspace and what was signed, and nothing else is one', () => {
  expect(linkTextOf('#acme/abc.d-e_f')).toEqual({ workspace: 'acme', text: 'abc.d-e_f' });
  for (const text of ['', '#acme', '#acme/', '#a b/c', '#acme/a/b', '#../x']) expect(linkTextOf(text)).toBeNull();
});
