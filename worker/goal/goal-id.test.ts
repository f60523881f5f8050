import { describe, expect, it } from 'vitest';
import { goalIdOf, goalIdPattern } from './goal-id.ts';

describe('goal ids', () => {
  it('are the same for the same creation and differ in every part', () => {
    const id = goalIdOf('local', ['person:local', 'c1']);
    expect(id).toMatch(goalIdPattern);
    expect(goalIdOf('local', ['person:local', 'c1'])).toBe(id);
    const others = [
      goalIdOf('other', ['person:local', 'c1']),
      goalIdOf('local', ['person:else', 'c1']),
      goalIdOf('local', ['person:local', 'c2']),
      goalIdOf('local', ['person:localc1']),
    ];
    expect(new Set([id, ...others]).size).toBe(5);
  });

  it('use every bit: a thousand ids share no character position', () => {
    const seen = Array.from({ length: 32 }, () => new Set<string>());
    for (let n = 0; n < 1000; n++) for (const [at, character] of [...goalIdOf('w', ['p', `${n}`]).slice(5)].entries()) seen[at]?.add(character);
    expect(seen.every((characters) => characters.size === 32)).toBe(true);
  });
});
