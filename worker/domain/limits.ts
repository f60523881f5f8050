/**
 * Every limit of the domain that is no field of a contract, with its reason. Sizes are bytes of UTF-8 JSON unless a name says otherwise.
 * Limits of single fields stand in their schemas; what a person may set stands in `contract/contract.ts`.
 */

/** A plan is one responsibility graph that people read and `advance` walks on every command: past this, a Goal wants to be several. */
export const PLAN_ITEMS = 1000;
/** Five per item on average. Cycles and order are found in time linear in it. */
export const PLAN_DEPENDENCIES = 5000;
/** A sealed plan travels in one command and one row; a row of the object's storage holds 2 MB. */
export const PLAN_BYTES = 1_000_000;
/** Problems that one refusal lists. More of them say nothing new, and the answer has to fit an HTTP body and a model's context. */
export const PROBLEMS = 500;

/** Ids that a failing scene names on each side: as many as the schema of a scene takes. The summary gives the whole count. */
export const SCENE_IDS = 2000;
/** Ids that a summary quotes before "and N more". */
export const SUMMARY_IDS = 10;

/** The working set of a Goal of PLAN_ITEMS items, so that a snapshot is two rows at most and folding stays in memory. */
export const WORKING_SET_BYTES = 2_000_000;

/**
 * The resume packet starts every round, so its size must not grow with history: each list has a length, and a budget in bytes of JSON for texts that are wider than usual.
 * The budgets and the fixed part leave at least 2,000 bytes for the feedback, which gets all that the rest does not use. `rest` in the packet names the reads for what was left out.
 */
export const RESUME_PACKET_BYTES = 12_000;
export const RESUME = {
  /** Those of a contract are few; naming them all is the recital. */
  milestones: { entries: 12, bytes: 1200 },
  /** For each of ready, blocked and submitted. A round works on one of them. */
  items: { entries: 12, bytes: 400 },
  /** Newest decisions: enough to go on in the same manner, not to judge again. */
  decisions: { entries: 8, bytes: 1500 },
  /** Decisions whose evidence fell: their ids, subjects and what fell. */
  fallen: { entries: 6, bytes: 700 },
  /** The head of the needs-review list. */
  reviewList: { entries: 20, bytes: 800 },
  effects: { entries: 8, bytes: 500 },
  approvals: { entries: 8, bytes: 500 },
  /** As many as one spawn may admit. */
  children: { entries: 32, bytes: 1800 },
  /** First those that the item's checks read, then the first of the record. */
  facts: { entries: 24, bytes: 900 },
  /** Verdicts that sent the item back, newest first: what the next Attempt must act on. The one before the newest gets `olderBytes` at most. */
  // `bytes`: at most this also where the rest leaves more. Ids are many tokens for their length, and the whole packet stays under 4,000 of them.
  feedback: { entries: 2, bytes: 5000, summaryBytes: 600, olderBytes: 600 },
  /** What people said and nobody handled: the oldest first, as they are dealt with in order. */
  messages: { entries: 6, bytes: 1000, textBytes: 300 },
  /** Characters of one id, key or subject; of a reason; of a milestone's title; of one side of a finding. */
  idChars: 64,
  reasonChars: 120,
  titleChars: 60,
  findingChars: 120,
} as const;

/** Entries of each list of what rests on a piece of evidence. */
export const EVIDENCE_LISTED = 200;

/** Notices and rounds recite the objective; its head is enough to steer by, the contract travels whole beside it. */
export const RECITAL_CHARS = 600;

/** Verdicts per node on the graph view; the item panel has all of them. */
export const NODE_RETURNS = 5;
/** Edges of what happened on one graph view. With more, the view says that it is truncated. */
export const PROCESS_EDGES = 500;
/** Characters of a summary on a node. */
export const NODE_SUMMARY_CHARS = 300;
/** Waits and blockers that the goal bar lists; every frame of a socket carries the bar, and a frame stays under 900 kB. */
export const BAR_WAITS = 50;
export const BAR_BLOCKERS = 50;
/** One list in the data of an event view; a longer one is cut and its length given. The row or body has all of it. */
export const EVENT_LIST = 50;
/** Files that an item's earlier Attempts left behind and that the next one is handed by name. */
export const WORKING_FILES = 500;
/** Accepted deliveries whose files a coordinator can read by name: it audits and plans by some of them, and the record has all. */
export const COORDINATOR_INPUTS = 200;

/** Calls that a person refused and that a round is told of; those that were approved and not used are told all. */
export const REFUSED_CALLS = 12;
/** Approvals that are looked through for them, so that the start of a round costs the same with any history. */
export const DECIDED_ROWS = 200;

