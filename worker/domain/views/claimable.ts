/** What a program outside may take up, as the graph shows it. The claim itself is decided by `work.claim`. */
import type { GraphNode } from './types.ts';

/** Nobody holds it, it waits for nothing, and its executor is external: nobody here will carry it. */
export function claimable(node: GraphNode, name?: string): boolean {
  const free = (node.state === 'ready' || node.state === 'changes_requested') && node.owner === undefined && node.stop === undefined && node.inputs.missing.length === 0;
  return free && node.executor?.kind === 'external' && (name === undefined || node.executor.name === name);
}
