/** The skills of this installation: today those it was built with. */
import { modules as bundled, sources } from './bundle.generated.ts';

export interface SkillSource {
  /** `SKILL.md` as text. */
  manifest: string;
  /** Every file of `scripts/`, by name: what a script may import from beside it. */
  modules: Record<string, string>;
}

export type SkillRun = (host: unknown, input: unknown) => unknown;

export function skillSource(skill: string): SkillSource | undefined {
  return Object.hasOwn(sources, skill) ? sources[skill] : undefined;
}

/** Whether a round or check may name this script. Files called `lib-*` are for the others. */
export function hasSkill(skill: string, script: string): boolean {
  const source = skillSource(skill);
  return source !== undefined && !script.startsWith('lib-') && Object.hasOwn(source.modules, script);
}

/** The script's function as a module of this Worker; undefined when it is not built in. */
export function builtIn(skill: string, script: string): SkillRun | undefined {
  if (!hasSkill(skill, script) || !Object.hasOwn(bundled, skill)) return undefined;
  const run = bundled[skill]?.[script]?.default;
  return typeof run === 'function' ? (run as SkillRun) : undefined;
}

export function skillNames(): string[] {
  return Object.keys(sources);
}
