/** Subagent. Looks at sizes: what a cell and a sheet can hold, and whether the figures of the large run add up. Changes nothing; what it returns is its result. */
import { sizeFaults } from './lib-compat.js';
import { readBytes, readJson } from './lib-host.js';

export default async function run(host) {
  const manifest = await readJson(host, 'manifest.json', 'server');
  const large = await readJson(host, 'large-run.json', 'server');
  const { bytes, digest } = await readBytes(host, 'export.csv', 'server');
  const findings = sizeFaults(bytes, manifest, large);
  return { digest, looked: { bytes: bytes.length, records: manifest.ids.length }, findings: findings.slice(0, 50) };
}
