/**
 * The closed command catalogue: the only way in. Each entry has its payload, who may give it and which expectation it needs.
 * `docs/commands.md` is generated from it.
 */
import { z } from 'zod';
import type { Scope } from './context.ts';
import { amendment, contract, draftContract, laneCarriers, limits, limitsPatch, milestone } from './contract/contract.ts';
import { shapeReasons, shapes } from './contract/shape.ts';
import { scene } from './planes/check-spec.ts';
import { blockerSubjects } from './work/routing.ts';
import { artifact, evidenceRef, executor, filePath, foreignJson, json, type Lane, longText, nameOf, principalId, sha256Hex, slug } from './values.ts';

/** Who may give a command: a person or token with this scope, the token of an Attempt where `attempt` is set (for its own item), rounds of these lanes, and the host where `host` is set. */
export interface Givers {
  scope?: Scope;
  attempt?: true;
  lanes?: readonly Lane[];
  host?: true;
}

export type ExpectKey = 'goalVersion' | 'planRevision' | 'itemVersion';

interface CommandSpec<P extends z.ZodType> {
  payload: P;
  by: Givers;
  /** Expectations that people and tokens must send. Rounds carry theirs. */
  expects?: readonly ExpectKey[];
  /** Testimony is taken from an ended or superseded round, marked late. */
  testimony?: true;
  summary: string;
}

function command<P extends z.ZodType>(summary: string, by: Givers, payload: P, more: { expects?: readonly ExpectKey[]; testimony?: true } = {}): CommandSpec<P> {
  return { summary, by, payload, ...more };
}

