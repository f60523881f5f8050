/** Setting a trigger up: everything that would keep it from doing its work is said now, not at its first firing. Pure. */
import { type Problem, type Refusal, refuse } from '../../../domain/refusals.ts';
import { fillParameters, sampleOf } from '../../../domain/template/parameters.ts';
import type { WorkspaceState } from '../state.ts';
import type { TemplateLookup } from '../templates.ts';
import { scheduleProblem } from './cron.ts';
import type { Trigger, TriggerDefinition } from './definition.ts';
import { expressionProblems } from './expressions.ts';

export interface TriggerRows {
  template: TemplateLookup;
  /** The end of an address that nobody guesses. */
  hook(): string;
}

export function putTrigger(state: WorkspaceState, definition: TriggerDefinition, rows: TriggerRows): Trigger | Refusal {
  const { source, does, name } = definition;
  const errors: Problem[] = expressionProblems(definition);
  if (source.kind === 'cron') {
    const problem = scheduleProblem(source);
    if (problem) errors.push({ pointer: `/payload/source/${problem.field}`, code: problem.code, detail: problem.detail });
  }
  if (does.kind === 'goal') {
    const head = state.settings.template.get(does.template)?.value;
    if (!head || head.retired) return refuse('setting_missing', { errors: [{ pointer: '/payload/does/template', code: 'setting_missing', detail: `template ${does.template}` }] });
    if (head.confirmed === null)
      return refuse('template_unconfirmed', {
        errors: [{ pointer: '/payload/does/template', code: 'unconfirmed' }],
        current: { template: head.name, version: head.latest, confirmed: null },
      });
    const declared = rows.template(head.name, head.confirmed)?.document.parameters ?? {};
    // What an expression gives is known when it fires; until then a sample stands for it.
    const given = Object.fromEntries(
      Object.entries(does.parameters).map(([parameter, mapped]) => {
        const schema = declared[parameter];
        return [parameter, 'value' in mapped || !schema ? ('value' in mapped ? mapped.value : null) : sampleOf(schema)];
      }),
    );
    const filled = fillParameters(declared, given, '/payload/does/parameters');
    if (!filled.ok) errors.push(...filled.errors);
  }
  if (errors.length > 0) return refuse('schema_invalid', { errors });
  const missing =
    source.kind === 'webhook'
      ? source.secrets.flatMap((secret, at) =>
          state.settings.secret.has(secret) ? [] : [{ pointer: `/payload/source/secrets/${at}`, code: 'setting_missing', detail: `secret ${secret}` }],
        )
      : [];
  if (missing.length > 0) return refuse('setting_missing', { errors: missing });
  const had = state.settings.trigger.get(name)?.value;
  return { ...definition, id: had?.id ?? `${name}.${state.version + 1}`, hook: source.kind === 'webhook' ? (had?.hook ?? rows.hook()) : null };
}
