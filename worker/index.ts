/** What the platform calls. Everything here hands over at once. */
import type { Env } from './env.ts';
import type { DispatchMessage } from './goal/ports.ts';
import { appOf } from './http/app.ts';
import { routes } from './http/routes.ts';
import { sweep } from './triggers/sweep.ts';

export { GoalObject } from './goal/goal-object.ts';
export { Runner } from './rounds/runner.ts';

const app = appOf(routes);

/** A Runner is named by what it runs, so that a message that comes twice finds the same one. */
async function handOver(env: Env, message: DispatchMessage): Promise<void> {
  const work = message.kind === 'round' ? message.round : message.check;
  const runner = env.RUNNERS.get(env.RUNNERS.idFromName(`${message.workspace}/${message.goal}/${work}`)) as unknown as { accept(message: DispatchMessage): Promise<unknown> };
  await runner.accept(message);
}

export default {
  fetch(request, env, context) {
    return app.fetch(request, env, context);
  },

  /** Each message on its own: one that cannot be handed over comes again and holds back no other. What is lost altogether, the Goal dispatches again. */
  async queue(batch, env) {
    await Promise.all(
      batch.messages.map(async (message) => {
        try {
          await handOver(env, message.body);
          message.ack();
        } catch (error) {
          console.error(JSON.stringify({ at: 'queue', kind: message.body.kind, goal: message.body.goal, error: String(error) }));
          message.retry({ delaySeconds: Math.min(60, 2 ** message.attempts) });
        }
      }),
    );
  },

  async scheduled(controller, env) {
    await sweep(env, controller.scheduledTime);
  },
} satisfies ExportedHandler<Env, DispatchMessage>;
