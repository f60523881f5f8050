/** The snapshot of the round before, where it still holds: same schema, same basis, the very round that ended last on this target, under its last fence, with its bytes intact. */
import type { Json } from '../../domain/values.ts';
import type { ReadQuery, RoundContext } from '../../goal/rpc.ts';
import { basisOf, digestOfSnapshot, SNAPSHOT_SCHEMA, type Snapshot, writtenSnapshot } from './snapshot.ts';

type Read = (query: ReadQuery) => Promise<Json | undefined>;
interface Rows {
  data: { id: string; data: { [field: string]: Json } }[];
}

export async function snapshotBefore(context: RoundContext, read: Read): Promise<Snapshot | null> {
  const before = context.packet.before?.round;
  if (before === undefined) return null;
  const rows = (await read({ what: 'rows', kind: 'context', prefix: `${before}/`, limit: 1, newestFirst: true })) as unknown as Rows | undefined;
  const row = rows?.data[0]?.data;
  if (row?.phase !== 'done' || row.schema !== SNAPSHOT_SCHEMA || row.basis !== basisOf(context) || typeof row.snapshotBody !== 'string') return null;
  const round = ((await read({ what: 'rows', kind: 'round', prefix: before, limit: 1 })) as unknown as Rows | undefined)?.data.find((each) => each.id === before)?.data;
  if (!round || round.fence !== row.fence || round.target !== context.target) return null;
  const body = await read({ what: 'body', digest: row.snapshotBody });
  if (body === undefined || digestOfSnapshot(body) !== row.snapshotBody) return null;
  const parsed = writtenSnapshot.safeParse(body);
  if (!parsed.success) return null;
  const by = (body as { by?: Json }).by === 'model' ? 'model' : 'host';
  return { schema: SNAPSHOT_SCHEMA, by, ...parsed.data };
}
