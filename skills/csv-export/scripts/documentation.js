/** Documentation: how to use the export, and the release note. Written from the manifest and the evidence of the accepted server export. */
import { releaseText, usageText } from './lib-documents.js';
import { must, readJson, writeText } from './lib-host.js';

export default async function run(host) {
  const manifest = await readJson(host, 'manifest.json', 'server');
  const large = await readJson(host, 'large-run.json', 'server');
  const usage = await writeText(host, 'usage.md', usageText(manifest, manifest.rules), 'text/markdown; charset=utf-8');
  const release = await writeText(host, 'release-note.md', releaseText(manifest, manifest.rules, { digest: manifest.digest, large }), 'text/markdown; charset=utf-8');
  await must(host, 'submit', {
    artifacts: ['usage.md', 'release-note.md'],
    summary: `Usage and release note for ${manifest.program}, ${manifest.rules.length} rules explained`,
    claims: [
      { criterion: 'usage', evidence: [`artifact:${usage.digest}`] },
      { criterion: 'release-note', evidence: [`artifact:${release.digest}`] },
      { criterion: 'honest', evidence: [`artifact:${usage.digest}`] },
    ],
  });
}
