import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bundleSkills } from './bundle-skills.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'skills-'));
  mkdirSync(join(root, 'skills/one/scripts'), { recursive: true });
  writeFileSync(join(root, 'skills/one/SKILL.md'), '# One, with a "quote", a `tick` and \u2028');
  writeFileSync(join(root, 'skills/one/scripts/run.js'), "import { a } from './lib-a.js';\nexport default async () => [`tick`, a];\n");
  writeFileSync(join(root, 'skills/one/scripts/lib-a.js'), 'export const a = 1;\n');
  writeFileSync(join(root, 'skills/one/scripts/run.test.ts'), 'no part of it');
});
afterEach(() => rmSync(root, { recursive: true }));
const written = () => readFileSync(join(root, 'worker/rounds/skills/bundle.generated.ts'), 'utf8');

it('holds every text, and as modules what can be run', () => {
  expect(bundleSkills(root)).toBe(true);
  expect(written()).toContain(JSON.stringify("import { a } from './lib-a.js';\nexport default async () => [`tick`, a];\n"));
  expect(written()).toContain("from '../../../skills/one/scripts/run.js'");
  expect(written()).not.toContain("from '../../../skills/one/scripts/lib-a.js'");
  expect(written()).not.toContain('no part of it');
});

it('writes only what changed', () => {
  bundleSkills(root);
  expect(bundleSkills(root)).toBe(false);
  writeFileSync(join(root, 'skills/one/scripts/lib-a.js'), 'export const a = 2;\n');
  expect(bundleSkills(root)).toBe(true);
});

it('refuses a script that cannot be run and a skill that says nothing of itself', () => {
  writeFileSync(join(root, 'skills/one/scripts/other.js'), 'export const b = 1;\n');
  expect(() => bundleSkills(root)).toThrow('other.js');
  rmSync(join(root, 'skills/one/scripts/other.js'));
  rmSync(join(root, 'skills/one/SKILL.md'));
  expect(() => bundleSkills(root)).toThrow('SKILL.md');
});
