/** One decision of a person on its way to the server. Where the answer was lost, sending again is the same command. */
import { type CommandRequest, type Problem, sendCommand } from '../api/client.ts';

export type CommandPhase = { kind: 'idle' } | { kind: 'sending' } | { kind: 'done' } | { kind: 'refused'; problem: Problem } | { kind: 'unknown'; problem: Problem };

export class CommandRun {
  phase = $state.raw<CommandPhase>({ kind: 'idle' });
  #commandId = '';
  #last: { goal: string; request: Omit<CommandRequest, 'commandId'> } | null = null;

  get busy(): boolean {
    return this.phase.kind === 'sending';
  }

  async send(goal: string, request: Omit<CommandRequest, 'commandId'>): Promise<boolean> {
    if (this.busy) return false;
    const same = this.phase.kind === 'unknown' && JSON.stringify(this.#last) === JSON.stringify({ goal, request });
    if (!same) this.#commandId = crypto.randomUUID();
    this.#last = { goal, request };
    this.phase = { kind: 'sending' };
    const answer = await sendCommand(goal, { ...request, commandId: this.#commandId });
    this.phase = answer.ok ? { kind: 'done' } : { kind: answer.problem.effect === 'unknown' ? 'unknown' : 'refused', problem: answer.problem };
    return answer.ok;
  }

  async again(): Promise<void> {
    if (this.#last) await this.send(this.#last.goal, this.#last.request);
  }

  reset(): void {
    this.phase = { kind: 'idle' };
  }
}
