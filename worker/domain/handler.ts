/** How a command handler looks: it emits into the Turn and answers, or refuses (then nothing it emitted counts). */
import type { Command, CommandType, Payload } from './commands.ts';
import { isRefusal, type Refusal } from './refusals.ts';
import type { Turn, Who } from './turn.ts';
import type { Json } from './values.ts';

/** Absent fields are left out of the answer. */
export type Result = Json | { [key: string]: Json | undefined };
export type Handler<T extends CommandType> = (turn: Turn, who: Who, payload: Payload<T>, command: Extract<Command, { type: T }>) => Refusal | Result;
export type Handlers<T extends CommandType> = { [K in T]: Handler<K> };
export { isRefusal };
