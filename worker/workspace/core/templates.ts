/** Templates of a workspace: each version is written once and never changed; a person confirms the one that may start goals by itself. Pure. */
import type { GoalOrigin } from '../../domain/commands.ts';
import { canonical } from '../../domain/digest.ts';
import { type Refusal, refuse } from '../../domain/refusals.ts';
import type { Values } from '../../domain/template/parameters.ts';
import { instantiate, type Template, templateProblems } from '../../domain/template/template.ts';
import type { Json, PrincipalId } from '../../domain/values.ts';

/** Versions of one template. */
export const TEMPLATE_VERSIONS = 200;

/** What is in memory of a template; the versions themselves are rows. */
export interface TemplateHead {
  name: string;
  title: string;
  mode: Template['mode'];
  /** The newest version. */
  latest: number;
  /** The version that a person confirmed last; null: none yet. */
  confirmed: number | null;
  /** Nothing new starts from it. Its versions stay, as goals name them. */
  retired: boolean;
}

/** One version, as it is kept. `digest` is that of the document. */
export interface TemplateVersion {
  name: string;
  version: number;
  digest: string;
  document: Template;
}

export type TemplateLookup = (name: string, version: number) => TemplateVersion | undefined;

/** The head and the version that a document becomes. The same document as the newest version is that version again. */
export function putTemplate(
  head: TemplateHead | undefined,
  document: Template,
  newest: TemplateVersion | undefined,
  sha256: (text: string) => string,
): { head: TemplateHead; version: TemplateVersion } | Refusal {
  const errors = templateProblems(document);
  if (errors.length > 0) return refuse('template_invalid', { errors: errors.map((error) => ({ ...error, pointer: `/payload${error.pointer}` })) });
  const digest = sha256(canonical(document as unknown as Json));
  const same = head !== undefined && newest?.digest === digest;
  const version = same ? head.latest : (head?.latest ?? 0) + 1;
  if (version > TEMPLATE_VERSIONS)
    return refuse('limit_exceeded', { detail: `at most ${TEMPLATE_VERSIONS} versions`, current: { limit: 'template_versions', of: TEMPLATE_VERSIONS } });
  return {
    head: { name: document.name, title: document.title, mode: document.mode, latest: version, confirmed: head?.confirmed ?? null, retired: false },
    version: { name: document.name, version, digest, document },
  };
}

export function confirmTemplate(head: TemplateHead | undefined, version: number): TemplateHead | Refusal {
  if (!head) return refuse('not_found', { errors: [{ pointer: '/payload/name', code: 'not_found' }] });
  if (version > head.latest) return refuse('not_found', { errors: [{ pointer: '/payload/version', code: 'not_found' }], current: { latest: head.latest } });
  if (head.retired) return refuse('invalid_transition', { detail: 'the template was retired', allowedNext: ['template.put'] });
  return { ...head, confirmed: version };
}

export interface Asked {
  /** Absent: the confirmed one, else (by hand) the newest. */
  version?: number | undefined;
  parameters: Values;
  /** Who asks for it, or set the trigger up: the goal's owner. */
  by: PrincipalId;
  confirmed: boolean;
  trigger?: GoalOrigin['trigger'];
}

/** The payload of `goal.create`; or why there is none. Without a person at hand (`trigger`) only a confirmed version starts anything. Pointers are into the request. */
export function goalFrom(head: TemplateHead | undefined, lookup: TemplateLookup, asked: Asked): { payload: Json; version: number } | Refusal {
  if (!head) return refuse('not_found', { detail: 'no such template' });
  if (head.retired) return refuse('invalid_transition', { detail: `the template ${head.name} was retired`, current: { template: head.name } });
  const version = asked.version ?? head.confirmed ?? (asked.trigger ? null : head.latest);
  if (version === null || (asked.trigger && version !== head.confirmed))
    return refuse('template_unconfirmed', { detail: head.name, current: { template: head.name, version: version ?? head.latest, confirmed: head.confirmed } });
  const found = lookup(head.name, version);
  if (!found) return refuse('not_found', { errors: [{ pointer: '/version', code: 'not_found' }], current: { latest: head.latest } });
  const made = instantiate(found.document, asked.parameters, '/parameters');
  if (!made.ok) return refuse('schema_invalid', { errors: made.errors, current: { template: head.name, version } });
  const origin: GoalOrigin = {
    template: { name: head.name, version, digest: found.digest },
    parameters: made.values,
    by: asked.by,
    ...(asked.trigger ? { trigger: asked.trigger } : {}),
  };
  return { payload: JSON.parse(JSON.stringify({ ...made.instance, confirmed: asked.confirmed, origin })) as Json, version };
}
