/**
 * Runs the scripts of the CSV export in memory, by the real tools and the real check scripts, in the order that the plan allows: what a script is told is what
 * the resume packet would tell it, cut as the packet cuts. Leases, fences, crashes and the record itself are the domain's tests' business.
 */
import { createHash } from 'node:crypto';
import { type Contract, contract as contractSchema } from '../../../worker/domain/contract/contract.ts';
import { RESUME } from '../../../worker/domain/limits.ts';
import type { PlanItem } from '../../../worker/domain/plan/document.ts';
import { validatePlan } from '../../../worker/domain/plan/validate.ts';
import type { CheckSpec, Scene } from '../../../worker/domain/planes/check-spec.ts';
import { scene as sceneSchema } from '../../../worker/domain/planes/check-spec.ts';
import { refuse } from '../../../worker/domain/refusals.ts';
import { type Artifact, type Executor, type Json, type Lane, principalOf } from '../../../worker/domain/values.ts';
import { clipScene } from '../../../worker/domain/views/clip.ts';
import type { ReadQuery, RoundContext } from '../../../worker/goal/rpc.ts';
import { closedRules } from '../../../worker/outgoing/address.ts';
import { fixedWorld } from '../../../worker/outgoing/world.ts';
import type { CheckScriptInput, ScriptHost } from '../../../worker/rounds/skill-api.ts';
import { startingPaths } from '../../../worker/tools/files/find.ts';
import { toolOf } from '../../../worker/tools/index.ts';
import type { Files, ToolEnv } from '../../../worker/tools/tool.ts';
import { type CsvGoalOptions, csvContract, csvGoal } from '../sample.ts';

const scripts = new URL('../../../skills/csv-export/scripts/', import.meta.url);
type Run = (host: ScriptHost | null, input: unknown) => Promise<unknown>;
/** A module of the skill, by file name. */
export async function scriptModule<T>(name: string): Promise<T> {
  return (await import(new URL(name, scripts).href)) as T;
}
async function scriptOf(name: string): Promise<Run> {
  return (await scriptModule<{ default: Run }>(name)).default;
}

/** What a packet with little else in it leaves to the newest scene. */
const NEWEST_BYTES = 4000;

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');
const asJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

export interface Delivery {
  item: string;
  attempt: number;
  artifacts: Artifact[];
  summary: string;
  claims: { criterion: string; evidence: string[] }[];
  checks: { key: string; pass: boolean; scene?: Scene }[];
  verdict: 'accepted' | 'changes_requested' | 'cannot_judge';
  by: string;
}
export interface Question {
  item: string;
  key: string;
  reason: string;
  form: Json;
  recommended?: Json;
  fact?: string;
}

interface RoundAbout {
  lane: Lane;
  executor: Executor;
  purpose?: NonNullable<RoundContext['purpose']>;
  item?: PlanItem;
  attempt?: number;
  children?: RoundContext['children'];
  brief?: NonNullable<RoundContext['brief']>;
  judged?: Delivery;
}

class RoundOver extends Error {}

export class ExportRun {
  readonly deliveries: Delivery[] = [];
  readonly invalidations: { item: string; by: string; scene: Scene }[] = [];
  readonly ledger: { subject: string; verdict: string; reason: string; evidence: string[] }[] = [];
  readonly facts = new Map<string, Json>();
  readonly audits: Json[] = [];
  readonly store = new Map<string, Uint8Array>();
  readonly staged = new Map<string, Uint8Array>();
  readonly contract: Contract;
  plan: PlanItem[] = [];
  readonly #feedback = new Map<string, { submission: string; by: string; verdict: string; scene: Scene }[]>();
  readonly #accepted = new Map<string, Delivery>();
  readonly #attempts = new Map<string, number>();
  readonly #sources: Artifact[];
  readonly #options: CsvGoalOptions;
  readonly #deaf: boolean;
  #calls = 0;

