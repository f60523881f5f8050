/**
 * The honest agents of any small goal about a report: the intake proposes a contract, the coordinator plans two parts side by side and one that joins them, a reviewer
 * sends the first delivery of the joined report back, the worker mends it, the coordinator audits. Nothing here knows the goal beyond what the protocol says.
 */
import { call, type JsonValue, type Script } from '../script.ts';
import { agentScript, must, type Opening, type Play } from './agent.ts';

interface Contract {
  title: string;
  objective: string;
  criteria: { id: string; verify: string }[];
}
interface Item {
  key: string;
  objective: string;
  acceptance: { id: string }[];
}

async function* coordinate(opening: Opening): Play {
  switch (opening.purpose) {
    case 'intake':
      return yield* intake(opening);
    case 'audit': {
      const classes = (opening.data.contract as unknown as Contract).criteria.map(({ id }) => ({ criterion: id, class: 'proven', evidence: [] }));
      yield* must('goal_audit', { classes });
      yield call('hand_back', { note: 'audited' });
      return 'audited';
    }
    case 'blocker':
      yield call('hand_back', { note: 'nothing here says' });
      return 'left to its owner';
    default:
      return yield* plan(opening);
  }
}

async function* intake(opening: Opening): Play {
  const { sentence } = opening.data.intake as { sentence: string };
  yield call('goal_draft', {
    contract: {
      title: sentence.slice(0, 60),
      objective: sentence,
      criteria: [{ id: 'report-complete', text: 'The report answers what was asked, from both of its parts.', verify: 'review' }],
      nonGoals: [{ id: 'nothing-sent', text: 'Nothing is sent to anybody.', forbids: [{ tool: 'http.*' }] }],
    },
    shape: 'graph',
    because: ['parallel_owners', 'independent_review'],
    mode: 'bound',
    why: 'Two parts can be found out side by side, and somebody else must judge the whole.',
    questions: [],
  });
  return 'proposed';
}

async function* plan(opening: Opening): Play {
  const { criteria } = opening.data.contract as unknown as Contract;
  const agent = { kind: 'agent', profile: 'worker' };
  const part = (key: string, title: string) => ({
    key,
    title,
    objective: `${title}: find out what is asked and write it down.`,
    deliverable: `${key}.md`,
    acceptance: [{ id: `${key}-there`, text: 'It is written down.' }],
    outputs: [{ scope: `file:${key}.md` }],
    executor: agent,
    checks: [{ key: `${key}-file`, title: 'The file is there', kind: 'file_exists', file: { path: `${key}.md` } }],
  });
  const document = {
    mode: 'bound',
    items: [
      part('facts', 'The facts'),
      part('risks', 'The risks'),
      {
        key: 'report',
        kind: 'integrate',
        title: 'The report',
        objective: 'Join both parts into one report.',
        deliverable: 'report.md',
        acceptance: [{ id: 'both-parts', text: 'Both parts are in it.' }],
        covers: criteria.map(({ id }) => id),
        outputs: [{ scope: 'file:report.md' }],
        dependsOn: [{ key: 'facts' }, { key: 'risks' }],
        executor: agent,
        review: [{ by: 'checks' }, { by: 'agent' }],
      },
    ],
  };
  const { proposal } = (yield* must('plan_propose', { document: document as unknown as JsonValue })) as { proposal: string };
  yield* must('plan_adopt', { proposal });
  yield call('hand_back', { note: 'planned' });
  return 'planned';
}

async function* work(opening: Opening): Play {
  const item = opening.data.item as unknown as Item;
  const packet = opening.data.resume_packet as { feedback?: { scene: { summary: string } | null }[] };
  const path = `${item.key}.md`;
  let text = `# ${item.key}\n\nWhat is known of ${item.key}.\n`;
  if (item.key === 'report') {
    const parts: string[] = [];
    for (const key of ['facts', 'risks']) {
      // The first delivery leaves one part out, as people do; what came back says which.
      if (key === 'risks' && !packet.feedback) continue;
      parts.push(((yield* must('files_read', { path: `${key}.md`, from: key })) as { text: string }).text);
    }
    text = parts.join('\n');
  }
  const file = (yield* must('files_write', { path, text })) as { digest: string };
  yield call('submit', {
    artifacts: [path],
    summary: packet.feedback ? `Mended: ${packet.feedback[0]?.scene?.summary ?? ''}` : `${item.key} is written.`,
    claims: item.acceptance.map(({ id }) => ({ criterion: id, evidence: [`artifact:${file.digest}`] })),
  });
  return 'submitted';
}

async function* review(opening: Opening): Play {
  const submission = opening.data.submission as unknown as { artifacts: { path: string }[]; criteria: { id: string }[] };
  const { text } = (yield* must('files_read', { path: submission.artifacts[0]?.path ?? '' })) as { text: string };
  const missing = ['facts', 'risks'].filter((part) => !text.includes(`# ${part}`));
  const criteria = submission.criteria.map(({ id }) => ({ id, met: missing.length === 0 }));
  if (missing.length === 0) yield call('review_record', { verdict: 'accepted', criteria });
  else yield call('review_record', { verdict: 'changes_requested', criteria, scene: { summary: `The report lacks: ${missing.join(', ')}`, missing } });
  return 'judged';
}

export const report: Script = agentScript({ coordinator: coordinate, worker: work, reviewer: review });
