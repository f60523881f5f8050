/** The calls that every script of this skill makes, with their refusals turned into errors where the script cannot go on without the answer. */

/** A call that must succeed. Throws with the refusal's code and detail: the round then ends as failed and says why. */
export async function must(host, tool, args) {
  const answer = await host.call(tool, args);
  if (answer.refusal) throw Object.assign(new Error(`${tool}: ${answer.refusal.code}${answer.refusal.detail ? `, ${answer.refusal.detail}` : ''}`), { refusal: answer.refusal });
  return answer.value;
}

/** A whole JSON file; an array is read page by page. Numbers that a double cannot keep come as text. */
export async function readJson(host, path, from) {
  const where = from === undefined ? { path } : { path, from };
  const first = await must(host, 'json.read', { ...where, limit: 5000 });
  if (!Array.isArray(first.value)) return first.value;
  const rows = [...first.value];
  for (let next = first.next; next !== null && next !== undefined; ) {
    const page = await must(host, 'json.read', { ...where, offset: next, limit: 5000, about: `${path} from ${next}` });
    rows.push(...page.value);
    next = page.next;
  }
  return rows;
}

/** All bytes of a file, with its digest. */
export async function readBytes(host, path, from) {
  const parts = [];
  let digest;
  for (let offset = 0; offset !== null; ) {
    const part = await must(host, 'files.read', { path, ...(from === undefined ? {} : { from }), encoding: 'base64', offset });
    digest = part.digest;
    parts.push(Uint8Array.from(atob(part.base64), (character) => character.charCodeAt(0)));
    offset = part.next ?? null;
  }
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { bytes, digest };
}

export async function readText(host, path, from) {
  return (await must(host, 'files.read', { path, ...(from === undefined ? {} : { from }) })).text;
}

/** Stores a text and gives its artifact. */
export async function writeText(host, path, text, type) {
  return must(host, 'files.write', { path, text, type });
}

export async function writeJson(host, path, value) {
  return must(host, 'json.write', { path, value });
}

/** The value of a fact; undefined where nothing stands under the key. */
export async function fact(host, key) {
  const answer = await host.call('facts.get', { key });
  if (!answer.refusal) return answer.value.value;
  if (answer.refusal.code === 'fact_unknown' || answer.refusal.code === 'not_found') return undefined;
  throw new Error(`facts.get ${key}: ${answer.refusal.code}`);
}
