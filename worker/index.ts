/** What the platform calls. Everything here hands over at once. */
import type { Env } from './env.ts';
import { appOf } from './http/app.ts';
import { routes } from './http/routes.ts';
import { buryAll, handOver } from './triggers/dispatch-queue.ts';
import { deadQueueOf } from './triggers/queue-names.ts';
import { sweepAll } from './triggers/sweep.ts';

export { GoalObject } from './goal/goal-object.ts';
export { OutboxObject } from './notify/outbox-object.ts';
export { Runner } from './rounds/runner.ts';
export { WorkspaceObject } from './workspace/workspace-object.ts';

const app = appOf(routes);

export default {
  fetch(request, env, context) {
    return app.fetch(request, env, context);
  },

  async queue(batch, env) {
    await (deadQueueOf(batch.queue) ? buryAll(batch, env) : handOver(batch, env));
  },

  async scheduled(controller, env) {
    await sweepAll(env, controller.scheduledTime);
  },
} satisfies ExportedHandler<Env>;
