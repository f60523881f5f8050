/** The report speaks of the accepted file, and all three looks found nothing. */
import { bytesOf, failed, jsonOf, passed, sha256 } from './lib-check.js';

export default async function run(_host, input) {
  const report = jsonOf(input, 'compatibility-report.json');
  const bytes = bytesOf(input, 'export.csv');
  if (!report || !bytes) return failed('The report or the accepted file is missing.');
  const digest = await sha256(bytes);
  if (report.digest !== digest)
    return failed('The report speaks of another file than the accepted one.', [{ where: 'compatibility-report.json', expected: digest, actual: String(report.digest) }]);
  const open = ['encoding', 'quoting', 'size'].filter((look) => report.looks?.[look]?.findings !== 0);
  return open.length === 0 ? passed() : failed(`Not every look is there or without findings: ${open.join(', ')}.`, [], { missing: open });
}
