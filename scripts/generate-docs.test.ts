import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commandTypes } from '../worker/domain/commands.ts';
import { refusalTable } from '../worker/domain/refusals.ts';
import { allTools } from '../worker/tools/index.ts';
import { workspaceCommandTypes } from '../worker/workspace/core/catalogue.ts';
import { commandsPage, pages, refusalsPage, toolsPage, workspaceCommandsPage } from './generate-docs.ts';

describe('generated documents', () => {
  it.each(pages.map((page) => [page.path.slice(page.path.lastIndexOf('/') + 1), page] as const))(
    '%s is what the schemas say; else run node scripts/generate-docs.ts',
    (_name, page) => {
      expect(readFileSync(page.path, 'utf8')).toBe(page.text());
    },
  );

  it('has every command and every code', () => {
    const [commands, ofWorkspace, refusals] = [commandsPage(), workspaceCommandsPage(), refusalsPage()];
    for (const type of commandTypes) expect(commands).toContain(`\n## ${type}\n`);
    const ofTools = toolsPage();
    for (const tool of allTools()) expect(ofTools).toContain(`\n## ${tool.name}\n`);
    for (const type of workspaceCommandTypes) expect(ofWorkspace).toContain(`\n## ${type}\n`);
    for (const code of Object.keys(refusalTable)) expect(refusals).toContain(`| \`${code}\` |`);
  });
});
