/**
 * The closed catalogue of people and tokens: the only way to change who belongs to a workspace and what its tokens may do. Signed-in persons alone give these commands: a token that could
 * make tokens would outlive its revocation. `docs/people-commands.md` is generated from it.
 */
import { z } from 'zod';
import { isRange } from '../../auth/addresses.ts';
import { type Scope, scopes } from '../../domain/context.ts';
import { roles } from '../../domain/roles.ts';
import { json } from '../../domain/values.ts';
import { outletTypes } from '../core/outlets.ts';

interface PeopleCommandSpec<P extends z.ZodType> {
  summary: string;
  /** Null: any member. */
  scope: Scope | null;
  payload: P;
}

function command<P extends z.ZodType>(summary: string, scope: Scope | null, payload: P): PeopleCommandSpec<P> {
  return { summary, scope, payload };
}

const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const role = z.enum(roles);
const goalId = z.string().regex(/^goal_[0-9a-hjkmnp-tv-z]{32}$/);
const range = z
  .string()
  .max(50)
  .refine(isRange, { message: 'an address or a range, such as 192.0.2.0/24', params: { code: 'invalid_address' } });
/** Compared in lower case: no mailbox in use tells people apart by it. */
export const email = z
  .email()
  .max(254)
  .transform((text) => text.toLowerCase());

export const peopleCatalogue = {
  'member.invite': command(
    'Invite a person by e-mail; an earlier invitation of the same address falls',
    'admin',
    z.strictObject({ email, role, expiresInDays: z.int().min(1).max(30).default(7) }),
  ),
  'invitation.revoke': command('Take an invitation back', 'admin', z.strictObject({ invitation: id })),
  'member.setRole': command('Give a member another role', 'admin', z.strictObject({ member: id, role })),
  'member.remove': command('Remove a member; their sessions see the workspace no more', 'admin', z.strictObject({ member: id })),
  'member.setMail': command(
    'Choose what one is written of, as oneself; null goes back to what holds where nothing is chosen',
    null,
    z.strictObject({ kinds: z.array(z.enum(outletTypes)).max(outletTypes.length).nullable() }),
  ),
  'member.leave': command('Leave the workspace', null, z.strictObject({})),
  'token.issue': command(
    'Issue a token. Its text is in this one answer and nowhere else',
    'admin',
    z.strictObject({
      name: z.string().min(1).max(100),
      /** At most those of who issues it. */
      scopes: z.array(z.enum(scopes)).min(1).max(scopes.length),
      expiresInDays: z.int().min(1).max(365).default(90),
      /** Only these goals, by id. Nothing of the workspace beside them is there for it. */
      goals: z.array(goalId).min(1).max(100).optional(),
      /** Only from these addresses. */
      addresses: z.array(range).min(1).max(50).optional(),
    }),
  ),
  'token.revoke': command('Revoke a token; from now on it opens nothing', 'admin', z.strictObject({ token: id })),
  'workspace.erase': command(
    'Erase the workspace with everything in it, for good; an owner alone. Its name is repeated',
    'admin',
    z.strictObject({ name: z.string().min(1).max(80) }),
  ),
} as const satisfies Record<string, PeopleCommandSpec<z.ZodType>>;

export type PeopleCommandType = keyof typeof peopleCatalogue;
export const peopleCommandTypes = Object.keys(peopleCatalogue) as PeopleCommandType[];
export type PeoplePayload<T extends PeopleCommandType> = z.output<(typeof peopleCatalogue)[T]['payload']>;

export const peopleEnvelope = z.strictObject({
  type: z.enum(peopleCommandTypes as [PeopleCommandType, ...PeopleCommandType[]]),
  commandId: z.string().min(1).max(200),
  payload: json.default({}),
  reason: z.string().max(2000).optional(),
  dryRun: z.boolean().default(false),
});
export type PeopleEnvelope = z.infer<typeof peopleEnvelope>;
