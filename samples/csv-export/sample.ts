/** The CSV export sample: its contract, its sources and what `--out` receives. Which rules the file must follow is not here: the run learns it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContractInput } from '../../worker/domain/contract/contract.ts';
import type { CheckSpec } from '../../worker/domain/planes/check-spec.ts';
import type { Json } from '../../worker/domain/values.ts';
import { agentLanes, type GoalCreate, type Sample, type SourceFile } from '../sample.ts';

export interface CsvGoalOptions {
  /** Columns that may not be exported, and who may export. */
  permissions?: { export: string[]; withheldColumns: string[] };
  /** Size of the large run. The contract asks for 100,000 rows; tests run a smaller one. */
  large?: { rows: number; chunkRows: number; inFlight: number };
  /** Characters that the server quotes in the place of its own: lets the compatibility check find something. */
  quote?: string[];
}

export const permissions = { export: ['members who may read the record list'], withheldColumns: ['password', 'token', 'secret'] };

type ScriptCheck = Extract<CheckSpec, { kind: 'script' }>;
function script(key: string, title: string, file: string, files: ScriptCheck['files']): ScriptCheck {
  return { key, title, kind: 'script', skill: 'csv-export', script: file, files, facts: [] };
}

export function csvContract({ large = { rows: 100_000, chunkRows: 5000, inFlight: 4 } }: CsvGoalOptions = {}): ContractInput {
  const exported = { item: 'server', path: 'export.csv' };
  const requirements = { item: 'requirements', path: 'requirements.json' };
  const records = { source: 'records.json' };
  const evidence = ['large-run.json', 'cancelled-run.json', 'audit.jsonl', 'feedback/empty_selection.json', 'feedback/failed.json'].map((path) => ({ item: 'server', path }));
  return {
    title: 'Batch CSV export for the record list',
    objective:
      'Let people export the records they selected as a CSV file that opens right in their spreadsheet program: the selected records and columns in their order, no garbled text, ' +
      'no lost digits, nothing that runs as a formula. A large export stays within bounds, a cancelled or failed one leaves no file and says so, and every export is on record. ' +
      'Deliver the file, the client page, and documents, and verify the accepted file once more for compatibility.',
    criteria: [
      { id: 'records', text: 'Selected records, fields and order are right, and reading the file back gives the original values.', verify: 'check', checks: ['delivered-records'] },
      { id: 'opens', text: 'The delivered file opens right in the spreadsheet program that a person named.', verify: 'check', checks: ['delivered-opens'] },
      {
        id: 'bounded',
        text: `A run over ${large.rows} records keeps at most ${large.inFlight} chunks in flight, and a cancelled run leaves no partial file.`,
        verify: 'check',
        checks: ['large-run', 'delivered-evidence'],
      },
      {
        id: 'feedback',
        text: 'The page lets people select, and says so when nothing is selected, when an export fails and when it is cancelled.',
        verify: 'check',
        checks: ['delivered-page'],
      },
      { id: 'permissions', text: 'It is settled who may export which columns, and every export leaves an audit entry.', verify: 'review' },
      { id: 'documented', text: 'Usage, limits and a release note are written for the delivered file.', verify: 'review' },
    ],
    nonGoals: [
      { id: 'source-records', text: 'The records themselves are not changed, and nothing is sent to another system.', forbids: [{ tool: 'supplier.*' }, { tool: 'bank.*' }] },
      { id: 'other-formats', text: 'No other format than CSV is exported.' },
    ],
    checks: [
      script('delivered-records', 'Records, columns and order of the delivered file', 'check-records.js', [exported, requirements, records]),
      script('delivered-opens', 'The delivered file opens right', 'check-opens.js', [exported, requirements, records]),
      script('delivered-evidence', 'Cancelled run, audit entry and feedback', 'check-evidence.js', [exported, requirements, ...evidence]),
      script('delivered-page', 'The client page is complete', 'check-client.js', [{ item: 'client', path: 'index.html' }, requirements, records]),
      {
        key: 'large-run',
        title: 'The large run stayed within bounds',
        kind: 'json_schema',
        file: { item: 'server', path: 'large-run.json' },
        schema: {
          type: 'object',
          properties: {
            rows: { type: 'integer', minimum: large.rows },
            chunks: { type: 'integer', minimum: 1 },
            maxInFlight: { type: 'integer', minimum: 1, maximum: large.inFlight },
            digest: { type: 'string', pattern: '^[0-9a-f]{64}$' },
          },
          required: ['rows', 'chunks', 'maxInFlight', 'digest'],
        },
      },
    ],
    limits: { rounds: 80 },
  };
}

/** `goal.create` of this sample: a bound goal, carried by the scripts of its skill. */
export function csvGoal(options: CsvGoalOptions = {}): GoalCreate {
  const input = { permissions, ...options } as unknown as Json;
  return {
    mode: 'bound',
    contract: csvContract(options),
    lanes: {
      coordinator: { kind: 'skill', skill: 'csv-export', script: 'plan.js', input },
      reviewers: [{ kind: 'skill', skill: 'csv-export', script: 'review.js' }],
    },
  };
}

function sourcesIn(dir: string): SourceFile[] {
  return ['records.json', 'selection.json'].map((path) => {
    if (!existsSync(join(dir, path))) throw new Error(`${dir} holds no ${path}. A CSV export needs records.json and selection.json.`);
    return { path, bytes: new Uint8Array(readFileSync(join(dir, path))), type: 'application/json' };
  });
}

export const sample: Sample = {
  name: 'csv-export',
  title: 'Batch CSV export for the record list',
  async create(dir, { executor = 'skill' } = {}) {
    const payload = csvGoal();
    return { payload: executor === 'model' ? { ...payload, lanes: agentLanes } : payload, files: sourcesIn(dir) };
  },
  outputs: [
    { as: 'export.csv', item: 'server', path: 'export.csv' },
    { as: 'manifest.json', item: 'server', path: 'manifest.json' },
    { as: 'large-run.json', item: 'server', path: 'large-run.json' },
    { as: 'cancelled-run.json', item: 'server', path: 'cancelled-run.json' },
    { as: 'audit.jsonl', item: 'server', path: 'audit.jsonl' },
    { as: 'feedback/empty_selection.json', item: 'server', path: 'feedback/empty_selection.json' },
    { as: 'feedback/failed.json', item: 'server', path: 'feedback/failed.json' },
    { as: 'index.html', item: 'client', path: 'index.html' },
    { as: 'requirements.json', item: 'requirements', path: 'requirements.json' },
    { as: 'requirements.md', item: 'requirements', path: 'requirements.md' },
    { as: 'usage.md', item: 'documentation', path: 'usage.md' },
    { as: 'release-note.md', item: 'documentation', path: 'release-note.md' },
    { as: 'compatibility-report.json', item: 'compatibility', path: 'compatibility-report.json' },
    { as: 'acceptance-report.json', item: 'integrated', path: 'acceptance-report.json' },
    { as: 'acceptance-report.md', item: 'integrated', path: 'acceptance-report.md' },
  ],
};
