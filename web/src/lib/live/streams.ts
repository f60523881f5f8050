/** What models of running rounds write right now. Never on record: kept while the round is open, the newest characters only. A frame brings what was written since the one before. */
import type { Frame } from '../api/types.ts';

export type StreamFrame = Extract<Frame, { kind: 'stream' }>;
export interface LiveStream {
  round: string;
  lane: string;
  item?: string;
  text: string;
  done: boolean;
}

/** Characters kept of one round. */
export const keptText = 20_000;

export function withFrame(streams: readonly LiveStream[], frame: StreamFrame): LiveStream[] {
  const before = streams.find((stream) => stream.round === frame.round);
  // The message before is over: what comes now is another one.
  const text = before && !before.done ? before.text + frame.text : frame.text;
  const next: LiveStream = { round: frame.round, lane: frame.lane, ...(frame.item === undefined ? {} : { item: frame.item }), text: text.slice(-keptText), done: frame.done };
  return before ? streams.map((stream) => (stream === before ? next : stream)) : [...streams, next];
}

/** Without those of rounds that ended. Gives the same list where none did. */
export function withoutEnded(streams: readonly LiveStream[], events: readonly { type: string; round?: string }[]): readonly LiveStream[] {
  const ended = new Set(events.flatMap((event) => (event.type === 'round.ended' && event.round !== undefined ? [event.round] : [])));
  return streams.some((stream) => ended.has(stream.round)) ? streams.filter((stream) => !ended.has(stream.round)) : streams;
}
