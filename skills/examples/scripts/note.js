/** Worker: delivers the one text file that the item's input describes. */
import { must } from './lib-must.js';

export default async function run(host, input) {
  const { path, text } = input.item.input;
  const file = await must(host, 'files.write', { path, text });
  await must(host, 'submit', {
    artifacts: [path],
    summary: `${path} is written.`,
    claims: input.item.acceptance.map(({ id }) => ({ criterion: id, evidence: [`artifact:${file.digest}`] })),
  });
}
