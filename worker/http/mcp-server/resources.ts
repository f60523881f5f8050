/** Resources of the MCP server: a goal, its graph and its resume packet, by address. */
import type { Desk, Told } from './desk.ts';

export const resourceTemplates = [
  { uriTemplate: 'longhaul://goals/{id}', name: 'goal', title: 'Goal', description: 'The goal bar and the contract', mimeType: 'application/json' },
  { uriTemplate: 'longhaul://goals/{id}/graph', name: 'graph', title: 'Work graph', description: 'The graph view', mimeType: 'application/json' },
  { uriTemplate: 'longhaul://goals/{id}/resume-packet', name: 'resume-packet', title: 'Resume packet', description: 'What a new round starts from', mimeType: 'application/json' },
];

/** Undefined: no address of ours. */
export function readResource(desk: Desk, uri: string): Promise<Told> | undefined {
  const [, goal, view] = /^longhaul:\/\/goals\/([^/?#]+)(?:\/(graph|resume-packet))?$/.exec(uri) ?? [];
  return goal === undefined ? undefined : desk.get(['goals', goal, ...(view === undefined ? [] : [view])]);
}

/** The newest goals; others are reached by the templates. */
export async function listResources(
  desk: Desk,
  cursor: string | undefined,
): Promise<Told<{ resources: { uri: string; name: string; title: string; mimeType: string }[]; nextCursor?: string }>> {
  const page = await desk.get<{ data: { goal: string; title: string }[]; nextCursor: string | null }>(['goals'], { limit: 50, cursor });
  if (!page.ok) return page;
  const resources = page.value.data.map(({ goal, title }) => ({ uri: `longhaul://goals/${goal}`, name: goal, title, mimeType: 'application/json' }));
  return { ok: true, value: { resources, ...(page.value.nextCursor === null ? {} : { nextCursor: page.value.nextCursor }) } };
}
