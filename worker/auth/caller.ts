/** Who is calling, as their credential says, and what they may do in which workspace. */
import type { Scope } from '../domain/context.ts';
import type { Role } from '../domain/roles.ts';
import type { PrincipalId } from '../domain/values.ts';
import type { AttemptGrant } from '../domain/work/attempt-grant.ts';

export interface Membership {
  name: string;
  /** Null for a token: it has scopes of its own. */
  role: Role | null;
  scopes: readonly Scope[];
}

export interface SignedIn {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
}

/** What opened the door, so that it can be asked again later whether it still does. */
export type Credential = `session:${string}` | `token:${string}` | `attempt:${string}` | 'development';

export interface Caller {
  principal: PrincipalId;
  kind: 'person' | 'token';
  credential: Credential;
  /** By workspace id. What is not in it does not exist for the caller. */
  memberships: ReadonlyMap<string, Membership>;
  /** Set for a token that is limited to goals: nothing of the workspace beside them is there for it. */
  goals: ReadonlySet<string> | null;
  /** Set for the token of one Attempt: what it may do is that, and nothing of what its holder may do beside it. */
  attempt: AttemptGrant | null;
  /** Null for tokens, and for the sign-in of a development build. */
  person: SignedIn | null;
  /** Runs the installation: may see what is counted over all workspaces. */
  operator: boolean;
  /** How the caller was recognized, where that is worth a mark. */
  via?: string;
}
