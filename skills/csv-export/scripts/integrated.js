/** Integrated acceptance: what was delivered, who verified it, and that all parts speak of the same file. */
import { acceptanceText } from './lib-documents.js';
import { must, readJson, readText, writeJson, writeText } from './lib-host.js';

export default async function run(host, input) {
  const compatibility = await readJson(host, 'compatibility-report.json', 'compatibility');
  const release = await readText(host, 'release-note.md', 'documentation');
  const usage = await readText(host, 'usage.md', 'documentation');
  const documents = release.includes(compatibility.digest) && compatibility.columns.every((column) => usage.includes(`\`${column.replaceAll('`', "'")}\``));
  const lines = [
    ...Object.entries(compatibility.looks).map(([look, { looked }]) => ({
      what: `${look} of ${looked.records} records`,
      by: `Subagent ${look} of the compatibility check`,
      result: 'no finding',
    })),
    { what: 'usage and release note speak of the accepted file', by: 'this item', result: documents ? 'they do' : 'they do not' },
    ...input.upstream.map((up) => ({ what: up.summary.replaceAll('|', '/'), by: `acceptance of ${up.item}`, result: 'accepted' })),
  ];
  const report = {
    digest: compatibility.digest,
    bytes: compatibility.bytes,
    program: compatibility.program,
    records: compatibility.records,
    rules: compatibility.rules,
    documents,
    upstream: input.upstream.map(({ item, submission }) => ({ item, submission })),
    lines,
  };
  const json = await writeJson(host, 'acceptance-report.json', report);
  const text = await writeText(
    host,
    'acceptance-report.md',
    acceptanceText({ program: compatibility.program, ids: { length: compatibility.records } }, report),
    'text/markdown; charset=utf-8',
  );
  await must(host, 'submit', {
    artifacts: ['acceptance-report.json', 'acceptance-report.md'],
    summary: `One file, ${compatibility.bytes} bytes, verified and documented`,
    claims: [{ criterion: 'one-file', evidence: [`artifact:${json.digest}`, `artifact:${text.digest}`] }],
  });
}
