import { expect, it } from 'vitest';
import { chosenWorkspace, ownPath, ownPrincipal } from './chosen.ts';

it('goes back to pages of this console alone', () => {
  expect(ownPath('/goals/goal_1?view=tree')).toBe('/goals/goal_1?view=tree');
  for (const to of [null, '', 'https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) expect(ownPath(to), String(to)).toBe('/');
});

it('looks at the local workspace where nothing was chosen', () => expect(chosenWorkspace()).toBe('local'));

it('is the person of the development sign-in where nobody signed in', () => expect(ownPrincipal()).toBe('person:local'));
