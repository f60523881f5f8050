/** A named environment of an installation: how its resources are called, and what stands in `deploy/<environment>.json`. Nothing secret is in that file. */
import { z } from 'zod';

export const environmentName = z.string().regex(/^[a-z][a-z0-9-]{0,20}$/, 'small letters, digits and hyphens, 21 characters at most');

/** Variables of the Worker that are no secret; `worker/env.ts` says what each means. */
const vars = z.strictObject({
  LONGHAUL_URL: z.string().optional(),
  LONGHAUL_MAIL_URL: z.string().optional(),
  LONGHAUL_MAIL_FROM: z.string().optional(),
  LONGHAUL_GOOGLE_ID: z.string().optional(),
  LONGHAUL_GITHUB_ID: z.string().optional(),
  LONGHAUL_SIGN_UP: z.enum(['invited']).optional(),
  LONGHAUL_OPERATORS: z.string().optional(),
  LONGHAUL_CALLS_PER_MINUTE: z.string().regex(/^\d+$/).optional(),
  LONGHAUL_MASTER_KEY_CURRENT: z.string().regex(/^\d+$/).optional(),
});
export type Variables = z.infer<typeof vars>;

/** Those without which a production build answers nobody. */
export const neededVariables = ['LONGHAUL_URL', 'LONGHAUL_MAIL_URL', 'LONGHAUL_MAIL_FROM'] as const satisfies (keyof Variables)[];

export const environmentSettings = z.strictObject({
  vars: vars.default({}),
  /** Where D1 is made, once: near the people who work with it. */
  location: z.enum(['weur', 'eeur', 'apac', 'oc', 'wnam', 'enam']).optional(),
  /** Binds Browser Rendering, for `browser.read`. */
  browser: z.boolean().default(false),
  /** Binds Workers AI. */
  ai: z.boolean().default(true),
});
export type EnvironmentSettings = z.infer<typeof environmentSettings>;

export interface Names {
  worker: string;
  database: string;
  bucket: string;
  work: string;
  dead: string;
}

/** Production bears the plain names of `wrangler.toml`; every other environment has its own behind them, so that several live in one account. */
export function namesOf(environment: string): Names {
  const worker = environment === 'production' ? 'longhaul' : `longhaul-${environment}`;
  return { worker, database: worker, bucket: `${worker}-files`, work: `${worker}-work`, dead: `${worker}-dead` };
}
