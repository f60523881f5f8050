/** The conversation: what was said under which version, and what becomes of it. */
import { describe, expect, it } from 'vitest';
import { ok } from '../testing/world.ts';
import { roundContext } from '../views/round-context.ts';
import { begin, contract, owner, planned, refused, rows, versions } from './stage.ts';

const call = { next: { tool: 'files.list', args: {}, subject: 'files', effect: 'none' } };

describe('messages', () => {
  it('an old remark is marked as older than the version in force, in the packet and in what a round is told', () => {
    const world = planned([{ key: 'a' }]);
    ok(world.give(owner, 'message.post', { text: 'use the blue template' }));
    ok(world.give(owner, 'goal.revise', { contract: contract({ objective: 'Do it in red' }) }, { expected: versions(world), reason: 'red it is' }));
    ok(world.give(owner, 'message.post', { text: 'by Friday' }));
    const actor = begin(world, 'a');
    const told = ok(world.give(actor, 'round.step', call)) as unknown as { notices: { kind: string; texts: string[]; said: object[] }[] };
    expect(told.notices).toEqual([
      {
        kind: 'messages',
        upTo: 2,
        texts: [expect.stringMatching(/^\[Said under version 1 of the goal\. Version 2 is in force .*\] use the blue template$/), 'by Friday'],
        said: [expect.objectContaining({ message: 1, goalVersion: 1, older: true }), expect.objectContaining({ message: 2, goalVersion: 2, older: false })],
      },
    ]);
    expect(roundContext(world.state, actor.round, world.lookup, 1000).packet.messages).toMatchObject({
      count: 2,
      head: [
        { message: 1, older: true },
        { message: 2, older: false },
      ],
    });
    ok(world.give(actor, 'message.handle', { upTo: 1 }));
    expect(rows(world, 'message')).toMatchObject([{ handledBy: actor.round }, { message: 2 }]);
    expect(roundContext(world.state, actor.round, world.lookup, 1000).packet.messages.head.map(({ message }) => message)).toEqual([2]);
  });

  it('a message that changes the goal becomes a version, and says which', () => {
    const world = planned([{ key: 'a' }]);
    ok(world.give(owner, 'message.post', { text: 'also in Chinese' }));
    const next = { contract: contract({ objective: 'Do it, also in Chinese' }), message: 1 };
    refused(world, 'not_found', owner, 'goal.revise', { ...next, message: 2 }, { expected: versions(world), reason: 'asked' });
    ok(world.give(owner, 'goal.revise', next, { expected: versions(world), reason: 'asked' }));
    expect(rows(world, 'message')).toMatchObject([{ message: 1, goalVersion: 1, became: 2 }]);
    expect(rows(world, 'goal_version')).toMatchObject([{ goalVersion: 1 }, { goalVersion: 2, message: 1 }]);
  });

  it('another draft is asked for while the goal is one', () => {
    refused(planned([{ key: 'a' }]), 'invalid_transition', owner, 'message.post', { text: 'again', asks: 'draft' });
  });
});
