import { describe, expect, it } from 'vitest';
import { RESUME, RESUME_PACKET_BYTES } from '../limits.ts';
import { resumePacket } from './resume-packet.ts';
import { Scenario } from './views.test-data.ts';

const sizeOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;
const numbered = (name: string, n: number) => `${name}${String(n).padStart(6, '0')}`;

/** A Goal with `size` times the history; `letter` is what its texts are made of. */
function grown(size: number, letter = 'x'): Scenario {
  const given = new Scenario();
  const long = (length: number) => letter.repeat(length);
  for (let n = 0; n < 200; n++) given.item({ key: `${'k'.repeat(56)}${n}`, title: long(100) }, n % 3 === 0 ? { stored: 'blocked' } : {});
  const item = given.item({
    key: 'mine',
    checks: Array.from({ length: 30 }, (_, n) => ({ key: `c${n}`, kind: 'count' as const, of: { from: 'fact' as const, key: `scope/${n}` }, min: 1 })),
  });
  for (let n = 0; n < 10 * size; n++) {
    given.attempt(item, { state: 'lost' });
    given.submission(item);
    given.verdict(item, 'changes_requested');
    given.lookup.putBodies({
      [given.body({
        summary: long(2000),
        missing: Array.from({ length: 2000 }, (_, m) => `${long(190)}${m}`),
        findings: Array.from({ length: 50 }, () => ({ where: long(200), expected: long(2000), actual: long(2000) })),
      })]: { summary: 'unused' },
    });
  }
  const scene = given.body({
    summary: long(2000),
    missing: Array.from({ length: 2000 }, (_, m) => `${long(190)}${m}`),
    extra: Array.from({ length: 2000 }, () => long(200)),
    findings: Array.from({ length: 50 }, () => ({ where: long(200), expected: long(2000), actual: long(2000) })),
  });
  for (const row of given.lookup.rows('acceptance', { item: 'mine' })) given.lookup.put([{ ...row, data: { ...(row.data as object), sceneBody: scene } }]);
  const reason = given.body(long(2000));
  for (let n = 0; n < 1000 * size; n++)
    given.row('ledger', numbered('led_', n), {
      id: numbered('led_', n),
      subject: `${long(180)}${n}`,
      verdict: long(60),
      reasonBody: reason,
      evidence: [],
      facts: [],
      by: 'agent:worker',
      at: n,
    });
  for (let n = 0; n < 50 * size; n++)
    given.row('review_list', `m/${numbered(long(180), n)}`, {
      subject: numbered(long(180), n),
      milestone: 'm',
      noteBody: reason,
      how: 'agent',
      by: 'agent:worker',
      at: n,
      state: n % 2 === 0 ? 'open' : 'resolved',
    });
  for (let n = 0; n < 100 * size; n++) given.row('fact', `scope/${n}`, { key: `scope/${n}`, version: 1, valueBody: reason, provenance: null, by: 'host', at: n });
  for (let n = 0; n < 30 * size; n++)
    given.row(
      'round',
      numbered('round_', n),
      {
        id: numbered('round_', n),
        lane: 'worker',
        target: 'item:mine',
        item: 'mine',
        fence: n,
        phase: 'ended',
        outcome: 'lost',
        principal: 'agent:worker',
        executor: { kind: 'agent', profile: 'worker' },
        goalVersion: 1,
        planRevision: 1,
        scheduledAt: n,
        endedAt: n,
        steps: 1,
        recovery: false,
      },
      { item: 'mine' },
    );
  for (let n = 0; n < 100; n++) {
    given.state.effects[`e${n}`] = {
      id: numbered(long(100), n),
      tool: long(80),
      key: 'k',
      callDigest: '',
      round: 'r',
      state: 'unknown',
      nonce: '',
      sendWithin: 1,
      timeout: 1,
      horizon: 1,
    };
    given.state.approvals[`a${n}`] = { id: numbered(long(100), n), state: 'asked', round: 'r', tool: long(80), callDigest: '', askedAt: 1, expiresAt: 2 };
    given.state.subagents[`s${n}`] = {
      id: numbered(long(100), n),
      name: 'n'.repeat(64),
      parent: 'att',
      item: 'mine',
      state: 'open',
      executor: { kind: 'agent', profile: 'worker' },
      attempts: 1,
    };
    given.state.milestones[`m${n}`] = { target: 1e12, count: 1e12, moved: 1 };
  }
  given.state.reviewList = { open: 25 * size, resolved: 25 * size };
  given.state.facts = { keys: 100 * size };
  given.round({ id: 'round_now', item: 'mine', recovery: true });
  return given;
}

