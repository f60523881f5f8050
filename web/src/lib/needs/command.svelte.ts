/** One decision of a person on its way to the server. Where the answer was lost, sending again is the same command. */
import { type Answer, type CommandRequest, type Problem, sendCommand } from '../api/client.ts';
import type { Json } from '../api/types.ts';
import { goalsList } from '../live/goals-list.svelte.ts';

export type CommandPhase = { kind: 'idle' } | { kind: 'sending' } | { kind: 'done' } | { kind: 'refused'; problem: Problem } | { kind: 'unknown'; problem: Problem };

/** `send` gives the request its id; `same` says whether it is the one before, so that a repeat keeps that. */
export class Sending<R> {
  phase = $state.raw<CommandPhase>({ kind: 'idle' });
  /** What the server answered to the last request that was done. */
  result: Json = null;
  #id = '';
  #last = '';
  #request: R | null = null;
  readonly #give: (commandId: string, request: R) => Promise<Answer<Json>>;

  constructor(give: (commandId: string, request: R) => Promise<Answer<Json>>) {
    this.#give = give;
  }

  get busy(): boolean {
    return this.phase.kind === 'sending';
  }
  get done(): boolean {
    return this.phase.kind === 'done';
  }

  async give(request: R): Promise<boolean> {
    if (this.busy) return false;
    const text = JSON.stringify(request);
    if (this.phase.kind !== 'unknown' || this.#last !== text) this.#id = crypto.randomUUID();
    this.#last = text;
    this.#request = request;
    this.phase = { kind: 'sending' };
    const answer = await this.#give(this.#id, request);
    this.phase = answer.ok ? { kind: 'done' } : { kind: answer.problem.effect === 'unknown' ? 'unknown' : 'refused', problem: answer.problem };
    if (answer.ok) this.result = answer.value;
    return answer.ok;
  }

  async again(): Promise<void> {
    if (this.#request) await this.give(this.#request);
  }

  reset(): void {
    this.phase = { kind: 'idle' };
  }
}

type GoalRequest = { goal: string; request: Omit<CommandRequest, 'commandId'> };

/** Commands of a goal. */
export class CommandRun extends Sending<GoalRequest> {
  constructor() {
    super(async (commandId, { goal, request }) => {
      const answer = await sendCommand(goal, { ...request, commandId });
      if (answer.ok && !request.dryRun) goalsList.soon(goal);
      return answer;
    });
  }

  send(goal: string, request: Omit<CommandRequest, 'commandId'>): Promise<boolean> {
    return this.give({ goal, request });
  }
}
