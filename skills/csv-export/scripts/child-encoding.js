/** Subagent. Looks at the bytes: valid UTF-8, nothing replaced or lost, decoded as such by the chosen program. Changes nothing; what it returns is its result. */
import { encodingFaults } from './lib-compat.js';
import { readBytes, readJson } from './lib-host.js';

function selected(manifest, records) {
  const byId = new Map(records.map((record) => [record.id, record]));
  return manifest.ids.map((id) => byId.get(id));
}

export default async function run(host) {
  const manifest = await readJson(host, 'manifest.json', 'server');
  const records = selected(manifest, await readJson(host, 'records.json', 'source'));
  const { bytes, digest } = await readBytes(host, 'export.csv', 'server');
  const findings = encodingFaults(bytes, manifest, records);
  return { digest, looked: { bytes: bytes.length, records: manifest.ids.length }, findings: findings.slice(0, 50) };
}
