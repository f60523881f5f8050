/** Are the selected records there, each once, in the order of the selection, with the columns in their order? And does reading the file back give the original values? */
import { bytesOf, failed, jsonOf, passed, selectedRecords } from './lib-check.js';
import { cellName } from './lib-csv.js';
import { reimport, textIn } from './lib-rules.js';

export default async function run(_host, input) {
  const requirements = jsonOf(input, 'requirements.json');
  const records = jsonOf(input, 'records.json');
  const bytes = bytesOf(input, 'export.csv');
  if (!requirements || !records) return failed('The requirements or the records are missing, so nothing can be compared.');
  if (!bytes) return failed('There is no export.csv.');
  let back;
  try {
    back = reimport(bytes);
  } catch (error) {
    return failed(`The file cannot be read back: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (JSON.stringify(back.columns) !== JSON.stringify(requirements.columns)) {
    return failed('The columns are not the requested ones in the requested order.', [{ where: 'row 1', expected: requirements.columns.join(','), actual: back.columns.join(',') }]);
  }
  const expected = selectedRecords(records, requirements.ids);
  const values = (record) => requirements.columns.map((column) => textIn(record, column));
  if (back.records.length !== expected.length) {
    const idAt = requirements.columns.indexOf('id');
    const got = new Set(back.records.map((record) => record.id));
    const missing = idAt < 0 ? [] : expected.filter((record) => !got.has(record.id)).map((record) => record.id);
    return failed(`The file has ${back.records.length} records, the selection ${expected.length}.`, [], missing.length > 0 ? { missing: missing.slice(0, 2000) } : {});
  }
  const findings = [];
  expected.forEach((record, row) => {
    const meant = values(record);
    const got = values(back.records[row]);
    meant.forEach((value, column) => {
      if (value !== got[column]) findings.push({ where: cellName(row + 1, column), expected: value ?? '(nothing)', actual: got[column] ?? '(nothing)' });
    });
  });
  return findings.length === 0 ? passed() : failed(`Reading the file back gives another value in ${findings.length} cells, first in ${findings[0].where}.`, findings);
}
