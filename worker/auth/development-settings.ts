/** What a development build does without settings. Nothing of this file may be in a production bundle; `production-bundle.test.ts` looks for it there. */
interface DevelopmentSettings {
  LONGHAUL_URL?: string;
  LONGHAUL_AUTH_SECRET?: string;
}

/** It is reached where it is asked. */
export function developmentOrigin(env: DevelopmentSettings, request: Request): string {
  return new URL(env.LONGHAUL_URL || request.url).origin;
}

/** Who can read this text can only sign in on that machine. */
export function developmentSecret(env: DevelopmentSettings): string {
  return env.LONGHAUL_AUTH_SECRET || 'longhaul-development-secret-of-no-worth';
}

/** Whom the sign-in of a development build makes everyone on its machine. No table knows them. */
export const developmentPrincipal = 'person:local';
