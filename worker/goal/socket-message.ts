/** What a watcher may say over its socket: prolong its ticket, and read. Anything else is ignored: a page of another version may send it. */
import { z } from 'zod';
import type { SocketMessage } from './rpc.ts';

/** Characters of one message. */
const messageChars = 2000;

const text = z.string().min(1).max(400);
const limit = z.int().min(1).max(1000);

/** Reads of the record. What only the host and its Runners ask (`check`, `doctor`) is not among them. */
const query = z.discriminatedUnion('what', [
  z.strictObject({ what: z.literal('goal') }),
  z.strictObject({ what: z.literal('graph') }),
  z.strictObject({ what: z.literal('item'), item: text }),
  z.strictObject({ what: z.literal('events'), after: z.int().min(0), limit }),
  z.strictObject({
    what: z.literal('rows'),
    kind: z.string().regex(/^[a-z_]{1,40}$/),
    prefix: text.exactOptional(),
    item: text.exactOptional(),
    after: text.exactOptional(),
    limit,
    newestFirst: z.boolean().exactOptional(),
  }),
  z.strictObject({ what: z.literal('fact'), key: text }),
  z.strictObject({ what: z.literal('evidence'), evidence: text }),
  z.strictObject({ what: z.literal('asked_decisions'), limit }),
  z.strictObject({ what: z.literal('body'), digest: text }),
  z.strictObject({ what: z.literal('next') }),
]);

const message = z.discriminatedUnion('kind', [z.strictObject({ kind: z.literal('renew') }), z.strictObject({ kind: z.literal('read'), id: z.int().min(1), query })]);

export function parseSocketMessage(raw: string | ArrayBuffer): SocketMessage | undefined {
  if (typeof raw !== 'string' || raw.length > messageChars) return undefined;
  try {
    return message.safeParse(JSON.parse(raw)).data;
  } catch {
    return undefined;
  }
}
