/**
 * The workspace's quotas as its object holds them: what asks for a place gets it or a refusal before anything is made. Which goals are still open is asked of the book when it matters: on the way to a refusal,
 * when somebody looks, and by the sweep; so a goal that has just ended counts until the book has it, and never too few are counted.
 */
import { openGoalsOf, standingOf } from '../../book/queries/open-goals.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { Actor } from '../../domain/context.ts';
import { filesRoot, partsOfFileKey } from '../../goal/file-key.ts';
import { errorOf, log } from '../../observe/log.ts';
import { heldOf } from '../audit/audit-store.ts';
import { overQuota, overridden, type QuotaOverride, type Quotas, quotasOf } from '../core/quotas.ts';
import type { WorkspaceStore } from '../workspace-store.ts';
import type { FileKey } from './quota-store.ts';

/** What was asked for shorter ago than this may not be in the book or in the bucket yet: it counts. Milliseconds. */
const onItsWayMs = 10 * 60_000;
/** Goals woken in one count. */
const pokesAtOnce = 100;
/** Keys of the bucket in one listing. */
const keysAtOnce = 1000;

export interface QuotaView {
  openGoals: { used: number; allowed: number };
  storageBytes: { used: number; allowed: number };
  /** What an operator set for this workspace beside what holds for all. */
  override: QuotaOverride;
}

interface Ports {
  db: D1Database;
  files: R2Bucket;
  workspace: string;
  store: WorkspaceStore;
  installation: Quotas;
  now(): number;
  /** Wakes a Goal. One that was never made stays that. */
  poke(goal: string): Promise<unknown>;
}

export class Counting {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  limits(): Quotas {
    return quotasOf(this.#ports.installation, this.#ports.store.quotas.override());
  }

  /** A Goal is about to be made, or brought in. The same one again is the same place. `dryRun`: whether there would be one. */
  async admitGoal(goal: string, dryRun: boolean): Promise<Refusal | undefined> {
    const { store, now } = this.#ports;
    const { quotas } = store;
    if (quotas.hasOpen(goal)) return undefined;
    const over = () => overQuota(this.limits(), 'openGoals', quotas.openGoals(), 1);
    if (quotas.counted() === 0 || over()) await this.countGoals();
    // Within one turn: nobody else gets the place between the look and the taking.
    const refused = over();
    if (!refused && !dryRun) store.transaction(() => quotas.putGoal(goal, now(), true));
    return refused;
  }

  /** It was not made after all. */
  releaseGoal(goal: string): void {
    this.#ports.store.transaction(() => this.#ports.store.quotas.dropGoal(goal));
  }

  /** Bytes are about to be stored. The same file of a Goal again is counted once. */
  admitFile(key: FileKey, size: number): Refusal | undefined {
    const { store, now } = this.#ports;
    const { quotas } = store;
    if (quotas.hasFile(key)) return undefined;
    const refused = overQuota(this.limits(), 'storageBytes', quotas.bytes(), size);
    if (!refused) store.transaction(() => quotas.addFile(key, size, now()));
    return refused;
  }

  /** Files were deleted; null: all of the Goal, which was erased. */
  filesGone(goal: string, digests: readonly string[] | null): void {
    const { store } = this.#ports;
    store.transaction(() => {
      store.quotas.dropFiles(goal, digests);
      if (digests === null) store.quotas.putGoal(goal, this.#ports.now(), false);
    });
  }

  setOverride(actor: Actor & { kind: 'person' | 'token' }, from: string | null, next: QuotaOverride): void {
    const { store, now } = this.#ports;
    const had = store.quotas.override();
    const override = overridden(had, next);
    const at = now();
    store.transaction(() => {
      store.quotas.putOverride(override, at, actor.principal);
      store.audit.append({ at, by: actor.principal, type: 'quotas.set', subject: null, before: had, after: override, source: 'workspace', number: null, held: heldOf(from, null) });
    });
  }

  async view(): Promise<QuotaView> {
    await this.countGoals();
    const { quotas } = this.#ports.store;
    const allowed = this.limits();
    return {
      openGoals: { used: quotas.openGoals(), allowed: allowed.openGoals },
      storageBytes: { used: quotas.bytes(), allowed: allowed.storageBytes },
      override: quotas.override(),
    };
  }

  /** Which goals are open, as the book says: those it has as open count, those it has as ended do not, those it does not have yet count while they may be on their way. Where the book is away, what was counted holds. */
  async countGoals(): Promise<void> {
    const { db, workspace, store, now } = this.#ports;
    const at = now();
    try {
      const open = await openGoalsOf(db, workspace);
      const doubtful = store.quotas.openSince(at).filter((goal) => !open.has(goal));
      const standing = await standingOf(db, workspace, doubtful);
      if (open.size === 0 && doubtful.length === 0) return;
      // Admitted a while ago and not in the book: never made, or made by a process that died with its alarm before anybody heard. Only this list knows of the second.
      const unheard = store.quotas.openSince(at - onItsWayMs).filter((goal) => !open.has(goal) && !standing.has(goal));
      for (const woken of await Promise.allSettled(unheard.slice(0, pokesAtOnce).map((goal) => this.#ports.poke(goal))))
        if (woken.status === 'rejected') log('warn', 'quotas', 'poke.failed', { workspace, error: errorOf(woken.reason) });
      store.transaction(() => {
        for (const goal of open) if (!store.quotas.hasOpen(goal)) store.quotas.putGoal(goal, at, true);
        for (const goal of doubtful) if (standing.has(goal)) store.quotas.putGoal(goal, at, false);
        for (const goal of unheard) store.quotas.dropGoal(goal);
        store.quotas.putCounted(at);
      });
    } catch (error) {
      log('warn', 'quotas', 'book.away', { workspace, error: errorOf(error) });
    }
  }

  /** The files as the bucket has them: what it has and was not counted counts, what was counted and is not there does not. Repeatable; broken off, what was compared so far holds. */
  async countFiles(): Promise<void> {
    const { files, workspace, store, now } = this.#ports;
    const began = now();
    let cursor: string | undefined;
    let after: FileKey = { goal: '', digest: '' };
    do {
      const page: R2Objects = await files.list({ prefix: `${filesRoot}${workspace}/`, limit: keysAtOnce, ...(cursor === undefined ? {} : { cursor }) });
      const found = page.objects.flatMap(({ key, size, uploaded }) => {
        const parts = partsOfFileKey(key);
        return parts ? [{ goal: parts.goal, digest: parts.digest, size, at: uploaded.getTime() }] : [];
      });
      const last = found.at(-1);
      const upTo = page.truncated ? (last ?? after) : null;
      const there = new Set(found.map(({ goal, digest }) => `${goal}/${digest}`));
      const gone = new Map<string, string[]>();
      for (const { goal, digest } of store.quotas.filesAfter(after, upTo, began - onItsWayMs))
        if (!there.has(`${goal}/${digest}`)) gone.set(goal, [...(gone.get(goal) ?? []), digest]);
      if (found.length > 0 || gone.size > 0)
        store.transaction(() => {
          for (const { size, at, ...key } of found) store.quotas.addFile(key, size, at);
          for (const [goal, digests] of gone) store.quotas.dropFiles(goal, digests);
        });
      if (last) after = last;
      cursor = page.truncated ? page.cursor : undefined;
    } while (cursor !== undefined);
  }
}
