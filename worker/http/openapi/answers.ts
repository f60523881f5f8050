/** What the routes answer, beside the views. */
import { z } from 'zod';
import type { Comparison } from '../../book/compare.ts';
import type { DeadLetter } from '../../book/dead-letters.ts';
import type { BookCounts } from '../../book/operator.ts';
import type { BookRow, GoalUsage } from '../../book/queries.ts';
import type { ItemHistoryRow } from '../../book/queries/item-history.sql.ts';
import { awaitedKinds } from '../../domain/values.ts';
import { contract, policyRule } from '../../domain/contract/contract.ts';
import { scopes } from '../../domain/context.ts';
import { type RefusalCode, refusalTable } from '../../domain/refusals.ts';
import { roles } from '../../domain/roles.ts';
import { chat, outletTypes, webhook } from '../../workspace/core/outlets.ts';
import type { ProgressView } from '../../workspace/core/progress.ts';
import { triggerDefinition } from '../../workspace/core/triggers/definition.ts';
import { template } from '../../domain/template/template.ts';
import type { ItemFigures } from '../../domain/template/figures.ts';
import type { Problem } from '../../domain/refusals.ts';
import type { Extracted } from '../../domain/template/extract.ts';
import type { DecisionView, EvidenceView } from '../../domain/views/evidence-view.ts';
import { outgoingSettings } from '../../outgoing/policy.ts';
import type { Imported } from '../../goal/archive/format.ts';
import type { CatalogueEntry } from '../../models/catalogue.ts';
import type { ProviderTest } from '../../models/test-call.ts';
import type { AuditVerified } from '../../workspace/audit/audit-log.ts';
import { quotaOverride } from '../../workspace/core/quotas.ts';
import type { Erasure } from '../../workspace/erasing/erasures.ts';
import type { InvitationView, LogView, MemberView, TokenView } from '../../workspace/people/reads.ts';
import type { AuditEntry, SecretsView, SettingsView, TemplateView, UsageRead } from '../../workspace/reads.ts';
import { mcpServer, prices, profile, provider, workspaceBudget } from '../../workspace/settings.ts';
import type { NotificationsView } from '../../workspace/core/notifications-view.ts';
import type { ProblemBody } from '../problem.ts';
import type { Progress } from '../../domain/views/progress.ts';
import { named, part } from './parts.ts';
import { acts, anyJson, bar, count, event, summary, time } from './views.ts';

const nextCursor = z.string().nullable();
const page = <S extends z.ZodType>(entry: S) => z.strictObject({ data: z.array(entry), nextCursor });
const list = <S extends z.ZodType>(entry: S) => z.strictObject({ data: z.array(entry) });
/** `seq` up to which the answer holds the goal; by goal where it is about several. */
const ofGoalOrSeveral = { seq: count.optional(), seqs: z.record(z.string(), count).optional() };

const codes = Object.keys(refusalTable) as [RefusalCode, ...RefusalCode[]];
export const problem = part<ProblemBody>()(
  'Problem',
  z.strictObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.enum(codes),
    detail: z.string(),
    todo: z.string(),
    requestId: z.string(),
    retryable: z.boolean(),
    effect: z.enum(['none', 'applied', 'unknown']),
    errors: z.array(z.strictObject({ pointer: z.string(), code: z.string(), detail: z.string().optional() })),
    current: anyJson,
    allowedNext: z.array(z.string()),
  }),
);

