/**
 * Compatibility check: the accepted file is looked at again by three Subagents side by side, for encoding, quoting and size. A fault that only they find
 * makes the acceptance upstream fall, with its scene; this item then waits for the rework and looks at the new file from the start.
 */
import { must, readJson, writeJson } from './lib-host.js';
import { RULE } from './lib-rules.js';

const LOOKS = ['encoding', 'quoting', 'size'];

export default async function run(host, input) {
  const { children } = await must(host, 'subagents', {
    children: LOOKS.map((name) => ({ name, executor: { kind: 'skill', skill: 'csv-export', script: `child-${name}.js` }, brief: { look: name, file: 'export.csv' } })),
  });
  const broken = LOOKS.filter((name) => children[name]?.ok !== true);
  if (broken.length > 0) throw new Error(`no result of ${broken.join(', ')}: ${JSON.stringify(children[broken[0]])?.slice(0, 500)}`);
  const manifest = await readJson(host, 'manifest.json', 'server');
  const stale = LOOKS.filter((name) => children[name].result.digest !== manifest.digest);
  if (stale.length > 0) throw new Error(`${stale.join(', ')} looked at another file than the accepted one`);

  const findings = LOOKS.flatMap((name) => children[name].result.findings.map((finding) => ({ ...finding, look: name })));
  if (findings.length > 0) {
    const [first] = findings;
    const rules = [...new Set(findings.flatMap((finding) => (finding.rule ? [RULE + finding.rule] : [])))];
    const clip = (text) => [...text].slice(0, 400).join('');
    await must(host, 'acceptance.invalidate', {
      item: 'server',
      scene: {
        summary: clip(`The ${first.look} look found a fault in the accepted file, at ${first.where}: expected ${first.expected}, found ${first.actual}.`),
        findings: findings.slice(0, 50).map(({ where, expected, actual }) => ({ where, expected: clip(expected), actual: clip(actual) })),
        ...(rules.length > 0 ? { missing: rules } : {}),
        data: { program: manifest.program, looks: [...new Set(findings.map((finding) => finding.look))] },
      },
      evidence: [`artifact:${manifest.digest}`],
    });
    // The invalidation ends the round where this item hangs on what fell; where it does not, the round is handed back.
    await host.call('hand_back', { note: `the server export is reworked: ${findings.length} findings` });
    return;
  }

  const report = await writeJson(host, 'compatibility-report.json', {
    file: 'export.csv',
    digest: manifest.digest,
    bytes: manifest.bytes,
    program: manifest.program,
    records: manifest.ids.length,
    columns: manifest.columns,
    rules: manifest.rules,
    looks: Object.fromEntries(LOOKS.map((name) => [name, { findings: 0, looked: children[name].result.looked }])),
  });
  await must(host, 'submit', {
    artifacts: ['compatibility-report.json'],
    summary: `export.csv holds up to a second look at encoding, quoting and size for ${manifest.program}`,
    claims: [{ criterion: 'three-looks', evidence: [`artifact:${report.digest}`, `submission:${input.upstream.find((up) => up.item === 'server').submission}`] }],
  });
}
