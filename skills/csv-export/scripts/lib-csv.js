/**
 * CSV text by RFC 4180, read and written. Reading keeps for every field whether it stood in quotes: an empty text is `""`, a missing value is nothing at all.
 * A row ends at CRLF or at LF; a lone CR is a character of its field. Which readers see that differently is the business of the quoting check.
 */

/**
 * @param {string} text without a byte order mark
 * @param {{separators?: string[]}} [options] characters that end a field; the comma by default
 * @returns {{rows: {text: string, quoted: boolean}[][], lineEnds: {crlf: number, lf: number}, faults: {row: number, column: number, what: string}[]}}
 *   `faults` are places that strict readers refuse; rows and columns count from 0
 */
export function readCsv(text, options = {}) {
  const separators = new Set(options.separators ?? [',']);
  const rows = [];
  const faults = [];
  const lineEnds = { crlf: 0, lf: 0 };
  let row = [];
  let at = 0;
  const fault = (what) => faults.push({ row: rows.length, column: row.length, what });
  while (at < text.length) {
    const field = { text: '', quoted: false };
    if (text[at] === '"') {
      field.quoted = true;
      at += 1;
      for (;;) {
        const close = text.indexOf('"', at);
        if (close < 0) {
          field.text += text.slice(at);
          at = text.length;
          fault('a quote that is never closed');
          break;
        }
        field.text += text.slice(at, close);
        at = close + 1;
        if (text[at] !== '"') break;
        field.text += '"';
        at += 1;
      }
    }
    const from = at;
    while (at < text.length && !separators.has(text[at]) && text[at] !== '\n' && !(text[at] === '\r' && text[at + 1] === '\n')) at += 1;
    if (at > from) {
      const rest = text.slice(from, at);
      if (field.quoted) fault('text after a closing quote');
      else if (rest.includes('"')) fault('a quote inside a field without quotes');
      if (rest.includes('\r')) fault('a lone carriage return outside quotes');
      field.text += rest;
    }
    row.push(field);
    if (at >= text.length) break;
    if (separators.has(text[at])) {
      at += 1;
      if (at === text.length) row.push({ text: '', quoted: false });
      continue;
    }
    if (text[at] === '\r') {
      lineEnds.crlf += 1;
      at += 2;
    } else {
      lineEnds.lf += 1;
      at += 1;
    }
    rows.push(row);
    row = [];
  }
  if (row.length > 0) rows.push(row);
  return { rows, lineEnds, faults };
}

/** Name of a cell as spreadsheets write it; row and column count from 0, row 0 is the header. */
export function cellName(row, column) {
  let letters = '';
  for (let n = column + 1; n > 0; n = Math.floor((n - 1) / 26)) letters = String.fromCharCode(65 + ((n - 1) % 26)) + letters;
  return `${letters}${row + 1}`;
}