export const applied = named(
  'Applied',
  z.strictObject({
    outcome: z.literal('applied'),
    goal: z.string(),
    seq: count,
    events: z.array(event),
    goalVersion: count,
    planRevision: count,
    itemVersion: count.optional(),
    result: anyJson,
    replayed: z.boolean(),
    dryRun: z.boolean(),
    allowedNext: z.array(z.string()).optional(),
  }),
);
export const workspaceApplied = named(
  'SettingApplied',
  z.strictObject({ outcome: z.literal('applied'), version: count, replayed: z.boolean(), dryRun: z.boolean(), result: anyJson.optional() }),
);
export const peopleApplied = named(
  'PeopleApplied',
  z.strictObject({
    outcome: z.literal('applied'),
    result: anyJson.optional(),
    /** The text of a token: in this one answer and nowhere else. */
    secret: z.string().optional(),
    /** Of an invitation. */
    link: z.string().optional(),
    mailed: z.boolean().optional(),
    replayed: z.boolean().optional(),
    dryRun: z.boolean(),
  }),
);

export const goal = named('Goal', z.strictObject({ id: z.string(), bar, contract: contract.nullable() }));
export const goals = page(summary);
const bookRow = part<BookRow>()(
  'HistoryRow',
  z.strictObject({
    goal: z.string(),
    execution: z.string().nullable(),
    id: z.string(),
    item: z.string().nullable(),
    attempt: z.string().nullable(),
    seq: count,
    at: time,
    data: anyJson,
    texts: z.record(z.string(), anyJson),
  }),
);
export const history = named('History', page(bookRow).extend(ofGoalOrSeveral));
const decision = part<DecisionView>()(
  'Decision',
  z.strictObject({
    id: z.string(),
    subject: z.string(),
    milestone: z.string().optional(),
    verdict: z.string(),
    reason: z.string(),
    by: z.string(),
    at: time,
    item: z.string().optional(),
    evidence: z.array(z.string()),
    fallen: z.array(z.string()),
    asked: z.boolean(),
  }),
);
export const evidence = part<EvidenceView & { seq: number }>()(
  'Evidence',
  z.strictObject({
    evidence: z.string(),
    fallen: z.boolean(),
    mark: z.strictObject({ at: time, by: z.string(), reason: z.string() }).nullable(),
    facts: z.array(z.strictObject({ key: z.string(), version: count, current: z.boolean() })),
    decisions: z.array(decision),
    acceptances: z.array(z.strictObject({ id: z.string(), item: z.string(), title: z.string(), submission: z.string(), number: count, by: z.string(), at: time })),
    downstream: z.array(z.strictObject({ item: z.string(), title: z.string() })),
    counts: z.strictObject({ facts: count, decisions: count, acceptances: count, downstream: count }),
    seq: count,
  }),
);
export const templateDraft = part<Extracted & { problems: Problem[] }>()(
  'TemplateDraft',
  z.strictObject({
    template: z.record(z.string(), anyJson),
    found: z.array(
      z.strictObject({
        name: z.string(),
        type: z.enum(['string', 'integer', 'number']),
        value: z.union([z.string(), z.number()]),
        other: z.union([z.string(), z.number()]).optional(),
        why: z.enum(['filled', 'differs', 'of_the_case']),
        places: z.array(z.string()),
      }),
    ),
    left: z.array(z.strictObject({ pointer: z.string(), code: z.enum(['identity_removed', 'case_in_name']), detail: z.string() })),
    problems: z.array(z.strictObject({ pointer: z.string(), code: z.string(), detail: z.string().optional() })),
  }),
);
export const templateFigures = named(
  'TemplateFigures',
  z.strictObject({
    goals: count,
    data: z.array(
      part<ItemFigures>()(
        'ItemFigures',
        z.strictObject({
          item: z.string(),
          goals: count,
          attempts: count,
          returns: count,
          ms: count,
          tokens: count,
          money: z.record(z.string(), z.number()),
        }),
      ),
    ),
  }),
);
export const askedDecisions = named('AskedDecisions', z.strictObject({ count, data: z.array(decision), seq: count }));
export const ledger = named('Ledger', z.strictObject({ data: z.array(bookRow.extend({ evidence: z.string().optional() })), nextCursor, ...ofGoalOrSeveral }));
/** better-auth's own. */
export const auth = named('AuthAnswer', z.unknown());
const text = z.string().nullable();
const number = z.number().nullable();
export const itemHistory = page(
  part<ItemHistoryRow>()(
    'ItemHistoryRow',
    z.strictObject({
      attempt_number: count,
      attempt: z.string(),
      worked_by: z.string(),
      fence: count,
      attempt_state: z.string(),
      ended_why: text,
      started_at: number,
      ended_at: number,
      submission_number: number,
      submission: text,
      submission_digest: text,
      summary: text,
      submitted_at: number,
      superseded_by: text,
      verdict: z.enum(['accepted', 'changes_requested', 'rejected']).nullable(),
      judged_by: text,
      judged_at: number,
      verdict_live: z.union([z.literal(0), z.literal(1)]).nullable(),
      came_back: text,
      scene: text,
      invalidated_because: text,
      seq: count,
    }),
  ),
).extend({ seq: count });
const sums = { calls: count, tokens: count, money: count, cacheRead: count, cacheWrite: count, assumed: count };
export const goalUsage = part<GoalUsage>()(
  'GoalUsage',
  z.strictObject({
    currency: text,
    total: z.strictObject(sums),
    data: z.array(z.strictObject({ item: text, lane: text, profile: text, model: text, ...sums })),
    more: z.boolean(),
    seq: count,
  }),
);
export const events = page(event).extend({ seq: count });
export const record = page(z.strictObject({ id: z.string(), seq: count, item: z.string().optional(), attempt: z.string().optional(), data: anyJson })).extend({ seq: count });
export const fact = named(
  'Fact',
  z.strictObject({ key: z.string(), version: count, value: anyJson, erased: z.boolean(), provenance: anyJson, by: z.string(), at: time, seq: count }),
);
export const body = z.strictObject({ digest: z.string(), value: anyJson, seq: count });
/** State, timers, lanes and counters, for whoever looks for what is wrong; its shape follows the code. */
export const doctor = named('Doctor', z.looseObject({ readOnly: text, lanes: z.array(anyJson), counters: anyJson }));

