/** Some limits in the place of others. */
import type { z } from 'zod';
import { type Limits, type limitsPatch, limits as limitsSchema } from './contract.ts';

export function withPatch(current: Limits, patch: z.output<typeof limitsPatch>): Limits {
  return limitsSchema.parse({ ...current, ...Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) });
}
