/** What every Store must do; run over memory and over the object's SQLite. Returns what was seen, so that both can be compared to one expectation. */

import type { Row } from '../../domain/context.ts';
import type { Event } from '../../domain/events.ts';
import type { Json } from '../../domain/values.ts';
import type { Commit, Store } from '../ports.ts';

const event = (seq: number, text = 'b'): Event => ({ type: 'message.posted', v: 1, seq, at: 1000 + seq, by: 'person:a', message: seq, textBody: text, asks: 'nothing' }) as Event;
const commit = (id: string, seqs: number[], more: Partial<Commit> = {}): Commit => ({
  seq: seqs.at(-1) ?? 0,
  at: 1,
  principal: 'person:a',
  commandId: id,
  commandType: 'message.post',
  bodyDigest: `d-${id}`,
  events: seqs.map((seq) => event(seq)),
  answer: { id },
  ...more,
});
const row = (kind: Row['kind'], id: string, seq: number, more: Partial<Row> = {}): Row => ({ kind, id, seq, data: { id, seq }, ...more });
const fails = (work: () => void): string => {
  try {
    work();
    return 'passed';
  } catch {
    return 'threw';
  }
};

export function exerciseStore(store: Store): Record<string, unknown> {
  const seen: Record<string, unknown> = {};
  seen.absent = [
    store.meta() ?? null,
    store.lastSeq(),
    store.events(0, 10),
    store.rows('message', {}),
    store.countRows('message'),
    store.commitOf('a', 'b') ?? null,
    store.snapshot() ?? null,
    store.leases(),
    store.cursor('book') ?? null,
    store.body('x') ?? null,
    store.rowsSince(0, 10),
  ];
  store.transaction(() => {
    store.putMeta({ workspace: 'acme', goal: 'g', erased: false });
    store.appendCommit(commit('c1', [1, 2]));
    store.putRows([row('message', '000001', 1), row('message', '000002', 2, { item: 'a' }), row('note', 'x/1', 2, { item: 'a', attempt: 'at' })]);
    store.putBodies({ b: 'body', n: null, 数: { 数: '𝄞' } });
    store.setAlarm(Date.now() + 3_600_000);
  });
  seen.meta = store.meta();
  seen.kept = store.commitOf('person:a', 'c1');
  seen.otherPrincipal = store.commitOf('person:b', 'c1') ?? null;
  seen.twice = [store.transaction(() => store.appendCommit(commit('c1', [3]))), store.transaction(() => store.appendCommit(commit('c1', []))), store.lastSeq()];
  seen.rolledBack = [
    fails(() =>
      store.transaction(() => {
        store.appendCommit(commit('c2', [3]));
        store.putRows([row('message', '000001', 3), row('message', '000003', 3)]);
        store.putBodies({ lost: 1 });
        store.putLease('r', { runner: 'x', fence: 1, until: 5 });
        store.putCursor('book', { seq: 1, tries: 0, retryAt: 0, quarantined: 0 });
        throw new Error('no');
      }),
    ),
    store.lastSeq(),
    store.row('message', '000001')?.seq,
    store.row('message', '000003') ?? null,
    store.body('lost') ?? null,
    store.lease('r') ?? null,
    store.cursor('book') ?? null,
    store.commitOf('person:a', 'c2') ?? null,
  ];
  store.transaction(() => {
    store.appendCommit(commit('nothing', [], { seq: 2 }));
    store.appendCommit(commit('c3', [3], { principal: 'round:r1' }));
    store.putRows([row('message', '000001', 3, { data: '新' })]);
  });
  seen.emptyCommit = [store.commitOf('person:a', 'nothing'), store.lastSeq()];
  seen.events = store.events(1, 10).map((found) => found.seq);
  seen.eventsLimited = store.events(0, 1).map((found) => found.seq);
  seen.upserted = [store.row('message', '000001'), store.countRows('message')];
  seen.bodies = [store.body('b'), store.body('n'), store.body('数')];
  store.transaction(() => store.eraseBodies(['b', 'unknown']));
  seen.erased = store.body('b') ?? null;

  store.transaction(() =>
    store.putRows(Array.from({ length: 30 }, (_, n) => row('ledger', `m/${String(n).padStart(2, '0')}`, 4, n % 3 === 0 ? { item: 'a', attempt: 'at1' } : {}))),
  );
  const ids = (options: Parameters<Store['rows']>[1]) => store.rows('ledger', options).map((found) => found.id);
  seen.pages = [
    ids({ limit: 2 }),
    ids({ limit: 2, after: 'm/01' }),
    ids({ limit: 2, newestFirst: true }),
    ids({ limit: 2, newestFirst: true, after: 'm/28' }),
    ids({ prefix: 'm/2', limit: 3 }),
    ids({ prefix: 'm/2', after: 'm/20', limit: 2 }),
    ids({ prefix: 'm/0', newestFirst: true, limit: 2 }),
    ids({ item: 'a', limit: 3 }),
    ids({ item: 'b' }),
    ids({ prefix: 'x' }),
  ];
  seen.bulk = store.row('ledger', 'm/03');
  seen.counts = [store.countRows('ledger'), store.countRows('ledger', 'm/2'), store.countRows('review')];
  seen.since = [store.rowsSince(2, 100).length, store.rowsSince(3, 5).length, store.rowsSince(2, 1).map((found) => found.id), store.rowsSince(4, 5)];

  const big: Json = { text: `${'长𝄞'.repeat(450_000)}` };
  store.transaction(() => {
    store.putBodies({ big });
    store.putSnapshot(7, 3, big);
    store.appendCommit(commit('c4', [4], { events: [event(4, '字'.repeat(900_000))], answer: { big } }));
  });
  seen.big = [
    JSON.stringify(store.body('big')) === JSON.stringify(big),
    JSON.stringify(store.snapshot()?.state) === JSON.stringify(big),
    (store.events(3, 5)[0] as unknown as { textBody: string }).textBody.length,
    JSON.stringify(store.commitOf('person:a', 'c4')?.answer) === JSON.stringify({ big }),
  ];
  store.transaction(() => store.putSnapshot(8, 4, { small: true }));
  seen.snapshot = store.snapshot();

  store.transaction(() => {
    store.putLease('r1', { runner: 'x', fence: 1, until: 5 });
    store.putLease('r2', { runner: 'y', fence: 2, until: 6 });
    store.putLease('r1', { runner: 'x', fence: 1, until: 9 });
    store.putLease('r2', null);
    store.putCursor('book', { seq: 3, tries: 1, retryAt: 2, quarantined: 4 });
  });
  seen.leases = [store.lease('r1'), store.lease('r2') ?? null, store.leases()];
  seen.cursor = store.cursor('book');

  seen.commits = [store.commits(0, 10).map((found) => [found.commandId, found.seq, found.events.length]), store.commits(2, 1).map((found) => found.commandId)];
  seen.answers = [store.answers(undefined, 10), store.answers({ principal: 'person:a', commandId: 'nothing' }, 10)];
  seen.bodyPages = [store.bodies('', 10).map((found) => found.digest), store.bodies('big', 1).map((found) => found.digest)];
  seen.mentioned = store.mentioned(['m/07', 'nowhere', '𝄞长']);

  store.transaction(() => {
    store.stage('one', 0, 'a', 'x');
    store.stage('one', 1, 'b', '字'.repeat(900_000));
  });
  seen.staged = [store.staged('one', -1, 10).map((found) => [found.part, found.name, found.text.length]), store.staged('one', 0, 10).length, store.staged('two', -1, 10)];
  store.transaction(() => store.stage('two', 0, 'c', 'y'));
  seen.stagedAnew = [store.staged('one', -1, 10), store.staged('two', -1, 10)];
  store.transaction(() => store.dropStaged());
  seen.unstaged = store.staged('two', -1, 10);

  store.transaction(() => {
    store.putMeta({ workspace: 'acme', goal: 'g', erased: true });
    store.wipe();
  });
  seen.wiped = [
    store.meta(),
    store.lastSeq(),
    store.events(0, 10),
    store.rowsSince(0, 10),
    store.bodies('', 10),
    store.answers(undefined, 10),
    store.snapshot() ?? null,
    store.leases(),
    store.cursor('book') ?? null,
    store.commitOf('person:a', 'c1') ?? null,
  ];
  return seen;
}

