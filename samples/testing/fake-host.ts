/**
 * A host in memory for the tests of skill scripts: the real tools over a small record, with the host's own rules for drift, non-goals, fact references
 * and checks. It proves what a script does with what a host says; leases, fences, retries and the journal are the domain's tests' business.
 */
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { CommandType, FactEntry, LedgerEntry } from '../../worker/domain/commands.ts';
import type { RowKind } from '../../worker/domain/context.ts';
import { type Contract, type ContractInput, contract as contractSchema } from '../../worker/domain/contract/contract.ts';
import { digestOf } from '../../worker/domain/digest.ts';
import { forbiddenBy } from '../../worker/domain/effects/match.ts';
import { type PlanItem, planDocument } from '../../worker/domain/plan/document.ts';
import type { CheckSpec, Scene, SetRef } from '../../worker/domain/planes/check-spec.ts';
import { evaluateInside, type SetAnswer, sourcesOf } from '../../worker/domain/planes/checks.ts';
import { driftAfterCall } from '../../worker/domain/planes/drift.ts';
import { resolveFacts } from '../../worker/domain/planes/facts.ts';
import { selectIds, tableFromJson } from '../../worker/domain/planes/reading.ts';
import { type Refusal, refuse } from '../../worker/domain/refusals.ts';
import { MemoryLookup } from '../../worker/domain/testing/memory-lookup.ts';
import { type Artifact, type Executor, executor as executorSchema, type Json, type Lane, principalOf } from '../../worker/domain/values.ts';
import type { Notice, ReadQuery, RoundContext } from '../../worker/goal/rpc.ts';
import { closedRules } from '../../worker/outgoing/address.ts';
import { fixedWorld } from '../../worker/outgoing/world.ts';
import type { ScriptHost } from '../../worker/rounds/skill-api.ts';
import { toolOf } from '../../worker/tools/index.ts';
import type { Files, ToolEnv } from '../../worker/tools/tool.ts';
import type { SourceFile } from '../sample.ts';

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');
const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;
const pad = (number: number) => String(number).padStart(6, '0');

type Script = (host: ScriptHost, input: RoundContext) => unknown;

/** Ends the script: after a call that ends the round the host does not return to it. */
class RoundOver extends Error {}
/** Stands for the death of the process in the middle of a call. */
class Crash extends Error {}

export interface CallNote {
  tool: string;
  args: Json;
  subject: string;
  refused?: Refusal;
  notices: Notice[];
}
export interface RoundNote {
  outcome: 'submitted' | 'blocked' | 'waiting' | 'handed_back' | 'crashed' | 'drift' | 'returned';
  calls: CallNote[];
  blocker?: { key: string; reason: string; form: Json };
  submission?: { artifacts: Artifact[]; summary: string; claims: { criterion: string; evidence: string[] }[] };
}
export interface CheckNote {
  key: string;
  pass: boolean | null;
  scene?: Scene;
}
/** Dies at this call of the round: before it takes effect, or after it did and before the script hears of it. */
export interface CrashPoint {
  call: number;
  when: 'before' | 'after';
}

export class FakeHost {
  readonly contract: Contract;
  readonly lookup = new MemoryLookup();
  readonly rounds: RoundNote[] = [];
  /** Scenes that sent an item's newest Submission back. */
  readonly feedback = new Map<string, Scene[]>();
  readonly accepted = new Map<string, Artifact[]>();
  plan: PlanItem[] = [];
  readonly #bytes = new Map<string, Uint8Array>();
  readonly #sources: Artifact[];
  readonly #working = new Map<string, Artifact[]>();
  readonly #attempts = new Map<string, number>();
  readonly #counted = new Set<string>();
  readonly #services: ToolEnv['services'];
  readonly #skill: (script: string) => Script;
  #seq = 0;
  #proposal: PlanItem[] = [];

  constructor(options: { contract: ContractInput; files: readonly SourceFile[]; script: (name: string) => Script; services?: ToolEnv['services'] }) {
    this.contract = contractSchema.parse(options.contract);
    this.#skill = options.script;
    this.#services = options.services ?? {};
    this.#sources = options.files.map(({ path, bytes, type }) => ({ path, type, ...this.#store(bytes) }));
  }

