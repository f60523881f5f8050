/** Bounded texts, lists and scenes of views. Bytes are those of UTF-8 JSON. */
import type { Scene } from '../planes/check-spec.ts';

const encoder = new TextEncoder();

export function jsonBytes(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).length;
}

/** At most `length` UTF-16 units, the last of them an ellipsis when it was longer; never half a surrogate pair. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = text.slice(0, Math.max(0, length - 1));
  return `${/[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head}…`;
}

/** At most `bytes` as JSON. */
export function clipBytes(text: string, bytes: number): string {
  let cut = clip(text, bytes);
  for (let size = jsonBytes(cut); size > bytes && cut.length > 1; size = jsonBytes(cut)) cut = clip(text, Math.min(cut.length - 1, Math.floor((cut.length * bytes) / size)));
  return cut;
}

/** The head of a list that fits: at most so many entries, and so many bytes with the commas between them. */
export function headOf<T>(list: readonly T[], limit: { entries: number; bytes: number }): T[] {
  const head: T[] = [];
  let left = limit.bytes;
  for (const entry of list) {
    left -= jsonBytes(entry) + 1;
    if (left < 0 || head.length >= limit.entries) break;
    head.push(entry);
  }
  return head;
}

/** Names and brackets of a scene's lists. */
const sceneFrame = 60;

/**
 * As much of a scene as fits into `bytes`: the summary first, then findings up to half of what is left, then missing and extra ids, which share the rest. Its row has all of it;
 * `data` is left to the row.
 */
export function clipScene(scene: Scene, bytes: number, widths: { summaryBytes: number; findingChars: number; idChars: number }): Scene {
  const summary = clipBytes(scene.summary, Math.min(widths.summaryBytes, bytes - sceneFrame));
  let left = bytes - sceneFrame - jsonBytes(summary);
  const take = <T>(list: readonly T[] | undefined, share: number): T[] => {
    const head = headOf(list ?? [], { entries: Number.POSITIVE_INFINITY, bytes: Math.floor(left * share) });
    left -= head.reduce((sum, entry) => sum + jsonBytes(entry) + 1, 0);
    return head;
  };
  const side = (text: string) => clip(text, widths.findingChars);
  const findings = take(
    scene.findings?.map(({ where, expected, actual }) => ({
      where: side(where),
      ...(expected === undefined ? {} : { expected: side(expected) }),
      ...(actual === undefined ? {} : { actual: side(actual) }),
    })),
    scene.missing || scene.extra ? 0.5 : 1,
  );
  const ids = (list: string[] | undefined) => list?.map((id) => clip(id, widths.idChars));
  const missing = take(ids(scene.missing), scene.extra ? 0.7 : 1);
  const extra = take(ids(scene.extra), 1);
  return { summary, ...(missing.length > 0 ? { missing } : {}), ...(extra.length > 0 ? { extra } : {}), ...(findings.length > 0 ? { findings } : {}) };
}
