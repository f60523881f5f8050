/** Ids from the rows of a CSV or JSON file, for sets of a check. */

import type { CheckSpec, SetRef } from '../../domain/planes/check-spec.ts';
import { fileName, type SetAnswer, setName, setsOf } from '../../domain/planes/checks.ts';
import { selectIds, type TableAnswer, tableFromJson, tableFromRecords } from '../../domain/planes/reading.ts';
import type { CheckJob } from '../../goal/rpc.ts';
import { decodeUtf8 } from '../../tools/bytes.ts';
import { parseCsvRecords } from '../../tools/csv/parse.ts';
import { parseJson } from '../../tools/json/parse.ts';
import type { Files } from '../../tools/tool.ts';
import { load } from './files.ts';

type RowsRef = Extract<SetRef, { from: 'rows' }>;

/** Reads every file once, then answers without waiting, as evaluating wants it. */
export async function rowSets(spec: CheckSpec, job: CheckJob, files: Files): Promise<(ref: RowsRef) => SetAnswer> {
  const tables = new Map<string, TableAnswer | null>();
  const answers = new Map<string, SetAnswer>();
  for (const ref of setsOf(spec)) {
    if (ref.from !== 'rows') continue;
    const name = fileName(ref.file);
    if (!tables.has(name)) tables.set(name, await tableOf(ref, job, files));
    const table = tables.get(name) ?? null;
    answers.set(setName(ref), table === null ? null : table.ok ? idsOf(table.rows, ref) : { wrong: table.wrong });
  }
  return (ref) => answers.get(setName(ref)) ?? null;
}

function idsOf(rows: Parameters<typeof selectIds>[0], ref: RowsRef): SetAnswer {
  const found = selectIds(rows, ref.id, ref.where);
  return found.ok ? found.ids : { wrong: found.wrong };
}

async function tableOf(ref: RowsRef, job: CheckJob, files: Files): Promise<TableAnswer | null> {
  const loaded = await load(job, ref.file, files);
  if ('verdict' in loaded) return loaded.verdict.pass === null ? null : { ok: false, wrong: loaded.verdict.scene?.summary ?? 'There is no such file.' };
  const { artifact, bytes } = loaded;
  if (artifact.path.endsWith('.csv')) {
    const read = parseCsvRecords(bytes, { path: artifact.path });
    return 'refusal' in read ? { ok: false, wrong: read.refusal.detail ?? 'The file is not CSV.' } : tableFromRecords(read.records);
  }
  const decoded = decodeUtf8(bytes, artifact.path);
  if ('refusal' in decoded) return { ok: false, wrong: decoded.refusal.detail ?? 'The file is not UTF-8.' };
  if (/\.(jsonl|ndjson)$/.test(artifact.path)) {
    const lines = decoded.text.split('\n').filter((line) => line.trim() !== '');
    const values = lines.map((line, i) => parseJson(line, `${artifact.path} line ${i + 1}`));
    const bad = values.find((value) => 'refusal' in value);
    if (bad && 'refusal' in bad) return { ok: false, wrong: bad.refusal.detail ?? 'The file is not JSON.' };
    return tableFromJson(values.flatMap((value) => ('value' in value ? [value.value] : [])));
  }
  const parsed = parseJson(decoded.text, artifact.path);
  return 'refusal' in parsed ? { ok: false, wrong: parsed.refusal.detail ?? 'The file is not JSON.' } : tableFromJson(parsed.value);
}