  #store(bytes: Uint8Array): { digest: string; size: number } {
    const digest = sha256(bytes);
    this.#bytes.set(digest, bytes);
    return { digest, size: bytes.length };
  }

  bytesOf(artifact: Artifact): Uint8Array {
    const bytes = this.#bytes.get(artifact.digest);
    if (!bytes) throw new Error(`no bytes of ${artifact.path}`);
    return bytes;
  }

  /** Decisions that stand, in the order of their first record. */
  decisions(milestone: string): { subject: string; verdict: string; reason: string; evidence: string[] }[] {
    return this.lookup
      .rows('ledger')
      .map((row) => row.data as unknown as { subject: string; milestone?: string; verdict: string; reasonBody: string; evidence: string[]; replacedBy?: string })
      .filter((entry) => entry.milestone === milestone && entry.replacedBy === undefined)
      .map(({ subject, verdict, reasonBody, evidence }) => ({ subject, verdict, reason: String(this.lookup.body(reasonBody)), evidence }));
  }

  factValue(key: string): Json | undefined {
    const row = this.lookup.row('fact', key);
    return row ? this.lookup.body((row.data as { valueBody: string }).valueBody) : undefined;
  }

  reviewList(milestone: string): { subject: string; how: string }[] {
    return this.lookup.rows('review_list', { prefix: `${milestone}/` }).map((row) => row.data as unknown as { subject: string; how: string });
  }

  /** Takes decisions out of the record, as if they had never been made. */
  deleteDecisions(milestone: string, subjects: readonly string[]): void {
    for (const subject of subjects) {
      this.lookup.removeRow('ledger_subject', `${milestone}/${subject}`);
      for (const row of this.lookup.rows('ledger')) {
        const data = row.data as { subject: string; milestone?: string };
        if (data.subject === subject && data.milestone === milestone) this.lookup.removeRow('ledger', row.id);
      }
    }
  }

  /** Runs the coordinator's script once; its plan is then `plan`. */
  async makePlan(carrier: z.input<typeof executorSchema>): Promise<RoundNote> {
    const executor = executorSchema.parse(carrier);
    if (executor.kind !== 'skill') throw new Error('only skills run here');
    return this.#round('coordinator', executor, undefined);
  }

  /** One round of a worker on an item, then the item's checks when it submitted: all pass and it is accepted, else it has feedback. */
  async work(key: string, crash?: CrashPoint): Promise<RoundNote & { checks: CheckNote[] }> {
    const item = this.plan.find((each) => each.key === key);
    if (item?.executor?.kind !== 'skill') throw new Error(`no item ${key} with a skill`);
    const note = await this.#round('worker', item.executor, item, crash);
    if (note.outcome !== 'submitted' || note.submission === undefined) return { ...note, checks: [] };
    const { artifacts } = note.submission;
    const checks = item.checks.map((spec) => this.check(spec, artifacts));
    const failed = checks.filter((each) => each.pass !== true);
    if (failed.length === 0) {
      this.accepted.set(key, artifacts);
      this.feedback.delete(key);
    } else {
      this.feedback.set(
        key,
        failed.map((each) => each.scene ?? { summary: each.key }),
      );
      this.#attempts.set(key, (this.#attempts.get(key) ?? 1) + 1);
    }
    return { ...note, checks };
  }

  /** A check over the record and the files. `judged`: artifacts of the Submission at hand, for refs that name no item. */
  check(spec: CheckSpec, judged: readonly Artifact[] = []): CheckNote {
    const files = (ref: Extract<SetRef, { from: 'rows' }>['file']): Artifact | undefined => {
      if ('source' in ref) return this.#sources.find((each) => each.path === ref.source);
      return (ref.item === undefined ? judged : (this.accepted.get(ref.item) ?? [])).find((each) => each.path === ref.path);
    };
    if (spec.kind === 'json_schema') return { key: spec.key, pass: files(spec.file) !== undefined };
    const inside = sourcesOf(this.lookup);
    const rows = (ref: Extract<SetRef, { from: 'rows' }>): SetAnswer => {
      const file = files(ref.file);
      if (!file) return { wrong: 'no such file' };
      const table = tableFromJson(JSON.parse(Buffer.from(this.bytesOf(file)).toString('utf8')) as Json);
      if (!table.ok) return table;
      const ids = selectIds(table.rows, ref.id, ref.where);
      return ids.ok ? ids.ids : ids;
    };
    return { key: spec.key, ...evaluateInside(spec, { fact: inside.fact, set: (ref) => (ref.from === 'rows' ? rows(ref) : inside.set(ref)) }) };
  }

  async #round(lane: Lane, executor: Extract<Executor, { kind: 'skill' }>, item: PlanItem | undefined, crash?: CrashPoint): Promise<RoundNote> {
    const context = this.#context(lane, executor, item);
    const note: RoundNote = { outcome: 'returned', calls: [] };
    this.rounds.push(note);
    const host = this.#host(context, note, crash);
    try {
      await this.#skill(executor.script)(host, asJson(context) as unknown as RoundContext);
    } catch (error) {
      if (error instanceof Crash) note.outcome = 'crashed';
      else if (!(error instanceof RoundOver)) throw error;
    }
    return note;
  }

  #context(lane: Lane, executor: Executor, item: PlanItem | undefined): RoundContext {
    const upstream = (item?.dependsOn ?? []).map(({ key }) => ({ item: key, submission: `sub_${key}`, artifacts: this.accepted.get(key) ?? [], summary: '' }));
    const feedback = (item ? (this.feedback.get(item.key) ?? []) : []).map((scene) => ({ submission: 'sub_before', by: 'host', verdict: 'changes_requested', scene }));
    const none = { ready: [], blocked: [], submitted: [], counts: {} };
    const [round, key] = [`rnd_${this.rounds.length + 1}`, item?.key];
    return {
      round,
      fence: this.rounds.length + 1,
      lane,
      target: key === undefined ? 'goal' : `item:${key}`,
      principal: principalOf(executor),
      executor,
      ...(lane === 'coordinator' ? { purpose: 'plan' as const } : {}),
      goalVersion: 1,
      planRevision: 1,
      leaseMs: 30_000,
      stepsPerRound: this.contract.limits.stepsPerRound,
      contract: this.contract,
      packet: {
        goalVersion: 1,
        planRevision: 1,
        seq: this.#seq,
        milestones: [],
        next: none,
        decisions: [],
        messages: { count: 0, head: [] },
        reviewList: { count: 0, head: [] },
        effects: [],
        approvals: [],
        children: [],
        facts: { count: 0, keys: [] },
        feedback,
        before: null,
        recovery: false,
        rest: {},
      },
      sources: this.#sources,
      ...(item === undefined || key === undefined
        ? {}
        : {
            item: {
              key,
              title: item.title,
              objective: item.objective,
              deliverable: item.deliverable,
              acceptance: item.acceptance,
              covers: item.covers,
              inputs: item.inputs,
              input: item.input ?? null,
              attempt: `att_${key}_${this.#attempts.get(key) ?? 1}`,
              attemptNumber: this.#attempts.get(key) ?? 1,
              specDigest: sha256(key),
            },
          }),
      upstream,
      working: key === undefined ? [] : (this.#working.get(key) ?? []),
      children: {},
    };
  }

  #host(context: RoundContext, note: RoundNote, crash: CrashPoint | undefined): ScriptHost {
    const { contract } = this;
    let drift: { steps: number; recent: string[]; movedAtStep: number; drift: 'none' | 'watch' | 'parked' } = { steps: 0, recent: [], movedAtStep: 0, drift: 'none' };
    const paths = new Map([...context.sources, ...context.upstream.flatMap((each) => each.artifacts), ...context.working].map((each) => [each.path, each]));

    return {
      call: async (name, given = {}) => {
        const call = `${context.round}/${drift.steps + 1}`;
        const tool = toolOf(context.lane, name);
        if (!tool) return { refusal: refuse('not_found', { detail: `no tool ${name}` }), notices: [], call };
        const parsed = tool.input.safeParse(asJson(given));
        if (!parsed.success) return { refusal: refuse('schema_invalid', { detail: parsed.error.message }), notices: [], call };
        const subject = tool.subject(parsed.data);

        const look = driftAfterCall(drift, subject, contract.limits.drift);
        const level = look.level === null ? drift.drift : look.level === 'none' ? 'none' : look.level === 'watch' ? 'watch' : 'parked';
        drift = { ...drift, steps: drift.steps + 1, recent: look.recent, drift: level };
        const notices: Notice[] = [];
        if (look.level === 'watch')
          notices.push({
            kind: 'watch',
            subject,
            recital: { milestone: contract.milestones[0]?.key ?? '', count: this.#counted.size, target: null, objective: contract.objective },
          });
        if (look.level === 'park') {
          this.#park(subject);
          notices.push({ kind: 'parked', subject });
        }
        const entry: CallNote = { tool: name, args: asJson(given), subject, notices };
        note.calls.push(entry);
        if (look.level === 'end') {
          note.outcome = 'drift';
          throw new RoundOver();
        }
        const refused = (refusal: Refusal) => {
          entry.refused = refusal;
          return { refusal, notices, call };
        };

        // As the host sees it: large arguments are kept as digest and size, so a rule cannot look into them.
        const seen = Object.fromEntries(
          Object.entries(asJson(parsed.data) as Record<string, Json>).map(([key, value]) =>
            tool.bulk?.includes(key) ? [key, { digest: sha256(JSON.stringify(value)) }] : [key, value],
          ),
        );
        const resolved = resolveFacts(seen, tool.factOnly ?? [], (key) => this.factValue(key));
        if (!resolved.ok) return refused(refuse(resolved.code, { errors: [{ pointer: resolved.pointer, code: resolved.code }] }));
        const nonGoal = forbiddenBy(contract.nonGoals, name, resolved.args);
        if (nonGoal) return refused(refuse('non_goal_forbidden', { detail: nonGoal.id, current: { nonGoal: nonGoal.id } }));

        if (crash?.call === drift.steps && crash.when === 'before') throw new Crash();
        const before = this.#counted.size;
        let ended: RoundNote['outcome'] | undefined;
        const env: ToolEnv = {
          context,
          files: this.#files(),
          paths,
          uploads: new Map(),
          command: async (type, payload) => this.#command(context, note, type, payload),
          read: async (query) => this.#read(query),
          end: (outcome) => {
            ended = outcome;
          },
          call,
          services: this.#services,
          // The sample's services are on this machine.
          world: fixedWorld({ ...closedRules, loopback: true }),
          ...(tool.effect === 'outside' ? { permit: { effect: `eff_${call}`, nonce: 'n', key: call, sendWithin: 10_000, timeout: 5_000 }, permittedAt: Date.now() } : {}),
        };
        const answer = await tool.run(
          tool.input.parse({ ...(parsed.data as object), ...Object.fromEntries(Object.entries(resolved.args as object).filter(([key]) => !tool.bulk?.includes(key))) }),
          env,
        );
        if (this.#counted.size > before) drift.movedAtStep = drift.steps;
        if (crash?.call === drift.steps && crash.when === 'after') throw new Crash();
        if (ended !== undefined) {
          note.outcome = ended;
          throw new RoundOver();
        }
        return answer.ok ? { value: asJson(answer.value), notices, call } : refused(answer.refusal);
      },
    };
  }

  #park(subject: string): void {
    const milestone = this.contract.milestones[0]?.key ?? '-';
    this.#row('review_list', `${milestone}/${subject}`, { subject, milestone, noteBody: this.#body('parked'), how: 'drift', by: 'host', at: 0, state: 'open' });
    this.#counted.add(subject);
  }

  #row(kind: RowKind, id: string, data: Record<string, unknown>, seq = ++this.#seq): void {
    this.lookup.put([{ kind, id, seq, data: asJson(data) }]);
  }

  #body(value: Json): string {
    const digest = digestOf(sha256, value);
    this.lookup.putBodies({ [digest]: value });
    return digest;
  }

  #recordFacts(facts: readonly FactEntry[]): void {
    for (const { key, value, provenance } of facts) {
      const before = this.lookup.row('fact', key)?.data as { version: number; valueBody: string } | undefined;
      const valueBody = this.#body(value);
      if (before?.valueBody !== valueBody) this.#row('fact', key, { key, version: (before?.version ?? 0) + 1, valueBody, provenance, by: 'skill', at: 0 });
    }
  }

  /** The commands that these scripts give, as far as a script can tell their effect. */
  #command(context: RoundContext, note: RoundNote, type: CommandType, payload: Json): { ok: true; result: Json } | { ok: false; refusal: Refusal } {
    const done = (result: Json = null) => ({ ok: true, result }) as const;
    switch (type) {
      case 'artifact.put': {
        const { artifact } = payload as unknown as { artifact: Artifact };
        const key = context.item?.key ?? '';
        this.#working.set(key, [...(this.#working.get(key) ?? []).filter((each) => each.path !== artifact.path), artifact]);
        return done();
      }
      case 'fact.record':
        this.#recordFacts((payload as unknown as { facts: FactEntry[] }).facts);
        return done();
      case 'ledger.record':
        for (const entry of (payload as unknown as { entries: LedgerEntry[] }).entries) {
          const id = `${entry.milestone ?? '-'}/${entry.subject}`;
          const standing = this.lookup.row('ledger_subject', id)?.data as { entry: string; verdict: string } | undefined;
          this.#recordFacts(entry.facts);
          if (standing) {
            const old = this.lookup.row('ledger', standing.entry);
            const data = old?.data as Record<string, Json> | undefined;
            if (data?.verdict === entry.verdict && this.lookup.body(String(data.reasonBody)) === entry.reason) continue;
            if (data) this.#row('ledger', standing.entry, { ...data, replacedBy: `led_${pad(this.#seq + 2)}` });
          }
          const seq = ++this.#seq;
          const led = `led_${pad(seq)}`;
          this.#row('ledger', led, { id: led, ...entry, facts: entry.facts.map((fact) => fact.key), reasonBody: this.#body(entry.reason) }, seq);
          this.#row('ledger_subject', id, { entry: led, verdict: entry.verdict }, seq);
          this.#counted.add(entry.subject);
        }
        return done();
      case 'review_list.add':
        for (const { subject, milestone, note: text } of (payload as unknown as { entries: { subject: string; milestone?: string; note: string }[] }).entries) {
          const id = `${milestone ?? '-'}/${subject}`;
          if (!this.lookup.row('review_list', id))
            this.#row('review_list', id, { subject, milestone, noteBody: this.#body(text), how: 'agent', by: 'skill', at: 0, state: 'open' });
        }
        return done();
      case 'submission.submit': {
        const { artifacts, summary, claims } = payload as unknown as NonNullable<RoundNote['submission']>;
        note.submission = { artifacts, summary, claims };
        return done({ submission: 'sub' });
      }
      case 'work.block': {
        const { key, reason, form } = payload as unknown as NonNullable<RoundNote['blocker']>;
        note.blocker = { key, reason, form };
        return done();
      }
      case 'plan.propose': {
        const parsed = planDocument.safeParse((payload as { document: Json }).document);
        if (!parsed.success) return { ok: false, refusal: refuse('plan_invalid', { detail: parsed.error.message }) };
        this.#proposal = parsed.data.items;
        return done({ proposal: 'prp_1', digest: sha256(JSON.stringify(parsed.data)), warnings: [] });
      }
      case 'plan.adopt':
        this.plan = this.#proposal;
        return done({ revision: 1 });
      case 'acceptance.invalidate': {
        const { acceptance, scene } = payload as unknown as { acceptance: string; scene: Scene };
        const key = acceptance.slice('acc_'.length);
        this.accepted.delete(key);
        this.feedback.set(key, [scene]);
        return done();
      }
      case 'note.append':
      case 'message.post':
      case 'effect.settle':
        return done();
      default:
        throw new Error(`this host does not know ${type}`);
    }
  }

  #read(query: ReadQuery): Json | undefined {
    switch (query.what) {
      case 'rows': {
        const { kind, what: _, ...options } = query;
        const rows = this.lookup.rows(kind as RowKind, options);
        return asJson({ data: rows, next: rows.length === query.limit ? (rows.at(-1)?.id ?? null) : null });
      }
      case 'fact':
        return this.lookup.row('fact', query.key)?.data;
      case 'item':
        return { submissions: this.accepted.has(query.item) ? [{ id: `sub_${query.item}`, verdicts: [{ id: `acc_${query.item}`, verdict: 'accepted', live: true }] }] : [] };
      case 'body':
        return this.lookup.body(query.digest);
      default:
        throw new Error(`this host does not read ${query.what}`);
    }
  }

  #files(): Files {
    const unused = async (): Promise<never> => {
      throw new Error('no script here writes in parts');
    };
    return {
      put: async (bytes) => this.#store(bytes),
      get: async (digest) => this.#bytes.get(digest),
      range: async (digest, offset, length) => this.#bytes.get(digest)?.subarray(offset, offset + length),
      stage: unused,
      assemble: unused,
      discard: unused,
    };
  }
}
