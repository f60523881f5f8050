/** Whose a decision link is, how long, how often; and which goal a progress link shows. */
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../domain/refusals.ts';
import { type DecisionLink, signDecision, signProgress } from '../notify/core/links.ts';
import { changed, emptySettings } from './core/state.ts';
import { judgeDecision, judgeProgress, progressByGoal } from './links.ts';

const day = 86_400_000;
const link: DecisionLink = { goal: 'goal_1', ref: 'blocker:b1', asked: 'abc', person: 'person:ada', expiresAt: 1000, id: 'i' };
const text = signDecision('key', 'acme', link);
const judge = (more: { principal?: string; commandId?: string; now?: number } = {}, used?: { commandId: string; at: number }) => {
  const judged = judgeDecision('key', 'acme', text, { principal: 'person:ada', commandId: 'c1', now: 999, ...more } as Parameters<typeof judgeDecision>[3], () => used);
  return isRefusal(judged) ? judged.code : judged;
};

describe('a decision link', () => {
  it('is good for its person until it runs out', () => {
    expect(judge()).toEqual(link);
    expect(judge({ now: 1000 })).toBe('link_ended');
    expect(judge({ principal: 'person:eve' })).toBe('link_not_yours');
    expect(judge({ principal: 'token:t' })).toBe('link_not_yours');
  });
  it('is good once; what asked under the same command id is the same use', () => {
    expect(judge({ commandId: 'c2' }, { commandId: 'c1', at: 5 })).toBe('link_used');
    expect(judge({ commandId: 'c1' }, { commandId: 'c1', at: 5 })).toEqual(link);
  });
  it('tells nobody else what became of it', () => expect(judge({ principal: 'person:eve', now: 2000 }, { commandId: 'c1', at: 5 })).toBe('link_not_yours'));
});

describe('a progress link', () => {
  const put = (state: ReturnType<typeof emptySettings>, version: number, at: number, goal = 'goal_1') =>
    changed(state, { kind: 'progress', name: 'board', value: { name: 'board', goal, expiresInDays: 1 } }, version, at, 'person:ada');
  const state = put(emptySettings(), 7, 0);
  const board = signProgress('key', 'acme', { name: 'board', version: 7 });
  const shown = (at: typeof state, now: number) => {
    const judged = judgeProgress('key', 'acme', board, at, now);
    return isRefusal(judged) ? judged.code : judged;
  };
  it('shows its goal until it runs out, is taken back, or is put again', () => {
    expect(shown(state, day - 1)).toEqual({ goal: 'goal_1', until: day });
    expect(shown(state, day)).toBe('link_unknown');
    expect(shown(changed(state, { kind: 'progress', name: 'board', value: null }, 8, 1, 'person:ada'), 1)).toBe('link_unknown');
    expect(shown(put(state, 8, 1), 1)).toBe('link_unknown');
  });
  it('is handed to messages while it is good', () => {
    expect(progressByGoal('key', 'acme', state, 1)).toEqual({ goal_1: board });
    expect(progressByGoal('key', 'acme', state, day)).toEqual({});
  });
});
