import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { refuse } from '../domain/refusals.ts';
import type { Env } from '../env.ts';
import type { CommandAnswer, CommandRequest } from '../goal/rpc.ts';
import { answerOf } from './commands.ts';
import { giveCommand, readGoal } from './goals.ts';

const applied: CommandAnswer = { outcome: 'applied', seq: 4, events: [], goalVersion: 2, planRevision: 1, result: null, replayed: false, dryRun: false };
const request: CommandRequest = {
  v: 1,
  workspace: 'local',
  goal: 'g',
  actor: { kind: 'host' },
  envelope: { type: 'goal.pause', commandId: 'c', expected: {}, payload: {}, dryRun: false },
};

/** An installation whose Goal objects answer with these, in turn; an Error is thrown. Counts the stubs that were taken. */
function installation(...answers: unknown[]) {
  const taken = { stubs: 0 };
  const next = async () => {
    const given = answers.shift();
    if (given instanceof Error) throw given;
    return given;
  };
  const get = () => {
    taken.stubs++;
    return { command: next, read: next };
  };
  const GOALS = { idFromName: (name: string) => name, get };
  return { env: { GOALS } as unknown as Env, taken };
}

const reset = () => Object.assign(new Error('reset'), { durableObjectReset: true });
const overloaded = () => Object.assign(new Error('too much'), { overloaded: true });

it('a key that somebody pastes into a command does not get into the record', async () => {
  const seen: CommandRequest[] = [];
  const stub = {
    command: async (given: CommandRequest) => {
      seen.push(given);
      return applied;
    },
  };
  const env = { GOALS: { idFromName: (name: string) => name, get: () => stub } } as unknown as Env;
  await giveCommand(env, {
    ...request,
    envelope: { ...request.envelope, type: 'message.post', payload: { text: 'use AKIAIOSFODNN7EXAMPLE' }, reason: 'Bearer abcdef0123456789abcdef' },
  });
  expect(seen[0]?.envelope).toMatchObject({ commandId: 'c', payload: { text: 'use [redacted:aws key]' }, reason: 'Bearer [redacted:bearer token]' });
});

describe('calls to a Goal', () => {
  beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
  afterEach(() => vi.restoreAllMocks());

  it('are made once more on a fresh stub when the object was reset', async () => {
    const { env, taken } = installation(reset(), applied);
    expect(await giveCommand(env, request)).toBe(applied);
    expect(taken.stubs).toBe(2);
  });

  it('without an answer are unknown, never a failure that was made up', async () => {
    const given = await giveCommand(installation(reset(), reset()).env, request);
    expect(given.outcome).toBe('unknown');
    const response = answerOf(given, 'g', { requestId: 'r' });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: 'unavailable', effect: 'unknown', retryable: true });
  });

  it('are not repeated to an object that has too much to do', async () => {
    const { env, taken } = installation(overloaded(), applied);
    expect((await giveCommand(env, request)).outcome).toBe('unknown');
    expect(taken.stubs).toBe(1);
  });

  it('that only read are unavailable, and change nothing', async () => {
    expect(await readGoal(installation(reset(), reset()).env, 'local', 'g', { what: 'next' })).toMatchObject({ ok: false, refusal: { code: 'unavailable' } });
    expect(await readGoal(installation({ outcome: 'refused', refusal: refuse('not_found') }).env, 'local', 'g', { what: 'next' })).toMatchObject({
      ok: false,
      refusal: { code: 'not_found' },
    });
  });
});

describe('answers', () => {
  it('carry a tag of the versions; created is 201 once', () => {
    expect(answerOf(applied, 'g', { requestId: 'r' }, 201).status).toBe(201);
    expect(answerOf(applied, 'g', { requestId: 'r' }).headers.get('etag')).toBe('"g2.p1.s4"');
    expect(answerOf({ ...applied, replayed: true }, 'g', { requestId: 'r' }, 201).status).toBe(200);
    expect(answerOf({ ...applied, dryRun: true }, 'g', { requestId: 'r' }, 201).status).toBe(200);
  });
});
