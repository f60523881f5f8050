/** The client page: complete in itself, holding the records that may be selected, with a place for each thing it must be able to say. */
import { failed, jsonOf, passed, textOf } from './lib-check.js';

const PLACES = ['export', 'cancel', 'save', 'count', 'feedback', 'columns', 'all', 'rows'];
const SAYS = ['empty_selection', 'running', 'cancelled', 'failed', 'done'];

export default async function run(_host, input) {
  const html = textOf(input, 'index.html');
  const requirements = jsonOf(input, 'requirements.json');
  const records = jsonOf(input, 'records.json');
  if (html === null) return failed('There is no index.html.');
  if (!requirements || !records) return failed('The requirements or the records are missing, so nothing can be compared.');
  const findings = [];
  for (const id of PLACES) if (!html.includes(`id="${id}"`)) findings.push({ where: 'index.html', expected: `an element ${id}` });
  const outside = /<(?:script|link|img|iframe)[^>]+(?:src|href)\s*=/i.exec(html);
  if (outside) findings.push({ where: 'index.html', expected: 'nothing loaded from elsewhere', actual: outside[0] });
  const embedded = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(html);
  if (!embedded) return failed('The page holds no records.', findings);
  const data = JSON.parse(embedded[1]);
  if (JSON.stringify(data.columns) !== JSON.stringify(requirements.columns))
    findings.push({ where: 'columns', expected: requirements.columns.join(','), actual: data.columns.join(',') });
  if (JSON.stringify(data.selected) !== JSON.stringify(requirements.ids))
    findings.push({ where: 'selection', expected: `${requirements.ids.length} records`, actual: `${data.selected.length} records` });
  const got = new Set(data.records.map((record) => record.id));
  const missing = records.filter((record) => !got.has(record.id)).map((record) => record.id);
  const allowed = new Set(['id', ...requirements.columns]);
  const extra = [...new Set(data.records.flatMap((record) => Object.keys(record)))].filter((column) => !allowed.has(column));
  if (extra.length > 0) findings.push({ where: 'records', expected: 'only columns that may be exported', actual: extra.join(',') });
  for (const language of ['en', 'zh']) for (const key of SAYS) if (!data.messages?.[language]?.[key]) findings.push({ where: `messages.${language}`, expected: key });
  if (findings.length === 0 && missing.length === 0) return passed();
  return failed(
    `The page is not complete: ${findings[0] ? `${findings[0].where}, ${findings[0].expected}` : `${missing.length} records are missing`}.`,
    findings,
    missing.length > 0 ? { missing: missing.slice(0, 2000) } : {},
  );
}
