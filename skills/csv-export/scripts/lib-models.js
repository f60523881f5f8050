/**
 * How three spreadsheet programs open a CSV file when a person double-clicks it. Each is a MODEL: it was written from what those programs are known to
 * do with their default settings, not by running them, and it leaves out most of what they do. What a model says is what the checks hold a file to.
 */
import { cellName, readCsv } from './lib-csv.js';
import { BOM, isFormulaLike, MARK, textIn, turnedInto } from './lib-rules.js';

/**
 * `withoutMark`: how the bytes are decoded when no byte order mark stands in front: always by the Chinese code page, always as UTF-8, or by the code page
 * when the first line holds ASCII alone. `separators`: what ends a field. `lineEnd`: what a row must end with, null for either. `turns`: conversions it makes.
 */
export const models = {
  'excel-zh': {
    title: 'Excel (Chinese Windows)',
    withoutMark: 'code_page',
    separators: [','],
    lineEnd: 'crlf',
    turns: ['long_digits', 'leading_zeros', 'exponent', 'short_date'],
    says: [
      'Without a byte order mark the bytes are read by code page 936.',
      'Rows are expected to end with CRLF.',
      'Numbers keep 15 digits, leading zeros go, 1E10 is a number and 3-4 a day in March.',
    ],
  },
  libreoffice: {
    title: 'LibreOffice Calc',
    withoutMark: 'utf8',
    separators: [',', ';', '\t'],
    lineEnd: null,
    turns: ['long_digits', 'leading_zeros', 'exponent', 'short_date'],
    says: [
      'The import dialogue proposes UTF-8.',
      'Comma, semicolon and tab are all ticked as separators.',
      'Numbers keep 15 digits, leading zeros go, 1E10 is a number and 3-4 a day in March.',
    ],
  },
  wps: {
    title: 'WPS Spreadsheets',
    withoutMark: 'guess_first_line',
    separators: [','],
    lineEnd: null,
    turns: ['leading_zeros', 'exponent', 'short_date'],
    says: [
      'Without a byte order mark the first line decides: ASCII alone means code page 936.',
      'Rows may end with CRLF or LF.',
      'Numbers of more than 15 digits stay text; leading zeros go, 1E10 is a number and 3-4 a day in March.',
    ],
  },
};

export const programs = Object.keys(models);

function decode(bytes, model) {
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const body = marked ? bytes.subarray(3) : bytes;
  const end = body.indexOf(0x0a);
  const asciiHead = body.subarray(0, end < 0 ? body.length : end).every((byte) => byte < 0x80);
  const codePage = !marked && (model.withoutMark === 'code_page' || (model.withoutMark === 'guess_first_line' && asciiHead));
  return { encoding: codePage ? 'gb18030' : 'utf-8', text: new TextDecoder(codePage ? 'gb18030' : 'utf-8', { ignoreBOM: true }).decode(body) };
}

/** What the grid shows for a field. Only what loses or changes a value is modelled. */
function shown(text, model) {
  if (isFormulaLike(text)) return /^[=＝]/.test(text) ? '#NAME?' : text.replace(/^[\t\r\n+@＋＠]+/, '');
  const turned = turnedInto(text);
  if (turned === undefined || !model.turns.includes(turned)) return text;
  if (turned === 'long_digits') return Number(text).toExponential(5).replace('e+', 'E+');
  if (turned === 'leading_zeros') return String(Number(text));
  if (turned === 'exponent') return Number(text).toExponential(2).replace('e+', 'E+');
  const [first, second] = text.split(/[-/ ]/);
  return second !== undefined && /^\d{1,2}$/.test(first) && /^\d{1,2}$/.test(second) ? `${Number(first)}月${Number(second)}日` : `${text} as a date`;
}

/**
 * Opens a file as the program would, by its model.
 * @param {Uint8Array} bytes @param {string} program @param {{forceUtf8?: boolean}} [options]
 * @returns {{encoding: string, grid: string[][], raw: string[][], lineEnds: {crlf: number, lf: number}}}
 */
export function open(bytes, program, options = {}) {
  const model = models[program];
  if (!model) throw new Error(`no model of a program called ${program}`);
  const { encoding, text } = options.forceUtf8 ? { encoding: 'utf-8', text: new TextDecoder('utf-8').decode(bytes) } : decode(bytes, model);
  const { rows, lineEnds } = readCsv(text.startsWith(BOM) ? text.slice(1) : text, { separators: model.separators });
  const raw = rows.map((row) => row.map((field) => field.text));
  return { encoding, raw, grid: raw.map((row) => row.map((cell) => shown(cell, model))), lineEnds };
}

