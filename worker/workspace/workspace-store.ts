/** A workspace's tables. Nothing is created before the first write, so that reading an object that was never created leaves nothing behind. */
import type { Json, PrincipalId } from '../domain/values.ts';
import type { KeptTest } from './core/connections.ts';
import { type Amounts, type Grant, periodOf, type Standing } from './core/grants.ts';
import { type Change, changed, emptySettings, type WorkspaceState } from './core/state.ts';
import { AuditStore, auditSchema, heldOf } from './audit/audit-store.ts';
import type { TemplateVersion } from './core/templates.ts';
import type { TemplateVersionView, UsageDay, UsageOfGoal } from './reads.ts';
import { LinkStore } from './links.ts';
import type { Erasing } from './erasing/workspace.ts';
import { QuotaStore } from './quotas/quota-store.ts';
import type { DataKeyStore, Sealed, WrappedKey } from './sealing/vault.ts';
import type { WorkspaceBudget } from './settings.ts';
import { schema } from './sql-schema.ts';
import { Watchers } from './watchers.ts';
import { TriggerStore } from './triggers/trigger-store.ts';

type SqlValue = string | number | null | ArrayBuffer;

/** One applied command, kept with everything it changed. */
export interface AppliedCommand {
  principal: PrincipalId;
  commandId: string;
  bodyDigest: string;
  type: string;
  at: number;
  /** Of the workspace, after it. */
  version: number;
  /** Null: a command that set nothing; `subject` is what it was about. */
  change: Change | null;
  subject?: string;
  /** Answered again to the same command id. */
  result?: Json;
  /** The sealed value, where the command set one. */
  sealed?: Sealed;
  /** A version of a template that is new, or the newest again. */
  template?: TemplateVersion;
  reason?: string;
  /** Where it came from; null where the platform did not say. */
  from: string | null;
  /** The setting before and after; of a secret its name. */
  before: Json;
  audit: Json;
}

/** What a goal is rung for: a round is settled, the budget was raised, a model is set, a connection was tested or may be another one. */
export type Awaited = 'settled' | 'raised' | 'model' | 'connection';

/** Tests of connections that are kept. One that was forgotten is made again. */
const testsKept = 300;

interface GrantRecord extends Record<string, SqlValue> {
  goal: string;
  round: string;
  fence: number;
  currency: string;
  tokens: number;
  money: number;
  day: number;
  at: number;
  settled: number;
  used_tokens: number;
  used_money: number;
  as_of: number;
  held_until: number;
}

const bytes = (value: ArrayBuffer): Uint8Array<ArrayBuffer> => new Uint8Array(value);
const buffer = (value: Uint8Array<ArrayBuffer>): ArrayBuffer => value.buffer.slice(value.byteOffset, value.byteOffset + value.byteLength);

export class WorkspaceStore implements DataKeyStore {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  #ready: boolean;
  readonly audit: AuditStore;
  readonly watchers: Watchers;
  readonly quotas: QuotaStore;
  readonly triggers: TriggerStore;
  readonly links: LinkStore;

  constructor(storage: DurableObjectStorage, workspace: string) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.audit = new AuditStore(storage.sql, workspace, () => this.#ready);
    this.watchers = new Watchers(storage.sql, () => this.#ready);
    this.quotas = new QuotaStore(storage.sql, () => this.#ready);
    this.triggers = new TriggerStore(storage.sql, () => this.#ready);
    this.links = new LinkStore(storage.sql, () => this.#ready);
    this.#ready = this.#sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'").toArray().length > 0;
    if (this.#ready) this.#migrate();
  }

  #migrate(): void {
    this.#sql.exec('CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY)');
    const done = this.#first<{ version: number | null }>('SELECT MAX(version) AS version FROM migrations')?.version ?? 0;
    for (const [at, statements] of schema.entries()) {
      if (at < done) continue;
      for (const statement of statements) this.#sql.exec(statement);
      if (statements === auditSchema) this.#chainAudit();
      this.#sql.exec('INSERT INTO migrations (version) VALUES (?)', at + 1);
    }
    this.#ready = true;
  }

  /** Entries of the audit from before it was a chain, in their order. */
  #chainAudit(): void {
    const ready = this.#ready;
    this.#ready = true;
    for (const row of this.#sql
      .exec<{ at: number; principal: PrincipalId; type: string; name: string; reason: string | null; detail: string }>('SELECT * FROM audit ORDER BY seq')
      .toArray())
      this.audit.append({
        at: row.at,
        by: row.principal,
        type: row.type,
        subject: row.name === '' ? null : row.name,
        before: null,
        after: JSON.parse(row.detail) as Json,
        source: 'workspace',
        number: null,
        held: heldOf(null, row.reason),
      });
    this.#sql.exec('DROP TABLE audit');
    this.#ready = ready;
  }

  transaction<T>(work: () => T): T {
    try {
      return this.#storage.transactionSync(() => {
        if (!this.#ready) this.#migrate();
        return work();
      });
    } catch (error) {
      this.#ready = this.#sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'").toArray().length > 0;
      throw error;
    }
  }

  #rows<T extends Record<string, SqlValue>>(query: string, ...bindings: SqlValue[]): T[] {
    return this.#ready ? this.#sql.exec<T>(query, ...bindings).toArray() : [];
  }
  #first<T extends Record<string, SqlValue>>(query: string, ...bindings: SqlValue[]): T | undefined {
    return this.#sql.exec<T>(query, ...bindings).toArray()[0];
  }

