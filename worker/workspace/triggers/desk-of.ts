/** The triggers of a workspace's object, with what they reach: the Goals, the templates, the secrets. */
import type { Actor } from '../../domain/context.ts';
import { isRefusal, refusalTable } from '../../domain/refusals.ts';
import type { Env } from '../../env.ts';
import { goalIdOf } from '../../goal/goal-id.ts';
import { goalStub } from '../../goal/goal-stub.ts';
import { sha256 } from '../../goal/sha256.ts';
import { errorOf, log } from '../../observe/log.ts';
import type { WorkspaceState } from '../core/state.ts';
import { goalFrom } from '../core/templates.ts';
import { valuesOf } from '../core/triggers/expressions.ts';
import type { WorkspaceStore } from '../workspace-store.ts';
import type { Performed } from './performing.ts';
import { type DeskPorts, openDesk, type TriggerDesk } from './trigger-desk.ts';

interface Around {
  env: Pick<Env, 'GOALS'>;
  workspace: string;
  store: WorkspaceStore;
  state(): WorkspaceState;
  secret(name: string): Promise<string | null>;
  now(): number;
}

export function deskOf({ env, workspace, store, state, secret, now }: Around): TriggerDesk {
  const perform: DeskPorts['perform'] = async (act) => {
    // A goal is started by the host, which alone says what it comes from; what is told to one, its trigger says.
    const actor: Actor = act.kind === 'create' ? { kind: 'host' } : { kind: 'token', principal: `trigger:${act.by}`, scopes: ['goals:write'] };
    try {
      return performed(await goalStub(env, workspace, act.goal).command({ v: 1, workspace, goal: act.goal, actor, envelope: act.envelope }));
    } catch (error) {
      log('warn', 'triggers', 'goal.silent', { workspace, goal: act.goal, error: errorOf(error) });
      return { is: 'again' };
    }
  };
  return openDesk({
    store: store.triggers,
    transaction: (work) => store.transaction(work),
    state,
    now,
    sha256,
    secret,
    perform,
    instance: (round, { does, known, by }) => {
      const values = does.kind === 'goal' ? valuesOf(does.parameters, known, '/parameters') : {};
      if (isRefusal(values)) return values;
      const head = does.kind === 'goal' ? state().settings.template.get(does.template)?.value : undefined;
      const made = goalFrom(head, (name, version) => store.template(name, version), {
        parameters: values,
        by,
        confirmed: true,
        trigger: { name: round.name, id: round.trigger, firing: round.id },
      });
      return isRefusal(made) ? made : { payload: made.payload, goal: goalIdOf(workspace, ['trigger', round.trigger, round.id]) };
    },
  });
}

type Answer = Awaited<ReturnType<ReturnType<typeof goalStub>['command']>>;

function performed(answer: Answer): Performed {
  if (answer.outcome === 'applied') return { is: 'done' };
  if (answer.outcome === 'unknown') return { is: 'again' };
  const { refusal } = answer;
  // Nobody else gives commands under the name of this firing: it was taken before, when the template said something else.
  if (refusal.code === 'command_reused') return { is: 'done' };
  return refusalTable[refusal.code].retryable && refusalTable[refusal.code].status >= 429 ? { is: 'again' } : { is: 'refused', refusal };
}
