/**
 * Runs one dispatched round or check, in its alarm handler: in parallel with others, for up to fifteen minutes, and again after a kill. `accept` only
 * stores the hand-over. An execution that died is not resumed: the next ring finds the claim unfinished and asks the Goal at once for what follows.
 */
import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../env.ts';
import { goalStub } from '../goal/goal-stub.ts';
import { postTo } from '../goal/post-to.ts';
import type { DispatchMessage } from '../goal/ports.ts';
import { pinModel } from '../models/models-of.ts';
import { errorOf, log } from '../observe/log.ts';
import { Redactor } from '../observe/redactor.ts';
import { runnerName } from './accept.ts';
import { browserOf } from './browser.ts';
import { businessRound } from './business-round.ts';
import { runCheck } from './checks/run-check.ts';
import { GoalCalls } from './goal-calls.ts';
import { afterRun, type HandOver } from './hand-over.ts';
import { countedFiles } from './counted-files.ts';
import { outsideWorld, remoteTools } from './outside-world.ts';
import { r2Files } from './r2-files.ts';
import { type RoundRun, runRound } from './run-round.ts';
import { BundledSandbox } from './sandbox/bundled-sandbox.ts';
import { LoaderSandbox } from './sandbox/loader-sandbox.ts';
import type { Sandbox } from './sandbox/sandbox.ts';

/** Wall time of one alarm, by the platform, milliseconds. */
const SLICE = 15 * 60_000;
/** When the alarm rings again if its handler dies, milliseconds. A ring while the handler runs waits until it is over and finds nothing. */
const SAFETY = 1000;
export class Runner extends DurableObject<Env> {
  /** In this process. A second ring while a run is on must not start another. */
  #running = false;

  /** Idempotent: a message that comes twice is one hand-over. */
  async accept(message: DispatchMessage): Promise<{ accepted: true }> {
    if (this.#running) return { accepted: true };
    const known = await this.ctx.storage.get<HandOver>('work');
    if (!known) await this.ctx.storage.put<HandOver>('work', { message, begun: false, tries: 0 });
    // Also for a known one: alarms have been seen to get lost.
    await this.ctx.storage.setAlarm(Date.now());
    return { accepted: true };
  }

  override async alarm(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    try {
      await this.ctx.storage.setAlarm(Date.now() + SAFETY);
      const work = await this.ctx.storage.get<HandOver>('work');
      if (work) await this.#work(work);
      else await this.ctx.storage.deleteAll();
    } catch (error) {
      // Storage itself failed; the alarm is armed, so this ring comes again.
      log('error', 'runner', 'storage.failed', { error: errorOf(error) });
    } finally {
      this.#running = false;
    }
  }

  async #work(work: HandOver): Promise<void> {
    const again = work.begun;
    await this.ctx.storage.put<HandOver>('work', { ...work, begun: true });
    let run: RoundRun | 'threw';
    try {
      run = await this.#run(work.message, again);
    } catch (error) {
      run = 'threw';
      const { workspace, goal, kind, fence } = work.message;
      const named = work.message.kind === 'round' ? { round: work.message.round } : { check: work.message.check };
      log('warn', 'runner', `${kind}.threw`, { workspace, goal, ...named, fence, tries: work.tries, error: errorOf(error) });
    }
    const next = afterRun(work, run);
    // Nothing of it needs to be remembered: a late copy of the message is refused by the Goal.
    if (next.kind === 'over') return this.ctx.storage.deleteAll();
    await this.ctx.storage.put<HandOver>('work', next.work);
    await this.ctx.storage.setAlarm(Date.now() + next.afterMs);
  }

  async #run(message: DispatchMessage, again: boolean): Promise<RoundRun> {
    const { workspace, goal } = message;
    const calls = new GoalCalls(workspace, goal, () => goalStub(this.env, workspace, goal));
    const files = countedFiles(this.env, workspace, goal, r2Files(this.env.FILES, workspace, goal));
    const sandbox: Sandbox = this.env.LOADER ? new LoaderSandbox(this.env.LOADER) : new BundledSandbox();
    const redactor = new Redactor();
    const world = outsideWorld(this.env, workspace, redactor, { goal, round: message.kind === 'check' ? message.check : message.round });
    if (message.kind === 'check') return runCheck(message, { goal: calls, files, sandbox, world, redactor });
    return runRound(message, runnerName(message), again, {
      goal: calls,
      files,
      sandbox,
      models: { pin: (profile) => pinModel(this.env, workspace, profile) },
      services: {
        ...(this.env.LONGHAUL_SUPPLIER_URL ? { supplierUrl: this.env.LONGHAUL_SUPPLIER_URL } : {}),
        ...(this.env.LONGHAUL_SUPPLIER_PROBE ? { supplierProbe: this.env.LONGHAUL_SUPPLIER_PROBE } : {}),
        ...(this.env.LONGHAUL_BANK_URL ? { bankUrl: this.env.LONGHAUL_BANK_URL } : {}),
        ...(this.env.LONGHAUL_BANK_PROBE ? { bankProbe: this.env.LONGHAUL_BANK_PROBE } : {}),
      },
      world,
      redactor,
      postTo: (to, text, call) => postTo(this.env, { workspace, from: goal, to, text, commandId: `${message.round}/${call}` }),
      ...(this.env.BROWSER ? { browse: browserOf(this.env.BROWSER) } : {}),
      business: (round, principal) => businessRound(this.env, { workspace, goal, round, principal }),
      remoteTools: (context) => remoteTools(this.env, workspace, context, world, redactor),
      now: () => Date.now(),
      sliceEnds: Date.now() + SLICE,
    });
  }
}
