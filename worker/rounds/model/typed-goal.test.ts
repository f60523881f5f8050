/** From a sentence to completion, with the real provider package over HTTP: intake, a person's word, a plan, parts side by side, a return, an audit. */

import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterEach, expect, it } from 'vitest';
import { report } from '../../../testing/model-server/scripts/report.ts';
import { type ModelServer, startModelServer } from '../../../testing/model-server/server.ts';
import type { RowData } from '../../domain/row-data.ts';
import { AgentStage } from './testing/agent-stage.ts';

let server: ModelServer;
afterEach(() => server.close());

it('a typed goal completes: contract confirmed, items in parallel, a return, the audit', async () => {
  server = await startModelServer({ script: report, model: 'report' });
  const provider = createOpenAICompatible({ name: 'local', baseURL: server.url, includeUsage: true });
  const stage = new AgentStage({
    model: (profile) => ({
      id: 'local/report',
      provider: 'local',
      profile,
      model: provider.chatModel('report'),
      window: 64_000,
      output: 4000,
      prices: null,
      warnings: [],
      secrets: [],
    }),
  });
  expect(await stage.give('goal.propose', { sentence: 'Write me a report on the new pump: what it does, and what could go wrong.' })).toMatchObject({ outcome: 'applied' });
  await stage.play(async () => (await stage.bar()).next.why.kind === 'draft' && stage.rows<RowData['goal_version']>('goal_version').length > 1);
  expect((await stage.bar()).status).toBe('draft');
  expect(await stage.give('goal.confirm', {})).toMatchObject({ outcome: 'applied' });
  await stage.toTheEnd();

  expect(server.faults).toEqual([]);
  const rounds = stage.rows<RowData['round']>('round');
  expect(rounds.filter((round) => round.outcome === 'failed' || round.outcome === 'empty')).toEqual([]);
  expect(new Set(rounds.map((round) => round.lane))).toEqual(new Set(['coordinator', 'worker', 'reviewer']));
  for (const round of rounds) expect(round).toMatchObject({ model: 'local/report', skills: expect.arrayContaining([expect.objectContaining({ version: '1' })]) });
  const submissions = stage.rows<RowData['submission']>('submission');
  expect(submissions.filter((each) => each.item === 'report')).toHaveLength(2);
  expect(
    stage
      .rows<RowData['acceptance']>('acceptance')
      .filter((each) => each.item === 'report')
      .map((each) => each.verdict),
  ).toEqual(expect.arrayContaining(['changes_requested', 'accepted']));
  // The two parts were at work at the same time.
  const [facts, risks] = ['facts', 'risks'].map((item) => rounds.find((round) => round.item === item));
  expect(Math.max(facts?.startedAt ?? 0, risks?.startedAt ?? 0)).toBeLessThanOrEqual(Math.min(facts?.endedAt ?? 0, risks?.endedAt ?? 0));
  // A reviewer never sees how the worker came to its delivery.
  const reviewer = server.requests().filter((request) => JSON.stringify(request.messages).includes('# Reviewer round'));
  expect(reviewer.length).toBeGreaterThan(0);
  for (const request of reviewer) expect(JSON.stringify(request.messages)).not.toMatch(/files_write|your_earlier_files|# Worker round/);
  expect(stage.rows<RowData['audit']>('audit').length).toBeGreaterThan(0);
}, 60_000);
