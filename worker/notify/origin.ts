/** Where links in messages lead: the console of this installation. In development the port that serves it. */
import type { Env } from '../env.ts';

export function consoleOrigin(env: Pick<Env, 'LONGHAUL_URL' | 'LONGHAUL_LOCAL_PORT'>): string {
  if (env.LONGHAUL_URL !== undefined && URL.canParse(env.LONGHAUL_URL)) return new URL(env.LONGHAUL_URL).origin;
  return `http://localhost${env.LONGHAUL_LOCAL_PORT ? `:${env.LONGHAUL_LOCAL_PORT}` : ''}`;
}
