/** Templates as the console asks for them. */
import { type Answer, ask, workspace } from '../api/client.ts';
import type { Json, PrincipalId, Template, TemplateHead } from '../api/types.ts';
import { inside, listed, type Setting } from '../api/workspace.ts';

const base = `/v1/workspaces/${encodeURIComponent(workspace)}/templates`;

export interface TemplateVersion {
  version: number;
  digest: string;
  at: number;
  by: PrincipalId;
  confirmed: { at: number; by: PrincipalId } | null;
}
export interface TemplateView extends Setting<TemplateHead> {
  versions: TemplateVersion[];
  document: Template;
  /** The version that `document` is of. */
  shown: number;
}

export async function readTemplates(): Promise<Answer<Setting<TemplateHead>[]>> {
  const answer = await ask(base);
  return answer.ok ? { ok: true, value: listed(inside(answer.value).data) } : answer;
}
/** Without `version` the newest. */
export const readTemplate = async (name: string, version?: number): Promise<Answer<TemplateView>> =>
  (await ask(`${base}/${encodeURIComponent(name)}${version === undefined ? '' : `?version=${version}`}`)) as unknown as Answer<TemplateView>;

export interface TemplateOrder {
  name: string;
  version?: number;
  parameters: Record<string, Json>;
  confirmed: boolean;
}
/** The same command id again is the same goal. */
export const startFromTemplate = (commandId: string, { name, ...order }: TemplateOrder): Promise<Answer<Json>> =>
  ask(`${base}/${encodeURIComponent(name)}/goals`, { method: 'POST', body: JSON.stringify({ ...order, commandId }) });