  /** `deaf`: no Attempt is told why the one before came back. */
  constructor(data: { records: Json; selection: Json } | { bytes: Record<string, Uint8Array> }, options: CsvGoalOptions & { deaf?: boolean } = {}) {
    const { deaf = false, ...rest } = options;
    this.#options = rest;
    this.#deaf = deaf;
    this.contract = contractSchema.parse(csvContract(rest));
    const text = (value: Json) => new TextEncoder().encode(JSON.stringify(value));
    const files = 'bytes' in data ? data.bytes : { 'records.json': text(data.records), 'selection.json': text(data.selection) };
    this.#sources = Object.entries(files).map(([path, bytes]) => ({ path, ...this.#put(bytes) }));
  }

  #put(bytes: Uint8Array): { digest: string; size: number } {
    const digest = sha256(bytes);
    this.store.set(digest, bytes);
    return { digest, size: bytes.length };
  }

  artifact(item: string, path: string): Artifact | undefined {
    return this.#accepted.get(item)?.artifacts.find((each) => each.path === path);
  }
  bytes(item: string, path: string): Uint8Array {
    const bytes = this.store.get(this.artifact(item, path)?.digest ?? '');
    if (!bytes) throw new Error(`${item} has no accepted ${path}`);
    return bytes;
  }
  text(item: string, path: string): string {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(this.bytes(item, path));
  }
  json(item: string, path: string): Json {
    return JSON.parse(this.text(item, path)) as Json;
  }
  accepted(): string[] {
    return [...this.#accepted.keys()];
  }

  /** Until everything is accepted, a question stands, or an item failed its checks `tries` times. */
  async toEnd(answers: Record<string, Json> = {}, tries = 4): Promise<{ end: 'done' } | { end: 'question'; question: Question } | { end: 'stuck'; item: string }> {
    if (this.plan.length === 0) await this.coordinate('plan');
    for (;;) {
      const next = this.plan.find((item) => !this.#accepted.has(item.key) && item.dependsOn.every((dep) => this.#accepted.has(dep.key)));
      if (!next) return { end: 'done' };
      if ((this.#attempts.get(next.key) ?? 0) >= tries) return { end: 'stuck', item: next.key };
      const question = await this.work(next);
      if (!question) continue;
      const answer = answers[question.key];
      if (answer === undefined || (question.fact && this.facts.has(question.fact))) return { end: 'question', question };
      this.facts.set(question.fact ?? `answer/${question.key}`, answer);
    }
  }

  async coordinate(purpose: RoundContext['purpose']): Promise<void> {
    const executor = csvGoal(this.#options).lanes?.coordinator as Executor;
    await this.#round({ lane: 'coordinator', executor, ...(purpose ? { purpose } : {}) });
  }

  /** One Attempt of an item: its rounds, checks and review. Gives the question that stopped it, if one did. */
  async work(item: PlanItem): Promise<Question | undefined> {
    if (item.executor?.kind !== 'skill') throw new Error(`${item.key} has no skill`);
    const attempt = (this.#attempts.get(item.key) ?? 0) + 1;
    this.#attempts.set(item.key, attempt);
    const children: RoundContext['children'] = {};
    for (;;) {
      const round = await this.#round({ lane: 'worker', executor: item.executor, item, attempt, children });
      if (round.question) {
        this.#attempts.set(item.key, attempt - 1);
        return round.question;
      }
      if (round.spawned.length > 0) {
        for (const child of round.spawned) {
          const { returned } = await this.#round({
            lane: 'worker',
            executor: child.executor,
            item,
            attempt,
            brief: { subagent: child.name, name: child.name, item: item.key, value: child.brief },
          });
          children[child.name] = { state: 'returned', ok: true, result: returned ?? null };
        }
        continue;
      }
      if (round.submitted) await this.#judge(item, { ...round.submitted, item: item.key, attempt });
      return undefined;
    }
  }

  async #judge(item: PlanItem, submitted: Pick<Delivery, 'item' | 'attempt' | 'artifacts' | 'summary' | 'claims'>): Promise<void> {
    const delivery: Delivery = { ...submitted, checks: [], verdict: 'accepted', by: 'host' };
    this.deliveries.push(delivery);
    for (const check of item.checks) delivery.checks.push({ key: check.key, ...(await this.check(check, submitted.artifacts)) });
    const failed = delivery.checks.filter((check) => !check.pass);
    if (failed.length > 0) {
      delivery.verdict = 'changes_requested';
      const scenes = failed.map((check) => check.scene ?? { summary: check.key });
      const lists = (pick: (scene: Scene) => string[] | undefined) => scenes.flatMap((scene) => pick(scene) ?? []);
      this.#return(item.key, 'host', {
        summary: scenes
          .map((scene) => scene.summary)
          .join(' ')
          .slice(0, 2000),
        missing: lists((scene) => scene.missing),
        findings: scenes.flatMap((scene) => scene.findings ?? []).slice(0, 50),
      });
      return;
    }
    const stage = item.review.find((each) => each.by === 'agent');
    if (stage?.by === 'agent') {
      const reviewer = stage.reviewer as Executor;
      delivery.by = principalOf(reviewer);
      const { review } = await this.#round({ lane: 'reviewer', executor: reviewer, item, judged: delivery });
      delivery.verdict = (review?.verdict as Delivery['verdict']) ?? 'cannot_judge';
      if (delivery.verdict !== 'accepted') return this.#return(item.key, delivery.by, review?.scene ?? { summary: delivery.verdict });
    }
    this.#accepted.set(item.key, delivery);
  }

  #return(item: string, by: string, scene: Scene): void {
    this.#feedback.set(item, [
      { submission: `sub_${item}_${this.#attempts.get(item)}`, by, verdict: 'changes_requested', scene: sceneSchema.parse(asJson(scene)) },
      ...(this.#feedback.get(item) ?? []),
    ]);
  }

  /** A check as the host runs it. `judged`: artifacts for references that name no item. */
  async check(spec: CheckSpec, judged: readonly Artifact[] = []): Promise<{ pass: boolean; scene?: Scene }> {
    if (spec.kind === 'json_schema') {
      const { fromJSONSchema } = await import('zod');
      const file = 'source' in spec.file ? undefined : this.artifact(spec.file.item ?? '', spec.file.path);
      const value = file ? (JSON.parse(new TextDecoder().decode(this.store.get(file.digest))) as Json) : undefined;
      return { pass: fromJSONSchema(spec.schema as never).safeParse(value).success };
    }
    if (spec.kind !== 'script') throw new Error(`no check of the kind ${spec.kind} here`);
    const files: CheckScriptInput['files'] = {};
    for (const ref of spec.files) {
      const path = 'source' in ref ? ref.source : ref.path;
      const found = 'source' in ref ? this.#sources.find((each) => each.path === path) : ref.item ? this.artifact(ref.item, path) : judged.find((each) => each.path === path);
      const bytes = found && this.store.get(found.digest);
      files[path] = bytes ? { base64: Buffer.from(bytes).toString('base64'), size: bytes.length } : null;
    }
    const facts = Object.fromEntries(spec.facts.flatMap((key) => (this.facts.has(key) ? [[key, this.facts.get(key) as Json]] : [])));
    const answer = (await (await scriptOf(spec.script))(null, { files, facts, input: spec.input ?? null })) as { pass: boolean; scene?: Scene };
    return answer.scene ? { pass: answer.pass, scene: sceneSchema.parse(asJson(answer.scene)) } : { pass: answer.pass };
  }

  async #round(about: RoundAbout) {
    if (about.executor.kind !== 'skill') throw new Error('only skills run here');
    const out: {
      question?: Question;
      spawned: { name: string; executor: Executor; brief: Json }[];
      submitted?: Pick<Delivery, 'artifacts' | 'summary' | 'claims'>;
      review?: { verdict: string; scene?: Scene };
      returned?: Json;
    } = { spawned: [] };
    const context = this.#context(about);
    const paths = startingPaths(context);
    const uploads: ToolEnv['uploads'] = new Map();
    const host: ScriptHost = {
      call: async (name, args = {}) => {
        this.#calls += 1;
        const call = `${context.round}/${this.#calls}`;
        const tool = toolOf(context.lane, name);
        if (!tool) return { refusal: refuse('not_found', { detail: `no tool ${name}` }), notices: [], call };
        const parsed = tool.input.safeParse(asJson(args));
        if (!parsed.success) return { refusal: refuse('schema_invalid', { detail: parsed.error.message }), notices: [], call };
        let over = false;
        const env: ToolEnv = {
          context,
          paths,
          uploads,
          call,
          files: this.#files(),
          services: {},
          world: fixedWorld(closedRules),
          command: async (type, payload) => this.#command(context, out, type, payload),
          read: async (query) => this.#read(query),
          end: () => {
            over = true;
          },
        };
        const answer = await tool.run(parsed.data, env);
        if (over && answer.ok) throw new RoundOver();
        return answer.ok ? { value: asJson(answer.value), notices: [], call } : { refusal: answer.refusal, notices: [], call };
      },
    };
    try {
      out.returned = asJson((await (await scriptOf(about.executor.script))(host, asJson(context))) ?? null) as Json;
    } catch (error) {
      if (!(error instanceof RoundOver)) throw error;
    }
    return out;
  }

  #context(about: RoundAbout): RoundContext {
    const { item, judged } = about;
    const widths = { summaryBytes: RESUME.feedback.summaryBytes, findingChars: RESUME.findingChars, idChars: RESUME.idChars };
    const feedback =
      item && !this.#deaf
        ? (this.#feedback.get(item.key) ?? [])
            .slice(0, RESUME.feedback.entries)
            .map((each, age) => ({ ...each, scene: clipScene(each.scene, age === 0 ? NEWEST_BYTES : RESUME.feedback.olderBytes, widths) }))
        : [];
    return {
      round: `rnd_${this.#calls}`,
      fence: 1,
      lane: about.lane,
      target: item ? `item:${item.key}` : 'goal',
      principal: principalOf(about.executor),
      executor: about.executor,
      ...(about.purpose ? { purpose: about.purpose } : {}),
      goalVersion: 1,
      planRevision: 1,
      leaseMs: 30_000,
      stepsPerRound: 5000,
      contract: this.contract,
      packet: {
        goalVersion: 1,
        planRevision: 1,
        seq: 0,
        milestones: [],
        next: { ready: [], blocked: [], submitted: [], counts: {} },
        decisions: [],
        messages: { count: 0, head: [] },
        reviewList: { count: 0, head: [] },
        effects: [],
        approvals: [],
        children: [],
        facts: { count: this.facts.size, keys: [...this.facts.keys()] },
        feedback,
        before: null,
        recovery: false,
        rest: {},
      },
      sources: this.#sources,
      ...(item && about.lane === 'worker'
        ? {
            item: {
              key: item.key,
              title: item.title,
              objective: item.objective,
              deliverable: item.deliverable,
              acceptance: item.acceptance,
              covers: item.covers,
              inputs: item.inputs,
              input: item.input ?? null,
              attempt: `att_${item.key}_${about.attempt ?? 1}`,
              attemptNumber: about.attempt ?? 1,
              specDigest: sha256(item.key),
            },
          }
        : {}),
      ...(judged && item
        ? {
            submission: {
              id: `sub_${judged.item}`,
              digest: sha256(judged.summary),
              number: judged.attempt,
              item: judged.item,
              by: principalOf(item.executor as Executor),
              summary: judged.summary,
              artifacts: judged.artifacts,
              claims: judged.claims,
              criteria: [
                ...item.acceptance,
                ...this.contract.criteria.filter((each) => each.verify === 'review' && item.covers.includes(each.id)).map(({ id, text }) => ({ id, text })),
              ],
            },
          }
        : {}),
      upstream: (item?.dependsOn ?? []).flatMap(({ key }) => {
        const up = this.#accepted.get(key);
        return up ? [{ item: key, submission: `sub_${key}`, artifacts: up.artifacts, summary: up.summary }] : [];
      }),
      working: [],
      children: about.children ?? {},
      ...(about.brief ? { brief: about.brief } : {}),
    };
  }

  #command(
    context: RoundContext,
    out: { question?: Question; spawned: { name: string; executor: Executor; brief: Json }[]; submitted?: unknown; review?: unknown },
    type: string,
    payload: Json,
  ): Awaited<ReturnType<ToolEnv['command']>> {
    const given = payload as Record<string, Json>;
    switch (type) {
      case 'artifact.put':
      case 'tasks.set':
      case 'round.end':
        return { ok: true, result: null };
      case 'fact.record':
        for (const fact of given.facts as { key: string; value: Json }[]) this.facts.set(fact.key, fact.value);
        return { ok: true, result: null };
      case 'ledger.record':
        this.ledger.push(...(given.entries as unknown as ExportRun['ledger']));
        return { ok: true, result: null };
      case 'work.block':
      case 'goal.block':
        out.question = given as unknown as Question;
        return { ok: true, result: null };
      case 'subagent.spawn':
        out.spawned = given.children as unknown as typeof out.spawned;
        return { ok: true, result: null };
      case 'submission.submit':
        out.submitted = given;
        return { ok: true, result: null };
      case 'review.record':
        out.review = given;
        return { ok: true, result: null };
      case 'acceptance.invalidate': {
        const key = String(given.acceptance).replace('acc_', '');
        const scene = sceneSchema.parse(given.scene);
        this.invalidations.push({ item: key, by: context.principal, scene });
        this.#return(key, context.principal, scene);
        const fall = (fallen: string): void => {
          this.#accepted.delete(fallen);
          for (const item of this.plan) if (item.dependsOn.some((dep) => dep.key === fallen)) fall(item.key);
        };
        fall(key);
        return { ok: true, result: null };
      }
      case 'plan.propose': {
        const verdict = validatePlan(given.document, { mode: 'bound', criteria: this.contract.criteria });
        if (!verdict.ok) return { ok: false, refusal: refuse('plan_invalid', { errors: verdict.errors, detail: JSON.stringify(verdict.errors) }) };
        this.plan = verdict.document.items;
        return { ok: true, result: { proposal: 'prp_1', warnings: verdict.warnings as unknown as Json } };
      }
      case 'plan.adopt':
        return { ok: true, result: { revision: 1 } };
      case 'goal.audit':
        this.audits.push(payload);
        return { ok: true, result: null };
      default:
        throw new Error(`nothing here takes ${type}`);
    }
  }

  #read(query: ReadQuery): Json | undefined {
    if (query.what === 'fact')
      return this.facts.has(query.key)
        ? { key: query.key, version: 1, value: this.facts.get(query.key) as Json, provenance: { from: 'person', principal: 'person:owner' } }
        : undefined;
    if (query.what === 'item') {
      const standing = this.#accepted.has(query.item);
      return {
        submissions: this.deliveries
          .filter((each) => each.item === query.item)
          .map((each, at) => ({
            id: `sub_${query.item}`,
            number: at + 1,
            checks: [],
            verdicts: [{ id: `acc_${query.item}`, verdict: each.verdict, live: standing && each === this.#accepted.get(query.item) }],
          })),
      };
    }
    throw new Error(`nothing here reads ${query.what}`);
  }

  #files(): Files {
    return {
      put: async (bytes) => this.#put(bytes),
      get: async (digest) => this.store.get(digest),
      range: async (digest, offset, length) => this.store.get(digest)?.subarray(offset, offset + length),
      stage: async (upload, part, bytes) => {
        this.staged.set(`${upload}/${part}`, bytes);
      },
      assemble: async (upload, parts, whole) => {
        const bytes = Buffer.concat(Array.from({ length: parts }, (_, part) => this.staged.get(`${upload}/${part}`) ?? new Uint8Array()));
        if (this.#put(new Uint8Array(bytes)).digest !== whole.digest) throw new Error('the parts do not give the digest');
        for (let part = 0; part < parts; part++) this.staged.delete(`${upload}/${part}`);
      },
      discard: async (upload, parts) => {
        for (let part = 0; part < parts; part++) this.staged.delete(`${upload}/${part}`);
      },
    };
  }
}
