import { describe, expect, it } from 'vitest';
import { catalogue } from '../../domain/commands.ts';
import { lanes } from '../../domain/values.ts';
import { fakeEnv, use, workerContext } from '../testing/fake-env.ts';
import type { Tool } from '../tool.ts';
import { command, commandsOf } from './command.ts';

const give = (args: object, lane: 'worker' | 'coordinator' | 'reviewer' = 'coordinator') => {
  const env = fakeEnv({ context: workerContext({ lane }), command: () => ({ applied: true }) });
  return use(command as unknown as Tool, args as never, env).then((answer) => ({ answer, given: env.commands }));
};

describe('command', () => {
  it.each(lanes)('of the %s lane is cut from the catalogue', (lane) => {
    for (const type of commandsOf(lane)) expect((catalogue[type].by as { lanes?: string[] }).lanes).toContain(lane);
    expect(commandsOf(lane).filter((type) => /^(round|effect|attempt|clock|usage)\.|record$/.test(type) && !['fact.record', 'ledger.record'].includes(type))).toEqual([]);
  });
  it('gives what the lane may, and nothing else', async () => {
    expect(await give({ type: 'work.release', payload: { item: 'a' } })).toMatchObject({
      answer: { ok: true, value: { applied: true } },
      given: [{ type: 'work.release', payload: { item: 'a' } }],
    });
    for (const type of ['work.release', 'goal.cancel', 'approval.decide', 'effect.settle', 'nonsense'])
      expect(await give({ type }, 'worker')).toMatchObject({ answer: { ok: false, refusal: { code: 'forbidden', errors: [{ pointer: '/type' }] } }, given: [] });
    expect((await give({ type: 'submission.submit' }, 'worker')).answer).toMatchObject({ refusal: { detail: expect.stringContaining('submit') } });
  });
  it('lists and describes without giving anything', async () => {
    expect(await give({})).toMatchObject({ answer: { ok: true, value: { types: expect.arrayContaining([{ type: 'work.release', what: expect.any(String) }]) } }, given: [] });
    expect(await give({ type: 'work.release', describe: true })).toMatchObject({
      answer: { ok: true, value: { payload: { properties: { item: expect.anything() } } } },
      given: [],
    });
  });
});
