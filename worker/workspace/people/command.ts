/** From an envelope to what became of it. Decided on what D1 says, and committed only while that still holds. */
import { schemaProblems } from '../../domain/problems.ts';
import { isRefusal, type Refusal, refuse } from '../../domain/refusals.ts';
import type { Json, PrincipalId } from '../../domain/values.ts';
import { eraseWorkspace } from '../erasing/workspace.ts';
import { type PeopleCommandType, type PeopleEnvelope, type PeoplePayload, peopleCatalogue } from './catalogue.ts';
import { again, type Change, type Committed, commit, type Entry, type Giver, keptOf } from './change.ts';
import { invite, revokeInvitation } from './invitations.ts';
import { removeMember, setMail, setRole } from './members.ts';
import { issueToken, revokeToken } from './tokens.ts';

export interface PeopleRequest {
  workspace: string;
  giver: Giver;
  kind: 'person' | 'token';
  envelope: PeopleEnvelope;
  /** Where it came from, for the log. */
  address: string | null;
}

export type PeopleAnswer = Committed | { outcome: 'would_apply' };

export async function givePeopleCommand(db: D1Database, { workspace, giver, kind, envelope, address }: PeopleRequest, now: number): Promise<PeopleAnswer> {
  const rejected = (refusal: Refusal): PeopleAnswer => ({ outcome: 'rejected', refusal });
  const spec = peopleCatalogue[envelope.type];
  if (spec.scope !== null && !giver.scopes.includes(spec.scope)) return rejected(refuse('scope_missing', { current: { scope: spec.scope } }));
  if (kind !== 'person') return rejected(refuse('forbidden', { detail: 'Of people and tokens only a signed-in person decides.' }));
  const payload = spec.payload.safeParse(envelope.payload);
  if (!payload.success) return rejected(refuse('schema_invalid', { errors: schemaProblems(payload.error, ['payload']) }));
  const entry: Entry = {
    workspace,
    principal: giver.principal,
    commandId: envelope.commandId,
    type: envelope.type,
    body: { type: envelope.type, payload: envelope.payload, reason: envelope.reason ?? null },
    address,
    ...(envelope.reason === undefined ? {} : { reason: envelope.reason }),
  };
  const kept = await keptOf(db, entry);
  if (kept) return again(kept, entry);
  const change = await decide(db, workspace, giver, envelope.type, payload.data as unknown as Json, now);
  if (isRefusal(change)) return rejected(change);
  return envelope.dryRun ? { outcome: 'would_apply' } : commit(db, entry, change, now);
}

/** Whose way into the workspace the applied command changed: their sockets there are looked at again. */
export function affectedBy(type: PeopleCommandType, result: Json): PrincipalId | null {
  const { member, token } = (result ?? {}) as { member?: string; token?: string };
  switch (type) {
    case 'member.setRole':
    case 'member.remove':
    case 'member.leave':
      return member === undefined ? null : `person:${member}`;
    case 'token.revoke':
      return token === undefined ? null : `token:${token}`;
    case 'member.invite':
    case 'member.setMail':
    case 'invitation.revoke':
    case 'token.issue':
    // The goals, when they are erased, close every socket.
    case 'workspace.erase':
      return null;
    default:
      return type satisfies never;
  }
}

function decide(db: D1Database, workspace: string, giver: Giver, type: PeopleCommandType, payload: Json, now: number): Promise<Change | Refusal> {
  const as = <T extends PeopleCommandType>(_type: T) => payload as unknown as PeoplePayload<T>;
  switch (type) {
    case 'member.invite':
      return invite(db, workspace, giver, as(type), now);
    case 'invitation.revoke':
      return revokeInvitation(db, workspace, giver, as(type).invitation, now);
    case 'member.setRole':
      return setRole(db, workspace, giver, as(type));
    case 'member.remove':
      return removeMember(db, workspace, giver, as(type).member);
    case 'member.leave':
      return giver.person === null
        ? Promise.resolve(refuse('invalid_transition', { detail: 'The sign-in of a development build is no member that could leave.' }))
        : removeMember(db, workspace, giver, giver.person);
    case 'member.setMail':
      return giver.person === null
        ? Promise.resolve(refuse('invalid_transition', { detail: 'The sign-in of a development build is no member, and has no address.' }))
        : setMail(db, workspace, giver.person, as(type).kinds);
    case 'token.issue':
      return issueToken(db, workspace, giver, as(type), now);
    case 'token.revoke':
      return revokeToken(db, workspace, giver, as(type).token, now);
    case 'workspace.erase':
      return eraseWorkspace(db, workspace, giver, as(type).name, now);
    default:
      return type satisfies never;
  }
}
