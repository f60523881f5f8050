/** One command on the state: who gives it, whether it is current, what it does. The catalogue's handlers, in the order of the chain. */
import { checkCurrent, resolveWho } from './authority.ts';
import type { Command, CommandType, Payload } from './commands.ts';
import { continuationHandlers } from './continuation/handlers.ts';
import { amendmentHandlers } from './contract/amendment.ts';
import { goalHandlers } from './contract/handlers.ts';
import { effectHandlers } from './effects/handlers.ts';
import type { Handler, Handlers, Result } from './handler.ts';
import { planHandlers } from './plan/handlers.ts';
import { checkHandlers } from './planes/check-handlers.ts';
import { planeHandlers } from './planes/handlers.ts';
import { isRefusal, type Refusal } from './refusals.ts';
import { hostWho, type Turn } from './turn.ts';
import { blockerHandlers } from './work/blockers.ts';
import { deliveryHandlers } from './work/delivery.ts';
import { workHandlers } from './work/handlers.ts';

const handlers: Handlers<CommandType> = {
  ...goalHandlers,
  ...amendmentHandlers,
  ...planHandlers,
  ...workHandlers,
  ...deliveryHandlers,
  ...blockerHandlers,
  ...planeHandlers,
  ...checkHandlers,
  ...effectHandlers,
  ...continuationHandlers,
};

/** Emits the command's events into the turn and answers, or refuses; what a refused command emitted does not count. */
export function decide(turn: Turn, command: Command): Refusal | Result {
  const who = resolveWho(turn.state, command, turn.ctx);
  if (isRefusal(who)) return who;
  const stale = checkCurrent(turn.state, command, who);
  if (stale) return stale;
  return (handlers[command.type] as Handler<CommandType>)(turn, who, command.payload as never, command as never);
}

/** A command of the host within a turn, as `advance` gives it. False where it was refused, which is a defect and stops the Goal with the reason. */
export function decideAsHost<T extends CommandType>(turn: Turn, type: T, payload: Payload<T>, reason?: string): boolean {
  const before = turn.state.seq;
  const command = { type, expected: {}, payload, ...(reason ? { reason } : {}) } as unknown as Command;
  const answer = checkCurrent(turn.state, command, hostWho) ?? (handlers[type] as Handler<CommandType>)(turn, hostWho, payload as never, command as never);
  if (!isRefusal(answer)) return turn.state.seq !== before;
  if (turn.state.stop?.kind !== 'errors')
    turn.emit(hostWho, { type: 'goal.stopped', stop: { kind: 'errors', detail: { command: type, code: answer.code, detail: answer.detail ?? null } } });
  return false;
}
