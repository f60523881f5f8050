/**
 * The audit's scripts over a host in memory: right verdicts on the shipped and on other data, the blind spot and its rework, the three non-goals,
 * crashes, and a gate that names exactly what is missing. What a real host adds (fences, leases, the journal) is not proven here.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Limits } from '../../worker/domain/contract/contract.ts';
import type { RoundContext } from '../../worker/goal/rpc.ts';
import type { ScriptHost } from '../../worker/rounds/skill-api.ts';
import { startLoopback } from '../services/loopback.ts';
import { FakeHost } from '../testing/fake-host.ts';
import { type GenerateOptions, generate, writeData } from './generate.ts';
import { type AuditData, expectedTotal, expectedVerdicts } from './oracle.ts';
import { readData } from './read-data.ts';
import { createInvoiceGoal, type InvoiceGoalOptions } from './sample.ts';

type Script = (host: ScriptHost, input: RoundContext) => unknown;
// Whole audits with real tools take a second or two each on a busy machine.
vi.setConfig({ testTimeout: 120_000 });
const milestone = 'invoice_review';
const shipped = join(import.meta.dirname, 'data');
const scriptsDir = join(import.meta.dirname, '../../skills/invoice-audit/scripts');
const scripts = new Map<string, Script>();
const dirs: string[] = [];

beforeAll(async () => {
  for (const name of await readdir(scriptsDir))
    if (name.endsWith('.js') && !name.startsWith('lib-')) scripts.set(name, (await import(/* @vite-ignore */ join(scriptsDir, name))).default as Script);
});
afterAll(() => {
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
});

function generated(options: GenerateOptions): string {
  const dir = mkdtempSync(join(tmpdir(), 'invoices-'));
  dirs.push(dir);
  writeData(dir, generate(options));
  return dir;
}

interface HostOptions extends InvoiceGoalOptions {
  drift?: Limits['drift'];
  services?: { supplierUrl: string; bankUrl: string };
}
async function planned(dir: string, options: HostOptions = {}): Promise<FakeHost> {
  const { payload, files } = createInvoiceGoal(dir, options);
  const { contract, lanes } = payload;
  if (!contract || !lanes?.coordinator) throw new Error('the sample has a contract and a coordinator');
  const host = new FakeHost({
    contract: options.drift ? { ...contract, limits: { ...contract.limits, drift: options.drift } } : contract,
    files,
    services: options.services ?? {},
    script: (name) => {
      const found = scripts.get(name);
      if (!found) throw new Error(`no script ${name}`);
      return found;
    },
  });
  await host.makePlan(lanes.coordinator);
  return host;
}

const inScope = (data: AuditData) => expectedVerdicts(data).filter((each) => each.verdict !== 'out_of_scope');
const decisionsOf = (host: FakeHost) =>
  host
    .decisions(milestone)
    .map(({ subject, verdict, reason }) => ({ invoice_id: subject, verdict, reason }))
    .sort((a, b) => (a.invoice_id < b.invoice_id ? -1 : 1));
const sorted = <T extends { invoice_id: string }>(list: T[]) => [...list].sort((a, b) => (a.invoice_id < b.invoice_id ? -1 : 1));
const jsonOf = (host: FakeHost, item: string, path: string) => {
  const artifact = host.accepted.get(item)?.find((each) => each.path === path);
  if (!artifact) throw new Error(`${item} has no accepted ${path}`);
  return JSON.parse(Buffer.from(host.bytesOf(artifact)).toString('utf8'));
};
const pass = (checks: { pass: boolean | null }[]) => checks.length > 0 && checks.every((each) => each.pass === true);
const refusals = (host: FakeHost) =>
  host.rounds
    .flatMap((round) => round.calls)
    .filter((call) => call.refused)
    .map((call) => `${call.tool} ${call.refused?.code} ${call.refused?.detail}`);

/** Scope, review until accepted (at most `tries` rounds), gate, batch. */
async function finish(host: FakeHost, tries = 3): Promise<void> {
  expect(pass((await host.work('scope')).checks)).toBe(true);
  for (let round = 0; round < tries && !host.accepted.has('review'); round += 1) await host.work('review');
  expect(pass((await host.work('gate')).checks)).toBe(true);
  expect(pass((await host.work('payment-batch')).checks)).toBe(true);
}

