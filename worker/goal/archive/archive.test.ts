/** Archives of a Goal with a round out, from one protocol into another, on the real core. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Actor } from '../../domain/context.ts';
import type { Json } from '../../domain/values.ts';
import { domainCore } from '../domain-core.ts';
import { Crash } from '../memory-store.ts';
import { Bench, door } from '../testing/bench-top.ts';
import type { ArchiveSeal } from './format.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const admin: Actor = { kind: 'person', principal: 'person:admin', scopes: ['goals:read', 'goals:write', 'admin'] };
const contract = { title: 'Hello', objective: 'Say hello.', criteria: [{ id: 'said', text: 'It was said', verify: 'attest' }] };
const lanes = { coordinator: { kind: 'skill', skill: 'toy', script: 'run.js' } };

async function withRoundOut(): Promise<Bench> {
  const bench = new Bench(domainCore);
  expect(await bench.command('goal.create', { mode: 'bound', contract, lanes, confirmed: true } as unknown as Json, 'create')).toMatchObject({ outcome: 'applied' });
  await bench.pass(0);
  const [message] = bench.sent;
  if (message?.kind !== 'round') throw new Error('no round was handed out');
  expect(await bench.protocol.claim({ ...door, round: message.round, fence: message.fence, runner: 'runner', again: false })).toMatchObject({ outcome: 'granted' });
  return bench;
}

async function exported(bench: Bench): Promise<{ parts: { name: string; text: string }[]; seal: ArchiveSeal }> {
  const seq = bench.store.lastSeq();
  const parts: { name: string; text: string }[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await bench.protocol.archive({ ...door, upTo: seq, cursor });
    if (page.outcome !== 'found') throw new Error('no page');
    if (page.value.name !== undefined) parts.push({ name: page.value.name, text: page.value.text });
    cursor = page.value.next;
    if (cursor === null) break;
  }
  const history = await bench.protocol.history({ ...door, upTo: seq });
  if (history.outcome !== 'found') throw new Error('no history');
  const entries = parts.map(({ name, text }) => ({ name, size: text.length, digest: sha256(text) }));
  return { parts, seal: { goal: door.goal, seq, entries, history: history.value.digest, commits: history.value.commits, missingFiles: [] } };
}

async function bring(into: Bench, { parts, seal }: Awaited<ReturnType<typeof exported>>, batch = 'batch') {
  for (const [part, { name, text }] of parts.entries()) expect(await into.protocol.stage({ ...door, batch, part, name, text })).toMatchObject({ outcome: 'found' });
  return into.protocol.takeIn({ ...door, batch, seal: seal as unknown as Json, actor: admin });
}

describe('a goal that was under way', () => {
  test('comes in paused; its rounds are over there, and nothing is handed out before a person resumes it', async () => {
    const from = await withRoundOut();
    const into = new Bench(domainCore);
    expect(await bring(into, await exported(from))).toMatchObject({ outcome: 'found', value: { paused: true } });
    await into.pass(120_000);
    expect(into.sent).toEqual([]);
    const rounds = into.store.rows('round', {}).map((row) => (row.data as { outcome?: string }).outcome);
    expect(rounds).toEqual(['lost']);
    // Its own Runner, should it come here, is told that it is over.
    const [first] = from.sent;
    expect(await into.protocol.claim({ ...door, round: first?.kind === 'round' ? first.round : '', fence: first?.fence ?? 0, runner: 'runner', again: true })).toMatchObject({
      outcome: 'refused',
    });
    expect(await into.command('goal.resume', {}, 'resume', { actor: admin })).toMatchObject({ outcome: 'applied' });
    await into.pass(1000);
    expect(into.sent).toHaveLength(1);
    expect(into.sent[0]?.fence).toBeGreaterThan(first?.fence ?? 0);
  });

  test('after a crash at any write of the import there is nothing of it, or all of it', async () => {
    const archive = await exported(await withRoundOut());
    for (const where of ['beforeWrite', 'afterWrite'] as const) {
      for (let at = 1; ; at++) {
        const into = new Bench(domainCore);
        let writes = 0;
        into.store.hooks = {
          [where]: () => {
            if (++writes === at) throw new Crash(where);
          },
        };
        await bring(into, archive).catch(() => undefined);
        if (writes < at) break;
        into.hooks = {};
        into.restart();
        const { store } = into;
        if (store.meta()) {
          // All of it, and nobody was told: the pause came with it.
          expect(store.journal().at(-1)?.commandType).toBe('goal.pause');
        } else expect([store.lastSeq(), store.allRows()]).toEqual([0, []]);
        expect(await bring(into, archive, `again-${at}`)).toMatchObject({ outcome: 'found', value: { paused: true } });
        expect(store.journal().filter((commit) => commit.commandType === 'goal.pause')).toHaveLength(1);
      }
    }
  });

  test('two imports at once: one of them is told, and what is here is whole', async () => {
    const archive = await exported(await withRoundOut());
    const into = new Bench(domainCore);
    const stage = (batch: string, part: number) => into.protocol.stage({ ...door, batch, part, name: archive.parts[part]?.name ?? '', text: archive.parts[part]?.text ?? '' });
    await stage('a', 0);
    await stage('b', 0);
    for (let part = 1; part < archive.parts.length; part++) await stage('a', part);
    expect(await into.protocol.takeIn({ ...door, batch: 'a', seal: archive.seal as unknown as Json, actor: admin })).toMatchObject({
      outcome: 'refused',
      refusal: { code: 'archive_invalid' },
    });
    expect(into.store.meta()).toBeUndefined();
    expect(await bring(into, archive, 'c')).toMatchObject({ outcome: 'found' });
  });
});

test('erased: commands, reads, claims and imports find nothing; what is outside is deleted until that worked', async () => {
  let tries = 0;
  const bench = new Bench(domainCore, {
    outside: {
      erase: async () => {
        if (++tries < 3) throw new Error('away');
      },
    },
  });
  await bench.command('goal.create', { mode: 'bound', contract, lanes, confirmed: true } as unknown as Json, 'create');
  const archive = await exported(bench);
  expect(await bench.protocol.erase(door)).toEqual({ outcome: 'found', value: { done: false } });
  bench.restart();
  expect(await bench.protocol.read({ ...door, query: { what: 'goal' } })).toMatchObject({ outcome: 'refused', refusal: { code: 'not_found' } });
  expect(await bench.command('message.post', { text: 'x' }, 'm')).toMatchObject({ outcome: 'rejected', refusal: { code: 'not_found' } });
  expect(await bring(bench, archive).catch((error: unknown) => error)).toBeInstanceOf(Error);
  expect(await bench.protocol.takeIn({ ...door, batch: 'x', seal: archive.seal as unknown as Json, actor: admin })).toMatchObject({ refusal: { code: 'goal_erased' } });
  await bench.pass(10 * 60_000);
  expect(tries).toBe(3);
  expect(await bench.protocol.erase(door)).toEqual({ outcome: 'found', value: { done: true } });
  // Nothing is left to ring for.
  expect(bench.store.alarm).toBeNull();
  expect(bench.store.allRows()).toEqual([]);
});