export const imported = part<Imported & { outcome: 'imported' }>()(
  'Imported',
  z.strictObject({
    outcome: z.literal('imported'),
    goal: z.string(),
    seq: count,
    added: count,
    erasedBodies: count,
    missingFiles: z.array(z.string()),
    paused: z.boolean(),
  }),
);
export const erased = z.strictObject({ outcome: z.literal('erased'), goal: z.string(), done: z.boolean() });
export const rebuilt = named('Rebuilt', z.looseObject({ goal: z.string() }));
export const rebuiltAll = z.strictObject({ rebuilt: z.array(z.string()), failed: z.array(z.string()), nextCursor });
export const comparison = part<Comparison>()(
  'Comparison',
  z.strictObject({
    equal: z.boolean(),
    seq: count,
    projectedSeq: count,
    tables: z.array(z.strictObject({ table: z.string(), record: count, book: count, differing: z.array(z.string()) })),
  }),
);
export const deadLetters = page(
  part<Omit<DeadLetter, 'workspace'>>()(
    'DeadLetter',
    z.strictObject({ goal: z.string(), id: z.string(), kind: z.string(), ref: z.string(), fence: count, sentAt: time, at: time }),
  ),
).extend({ total: count });
const counts = z.record(z.string(), count);
const bookCounts = part<BookCounts>()('BookCounts', z.strictObject({ goals: counts, rounds: counts, effects: counts, overdue: count, overdueMs: count, deadLetters: count }));
export const counters = z.strictObject({
  isolate: z.strictObject({ since: time, counts: z.record(z.string(), counts) }),
  book: bookCounts.nullable(),
  metrics: z.boolean(),
});

