import { createHash } from 'node:crypto';
import { z } from 'zod';
import { blockerSubjects } from '../../domain/work/routing.ts';
import { type Json, json, principalId, slug } from '../../domain/values.ts';
import { tool } from '../tool.ts';
import { raise } from './block.ts';

const choice = z.strictObject({ value: z.string().min(1).max(100), label: z.string().max(300).optional() });
const answerKind = z.union([z.enum(['text', 'yes_no', 'number']), z.strictObject({ choices: z.array(choice).min(2).max(50) }), z.strictObject({ form: json })]);
type Answer = z.infer<typeof answerKind>;

export const ask = tool({
  name: 'ask',
  description:
    'Asks a person and ends the round: `{question, answer, recommended?, fact?, owner?, about?}`. `answer` says what may be answered: `"text"`, `"yes_no"`, `"number"`, `{"choices": [{value, label?}]}` or `{"form": <JSON Schema>}`. Waiting costs nothing; what does not depend on the answer goes on. When it is answered a new round starts, and the answer stands as a fact under `fact` (for the first four kinds in its member `answer`). The same question again is the same blocker. Ask for what you need and cannot find out, never for permission to do what you were told.',
  lanes: ['worker', 'coordinator'],
  input: z.strictObject({
    question: z.string().min(1).max(2000),
    answer: answerKind,
    recommended: json.optional().describe('What you would answer; for the simple kinds the answer itself.'),
    fact: z
      .string()
      .regex(/^[^\s#]{1,200}$/)
      .optional(),
    key: slug.optional().describe('Stable name of the question; made from its text where it is left out.'),
    owner: principalId.optional(),
    about: z
      .enum(blockerSubjects)
      .optional()
      .describe('Whose question it is: `work` (where left out) may be answered from the record; secret, approval, money, identity, acceptance and scope are asked of a person.'),
    item: slug.optional().describe('Coordinator only: which item waits. Without it the whole goal.'),
  }),
  effect: 'record',
  subject: (args) => `ask:${args.key ?? keyOf(args.question)}`,
  async run(args, env) {
    const { question, answer, recommended, item, ...rest } = args;
    const simple = typeof answer === 'string' || 'choices' in answer;
    return raise(env, item, {
      ...rest,
      key: args.key ?? keyOf(question),
      reason: question,
      form: formOf(answer, question),
      ...(recommended === undefined ? {} : { recommended: simple ? { answer: recommended } : recommended }),
    });
  },
});

function keyOf(question: string): string {
  return `ask-${createHash('sha256').update(question.trim().replace(/\s+/g, ' ')).digest('hex').slice(0, 12)}`;
}

function formOf(answer: Answer, question: string): Json {
  if (typeof answer !== 'string' && 'form' in answer) return answer.form;
  const title = question.slice(0, 200);
  const field = (): { [key: string]: Json } => {
    if (typeof answer !== 'string') return { oneOf: answer.choices.map(({ value, label }) => ({ const: value, title: label ?? value })) };
    switch (answer) {
      case 'text':
        return { type: 'string', minLength: 1, maxLength: 4000 };
      case 'yes_no':
        return { type: 'boolean' };
      case 'number':
        return { type: 'number' };
    }
  };
  return { type: 'object', properties: { answer: { title, ...field() } }, required: ['answer'], additionalProperties: false };
}
