/** What every check of this skill reads its files with. A file that does not stand is `null` in the input, and that is a finding, not an error. */

/** @returns {Uint8Array | null} */
export function bytesOf(input, path) {
  const file = input.files[path];
  if (!file) return null;
  const binary = atob(file.base64);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** @returns {string | null} throws where the bytes are not UTF-8 */
export function textOf(input, path) {
  const bytes = bytesOf(input, path);
  return bytes === null ? null : new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

const UNWANTED = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** A JSON file as the tool `json.read` gives it: a number that a double cannot keep as its own text, NUL and lone surrogates as U+FFFD. */
export function jsonOf(input, path) {
  const text = textOf(input, path);
  if (text === null) return null;
  return JSON.parse(text, (_key, value, context) => {
    if (typeof value === 'string') return value.replace(UNWANTED, '\ufffd');
    if (typeof value === 'number' && context?.source !== undefined && !keeps(value, context.source)) return context.source;
    return value;
  });
}

function keeps(value, source) {
  if (/^-?\d+$/.test(source)) return Number.isSafeInteger(value);
  return Number.isFinite(value) && source.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '').length <= 15;
}

export const passed = () => ({ pass: true });

/** @param {string} summary @param {{where: string, expected?: string, actual?: string}[]} [findings] @param {object} [more] */
export function failed(summary, findings = [], more = {}) {
  const clip = (text) => (text === undefined ? undefined : [...text].slice(0, 400).join(''));
  const shown = findings.slice(0, 50).map(({ where, expected, actual }) => JSON.parse(JSON.stringify({ where, expected: clip(expected), actual: clip(actual) })));
  return { pass: false, scene: { summary: clip(summary), ...(shown.length > 0 ? { findings: shown } : {}), ...more } };
}

/** The records of the export in its order. A selected id without a record is left out; `check-records.js` names it. */
export function selectedRecords(records, ids) {
  const byId = new Map(records.map((record) => [record.id, record]));
  return ids.flatMap((id) => (byId.has(id) ? [byId.get(id)] : []));
}

export async function sha256(bytes) {
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
