/** A read-only page of one goal for whoever has its link: a setting, so that it is on record who gave it out, and so that taking it back is removing it. */
import { z } from 'zod';
import { type PrincipalId, slug } from '../../domain/values.ts';

export const progress = z.strictObject({
  name: slug,
  goal: z.string().min(1).max(80),
  expiresInDays: z.int().min(1).max(365).default(30),
});
export type Progress = z.infer<typeof progress>;

/** Milliseconds since the epoch. `kept.at`: when it was put. */
export const progressEnd = (kept: { value: Progress; at: number }): number => kept.at + kept.value.expiresInDays * 86_400_000;

/** `link`: what stands behind the `#` of its address; null where the installation has no master key. */
export interface ProgressView {
  name: string;
  goal: string;
  version: number;
  at: number;
  by: PrincipalId;
  until: number;
  link: string | null;
}