const unmarked = (text) => (text.startsWith(MARK) ? text.slice(1) : text);

/**
 * Compares what the program shows with what was meant, cell by cell. A mark in front of a text is not a difference.
 * @param {Uint8Array} bytes @param {string} program @param {string[]} columns @param {Record<string, unknown>[]} records in the order of the export
 * @returns {{findings: {where: string, expected: string, actual: string, rule: string}[], rules: string[]}} at most 8 findings a rule; `rules` are what the file needs
 */
export function faultsOf(bytes, program, columns, records) {
  const model = models[program];
  const expected = [columns, ...records.map((record) => columns.map((column) => textIn(record, column) ?? ''))];
  const findings = [];
  const counts = new Map();
  const add = (finding) => {
    const count = (counts.get(finding.rule) ?? 0) + 1;
    counts.set(finding.rule, count);
    if (count <= 8) findings.push(finding);
  };
  const first = open(bytes, program);
  if (first.encoding !== 'utf-8') {
    // Only cells whose characters differ: what else is wrong with them is found below, in the file read as UTF-8.
    const asUtf8 = open(bytes, program, { forceUtf8: true });
    first.raw.forEach((row, r) =>
      row.forEach((cell, c) => {
        const meant = expected[r]?.[c];
        if (meant !== undefined && asUtf8.raw[r]?.[c] !== cell) add({ where: cellName(r, c), expected: meant, actual: cell, rule: 'bom' });
      }),
    );
    // Without a character beyond ASCII nothing reads wrong yet, but what a person types and saves would; this program is asked for the mark all the same.
    if (model.withoutMark === 'code_page' && !counts.has('bom'))
      add({
        where: 'start of the file',
        expected: 'byte order mark EF BB BF',
        actual: [...bytes.subarray(0, 3)].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(' '),
        rule: 'bom',
      });
  }
  if (model.lineEnd === 'crlf' && first.lineEnds.lf > 0) add({ where: 'line ends', expected: 'CRLF', actual: `LF at ${first.lineEnds.lf} rows`, rule: 'crlf' });

  const { grid, raw } = open(bytes, program, { forceUtf8: true });
  expected.forEach((row, r) => {
    const got = grid[r] ?? [];
    if (got.length > row.length) {
      const at = row.findIndex((meant, c) => model.separators.slice(1).some((separator) => meant.includes(separator)) && unmarked(got[c] ?? '') !== meant);
      const culprit = model.separators.slice(1).filter((separator) => row.some((meant) => meant.includes(separator)));
      for (const separator of culprit)
        add({ where: cellName(r, Math.max(at, 0)), expected: row[Math.max(at, 0)], actual: got[Math.max(at, 0)] ?? '', rule: separator === ';' ? 'quote:semicolon' : 'quote:tab' });
      if (culprit.length === 0) add({ where: cellName(r, row.length), expected: '', actual: got[row.length] ?? '', rule: 'quoting' });
      // What a shifted row shows is no evidence about its other cells; their own texts are.
      for (const [c, meant] of row.entries()) {
        const turned = turnedInto(meant);
        if (turned && model.turns.includes(turned) && raw[r]?.includes(meant)) add({ where: cellName(r, c), expected: meant, actual: shown(meant, model), rule: `keep:${turned}` });
      }
      return;
    }
    row.forEach((meant, c) => {
      const cell = got[c];
      if (cell === undefined) return add({ where: cellName(r, c), expected: meant, actual: '(no such cell)', rule: 'quoting' });
      if (cell === meant || (cell.startsWith(MARK) && cell.slice(1) === meant)) return;
      const turned = turnedInto(meant);
      if (isFormulaLike(raw[r][c])) add({ where: cellName(r, c), expected: meant, actual: cell, rule: 'guard' });
      else if (turned && raw[r][c] === meant) add({ where: cellName(r, c), expected: meant, actual: cell, rule: `keep:${turned}` });
      else add({ where: cellName(r, c), expected: meant, actual: cell, rule: 'content' });
    });
  });
  if (grid.length > expected.length) add({ where: `row ${expected.length + 1}`, expected: '(end of file)', actual: grid[expected.length]?.join(',') ?? '', rule: 'content' });
  return { findings, rules: [...counts.keys()] };
}
