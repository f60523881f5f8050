/** Calls that a person decided on, as an opening tells them: what was approved can be made exactly as it was written, so nothing of it is ever left out without a way to read it. */
import type { RowData } from '../../domain/row-data.ts';
import type { Json } from '../../domain/values.ts';
import type { ReadQuery, RoundContext } from '../../goal/rpc.ts';
import { aliasOf } from './tool-definitions.ts';
import { howToRead } from './window.ts';

type Decided = NonNullable<RoundContext['decided']>;

export const howToUse = 'To use an approval make exactly this call, with these arguments and no others; what was refused is not asked again: leave it and go on without it.';

/** In the middle of a round: approvals that were used since, or ran out, are left out. */
export async function stillDecided(decided: Decided, read: (query: ReadQuery) => Promise<Json | undefined>): Promise<Decided> {
  const still: Decided = [];
  for (const call of decided) {
    if (call.state === 'refused') {
      still.push(call);
      continue;
    }
    const rows = (await read({ what: 'rows', kind: 'approval', prefix: call.approval, limit: 1 })) as unknown as { data: { id: string; data: RowData['approval'] }[] } | undefined;
    const row = rows?.data.find(({ id }) => id === call.approval);
    // Where the record cannot be read, the call itself finds out.
    if (row === undefined || row.data.state === 'approved') still.push(call);
  }
  return still;
}

/** With the names that the tools have here. What does not fit into `limit` characters, approved calls first, has its head, and where the whole is read. */
export function decidedOf(decided: Decided, limit: number): Json | null {
  let left = limit;
  const listed = decided.map(({ approval, tool, args, state, expiresAt }): Json => {
    const text = JSON.stringify(args);
    const shown =
      text.length <= left
        ? args
        : { cut: `${text.length} characters; ${howToRead(`approval:${approval}`)}, and the call takes exactly that`, head: text.slice(0, Math.min(left, HEAD)) };
    left = Math.max(0, left - text.length);
    return { tool: aliasOf(tool), state, ...(expiresAt === undefined ? {} : { until: new Date(expiresAt).toISOString() }), args: shown };
  });
  return listed.length > 0 ? listed : null;
}

/** Characters that tell calls apart. */
const HEAD = 400;
