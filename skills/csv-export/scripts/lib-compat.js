/**
 * What the compatibility item looks at beyond the server's own check, each for one Subagent. They know nothing of each other and read the accepted file anew.
 * A finding's `rule` is what the export would have to apply; a finding without one needs a person or another script.
 */
import { cellName, readCsv } from './lib-csv.js';
import { models, open } from './lib-models.js';
import { isFormulaLike, reimport, textIn } from './lib-rules.js';

/** @typedef {{where: string, expected: string, actual: string, rule?: string}} Finding */

const LIMITS = { cellCharacters: 32_767, rows: 1_048_576, columns: 16_384 };
const show = (text) => JSON.stringify([...text].slice(0, 80).join('')).slice(1, -1);

/** Bytes are UTF-8, nothing was replaced on the way, and the chosen program decodes them as such. @returns {Finding[]} */
export function encodingFaults(bytes, requirements, records) {
  let text;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return [{ where: 'export.csv', expected: 'UTF-8', actual: 'bytes that are not UTF-8' }];
  }
  const findings = [];
  const { encoding } = open(bytes, requirements.program);
  if (encoding !== 'utf-8' && /[^\x00-\x7f]/.test(text))
    findings.push({ where: 'export.csv', expected: `decoded as UTF-8 by ${models[requirements.program].title}`, actual: encoding, rule: 'bom' });
  const written = new Set([...text].filter((character) => character > '\x7f'));
  for (const record of records) {
    for (const column of requirements.columns) {
      const value = textIn(record, column);
      if (value === null) continue;
      const lost = [...value].find((character) => character > '\x7f' && !written.has(character));
      if (lost) findings.push({ where: `${record.id}/${column}`, expected: `U+${lost.codePointAt(0).toString(16).toUpperCase()}`, actual: 'nowhere in the file' });
    }
  }
  if (text.includes('\ufffd') && !records.some((record) => requirements.columns.some((column) => (textIn(record, column) ?? '').includes('\ufffd')))) {
    findings.push({ where: 'export.csv', expected: 'no replacement character', actual: 'U+FFFD' });
  }
  return findings;
}

/** Every field stands by the strict grammar, every row has the header's width, no field would run, and reading back gives the original. @returns {Finding[]} */
export function quotingFaults(bytes, requirements, records) {
  const findings = [];
  const { rows, faults } = readCsv(new TextDecoder('utf-8').decode(bytes));
  for (const { row, column, what } of faults) {
    const text = rows[row]?.[column]?.text ?? '';
    findings.push({
      where: cellName(row, column),
      expected: `"${show(text)}" in quotes`,
      actual: `${show(text)}: ${what}; readers that end a row there cut it in two`,
      ...(what.includes('carriage return') ? { rule: 'quote:cr' } : {}),
    });
  }
  rows.forEach((row, r) => {
    if (row.length !== requirements.columns.length) findings.push({ where: `row ${r + 1}`, expected: `${requirements.columns.length} fields`, actual: `${row.length} fields` });
    row.forEach((field, c) => {
      if (isFormulaLike(field.text)) findings.push({ where: cellName(r, c), expected: 'a text that no program runs', actual: show(field.text) });
    });
  });
  if (findings.length > 0) return findings;
  const back = reimport(bytes);
  if (back.records.length !== records.length) findings.push({ where: 'export.csv', expected: `${records.length} records`, actual: `${back.records.length} records` });
  records.forEach((record, r) =>
    requirements.columns.forEach((column, c) => {
      const meant = textIn(record, column);
      const got = back.records[r]?.[column] ?? null;
      if (meant !== got) findings.push({ where: cellName(r + 1, c), expected: show(meant ?? '(nothing)'), actual: show(got ?? '(nothing)') });
    }),
  );
  return findings;
}

/** Within what spreadsheets can hold, and the large run says of itself what its figures add up to. @returns {Finding[]} */
export function sizeFaults(bytes, requirements, large) {
  const findings = [];
  const { rows } = readCsv(new TextDecoder('utf-8').decode(bytes));
  if (rows.length > LIMITS.rows) findings.push({ where: 'export.csv', expected: `at most ${LIMITS.rows} rows`, actual: String(rows.length) });
  if (requirements.columns.length > LIMITS.columns)
    findings.push({ where: 'export.csv', expected: `at most ${LIMITS.columns} columns`, actual: String(requirements.columns.length) });
  rows.forEach((row, r) =>
    row.forEach((field, c) => {
      if (field.text.length > LIMITS.cellCharacters)
        findings.push({ where: cellName(r, c), expected: `at most ${LIMITS.cellCharacters} characters`, actual: String(field.text.length) });
    }),
  );
  if (large.rows + 1 > LIMITS.rows) findings.push({ where: 'large-run.json', expected: `at most ${LIMITS.rows} rows with the header`, actual: String(large.rows + 1) });
  if (large.maxInFlight > requirements.large.inFlight)
    findings.push({ where: 'large-run.json', expected: `at most ${requirements.large.inFlight} chunks in flight`, actual: String(large.maxInFlight) });
  if (large.largestChunk * large.maxInFlight > 64 * 1024 * 1024)
    findings.push({ where: 'large-run.json', expected: 'less than 64 MB held at a time', actual: String(large.largestChunk * large.maxInFlight) });
  if (large.bytes < large.rows * requirements.columns.length) findings.push({ where: 'large-run.json', expected: 'more bytes than fields', actual: String(large.bytes) });
  return findings;
}