export const expectedOfStore: Record<string, unknown> = {
  absent: [null, 0, [], [], 0, null, null, [], null, null, []],
  meta: { workspace: 'acme', goal: 'g', erased: false },
  kept: { bodyDigest: 'd-c1', answer: { id: 'c1' } },
  otherPrincipal: null,
  twice: [false, false, 2],
  rolledBack: ['threw', 2, 1, null, null, null, null, null],
  emptyCommit: [{ bodyDigest: 'd-nothing', answer: { id: 'nothing' } }, 3],
  events: [2, 3],
  eventsLimited: [1],
  upserted: [{ kind: 'message', id: '000001', seq: 3, data: '新' }, 2],
  bodies: ['body', null, { 数: '𝄞' }],
  erased: null,
  pages: [['m/00', 'm/01'], ['m/02', 'm/03'], ['m/29', 'm/28'], ['m/27', 'm/26'], ['m/20', 'm/21', 'm/22'], ['m/21', 'm/22'], ['m/09', 'm/08'], ['m/00', 'm/03', 'm/06'], [], []],
  bulk: { kind: 'ledger', id: 'm/03', seq: 4, item: 'a', attempt: 'at1', data: { id: 'm/03', seq: 4 } },
  counts: [30, 10, 0],
  since: [31, 30, ['000001'], []],
  big: [true, true, 900_000, true],
  snapshot: { foldVersion: 8, seq: 4, state: { small: true } },
  leases: [{ runner: 'x', fence: 1, until: 9 }, null, [{ round: 'r1', runner: 'x', fence: 1, until: 9 }]],
  cursor: { seq: 3, tries: 1, retryAt: 2, quarantined: 4 },
  commits: [
    [
      ['c1', 2, 2],
      ['c3', 3, 1],
      ['c4', 4, 1],
    ],
    ['c3'],
  ],
  answers: [[{ principal: 'person:a', commandId: 'nothing', bodyDigest: 'd-nothing', answer: { id: 'nothing' } }], []],
  bodyPages: [['big', 'n', '数'], ['n']],
  mentioned: ['m/07', '𝄞长'],
  staged: [
    [
      [0, 'a', 1],
      [1, 'b', 900_000],
    ],
    1,
    [],
  ],
  stagedAnew: [[], [{ part: 0, name: 'c', text: 'y' }]],
  unstaged: [],
  wiped: [{ workspace: 'acme', goal: 'g', erased: true }, 0, [], [], [], [], null, [], null, null],
};
