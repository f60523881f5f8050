/** The texts that the items deliver. They say what holds for this export, from the requirements and the evidence, and nothing that was not checked. */
import { models } from './lib-models.js';

const list = (lines) => lines.map((line) => `- ${line}`).join('\n');
const fence = (text) => `\`${text.replaceAll('`', "'")}\``;

/** Why each rule that a failing scene asked for is there. */
const RULES = {
  bom: 'The file begins with a byte order mark (EF BB BF), so that the program reads it as UTF-8.',
  crlf: 'Rows end with CRLF. Line breaks inside a cell stay as they are.',
  'quote:semicolon': 'A text with a semicolon stands in quotes, because the program takes semicolons for separators.',
  'quote:tab': 'A text with a tab stands in quotes, because the program takes tabs for separators.',
  'quote:cr': 'A text with a lone carriage return stands in quotes.',
  'keep:long_digits': 'Numbers of more than 15 digits, such as 18-digit ids, are marked as text, so that no digit is lost.',
  'keep:leading_zeros': 'Digits with leading zeros are marked as text, so that the zeros stay.',
  'keep:exponent': 'Codes such as 1E10 are marked as text, so that they do not become numbers.',
  'keep:short_date': 'Texts such as 3-4 are marked as text, so that they do not become dates.',
};

export function requirementsText(requirements) {
  const model = models[requirements.program];
  return `# Requirements and permissions

## What is exported

${list([
  `${requirements.ids.length} records, in the order of the selection.`,
  `Columns, in this order: ${requirements.columns.map(fence).join(', ')}. No other column leaves the list.`,
  `The file opens in ${model.title}, as a person opens it: by a double click, with default settings.`,
  `Also ${requirements.large.rows} records must go through, with at most ${requirements.large.inFlight} chunks of ${requirements.large.chunkRows} rows in flight.`,
])}

## What every file keeps

${list([
  'Text with commas, quotes and line breaks inside cells is quoted by RFC 4180.',
  'A text that a spreadsheet would run as a formula (it begins with `=`, `+`, `-`, `@`, a tab or a line break) is marked with a leading apostrophe. Negative numbers such as `-12.50` and `-1,234.50` are left alone.',
  'Reading the file back gives the original values: one leading apostrophe is taken away, `""` is an empty text, nothing is a missing value.',
])}

## Who may

${list([
  `Exporting: ${requirements.permissions.export.join(', ')}.`,
  'Each export leaves one audit entry: who, which columns, how many records, the digest of the file.',
  'An empty selection and a failed or cancelled export leave no file and say so.',
])}

## How the program is held to

A model of ${model.title} stands in for the program itself:

${list(model.says)}
`;
}

export function usageText(requirements, rules) {
  const model = models[requirements.program];
  return `# Exporting records

1. Select the records, or all of them, and the columns. With nothing selected the page says so and exports nothing.
2. Choose Export. The page counts while it receives; Cancel stops it, and no file is saved.
3. Save \`export.csv\` and open it with a double click in ${model.title}.
4. If the export fails, the page says why and keeps the selection. Nothing is saved; try again.

## What is in the file

${list([
  `Columns in this order: ${requirements.columns.map(fence).join(', ')}.`,
  ...rules.map((rule) => RULES[rule] ?? rule),
  'A leading apostrophe marks a text that would run as a formula or be turned into a number or a date. The program shows it; take one away to get the value.',
  'An empty text is written as `""`, a missing value as nothing.',
  'Amounts are plain numbers, negative ones too.',
])}

## Reading the file back

Read it as UTF-8, skip the byte order mark if there is one, parse it by RFC 4180 and take one leading apostrophe away from every text that has one. That gives the original values.

## Limits

${list([
  `Checked against a model of ${model.title}, not against the program itself.`,
  'A text of more than 32,767 characters does not fit a cell, and more than 1,048,576 rows do not fit a sheet.',
  `Large exports are written in chunks of ${requirements.large.chunkRows} rows, at most ${requirements.large.inFlight} at a time; a cancelled one leaves no file.`,
])}
`;
}

export function releaseText(requirements, rules, facts) {
  return `# Release note: CSV export of the record list

New: selected records can be exported as CSV for ${models[requirements.program].title}.

${list([
  `${requirements.ids.length} records and ${requirements.columns.length} columns in the accepted file ${fence(facts.digest)}.`,
  `Tried with ${facts.large.rows} records: ${facts.large.chunks} chunks, at most ${facts.large.maxInFlight} in flight, ${facts.large.bytes} bytes.`,
  rules.length > 0 ? `For this program the file follows ${rules.length} rules beyond plain CSV: ${rules.map(fence).join(', ')}.` : 'For this program plain CSV in UTF-8 is enough.',
  'Formulas in texts do not run; negative numbers stay numbers.',
  'Every export leaves an audit entry.',
])}

Known limits: another spreadsheet program needs another file; choose the program before exporting.
`;
}

export function acceptanceText(requirements, report) {
  return `# Acceptance report

| what | verified by | result |
| --- | --- | --- |
${report.lines.map(({ what, by, result }) => `| ${what} | ${by} | ${result} |`).join('\n')}

File: ${fence('export.csv')}, ${report.bytes} bytes, ${fence(report.digest)}, ${requirements.ids.length} records, for ${models[requirements.program].title}.
`;
}
