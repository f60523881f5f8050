/** What people and tokens of the workspace are called, by principal. Read once a page; a name that is not known yet is the id, and appears when it is. */
import { createSubscriber } from 'svelte/reactivity';
import { ask, workspace } from '../api/client.ts';

const known = new Map<string, string>();
let changed = () => {};
const subscribe = createSubscriber((update) => {
  changed = update;
  return () => {
    changed = () => {};
  };
});

export function nameOf(principal: string): string | undefined {
  subscribe();
  return known.get(principal);
}

/** Of all of them, for a choice. */
export function allNames(): [principal: string, name: string][] {
  subscribe();
  return [...known];
}

/** One that fails leaves the ids: whoever may not know the names sees those. */
export async function learnNames(): Promise<void> {
  const answer = await ask(`/v1/workspaces/${encodeURIComponent(workspace)}/names`);
  if (!answer.ok) return;
  for (const { principal, name } of (answer.value as unknown as { data: { principal: string; name: string }[] }).data) known.set(principal, name);
  changed();
}
