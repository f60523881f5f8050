/** What a model can read that no tool of the host gives: texts of skills. Reading them changes nothing and is no step of the round. */
import type { Json } from '../../domain/values.ts';
import type { RoundContext } from '../../goal/rpc.ts';
import { headThatFits } from '../../tools/pages.ts';
import { skillNames, skillSource } from '../skills/registry.ts';
import type { Definition } from './tool-definitions.ts';

/** The skills of this lane are in the system text already. */
const builtIn = new Set(['planning', 'delivery', 'feedback', 'review', 'audit', 'intake', 'routing', 'amending']);

/** Names with what they are for; undefined for lanes that only judge. */
export function skillsToRead(context: Pick<RoundContext, 'lane' | 'brief' | 'purpose'>): Json | undefined {
  if (context.lane === 'reviewer' || context.purpose === 'intake') return undefined;
  const skills = skillNames().filter((name) => !builtIn.has(name) && name !== 'examples');
  return skills.length === 0 ? undefined : skills.map((name) => ({ name, for: descriptionOf(name).slice(0, 300) }));
}

function descriptionOf(name: string): string {
  return /^description: *(.+)$/m.exec(skillSource(name)?.manifest ?? '')?.[1] ?? '';
}

export function readingDefinitions(context: Pick<RoundContext, 'lane' | 'brief' | 'purpose'>): Definition[] {
  const definitions: Definition[] = [];
  if (skillsToRead(context) !== undefined)
    definitions.push({
      name: 'skill_read',
      alias: 'skill_read',
      description:
        'The text of a skill, by name: how a kind of work is done here, its rules and reason codes. Read the one that fits before you begin. From `offset` characters on: `{text, next}`; `next` is the offset of the rest or null.',
      schema: { type: 'object', properties: { name: { type: 'string' }, offset: { type: 'integer', minimum: 0 } }, required: ['name'], additionalProperties: false },
    });
  return definitions;
}

/** Undefined: no tool of this file. */
export function readHere(name: string, args: { [key: string]: Json }, limit: number): Json | undefined {
  if (name === 'skill_read') {
    const skill = typeof args.name === 'string' ? skillSource(args.name) : undefined;
    return skill ? partOf(skill.manifest, args.offset, limit) : { refusal: { code: 'not_found', detail: 'no skill of that name', current: { skills: skillNames() } } };
  }
  return undefined;
}

/** What fits in one answer of `limit` characters, and where the rest begins. */
function partOf(text: string, from: Json | undefined, limit: number): Json {
  const offset = typeof from === 'number' && from > 0 ? Math.floor(from) : 0;
  const part = headThatFits(text.slice(offset), Math.max(100, limit - 200));
  return { text: part, next: offset + part.length < text.length ? offset + part.length : null };
}
