/** What is told, as programs get it: ids, codes and a link. What a Goal holds stays in it. The text is made once; every try of a delivery sends the same bytes. */
import type { Notice } from '../../domain/notices/notices.ts';
import type { OutletType } from '../../workspace/core/outlets.ts';

/** Something to be told. `key` is unique in the workspace with its goal. */
export interface Happening extends Omit<Notice, 'type' | 'seq'> {
  type: OutletType;
  goal: string;
  seq?: number;
  /** Of `endpoint.disabled`. */
  endpoint?: string;
}

/** The same for every try, replay and endpoint. Without a dot: receivers cut what is signed at dots. */
export function messageId(workspace: string, { goal, key, type }: Pick<Happening, 'goal' | 'key' | 'type'>, sha256: (text: string) => string): string {
  return `msg_${sha256(JSON.stringify([workspace, goal, key, type])).slice(0, 32)}`;
}

/** Where a person sees it in the console. */
export function placeOf(origin: string, { goal, ref, endpoint }: Pick<Happening, 'goal' | 'ref' | 'endpoint'>): string {
  if (endpoint !== undefined) return `${origin}/settings/webhooks`;
  return `${origin}/goals/${encodeURIComponent(goal)}${ref === undefined ? '' : `?needs=${encodeURIComponent(ref)}`}`;
}

export function bodyOf(workspace: string, happening: Happening, origin: string): string {
  const { type, at, goal, key: _, due, ...rest } = happening;
  return JSON.stringify({
    type,
    timestamp: new Date(at).toISOString(),
    data: {
      workspace,
      ...(goal === '' ? {} : { goal }),
      ...rest,
      ...(due === undefined ? {} : { due: new Date(due).toISOString() }),
      link: placeOf(origin, happening),
    },
  });
}
