/** The Goal under test: a confirmed contract, a plan of ten items, milestones; carried by people, so that nothing runs unless the benchmark does it. */
import type { Connection } from './load.ts';

export const goalsPath = '/v1/workspaces/local/goals';
const person = { kind: 'person' } as const;

/** Plan of `count` items in a chain of three: each depends on the three before it. */
function plan(count: number) {
  const keys = Array.from({ length: count }, (_, index) => `item-${index + 1}`);
  return {
    mode: 'bound',
    items: keys.map((key, index) => ({
      key,
      title: `Part ${index + 1} of the work`,
      objective: 'Do this part with care, and say what was left out.',
      acceptance: [{ id: 'complete', text: 'Everything in scope is decided.' }],
      covers: ['c1'],
      executor: person,
      dependsOn: keys.slice(Math.max(0, index - 3), index).map((dep) => ({ key: dep })),
      review: [{ by: 'person' }],
    })),
  };
}

const contract = {
  title: 'Decide about every subject in scope',
  objective: 'Every subject is decided by the rules, with a reason and evidence; what cannot be decided is set aside for a person.',
  criteria: [{ id: 'c1', text: 'Every subject in scope is decided.', verify: 'review' }],
  milestones: [{ key: 'decided', title: 'Subjects decided', target: 1_000_000 }],
  limits: { rounds: 1000 },
};

async function give(connection: Connection, path: string, body: object): Promise<{ goal: string; result: Record<string, string> | null }> {
  const answer = await connection.post({ path, body: JSON.stringify(body) });
  if (answer.status > 299) throw new Error(`${path}: ${answer.status} ${answer.body}`);
  return JSON.parse(answer.body);
}

export const commandsPath = (goal: string): string => `${goalsPath}/${goal}/commands`;
export const goalPath = (goal: string): string => `${goalsPath}/${goal}`;

/** Creates an active Goal with its plan; returns its id. `name` must be new. */
export async function createGoal(connection: Connection, name: string, items = 10): Promise<string> {
  const { goal } = await give(connection, goalsPath, { type: 'goal.create', commandId: `create-${name}`, payload: { mode: 'bound', contract, confirmed: true } });
  const path = commandsPath(goal);
  const { result } = await give(connection, path, { type: 'plan.propose', commandId: 'propose', expected: { planRevision: 0 }, payload: { document: plan(items) } });
  await give(connection, path, { type: 'plan.adopt', commandId: 'adopt', expected: { planRevision: 0 }, payload: { proposal: result?.proposal }, reason: 'to begin' });
  return goal;
}

/** The cheap command: one event, one row of the record, one body. */
export function noteCommand(id: string): string {
  return JSON.stringify({ type: 'note.append', commandId: id, payload: { topic: 'log', text: `Looked at subject ${id}: nothing unusual, went on with the next one.` } });
}

/** One command of `count` decisions: two events each (the ledger entry and the milestone). */
export function ledgerCommand(id: string, from: number, count: number): string {
  const entries = Array.from({ length: count }, (_, index) => ({
    subject: `INV-${from + index}`,
    milestone: 'decided',
    verdict: 'approved',
    reason: 'Amount, order and delivery agree within the tolerance of the contract.',
    evidence: ['fact:scope#contract-3.1'],
  }));
  return JSON.stringify({ type: 'ledger.record', commandId: id, payload: { entries } });
}

export async function recordScope(connection: Connection, goal: string): Promise<void> {
  await give(connection, commandsPath(goal), {
    type: 'fact.record',
    commandId: 'scope',
    payload: { facts: [{ key: 'scope', value: 'All invoices of the year.', provenance: { from: 'person', principal: 'person:local' } }] },
  });
}
