/** The two queues: `longhaul-work` hands rounds and checks to Runners, `longhaul-dead` gets what could not be handed over. Other environments have their own name in it. */
import { z } from 'zod';
import { recordDeadLetter } from '../book/dead-letters.ts';
import type { Env } from '../env.ts';
import type { DispatchMessage } from '../goal/ports.ts';
import { errorOf, log } from '../observe/log.ts';
import { counter } from '../observe/metrics.ts';
import { acceptDispatch } from '../rounds/accept.ts';

const text = z.string().min(1).max(300);
const head = { v: z.literal(1), workspace: text, goal: text, fence: z.int().min(0) };
const message = z.discriminatedUnion('kind', [z.object({ ...head, kind: z.literal('round'), round: text }), z.object({ ...head, kind: z.literal('check'), check: text })]);

/** Seconds before the next try: longer each time, and not the same for all that failed together. */
function retryAfter(attempts: number, most: number): number {
  return Math.ceil(Math.min(most, 2 ** attempts) * (0.5 + Math.random() / 2));
}

/** Each message on its own: one that cannot be handed over comes again and holds back no other. What is lost altogether, the Goal dispatches again. */
export async function handOver(batch: MessageBatch<unknown>, env: Env): Promise<void> {
  await Promise.all(
    batch.messages.map(async (each) => {
      const parsed = message.safeParse(each.body);
      if (!parsed.success) {
        // Trying again would not make it readable.
        log('error', 'queue', 'message.unreadable', { message: each.id });
        if (await bury(env, each)) each.ack();
        else each.retry({ delaySeconds: retryAfter(each.attempts, 60) });
        return;
      }
      const { workspace, goal, kind, fence } = parsed.data;
      const work = parsed.data.kind === 'round' ? { round: parsed.data.round } : { check: parsed.data.check };
      try {
        await acceptDispatch(env, parsed.data satisfies DispatchMessage);
        each.ack();
        counter(env.METRICS, workspace)('handed_over', kind);
      } catch (error) {
        log('error', 'queue', 'handover.failed', { workspace, goal, ...work, fence, attempts: each.attempts, error: errorOf(error) });
        counter(env.METRICS, workspace)('handover_failed', kind);
        each.retry({ delaySeconds: retryAfter(each.attempts, 60) });
      }
    }),
  );
}

/** Every dead message becomes a record that people of its workspace see. */
export async function buryAll(batch: MessageBatch<unknown>, env: Env): Promise<void> {
  await Promise.all(
    batch.messages.map(async (each) => {
      if (await bury(env, each)) each.ack();
      else each.retry({ delaySeconds: retryAfter(each.attempts, 600) });
    }),
  );
}

/** False: the book did not take it. */
async function bury(env: Env, dead: Message<unknown>): Promise<boolean> {
  const parsed = message.safeParse(dead.body);
  const about = parsed.success
    ? {
        workspace: parsed.data.workspace,
        goal: parsed.data.goal,
        kind: parsed.data.kind,
        ref: parsed.data.kind === 'round' ? parsed.data.round : parsed.data.check,
        fence: parsed.data.fence,
      }
    : { workspace: workspaceOf(dead.body), goal: '-', kind: 'unreadable', ref: '-', fence: 0 };
  try {
    await recordDeadLetter(env.DB, { ...about, id: dead.id, sentAt: dead.timestamp.getTime(), at: Date.now() });
    log('error', 'queue', 'dead_letter', { ...about, message: dead.id });
    counter(env.METRICS, about.workspace)('dead_letter', about.kind);
    return true;
  } catch (error) {
    log('error', 'queue', 'dead_letter.failed', { ...about, message: dead.id, error: errorOf(error) });
    return false;
  }
}

function workspaceOf(body: unknown): string {
  const named = body !== null && typeof body === 'object' && 'workspace' in body ? body.workspace : undefined;
  return typeof named === 'string' && named.length > 0 && named.length <= 63 ? named : '-';
}
