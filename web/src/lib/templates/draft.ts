/** A draft of a template from a finished goal, and the choices a person makes in it. */
import { type Answer, ask, goalPath } from '../api/client.ts';
import type { Json, TemplateDraft } from '../api/types.ts';

export const readDraft = async (goal: string, name: string, against: string): Promise<Answer<TemplateDraft>> =>
  (await ask(
    `${goalPath(goal)}/template-draft?name=${encodeURIComponent(name)}${against === '' ? '' : `&against=${encodeURIComponent(against)}`}`,
  )) as unknown as Answer<TemplateDraft>;

/** `name`: what it is called; null: it is no parameter, and the value of the case stays. */
export interface Choice {
  name: string | null;
  /** Asked for where nothing is given, when empty. */
  otherwise: string;
}

/** The document with parameters renamed, given a default, or put back to what they were in the case. */
export function chosenDraft(draft: TemplateDraft, choices: Record<string, Choice>): { [key: string]: Json } {
  const chosen = (text: string): Json => {
    const alone = /^\{\{([a-z0-9_-]+)\}\}$/.exec(text)?.[1];
    const kept = alone === undefined ? undefined : draft.found.find((finding) => finding.name === alone);
    if (kept && choices[kept.name]?.name === null) return kept.value;
    return text.replace(/(\\?)\{\{([a-z0-9_-]+)\}\}/g, (place, escaped: string, name: string) => {
      const finding = escaped ? undefined : draft.found.find((each) => each.name === name);
      if (!finding) return place;
      const choice = choices[name];
      return choice?.name === null ? String(finding.value) : `{{${choice?.name ?? name}}}`;
    });
  };
  const walk = (value: Json): Json => {
    if (typeof value === 'string') return chosen(value);
    if (value === null || typeof value !== 'object') return value;
    return Array.isArray(value) ? value.map(walk) : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]));
  };
  const parameters = draft.found.flatMap(({ name, type }): [string, Json][] => {
    const choice = choices[name];
    if (choice?.name === null) return [];
    const given = choice?.otherwise.trim() ?? '';
    return [[choice?.name ?? name, { type, ...(given === '' ? {} : { default: type === 'string' ? given : Number(given) }) }]];
  });
  const { parameters: _, ...rest } = draft.template;
  return { ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, walk(value)])), parameters: Object.fromEntries(parameters) };
}

/** A name for a template from the title of a goal. */
export const nameOfTitle = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .replace(/-+$/, '') || 'template';
