/**
 * Writes `worker/rounds/skills/bundle.generated.ts` from `skills/<name>/SKILL.md` and, where there are any, `skills/<name>/scripts/*.js`: the texts, which
 * agents and the worker loader get, and the modules, for installations without one. Run it as `node scripts/bundle-skills.ts`, or call `bundleSkills()`; it writes only what changed,
 * so calling it always is cheap.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = dirname(dirname(fileURLToPath(import.meta.url)));
/** Names of skills and of script files; anything else in the folders is not part of a skill. */
const skillName = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const scriptName = /^[a-z0-9-]+\.js$/;

/** True when the file was written, false when it was already right. Throws for a skill without SKILL.md, or a script that has no default export. */
export function bundleSkills(root: string = repository): boolean {
  const target = join(root, 'worker/rounds/skills/bundle.generated.ts');
  const text = render(join(root, 'skills'));
  if (existsSync(target) && readFileSync(target, 'utf8') === text) return false;
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
  return true;
}

function render(folder: string): string {
  const skills = existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && skillName.test(entry.name) && ['SKILL.md', 'scripts'].some((part) => existsSync(join(folder, entry.name, part))))
        .map((entry) => entry.name)
        .sort()
    : [];
  const imports: string[] = [];
  const sources: string[] = [];
  const modules: string[] = [];
  for (const skill of skills) {
    const manifest = join(folder, skill, 'SKILL.md');
    if (!existsSync(manifest)) throw new Error(`skills/${skill} has no SKILL.md`);
    const scripts = existsSync(join(folder, skill, 'scripts'))
      ? readdirSync(join(folder, skill, 'scripts'))
          .filter((name) => scriptName.test(name))
          .sort()
      : [];
    const texts = scripts.map((name) => ({ name, text: readFileSync(join(folder, skill, 'scripts', name), 'utf8') }));
    for (const { name, text } of texts)
      if (!name.startsWith('lib-') && !/export default /.test(text))
        throw new Error(`skills/${skill}/scripts/${name} has no default export; call it lib-... when it is for the others`);
    sources.push(
      `  ${JSON.stringify(skill)}: {\n    manifest: ${JSON.stringify(readFileSync(manifest, 'utf8'))},\n    modules: {\n${texts.map(({ name, text }) => `      ${JSON.stringify(name)}: ${JSON.stringify(text)},\n`).join('')}    },\n  },\n`,
    );
    const runs = texts.filter(({ name }) => !name.startsWith('lib-'));
    modules.push(
      `  ${JSON.stringify(skill)}: {\n${runs
        .map(({ name }) => {
          imports.push(`import * as m${imports.length} from '../../../skills/${skill}/scripts/${name}';\n`);
          return `    ${JSON.stringify(name)}: m${imports.length - 1},\n`;
        })
        .join('')}  },\n`,
    );
  }
  return `// @ts-nocheck: the scripts are plain JavaScript without types.\n// Written by scripts/bundle-skills.ts; not for editing.\n${imports.join('')}
export const sources: Record<string, { manifest: string; modules: Record<string, string> }> = {\n${sources.join('')}};
export const modules: Record<string, Record<string, { default?: unknown }>> = {\n${modules.join('')}};\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(bundleSkills() ? 'skills bundled' : 'skills are bundled already');
