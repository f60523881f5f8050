/** How to find out over HTTP whether an effect happened: a GET that changes nothing, with an answer that tells. */
import { z } from 'zod';
import { guardedFetch, OutgoingRefused } from '../../outgoing/guard.ts';
import type { World } from '../../outgoing/world.ts';
import { messageOf } from '../outside.ts';
import { secretPlaces, withSecrets } from '../secrets.ts';
import { headersShape } from './headers.ts';
import { hostsForSecrets } from './hosts.ts';

/** `{key}` in the address is replaced by the idempotency key that the effect was sent with. */
export const httpProbe = z.strictObject({
  url: z.string().min(1).max(2000),
  headers: headersShape.default({}),
  /** Status that means that it happened. 404 and 410 mean that it did not; every other one leaves it open. */
  happened: z.int().min(100).max(599).default(200),
  /** And this text is in the body; with that status and without the text it did not happen. */
  contains: z.string().min(1).max(200).optional(),
});
export type HttpProbe = z.infer<typeof httpProbe>;

export interface Found {
  found: 'happened' | 'absent' | 'unclear';
  evidence: string;
}

const TIMEOUT = 20_000;
const BYTES = 1024 * 1024;

/** Never throws: what keeps it from finding out is an answer too. */
export async function askOverHttp(probe: HttpProbe, key: string, world: World): Promise<Found> {
  const url = probe.url.replaceAll('{key}', encodeURIComponent(key));
  const unclear = (why: string): Found => ({ found: 'unclear', evidence: `GET ${url}: ${why}`.slice(0, 2000) });
  const all = await world.rules();
  if ('refused' in all) return unclear(all.detail ?? all.code);
  const places = secretPlaces(probe.headers, ['']);
  if ('errors' in places) return unclear('a header is no secret reference');
  const opened = await withSecrets(probe.headers, [''], places, (name) => world.secret(name));
  if ('refused' in opened) return unclear(`${opened.code} ${opened.detail ?? ''}`);
  const rules = hostsForSecrets(
    all,
    places.map((each) => each.name),
  );
  try {
    const headers = opened.args as Record<string, string>;
    const response = await guardedFetch(rules, url, { headers }, { timeoutMs: TIMEOUT, maxBytes: BYTES, ...(world.send ? { send: world.send } : {}) });
    const said = `GET ${url}: HTTP ${response.status}`;
    if (response.status === probe.happened) {
      if (probe.contains === undefined) {
        await response.body?.cancel();
        return { found: 'happened', evidence: said };
      }
      const has = (await response.text()).includes(probe.contains);
      return { found: has ? 'happened' : 'absent', evidence: `${said}, ${has ? 'with' : 'without'} the text that tells` };
    }
    await response.body?.cancel();
    return response.status === 404 || response.status === 410 ? { found: 'absent', evidence: said } : unclear(`HTTP ${response.status}`);
  } catch (error) {
    return unclear(error instanceof OutgoingRefused ? `${error.fault}: ${error.message}` : messageOf(error));
  }
}