describe('the resume packet', () => {
  it.each(['x', '"', '\u0001', '字', '😀'])('stays within its bound on a long history of %j, and does not grow with it', (letter) => {
    const small = grown(1, letter);
    const large = grown(10, letter);
    const [before, after] = [resumePacket(small.state, small.lookup, { round: 'round_now' }), resumePacket(large.state, large.lookup, { round: 'round_now' })];
    expect(sizeOf(after)).toBeLessThanOrEqual(RESUME_PACKET_BYTES);
    // Numbers may take a digit more.
    expect(Math.abs(sizeOf(after) - sizeOf(before))).toBeLessThan(200);
    expect(after.feedback[0]?.scene?.summary.length).toBeGreaterThan(90);
    expect(after.next.blocked.length).toBeGreaterThan(0);
  });

  it('stays under 4,000 tokens also where a delivery came back with five hundred ids', () => {
    const given = new Scenario();
    const item = given.item({ key: 'mine' });
    given.attempt(item, { state: 'lost' });
    given.submission(item);
    given.verdict(item, 'changes_requested');
    const scene = given.body({ summary: '500 invoices have no decision', missing: Array.from({ length: 500 }, (_, n) => `INV-${20_260_000 + n}`) });
    for (const row of given.lookup.rows('acceptance', { item: 'mine' })) given.lookup.put([{ ...row, data: { ...(row.data as object), sceneBody: scene } }]);
    given.round({ id: 'round_now', item: 'mine' });
    const packet = resumePacket(given.state, given.lookup, { round: 'round_now' });
    expect(packet.feedback[0]?.scene?.missing?.length).toBeGreaterThan(200);
    expect(sizeOf(packet)).toBeLessThan(6500);
  });

  it('says how many there are of what it shows the head of', () => {
    const given = grown(10);
    const packet = resumePacket(given.state, given.lookup, { round: 'round_now' });
    expect(given.lookup.count('ledger')).toBe(10_000);
    expect(given.lookup.count('review_list')).toBe(500);
    expect(packet.reviewList.count).toBe(250);
    expect(packet.facts.count).toBe(1000);
    expect(packet.next.counts).toEqual({ blocked: 67, ready: 133, changes_requested: 1 });
    expect(packet.before).toEqual({ round: 'round_000299', outcome: 'lost', at: 299 });
    expect(packet.recovery).toBe(true);
    expect(Object.keys(packet.rest)).toEqual(expect.arrayContaining(['decisions', 'reviewList', 'facts', 'feedback']));
  });

  it('shows the newest decisions, open subjects, and the facts that the checks read first', () => {
    const given = new Scenario();
    for (let n = 0; n < 30; n++) given.row('fact', `a/${n}`, { key: `a/${n}`, version: 1, valueBody: '', provenance: null, by: 'host', at: n });
    given.row('fact', 'z/scope', { key: 'z/scope', version: 1, valueBody: '', provenance: null, by: 'host', at: 1 });
    given.item({
      key: 'mine',
      checks: [
        { key: 'c', kind: 'count', of: { from: 'fact', key: 'z/scope' } },
        { key: 'd', kind: 'count', of: { from: 'fact', key: 'not/recorded' } },
      ],
    });
    for (const [n, replacedBy] of [
      [1, undefined],
      [2, 'led_3'],
      [3, undefined],
    ] as const) {
      given.row('ledger', `led_${n}`, {
        id: `led_${n}`,
        subject: `S${n}`,
        verdict: 'approved',
        reasonBody: given.body(`because ${n}`),
        evidence: [],
        facts: [],
        by: 'agent:worker',
        at: n,
        ...(replacedBy ? { replacedBy } : {}),
      });
    }
    given.row('review_list', 'm/A', { subject: 'A', noteBody: '', how: 'agent', by: 'host', at: 1, state: 'resolved' });
    given.row('review_list', 'm/B', { subject: 'B', noteBody: '', how: 'agent', by: 'host', at: 1, state: 'open' });
    const packet = resumePacket(given.state, given.lookup, { item: 'mine' });
    expect(packet.decisions).toEqual([
      { subject: 'S3', verdict: 'approved', reason: 'because 3', done: 'done by agent:worker' },
      { subject: 'S1', verdict: 'approved', reason: 'because 1', done: 'done by agent:worker' },
    ]);
    expect(packet.reviewList.head).toEqual(['B']);
    expect(packet.facts.keys).toHaveLength(RESUME.facts.entries);
    expect(packet.facts.keys[0]).toBe('z/scope');
    expect(packet.facts.keys).not.toContain('not/recorded');
    expect(packet.before).toBeNull();
  });

  it('gives a rework the whole of a usual scene, newest first, and nothing of what was accepted', () => {
    const given = new Scenario();
    const item = given.item({ key: 'mine' });
    for (const summary of ['first', 'second', 'third']) {
      given.attempt(item);
      given.submission(item);
      given.verdict(item, 'changes_requested', summary);
    }
    const packet = resumePacket(given.state, given.lookup, { item: 'mine' });
    expect(packet.feedback).toEqual([
      { submission: 'sub_mine_3', by: 'agent:reviewer', verdict: 'changes_requested', scene: { summary: 'third', missing: ['m1'] } },
      { submission: 'sub_mine_2', by: 'agent:reviewer', verdict: 'changes_requested', scene: { summary: 'second', missing: ['m1'] } },
    ]);
    const fine = new Scenario();
    fine.accepted({ key: 'mine' });
    expect(resumePacket(fine.state, fine.lookup, { item: 'mine' }).feedback).toEqual([]);
  });
});
