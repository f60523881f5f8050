/**
 * Signed links. A decision link names one decision as it was asked for, and one person: it opens that decision once, to that person signed in, and nothing to anybody else. A progress link shows a
 * goal read-only to whoever has it, until it is taken back or runs out. Both are signed under a key of the workspace alone, so that none of another workspace is worth anything here. Pure.
 */
import { z } from 'zod';
import { readSignedText, signText } from '../../auth/signed-text.ts';
import type { PrincipalId } from '../../domain/values.ts';

/** Milliseconds that a decision link is good for, from when the decision was asked for. */
export const DECISION_LINK_MS = 7 * 86_400_000;
const purposes = { decision: 'decision link', progress: 'progress link' } as const;

export interface DecisionLink {
  goal: string;
  /** What is decided or answered, as `Next` names it. */
  ref: string;
  /** Of the notice's key: tells the second time that the same is asked for from the first. */
  asked: string;
  person: PrincipalId;
  expiresAt: number;
  /** Used once under this. */
  id: string;
}
const decisionShape = z.tuple([z.string(), z.string(), z.string(), z.string(), z.string(), z.int(), z.string()]);
const progressShape = z.tuple([z.string(), z.string(), z.int()]);

/** `key`: of the workspace. The same link gives the same text. */
export function signDecision(key: string, workspace: string, { goal, ref, asked, person, expiresAt, id }: DecisionLink): string {
  return signText(key, purposes.decision, [workspace, goal, ref, asked, person, expiresAt, id]);
}
/** Undefined: not signed here, altered, or of another workspace or kind. */
export function readDecision(key: string, workspace: string, text: string): DecisionLink | undefined {
  const read = decisionShape.safeParse(readSignedText(key, purposes.decision, text));
  if (!read.success || read.data[0] !== workspace) return undefined;
  const [, goal, ref, asked, person, expiresAt, id] = read.data;
  return { goal, ref, asked, person, expiresAt, id };
}

/** Of a setting in one version: one that was put again has another link. */
export interface ProgressLink {
  name: string;
  version: number;
}
export function signProgress(key: string, workspace: string, { name, version }: ProgressLink): string {
  return signText(key, purposes.progress, [workspace, name, version]);
}
export function readProgress(key: string, workspace: string, text: string): ProgressLink | undefined {
  const read = progressShape.safeParse(readSignedText(key, purposes.progress, text));
  return read.success && read.data[0] === workspace ? { name: read.data[1], version: read.data[2] } : undefined;
}

/** What follows `#` is sent to no server, and stands in no log on the way. */
export const linkAddress = (origin: string, page: 'link' | 'progress', workspace: string, text: string): string => `${origin}/${page}#${workspace}/${text}`;
