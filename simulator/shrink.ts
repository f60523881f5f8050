/** The shortest history that still fails in the same way: steps are left out, then the shape is made smaller. Bounded. */
import type { Script } from './faults.ts';
import type { Outcome } from './history.ts';

/** The predicate, without what it says of this history. */
function kindOf(wrong: string): string {
  return wrong.split(':')[0] ?? wrong;
}

export async function shrink(script: Script, wrong: string, play: (script: Script) => Promise<Outcome>, tries = 150): Promise<Script> {
  let best = script;
  let left = tries;
  const fails = async (candidate: Script) => {
    if (left-- <= 0) return false;
    const outcome = await play(candidate);
    return outcome.wrong !== undefined && kindOf(outcome.wrong) === kindOf(wrong);
  };
  for (let size = Math.ceil(best.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < best.steps.length; ) {
      const candidate = { ...best, steps: [...best.steps.slice(0, at), ...best.steps.slice(at + size)] };
      if (await fails(candidate)) best = candidate;
      else at += size;
    }
  }
  for (const shape of [
    { ...best.shape, neighbour: false },
    { ...best.shape, bad: 0 },
    ...Array.from({ length: best.shape.items - 1 }, (_, n) => ({ ...best.shape, items: n + 1 })),
  ]) {
    const candidate = { ...best, shape: { ...best.shape, ...shape, items: Math.min(best.shape.items, shape.items) } };
    if (JSON.stringify(candidate) !== JSON.stringify(best) && (await fails(candidate))) best = candidate;
  }
  return best;
}
