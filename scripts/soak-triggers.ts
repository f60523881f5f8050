/**
 * A webhook under kills: deliveries come in, doubled and again, while the whole Worker is killed with SIGKILL at random moments and started again on the same state. Each that was
 * taken must be one business round, in turn, and each round one goal; and there must be no goal beside them. The same seed gives the same moments, as far as the machine keeps time.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BusinessRound } from '../worker/workspace/core/triggers/rounds.ts';
import { standardHeaders } from '../worker/workspace/triggers/testing/signing.ts';
import { startLonghaul } from './longhaul.ts';
import type { SoakOptions, SoakResult } from './soak-sample.ts';

export const triggersPart = 'triggers';

const workspace = 'local';
const key = `whsec_${btoa('a key of thirty-two bytes, exactly')}`;
/** Deliveries between two kills, and those after the last. */
const perKill = 6;
/** Milliseconds between two kills, at most; and what everything has to come to rest. */
const gapMs = 2500;
const restMs = 180_000;
/** How close behind an answer a kill comes, at most. */
const closeMs = 40;

const template = {
  name: 'order',
  title: 'An order',
  mode: 'goal_only',
  parameters: { number: { type: 'string', maxLength: 40 } },
  contract: { title: 'Order {{number}}', objective: 'See to order {{number}}.', criteria: [{ id: 'done', text: 'It was seen to', verify: 'attest' }] },
};
const trigger = {
  name: 'orders',
  source: { kind: 'webhook', style: 'standard', secrets: ['hook-key'] },
  does: { kind: 'goal', template: 'order', parameters: { number: { from: 'data.number' } }, ends: 'command' },
  overlap: { rule: 'replay', most: 100, withinMinutes: 1440 },
};

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export async function soakTriggers({ kills, random, built, say }: Pick<SoakOptions, 'kills' | 'random' | 'built' | 'say'>): Promise<SoakResult> {
  const dir = mkdtempSync(join(tmpdir(), 'longhaul-soak-triggers-'));
  const worker = await startLonghaul({ dir, installation: { built }, onLine: (line) => process.env.LONGHAUL_VERBOSE && say(line) });
  const problems: string[] = [];
  let killed = 0;
  let sent = 0;
  /** An answer came that lets a goal be made. */
  let moved = () => {};

  /** Until somebody answers: what got no answer is sent again, as it is. */
  const ask = async <T>(path: string, init: () => RequestInit = () => ({})): Promise<{ status: number; body: T }> => {
    for (;;) {
      try {
        const response = await fetch(`${worker.url}${path}`, { ...init(), signal: AbortSignal.timeout(30_000) });
        const body = (await response.json()) as T;
        if (response.status < 500 && response.status !== 429) return { status: response.status, body };
      } catch {
        // Killed, or not up yet.
      }
      await after(100);
    }
  };
  const api = `/v1/workspaces/${workspace}`;
  const give = async (type: string, commandId: string, payload: unknown): Promise<void> => {
    const headers = { 'content-type': 'application/json' };
    const { status, body } = await ask(`${api}/commands`, () => ({ method: 'POST', headers, body: JSON.stringify({ type, commandId, payload }) }));
    // A round that is over meanwhile is completed by nobody twice.
    moved();
    if (status !== 200 && !(type === 'business_round.complete' && status === 409)) throw new Error(`${type}: ${status} ${JSON.stringify(body)}`);
  };
  const roundsOf = async (): Promise<BusinessRound[]> => {
    const all: BusinessRound[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { body: { data: BusinessRound[]; nextCursor: string | null } } = await ask(`${api}/triggers/orders/rounds?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`);
      all.push(...page.body.data);
      cursor = page.body.nextCursor;
    }
    return all;
  };

  try {
    await give('template.put', 'template', template);
    await give('template.confirm', 'confirm', { name: 'order', version: 1 });
    await give('secret.put', 'secret', { name: 'hook-key', value: key });
    await give('trigger.put', 'trigger', trigger);
    const { body: set } = await ask<{ value: { hook: string } }>(`${api}/triggers/orders`);
    const deliver = async (number: number) => {
      const body = JSON.stringify({ number: `n${number}` });
      const { status } = await ask(`/hooks/${workspace}/${set.value.hook}`, () => ({ method: 'POST', headers: standardHeaders(key, `msg_${number}`, body, Date.now()), body }));
      moved();
      if (status !== 200 && status !== 202) problems.push(`${triggersPart}: delivery ${number} was answered ${status}`);
    };
    let over = false;
    const completing = (async () => {
      while (!over) {
        for (const { id, state, act } of await roundsOf()) if (state === 'running' && act === 'done') await give('business_round.complete', `done ${id}`, { round: id });
        await after(50);
      }
    })();
    const late: Promise<void>[] = [];
    for (let round = 0; round <= kills; round++) {
      const sending = Array.from({ length: perKill }, async (_, n) => {
        const number = round * perKill + n;
        await after(random() * gapMs);
        // Doubled at once, and once more when it is long known.
        await Promise.all(random() < 0.4 ? [deliver(number), deliver(number)] : [deliver(number)]);
        if (random() < 0.4) late.push(after(random() * 2 * gapMs).then(() => deliver(number)));
      });
      sent += perKill;
      if (round < kills) {
        await after(gapMs * (0.1 + 0.6 * random()));
        // Close behind an answer, where goals are being made.
        const answered = Promise.withResolvers<void>();
        moved = answered.resolve;
        await Promise.race([answered.promise, after(gapMs)]);
        await after(random() * closeMs);
        await worker.kill();
        killed++;
        await worker.restart();
      }
      await Promise.all(sending);
    }
    await Promise.all(late);
    const began = Date.now();
    let rounds = await roundsOf();
    while (Date.now() - began < restMs && (rounds.length < sent || rounds.some(({ state }) => state !== 'completed'))) {
      await after(200);
      rounds = await roundsOf();
    }
    over = true;
    await completing;
    problems.push(...wrongWith(rounds, sent));
    const made = async () => {
      const goals: { goal: string; title: string }[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: { body: { data: typeof goals; nextCursor: string | null } } = await ask(`${api}/goals?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`);
        goals.push(...page.body.data);
        cursor = page.body.nextCursor;
      }
      return goals;
    };
    let goals = await made();
    // The list follows the record.
    while (Date.now() - began < restMs && goals.length < sent) {
      await after(200);
      goals = await made();
    }
    const known = new Set(rounds.map(({ goal }) => goal));
    if (goals.length !== sent) problems.push(`${triggersPart}: ${sent} deliveries made ${goals.length} goals`);
    for (const { goal, title } of goals) if (!known.has(goal)) problems.push(`${triggersPart}: no business round knows ${goal} (${title})`);
    say(`${triggersPart}: ${killed} kills, ${sent} deliveries, ${rounds.length} business rounds, ${goals.length} goals`);
  } catch (error) {
    for (const line of worker.lines().slice(-30)) say(line);
    throw error;
  } finally {
    await worker.stop();
    rmSync(dir, { recursive: true, force: true });
  }
  return { what: triggersPart, runs: 1, kills: killed, hitRounds: 0, lostRounds: 0, problems };
}

function wrongWith(rounds: readonly BusinessRound[], sent: number): string[] {
  const wrong: string[] = [];
  if (rounds.length !== sent) wrong.push(`${triggersPart}: ${sent} deliveries are ${rounds.length} business rounds`);
  for (const { id, state, act, goal } of rounds) if (state !== 'completed' || act !== 'done' || goal === null) wrong.push(`${triggersPart}: ${id} is ${state}, ${act}, of ${goal}`);
  if (new Set(rounds.map(({ goal }) => goal)).size !== rounds.length) wrong.push(`${triggersPart}: two business rounds have one goal`);
  return wrong;
}