export const me = named(
  'Caller',
  z.strictObject({
    principal: z.string(),
    kind: z.enum(['person', 'token']),
    operator: z.boolean(),
    name: z.string().optional(),
    email: z.string().optional(),
    emailVerified: z.boolean().optional(),
    goals: z.array(z.string()).optional(),
    /** Of the token of an Attempt. */
    attempt: z.strictObject({ item: z.string(), attempt: z.string(), fence: count }).optional(),
    workspaces: z.array(z.strictObject({ id: z.string(), name: z.string(), role: z.enum(roles).nullable(), scopes: z.array(z.enum(scopes)) })),
  }),
);
export const madeWorkspace = named('Made', z.strictObject({ outcome: z.literal('applied'), result: anyJson, replayed: z.boolean() }));
const role = z.enum(roles);
export const members = list(
  part<MemberView>()('Member', z.strictObject({ id: z.string(), principal: z.string(), name: z.string(), email: z.string().optional(), role, since: time })),
);
export const invitations = list(
  part<InvitationView>()('Invitation', z.strictObject({ id: z.string(), email: z.string(), role, invitedBy: z.string(), createdAt: time, expiresAt: time })),
);
const receipt = named(
  'Receipt',
  z.strictObject({
    kind: z.enum(['workspace', 'person']),
    subject: z.string(),
    askedBy: z.string(),
    askedAt: time,
    doneAt: time,
    erased: counts,
    kept: z.array(z.strictObject({ what: z.string(), why: z.string() })),
    auditHead: z.strictObject({ seq: count, digest: z.string() }).optional(),
    digest: z.string(),
  }),
);
export const names = list(z.strictObject({ principal: z.string(), name: z.string() }));
export const erasure = part<Pick<Erasure, 'id' | 'kind' | 'subject' | 'askedAt'> & { state: 'done' | 'going_on'; receipt: z.output<typeof receipt> | null }>()(
  'Erasure',
  z.strictObject({ id: z.string(), kind: z.enum(['workspace', 'person']), subject: z.string(), askedAt: time, state: z.enum(['done', 'going_on']), receipt: receipt.nullable() }),
);
export const erasures = list(erasure);
export const erasureBegun = z.strictObject({ outcome: z.literal('applied'), erasure });
/** With `proposal` and its like where it was proposed, else with the document. */
export const planImport = z.looseObject({
  format: z.string(),
  planRevision: count,
  kept: count,
  items: count,
  notes: z.array(z.strictObject({ code: z.string(), where: z.string(), key: z.string().optional(), detail: z.string().optional(), means: z.string() })),
});
export const quotasSet = z.strictObject({ outcome: z.literal('applied'), workspace: z.string() });
export const tokens = list(
  part<TokenView>()(
    'Token',
    z.strictObject({
      id: z.string(),
      prefix: z.string(),
      name: z.string(),
      scopes: z.array(z.enum(scopes)),
      goals: z.array(z.string()).nullable(),
      addresses: z.array(z.string()).nullable(),
      issuedBy: z.string(),
      issuedAt: time,
      expiresAt: time,
      lastUsedAt: time.nullable(),
      revokedAt: time.nullable(),
      state: z.enum(['live', 'expired', 'revoked']),
    }),
  ),
);
export const peopleLog = page(
  part<LogView>()(
    'PeopleLogEntry',
    z.strictObject({ at: time, principal: z.string(), commandId: z.string(), type: z.string(), address: text, reason: text, before: anyJson, after: anyJson }),
  ),
);