/** A claimed item is given back after this long without a heartbeat: a program beats every few minutes, a person comes back within a week. */
export const EXTERNAL_LEASE_MS = 15 * 60_000;
export const PERSON_LEASE_MS = 7 * 86_400_000;
/** An offer to a person or an external executor that nobody takes becomes a question for the owner. */
export const OFFER_MS = 24 * 3_600_000;
/** A scheduled round not claimed by then is dispatched again: long enough for a cold queue, short enough for a person who watches. */
export const CLAIM_WITHIN_MS = 30_000;
/** A claimed round that did not start. Between the two lies one call; a Runner that needs a minute for it is gone. */
export const START_WITHIN_MS = 60_000;
/** Rounds lost in a row on one lane and target, without an applied change, before the errors are a person's. A deploy or two loses a round each; five in a row is no accident, and each costs a lease's time. */
export const LOST_ROUNDS = 5;
/** Attempts past the limit, or after a rejection, that coordinators may grant an item; then a person decides. */
export const COORDINATOR_GRANTS = 2;
/** Rounds that failed in a row (not by the provider's wish to wait). One may be chance; the second says the same again, and a third would only cost more. */
export const FAILED_ROUNDS = 2;
/** Tries of a provider that asks to wait, before it counts as failed. Waiting is free, so there are more of them than of failures; past that the limit is one that a person must lift. */
export const PROVIDER_TRIES = 5;
/** A check that could not run is tried again this often, after these pauses. */
export const CHECK_RETRIES_MS = [10_000, 60_000, 300_000];
/** An outside check not answered by then is dispatched again under the next fence, with twice the time: most need seconds, and a lost message should not cost more than that. */
export const CHECK_WITHIN_MS = 60_000;
/** What a check's script may take. */
export const CHECK_SCRIPT_MS = 300_000;
/** The most time that a dispatch is given: a whole script, its files and its answer. */
export const CHECK_WITHIN_MOST_MS = CHECK_SCRIPT_MS + 60_000;
/** An approval that nobody decides: a weekend with a day to spare, and not so long that the call's reasons have changed. */
export const APPROVAL_MS = 3 * 86_400_000;
/** An early signal is kept this long for its waiter, as long as senders repeat a delivery; and how many at once, so that a stranger's signals cannot fill the working set. */
export const SIGNAL_KEPT_MS = 7 * 86_400_000;
export const SIGNALS_KEPT = 200;
/** Past the horizon of an effect by this much, what is asked is not asked too early by a clock that differs. */
export const PROBE_MARGIN_MS = 1000;
/** How long after it was planned an effect may be sent at the latest. */
export const SEND_WITHIN_MS = 30_000;
/** Margin past sendWithin + timeout before an open effect is unknown, or may be concluded absent. */
export const EFFECT_MARGIN_MS = 60_000;
/** Open children of one Attempt: half of the parallel rounds that a contract may allow at most; more would wait for each other. */
export const CHILDREN = 32;
/** One body beside the journal (a brief, a result, an argument): under what a row of the object's storage holds. Longer content belongs in files and is passed by digest. */
export const BODY_BYTES = 1_000_000;
/** A brief larger than this is kept as a file and travels by its digest: what a message of a queue holds, so that no way of handing it on is too narrow. */
export const BRIEF_INLINE_BYTES = 128_000;
/** A brief at most: a script is given it whole, parsed, in an isolate of 128 MB. */
export const BRIEF_BYTES = 16_000_000;
/** Rounds in a row on one lane and target that ended waiting, changed nothing, and were woken by time alone: a poll that long finds nothing. */
export const IDLE_WAITS = 10;
/** Messages that come with one answer of a round; and how many unhandled ones are looked at for them. */
export const MESSAGES_TOLD = 20;
export const MESSAGES_READ = 200;
/** Milestones of one contract, those defined on the way included: as many as its schema takes. */
export const MILESTONES = 50;
/** Topics of notes. Each is a line of the working set for good; entries within one are rows. */
export const NOTE_TOPICS = 200;
/** Intake rounds of one draft, those included that a person asked for anew: past them a person writes the contract. */
export const INTAKE_ROUNDS = 6;
/** Proposals that may still be adopted: past this the oldest sealed one is superseded. */
export const PROPOSALS = 20;
/** Closed waits and questions whose generation is remembered. A signal for one that was forgotten, after so many others closed, is kept as an early one. */
export const GENERATIONS_KEPT = 1000;
/** Files under sources, and under deliverables of a goal-only run: each is a line of the working set. */
export const SOURCES = 4000;
export const DELIVERABLES = 1000;
