/** Bounded texts and lists of views. */
import type { Scene } from '../planes/check-spec.ts';

/** At most `length` UTF-16 units, the last of them an ellipsis when it was longer; never half a surrogate pair. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = text.slice(0, length - 1);
  return `${/[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head}…`;
}

/** The head of a scene: enough to act on. Its row has the rest. */
export function clipScene(scene: Scene, limits: { ids: number; findings: number; idChars: number; summaryChars: number; findingChars: number }): Scene {
  const ids = (list: string[] | undefined) => list?.slice(0, limits.ids).map((id) => clip(id, limits.idChars));
  const missing = ids(scene.missing);
  const extra = ids(scene.extra);
  const findings = scene.findings?.slice(0, limits.findings).map((finding) => ({
    where: clip(finding.where, limits.findingChars),
    ...(finding.expected === undefined ? {} : { expected: clip(finding.expected, limits.findingChars) }),
    ...(finding.actual === undefined ? {} : { actual: clip(finding.actual, limits.findingChars) }),
  }));
  return {
    summary: clip(scene.summary, limits.summaryChars),
    ...(missing === undefined ? {} : { missing }),
    ...(extra === undefined ? {} : { extra }),
    ...(findings === undefined ? {} : { findings }),
  };
}
