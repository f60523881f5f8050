/** Where the bytes of a file live. The key is all that says whose they are, so it is made here only. */
export function fileKey(workspace: string, goal: string, digest: string): string {
  return `ws/${workspace}/${goal}/${digest}`;
}