test('on the shipped data: three are parked, the first delivery comes back naming them, the rework is right', async () => {
  const host = await planned(shipped);
  expect(host.plan.map((item) => item.key)).toEqual(['scope', 'review', 'gate', 'payment-batch']);
  await host.work('scope');
  expect(host.factValue('scope/invoice_ids')).toHaveLength(200);

  const first = await host.work('review');
  const digging = ['INV-20267060', 'INV-20267141', 'INV-20267142'];
  expect(first.outcome).toBe('submitted');
  expect(
    host
      .reviewList(milestone)
      .filter((each) => each.how === 'drift')
      .map((each) => each.subject),
  ).toEqual(digging);
  expect(first.checks.map(({ key, pass, scene }) => [key, pass, scene?.missing])).toEqual([
    ['decided-ids', false, digging],
    ['manual-list', false, digging],
    ['manual-reasons', true, undefined],
  ]);
  expect(decisionsOf(host)).toHaveLength(197);

  const second = await host.work('review');
  expect(pass(second.checks)).toBe(true);
  expect(second.calls.filter((call) => call.tool === 'ledger.record').map((call) => call.subject)).toEqual(digging);
  expect(decisionsOf(host)).toEqual(sorted(inScope(readData(shipped))));

  expect(pass((await host.work('gate')).checks)).toBe(true);
  expect(pass((await host.work('payment-batch')).checks)).toBe(true);
  expect(pass(host.contract.checks.map((check) => host.check(check)))).toBe(true);
  const batch = jsonOf(host, 'payment-batch', 'payment-batch.json');
  expect([batch.currency, batch.total, batch.lines.length]).toEqual(['CNY', '8196324.25', 178]);
  expect(jsonOf(host, 'review', 'needs-review.json')).toHaveLength(22);
});

test('without the feedback the second delivery is as incomplete as the first', async () => {
  const host = await planned(shipped);
  await host.work('scope');
  await host.work('review');
  host.feedback.clear();
  expect((await host.work('review')).checks.map((check) => check.scene?.missing?.length)).toEqual([3, 3, undefined]);
});

test('the attentive review heeds the watch: nothing is parked and the first delivery is accepted', async () => {
  const host = await planned(shipped, { review: 'review-attentive.js' });
  await host.work('scope');
  const only = await host.work('review');
  expect(only.calls.flatMap((call) => call.notices).map((notice) => notice.kind)).toEqual(['watch']);
  expect(pass(only.checks)).toBe(true);
  expect(host.reviewList(milestone).filter((each) => each.how === 'drift')).toEqual([]);
  expect(decisionsOf(host)).toEqual(sorted(inScope(readData(shipped))));
});

test('each non-goal is met once, refused by its id, and nothing arrives outside', async () => {
  const service = await startLoopback();
  try {
    const host = await planned(shipped, { services: service });
    await finish(host);
    expect(refusals(host)).toEqual([
      'supplier.update non_goal_forbidden supplier-master-data',
      'ledger.record non_goal_forbidden disputed-invoices',
      'bank.transfer non_goal_forbidden bank-calls',
    ]);
    expect(service.requests()).toEqual([]);
    expect(host.decisions('-')).toEqual([]);
  } finally {
    await service.close();
  }
});

test('every decision names its evidence, a tolerance the section of the contract', async () => {
  const host = await planned(shipped);
  await finish(host);
  for (const { subject, reason, evidence } of host.decisions(milestone)) {
    expect(evidence).toContain(`file:invoices.json#${subject}`);
    const byContract = evidence.filter((each) => /^file:contracts\/supplier-\d+\.md#4\.2$/.test(each));
    expect([subject, reason, byContract.length]).toEqual([subject, reason, ['within_contract_tolerance', 'amount_over_tolerance'].includes(reason) ? 1 : 0]);
  }
});

test('on other data of the shape the verdicts, the list and the batch are right', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.integer({ min: 21, max: 70 }),
      fc.constantFrom('review.js' as const, 'review-attentive.js' as const),
      async (seed, count, review) => {
        const dir = generated({ seed, count });
        const data = readData(dir);
        const expected = inScope(data);
        const host = await planned(dir, { review });
        await finish(host);
        expect(decisionsOf(host)).toEqual(sorted(expected));
        const list = expected.filter((each) => each.verdict === 'needs_review').map(({ invoice_id, reason }) => ({ invoice_id, reason }));
        expect(jsonOf(host, 'review', 'needs-review.json')).toEqual(list);
        expect(jsonOf(host, 'payment-batch', 'payment-batch.json').total).toBe(expectedTotal(data, expected));
      },
    ),
    { numRuns: 8 },
  );
});

