/**
 * The one table of roles: what a member of a workspace may do there. The API, the console (`GET /v1/me` hands the scopes over) and `docs/roles.md` take it from here.
 * A scope implies no other: who may submit may not therefore accept. Owners and admins hold both, and are still refused where they would judge what they submitted (`self_review`).
 */
import { type Scope, scopes } from './context.ts';

interface RoleRow {
  scopes: readonly Scope[];
  /** Roles that its holder may give, change and take away. Nobody gives a role that could do more than their own. */
  gives: readonly Role[];
  /** English source of the docs; the console words it by name. */
  means: string;
}

export const roles = ['owner', 'admin', 'operator', 'reviewer', 'viewer'] as const;
export type Role = (typeof roles)[number];

export const roleTable: Readonly<Record<Role, RoleRow>> = {
  owner: { scopes, gives: roles, means: 'Everything, and says who owns the workspace beside them. A workspace always has one.' },
  admin: { scopes, gives: ['admin', 'operator', 'reviewer', 'viewer'], means: 'Members, tokens, settings and secrets, and everything about goals. Makes nobody an owner.' },
  operator: {
    scopes: ['goals:read', 'goals:write', 'work:submit', 'triggers:manage', 'usage:read'],
    gives: [],
    means: 'Runs goals: creates, steers, answers, submits. Judges no submission and decides no approval.',
  },
  reviewer: {
    scopes: ['goals:read', 'work:review', 'approvals:decide'],
    gives: [],
    means: 'Reviews submissions, attests criteria, decides approvals. Changes no goal and submits nothing.',
  },
  viewer: { scopes: ['goals:read'], gives: [], means: 'Reads goals.' },
};

/** What each scope opens, for people who choose the scopes of a token. */
export const scopeMeans: Readonly<Record<Scope, string>> = {
  'goals:read': 'Read goals, their record and their files.',
  'goals:write': 'Create, confirm, change, pause and cancel goals; answer their questions; store files.',
  'work:submit': 'Claim work items and submit deliveries. Accepts nothing.',
  'work:review': 'Judge submissions, attest criteria, make acceptances fall. Submits nothing.',
  'approvals:decide': 'Approve or refuse exact calls; say what became of an unknown effect.',
  'triggers:manage': 'Set up what starts goals by itself.',
  'secrets:write': 'Set and remove secrets. No scope reads one.',
  'usage:read': 'Read what was used.',
  admin: 'Settings, the log of changes, import, erasure and rebuilding. Of people and tokens only a signed-in person decides.',
};
