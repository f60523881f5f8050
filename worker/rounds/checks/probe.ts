import type { CheckSpec } from '../../domain/planes/check-spec.ts';
import type { Evaluation } from '../../domain/planes/checks.ts';
import { guardedFetch } from '../../outgoing/guard.ts';
import type { World } from '../../outgoing/world.ts';

/** Milliseconds until a probe is broken off. */
const PROBE_TIMEOUT = 15_000;

/** Another status fails; no answer at all says nothing about the work, so the check could not run. */
export async function probe(spec: Extract<CheckSpec, { kind: 'http_probe' }>, world: World): Promise<Evaluation> {
  const rules = await world.rules();
  if ('refused' in rules) return { pass: null, scene: { summary: `${spec.url} was not asked: ${rules.detail ?? rules.code}`.slice(0, 2000) } };
  try {
    const response = await guardedFetch(rules, spec.url, { redirect: 'manual' }, { timeoutMs: PROBE_TIMEOUT, ...(world.send ? { send: world.send } : {}) });
    // An unread body would keep the connection.
    await response.body?.cancel();
    if (response.status === spec.status) return { pass: true };
    return {
      pass: false,
      scene: {
        summary: `${spec.url} answers ${response.status} instead of ${spec.status}.`.slice(0, 2000),
        findings: [{ where: spec.url.slice(0, 200), expected: String(spec.status), actual: String(response.status) }],
      },
    };
  } catch (error) {
    return { pass: null, scene: { summary: `${spec.url} gave no answer: ${error instanceof Error ? error.message : String(error)}`.slice(0, 2000) } };
  }
}