  erasing(): Erasing | undefined {
    const [row] = this.#rows<{ data: string }>('SELECT data FROM erased');
    return row && (JSON.parse(row.data) as Erasing);
  }
  /** Kept with what the step did. `wipe`: everything else goes. */
  putErasing(erasing: Erasing, wipe: boolean): void {
    if (wipe) for (const table of this.#tables()) this.#sql.exec(`DELETE FROM "${table}"`);
    this.#sql.exec('INSERT INTO erased (one, data) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET data = excluded.data', JSON.stringify(erasing));
  }
  /** Rows that a receipt counts. */
  counts(): Record<string, number> {
    const count = (table: string) => this.#rows<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`)[0]?.n ?? 0;
    return { settings: count('settings') - this.#secrets(), secrets: this.#secrets(), auditRows: count('audit_chain') };
  }
  #secrets(): number {
    return this.#rows<{ n: number }>('SELECT COUNT(*) AS n FROM sealed')[0]?.n ?? 0;
  }
  #tables(): string[] {
    return this.#sql
      .exec<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('erased', 'migrations') AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'",
      )
      .toArray()
      .map((row) => row.name);
  }

  load(): WorkspaceState {
    let state = emptySettings();
    for (const row of this.#rows<{ kind: string; name: string; version: number; at: number; by: string; data: string }>('SELECT kind, name, version, at, by, data FROM settings'))
      state = changed(state, { kind: row.kind, name: row.name, value: JSON.parse(row.data) } as Change, row.version, row.at, row.by);
    return { ...state, version: this.#rows<{ version: number }>('SELECT version FROM head')[0]?.version ?? 0 };
  }

  /** What was answered to this command id before. */
  kept(principal: PrincipalId, commandId: string): { bodyDigest: string; version: number; result?: Json } | undefined {
    const [row] = this.#rows<{ body_digest: string; version: number; result: string | null }>(
      'SELECT body_digest, version, result FROM commands WHERE principal = ? AND command_id = ?',
      principal,
      commandId,
    );
    return row && { bodyDigest: row.body_digest, version: row.version, ...(row.result === null ? {} : { result: JSON.parse(row.result) as Json }) };
  }

  /** Within a transaction of the caller. */
  keep(applied: AppliedCommand): void {
    this.#sql.exec('INSERT INTO head (one, version) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET version = excluded.version', applied.version);
    const { change, template } = applied;
    if (change) this.#keepChange(change, applied);
    if (template)
      this.#sql.exec(
        'INSERT INTO template_versions (name, version, digest, at, by, data) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (name, version) DO NOTHING',
        template.name,
        template.version,
        template.digest,
        applied.at,
        applied.principal,
        JSON.stringify(template.document),
      );
    if (applied.type === 'template.confirm' && change?.kind === 'template' && change.value)
      this.#sql.exec(
        'INSERT INTO template_confirmations (name, version, at, by) VALUES (?, ?, ?, ?) ON CONFLICT (name, version) DO NOTHING',
        change.name,
        change.value.confirmed ?? 0,
        applied.at,
        applied.principal,
      );
    this.#sql.exec(
      'INSERT INTO commands (principal, command_id, body_digest, version, result) VALUES (?, ?, ?, ?, ?)',
      applied.principal,
      applied.commandId,
      applied.bodyDigest,
      applied.version,
      applied.result === undefined ? null : JSON.stringify(applied.result),
    );
    this.audit.append({
      at: applied.at,
      by: applied.principal,
      type: applied.type,
      subject: applied.subject ?? (change === null || change.name === '' ? null : change.name),
      before: applied.before,
      after: applied.audit,
      source: 'workspace',
      number: null,
      held: heldOf(applied.from, applied.reason ?? null),
    });
  }

  #keepChange(change: Change, applied: AppliedCommand): void {
    if (change.value === null) this.#sql.exec('DELETE FROM settings WHERE kind = ? AND name = ?', change.kind, change.name);
    else
      this.#sql.exec(
        'INSERT INTO settings (kind, name, version, at, by, data) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (kind, name) DO UPDATE SET version = excluded.version, at = excluded.at, by = excluded.by, data = excluded.data',
        change.kind,
        change.name,
        applied.version,
        applied.at,
        applied.principal,
        JSON.stringify(change.value),
      );
    if (change.kind === 'secret') {
      this.#sql.exec('DELETE FROM sealed WHERE name = ?', change.name);
      if (applied.sealed)
        this.#sql.exec('INSERT INTO sealed (name, version, iv, data) VALUES (?, ?, ?, ?)', change.name, applied.version, buffer(applied.sealed.iv), buffer(applied.sealed.data));
    }
  }

  template(name: string, version: number): TemplateVersion | undefined {
    const [row] = this.#rows<{ digest: string; data: string }>('SELECT digest, data FROM template_versions WHERE name = ? AND version = ?', name, version);
    return row && { name, version, digest: row.digest, document: JSON.parse(row.data) as TemplateVersion['document'] };
  }
  /** Newest first. */
  templateVersions(name: string): TemplateVersionView[] {
    return this.#rows<{ version: number; digest: string; at: number; by: string; confirmed_at: number | null; confirmed_by: string | null }>(
      'SELECT v.version, v.digest, v.at, v.by, c.at AS confirmed_at, c.by AS confirmed_by FROM template_versions v LEFT JOIN template_confirmations c ON c.name = v.name AND c.version = v.version WHERE v.name = ? ORDER BY v.version DESC',
      name,
    ).map(({ version, digest, at, by, confirmed_at, confirmed_by }) => ({
      version,
      digest,
      at,
      by,
      confirmed: confirmed_at === null || confirmed_by === null ? null : { at: confirmed_at, by: confirmed_by },
    }));
  }

  sealed(name: string): (Sealed & { version: number }) | undefined {
    const [row] = this.#rows<{ version: number; iv: ArrayBuffer; data: ArrayBuffer }>('SELECT version, iv, data FROM sealed WHERE name = ?', name);
    return row && { version: row.version, iv: bytes(row.iv), data: bytes(row.data) };
  }

  /** Milliseconds; null: the value that is there was not opened yet. */
  secretUsed(name: string, version: number): number | null {
    const [row] = this.#rows<{ at: number }>('SELECT at FROM secret_uses WHERE name = ? AND version = ?', name, version);
    return row?.at ?? null;
  }

  useSecret(name: string, version: number, at: number): void {
    this.#sql.exec('INSERT INTO secret_uses (name, version, at) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET version = excluded.version, at = excluded.at', name, version, at);
  }

  dataKey(): WrappedKey | undefined {
    const [row] = this.#rows<{ master_version: number; iv: ArrayBuffer; data: ArrayBuffer }>('SELECT master_version, iv, data FROM data_key');
    return row && { masterVersion: row.master_version, iv: bytes(row.iv), data: bytes(row.data) };
  }
  putDataKey(key: WrappedKey): void {
    this.transaction(() =>
      this.#sql.exec(
        'INSERT INTO data_key (one, master_version, iv, data) VALUES (1, ?, ?, ?) ON CONFLICT (one) DO UPDATE SET master_version = excluded.master_version, iv = excluded.iv, data = excluded.data',
        key.masterVersion,
        buffer(key.iv),
        buffer(key.data),
      ),
    );
  }

  grant(goal: string, round: string, fence: number): Grant | undefined {
    const [row] = this.#rows<GrantRecord>('SELECT * FROM grants WHERE goal = ? AND round = ? AND fence = ?', goal, round, fence);
    return row && grantOf(row);
  }

  putGrant(grant: Grant): void {
    this.#sql.exec(
      'INSERT INTO grants (goal, round, fence, currency, tokens, money, day, at, settled, used_tokens, used_money, as_of, held_until) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (goal, round, fence) DO UPDATE SET tokens = excluded.tokens, money = excluded.money, settled = excluded.settled, used_tokens = excluded.used_tokens, used_money = excluded.used_money, as_of = excluded.as_of, held_until = excluded.held_until',
      grant.goal,
      grant.round,
      grant.fence,
      grant.currency,
      grant.tokens,
      grant.money,
      grant.day,
      grant.at,
      grant.used ? 1 : 0,
      grant.used?.tokens ?? 0,
      grant.used?.money ?? 0,
      grant.asOf,
      grant.heldUntil,
    );
    this.#sql.exec('UPDATE grants SET held_until = 0 WHERE goal = ? AND round = ? AND fence < ? AND held_until > 0', grant.goal, grant.round, grant.fence);
  }

  addUsage(grant: Grant, added: Amounts, rounds: number): void {
    this.#sql.exec(
      'INSERT INTO usage (day, currency, goal, tokens, money, rounds) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (day, currency, goal) DO UPDATE SET tokens = tokens + excluded.tokens, money = money + excluded.money, rounds = rounds + excluded.rounds',
      grant.day,
      grant.currency,
      grant.goal,
      added.tokens,
      added.money,
      rounds,
    );
    this.#sql.exec(
      'INSERT INTO usage_days (day, currency, tokens, money, rounds) VALUES (?, ?, ?, ?, ?) ON CONFLICT (day, currency) DO UPDATE SET tokens = tokens + excluded.tokens, money = money + excluded.money, rounds = rounds + excluded.rounds',
      grant.day,
      grant.currency,
      added.tokens,
      added.money,
      rounds,
    );
  }

  /** The figures that stand before a grant of this round: those of the budget's period around `day`, and of all time, without the round's own. */
  standing(budget: WorkspaceBudget, own: Grant | undefined, key: { goal: string; round: string }, day: number, now: number): Standing {
    const [fences] = this.#rows<{ fence: number | null }>('SELECT MAX(fence) AS fence FROM grants WHERE goal = ? AND round = ?', key.goal, key.round);
    const [places] = this.#rows<{ running: number; free_at: number | null }>(
      'SELECT COUNT(*) AS running, MIN(held_until) AS free_at FROM grants WHERE settled = 0 AND held_until > ? AND NOT (goal = ? AND round = ?)',
      now,
      key.goal,
      key.round,
    );
    const { from, to } = periodOf(budget, own?.day ?? day);
    const open = own && !own.used ? own : undefined;
    const without = { tokens: open?.tokens ?? 0, money: open?.currency === budget.currency ? open.money : 0 };
    const figures = (first: number, end: number) => {
      const reserved = this.reserved(budget.currency, first, end);
      return { used: this.used(budget.currency, first, end), reserved: { tokens: reserved.tokens - without.tokens, money: reserved.money - without.money } };
    };
    return {
      own,
      highestFence: fences?.fence ?? 0,
      running: places?.running ?? 0,
      freeAt: places?.free_at ?? undefined,
      period: figures(from, to),
      total: figures(0, Number.MAX_SAFE_INTEGER),
    };
  }

  /** Tokens of all, money of that currency; so of what is reserved. */
  used(currency: string, from: number, to: number): Amounts {
    const [row] = this.#rows<{ tokens: number | null; money: number | null }>(
      'SELECT SUM(tokens) AS tokens, SUM(CASE WHEN currency = ? THEN money ELSE 0 END) AS money FROM usage_days WHERE day >= ? AND day < ?',
      currency,
      from,
      to,
    );
    return { tokens: row?.tokens ?? 0, money: row?.money ?? 0 };
  }
  reserved(currency: string, from: number, to: number): Amounts {
    const [row] = this.#rows<{ tokens: number | null; money: number | null }>(
      'SELECT SUM(tokens) AS tokens, SUM(CASE WHEN currency = ? THEN money ELSE 0 END) AS money FROM grants WHERE settled = 0 AND day >= ? AND day < ?',
      currency,
      from,
      to,
    );
    return { tokens: row?.tokens ?? 0, money: row?.money ?? 0 };
  }
  running(now: number): number {
    return this.#rows<{ running: number }>('SELECT COUNT(*) AS running FROM grants WHERE settled = 0 AND held_until > ?', now)[0]?.running ?? 0;
  }
  usageDays(from: number): UsageDay[] {
    return this.#rows<{ day: number; currency: string; tokens: number; money: number; rounds: number }>(
      'SELECT day, currency, tokens, money, rounds FROM usage_days WHERE day >= ? ORDER BY day DESC, currency',
      from,
    ).map(({ day, currency, tokens, money, rounds }) => ({ day: new Date(day * 86_400_000).toISOString().slice(0, 10), currency, tokens, micros: money, rounds }));
  }
  /** The goals that used most since that day. */
  usageOfGoals(from: number, limit: number): UsageOfGoal[] {
    return this.#rows<{ goal: string; currency: string; tokens: number; money: number; rounds: number }>(
      'SELECT goal, currency, SUM(tokens) AS tokens, SUM(money) AS money, SUM(rounds) AS rounds FROM usage WHERE day >= ? GROUP BY goal, currency ORDER BY money DESC, tokens DESC, goal LIMIT ?',
      from,
      limit,
    ).map(({ goal, currency, tokens, money, rounds }) => ({ goal, currency, tokens, micros: money, rounds }));
  }

  /** Kept from when it first waited for that. */
  wait(goal: string, since: number, until: Awaited): void {
    this.#sql.exec('INSERT INTO waiting (goal, until, since) VALUES (?, ?, ?) ON CONFLICT (goal, until) DO NOTHING', goal, until, since);
  }
  waits(goal: string, until: Awaited): boolean {
    return this.#rows('SELECT 1 FROM waiting WHERE goal = ? AND until = ?', goal, until).length > 0;
  }
  waiting(until: Awaited): number {
    return this.#rows<{ n: number }>('SELECT count(*) AS n FROM waiting WHERE until = ?', until)[0]?.n ?? 0;
  }
  /** It got what it asked the budget for. */
  stopWaiting(goal: string): void {
    this.#sql.exec("DELETE FROM waiting WHERE goal = ? AND until IN ('settled', 'raised', 'connection')", goal);
  }
  connectionTest(id: string): KeptTest | undefined {
    const [row] = this.#rows<{ data: string }>('SELECT data FROM connections WHERE id = ?', id);
    return row && (JSON.parse(row.data) as KeptTest);
  }
  connectionTests(): KeptTest[] {
    return this.#rows<{ data: string }>('SELECT data FROM connections ORDER BY id').map((row) => JSON.parse(row.data) as KeptTest);
  }
  keepConnectionTest(test: KeptTest): void {
    this.transaction(() => {
      this.#sql.exec(
        'INSERT INTO connections (id, at, data) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at, data = excluded.data',
        test.connection.id,
        test.at,
        JSON.stringify(test),
      );
      this.#sql.exec('DELETE FROM connections WHERE id NOT IN (SELECT id FROM connections ORDER BY at DESC, id LIMIT ?)', testsKept);
    });
  }

  /** Takes out the one that waited longest. */
  takeWaiting(until: Awaited): string | undefined {
    const [first] = this.#rows<{ goal: string }>('SELECT goal FROM waiting WHERE until = ? ORDER BY since, goal LIMIT 1', until);
    if (first) this.#sql.exec('DELETE FROM waiting WHERE goal = ? AND until = ?', first.goal, until);
    return first?.goal;
  }

  /** Grants that are of no more use: settled before that time; and those nobody settled whose place ran out before it: they count as used whole. */
  forgetGrants(before: number, limit: number): void {
    for (const row of this.#rows<GrantRecord>('SELECT * FROM grants WHERE settled = 0 AND held_until < ?1 AND at < ?1 LIMIT ?2', before, limit)) {
      const grant = grantOf(row);
      this.addUsage(grant, grant, 1);
      this.putGrant({ ...grant, used: { tokens: grant.tokens, money: grant.money }, heldUntil: 0 });
    }
    this.#sql.exec('DELETE FROM grants WHERE (goal, round, fence) IN (SELECT goal, round, fence FROM grants WHERE settled = 1 AND at < ? LIMIT ?)', before, limit);
  }
}

function grantOf(row: GrantRecord): Grant {
  const { goal, round, fence, currency, tokens, money, day, at } = row;
  const used = row.settled === 1 ? { tokens: row.used_tokens, money: row.used_money } : null;
  return { goal, round, fence, currency, tokens, money, day, at, used, asOf: row.as_of, heldUntil: row.held_until };
}
