/**
 * The tests of one workspace's connections: which were made, and those under way. A result is kept before anybody is rung, and only where no setting was changed while the test
 * ran. A test that is lost with its process was never made: whoever needs it asks again and it begins anew.
 */
import {
  type AgentNeeds,
  afterTest,
  type Connection,
  type ConnectionsDecision,
  connectionsOf,
  decideConnections,
  ENVIRONMENT,
  type KeptTest,
  type TestOutcome,
} from '../core/connections.ts';
import type { WorkspaceState } from '../core/state.ts';
import type { Untested } from '../rpc.ts';

export interface ConnectionTestPorts {
  state(): WorkspaceState;
  kept(id: string): KeptTest | undefined;
  keep(test: KeptTest): void;
  list(): KeptTest[];
  /** Never throws. */
  test(connection: Connection): Promise<TestOutcome>;
  /** A test ended: who waits for it may ask again. */
  tested(): void;
  /** Whether the environment names a model. */
  environment: boolean;
  now(): number;
  random(): number;
  background(work: Promise<void>): void;
}

/** What people see of the test of a connection. */
export interface ConnectionView {
  setting: string;
  kind: 'model' | 'mcp';
  /** `provider/model`, or the server. */
  shown: string;
  standing: 'works' | 'later' | 'refused';
  code: string | null;
  detail: string;
  at: number;
  /** When it is tested again by itself, if a round needs it. */
  again: number | null;
}

export class ConnectionTests {
  readonly #ports: ConnectionTestPorts;
  /** By id: the versions that are being tested. */
  readonly #running = new Map<string, string>();
  /** The model that the environment names is that of this process: so is its test. */
  #environment: KeptTest | undefined;

  constructor(ports: ConnectionTestPorts) {
    this.#ports = ports;
  }

  /** What the round waits for; undefined: all its connections work. Tests that are due are begun. */
  ask(needs: AgentNeeds): Untested | undefined {
    const needed = connectionsOf(this.#ports.state(), needs, this.#ports.environment);
    if (!needed.ok) return needed.untested;
    const decided: ConnectionsDecision = decideConnections(needed.connections, (id) => this.#kept(id), this.#ports.now());
    for (const connection of decided.test) this.#begin(connection);
    return decided.answer;
  }

  /** What failed of this setting is due now. Whether anything was. */
  again(setting: string): boolean {
    const failed = this.#all().filter((test) => test.connection.setting === setting && test.again !== null);
    for (const test of failed) this.#keep({ ...test, again: this.#ports.now() });
    return failed.length > 0;
  }

  /** Those that say something about the settings as they are. */
  views(): ConnectionView[] {
    return this.#all()
      .filter((test) => this.#current(test))
      .map(({ connection: { setting, kind, shown }, outcome, at, again }) => ({
        setting,
        kind,
        shown,
        standing: outcome.is,
        code: outcome.is === 'works' ? null : outcome.code,
        detail: outcome.is === 'works' ? '' : outcome.detail,
        at,
        again,
      }));
  }

  #all(): KeptTest[] {
    return [...this.#ports.list(), ...(this.#environment ? [this.#environment] : [])];
  }

  #kept(id: string): KeptTest | undefined {
    return this.#environment?.connection.id === id ? this.#environment : this.#ports.kept(id);
  }

  #keep(test: KeptTest): void {
    if (test.connection.setting === ENVIRONMENT) this.#environment = test;
    else this.#ports.keep(test);
  }

  /** Asked for anew, so that nothing but the rule says what belongs to a connection. */
  #current({ connection }: KeptTest): boolean {
    const now = connectionsOf(this.#ports.state(), { profile: connection.kind === 'model' ? connection.name : '', remote: connection.kind === 'mcp' }, true);
    return now.ok && now.connections.some((each) => each.id === connection.id && each.madeFor === connection.madeFor);
  }

  #begin(connection: Connection): void {
    if (this.#running.get(connection.id) === connection.madeFor) return;
    this.#running.set(connection.id, connection.madeFor);
    this.#ports.background(this.#test(connection));
  }

  async #test(connection: Connection): Promise<void> {
    const { version } = this.#ports.state();
    try {
      const outcome = await this.#ports.test(connection);
      // What it rested on may have been another thing by the time it was opened.
      if (this.#ports.state().version !== version) return;
      this.#keep(afterTest(this.#kept(connection.id), connection, outcome, this.#ports.now(), this.#ports.random()));
    } finally {
      if (this.#running.get(connection.id) === connection.madeFor) this.#running.delete(connection.id);
      this.#ports.tested();
    }
  }
}
