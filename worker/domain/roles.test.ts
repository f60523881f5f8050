import { describe, expect, it } from 'vitest';
import { catalogue, commandTypes, type Givers } from './commands.ts';
import { scopes } from './context.ts';
import { roles, roleTable } from './roles.ts';

describe('the table of roles', () => {
  it('gives nobody below admin both submitting and accepting', () => {
    for (const role of ['operator', 'reviewer', 'viewer'] as const) {
      const held = roleTable[role].scopes;
      expect(held.includes('work:submit') && (held.includes('work:review') || held.includes('approvals:decide')), role).toBe(false);
      expect(held).not.toContain('admin');
      expect(held).not.toContain('secrets:write');
      expect(roleTable[role].gives).toEqual([]);
    }
  });

  it('lets nobody give a role that could do more than their own', () => {
    for (const role of roles)
      for (const given of roleTable[role].gives) for (const scope of roleTable[given].scopes) expect(roleTable[role].scopes, `${role} gives ${given}`).toContain(scope);
    expect(roleTable.admin.gives).not.toContain('owner');
  });

  it('leaves a viewer without any command, and every scope of the catalogue to somebody', () => {
    const asked = new Set(commandTypes.map((type) => (catalogue[type].by as Givers).scope).filter((scope) => scope !== undefined));
    for (const scope of asked) expect(roleTable.viewer.scopes).not.toContain(scope);
    for (const scope of scopes)
      expect(
        roles.some((role) => roleTable[role].scopes.includes(scope)),
        scope,
      ).toBe(true);
  });
});
