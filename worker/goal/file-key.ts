/** Where the bytes of a file live. The key is all that says whose they are, so it is made here only. */
export function fileKey(workspace: string, goal: string, digest: string): string {
  return `${goalFilesPrefix(workspace, goal)}${digest}`;
}

/** All files lie under it. */
export const filesRoot = 'ws/';

export function goalFilesPrefix(workspace: string, goal: string): string {
  return `${filesRoot}${workspace}/${goal}/`;
}

/** Undefined: no key of a file. */
export function partsOfFileKey(key: string): { workspace: string; goal: string; digest: string } | undefined {
  const [root, workspace, goal, digest, ...rest] = key.split('/');
  return root === 'ws' && workspace && goal && digest && rest.length === 0 ? { workspace, goal, digest } : undefined;
}

/** An empty object for each Goal of a workspace: what a book that was lost is made anew from, as objects cannot be listed. */
export function indexPrefix(workspace: string): string {
  return `index/${workspace}/`;
}
export function indexKey(workspace: string, goal: string): string {
  return `${indexPrefix(workspace)}${goal}`;
}
