/**
 * Does the file open right in the program that was chosen? Decodes its bytes by the model of that program and quotes the first cell that reads otherwise.
 * Reads `export.csv`, `requirements.json` and `records.json`. The scene's `missing` names the rules that the file lacks; `findings` show where.
 */
import { bytesOf, failed, jsonOf, passed, selectedRecords } from './lib-check.js';
import { faultsOf, models } from './lib-models.js';
import { isRule, RULE } from './lib-rules.js';

const WHY = {
  bom: (model, at) =>
    at.where === 'start of the file'
      ? `${model.title} takes a file without a byte order mark for one in its own code page.`
      : `Opened as ${model.title} would: cell ${at.where} reads ${at.actual} instead of ${at.expected}, because no byte order mark says that the file is UTF-8.`,
  crlf: (model) => `${model.title} expects rows that end with CRLF.`,
  'quote:semicolon': (model, at) => `Opened as ${model.title} would: the text of ${at.where} is split at its semicolon, and the row has too many cells.`,
  'quote:tab': (model, at) => `Opened as ${model.title} would: the text of ${at.where} is split at its tab, and the row has too many cells.`,
  'keep:long_digits': (model, at) => `Opened as ${model.title} would: ${at.where} shows ${at.actual}, the digits of ${at.expected} are lost.`,
  'keep:leading_zeros': (model, at) => `Opened as ${model.title} would: ${at.where} shows ${at.actual} instead of ${at.expected}.`,
  'keep:exponent': (model, at) => `Opened as ${model.title} would: ${at.where} shows the number ${at.actual} instead of the text ${at.expected}.`,
  'keep:short_date': (model, at) => `Opened as ${model.title} would: ${at.where} shows ${at.actual} instead of the text ${at.expected}.`,
  guard: (_model, at) => `Cell ${at.where} would run as a formula: ${at.expected}.`,
};

export default async function run(_host, input) {
  const requirements = jsonOf(input, 'requirements.json');
  const records = jsonOf(input, 'records.json');
  const bytes = bytesOf(input, 'export.csv');
  if (!requirements || !records) return failed('The requirements or the records are missing, so nothing can be compared.');
  if (!bytes) return failed('There is no export.csv.');
  const { findings, rules } = faultsOf(bytes, requirements.program, requirements.columns, selectedRecords(records, requirements.ids));
  if (findings.length === 0) return passed();
  const model = models[requirements.program];
  // What a person would see first: garbled text, then rows that fall apart, then single cells.
  const order = (rule) => ['bom', 'quot', 'keep', 'crlf'].findIndex((start) => rule.startsWith(start)) + 1 || 3;
  const sorted = findings.toSorted((a, b) => order(a.rule) - order(b.rule));
  const lines = [...new Set(sorted.map((finding) => finding.rule))].map((rule) => {
    const at = sorted.find((finding) => finding.rule === rule);
    return WHY[rule]?.(model, at) ?? `Cell ${at.where} reads ${at.actual || '(nothing)'} instead of ${at.expected || '(nothing)'}.`;
  });
  const missing = rules.filter((rule) => isRule(rule)).map((rule) => RULE + rule);
  // One place of every rule before the second of any: a packet carries the head of this list alone.
  const [heads, rest] = [[], []];
  for (const finding of sorted) (heads.some((head) => head.rule === finding.rule) ? rest : heads).push(finding);
  return failed(lines.slice(0, 3).join(' '), [...heads, ...rest], { ...(missing.length > 0 ? { missing } : {}), data: { program: requirements.program, model: model.says } });
}
