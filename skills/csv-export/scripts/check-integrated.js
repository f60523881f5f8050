/** The acceptance report, the compatibility report and the file that is delivered are about the same bytes, and the documents fit. */
import { bytesOf, failed, jsonOf, passed, sha256, textOf } from './lib-check.js';

export default async function run(_host, input) {
  const report = jsonOf(input, 'acceptance-report.json');
  const compatibility = jsonOf(input, 'compatibility-report.json');
  const bytes = bytesOf(input, 'export.csv');
  const text = textOf(input, 'acceptance-report.md');
  if (!report || !compatibility || !bytes || text === null) return failed('A report or the delivered file is missing.');
  const digest = await sha256(bytes);
  const findings = [
    ...(report.digest === digest ? [] : [{ where: 'acceptance-report.json', expected: digest, actual: String(report.digest) }]),
    ...(compatibility.digest === digest ? [] : [{ where: 'compatibility-report.json', expected: digest, actual: String(compatibility.digest) }]),
    ...(text.includes(digest) ? [] : [{ where: 'acceptance-report.md', expected: digest }]),
    ...(report.documents === true ? [] : [{ where: 'acceptance-report.json', expected: 'documents that speak of this file', actual: String(report.documents) }]),
  ];
  return findings.length === 0 ? passed() : failed(`The parts do not speak of one file: ${findings[0].where}.`, findings);
}
