/** What one workspace may call here: what the build and the installation say, with the workspace's own lists. */
import { z } from 'zod';
import { closedRules, type OutgoingRules } from './address.ts';

/** A host pattern as `OutgoingRules` describes it. */
const hostPattern = z
  .string()
  .max(260)
  .regex(/^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:(\d{1,5}|\*))?$/, 'host, *.host, host:port or host:*');

/** What a workspace sets. `allow` null: every public host. */
export const outgoingSettings = z.strictObject({
  allow: z.array(hostPattern).max(500).nullable().default(null),
  deny: z.array(hostPattern).max(500).default([]),
});
export type OutgoingSettings = z.infer<typeof outgoingSettings>;

interface InstallationSettings {
  LONGHAUL_DEV?: string;
  /** The public address of this installation: nothing calls itself. */
  LONGHAUL_URL?: string;
  LONGHAUL_LOCAL_PORT?: string;
}

export function outgoingRules(env: InstallationSettings, settings: OutgoingSettings = { allow: null, deny: [] }): OutgoingRules {
  const own = [
    ...(env.LONGHAUL_URL !== undefined && URL.canParse(env.LONGHAUL_URL) ? [new URL(env.LONGHAUL_URL).host] : []),
    ...(env.LONGHAUL_LOCAL_PORT ? [`localhost:${env.LONGHAUL_LOCAL_PORT}`] : []),
  ];
  // Decided at build time first: no variable opens a production build to its own machine.
  const loopback = __LONGHAUL_DEV__ && env.LONGHAUL_DEV === '1';
  return { ...closedRules, allow: settings.allow, deny: settings.deny, own, loopback };
}
