/** Client selection and feedback: one self-contained page over the records that may be exported. */
import { must, readJson, writeText } from './lib-host.js';
import { pageOf } from './lib-page.js';

export default async function run(host) {
  const requirements = await readJson(host, 'requirements.json', 'requirements');
  const records = await readJson(host, 'records.json', 'source');
  const page = await writeText(host, 'index.html', pageOf({ columns: requirements.columns, records, selected: requirements.ids }), 'text/html; charset=utf-8');
  const evidence = [`artifact:${page.digest}`];
  await must(host, 'submit', {
    artifacts: ['index.html'],
    summary: `A page over ${records.length} records: selection, empty selection, progress, cancel and failure`,
    claims: [
      { criterion: 'selection', evidence },
      { criterion: 'says-so', evidence },
    ],
  });
}
