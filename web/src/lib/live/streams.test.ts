import { expect, it } from 'vitest';
import { keptText, type LiveStream, withFrame, withoutEnded } from './streams.ts';

const frame = (round: string, text: string, done = false) => ({ kind: 'stream' as const, round, lane: 'worker' as const, item: 'a', text, done });

it('puts what a round writes together, message by message', () => {
  let streams: LiveStream[] = withFrame([], frame('r1', 'Hello '));
  streams = withFrame(streams, frame('r2', 'other'));
  streams = withFrame(streams, frame('r1', 'there.', true));
  expect(streams.map(({ text }) => text)).toEqual(['Hello there.', 'other']);
  expect(withFrame(streams, frame('r1', 'Next')).map(({ text }) => text)).toEqual(['Next', 'other']);
});

it('keeps the newest characters, and drops a round with its end', () => {
  const streams = withFrame([], frame('r1', 'x'.repeat(keptText + 5)));
  expect(streams[0]?.text).toHaveLength(keptText);
  expect(withoutEnded(streams, [{ type: 'round.ended', round: 'r0' }])).toBe(streams);
  expect(withoutEnded(streams, [{ type: 'round.ended', round: 'r1' }])).toEqual([]);
});
