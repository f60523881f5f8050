import { describe, expect, it } from 'vitest';
import type { Json } from '../../domain/values.ts';
import { checkForm } from '../../goal/form.ts';
import { fakeEnv, use, workerContext } from '../testing/fake-env.ts';
import type { Tool } from '../tool.ts';
import { ask } from './ask.ts';

async function asked(args: { [key: string]: Json }, lane: 'worker' | 'coordinator' = 'worker') {
  const { item, ...context } = workerContext({ lane });
  const env = fakeEnv({ context: lane === 'worker' && item ? { ...context, item } : context });
  const answer = await use(ask as unknown as Tool, { question: 'Which account?', answer: 'text', ...args }, env);
  return { answer, env, command: env.commands[0], form: (env.commands[0]?.payload as { form: Json } | undefined)?.form ?? null };
}

describe('ask', () => {
  it('blocks the item of the round on a form, and ends the round', async () => {
    const { command, env } = await asked({ fact: 'answer/account', recommended: 'the old one' });
    expect(command).toMatchObject({
      type: 'work.block',
      payload: { item: 'a', reason: 'Which account?', key: expect.stringMatching(/^ask-[0-9a-f]{12}$/), fact: 'answer/account', recommended: { answer: 'the old one' } },
    });
    expect(env.ends).toMatchObject([{ outcome: 'blocked', more: { said: true } }]);
  });
  it('is the same blocker for the same question, and another for another', async () => {
    const key = async (question: string) => ((await asked({ question })).command?.payload as { key: string } | undefined)?.key;
    expect(await key('Which  account?\n')).toBe(await key('Which account?'));
    expect(await key('Which bank?')).not.toBe(await key('Which account?'));
  });
  it.each<[Json, Json, Json]>([
    ['text', { answer: 'x' }, { answer: '' }],
    ['yes_no', { answer: true }, { answer: 'yes' }],
    ['number', { answer: 1.5 }, { answer: '1.5' }],
    [{ choices: [{ value: 'a', label: 'A' }, { value: 'b' }] }, { answer: 'b' }, { answer: 'c' }],
    [{ form: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } }, { n: 1 }, { n: 'x' }],
  ])('%j makes a form that takes a good answer and no other', async (answer, good, bad) => {
    const { form } = await asked({ answer });
    expect(checkForm(form, good)).toEqual([]);
    expect(checkForm(form, bad)).not.toEqual([]);
  });
  it('of a coordinator names an item, or stops the goal', async () => {
    expect((await asked({ item: 'b' }, 'coordinator')).command).toMatchObject({ type: 'work.block', payload: { item: 'b' } });
    expect((await asked({}, 'coordinator')).command).toMatchObject({ type: 'goal.block' });
  });
});
