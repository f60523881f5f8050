/** What the platform calls. Everything here hands over at once. */
import type { Env } from './env.ts';
import type { DispatchMessage } from './goal/ports.ts';
import { appOf } from './http/app.ts';
import { routes } from './http/routes.ts';
import { acceptDispatch } from './rounds/accept.ts';
import { sweepStaging } from './rounds/r2-files.ts';
import { sweep } from './triggers/sweep.ts';

export { GoalObject } from './goal/goal-object.ts';
export { Runner } from './rounds/runner.ts';

const app = appOf(routes);

export default {
  fetch(request, env, context) {
    return app.fetch(request, env, context);
  },

  /** Each message on its own: one that cannot be handed over comes again and holds back no other. What is lost altogether, the Goal dispatches again. */
  async queue(batch, env) {
    await Promise.all(
      batch.messages.map(async (message) => {
        try {
          await acceptDispatch(env, message.body);
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
    await sweepStaging(env.FILES, controller.scheduledTime);
  },
} satisfies ExportedHandler<Env, DispatchMessage>;
