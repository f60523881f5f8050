/** Coordinator of a goal without a graph: writes the deliverable and asks for the audit. The host decides whether that completes the goal. */
import { must } from './lib-must.js';

export default async function run(host, input) {
  const { path, text } = input.executor.input;
  await must(host, 'files.write', { path, text });
  await must(host, 'finish', { note: `${path} is written.` });
}
