/** Reading through tools: whole tables page by page, and a question to the owner where a source cannot be read. */

/** The answer's value. A refusal here is a defect of the plan or of this script, so it ends the Attempt with its words. */
export async function must(host, tool, args) {
  const answer = await host.call(tool, args);
  if (answer.refusal) throw new Error(`${tool}: ${answer.refusal.code}${answer.refusal.detail ? `: ${answer.refusal.detail}` : ''}`);
  return answer.value;
}

/** Stops the item: the source is not what it must be, and only its owner can say what is right. Ends the round. */
export async function sourceIsWrong(host, path, detail) {
  await must(host, 'block', {
    key: 'source_unreadable',
    reason: `${path} cannot be audited: ${detail}`.slice(0, 2000),
    form: { type: 'object', properties: { replaced: { const: true, description: 'The file was replaced by a correct one' } }, required: ['replaced'], additionalProperties: false },
  });
  throw new Error('a blocked round goes on');
}

async function pages(host, tool, args, field) {
  const rows = [];
  let offset = 0;
  while (offset !== null) {
    const answer = await host.call(tool, { ...args, offset, limit: 5000 });
    if (answer.refusal) return sourceIsWrong(host, args.path, answer.refusal.detail ?? answer.refusal.code);
    if (!Array.isArray(answer.value[field])) return sourceIsWrong(host, args.path, 'it is not a list');
    rows.push(...answer.value[field]);
    offset = answer.value.next ?? null;
  }
  return rows;
}

export const readJsonRows = (host, path) => pages(host, 'json.read', { path, from: 'source' }, 'value');
export const readCsvRows = (host, path) => pages(host, 'csv.read', { path, from: 'source' }, 'rows');

/** Text of a source, or undefined where there is no such file. */
export async function readText(host, path) {
  const answer = await host.call('files.read', { path, from: 'source' });
  if (answer.refusal?.code === 'not_found') return undefined;
  if (answer.refusal) return sourceIsWrong(host, path, answer.refusal.detail ?? answer.refusal.code);
  return answer.value.text;
}

/** All pages of a list tool, by its cursor. */
export async function listAll(host, tool, args, field) {
  const rows = [];
  let after;
  do {
    const value = await must(host, tool, after === undefined ? args : { ...args, after });
    rows.push(...value[field]);
    after = value.next ?? undefined;
  } while (after !== undefined);
  return rows;
}

/** Facts under a prefix as a Map from what follows it to the value. */
export async function factsUnder(host, prefix) {
  const facts = await listAll(host, 'facts.list', { prefix, limit: 500 }, 'facts');
  return new Map(facts.map((fact) => [fact.key.slice(prefix.length), fact.value]));
}

export async function factAt(host, key) {
  const answer = await host.call('facts.get', { key });
  return answer.refusal ? undefined : answer.value.value;
}
