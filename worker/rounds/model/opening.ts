/**
 * The first message of a round: what it is for, the contract whole, where the work stands, the files, why deliveries came back. All of it but the
 * headings is data. A reviewer's says nothing of how the worker came to its delivery. After a compaction it is made anew, from the record as it is then.
 */
import type { Json } from '../../domain/values.ts';
import type { ResumePacket } from '../../domain/views/types.ts';
import type { RoundContext } from '../../goal/rpc.ts';
import { fenced } from './data-fence.ts';
import { decidedOf, howToUse } from './decided.ts';
import type { Snapshot } from './snapshot.ts';
import { howToRead } from './window.ts';

export interface OpeningParts {
  context: RoundContext;
  /** As the record stands now; the round's own at its start. */
  packet: ResumePacket;
  /** Characters of one block that can grow with the work: files, children, the graph. The contract, the item and the packet are whole. */
  limit: number;
  /** The business round that the goal carries out, and what the one before left open. */
  business?: Json;
  /** For a coordinator: items and questions. */
  graph?: Json;
  /** Decided calls as they stand now; those of the round's start where they are left out. */
  decided?: NonNullable<RoundContext['decided']>;
  /** Skills that can be read. */
  skills?: Json;
  /** Messages that this round was told before. */
  messages?: Json;
  /** What this conversation was before, or the round before this one left. */
  snapshot?: { of: 'this round' | 'the round before'; value: Snapshot };
}

export function openingOf({ context, packet, limit, business, graph, decided, skills, messages, snapshot }: OpeningParts): string {
  const { lane } = context;
  const parts = [assignment(context)];
  if (context.contract) parts.push(section('The contract, whole and in force', 'contract', context.contract as unknown as Json));
  else parts.push('This goal has no contract, only its plan and limits.');
  if (context.intake) parts.push(section('What the person said, and what was proposed before', 'intake', context.intake as unknown as Json));
  if (context.question) parts.push(section('The question to route', 'question', context.question as unknown as Json));
  if (business !== undefined)
    parts.push(`${section('The business round that this goal carries out', 'business_round', clipped(business, limit, '`business_read` gives all of it'))}\n${howItGoesOn}`);
  if (lane === 'worker' && context.item && !context.brief) parts.push(section('Your work item', 'item', context.item as unknown as Json));
  if (context.brief) parts.push(section('Your brief', 'brief', briefOf(context.brief, limit)));
  if (lane === 'reviewer' && context.submission) parts.push(section('The submission to judge', 'submission', context.submission as unknown as Json));
  parts.push(section('Where the work stands (a bounded extract of the record)', 'resume_packet', packetFor(context, packet)));
  const calls = decidedOf(decided ?? context.decided ?? [], limit);
  if (calls) parts.push(`${section('Calls that a person decided on', 'decided_calls', calls)}\n${howToUse}`);
  if (graph !== undefined) parts.push(section('The work items', 'graph', clipped(graph, limit, '`work_list` gives all of it')));
  const files = filesOf(context, limit);
  if (files) parts.push(section('Files', 'files', files));
  if (Object.keys(context.children).length > 0) parts.push(section('Your children and their results', 'children', childrenOf(context, limit)));
  if (skills !== undefined) parts.push(section('Skills that you can read with `skill_read`', 'skills', skills));
  if (messages !== undefined) parts.push(section('What people said to this goal; you were told before', 'messages', messages));
  if (snapshot) {
    const whose = snapshot.of === 'this round' ? 'Your own notes from earlier in this round' : 'Notes of the round before, which ended in the middle of this work';
    parts.push(
      `${section(whose, 'snapshot', snapshot.value as unknown as Json)}\nAll of it has happened already. Where it differs from the record above, the record counts. Go on from here.`,
    );
  }
  return parts.join('\n\n');
}

const howItGoesOn =
  'While it is unfinished the next round of its trigger does not begin. Where its outcome lies with somebody else, say with `business_wait` what exactly it waits for; where `before.open` is set, the round before left that open: take it up or say why not. With `endsWithGoal` the end of this goal completes it, else `business_complete` or a person does.';

/** Whole where it fits. One that is kept as a file has its head in the record. */
function briefOf({ name, value, file }: NonNullable<RoundContext['brief']>, limit: number): Json {
  return { name, value: file ? { cut: `${file.size} bytes; ${howToRead('brief')}`, ...(value as object) } : clipped(value, limit, howToRead('brief')) };
}

/** What is longer goes in with its head, and how the rest is read. */
function clipped(value: Json, limit: number, how: string): Json {
  const text = JSON.stringify(value);
  return text.length <= limit ? value : { cut: `${text.length} characters; ${how}`, head: text.slice(0, limit) };
}