const setting = <S extends z.ZodType>(value: S) => z.strictObject({ value, version: count, at: time.nullable(), by: text });
export const settings = part<SettingsView>()(
  'Settings',
  z.strictObject({
    version: count,
    providers: z.array(setting(provider)),
    profiles: z.array(setting(profile)),
    mcp: z.array(setting(mcpServer)),
    webhooks: z.array(setting(webhook)),
    chats: z.array(setting(chat)),
    outgoing: setting(outgoingSettings),
    policy: setting(z.strictObject({ rules: z.array(policyRule) })),
    budget: setting(workspaceBudget),
    connections: z.array(
      z.strictObject({
        setting: z.string(),
        kind: z.enum(['model', 'mcp']),
        shown: z.string(),
        standing: z.enum(['works', 'later', 'refused']),
        code: text,
        detail: z.string(),
        at: time,
        again: time.nullable(),
      }),
    ),
  }),
);
const templateHead = z.strictObject({
  name: z.string(),
  title: z.string(),
  mode: z.enum(['goal_only', 'graph_only', 'bound']),
  latest: count,
  confirmed: count.nullable(),
  retired: z.boolean(),
});
export const templates = z.strictObject({ data: z.array(setting(templateHead)) });
named('Template', template);
export const templateView = part<TemplateView>()(
  'TemplateView',
  setting(templateHead).extend({
    versions: z.array(z.strictObject({ version: count, digest: z.string(), at: time, by: z.string(), confirmed: z.strictObject({ at: time, by: z.string() }).nullable() })),
    document: template,
    shown: count,
  }),
);
const awaited = z.strictObject({ kind: z.enum(awaitedKinds), correlation: z.string(), generation: count, reason: z.string(), since: time, by: z.string() });
const businessRound = named(
  'BusinessRound',
  z.strictObject({
    id: z.string(),
    trigger: z.string(),
    name: z.string(),
    source: z.enum(['cron', 'webhook', 'fire', 'replay']),
    due: time,
    at: time,
    standsFor: count,
    state: z.enum(['owed', 'running', 'waiting', 'completed', 'skipped', 'missed']),
    generation: count,
    awaits: awaited.nullable(),
    closed: z
      .strictObject({
        how: z.enum(['command', 'goal', 'delivered', 'not_started']),
        at: time,
        by: z.string(),
        reason: z.string().nullable(),
        awaited: awaited.nullable().optional(),
      })
      .nullable(),
    blockedBy: z.string().nullable(),
    act: z.enum(['none', 'pending', 'done', 'refused']),
    goal: z.string().nullable(),
    goalEnded: z.string().nullable(),
    endsWithGoal: z.boolean(),
    refusal: anyJson,
  }),
);
const triggerAsKept = triggerDefinition.extend({ id: z.string(), hook: z.string().nullable() });
export const trigger = named(
  'TriggerView',
  setting(triggerAsKept).extend({
    next: z.array(time),
    unfinished: businessRound.nullable(),
    owed: count,
    last: z.array(businessRound),
    refused: z.strictObject({ count, at: time.nullable(), code: z.string().nullable() }),
  }),
);
export const triggers = z.strictObject({ data: z.array(trigger) });
export const businessRounds = z.strictObject({ data: z.array(businessRound.extend({ seq: count, late: count })), nextCursor: z.string().nullable() });
const late = z.array(z.strictObject({ at: time, by: z.string(), what: z.string(), why: z.string(), body: anyJson }));
export const businessRoundDetails = z.strictObject({
  round: businessRound,
  known: anyJson,
  late,
  before: z
    .strictObject({
      round: businessRound,
      open: z.strictObject({ awaited, came: z.strictObject({ at: time, by: z.string(), what: z.string(), why: z.string(), body: anyJson }).nullable() }).nullable(),
      late,
    })
    .nullable(),
});
export const deliveries = z.strictObject({
  data: z.array(
    z.strictObject({
      seq: count,
      delivery: z.string(),
      name: z.string(),
      at: time,
      state: z.enum(['fired', 'filtered', 'paused', 'failed']),
      round: z.string().nullable(),
      detail: z.string().nullable(),
      headers: z.record(z.string(), z.string()),
      bytes: count,
      repeats: count,
      kept: z.boolean(),
    }),
  ),
  nextCursor: z.string().nullable(),
});
export const triggerTried = z.strictObject({
  problems: z.array(z.strictObject({ pointer: z.string(), code: z.string(), detail: z.string().optional() })),
  next: z.array(time),
  passes: z.boolean().nullable(),
  values: anyJson,
  refusal: anyJson,
});
export const delivered = z.strictObject({
  delivery: z.string(),
  state: z.enum(['fired', 'filtered', 'paused', 'failed']),
  round: z.string().nullable(),
  roundState: z.string().nullable(),
  goal: z.string().nullable(),
  repeated: z.boolean(),
});
export const deliveredOrChallenged = z.union([delivered, z.strictObject({ challenge: z.string() })]);
export const webhookDeliveries = z.strictObject({
  data: z.array(
    z.strictObject({
      seq: count,
      endpoint: z.string(),
      id: z.string(),
      type: z.string(),
      goal: z.string(),
      state: z.enum(['pending', 'delivered', 'failed']),
      tries: count,
      madeAt: time,
      nextAt: time.nullable(),
      attempts: z.array(z.strictObject({ n: count, at: time, ms: count, status: z.int().nullable(), fault: z.string().nullable() })),
    }),
  ),
  endpoints: z.array(z.strictObject({ name: z.string(), failingSince: time.nullable(), disabled: z.strictObject({ at: time, why: z.enum(['gone', 'failing']) }).nullable() })),
  nextCursor: z.string().nullable(),
});
const kinds = z.array(z.enum(outletTypes));
export const notifications = part<NotificationsView>()(
  'Notifications',
  z.strictObject({
    mail: z.strictObject({
      way: z.enum(['mailbox', 'service', 'cloudflare', 'none']),
      address: z.string().nullable(),
      confirmed: z.boolean(),
      kinds: kinds.nullable(),
      byDefault: kinds,
    }),
    chat: z.strictObject({ byDefault: kinds }),
    kinds,
  }),
);
export const goalPosted = named('GoalPosted', z.strictObject({ goal: z.string(), message: count, source: z.string() }));
export const linkOpened = named('LinkOpened', z.strictObject({ goal: z.string(), ref: z.string(), act: acts.nullable() }));
export const progressLinks = list(
  part<ProgressView>()('ProgressLink', z.strictObject({ name: z.string(), goal: z.string(), version: count, at: time, by: z.string(), until: time, link: z.string().nullable() })),
);
export const progressShown = part<Progress>()(
  'Progress',
  z.strictObject({
    title: z.string(),
    status: bar.shape.status,
    why: z.enum(['terminal', 'draft', 'paused', 'budget', 'deadline', 'running', 'ready', 'queued', 'checking', 'waiting', 'blocked', 'no_progress', 'suspended']),
    at: time,
    until: time,
    criteria: z.strictObject({ proven: count, of: count }),
    items: z.strictObject({ accepted: count, required: count }),
    milestones: z.array(z.strictObject({ title: z.string(), count: z.number(), target: z.number().nullable() })),
    waits: z.array(z.strictObject({ act: acts, count })),
  }),
);
/** `status` null: no answer came. */
export const chatTested = named('ChatTest', z.strictObject({ ok: z.boolean(), chat: z.string(), status: z.int().nullable(), fault: z.string().nullable() }));
export const webhookReplayed = z.strictObject({ outcome: z.literal('replayed'), id: z.string() });
/** Of a dry run: what `goal.create` would be given. */
export const goalFromTemplate = z.union([applied, z.strictObject({ version: count, payload: anyJson, dryRun: z.literal(true) })]);
export const fileLink = z.strictObject({ url: z.string(), expiresAt: time });
export const secrets = part<SecretsView>()(
  'Secrets',
  z.strictObject({
    data: z.array(z.strictObject({ name: z.string(), version: count, at: time, by: z.string(), lastUsedAt: time.nullable(), usedBy: z.array(z.string()) })),
    masterKey: count.nullable(),
    refusal: z
      .strictObject({
        refused: z.literal(true),
        code: z.enum(codes),
        detail: z.string().optional(),
        errors: problem.shape.errors.optional(),
        current: anyJson.optional(),
        allowedNext: z.array(z.string()).optional(),
      })
      .nullable(),
  }),
);
export const audit = page(
  part<AuditEntry>()(
    'AuditEntry',
    z.strictObject({
      seq: count,
      at: time,
      by: z.string(),
      from: text,
      type: z.string(),
      subject: text,
      before: anyJson,
      after: anyJson,
      reason: text,
      erased: z.boolean(),
      digest: z.string(),
    }),
  ),
);
const head = z.strictObject({ seq: count, digest: z.string() });
export const auditVerified = part<AuditVerified>()(
  'AuditVerified',
  z.strictObject({
    ok: z.boolean(),
    rows: count,
    head,
    erased: count,
    problems: z.array(
      z.strictObject({
        seq: count,
        code: z.enum(['altered', 'held_altered', 'removed', 'reordered', 'unlinked', 'cut', 'head', 'source_altered', 'source_removed']),
        detail: z.string(),
      }),
    ),
    found: count,
    kept: z.union([head, z.literal('unknown')]).nullable(),
  }),
);
/** `leaseUntil`: milliseconds; `attempt.heartbeat` moves it on. */
export const attemptToken = z.strictObject({
  token: z.string(),
  goal: z.string(),
  item: z.string(),
  attempt: z.string(),
  fence: count,
  holder: z.string(),
  leaseUntil: time,
});
const amounts = z.strictObject({ tokens: count, micros: count });
const figures = { used: amounts, reserved: amounts, allowed: z.strictObject({ tokens: count.nullable(), micros: count.nullable() }) };
const use = { currency: z.string(), tokens: count, micros: count, rounds: count };
const quota = z.strictObject({ used: count, allowed: z.number() });
export const usage = part<UsageRead>()(
  'Usage',
  z.strictObject({
    currency: z.string(),
    period: z.strictObject({ ...figures, of: z.enum(['day', 'month']), endsInMs: z.number() }).nullable(),
    total: z.strictObject(figures),
    parallelRounds: z.strictObject({ running: count, limit: count }),
    days: z.array(z.strictObject({ day: z.string(), ...use })),
    goals: z.array(z.strictObject({ goal: z.string(), ...use })),
    quotas: z.strictObject({ openGoals: quota, storageBytes: quota, override: quotaOverride }),
  }),
);

