/**
 * Requirements and permissions: what is exported, for which program, and who may. Asks instead of guessing: which spreadsheet program, and which records or
 * columns where the selection cannot be taken as it stands. Delivers `requirements.json`, which the other items and all checks read, and `requirements.md`.
 */
import { requirementsText } from './lib-documents.js';
import { fact, must, readJson, writeJson, writeText } from './lib-host.js';
import { models, programs } from './lib-models.js';
import { problemsOf } from './lib-selection.js';

export default async function run(host, input) {
  const settings = input.item.input ?? {};
  const source = await readSource(host);
  if (source.refusal) return askForSource(host, source.refusal);

  const answer = await fact(host, 'spreadsheet_program');
  const program = typeof answer === 'string' ? answer : answer?.program;
  if (program === undefined) return askForProgram(host, source.records);
  if (!programs.includes(program)) throw new Error(`the fact spreadsheet_program names ${program}, and there is no model of it`);

  const ids = (await fact(host, 'export_selection'))?.ids ?? source.selection.selected;
  const columns = (await fact(host, 'export_columns'))?.columns ?? source.selection.columns;
  const withheld = settings.permissions?.withheldColumns ?? [];
  const problem = problemsOf(source.records, ids, columns, withheld);
  if (problem) return must(host, 'block', problem);

  const requirements = {
    program,
    columns,
    ids,
    permissions: { export: settings.permissions?.export ?? ['members who may read the records'], withheldColumns: withheld },
    large: settings.large ?? { rows: 100_000, chunkRows: 5000, inFlight: 4 },
  };
  const json = await writeJson(host, 'requirements.json', requirements);
  const text = await writeText(host, 'requirements.md', requirementsText(requirements), 'text/markdown; charset=utf-8');
  await must(host, 'ledger.record', {
    entries: [
      {
        subject: 'requirements',
        verdict: 'decided',
        reason: `${ids.length} records, ${columns.length} columns, to open in ${models[program].title}`,
        evidence: ['fact:spreadsheet_program', 'file:selection.json', 'file:records.json'],
      },
    ],
  });
  const evidence = [`artifact:${json.digest}`, `artifact:${text.digest}`];
  await must(host, 'submit', {
    artifacts: ['requirements.json', 'requirements.md'],
    summary: `${ids.length} records with ${columns.length} columns for ${models[program].title}`,
    claims: [
      { criterion: 'program', evidence: ['fact:spreadsheet_program', ...evidence] },
      { criterion: 'fields', evidence },
      { criterion: 'who', evidence },
    ],
  });
}

async function readSource(host) {
  try {
    const selection = await readJson(host, 'selection.json', 'source');
    const records = await readJson(host, 'records.json', 'source');
    const texts = (list) => Array.isArray(list) && list.every((each) => typeof each === 'string');
    if (!Array.isArray(records) || !records.every((record) => record !== null && typeof record === 'object' && !Array.isArray(record) && typeof record.id === 'string')) {
      return { refusal: 'records.json is not a list of records with an id' };
    }
    if (selection === null || typeof selection !== 'object' || !texts(selection.selected) || !texts(selection.columns))
      return { refusal: 'selection.json does not hold `selected` and `columns` as lists of texts' };
    return { selection, records };
  } catch (error) {
    if (error?.refusal) return { refusal: error.message };
    throw error;
  }
}

function askForSource(host, detail) {
  return must(host, 'block', {
    key: 'source_data',
    reason: `The source cannot be used: ${detail}. Put the file right, then answer that it was replaced.`,
    form: {
      type: 'object',
      title: 'Source data',
      properties: { replaced: { type: 'boolean', title: 'The file was replaced' } },
      required: ['replaced'],
      additionalProperties: false,
    },
  });
}

/** Chinese text in the records speaks for the program that most of its readers have. */
function askForProgram(host, records) {
  const chinese = records.some((record) => /\p{Script=Han}/u.test(JSON.stringify(record)));
  return must(host, 'block', {
    key: 'spreadsheet_program',
    reason: `Which spreadsheet program will open the file? Each reads a CSV file in its own way.`,
    form: {
      type: 'object',
      title: 'Spreadsheet program',
      properties: { program: { type: 'string', enum: programs, enumNames: programs.map((program) => models[program].title), title: 'Program' } },
      required: ['program'],
      additionalProperties: false,
    },
    recommended: { program: chinese ? 'excel-zh' : 'libreoffice' },
    fact: 'spreadsheet_program',
  });
}
