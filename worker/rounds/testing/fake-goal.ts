/** A Goal's object that answers as a test scripts it, and writes down what it was asked. */
import type { Json } from '../../domain/values.ts';
import type {
  ClaimAnswer,
  ClaimRequest,
  CommandAnswer,
  CommandRequest,
  Door,
  GoalForRounds,
  ReadAnswer,
  ReadQuery,
  RoundContext,
  StepAnswer,
  StepRequest,
} from '../../goal/rpc.ts';
import { GoalCalls } from '../goal-calls.ts';

export class FakeGoal implements GoalForRounds {
  readonly claims: ClaimRequest[] = [];
  readonly steps: StepRequest[] = [];
  readonly commands: CommandRequest[] = [];
  context: RoundContext;
  onClaim: (request: ClaimRequest) => ClaimAnswer;
  onStep: (request: StepRequest) => StepAnswer;
  onCommand: (request: CommandRequest) => CommandAnswer = () => applied({});
  onRead: (query: ReadQuery) => Json | undefined = () => undefined;
  /** Calls that are answered by a reset of the object, from now on. */
  resets = 0;

  constructor(context: RoundContext) {
    this.context = context;
    this.onClaim = () => ({ outcome: 'granted', context: this.context });
    this.onStep = (request) => go(request);
  }

  async claim(request: ClaimRequest): Promise<ClaimAnswer> {
    this.#reset();
    this.claims.push(request);
    return this.onClaim(request);
  }
  async step(request: StepRequest): Promise<StepAnswer> {
    this.#reset();
    this.steps.push(request);
    return this.onStep(request);
  }
  async command(request: CommandRequest): Promise<CommandAnswer> {
    this.#reset();
    this.commands.push(request);
    return this.onCommand(request);
  }
  async read(request: Door & { query: ReadQuery }): Promise<ReadAnswer> {
    this.#reset();
    const value = this.onRead(request.query);
    return value === undefined ? { outcome: 'refused', refusal: { refused: true, code: 'not_found' } } : { outcome: 'found', seq: 1, value };
  }
  async poke(): Promise<void> {}
  async drain(): Promise<Json> {
    return null;
  }
  async rebuild(): Promise<Json> {
    return null;
  }

  /** As a Runner calls it, without pauses. */
  calls(): GoalCalls {
    return new GoalCalls(
      'w',
      'g',
      () => this,
      async () => {},
    );
  }
  /** Type and payload of each command, in order. */
  get given(): [string, Json][] {
    return this.commands.map(({ envelope }) => [envelope.type, envelope.payload]);
  }

  #reset(): void {
    if (this.resets-- > 0) throw new Error('Durable Object storage operation exceeded timeout which caused object to be reset.');
  }
}

/** Grants the call, with the arguments as they came. */
export function go(request: StepRequest, more: Partial<Extract<StepAnswer, { outcome: 'go' }>> = {}): StepAnswer {
  return { outcome: 'go', call: `${request.round}/${String(request.n ?? 0).padStart(6, '0')}`, args: request.next?.args ?? null, notices: [], ...more };
}

export function applied(result: Json): CommandAnswer {
  return { outcome: 'applied', seq: 1, events: [], goalVersion: 1, planRevision: 1, result, replayed: false, dryRun: false };
}