const id = nameOf(200);
const text = longText(32_000);
const nothing = z.strictObject({});
const key = slug;
const factKey = z.string().regex(/^[^\s#]{1,200}$/);
/** Money in minor units of the currency of the Goal's limit. */
const itemBudget = z.strictObject({ tokens: z.int().min(0).optional(), money: z.int().min(0).optional() });
const write = 'goals:write' as const;
const form = {
  key: slug,
  reason: z.string().min(1).max(2000),
  form: json,
  recommended: json.optional(),
  owner: principalId.optional(),
  fact: factKey.optional(),
  /** What the question is about. Other than `work` it is a person's alone; no agent answers or withdraws it. */
  about: z.enum(blockerSubjects).optional(),
};

export const provenance = z.discriminatedUnion('from', [
  z.strictObject({ from: z.literal('call'), call: id }),
  z.strictObject({ from: z.literal('artifact'), digest: sha256Hex, section: z.string().max(200).optional() }),
  z.strictObject({ from: z.literal('file'), path: filePath, section: z.string().max(200).optional() }),
  z.strictObject({ from: z.literal('person'), principal: principalId }),
]);
export const factEntry = z.strictObject({ key: factKey, value: json, provenance });
export const ledgerEntry = z.strictObject({
  /** What was decided about, e.g. `INV-20267001`. */
  subject: z.string().min(1).max(200),
  milestone: slug.optional(),
  verdict: z.string().min(1).max(60),
  reason: z.string().min(1).max(2000),
  evidence: z.array(evidenceRef).min(1).max(50),
  facts: z.array(factEntry).max(50).default([]),
});

/** Money: millionths of the main unit of the currency that the Goal's limit names. */
const amount = { tokens: z.int().min(0).max(1_000_000_000_000), money: z.int().min(0).max(1_000_000_000_000) };
/** Of all goals of a workspace together. */
const heldAmount = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
/** The worst case of one call. `currency`: what its prices are in; left out where money is 0. */
const reservation = z.strictObject({ ...amount, currency: z.string().length(3).optional() });
/** What a call really used. `tokens` counts all of them; `cacheRead` and `cacheWrite` say how many of those were read from or written to the provider's cache. */
const usage = { ...amount, cacheRead: amount.tokens.optional(), cacheWrite: amount.tokens.optional() };

const callIntent = z.strictObject({
  tool: z.string().min(1).max(80),
  args: json,
  /** What the call is about, computed by the tool from its arguments. */
  subject: z.string().max(200),
  effect: z.enum(['none', 'record', 'outside']),
  /** JSON pointers into the arguments that take fact references only. */
  factOnly: z.array(z.string().max(200)).max(20).default([]),
  /** For `outside`: how long one send may take. */
  timeoutMs: z.int().min(1).max(600_000).optional(),
  /** For a call that uses a model: its worst case, set aside before it is made. */
  reserve: reservation.optional(),
  /** What is done where no rule says anything of this call: the tool's own default. */
  otherwise: z.enum(['allow', 'ask']).optional(),
  /** For `outside`: how to find out whether it happened, should its outcome not be known. What is in it, the tool and the prober know. */
  probe: json.optional(),
});
/** Bytes under their digest among the Goal's files, without a path. */
const storedFile = z.strictObject({ digest: sha256Hex, size: z.int().min(0) });
const callResult = z.strictObject({
  call: id,
  ok: z.boolean(),
  summary: z.string().max(2000),
  /** The whole answer as JSON text, among the Goal's files: kept for calls of a model, whose conversation may hold only the head of it. */
  kept: storedFile.optional(),
  ms: z.int().min(0).optional(),
  /** Settles what the call reserved. Without it the call is charged at its reservation, until `usage.record` says otherwise. */
  used: z.strictObject(usage).optional(),
});

/**
 * What a goal was started from, said by the host alone: the template's version, the parameters that filled it, who asked for it (or set the trigger up), and the firing of a trigger.
 */
export const goalOrigin = z.strictObject({
  template: z.strictObject({ name: slug, version: z.int().min(1), digest: sha256Hex }),
  parameters: z.record(z.string(), json),
  by: principalId,
  trigger: z.strictObject({ name: slug, id: nameOf(80), firing: nameOf(300) }).optional(),
});

export const roundOutcomes = ['submitted', 'handed_back', 'blocked', 'waiting', 'empty', 'failed', 'interrupted'] as const;

export const catalogue = {
  'goal.propose': command(
    'From a sentence to a contract that nobody confirmed yet',
    { scope: write },
    z.strictObject({
      sentence: text,
      mode: z.enum(['goal_only', 'bound']).default('bound'),
      contract: contract.optional(),
      /** Without a contract: limits of the draft, spending caps above all. The intake spends within them and may not change those of tokens and money. */
      limits: limitsPatch.optional(),
      lanes: laneCarriers.optional(),
      /** Without a contract: an intake round is to propose one. */
      intake: z.boolean().default(true),
    }),
  ),
  'goal.draft': command(
    'Intake: propose the contract of a draft and the shape of the work; a person confirms it. Ends the round',
    { lanes: ['coordinator'] },
    z.strictObject({
      contract: draftContract,
      shape: z.enum(shapes),
      because: z.array(z.enum(shapeReasons)).min(1).max(shapeReasons.length),
      /** For a trigger or a Skill: how its one run is carried. A graph is `bound`, goal-only `goal_only`. */
      mode: z.enum(['goal_only', 'bound']).optional(),
      why: z.string().min(1).max(2000),
      /** What only the person can answer; asked for beside the proposal. */
      questions: z.array(z.string().min(1).max(500)).max(20).default([]),
    }),
  ),
  'goal.create': command(
    'Create a goal; active only with a confirmed contract',
    { scope: write, host: true },
    z.strictObject({
      mode: z.enum(['goal_only', 'graph_only', 'bound']).default('bound'),
      title: z.string().min(1).max(200).optional(),
      contract: contract.optional(),
      limits: limits.optional(),
      lanes: laneCarriers.optional(),
      confirmed: z.boolean().default(false),
      /** A plan document that comes with it: adopted when the work starts, before any agent is asked to plan. */
      plan: json.optional(),
      origin: goalOrigin.optional(),
    }),
  ),
  'goal.confirm': command('Confirm the contract; the work starts', { scope: write }, nothing, { expects: ['goalVersion'] }),
  'goal.revise': command(
    'A new version of the contract',
    { scope: write },
    z.strictObject({
      contract,
      lanes: laneCarriers.optional(),
      /** Only while it is a draft. */
      mode: z.enum(['goal_only', 'bound']).optional(),
      /** The message that becomes this version. */
      message: z.int().min(1).optional(),
    }),
    { expects: ['goalVersion'] },
  ),
  'goal.amend': command(
    'Propose the next version of the contract from what a person said; changes nothing until a person decides',
    { lanes: ['coordinator'] },
    z.strictObject({
      /** Said under the version in force, by a person, and not handled. */
      message: z.int().min(1),
      change: amendment,
      why: z.string().min(1).max(2000),
    }),
  ),
  'amendment.decide': command(
    'Make a proposed amendment the next version, or leave the contract as it is',
    { scope: write },
    z.strictObject({ amendment: id, decision: z.enum(['confirmed', 'rejected']) }),
    { expects: ['goalVersion'] },
  ),
  'goal.pause': command('No new round; running ones are stopped at their next call', { scope: write }, nothing),
  'goal.resume': command('Go on; counts and stops are cleared', { scope: write }, nothing),
  'goal.setLimits': command(
    'Change limits; going on where that lifts the stop',
    { scope: write },
    z.strictObject({ limits: limitsPatch.default({}), items: z.record(key, itemBudget).optional() }),
    { expects: ['goalVersion'] },
  ),
  'goal.block': command('A blocker on the whole goal', { scope: write, lanes: ['coordinator'] }, z.strictObject(form)),
  'goal.cancel': command('End the goal for good', { scope: write }, nothing),
  'goal.audit': command(
    'Class every criterion of the current version',
    { scope: write, lanes: ['coordinator'], host: true },
    z.strictObject({
      classes: z
        .array(
          z.strictObject({
            criterion: slug,
            class: z.enum(['proven', 'contradicted', 'insufficient', 'missing']),
            evidence: z.array(evidenceRef).max(50).default([]),
            note: z.string().max(2000).optional(),
          }),
        )
        .max(200),
    }),
  ),
  'goal.complete': command('Complete the current version', { scope: write, lanes: ['coordinator'], host: true }, nothing, { expects: ['goalVersion'] }),
  'criterion.attest': command(
    'A named person says whether a criterion holds',
    { scope: 'work:review' },
    z.strictObject({ criterion: slug, holds: z.boolean(), statement: z.string().min(1).max(4000) }),
    { expects: ['goalVersion'] },
  ),

  'execution.open': command('Open the governed run', { scope: write, host: true }, z.strictObject({ supersede: z.boolean().default(false) })),
  'execution.promote': command('Give a graph-only run a contract', { scope: write }, z.strictObject({ contract })),
  'execution.complete': command('End a graph-only run whose required items are accepted', { host: true }, nothing),
  'execution.abandon': command('Give the run up', { scope: write }, nothing),
  'plan.propose': command('Seal a plan document; authorizes nothing', { scope: write, lanes: ['coordinator'] }, z.strictObject({ document: json }), { expects: ['planRevision'] }),
  'plan.adopt': command(
    'Make a sealed proposal the active revision',
    { scope: write, lanes: ['coordinator'], host: true },
    z.strictObject({ proposal: id, supersede: z.array(key).max(1000).default([]) }),
    { expects: ['planRevision'] },
  ),
  'plan.reject': command('Reject or withdraw a proposal', { scope: write, lanes: ['coordinator'] }, z.strictObject({ proposal: id })),

  'work.assign': command(
    'Assign an item and open a pending Attempt',
    { scope: write, lanes: ['coordinator'], host: true },
    z.strictObject({ item: key, executor: executor.optional() }),
    { expects: ['itemVersion'] },
  ),
  'work.claim': command('Claim a ready item for oneself', { scope: 'work:submit' }, z.strictObject({ item: key })),
  'work.release': command('Give an item back', { scope: write, lanes: ['coordinator'], host: true }, z.strictObject({ item: key })),
  'work.takeOver': command('A person takes an item over', { scope: 'work:submit' }, z.strictObject({ item: key }), { expects: ['itemVersion'] }),
  'work.block': command('Stop an item on a question; ends the round', { scope: write, attempt: true, lanes: ['worker', 'coordinator'] }, z.strictObject({ item: key, ...form })),
  'work.resume': command('Lift a stored stop of an item', { scope: write, lanes: ['coordinator'] }, z.strictObject({ item: key })),
  'work.cancel': command('Cancel an item', { scope: write, lanes: ['coordinator'] }, z.strictObject({ item: key }), { expects: ['itemVersion'] }),
  'attempt.start': command('A claimed Attempt of a person or an external executor starts', { scope: 'work:submit', attempt: true }, z.strictObject({ item: key, fence: z.int() })),
  'attempt.heartbeat': command('Still at work', { scope: 'work:submit', attempt: true }, z.strictObject({ item: key, fence: z.int() })),
  'attempt.end': command(
    'An Attempt failed or was broken off',
    { scope: 'work:submit', attempt: true, lanes: ['worker'] },
    z.strictObject({ item: key, fence: z.int().optional(), outcome: z.enum(['failed', 'interrupted']) }),
  ),
  'artifact.put': command(
    'Name a stored file; its bytes are already under the digest',
    { scope: write, attempt: true, lanes: ['worker', 'coordinator'] },
    z.strictObject({ artifact, role: z.enum(['source', 'working', 'deliverable']) }),
  ),
  'submission.submit': command(
    'Deliver a candidate; ends the round',
    { scope: 'work:submit', attempt: true, lanes: ['worker'] },
    z.strictObject({
      item: key,
      fence: z.int().optional(),
      artifacts: z.array(artifact).max(200),
      summary: z.string().min(1).max(8000),
      claims: z
        .array(z.strictObject({ criterion: slug, evidence: z.array(evidenceRef).min(1).max(50) }))
        .max(200)
        .default([]),
    }),
  ),
  'review.record': command(
    'A verdict on one exact submission',
    { scope: 'work:review', lanes: ['reviewer'], host: true },
    z.strictObject({
      submission: id,
      digest: sha256Hex,
      verdict: z.enum(['accepted', 'changes_requested', 'rejected', 'cannot_judge']),
      scene: scene.optional(),
      criteria: z
        .array(z.strictObject({ id: slug, met: z.boolean(), note: z.string().max(2000).optional() }))
        .max(200)
        .default([]),
    }),
  ),
  'acceptance.invalidate': command(
    'An acceptance falls; says why, with evidence',
    { scope: 'work:review', lanes: ['worker', 'coordinator'] },
    z.strictObject({ acceptance: id, scene, evidence: z.array(evidenceRef).max(50).default([]) }),
  ),

  'blocker.resolve': command(
    'Answer a blocker by its form',
    { scope: write, lanes: ['coordinator'] },
    z.strictObject({
      blocker: id,
      answer: json,
      generation: z.int().optional(),
      evidence: z.array(evidenceRef).max(50).default([]),
      /** Of an agent: why the evidence answers it. */
      because: z.string().min(1).max(2000).optional(),
    }),
  ),
  'blocker.pass': command(
    'A coordinator round leaves a question to a person, put better where it can',
    { lanes: ['coordinator'] },
    z.strictObject({
      blocker: id,
      why: z.string().min(1).max(2000),
      question: z.string().min(1).max(2000).optional(),
      recommended: json.optional(),
      owner: principalId.optional(),
    }),
  ),
  'blocker.withdraw': command(
    'The question is no longer needed',
    { scope: write, lanes: ['coordinator'] },
    z.strictObject({ blocker: id, evidence: z.array(evidenceRef).max(50).default([]) }),
  ),
  'fact.record': command('Record typed values with provenance', { scope: write, lanes: ['worker', 'coordinator'] }, z.strictObject({ facts: z.array(factEntry).min(1).max(500) })),
  'milestone.define': command('Add a milestone', { scope: write, lanes: ['coordinator'] }, z.strictObject({ milestone })),
  'ledger.record': command(
    'Record decisions with reason and evidence, and the facts they rest on',
    { lanes: ['worker', 'coordinator'], scope: write },
    z.strictObject({ entries: z.array(ledgerEntry).min(1).max(500) }),
  ),
  'review_list.add': command(
    'Set subjects aside for a person',
    { lanes: ['worker', 'coordinator'], scope: write },
    z.strictObject({
      entries: z
        .array(z.strictObject({ subject: z.string().min(1).max(200), milestone: slug.optional(), note: z.string().max(2000) }))
        .min(1)
        .max(500),
    }),
  ),
  'review_list.resolve': command(
    'A person dealt with a subject',
    { scope: write },
    z.strictObject({ subject: z.string().min(1).max(200), milestone: slug.optional(), resolution: z.string().min(1).max(2000) }),
  ),
  'evidence.invalidate': command(
    'A piece of evidence is wrong; decisions and accepted work that rest on it are put up for a new verdict',
    { scope: 'work:review', lanes: ['coordinator'] },
    z.strictObject({ evidence: evidenceRef }),
  ),
  'tasks.set': command(
    "The agent's own list of steps; moves nothing",
    { lanes: ['coordinator', 'worker', 'reviewer'] },
    z.strictObject({ tasks: z.array(z.strictObject({ text: z.string().max(500), done: z.boolean() })).max(100) }),
  ),

  'effect.plan': command('Register a call that changes something outside', { lanes: ['worker', 'coordinator'], host: true }, z.strictObject({ call: callIntent })),
  'effect.settle': command(
    'The outcome of a call outside',
    { lanes: ['worker', 'coordinator'], host: true },
    z.strictObject({ effect: id, nonce: z.string(), outcome: z.enum(['succeeded', 'failed', 'unknown']), result: foreignJson.optional() }),
    { testimony: true },
  ),
  'effect.reconcile': command(
    'What became of an unknown effect',
    { scope: 'approvals:decide', host: true },
    z.strictObject({ effect: id, outcome: z.enum(['succeeded', 'not_applied']), evidence: z.string().max(2000) }),
  ),
  'effect.probe': command(
    'What asking outside found about an unknown effect',
    { host: true },
    z.strictObject({ effect: id, fence: z.int().min(1), found: z.enum(['happened', 'absent', 'unclear']), evidence: z.string().max(2000) }),
  ),
  'approval.request': command('Ask a person for one exact call', { lanes: ['worker', 'coordinator'], host: true }, z.strictObject({ call: callIntent })),
  'approval.decide': command(
    'Approve or refuse one exact call',
    { scope: 'approvals:decide' },
    z.strictObject({ approval: id, decision: z.enum(['approved', 'refused']), callDigest: sha256Hex }),
  ),
  'wait.signal': command(
    'Release the wait of that correlation and generation',
    { scope: write, host: true },
    z.strictObject({ correlation: nameOf(300), generation: z.int().min(1), payload: json.optional() }),
  ),

  'subagent.spawn': command(
    'Admit children under the live Attempt',
    { lanes: ['worker'] },
    z.strictObject({
      children: z
        // `briefFile`: the stored file that holds the whole brief as JSON text, where it is large; `brief` is then what the record shows of it.
        .array(z.strictObject({ name: slug, executor: executor.optional(), brief: json, briefFile: storedFile.optional(), limits: itemBudget.optional() }))
        .min(1)
        .max(32),
    }),
  ),
  'subagent.return': command("A child's result, kept whole and returned once", { lanes: ['worker'] }, z.strictObject({ ok: z.boolean(), result: json }), { testimony: true }),
  'subagent.cancel': command('Cancel a child', { scope: write, lanes: ['worker'] }, z.strictObject({ subagent: id })),
  'round.schedule': command(
    'Schedule a round',
    { host: true },
    z.strictObject({
      lane: z.enum(['coordinator', 'worker', 'reviewer']),
      target: z.string(),
      purpose: z.string().optional(),
      blocker: id.optional(),
      message: z.int().min(1).optional(),
      executor,
    }),
  ),
  'round.grant': command(
    'What the workspace answered about a place and a share of its budget for a round',
    { host: true },
    z.strictObject({
      round: id,
      fence: z.int(),
      answer: z.discriminatedUnion('is', [
        z.strictObject({ is: z.literal('granted'), ...amount }),
        z.strictObject({
          is: z.literal('held'),
          by: z.enum(['places', 'reserved', 'budget', 'connection']),
          limit: z.enum(['tokens', 'money']).optional(),
          /** Of that limit, where a budget has no room. */
          spent: z.strictObject({ window: z.enum(['day', 'month', 'total']), used: heldAmount, reserved: heldAmount, of: heldAmount }).optional(),
          connection: z.strictObject({ setting: z.string().min(1).max(100), code: z.string().min(1).max(64), detail: z.string().max(400), person: z.boolean() }).optional(),
          retryAfterMs: z
            .int()
            .min(0)
            .max(7 * 86_400_000),
        }),
        /** It was given back already: nothing runs under that fence any more. */
        z.strictObject({ is: z.literal('over') }),
      ]),
    }),
  ),
  'round.settle': command(
    'The workspace knows that these grants are over, and what was used under them',
    { host: true },
    z.strictObject({ settled: z.array(z.strictObject({ round: id, fence: z.int(), asOf: z.int().min(0) })).max(1000) }),
  ),
  'round.claim': command('A Runner takes the round', { host: true }, z.strictObject({ round: id, fence: z.int(), runner: id })),
  'round.start': command('The round begins', { host: true }, z.strictObject({ round: id, fence: z.int(), runner: id, model: z.string().max(200).optional() })),
  'round.pin': command(
    'What carries the round: the model and the built-in skills, as they were at its start',
    { lanes: ['coordinator', 'worker', 'reviewer'] },
    z.strictObject({
      model: z.string().min(1).max(200),
      profile: slug,
      /** Context window in tokens. */
      window: z.int().min(1),
      skills: z.array(z.strictObject({ name: slug, version: z.string().max(40) })).max(50),
    }),
  ),
  'context.record': command(
    "A phase of a compaction of the round's conversation",
    { lanes: ['coordinator', 'worker', 'reviewer'] },
    z.discriminatedUnion('phase', [
      /** `n`: 1, 2, ... within the round. `tokens`: the estimate that called for it. */
      z.strictObject({ phase: z.literal('begun'), n: z.int().min(1).max(1000), tokens: z.int().min(0) }),
      /** `basis`: digest of what the snapshot is about (goal version, item, spec, attempt). A later round takes it up only where that is the same. */
      z.strictObject({ phase: z.literal('written'), n: z.int().min(1).max(1000), schema: z.int().min(1), basis: sha256Hex, snapshot: json }),
      z.strictObject({ phase: z.literal('done'), n: z.int().min(1).max(1000), tokens: z.int().min(0) }),
      z.strictObject({ phase: z.literal('undone'), n: z.int().min(1).max(1000), why: z.string().max(500) }),
    ]),
  ),
  'round.step': command(
    'Record the last call and authorize the next',
    { lanes: ['coordinator', 'worker', 'reviewer'] },
    z.strictObject({ last: callResult.optional(), next: callIntent.optional() }),
  ),
  'round.end': command(
    'The round ends',
    { lanes: ['coordinator', 'worker', 'reviewer'], host: true },
    z.strictObject({
      round: id.optional(),
      outcome: z.enum(roundOutcomes),
      last: callResult.optional(),
      note: z.string().max(2000).optional(),
      /** For `waiting`: what is awaited beside children and approvals. */
      wait: z.strictObject({ kind: z.enum(['timer', 'external']), correlation: nameOf(200), dueInMs: z.int().min(0).optional(), reason: z.string().max(2000) }).optional(),
      /** For `failed` by a provider: wait as it asks. */
      retryAfterMs: z.int().min(0).optional(),
      /** Goal-only: the deliverables are complete, audit them. */
      finish: z.boolean().default(false),
    }),
  ),
  'message.post': command(
    'Say something to the goal',
    { scope: write, lanes: ['coordinator', 'worker', 'reviewer'] },
    z.strictObject({ text, asks: z.enum(['nothing', 'plan', 'draft', 'change']).default('nothing') }),
  ),
  'message.handle': command('Mark messages as handled', { lanes: ['coordinator', 'worker'] }, z.strictObject({ upTo: z.int().min(1) })),
  'note.revise': command('A new revision of a note', { scope: write, lanes: ['coordinator', 'worker'] }, z.strictObject({ topic: slug, revision: z.int().min(0), text })),
  'note.append': command('An entry to a note', { scope: write, lanes: ['coordinator', 'worker'] }, z.strictObject({ topic: slug, text })),
  'check.request': command('Ask for checks', { host: true }, z.strictObject({ submission: id.optional() })),
  'check.record': command(
    'The answer of a check that ran outside',
    { host: true },
    z.strictObject({
      check: id,
      fence: z.int(),
      pass: z.boolean().nullable(),
      scene: scene.optional(),
      inputs: z.record(z.string(), sha256Hex).default({}),
      checker: z.string().max(100),
    }),
  ),
  'usage.record': command(
    'What a call used; corrects what was charged where nobody had said. Without `call`: what a round used beside its calls',
    { lanes: ['coordinator', 'worker', 'reviewer'], host: true },
    z.strictObject({ ...usage, money: usage.money.default(0), call: id.optional(), detail: foreignJson.optional() }),
    { testimony: true },
  ),
  'clock.tick': command('Time has passed: settle what is due', { host: true }, z.strictObject({ leasesOver: z.array(z.strictObject({ round: id, fence: z.int() })).default([]) })),
} as const;

export type CommandType = keyof typeof catalogue;
export const commandTypes = Object.keys(catalogue) as CommandType[];
export type Payload<T extends CommandType> = z.output<(typeof catalogue)[T]['payload']>;

export const expected = z.strictObject({ goalVersion: z.int().optional(), planRevision: z.int().optional(), itemVersion: z.int().optional(), fence: z.int().optional() });
export type Expected = z.infer<typeof expected>;

/** The envelope as it comes from outside; `payload` is checked against the catalogue. */
export const envelope = z.strictObject({
  type: z.enum(commandTypes as [CommandType, ...CommandType[]]),
  commandId: z.string().min(1).max(200),
  expected: expected.default({}),
  payload: json.default({}),
  reason: z.string().max(2000).optional(),
  dryRun: z.boolean().default(false),
});
export type Envelope = z.infer<typeof envelope>;

/** A command whose payload was parsed. */
export type Command = { [T in CommandType]: { type: T; expected: Expected; payload: Payload<T>; reason?: string } }[CommandType];
export type CallIntent = z.infer<typeof callIntent>;
export type CallResult = z.infer<typeof callResult>;
export type Reservation = z.infer<typeof reservation>;
export type Usage = NonNullable<CallResult['used']>;
export type FactEntry = z.infer<typeof factEntry>;
export type GoalOrigin = z.infer<typeof goalOrigin>;
export type LedgerEntry = z.infer<typeof ledgerEntry>;
export type RoundOutcome = (typeof roundOutcomes)[number];
