/** The server's evidence beside the file: the large run, the cancelled run, the audit entry, and the feedback for an empty selection and a failure. */
import { bytesOf, failed, jsonOf, passed, sha256, textOf } from './lib-check.js';

export default async function run(_host, input) {
  const requirements = jsonOf(input, 'requirements.json');
  const large = jsonOf(input, 'large-run.json');
  const cancelled = jsonOf(input, 'cancelled-run.json');
  const audit = textOf(input, 'audit.jsonl');
  const exported = bytesOf(input, 'export.csv');
  const findings = [];
  const want = (holds, where, expected, actual) => {
    if (!holds) findings.push({ where, expected, actual: actual === undefined ? '(nothing)' : String(actual) });
  };
  if (!requirements || !exported) return failed('The requirements or export.csv are missing.');
  want(large?.rows >= requirements.large.rows, 'large-run.json', `at least ${requirements.large.rows} rows`, large?.rows);
  want(
    large?.maxInFlight >= 1 && large?.maxInFlight <= requirements.large.inFlight,
    'large-run.json',
    `at most ${requirements.large.inFlight} chunks in flight`,
    large?.maxInFlight,
  );
  want(large?.chunks === Math.ceil(large?.rows / large?.chunkRows), 'large-run.json', 'as many chunks as the rows need', large?.chunks);
  want(/^[0-9a-f]{64}$/.test(large?.digest ?? ''), 'large-run.json', 'the digest of what was written', large?.digest);
  want(
    cancelled?.leftBehind?.length === 0 && cancelled?.written > 0 && cancelled?.written < cancelled?.rows,
    'cancelled-run.json',
    'a run broken off midway that left no file',
    JSON.stringify(cancelled?.leftBehind),
  );
  const entries = (audit ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  const entry = entries.at(-1);
  const digest = await sha256(exported);
  want(entry?.digest === digest, 'audit.jsonl', `an entry for the file ${digest}`, entry?.digest);
  want(JSON.stringify(entry?.columns) === JSON.stringify(requirements.columns), 'audit.jsonl', requirements.columns.join(','), entry?.columns?.join?.(','));
  want(typeof entry?.by === 'string' && entry.by.length > 0, 'audit.jsonl', 'who exported', entry?.by);
  want(entry?.records === requirements.ids.length, 'audit.jsonl', `${requirements.ids.length} records`, entry?.records);
  for (const code of ['empty_selection', 'failed']) {
    const feedback = jsonOf(input, `feedback/${code}.json`);
    want(
      feedback?.code === code && feedback?.file === null && feedback?.text?.en?.length > 0 && feedback?.text?.zh?.length > 0,
      `feedback/${code}.json`,
      'a message in both languages, and no file',
      feedback ? JSON.stringify(feedback).slice(0, 200) : undefined,
    );
  }
  return findings.length === 0 ? passed() : failed(`The evidence of the server export is incomplete: ${findings[0].where}, ${findings[0].expected}.`, findings);
}
