/**
 * How a value becomes a field, and how a field becomes the value again.
 *
 * The mark is a leading apostrophe. It guards a text that a spreadsheet would run as a formula, and keeps a text that it would turn into a number or
 * a date. A text that begins with an apostrophe gets one more, so that taking one away always gives the original.
 */
import { readCsv } from './lib-csv.js';

/** @typedef {{bom: boolean, lineEnd: 'lf' | 'crlf', quote: string[], keep: string[]}} Rules */

export const MARK = "'";
export const BOM = '\ufeff';

const MONTH = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}';
/** Texts that spreadsheets turn into something else, by the name that a rule gives them. */
const TURNED = {
  long_digits: (text) => /^-?\d+(\.\d+)?$/.test(text) && text.replace(/\D/g, '').length > 15,
  leading_zeros: (text) => /^-?0\d+(\.\d+)?$/.test(text),
  exponent: (text) => /^[+-]?\d+(\.\d+)?e[+-]?\d+$/i.test(text),
  short_date: (text) =>
    /^\d{1,2}[-/]\d{1,2}$/.test(text) ||
    /^\d{4}[-/]\d{1,2}$/.test(text) ||
    new RegExp(`^${MONTH}[- ]?\\d{1,4}$`, 'i').test(text) ||
    new RegExp(`^\\d{1,2}[- ]?${MONTH}$`, 'i').test(text),
};

/** Which conversion a text falls under; undefined for a text that stays. The first that holds. */
export function turnedInto(text) {
  return Object.keys(TURNED).find((name) => TURNED[name](text));
}

/** A negative number, thousands separators included: never a formula. */
export function isNegativeNumber(text) {
  return /^-(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(text);
}

/** What a spreadsheet may run: `=`, `+`, `-`, `@` in either width, or a tab or line break in front of one. */
export function isFormulaLike(text) {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !isNegativeNumber(text);
}

/** What everybody knows about CSV, before any program was asked: UTF-8, LF, quotes by RFC 4180, formulas guarded. @returns {Rules} */
export function plainRules() {
  return { bom: false, lineEnd: 'lf', quote: [',', '"', '\r', '\n'], keep: [] };
}

const QUOTED = { semicolon: ';', tab: '\t', cr: '\r' };

/** In front of a rule's name wherever it stands among other ids: in the `missing` of a scene. */
export const RULE = 'rule:';

export function isRule(name) {
  const [kind, what] = name.split(':');
  return name === 'bom' || name === 'crlf' || (kind === 'quote' && Object.hasOwn(QUOTED, what)) || (kind === 'keep' && Object.hasOwn(TURNED, what));
}

/**
 * The rules with those added that a failing scene asks for: `bom`, `crlf`, `quote:<semicolon|tab|cr>`, `keep:<conversion>`.
 * An unknown name throws: silently leaving one out would send the same file again.
 * @param {Rules} rules @param {string[]} asked @returns {Rules}
 */
export function withRules(rules, asked) {
  const next = { ...rules, quote: [...rules.quote], keep: [...rules.keep] };
  for (const name of asked) {
    const [kind, what] = name.split(':');
    if (!isRule(name)) throw new Error(`no rule is called ${name}`);
    if (name === 'bom') next.bom = true;
    else if (name === 'crlf') next.lineEnd = 'crlf';
    else if (kind === 'quote') next.quote = [...new Set([...next.quote, QUOTED[what]])];
    else next.keep = [...new Set([...next.keep, what])];
  }
  return next;
}

/** What a record holds in a column, as text; null where it holds nothing. A column that shares its name with something every object has is no column of it. */
export function textIn(record, column) {
  const value = Object.hasOwn(record, column) ? record[column] : null;
  return value === null || value === undefined ? null : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A value as one field of the file. `null` is nothing; an empty text is a pair of quotes. @param {string | null} text @param {Rules} rules */
export function encodeField(text, rules) {
  if (text === null) return '';
  if (text === '') return '""';
  const turned = rules.keep.length > 0 ? turnedInto(text) : undefined;
  const marked = text.startsWith(MARK) || isFormulaLike(text) || (turned !== undefined && rules.keep.includes(turned)) ? MARK + text : text;
  return rules.quote.some((character) => marked.includes(character)) ? `"${marked.replaceAll('"', '""')}"` : marked;
}

/** One row with its line end. @param {(string | null)[]} values @param {Rules} rules */
export function encodeRow(values, rules) {
  return values.map((value) => encodeField(value, rules)).join(',') + (rules.lineEnd === 'crlf' ? '\r\n' : '\n');
}

/** The start of a file: the byte order mark, where asked for, and the header. @param {string[]} columns @param {Rules} rules */
export function encodeHead(columns, rules) {
  return (rules.bom ? BOM : '') + encodeRow(columns, rules);
}

/** The value that a field stands for. */
export function decodeField(field) {
  if (field.text === '' && !field.quoted) return null;
  return field.text.startsWith(MARK) ? field.text.slice(1) : field.text;
}

/**
 * Reads an exported file back by the written rules alone, without knowing the records.
 * @param {Uint8Array} bytes @returns {{columns: string[], records: Record<string, string | null>[]}} throws where the bytes are not UTF-8 or a row has another width
 */
export function reimport(bytes) {
  const { rows } = readCsv(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  const [head = [], ...body] = rows;
  const columns = head.map((field) => decodeField(field) ?? '');
  const records = body.map((row, index) => {
    if (row.length !== columns.length) throw new Error(`row ${index + 2} has ${row.length} fields, the header ${columns.length}`);
    return Object.fromEntries(columns.map((column, at) => [column, decodeField(row[at])]));
  });
  return { columns, records };
}
