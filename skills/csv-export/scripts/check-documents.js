/** The documents name the program, every column, the mark, and the accepted file; and say that a model stands in for the program. */
import { failed, jsonOf, passed, textOf } from './lib-check.js';
import { models } from './lib-models.js';

export default async function run(_host, input) {
  const usage = textOf(input, 'usage.md');
  const release = textOf(input, 'release-note.md');
  const manifest = jsonOf(input, 'manifest.json');
  if (usage === null || release === null || !manifest) return failed('A document or the manifest is missing.');
  const findings = [];
  const need = (text, where, what) => {
    if (!text.includes(what)) findings.push({ where, expected: what });
  };
  for (const column of manifest.columns) need(usage, 'usage.md', `\`${column.replaceAll('`', "'")}\``);
  for (const what of [models[manifest.program].title, 'apostrophe', 'a model of', 'Cancel']) need(usage, 'usage.md', what);
  for (const what of [models[manifest.program].title, manifest.digest, ...manifest.rules]) need(release, 'release-note.md', what);
  return findings.length === 0 ? passed() : failed(`The documents leave something out: ${findings[0].where} does not say ${findings[0].expected}.`, findings);
}