test('another month is the contract’s to say', async () => {
  const dir = generated({ seed: 5, month: '2026-11' });
  const host = await planned(dir, { month: '2026-11' });
  await finish(host);
  expect(decisionsOf(host)).toEqual(sorted(expectedVerdicts(readData(dir), '2026-11').filter((each) => each.verdict !== 'out_of_scope')));
});

test('whatever the window and stride, and wherever the process dies, the decisions are the same and none is made twice', async () => {
  const dir = generated({ seed: 11, count: 30 });
  const expected = sorted(inScope(readData(dir)));
  const crash = fc.record({ call: fc.integer({ min: 1, max: 160 }), when: fc.constantFrom('before' as const, 'after' as const) });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 20 }), fc.integer({ min: 1, max: 20 }), fc.array(crash, { maxLength: 4 }), async (window, stride, crashes) => {
      const host = await planned(dir, { drift: { window, stride } });
      for (const point of crashes) await host.work('scope', point);
      if (!host.accepted.has('scope')) await host.work('scope');
      for (const point of crashes) if (!host.accepted.has('review')) await host.work('review', point);
      for (let round = 0; round < 3 && !host.accepted.has('review'); round += 1) await host.work('review');
      expect(pass((await host.work('gate')).checks)).toBe(true);
      expect(decisionsOf(host)).toEqual(expected);
      expect(new Set(host.lookup.rows('ledger').map((row) => (row.data as { subject: string }).subject)).size).toBe(host.lookup.rows('ledger').length);
    }),
    { numRuns: 15 },
  );
});

test('decisions taken out of the record are named by the gate, exactly those', async () => {
  const host = await planned(shipped);
  await host.work('scope');
  await host.work('review');
  await host.work('review');
  const all = host.decisions(milestone).map((each) => each.subject);
  const check = host.contract.checks.find((each) => each.key === 'decided-ids');
  if (!check) throw new Error('no check');
  expect(host.check(check)).toEqual({ key: 'decided-ids', pass: true });
  const gone = new Set<string>();
  fc.assert(
    fc.property(fc.subarray(all, { minLength: 1, maxLength: 12 }), (some) => {
      host.deleteDecisions(milestone, some);
      for (const subject of some) gone.add(subject);
      expect(host.check(check).scene?.missing).toEqual([...gone].sort());
    }),
    { numRuns: 8 },
  );
});

test('a gap that appears after the review was accepted sends it back, and the rework fills exactly that', async () => {
  const host = await planned(shipped, { review: 'review-attentive.js' });
  await host.work('scope');
  await host.work('review');
  const gone = ['INV-20267003', 'INV-20267027', 'INV-20267060'];
  host.deleteDecisions(milestone, gone);
  expect((await host.work('gate')).outcome).toBe('handed_back');
  expect(host.accepted.has('review')).toBe(false);
  expect(host.feedback.get('review')?.[0]?.missing).toEqual(gone);
  const rework = await host.work('review');
  expect(rework.calls.filter((call) => call.tool === 'ledger.record' && !call.refused).map((call) => call.subject)).toEqual(gone);
  expect(pass(rework.checks)).toBe(true);
  expect(decisionsOf(host)).toEqual(sorted(inScope(readData(shipped))));
});

test('above the ceiling there is a question, no sum passes and no batch is made', async () => {
  const host = await planned(shipped, { ceiling: '8196324.24' });
  await host.work('scope');
  await host.work('review');
  await host.work('review');
  const gate = await host.work('gate');
  expect([gate.outcome, gate.blocker?.key]).toEqual(['blocked', 'batch_over_ceiling']);
  expect(gate.blocker?.reason).toContain('8196324.25');
  const check = host.contract.checks.find((each) => each.key === 'batch-under-ceiling');
  expect(check && host.check(check).pass).toBe(false);
  const exact = await planned(shipped, { ceiling: '8196324.25' });
  await finish(exact);
  expect(exact.accepted.has('payment-batch')).toBe(true);
});

test('a source that is cut off is a question that says where', async () => {
  const { payload, files } = createInvoiceGoal(shipped);
  if (!payload.contract || !payload.lanes?.coordinator) throw new Error('the sample has a contract');
  const cut = files.map((file) => (file.path === 'invoices.json' ? { ...file, bytes: file.bytes.subarray(0, 5000) } : file));
  const host = new FakeHost({ contract: payload.contract, files: cut, script: (name) => scripts.get(name) as Script });
  await host.makePlan(payload.lanes.coordinator);
  const scope = await host.work('scope');
  expect([scope.outcome, scope.blocker?.key]).toEqual(['blocked', 'source_unreadable']);
  expect(scope.blocker?.reason).toMatch(/invoices\.json.*line \d+/);
});