/** Results whole where they fit; else each by its head. */
function childrenOf(context: RoundContext, limit: number): Json {
  const children = Object.entries(context.children);
  const each = Math.floor(limit / Math.max(1, children.length));
  return Object.fromEntries(
    children.map(([name, { state, ok, result }]) => [
      name,
      { state, ...(ok === undefined ? {} : { ok }), ...(result === undefined ? {} : { result: clipped(result, each, howToRead(`child:${name}`)) }) } as Json,
    ]),
  );
}

function section(title: string, name: string, value: Json): string {
  return `## ${title}\n${fenced(name, value)}`;
}

function assignment(context: RoundContext): string {
  const { lane, purpose, item, submission, brief, packet } = context;
  const recovery = packet.recovery ? ' The round before this one moved nothing on record: do something that does, or say with `block` what stops you.' : '';
  const about = `Goal version ${context.goalVersion}, plan revision ${context.planRevision}. At most ${context.stepsPerRound} calls in this round.`;
  if (brief) return `# Subagent round ${context.round}\nYou carry out one brief for a parent Attempt, and end with \`return\`. ${about}${recovery}`;
  switch (lane) {
    case 'coordinator':
      return `# Coordinator round ${context.round}, purpose: ${purpose ?? 'work'}\n${purposes[purpose ?? 'work'] ?? ''} ${about}${recovery}`;
    case 'worker':
      return `# Worker round ${context.round}\nYou carry out the work item \`${item?.key ?? ''}\`, Attempt ${item?.attemptNumber ?? 1}, and end with \`submit\`. ${about}${recovery}`;
    case 'reviewer':
      return `# Reviewer round ${context.round}\nYou judge the one submission of \`${submission?.item ?? ''}\` below, and end with \`review_record\`. ${about}${recovery}`;
  }
}

const purposes: Record<string, string> = {
  intake: 'A person said what they want, in one sentence. Propose the contract with `goal_draft`; the person adjusts and confirms it.',
  plan: 'There is no plan yet: propose one and adopt it.',
  replan: 'The plan must change: propose a new one that keeps what is accepted, and adopt it.',
  upstream: 'Something that was accepted has fallen, or can no longer be reached: revise the plan or route the work.',
  uncovered: 'The audit found criteria that nothing covers: add work for them, or ask their owner.',
  rejected: 'A delivery was rejected for good: give the item one more Attempt with `work_assign`, or revise the plan.',
  stopped: 'An item has stopped: find out why, then `work_resume` it or revise the plan.',
  blocker:
    'A worker asks a question: answer it from the record, turn it into work of the plan, or pass it on to a person. What you leave open is asked of its owner when the round ends.',
  amend:
    'A person asks for another contract, in the messages that you are told: propose the change with `goal_amend`, then `hand_back`. Nothing changes before the person decides.',
  audit: 'All required items are accepted: class every criterion with `goal_audit`.',
  work: 'There is no plan in this goal: work on the objective yourself, and end with `finish` when the deliverables are complete.',
};

/** What a round starts from but the contract, which travels beside it. Feedback is for the lane that acts on it. */
function packetFor(context: RoundContext, packet: ResumePacket): Json {
  const { feedback, messages: _told, ...rest } = packet;
  if (context.lane === 'reviewer' || context.brief) {
    const { milestones, facts, reviewList, goalVersion, planRevision, seq } = rest;
    return { goalVersion, planRevision, seq, milestones, facts, reviewList } as unknown as Json;
  }
  return { ...rest, ...(feedback.length > 0 ? { feedback } : {}) } as unknown as Json;
}

/** The list of files, not their content. A reviewer gets those of the submission and what it was made from. */
function filesOf(context: RoundContext, limit: number): Json | null {
  let left = limit;
  const short = (files: { path: string; digest: string; size: number }[]): Json => {
    const listed: Json[] = [];
    for (const { path, size, digest } of files) {
      left -= path.length + 100;
      if (left < 0) {
        listed.push(`and ${files.length - listed.length} more: files_list`);
        break;
      }
      listed.push({ path, size, digest });
    }
    return listed;
  };
  const files: { [name: string]: Json } = {};
  const upstream = context.upstream.filter((each) => each.artifacts.length > 0);
  if (upstream.length > 0) files.accepted_inputs = upstream.map(({ item, artifacts, summary }) => ({ item, summary: summary.slice(0, 1000), files: short(artifacts) }));
  if (context.lane !== 'reviewer' && context.working.length > 0) files.your_earlier_files = short(context.working);
  if (context.sources.length > 0) files.sources = short(context.sources);
  return Object.keys(files).length > 0 ? files : null;
}
