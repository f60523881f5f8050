/** The requirements follow the answer that a person gave and the source: the program of the fact, records and columns that exist, nothing withheld. */
import { failed, jsonOf, passed, textOf } from './lib-check.js';
import { models } from './lib-models.js';

export default async function run(_host, input) {
  const requirements = jsonOf(input, 'requirements.json');
  const records = jsonOf(input, 'records.json');
  const text = textOf(input, 'requirements.md');
  if (!requirements || !records || text === null) return failed('The requirements or the records are missing.');
  const answer = input.facts.spreadsheet_program;
  const program = typeof answer === 'string' ? answer : answer?.program;
  const findings = [];
  if (requirements.program !== program) findings.push({ where: 'requirements.json/program', expected: String(program), actual: String(requirements.program) });
  else if (!text.includes(models[program].title)) findings.push({ where: 'requirements.md', expected: models[program].title });
  const known = new Set(records.map((record) => record.id));
  const extra = requirements.ids.filter((id) => !known.has(id));
  if (requirements.ids.length === 0 || new Set(requirements.ids).size !== requirements.ids.length)
    findings.push({ where: 'requirements.json/ids', expected: 'each selected record once' });
  const names = new Set(records.flatMap((record) => Object.keys(record)));
  for (const column of requirements.columns) {
    if (!names.has(column) || requirements.permissions.withheldColumns.includes(column))
      findings.push({ where: 'requirements.json/columns', expected: 'columns that exist and may be exported', actual: column });
  }
  if (requirements.columns.length === 0) findings.push({ where: 'requirements.json/columns', expected: 'at least one column' });
  return findings.length === 0 && extra.length === 0
    ? passed()
    : failed(
        `The requirements do not fit the answer and the source: ${findings[0]?.where ?? 'records that do not exist'}.`,
        findings,
        extra.length > 0 ? { extra: extra.slice(0, 2000) } : {},
      );
}
