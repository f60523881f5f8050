/**
 * Server export: the file, a large run, a cancelled run, the audit entry and what is said when nothing is selected or something fails.
 *
 * The first Attempt writes what everybody knows about CSV. What the chosen program needs beyond that comes from the failing scene of the Submission that
 * came back: the rules in its `missing` are applied, exactly those, and kept as a fact so that a later rework does not lose them.
 */
import { fact, must, readJson, writeJson, writeText } from './lib-host.js';
import { messages } from './lib-page.js';
import { encodeHead, encodeRow, plainRules, RULE, textIn, withRules } from './lib-rules.js';

const RULES_FACT = 'csv-export/rules';

export default async function run(host, input) {
  const settings = input.item.input ?? {};
  const requirements = await readJson(host, 'requirements.json', 'requirements');
  const all = await readJson(host, 'records.json', 'source');
  const byId = new Map(all.map((record) => [record.id, record]));
  const records = requirements.ids.map((id) => byId.get(id));

  const asked = await rulesAsked(host, input);
  const rules = withRules(settings.quote ? { ...plainRules(), quote: settings.quote } : plainRules(), asked);
  const rowOf = (record) =>
    encodeRow(
      requirements.columns.map((column) => textIn(record, column)),
      rules,
    );

  const text = encodeHead(requirements.columns, rules) + records.map(rowOf).join('');
  const exported = await writeText(host, 'export.csv', text, 'text/csv; charset=utf-8');
  await writeJson(host, 'manifest.json', { ...requirements, rules: asked, digest: exported.digest, bytes: exported.size });
  await writeJson(host, 'large-run.json', await largeRun(host, requirements, records, rules, rowOf));
  await writeJson(host, 'cancelled-run.json', await cancelledRun(host, requirements, records, rules, rowOf));
  await writeJson(host, 'feedback/empty_selection.json', feedback('empty_selection', {}));
  await writeJson(host, 'feedback/failed.json', feedback('failed', { reason: { en: messages.en.cut_off, zh: messages.zh.cut_off } }));

  // Who named the program is who asked for this export; the script carried it out.
  const { provenance } = await must(host, 'facts.get', { key: 'spreadsheet_program' });
  const person = provenance?.principal ?? null;
  const entry = {
    export: `${input.item.attempt}`,
    by: input.principal,
    askedBy: person,
    round: input.round,
    program: requirements.program,
    columns: requirements.columns,
    records: records.length,
    file: 'export.csv',
    digest: exported.digest,
  };
  await must(host, 'json.write', { path: 'audit.jsonl', value: [entry], lines: true });
  await must(host, 'ledger.record', {
    entries: [
      {
        subject: `export/${input.item.attempt}`,
        verdict: 'exported',
        reason: `${input.principal} exported ${records.length} records${person ? ` for ${person}` : ''} with the columns ${requirements.columns.join(', ')}`.slice(0, 2000),
        evidence: [`artifact:${exported.digest}`, 'file:selection.json', 'fact:spreadsheet_program'],
      },
    ],
  });
  await must(host, 'submit', {
    artifacts: ['export.csv', 'manifest.json', 'large-run.json', 'cancelled-run.json', 'audit.jsonl', 'feedback/empty_selection.json', 'feedback/failed.json'],
    summary: `export.csv: ${records.length} records, ${exported.size} bytes${asked.length > 0 ? `, with ${asked.join(', ')} as the failing scene asked` : ', plain UTF-8'}`,
    claims: [
      { criterion: 'content', evidence: [`artifact:${exported.digest}`] },
      { criterion: 'opens', evidence: [`artifact:${exported.digest}`, 'fact:spreadsheet_program'] },
      { criterion: 'audited', evidence: [`artifact:${exported.digest}`] },
    ],
  });
}

/** Rules of earlier scenes and of the newest. The newest are on record as a fact before anything is written by them. */
async function rulesAsked(host, input) {
  const known = (await fact(host, RULES_FACT)) ?? [];
  const now = input.packet.feedback
    .flatMap((each) => each.scene?.missing ?? [])
    .filter((id) => id.startsWith(RULE))
    .map((id) => id.slice(RULE.length));
  const asked = [...new Set([...known, ...now])];
  if (asked.length > known.length) {
    const seen = await host.call('checks.list', {});
    await must(host, 'facts.record', { facts: [{ key: RULES_FACT, value: asked, provenance: { from: 'call', call: seen.call } }] });
  }
  return asked;
}

/** The records again and again under new ids, until there are as many as asked for. */
function* many(records, count, columns) {
  for (let n = 0; n < count; n += 1) {
    const record = records[n % records.length];
    yield columns.includes('id') ? { ...record, id: `L-${String(n + 1).padStart(7, '0')}` } : record;
  }
}

/** Writes in chunks; the host lets a bounded number be on their way and says how many there were. A crash leaves nothing behind, and the run starts anew. */
async function largeRun(host, requirements, records, rules, rowOf) {
  const { rows, chunkRows, inFlight } = requirements.large;
  const { upload, inFlight: allowed } = await must(host, 'files.begin', { path: 'large/export.csv', type: 'text/csv; charset=utf-8' });
  if (allowed > inFlight) throw new Error(`the store lets ${allowed} parts be on their way, the requirements allow ${inFlight}`);
  let chunks = 0;
  let bytes = 0;
  let largestChunk = 0;
  const send = async (text) => {
    const sent = await must(host, 'files.append', { upload, text });
    chunks += 1;
    bytes += sent.bytes;
    largestChunk = Math.max(largestChunk, sent.bytes);
    if (chunks % 5 === 0)
      await must(host, 'tasks.set', { tasks: [{ text: `large run: ${Math.min(rows, chunks * chunkRows)} of ${rows} rows`, done: chunks * chunkRows >= rows }] });
  };
  let chunk = encodeHead(requirements.columns, rules);
  let held = 0;
  for (const record of many(records, rows, requirements.columns)) {
    chunk += rowOf(record);
    held += 1;
    if (held === chunkRows) {
      await send(chunk);
      chunk = '';
      held = 0;
    }
  }
  if (held > 0) await send(chunk);
  const stored = await must(host, 'files.commit', { upload });
  return { rows, chunkRows, chunks, parts: stored.parts, maxInFlight: stored.peakInFlight, largestChunk, bytes, digest: stored.digest };
}

/** Begins the same run, gives it up after the second chunk and looks for anything that stayed. */
async function cancelledRun(host, requirements, records, rules, rowOf) {
  const rows = requirements.large.rows;
  const chunkRows = Math.max(1, Math.min(requirements.large.chunkRows, Math.floor(rows / 4)));
  const { upload } = await must(host, 'files.begin', { path: 'cancelled/export.csv', type: 'text/csv; charset=utf-8' });
  let written = 0;
  let chunk = encodeHead(requirements.columns, rules);
  for (const record of many(records, chunkRows * 2, requirements.columns)) {
    chunk += rowOf(record);
    written += 1;
    if (written % chunkRows === 0) {
      await must(host, 'files.append', { upload, text: chunk });
      chunk = '';
    }
  }
  await must(host, 'files.abort', { upload });
  const { files } = await must(host, 'files.list', { prefix: 'cancelled/' });
  return { rows, written, cancelledAfterChunks: 2, leftBehind: files.map((file) => file.path) };
}

/** What a person is told, in the page's own words, when there is no file. */
function feedback(code, { reason }) {
  const text = (language) => messages[language][code].replace('{reason}', reason?.[language] ?? '');
  return { code, file: null, text: { en: text('en'), zh: text('zh') }, todo: code === 'empty_selection' ? 'select' : 'retry' };
}
