/** The one table of refusal codes. A refusal changes nothing; what it says is what `docs/refusals.md` is generated from. */
import type { Json } from './values.ts';

interface RefusalRow {
  /** HTTP status the API answers with. */
  status: number;
  /** Whether the very same call may succeed later without a change by the caller. */
  retryable: boolean;
  /** What it means, and what to do. English source of the docs; the console words it by code. */
  means: string;
  todo: string;
}

export const refusalTable = {
  not_found: { status: 404, retryable: false, means: 'Nothing of that id exists here, or you may not know of it.', todo: 'Check the id and the workspace.' },
  forbidden: { status: 403, retryable: false, means: 'This principal may not give this command.', todo: 'Ask who holds the role that the answer names.' },
  scope_missing: { status: 403, retryable: false, means: 'The credential lacks the scope that the answer names.', todo: 'Use a credential with that scope.' },
  unauthenticated: { status: 401, retryable: false, means: 'No valid credential was given.', todo: 'Sign in, or send a token.' },
  goal_version_stale: { status: 412, retryable: false, means: 'The goal was revised since you read it.', todo: 'Read the current version and decide again.' },
  plan_revision_stale: { status: 412, retryable: false, means: 'Another plan revision is active.', todo: 'Read the active revision and decide again.' },
  item_version_stale: { status: 412, retryable: false, means: 'The work item changed since you read it.', todo: 'Read the item and decide again.' },
  version_required: { status: 428, retryable: false, means: 'This command needs the version it was decided on.', todo: 'Send it in `expected`, or as If-Match.' },
  fence_stale: {
    status: 409,
    retryable: false,
    means: 'A newer fence was given out for this target; you no longer hold it.',
    todo: 'Stop. The round that holds the fence goes on.',
  },
  lease_lost: { status: 409, retryable: false, means: 'The lease ran out before this call.', todo: 'Claim again.' },
  round_superseded: { status: 409, retryable: false, means: 'This round or attempt has ended; what comes late is recorded and changes nothing.', todo: 'Stop.' },
  goal_paused: { status: 409, retryable: true, means: 'The goal is paused.', todo: 'Wait until a person resumes it.' },
  goal_not_active: { status: 409, retryable: false, means: 'The goal is not active.', todo: 'See its status in `current`.' },
  invalid_transition: { status: 409, retryable: false, means: 'That change does not exist from the current state.', todo: 'See `current` and `allowedNext`.' },
  dependency_not_accepted: { status: 409, retryable: true, means: 'A hard dependency has no live acceptance.', todo: 'Wait for the items that the answer names.' },
  output_taken: { status: 409, retryable: true, means: 'An exclusive output is held by another item.', todo: 'Wait for the item that the answer names.' },
  plan_invalid: { status: 422, retryable: false, means: 'The plan document has errors; all of them are listed.', todo: 'Correct each place and propose again.' },
  evidence_missing: { status: 422, retryable: false, means: 'Evidence that was named does not exist or is not live.', todo: 'Name evidence that exists.' },
  evidence_foreign: { status: 422, retryable: false, means: 'Evidence belongs to another attempt and to no accepted input.', todo: 'Cite your own attempt, or accepted inputs.' },
  self_review: { status: 403, retryable: false, means: 'Who submitted may not judge that submission.', todo: 'Let another principal review it.' },
  submission_superseded: { status: 409, retryable: false, means: 'A newer submission stands.', todo: 'Review the current one.' },
  digest_mismatch: { status: 409, retryable: false, means: 'The digest is not that of what stands on record.', todo: 'Read it again and judge what is there.' },
  criterion_unproven: { status: 409, retryable: true, means: 'Not every criterion of the current version is proven.', todo: 'See the classes in `current`.' },
  graph_open: { status: 409, retryable: true, means: 'Required work is not accepted, or something is still open.', todo: 'See what is open in `current`.' },
  effect_unknown: { status: 409, retryable: true, means: 'The outcome of an effect is unknown.', todo: 'Reconcile it first.' },
  needs_rework: { status: 409, retryable: false, means: 'The gate did not pass; missing ids are named.', todo: 'Complete what is missing and submit again.' },
  non_goal_forbidden: { status: 403, retryable: false, means: 'A non-goal of the contract forbids this call.', todo: 'Leave it. The non-goal is named.' },
  policy_denied: { status: 403, retryable: false, means: 'A policy denies this call.', todo: 'Leave it, or ask who sets the policy.' },
  address_refused: {
    status: 403,
    retryable: false,
    means: 'The outgoing guard refuses this address, or what it answers; the place and the reason are named.',
    todo: 'Use a public https address that the workspace allows; an owner changes the lists.',
  },
  fact_required: { status: 422, retryable: false, means: 'This parameter takes a fact reference, not a literal.', todo: 'Pass {"$fact": key}.' },
  fact_unknown: { status: 422, retryable: false, means: 'No fact stands under that key.', todo: 'Record it with provenance, or correct the key.' },
  approval_required: { status: 409, retryable: true, means: 'A person must approve this call first.', todo: 'The round waits; nothing is needed from the agent.' },
  approval_mismatch: { status: 409, retryable: false, means: 'The approval is for another call.', todo: 'Ask for this one.' },
  budget_exceeded: { status: 409, retryable: false, means: 'A budget is spent.', todo: 'A person raises the limit that the answer names.' },
  quota_exceeded: {
    status: 409,
    retryable: false,
    means: 'A quota of the workspace is full: its open goals, or the bytes of its files. What is used and allowed is named; nothing was made.',
    todo: 'End goals or erase what is not needed, or ask whoever runs the installation to raise it.',
  },
  limit_exceeded: { status: 422, retryable: false, means: 'A limit on size or number is exceeded.', todo: 'Stay under the limit that the answer names.' },
  already_claimed: { status: 409, retryable: true, means: 'Somebody else holds it; the answer says who and until when.', todo: 'Take other work, or wait.' },
  link_unknown: { status: 404, retryable: false, means: 'The link is altered, was taken back, or leads nowhere here.', todo: 'Ask whoever sent it for another one.' },
  link_not_yours: { status: 403, retryable: false, means: 'The link is for somebody else than who is signed in.', todo: 'Sign in as the person whom it was sent to.' },
  link_ended: { status: 410, retryable: false, means: 'The link has run out.', todo: 'Look into the inbox: what still waits for you is there.' },
  link_used: { status: 410, retryable: false, means: 'The link was used before; it opens its decision once.', todo: 'Look into the inbox: what still waits for you is there.' },
  link_gone: { status: 410, retryable: false, means: 'What the link was for is decided or asked for no more.', todo: 'Nothing is left to do with it.' },
  command_reused: { status: 409, retryable: false, means: 'The same command id came before with another body.', todo: 'Use a new command id.' },
  schema_invalid: { status: 422, retryable: false, means: 'The body does not fit the schema.', todo: 'Correct each place that is listed.' },
  malformed_data: {
    status: 422,
    retryable: false,
    means: 'A file is cut off, not in the encoding it must have, or not of its format.',
    todo: 'Correct the file at the place that is named.',
  },
  archive_invalid: {
    status: 422,
    retryable: false,
    means: 'The archive is cut off, altered, or of a kind that is not known here.',
    todo: 'Export it again; each place that is wrong is named.',
  },
  record_newer: {
    status: 409,
    retryable: false,
    means: 'This installation holds a newer or another record of that goal; it is never overwritten.',
    todo: 'See what is here in `current`.',
  },
  goal_erased: { status: 410, retryable: false, means: 'The goal was erased for good.', todo: 'Nothing brings it back; create another one.' },
  template_invalid: {
    status: 422,
    retryable: false,
    means: 'The template has errors, as it stands or with sample values in it; all of them are listed.',
    todo: 'Correct each place and send it again.',
  },
  template_unconfirmed: {
    status: 409,
    retryable: false,
    means: 'What starts goals by itself needs a version of the template that a person confirmed.',
    todo: 'A person confirms the version that the answer names.',
  },
  workspace_erased: { status: 410, retryable: false, means: 'The workspace was erased for good.', todo: 'Nothing brings it back; make another one.' },
  signature_invalid: {
    status: 401,
    retryable: false,
    means: 'The delivery is not signed as its trigger expects; the header and what is wrong with it are named.',
    todo: 'Sign the raw body with the current secret, and send it when it is signed.',
  },
  delivery_reused: { status: 409, retryable: false, means: 'This delivery id came before with another body.', todo: 'Give every delivery an id of its own.' },
  setting_missing: {
    status: 409,
    retryable: false,
    means: 'A setting of the workspace that this needs is not there.',
    todo: 'Set what the answer names in the settings of the workspace.',
  },
  setting_stale: { status: 412, retryable: false, means: 'The setting changed since you read it.', todo: 'Read the current one and decide again.' },
  setting_in_use: { status: 409, retryable: false, means: 'Another setting refers to this one.', todo: 'Change or remove first what the answer names.' },
  sealing_unavailable: {
    status: 503,
    retryable: false,
    means: 'Secrets can be neither sealed nor opened: the installation has no fitting master key.',
    todo: 'Whoever runs the installation sets the master key that the answer names.',
  },
  rate_limited: { status: 429, retryable: true, means: 'Too many requests.', todo: 'Wait as Retry-After says.' },
  not_configured: {
    status: 503,
    retryable: false,
    means: 'The installation lacks settings without which it answers nobody.',
    todo: 'Whoever runs it sets what the answer names.',
  },
  unavailable: { status: 503, retryable: true, means: 'A part that is needed does not answer.', todo: 'Try again.' },
} as const satisfies Record<string, RefusalRow>;

export type RefusalCode = keyof typeof refusalTable;

/** One place that is wrong: a JSON pointer into the command (or a path in a document) and a code. */
export interface Problem {
  pointer: string;
  code: string;
  detail?: string;
}

export interface Refusal {
  refused: true;
  code: RefusalCode;
  /** For a developer. Never shown to people as the only text. */
  detail?: string;
  errors?: Problem[];
  /** What is current, so that the caller can decide again. */
  current?: Json;
  allowedNext?: string[];
}

export function refuse(code: RefusalCode, more: Omit<Refusal, 'refused' | 'code'> = {}): Refusal {
  return { refused: true, code, ...more };
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && (value as { refused?: unknown }).refused === true;
}
