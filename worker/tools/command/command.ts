import { z } from 'zod';
import { type CommandType, catalogue, commandTypes } from '../../domain/commands.ts';
import { type Json, json, type Lane } from '../../domain/values.ts';
import { byCommand, done, no } from '../answers.ts';
import { tool } from '../tool.ts';

/** The round's own machinery, and what a tool must do beside the command: files are stored first, a round is ended as well, an effect is sent. */
const elsewhere: Partial<Record<CommandType, string>> = {
  'round.schedule': 'the host',
  'round.claim': 'the host',
  'round.start': 'the host',
  'round.pin': 'the host',
  'round.step': 'the host',
  'round.end': 'hand_back or finish',
  'context.record': 'the host',
  'attempt.start': 'the host',
  'attempt.heartbeat': 'the host',
  'attempt.end': 'the host',
  'effect.plan': 'the tool that sends',
  'effect.settle': 'the tool that sends',
  'approval.request': 'the tool that sends',
  'usage.record': 'the host',
  'check.record': 'the host',
  'clock.tick': 'the host',
  'artifact.put': 'files.write',
  'submission.submit': 'submit',
  'review.record': 'review.record',
  'work.block': 'ask or block',
  'goal.block': 'ask or block',
  'goal.draft': 'goal.draft',
  'subagent.spawn': 'subagents',
  'subagent.return': 'return',
};

/** What a round of this lane may give by its own hand: cut from the one catalogue. */
export function commandsOf(lane: Lane): CommandType[] {
  return commandTypes.filter((type) => {
    const { lanes } = catalogue[type].by as { lanes?: readonly Lane[] };
    return lanes?.includes(lane) && elsewhere[type] === undefined;
  });
}

export const command = tool({
  name: 'command',
  description:
    'Gives one command of the catalogue that this lane may give and that has no better tool: `{type, payload}`. With `describe: true` it changes nothing and answers the JSON Schema of the payload; without `type` it lists the types. The host judges it as it judges every command: scope, version and fence are those of the round.',
  lanes: ['worker', 'coordinator', 'reviewer'],
  input: z.strictObject({ type: z.string().max(60).optional(), payload: json.optional(), describe: z.boolean().default(false) }),
  effect: 'record',
  reads: (args) => args.describe || args.type === undefined,
  subject: (args) => `command ${args.type ?? 'list'}`,
  async run(args, env) {
    const allowed = commandsOf(env.context.lane);
    if (args.type === undefined) return done({ types: allowed.map((type) => ({ type, what: catalogue[type].summary })) }, `${allowed.length} types`);
    const type = allowed.find((each) => each === args.type);
    if (!type) {
      const instead = elsewhere[args.type as CommandType];
      return no('forbidden', {
        detail: instead ? `${args.type} is given by ${instead}` : `the ${env.context.lane} lane gives no ${args.type}`,
        errors: [{ pointer: '/type', code: 'command_type', detail: args.type }],
        current: { types: allowed },
      });
    }
    if (args.describe) return done({ type, what: catalogue[type].summary, payload: schemaOf(type) }, `${type} described`);
    return byCommand(env, type, args.payload ?? {}, () => type);
  },
});

function schemaOf(type: CommandType): Json {
  return JSON.parse(JSON.stringify(z.toJSONSchema(catalogue[type].payload, { io: 'input', unrepresentable: 'any' }))) as Json;
}