const warnings = z.array(z.enum(['window_small', 'window_assumed', 'price_unknown', 'deprecated']));
const modelPrices = prices.extend({ long: z.array(prices.omit({ currency: true }).extend({ above: z.number() })).optional() });
export const catalogue = list(named('Model', z.looseObject({ window: count, output: count, warnings }) as z.ZodType<Pick<CatalogueEntry, 'window' | 'output' | 'warnings'>>));
export const providerTest = named(
  'ProviderTest',
  z.strictObject({
    ok: z.boolean(),
    provider: z.string(),
    model: z.string(),
    worked: z.strictObject({ answer: z.boolean(), toolCall: z.boolean(), toolResult: z.boolean() }),
    latencyMs: z.number().nullable(),
    used: z.strictObject({ tokens: count, money: count.nullable() }).nullable(),
    window: count,
    output: count,
    prices: modelPrices.nullable(),
    warnings: warnings.readonly(),
    problem: z.strictObject({ code: z.string(), detail: z.string(), todo: z.string(), retryAfterMs: z.number().optional() }).optional(),
  }) satisfies z.ZodType<Omit<ProviderTest, 'problem' | 'warnings' | 'prices'>>,
);
export const serverTest = named(
  'ServerTest',
  z.strictObject({
    ok: z.boolean(),
    server: z.string(),
    problem: z.strictObject({ code: z.string(), detail: z.string() }).optional(),
    offered: z.array(z.strictObject({ name: z.string(), description: z.string(), readOnly: z.boolean() })),
    usable: z.array(z.string()),
    missing: z.record(z.string(), z.string()),
  }),
);
